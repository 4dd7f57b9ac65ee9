"""What a trajectory earned: returns-to-go, episode statistics, and averages that say of what."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from gridroll import validation
from gridroll.collector import Trajectory


@validation.returns_to_go
@jax.jit
def returns_to_go(reward: jax.Array, gamma: jax.Array | float = 1.0) -> jax.Array:
    """Sum the rewards from each transition on: G[t] = reward[t] + gamma * G[t + 1].

    Nothing is bootstrapped: after the last transition G is 0 (Sutton and Barto, 2nd edition,
    equation 3.9).

    Args:
        reward: (T, ...) float32, time first, 0 after the end of an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, ...) float32.

    Raises:
        TypeError, ValueError: rewards without a time axis, or a discount outside 0 to 1.
    """

    def accumulate(later: jax.Array, reward: jax.Array) -> tuple[jax.Array, jax.Array]:
        now = reward + gamma * later
        return now, now

    _, returns = jax.lax.scan(accumulate, jnp.zeros_like(reward[0]), reward, reverse=True)
    return returns


@validation.discount_matrix
def discount_matrix(num_steps: int, gamma: jax.Array | float) -> jax.Array:
    """The weight of the reward of row u in the return-to-go of row t: gamma ** (u - t).

    Args:
        num_steps: T.
        gamma: () the discount, between 0 and 1; gamma ** 0 is 1 for every gamma, 0 included.

    Returns:
        (T, T) float32, entry [t, u]; 0 where u < t, since no reward counts backwards.

    Raises:
        TypeError, ValueError: a size that is no positive integer, or a discount outside 0 to 1.
    """
    row = jnp.arange(num_steps, dtype=jnp.float32)
    ahead = row[None, :] - row[:, None]  # u - t
    # Negative exponents are cut first: 0 ** -1 is infinite, also where its value isn't used.
    return jnp.where(ahead >= 0, gamma ** jnp.maximum(ahead, 0.0), 0.0)


@validation.returns_to_go
def returns_by_matrix(reward: jax.Array, gamma: jax.Array | float = 1.0) -> jax.Array:
    """Sum the rewards from each transition on, G = discount_matrix @ reward.

    The second route to `returns_to_go`. It takes T * T numbers where a scan takes none, and its
    rows can be read: row t is what transition t is credited with.

    Args:
        reward: (T, ...) float32, time first, 0 after the end of an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, ...) float32.

    Raises:
        TypeError, ValueError: as `returns_to_go`.
    """
    weights = discount_matrix(reward.shape[0], gamma)
    # Full precision: accelerators multiply matrices with fewer digits unless they are told.
    return jnp.tensordot(weights, reward, axes=1, precision="highest")


@validation.trajectory
def episode_return(trajectory: Trajectory) -> jax.Array:
    """The sum of the rewards of each environment's episode, (B,) float32."""
    earned = jnp.where(trajectory.active, trajectory.reward, 0.0)
    return earned.sum(axis=0)


@validation.trajectory
def episode_length(trajectory: Trajectory) -> jax.Array:
    """The number of transitions in each environment's episode, (B,) int32."""
    return trajectory.active.sum(axis=0, dtype=jnp.int32)


@validation.masked("value", "mask")
def masked_mean(value: jax.Array, mask: jax.Array) -> jax.Array:
    """The mean over axis 0 of the entries that count.

    Whatever stands in the other entries, NaN included, changes neither the mean nor its gradient.

    Args:
        value: (N, ...) float32.
        mask: (N, ...) bool, of the same shape; True where an entry counts.

    Returns:
        (...) float32; NaN where no entry counts, because there is no mean of nothing.

    Raises:
        TypeError, ValueError: no axis to average over, a mask that isn't bool, shapes that differ.
    """
    total = jnp.where(mask, value, 0.0).sum(axis=0)
    count = mask.sum(axis=0, dtype=jnp.float32)
    return total / count


class Averages(NamedTuple):
    """Three averages of one recording. Each is right, for its own question."""

    episode: jax.Array  # () float32, what does an episode earn? The objective.
    transition: jax.Array  # () float32, what does a live transition earn?
    cell: jax.Array  # () float32, what does a cell of the array hold, padding included?


@validation.recording
def averages(reward: jax.Array, active: jax.Array) -> Averages:
    """Average the rewards of a recording over its episodes, its transitions and its cells.

    Args:
        reward: (T, B) float32, a column for each episode.
        active: (T, B) bool, True on the transitions of the episode.

    Returns:
        Averages, each () float32; the one over transitions is NaN where none is active.

    Raises:
        TypeError, ValueError: shapes that differ or aren't (T, B), a mask that isn't bool.
    """
    earned = jnp.where(active, reward, 0.0)
    return Averages(
        episode=earned.sum(axis=0).mean(),
        transition=earned.sum() / active.sum(dtype=jnp.float32),
        cell=earned.mean(),
    )


@validation.recording
def standard_error(reward: jax.Array, active: jax.Array) -> jax.Array:
    """The standard error of the mean return: the sample deviation of the returns over sqrt(B).

    The B episodes are the sample. Transitions aren't: those of one episode depend on one another.

    Args:
        reward: (T, B) float32, a column for each episode.
        active: (T, B) bool, True on the transitions of the episode.

    Returns:
        () float32; NaN for a single episode, of which no spread can be seen.

    Raises:
        TypeError, ValueError: shapes that differ or aren't (T, B), a mask that isn't bool.
    """
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    return earned.std(ddof=1) / jnp.sqrt(earned.size)


class EpisodeStatistics(NamedTuple):
    """What a batch of episodes was like, and how many episodes say so."""

    mean_return: jax.Array  # () float32, over episodes; NaN without one
    standard_error: jax.Array  # () float32, of the mean return; NaN below two episodes
    mean_length: jax.Array  # () float32, transitions in an episode; NaN without one
    episodes: jax.Array  # () int32, columns with an active transition: what the means are over
    finished: jax.Array  # () int32, of these, how many ended within the record, in either way
    terminated: jax.Array  # () int32, of these, how many reached a goal


@validation.trajectory
def episode_statistics(trajectory: Trajectory) -> EpisodeStatistics:
    """Sum up a batch of episodes that were chosen before they ran: every column is one.

    Where `finished` is less than `episodes`, the record was shorter than the horizon, and the
    means are those of episodes cut short. Leaving these out would favour quick endings.

    Args:
        trajectory: leaves (T, B).

    Returns:
        EpisodeStatistics, leaves ().

    Raises:
        TypeError: not a Trajectory.
    """
    began = trajectory.active.any(axis=0)
    earned, length = episode_return(trajectory), episode_length(trajectory)
    mean_return = masked_mean(earned, began)
    episodes = began.sum(dtype=jnp.int32)
    # The mean square, divided by n - 1, is the square of the standard error.
    spread = masked_mean((earned - mean_return) ** 2, began)
    ended = trajectory.terminated | trajectory.truncated
    return EpisodeStatistics(
        mean_return=mean_return,
        standard_error=jnp.sqrt(spread / (episodes - 1).astype(jnp.float32)),
        mean_length=masked_mean(length.astype(jnp.float32), began),
        episodes=episodes,
        finished=ended.any(axis=0).sum(dtype=jnp.int32),
        terminated=trajectory.terminated.any(axis=0).sum(dtype=jnp.int32),
    )
