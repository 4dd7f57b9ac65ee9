"""Wrong surrogates and wrong ways to average them."""

from typing import Any

import jax
import jax.numpy as jnp


def _log_prob(policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    log_prob: jax.Array = policy.log_prob(theta, trajectory.observation, trajectory.action)
    return log_prob


def _clean(trajectory: Any, weights: Any) -> jax.Array:
    return jax.lax.stop_gradient(jnp.where(trajectory.active, weights, 0.0))


def right(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """The right sums, for what goes wrong behind them."""
    return (_clean(trajectory, weights) * _log_prob(policy, theta, trajectory)).sum(axis=0)


def multiplies(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """0 * nan."""
    weights = jax.lax.stop_gradient(weights)
    return (trajectory.active * weights * _log_prob(policy, theta, trajectory)).sum(axis=0)


def multiplies_the_weights(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """0 * nan, by way of a mask of numbers."""
    weights = jax.lax.stop_gradient(trajectory.active.astype(jnp.float32) * weights)
    return (weights * _log_prob(policy, theta, trajectory)).sum(axis=0)


def picked_after_the_product(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """The value is clean, and its derivative isn't."""
    product = jax.lax.stop_gradient(weights) * _log_prob(policy, theta, trajectory)
    return jnp.where(trajectory.active, product, 0.0).sum(axis=0)


def unmasked(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """Padding counts."""
    return (jax.lax.stop_gradient(weights) * _log_prob(policy, theta, trajectory)).sum(axis=0)


def after_the_step(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """The ending transition is left out."""
    kept = trajectory.active & ~(trajectory.terminated | trajectory.truncated)
    weights = jax.lax.stop_gradient(jnp.where(kept, weights, 0.0))
    return (weights * _log_prob(policy, theta, trajectory)).sum(axis=0)


def recorded(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """Numbers in place of a function of theta."""
    log_prob = jnp.where(trajectory.active, trajectory.log_prob, 0.0)
    return (_clean(trajectory, weights) * log_prob).sum(axis=0)


def recorded_with_its_padding(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """The recorded numbers, and only the weights cleaned."""
    return (_clean(trajectory, weights) * trajectory.log_prob).sum(axis=0)


def everything_stopped(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """Holds theta as a constant."""
    return right(policy, jax.lax.stop_gradient(theta), trajectory, weights)


def weights_move(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """No stop_gradient."""
    weights = jnp.where(trajectory.active, weights, 0.0)
    return (weights * _log_prob(policy, theta, trajectory)).sum(axis=0)


def mean_over_time(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """Long episodes count less for each action."""
    total = right(policy, theta, trajectory, weights)
    return total / trajectory.active.sum(axis=0)


def mean_over_rows(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """Padding rows are counted below the line."""
    return right(policy, theta, trajectory, weights) / weights.shape[0]


def negated(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """A loss."""
    return -right(policy, theta, trajectory, weights)


def unweighted(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """All actions alike."""
    return right(policy, theta, trajectory, jnp.ones_like(weights))


def of_probabilities(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """No logarithm."""
    probability = jnp.exp(_log_prob(policy, theta, trajectory))
    return (_clean(trajectory, weights) * probability).sum(axis=0)


def over_environments(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """One sum for each row."""
    product = _clean(trajectory, weights) * _log_prob(policy, theta, trajectory)
    return product.sum(axis=1)


def summed_up(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """One number."""
    return right(policy, theta, trajectory, weights).sum()


def averaged(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """One number, a mean."""
    return right(policy, theta, trajectory, weights).mean()


def nothing(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    """The same for every input."""
    return jnp.zeros(weights.shape[1:], jnp.float32)
