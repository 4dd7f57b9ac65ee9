"""Answers to `reinforce.surrogate`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll.collector import Trajectory

stop = jax.lax.stop_gradient


def log_probs(policy: Any, theta: Any, trajectory: Trajectory) -> jax.Array:
    """(T, B), from theta."""
    found: jax.Array = policy.log_prob(theta, trajectory.observation, trajectory.action)
    return found


def right_weights_first(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Cleans the weights alone; a finite log-probability times 0 is 0."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    return (clean * log_probs(policy, theta, trajectory)).sum(axis=0)


def right_einsum(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Multiplies and sums over time in one call."""
    clean = jnp.where(trajectory.active, stop(weights), 0.0)
    return jnp.einsum("tb,tb->b", clean, log_probs(policy, theta, trajectory))


def right_scan(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Carries the sums down the rows."""

    def row(total: jax.Array, now: Any) -> Any:
        record, weight = now
        clean = stop(jnp.where(record.active, weight, 0.0))
        return total + clean * log_probs(policy, theta, record), None

    start = jnp.zeros(weights.shape[1])
    return jax.lax.scan(row, start, (trajectory, weights))[0]


def right_mapped(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Maps a function of one episode over the columns."""

    def of_one(record: Trajectory, weight: Any) -> jax.Array:
        clean = stop(jnp.where(record.active, weight, 0.0))
        return clean @ log_probs(policy, theta, record)

    return jax.vmap(of_one, in_axes=1)(trajectory, weights)


def right_where_argument(
    policy: Any, theta: Any, trajectory: Trajectory, weights: Any
) -> jax.Array:
    """Cleans with nan_to_num first, and lets the sum pick."""
    product = stop(jnp.nan_to_num(weights)) * log_probs(policy, theta, trajectory)
    return jnp.sum(product, axis=0, where=trajectory.active)


def right_all_fields_cleaned(
    policy: Any, theta: Any, trajectory: Trajectory, weights: Any
) -> jax.Array:
    """Replaces the padding of every field, then forgets about masks."""
    kept = jax.tree.map(lambda leaf: jnp.where(trajectory.active, leaf, 0), trajectory)
    clean = jnp.where(trajectory.active, weights, 0)
    return jnp.sum(stop(clean) * log_probs(policy, theta, kept), axis=-2)


def wrong_mean_of_live(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Divides every episode by the live transitions of the batch."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    product = clean * log_probs(policy, theta, trajectory)
    return product.sum(axis=0) / trajectory.active.sum()


def wrong_ratio(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Weights the ratio of new and recorded probabilities, another lesson's objective."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    recorded = jnp.where(trajectory.active, trajectory.log_prob, 0.0)
    return (clean * jnp.exp(log_probs(policy, theta, trajectory) - recorded)).sum(axis=0)


def wrong_rewards(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Takes the rewards for the weights."""
    clean = jnp.where(trajectory.active, trajectory.reward, 0.0)
    return (clean * log_probs(policy, theta, trajectory)).sum(axis=0)


def wrong_sum_times_sum(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Multiplies the sums in place of summing the products."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    log_prob = jnp.where(trajectory.active, log_probs(policy, theta, trajectory), 0.0)
    return clean.sum(axis=0) * log_prob.sum(axis=0)


def wrong_added(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Adds weight and log-probability."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    log_prob = jnp.where(trajectory.active, log_probs(policy, theta, trajectory), 0.0)
    return (clean + log_prob).sum(axis=0)


def wrong_last_row_cut(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Leaves the last row of the record out."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    return (clean * log_probs(policy, theta, trajectory))[:-1].sum(axis=0)


def wrong_positive_only(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Learns from what went well, and from nothing else."""
    clean = stop(jnp.where(trajectory.active, jnp.maximum(weights, 0.0), 0.0))
    return (clean * log_probs(policy, theta, trajectory)).sum(axis=0)


def wrong_opposite_action(
    policy: Any, theta: Any, trajectory: Trajectory, weights: Any
) -> jax.Array:
    """Asks for the log-probability of action 0 throughout."""
    turned = trajectory._replace(action=jnp.zeros_like(trajectory.action))
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    return (clean * log_probs(policy, theta, turned)).sum(axis=0)


def wrong_centred(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Subtracts the mean weight, which nobody asked for."""
    clean = jnp.where(trajectory.active, weights, 0.0)
    centred = jnp.where(trajectory.active, clean - clean.mean(), 0.0)
    return (stop(centred) * log_probs(policy, theta, trajectory)).sum(axis=0)


def wrong_nan_mean(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Skips nan in the sum, and leaves other padding in."""
    return jnp.nansum(stop(weights) * log_probs(policy, theta, trajectory), axis=0)


def wrong_running(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Gives the sums up to every row."""
    clean = stop(jnp.where(trajectory.active, weights, 0.0))
    return jnp.cumsum(clean * log_probs(policy, theta, trajectory), axis=0)


def wrong_boolean_index(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> jax.Array:
    """Picks with the mask as an index, which changes a shape."""
    active = trajectory.active
    return (stop(weights)[active] * log_probs(policy, theta, trajectory)[active]).sum()
