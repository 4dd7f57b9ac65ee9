"""Learn from trajectories alone: the score-function estimate of a gradient, and ascent along it."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from gridroll import planning, validation
from gridroll.collector import Trajectory, rollout
from gridroll.gridworld import Gridworld
from gridroll.policy import Policy
from gridroll.returns import episode_return, returns_to_go

NUM_BLOCKS = 20  # how often `train` reports progress, at most


@validation.bernoulli_score
def bernoulli_score(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The gradient of the log-probability of one action, by hand: action - p where it was taken.

    The derivative of log sigmoid(x) is 1 - sigmoid(x), and of log sigmoid(-x) it is -sigmoid(x).
    The logits of all other cells had no part in the action, so their derivatives are 0.

    Args:
        theta: (S,) float32, a logit for each position.
        observation: () int32, the position.
        action: () int32, 0 or 1.

    Returns:
        (S,) float32, each between -1 and 1.

    Raises:
        TypeError, ValueError: an argument of another kind, shape or range.
    """
    probability = jax.nn.sigmoid(theta[observation])
    score = action.astype(jnp.float32) - probability
    return jnp.zeros_like(theta).at[observation].add(score)


@validation.weighted_actions
def surrogate(
    policy: Policy, theta: jax.Array, trajectory: Trajectory, weights: jax.Array
) -> jax.Array:
    """What has the policy gradient as its gradient: each episode's weighted log-probabilities.

    The log-probabilities are computed again from theta, because the recorded ones are numbers
    without a derivative. Its value means nothing; only its gradient is used.

    Args:
        policy: the policy that the actions were drawn from.
        theta: its parameters.
        trajectory: leaves (T, B).
        weights: (T, B) float32, taken as constants. Whatever stands in padding, in the weights or
            the trajectory, NaN included, changes neither the value nor the gradient.

    Returns:
        (B,) float32, a sum over the time of each episode.

    Raises:
        TypeError, ValueError: an argument of another kind or shape, or an active observation or
            action that the policy doesn't have.
    """
    active = trajectory.active
    observation = jnp.where(active, trajectory.observation, 0)
    action = jnp.where(active, trajectory.action, 0)
    log_prob = policy.log_prob(theta, observation, action)
    weights = jax.lax.stop_gradient(jnp.where(active, weights, 0.0))
    return jnp.where(active, weights * log_prob, 0.0).sum(axis=0)


@validation.weighted_actions
@partial(jax.jit, static_argnames=("policy",))
def policy_gradient(
    policy: Policy, theta: jax.Array, trajectory: Trajectory, weights: jax.Array
) -> jax.Array:
    """Estimate the gradient of the expected return: a sum over time, a mean over episodes.

    The score-function estimator (Williams, 1992; Sutton and Barto, 2nd edition, section 13.3).
    Add it to theta to earn more.

    Args:
        policy: the policy that the actions were drawn from.
        theta: its parameters, those that the actions were drawn with.
        trajectory: leaves (T, B); each column is an episode.
        weights: (T, B) float32, what each action is credited with, taken as constants; padding is
            masked here.

    Returns:
        float32 of theta's shape.

    Raises:
        TypeError, ValueError: as `surrogate`.
    """

    def objective(theta: jax.Array) -> jax.Array:
        return surrogate(policy, theta, trajectory, weights).mean()

    return jax.grad(objective)(theta)


@validation.credit
def total_weights(trajectory: Trajectory) -> jax.Array:
    """Credit each transition with the return of its whole episode: (T, B) float32, 0 in padding.

    Raises:
        TypeError, ValueError: not a Trajectory with leaves (T, B).
    """
    return jnp.where(trajectory.active, episode_return(trajectory)[None, :], 0.0)


@validation.credit
def to_go_weights(trajectory: Trajectory) -> jax.Array:
    """Credit each transition with what came from it on: (T, B) float32, 0 in padding.

    Raises:
        TypeError, ValueError: not a Trajectory with leaves (T, B).
    """
    return returns_to_go(jnp.where(trajectory.active, trajectory.reward, 0.0))


@validation.baseline
def baseline(
    world: Gridworld, policy: Policy, theta: jax.Array, trajectory: Trajectory
) -> jax.Array:
    """What could be expected before each action: the exact V[t, s] of theta.

    It depends on the time and the cell and not on the action, so subtracting it from weights
    leaves the mean of the estimate as it is (Sutton and Barto, 2nd edition, section 13.4). It is
    constant in theta: no gradient flows through.

    Args:
        world: the rules.
        policy: the policy that the actions were drawn from.
        theta: its parameters.
        trajectory: leaves (T, B), from the first transition of each episode on.

    Returns:
        (T, B) float32, 0 in padding.

    Raises:
        TypeError, ValueError: an argument of another kind or shape, or an active observation that
            the world doesn't have.
    """
    num_steps = trajectory.observation.shape[0]
    value = planning.policy_value(world, policy.probabilities(theta), num_steps)
    value = jax.lax.stop_gradient(value)
    rows = jnp.arange(num_steps, dtype=jnp.int32)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


@validation.z_scores
def z_scores(estimates: jax.Array, exact: jax.Array) -> jax.Array:
    """How many standard errors the mean of N estimates lies from the exact value.

    Args:
        estimates: (N, ...) float32, N >= 2, independent of one another.
        exact: (...) float32.

    Returns:
        (...) float32; 0 where the mean is exact, infinite where nothing varies and it isn't.

    Raises:
        TypeError, ValueError: fewer than two estimates, or shapes that don't fit.
    """
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / jnp.sqrt(estimates.shape[0])
    return jnp.where(difference == 0, 0.0, difference / error)


class History(NamedTuple):
    """What N updates leave behind: row n is of theta before update n."""

    theta: jax.Array  # (N, ...) float32, the parameters
    mean_return: jax.Array  # (N,) float32, of the B episodes that were collected with them
    expected_return: jax.Array  # (N,) float32, exact, of the same parameters


@partial(jax.jit, static_argnames=("policy", "num_envs", "num_steps", "estimate"))
def ascend(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    keys: jax.Array,
    learning_rate: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
    estimate: Callable[..., jax.Array] = policy_gradient,
) -> tuple[jax.Array, History]:
    """Collect, estimate, take a step uphill, and again: an update for each of N keys, in one scan.

    What `train` does, with arguments that it has checked.
    """

    def update(theta: jax.Array, key: jax.Array) -> tuple[jax.Array, History]:
        _, trajectory = rollout(world, policy, theta, key, num_envs=num_envs, num_steps=num_steps)
        gradient = estimate(policy, theta, trajectory, to_go_weights(trajectory))
        exact = planning.expected_return(world, policy.probabilities(theta), num_steps)
        row = History(theta, episode_return(trajectory).mean(), exact)
        return theta + learning_rate * gradient, row

    return jax.lax.scan(update, theta, keys)


@validation.train
def train(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_updates: int,
    num_envs: int,
    num_steps: int,
    learning_rate: float | jax.Array,
    progress: Callable[[int], None] | None = None,
    estimate: Callable[..., jax.Array] = policy_gradient,
) -> tuple[jax.Array, History]:
    """Train a policy by REINFORCE with returns-to-go, N updates from N batches of B episodes.

    Each update collects new episodes with the theta of that moment (Williams, 1992; Sutton and
    Barto, 2nd edition, section 13.3). The first n updates are the same whatever N is.

    Args:
        world: the rules.
        policy: how actions are drawn.
        theta: the parameters to begin with, of `policy.parameter_shape(world)`.
        key: () typed key; it is used up here.
        num_updates: N, at least 1.
        num_envs: B, the episodes that each update collects, at least 1.
        num_steps: T, at least 1. Episodes are whole when T is at least the world's horizon.
        learning_rate: () what a gradient is multiplied with before it is added to theta; finite,
            at least 0. With 0 nothing is learned: a curve to compare others with.
        progress: called with the number of updates done, 20 times at most, and at the end. The
            results are the same with it and without it.
        estimate: what estimates the gradient, called as `policy_gradient` is; static under jit.

    Returns:
        The last theta, and a History of N rows.

    Raises:
        TypeError, ValueError: an argument of another kind, shape or range, or `progress` under
            jax.jit or jax.vmap.
    """
    keys = jax.random.split(key, num_updates)
    climb = partial(ascend, num_envs=num_envs, num_steps=num_steps, estimate=estimate)
    if progress is None:
        return climb(world, policy, theta, keys, learning_rate)
    length = -(-num_updates // NUM_BLOCKS)  # rounded up; only the last block may be shorter
    blocks = []
    for start in range(0, num_updates, length):
        block = keys[start : start + length]
        theta, rows = climb(world, policy, theta, block, learning_rate)
        blocks.append(jax.block_until_ready(rows))
        progress(start + block.shape[0])
    return theta, jax.tree.map(lambda *rows: jnp.concatenate(rows), *blocks)
