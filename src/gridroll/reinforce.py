"""Learn from trajectories alone: the score-function estimate of a gradient, and ascent along it."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from gridroll import planning, validation
from gridroll.collector import Trajectory, rollout
from gridroll.gridworld import Gridworld
from gridroll.policy import Policy
from gridroll.returns import episode_return, returns_to_go


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
        (S,) float32.
    """
    probability = jax.nn.sigmoid(theta[observation])
    return jnp.zeros_like(theta).at[observation].set(action - probability)


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
    """
    log_prob = policy.log_prob(theta, trajectory.observation, trajectory.action)
    weights = jax.lax.stop_gradient(jnp.where(trajectory.active, weights, 0.0))
    return jnp.where(trajectory.active, weights * log_prob, 0.0).sum(axis=0)


@validation.policy_gradient
@partial(jax.jit, static_argnames=("policy",))
def policy_gradient(
    policy: Policy, theta: jax.Array, trajectory: Trajectory, weights: jax.Array
) -> jax.Array:
    """Estimate the gradient of the expected return: a sum over time, a mean over episodes.

    The score-function estimator (Williams, 1992; Sutton and Barto, 2nd edition, section 13.3).
    Add it to theta to earn more.

    Returns:
        float32 of theta's shape.
    """

    def objective(theta: jax.Array) -> jax.Array:
        return surrogate(policy, theta, trajectory, weights).mean()

    return jax.grad(objective)(theta)


def total_weights(trajectory: Trajectory) -> jax.Array:
    """Credit each transition with the return of its whole episode: (T, B) float32, 0 in padding."""
    return jnp.where(trajectory.active, episode_return(trajectory), 0.0)


def to_go_weights(trajectory: Trajectory) -> jax.Array:
    """Credit each transition with what came from it on: (T, B) float32, 0 in padding."""
    return returns_to_go(jnp.where(trajectory.active, trajectory.reward, 0.0))


def baseline(
    world: Gridworld, policy: Policy, theta: jax.Array, trajectory: Trajectory
) -> jax.Array:
    """What could be expected before each action: the exact V[t, s] of theta, (T, B) float32.

    It depends on the time and the cell and not on the action, so subtracting it from weights
    leaves the mean of the estimate as it is. It is constant in theta: no gradient flows through.
    """
    num_steps = trajectory.observation.shape[0]
    value = planning.policy_value(world, policy.probabilities(theta), num_steps)
    value = jax.lax.stop_gradient(value)
    rows = jnp.arange(num_steps, dtype=jnp.int32)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def z_scores(estimates: jax.Array, exact: jax.Array) -> jax.Array:
    """How many standard errors the mean of N estimates lies from the exact value.

    Args:
        estimates: (N, ...) float32, N >= 2, independent of one another.
        exact: (...) float32.

    Returns:
        (...) float32; 0 where the mean is exact, as where nothing varies.
    """
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / jnp.sqrt(estimates.shape[0])
    return jnp.where(difference == 0, 0.0, difference / error)


class History(NamedTuple):
    """What N updates leave behind: row n is of theta before update n."""

    theta: jax.Array  # (N, ...) float32, the parameters
    mean_return: jax.Array  # (N,) float32, of the B episodes that were collected with them
    expected_return: jax.Array  # (N,) float32, exact, of the same parameters


@validation.train
@partial(jax.jit, static_argnames=("policy", "num_updates", "num_envs", "num_steps"))
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
) -> tuple[jax.Array, History]:
    """Collect, estimate, ascend, and again: N updates in one scan."""

    def update(theta: jax.Array, key: jax.Array) -> tuple[jax.Array, History]:
        _, trajectory = rollout(world, policy, theta, key, num_envs=num_envs, num_steps=num_steps)
        gradient = policy_gradient(policy, theta, trajectory, to_go_weights(trajectory))
        exact = planning.expected_return(world, policy.probabilities(theta), num_steps)
        row = History(theta, episode_return(trajectory).mean(), exact)
        return theta + learning_rate * gradient, row

    return jax.lax.scan(update, theta, jax.random.split(key, num_updates))
