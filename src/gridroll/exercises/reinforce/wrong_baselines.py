"""Other entries of the table, other tables, and lookups that don't fit: wrong baselines."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll import planning

Pick = Callable[[jax.Array, Any, jax.Array], jax.Array]  # value, trajectory, rows -> (T, B)


def _value(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    num_steps = trajectory.observation.shape[0]
    return planning.policy_value(
        world, policy.probabilities(jax.lax.stop_gradient(theta)), num_steps
    )


def picks(pick: Pick) -> Callable[..., jax.Array]:
    """Other entries of the right table."""

    def baseline(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
        value = _value(world, policy, theta, trajectory)
        rows = jnp.arange(len(trajectory.reward))[:, None]
        return jnp.where(trajectory.active, pick(value, trajectory, rows), 0.0)

    return baseline


def before(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    """Right: the cell before the step, in its row."""
    return value[rows, trajectory.observation]


def next_row(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    """The next cell, a row later."""
    later = jnp.roll(trajectory.observation, -1, axis=0)
    return value[rows + 1, later]


def same_row_next_cell(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    """The next cell, in this row."""
    return value[rows, jnp.roll(trajectory.observation, -1, axis=0)]


def next_cell(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The value of where the action leads."""
    value = _value(world, policy, theta, trajectory)
    rows = jnp.arange(len(trajectory.reward))[:, None]
    leads = world.next_position[trajectory.observation, trajectory.action]
    return jnp.where(trajectory.active, value[rows + 1, leads], 0.0)


def of_the_action(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """Q[t, s, a]."""
    reward = planning.transition_reward(world)[trajectory.observation, trajectory.action]
    of_action = reward + next_cell(world, policy, theta, trajectory)
    return jnp.where(trajectory.active, of_action, 0.0)


def differentiable(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """Moves with theta."""
    num_steps = trajectory.observation.shape[0]
    value = planning.policy_value(world, policy.probabilities(theta), num_steps)
    rows = jnp.arange(num_steps)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def uniform(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The value of theta = 0."""
    return picks(before)(world, policy, jnp.zeros_like(theta), trajectory)


def best(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The optimal value."""
    value, _ = planning.optimal(world, len(trajectory.reward))
    rows = jnp.arange(len(trajectory.reward))[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def in_padding_too(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """Looked up everywhere."""
    value = _value(world, policy, theta, trajectory)
    return value[jnp.arange(len(trajectory.reward))[:, None], trajectory.observation]


def nothing(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The same for every input."""
    return jnp.zeros_like(trajectory.reward)


def by_horizon(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """As many rows as the world allows, which under jit is no number."""
    value = planning.policy_value(world, policy.probabilities(theta), world.horizon)
    return value[: len(trajectory.reward)]


def flat_rows(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """Rows (T,) beside cells (T, B)."""
    value = _value(world, policy, theta, trajectory)
    return value[jnp.arange(len(trajectory.reward)), trajectory.observation]


def cell_as_row(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """A whole row of the table for each transition: (T, B, S)."""
    return _value(world, policy, theta, trajectory)[trajectory.observation]


def cell_as_row_masked(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The same, which no mask (T, B) fits."""
    return jnp.where(trajectory.active, cell_as_row(world, policy, theta, trajectory), 0.0)


def every_row(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The values of all times for each transition: (T + 1, T, B)."""
    value = _value(world, policy, theta, trajectory)
    return jnp.where(trajectory.active, value[:, trajectory.observation], 0.0)


def every_row_unmasked(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The same, without a mask."""
    return _value(world, policy, theta, trajectory)[:, trajectory.observation]


def every_row_but_the_last(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The same, of the first T rows."""
    return every_row(world, policy, theta, trajectory)[:-1]
