"""Answers to `reinforce.to_go_weights`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.collector import Trajectory
from gridroll.returns import episode_return, returns_by_matrix, returns_to_go


def clean(trajectory: Trajectory) -> jax.Array:
    """The rewards with 0 in the padding."""
    return jnp.where(trajectory.active, trajectory.reward, 0.0)


def right_reversed_cumsum(trajectory: Trajectory) -> jax.Array:
    """Turns time round, sums, and turns it back."""
    return jnp.cumsum(clean(trajectory)[::-1], axis=0)[::-1]


def right_total_less_the_past(trajectory: Trajectory) -> jax.Array:
    """The whole return less what was earned before."""
    reward = clean(trajectory)
    left = episode_return(trajectory) - jnp.cumsum(reward, axis=0) + reward
    return jnp.where(trajectory.active, left, 0.0)


def right_matrix(trajectory: Trajectory) -> jax.Array:
    """Lesson 04's second route."""
    return returns_by_matrix(clean(trajectory))


def right_scan(trajectory: Trajectory) -> jax.Array:
    """Goes backwards with a scan."""

    def row(later: jax.Array, reward: jax.Array) -> tuple[jax.Array, jax.Array]:
        return later + reward, later + reward

    reward = clean(trajectory)
    return jax.lax.scan(row, jnp.zeros_like(reward[0]), reward, reverse=True)[1]


def right_numpy(trajectory: Trajectory) -> Any:
    """Writes into a NumPy array, row by row."""
    reward = np.where(np.asarray(trajectory.active), np.asarray(trajectory.reward), 0)
    for t in reversed(range(len(reward) - 1)):
        reward[t] += reward[t + 1]
    return reward.astype(np.float32)


def right_masked_twice(trajectory: Trajectory) -> jax.Array:
    """Masks before and after."""
    return jnp.where(trajectory.active, returns_to_go(clean(trajectory)), 0.0)


def wrong_discounted(trajectory: Trajectory) -> jax.Array:
    """Discounts, which nobody asked for."""
    return returns_to_go(clean(trajectory), 0.9)


def wrong_next_row(trajectory: Trajectory) -> jax.Array:
    """Shifted by a row, with the last one kept."""
    weights = returns_to_go(clean(trajectory))
    return jnp.concatenate([weights[1:], weights[-1:]])


def wrong_average_to_go(trajectory: Trajectory) -> jax.Array:
    """The mean of what comes, not its sum."""
    count = jnp.maximum(returns_to_go(trajectory.active.astype(jnp.float32)), 1)
    return returns_to_go(clean(trajectory)) / count


def wrong_centred(trajectory: Trajectory) -> jax.Array:
    """Subtracts the mean of the batch in each row."""
    weights = returns_to_go(clean(trajectory))
    return jnp.where(trajectory.active, weights - weights.mean(axis=1, keepdims=True), 0.0)


def wrong_nan_to_num(trajectory: Trajectory) -> jax.Array:
    """Cleans nan and no other padding."""
    return returns_to_go(jnp.nan_to_num(trajectory.reward))


def wrong_goals_only(trajectory: Trajectory) -> jax.Array:
    """Counts the reward of reaching the goal, and no other."""
    return returns_to_go(jnp.where(trajectory.terminated, trajectory.reward, 0.0))


def wrong_negated(trajectory: Trajectory) -> jax.Array:
    """Makes a loss of it."""
    return -returns_to_go(clean(trajectory))


def wrong_batch_mean(trajectory: Trajectory) -> jax.Array:
    """Gives everybody the mean of the row."""
    weights = returns_to_go(clean(trajectory))
    return jnp.broadcast_to(weights.mean(axis=1, keepdims=True), weights.shape)


def wrong_first_row(trajectory: Trajectory) -> jax.Array:
    """Returns row 0 alone, the whole returns."""
    return returns_to_go(clean(trajectory))[0]


def wrong_transposed(trajectory: Trajectory) -> jax.Array:
    """Gives the transpose, (B, T)."""
    return returns_to_go(clean(trajectory)).T


def wrong_ranks(trajectory: Trajectory) -> jax.Array:
    """Only the sign of what comes."""
    return jnp.sign(returns_to_go(clean(trajectory)))
