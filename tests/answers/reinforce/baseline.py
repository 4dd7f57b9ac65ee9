"""Answers to `reinforce.baseline`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll import planning
from gridroll.collector import Trajectory

stop = jax.lax.stop_gradient


def table(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> jax.Array:
    """(T + 1, S), constant in theta."""
    num_steps = trajectory.reward.shape[0]
    return stop(planning.policy_value(world, policy.probabilities(theta), num_steps))


def right_take_along(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Picks along the axis of the cells."""
    value = table(world, policy, theta, trajectory)[:-1]
    picked = jnp.take_along_axis(value, trajectory.observation, axis=1)
    return jnp.where(trajectory.active, picked, 0.0)


def right_mapped_rows(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Maps a lookup over the rows."""
    value = table(world, policy, theta, trajectory)[:-1]
    picked = jax.vmap(lambda row, cells: row[cells])(value, trajectory.observation)
    return picked * trajectory.active


def right_theta_stopped(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Holds theta itself constant."""
    num_steps = trajectory.reward.shape[0]
    value = planning.policy_value(world, policy.probabilities(stop(theta)), num_steps)
    rows = jnp.arange(num_steps)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def right_one_hot(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Multiplies with rows of the identity."""
    value = table(world, policy, theta, trajectory)[:-1]
    here = jax.nn.one_hot(trajectory.observation, value.shape[1])
    return jnp.where(trajectory.active, jnp.einsum("tbs,ts->tb", here, value), 0.0)


def right_scan(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Walks down table and record together."""

    def row(carry: None, now: Any) -> Any:
        value, cells, active = now
        return carry, jnp.where(active, value[cells], 0.0)

    value = table(world, policy, theta, trajectory)[:-1]
    return jax.lax.scan(row, None, (value, trajectory.observation, trajectory.active))[1]


def wrong_mean_over_cells(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """One number for each time."""
    value = table(world, policy, theta, trajectory)[:-1].mean(axis=1, keepdims=True)
    return jnp.where(trajectory.active, jnp.broadcast_to(value, trajectory.reward.shape), 0.0)


def wrong_start_value(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """What could be expected at the start of the episode, on every row."""
    value = table(world, policy, theta, trajectory)[0, trajectory.observation[0]]
    return jnp.where(trajectory.active, value, 0.0)


def wrong_batch_mean(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The mean return-to-go of the batch, an estimate."""
    reward = jnp.where(trajectory.active, trajectory.reward, 0.0)
    to_go = jnp.cumsum(reward[::-1], axis=0)[::-1].mean(axis=1, keepdims=True)
    return jnp.where(trajectory.active, stop(to_go), 0.0)


def wrong_one_step_short(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Plans for one transition fewer, so the last row has none."""
    num_steps = trajectory.reward.shape[0]
    value = stop(planning.policy_value(world, policy.probabilities(theta), num_steps - 1))
    rows = jnp.arange(num_steps)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def wrong_previous_row(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The row before, where there is one."""
    value = table(world, policy, theta, trajectory)
    rows = jnp.maximum(jnp.arange(trajectory.reward.shape[0]) - 1, 0)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def wrong_negated(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Minus V, to be added."""
    value = table(world, policy, theta, trajectory)
    rows = jnp.arange(trajectory.reward.shape[0])[:, None]
    return jnp.where(trajectory.active, -value[rows, trajectory.observation], 0.0)


def wrong_subtracted_already(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Returns the weights with V subtracted."""
    value = table(world, policy, theta, trajectory)
    rows = jnp.arange(trajectory.reward.shape[0])[:, None]
    reward = jnp.where(trajectory.active, trajectory.reward, 0.0)
    to_go = jnp.cumsum(reward[::-1], axis=0)[::-1]
    return jnp.where(trajectory.active, to_go - value[rows, trajectory.observation], 0.0)


def wrong_greedy(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The value of always taking theta's likelier action."""
    greedy = jnp.round(policy.probabilities(stop(theta)))
    value = planning.policy_value(world, greedy, trajectory.reward.shape[0])
    rows = jnp.arange(trajectory.reward.shape[0])[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def wrong_axes_swapped(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Looks the cell up as a row and the time as a column."""
    value = table(world, policy, theta, trajectory)
    rows = jnp.arange(trajectory.reward.shape[0])[:, None]
    return jnp.where(trajectory.active, value[trajectory.observation, rows], 0.0)


def wrong_whole_table(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Returns the table."""
    return table(world, policy, theta, trajectory)


def wrong_rows_flat(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Forgets the second axis of the rows, so the two indices don't fit."""
    value = table(world, policy, theta, trajectory)
    return value[jnp.arange(trajectory.reward.shape[0]), trajectory.observation]
