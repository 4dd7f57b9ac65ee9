"""A right planner in plain loops, with parts that an answer can replace."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll.gridworld import Gridworld

Row = jax.Array


def rewards(world: Gridworld) -> jax.Array:
    """What each action earns, (S, A)."""
    return jnp.where(world.goal[world.next_position], world.goal_reward, world.step_reward)


def gains(world: Gridworld, later: Row) -> jax.Array:
    """What each action earns and leads to, (S, A); 0 on goals."""
    value = rewards(world) + later[world.next_position]
    return jnp.where(world.goal[:, None], 0.0, value)


def mean(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
    """A right backup."""
    return (probabilities * gains(world, later)).sum(axis=1)


Backup = Callable[[Gridworld, Any, Row, int], Row]


def values(
    world: Gridworld,
    probabilities: Any,
    num_steps: int,
    backup: Backup = mean,
    last: Row | None = None,
) -> jax.Array:
    """The values (T + 1, S), by a Python loop."""
    rows = [jnp.zeros(world.goal.shape) if last is None else last]
    for t in reversed(range(num_steps)):
        now = backup(world, probabilities, rows[0], t)
        rows.insert(0, jnp.where(t < world.horizon, now, 0.0))
    return jnp.stack(rows)


Move = Callable[[Gridworld, Any, Row, int], Row]


def arrive(world: Gridworld, probabilities: Any, chance: Row, t: int) -> Row:
    """A right move of the chances."""
    arriving = (
        jnp.zeros(world.goal.shape).at[world.next_position].add(chance[:, None] * probabilities)
    )
    return jnp.where(world.goal | (t + 1 >= world.horizon), 0.0, arriving)


def shared_starts(world: Gridworld) -> Row:
    """One episode, shared out over the starts."""
    return jnp.zeros(world.goal.shape).at[world.starts].add(1 / world.starts.shape[0])


def chances(
    world: Gridworld,
    probabilities: Any,
    num_steps: int,
    move: Move = arrive,
    first: Callable[[Gridworld], Row] = shared_starts,
) -> jax.Array:
    """The occupancy (T, S), by a Python loop."""
    rows = [first(world)]
    for t in range(num_steps - 1):
        rows.append(move(world, probabilities, rows[-1], t))
    return jnp.stack(rows)
