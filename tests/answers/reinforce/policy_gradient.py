"""Answers to `reinforce.policy_gradient`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll.collector import Trajectory

stop = jax.lax.stop_gradient


def sums(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """The weighted log-probabilities of each episode, (B,)."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    log_prob = policy.log_prob(theta, trajectory.observation, trajectory.action)
    total: jax.Array = (clean * log_prob).sum(axis=0)
    return total


def right_all_at_once(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """One sum over everything, divided by the number of columns."""

    def objective(parameters: Any) -> jax.Array:
        return sums(policy, parameters, trajectory, weights).sum() / weights.shape[1]

    return jax.grad(objective)(theta)


def right_value_and_grad(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Takes the value too, and throws it away."""

    def objective(policy: Any, theta: Any) -> jax.Array:
        return sums(policy, theta, trajectory, weights).mean()

    return jax.value_and_grad(objective, argnums=1)(policy, theta)[1]


def right_jacobian(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """The gradient of each episode, then their mean."""
    each = jax.jacrev(lambda t: sums(policy, t, trajectory, weights))(theta)
    return each.mean(axis=0)


def right_forward_mode(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Differentiates forwards."""
    return jax.jacfwd(lambda t: sums(policy, t, trajectory, weights).mean())(theta)


def right_scores(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Weights the score of every single transition."""

    def score(observation: Any, action: Any) -> Any:
        return jax.grad(policy.log_prob)(theta, observation, action)

    each = jax.vmap(jax.vmap(score))(trajectory.observation, trajectory.action)
    clean = jnp.where(trajectory.active, weights, 0.0)
    return jnp.tensordot(clean, each, axes=2) / weights.shape[1]


def right_loss_negated_twice(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Minus the gradient of a loss."""
    return -jax.grad(lambda t: -sums(policy, t, trajectory, weights).mean())(theta)


def wrong_by_mean_length(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Divides by the longest episode of the batch."""
    longest = trajectory.active.sum(axis=0).max()
    return jax.grad(lambda t: sums(policy, t, trajectory, weights).mean() / longest)(theta)


def wrong_one_fewer(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Divides by B - 1, as a sample deviation does."""

    def objective(t: Any) -> jax.Array:
        return sums(policy, t, trajectory, weights).sum() / (weights.shape[1] - 1)

    return jax.grad(objective)(theta)


def wrong_finished_only(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Takes the mean over episodes that reached a goal."""
    reached = trajectory.terminated.any(axis=0)

    def objective(t: Any) -> jax.Array:
        total = jnp.where(reached, sums(policy, t, trajectory, weights), 0.0).sum()
        return total / jnp.maximum(reached.sum(), 1)

    return jax.grad(objective)(theta)


def wrong_unit_length(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Normalises the gradient to length 1."""
    gradient = jax.grad(lambda t: sums(policy, t, trajectory, weights).mean())(theta)
    return gradient / jnp.linalg.norm(gradient)


def wrong_step_taken(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Returns the theta after a step."""
    return theta + jax.grad(lambda t: sums(policy, t, trajectory, weights).mean())(theta)


def wrong_by_weights(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Divides by the sum of the weights' sizes."""
    size = jnp.where(trajectory.active, jnp.abs(weights), 0.0).sum()
    return jax.grad(lambda t: sums(policy, t, trajectory, weights).sum() / size)(theta)


def wrong_median(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Takes the median of the episodes."""
    return jax.grad(lambda t: jnp.median(sums(policy, t, trajectory, weights)))(theta)


def wrong_per_cell(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Divides each logit's derivative by how often its cell was visited."""
    gradient = jax.grad(lambda t: sums(policy, t, trajectory, weights).sum())(theta)
    visits = jnp.zeros(len(theta)).at[trajectory.observation].add(trajectory.active)
    return gradient / jnp.maximum(visits, 1)


def wrong_two_results(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Returns the value beside the gradient."""
    return jax.value_and_grad(lambda t: sums(policy, t, trajectory, weights).mean())(theta)


def wrong_each_episode(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Forgets to average: a gradient for each episode."""
    return jax.jacrev(lambda t: sums(policy, t, trajectory, weights))(theta)


def wrong_grad_of_vector(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Asks for the gradient of B numbers, which jax.grad refuses."""
    return jax.grad(lambda t: sums(policy, t, trajectory, weights))(theta)
