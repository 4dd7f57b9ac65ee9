"""Answers to `collector.episode_return`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll.collector import Trajectory


def right_einsum(trajectory: Trajectory) -> jax.Array:
    """Multiplies by the mask and sums over time in one call."""
    return jnp.einsum("tb,tb->b", trajectory.reward, trajectory.active.astype(jnp.float32))


def right_scan(trajectory: Trajectory) -> jax.Array:
    """Carries the sums down the rows and emits nothing."""
    start = jnp.zeros(trajectory.reward.shape[1])
    return jax.lax.scan(lambda total, row: (total + row, None), start, trajectory.reward)[0]


def right_python_sum(trajectory: Trajectory) -> Any:
    """Python's sum over the rows."""
    return sum(trajectory.reward)


def right_record_mapped(trajectory: Trajectory) -> jax.Array:
    """Maps a function of one environment over the columns of the whole record."""

    def of_one(record: Trajectory) -> jax.Array:
        return jnp.sum(record.reward, where=record.active)

    return jax.vmap(of_one, in_axes=1)(trajectory)


def right_unpacked(trajectory: Trajectory) -> jax.Array:
    """Takes the record apart by the order of its fields, and counts the axis from the end."""
    _, _, reward, *_ = trajectory
    return reward.sum(axis=-2)


def right_last_of_cumsum(trajectory: Trajectory) -> jax.Array:
    """The last row of the running sums."""
    return jnp.cumsum(trajectory.reward, axis=0)[-1]


def wrong_cut_off_row_left_out(trajectory: Trajectory) -> jax.Array:
    """Drops the reward of the transition that is cut off."""
    return jnp.where(trajectory.truncated, 0.0, trajectory.reward).sum(axis=0)


def wrong_cut_off_earns_nothing(trajectory: Trajectory) -> jax.Array:
    """Gives 0 to an episode that was cut off."""
    return jnp.where(trajectory.truncated.any(axis=0), 0.0, trajectory.reward.sum(axis=0))


def wrong_goals_only(trajectory: Trajectory) -> jax.Array:
    """Counts episodes that reached a goal, and no others."""
    return jnp.where(trajectory.terminated.any(axis=0), trajectory.reward.sum(axis=0), 0.0)


def wrong_goal_reward_only(trajectory: Trajectory) -> jax.Array:
    """Counts the reward of the ending and not the way there."""
    return jnp.where(trajectory.terminated, trajectory.reward, 0.0).sum(axis=0)


def wrong_five_rows(trajectory: Trajectory) -> jax.Array:
    """Adds the first five rows."""
    return trajectory.reward[:5].sum(axis=0)


def wrong_first_row_left_out(trajectory: Trajectory) -> jax.Array:
    """Begins with the second transition."""
    return trajectory.reward[1:].sum(axis=0)


def wrong_discounted(trajectory: Trajectory) -> jax.Array:
    """Discounts, which nobody asked for."""
    discount = 0.99 ** jnp.arange(trajectory.reward.shape[0])
    return discount @ trajectory.reward


def wrong_by_likelihood(trajectory: Trajectory) -> jax.Array:
    """Drops rewards whose action was certain, by way of log_prob."""
    return jnp.where(trajectory.log_prob != 0, trajectory.reward, 0.0).sum(axis=0)


def wrong_batch_mean(trajectory: Trajectory) -> jax.Array:
    """Gives every environment the mean of the batch."""
    returns = trajectory.reward.sum(axis=0)
    return jnp.full_like(returns, returns.mean())


def wrong_absolute(trajectory: Trajectory) -> jax.Array:
    """Adds costs as if they were gains."""
    return jnp.abs(trajectory.reward).sum(axis=0)


def wrong_reshaped(trajectory: Trajectory) -> jax.Array:
    """Means to transpose and reshapes, which mixes the environments."""
    num_steps, num_envs = trajectory.reward.shape
    return trajectory.reward.reshape(num_envs, num_steps).sum(axis=1)


def wrong_running(trajectory: Trajectory) -> jax.Array:
    """Gives the sums up to every row."""
    return jnp.cumsum(trajectory.reward, axis=0)


def wrong_lengths(trajectory: Trajectory) -> jax.Array:
    """Counts the transitions instead of adding their rewards."""
    return trajectory.active.sum(axis=0)


def wrong_axis_kept(trajectory: Trajectory) -> jax.Array:
    """Keeps the summed axis."""
    return trajectory.reward.sum(axis=0, keepdims=True)


def wrong_field(trajectory: Any) -> jax.Array:
    """Reads a field that the record doesn't have."""
    return trajectory.rewards.sum(axis=0)
