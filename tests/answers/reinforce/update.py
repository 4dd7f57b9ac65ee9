"""Answers to `reinforce.update`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll import policy
from gridroll.collector import Trajectory
from gridroll.returns import returns_to_go

log_sigmoid = jax.nn.log_sigmoid


def objective_of(trajectory: Trajectory, log_prob: Any, mask: Any = None) -> Any:
    """The mean over episodes of weighted log-probabilities, as a function of theta."""
    weights = returns_to_go(trajectory.reward)
    picked = trajectory.active if mask is None else mask

    def objective(theta: Any) -> jax.Array:
        of_action = log_prob(theta, trajectory.observation, trajectory.action)
        return jnp.where(picked, weights * of_action, 0.0).sum(axis=0).mean()

    return objective


def right_library_log_prob(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Asks the policy for its log-probability."""
    return theta + learning_rate * jax.grad(objective_of(trajectory, policy.bernoulli.log_prob))(
        theta
    )


def right_no_mask(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Leaves the mask out: the weights of padding are 0, as the docstring promises."""
    weights = returns_to_go(trajectory.reward)

    def objective(theta: Any) -> jax.Array:
        logit = theta[trajectory.observation]
        log_prob = jnp.where(trajectory.action == 1, log_sigmoid(logit), log_sigmoid(-logit))
        return (weights * log_prob).sum() / weights.shape[1]

    return theta + learning_rate * jax.grad(objective)(theta)


def right_scores(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Adds up scores, and differentiates nothing."""
    weights = jnp.where(trajectory.active, returns_to_go(trajectory.reward), 0.0)
    gap = trajectory.action - jax.nn.sigmoid(theta[trajectory.observation])
    total = jnp.zeros_like(theta).at[trajectory.observation].add(weights * gap)
    return theta + learning_rate * total / weights.shape[1]


def right_softplus(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Goes through softplus."""

    def log_prob(theta: Any, observation: Any, action: Any) -> Any:
        return -jax.nn.softplus((1 - 2 * action) * theta[observation])

    return theta + learning_rate * jax.grad(objective_of(trajectory, log_prob))(theta)


def right_loss(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Subtracts the gradient of a loss."""
    objective = objective_of(trajectory, policy.bernoulli.log_prob)
    return theta - learning_rate * jax.grad(lambda t: -objective(t))(theta)


def right_mask_of_earlier_rows(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Finds the mask from the endings of earlier rows."""
    ended = trajectory.terminated | trajectory.truncated
    mask = jnp.cumsum(ended, axis=0) - ended == 0
    objective = objective_of(trajectory, policy.bernoulli.log_prob, mask)
    return theta + learning_rate * jax.grad(objective)(theta)


def wrong_total_return(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Mends both faults, and credits every action with the whole return."""
    total = jnp.broadcast_to(trajectory.reward.sum(axis=0), trajectory.reward.shape)

    def objective(theta: Any) -> jax.Array:
        log_prob = policy.bernoulli.log_prob(theta, trajectory.observation, trajectory.action)
        return jnp.where(trajectory.active, total * log_prob, 0.0).sum(axis=0).mean()

    return theta + learning_rate * jax.grad(objective)(theta)


def wrong_mask_shifted_down(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Moves the old mask down by a row, and loses the first one."""
    ended = trajectory.terminated | trajectory.truncated
    running = trajectory.active & ~ended
    shifted = jnp.concatenate([jnp.zeros_like(running[:1]), running[:-1]])
    objective = objective_of(trajectory, policy.bernoulli.log_prob, shifted)
    return theta + learning_rate * jax.grad(objective)(theta)


def wrong_goal_episodes_only(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Learns from episodes that reached a goal, and from no others."""
    mask = trajectory.active & trajectory.terminated.any(axis=0)
    objective = objective_of(trajectory, policy.bernoulli.log_prob, mask)
    return theta + learning_rate * jax.grad(objective)(theta)


def wrong_ending_rows_only(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Turns the mask round: only the ending counts."""
    mask = trajectory.terminated | trajectory.truncated
    objective = objective_of(trajectory, policy.bernoulli.log_prob, mask)
    return theta + learning_rate * jax.grad(objective)(theta)


def wrong_recorded(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Uses the recorded log-probabilities for nearly certain cells."""

    def log_prob(theta: Any, observation: Any, action: Any) -> Any:
        logit = theta[observation]
        right = jax.nn.sigmoid(jnp.where(jnp.abs(logit) > 15, 0.0, logit))
        safe = jnp.log(jnp.where(action == 1, right, 1 - right))
        return jnp.where(jnp.abs(logit) > 15, trajectory.log_prob, safe)

    return theta + learning_rate * jax.grad(objective_of(trajectory, log_prob))(theta)


def wrong_squashed_logits(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Squashes the logits, so that no probability is ever certain."""

    def log_prob(theta: Any, observation: Any, action: Any) -> Any:
        return policy.bernoulli.log_prob(10 * jnp.tanh(theta / 10), observation, action)

    return theta + learning_rate * jax.grad(objective_of(trajectory, log_prob))(theta)


def wrong_gradient_clipped(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Bounds the gradient, as many programs do."""
    gradient = jax.grad(objective_of(trajectory, policy.bernoulli.log_prob))(theta)
    return theta + learning_rate * jnp.clip(gradient, -1.0, 1.0)


def wrong_rate_forgotten(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Goes the whole way, without a learning rate."""
    return theta + jax.grad(objective_of(trajectory, policy.bernoulli.log_prob))(theta)


def wrong_gradient_alone(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Returns the step and not where it leads."""
    return learning_rate * jax.grad(objective_of(trajectory, policy.bernoulli.log_prob))(theta)


def wrong_swapped(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Swaps the two log-probabilities."""

    def log_prob(theta: Any, observation: Any, action: Any) -> Any:
        return log_sigmoid(jnp.where(action == 0, 1, -1) * theta[observation])

    return theta + learning_rate * jax.grad(objective_of(trajectory, log_prob))(theta)


def wrong_sum(theta: Any, trajectory: Trajectory, learning_rate: Any) -> Any:
    """Adds the episodes up in place of averaging them."""
    gradient = jax.grad(objective_of(trajectory, policy.bernoulli.log_prob))(theta)
    return theta + learning_rate * gradient * trajectory.reward.shape[1]
