"""Answers to `planning.occupancy`."""

from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import Row, arrive, chances, shared_starts
from gridroll.gridworld import Gridworld


def right_loop(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Loops in Python and stacks the rows."""
    return chances(world, probabilities, num_steps)


def right_by_matrix(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Multiplies from the left by the matrix of where a step leads."""
    leads = jax.nn.one_hot(world.next_position, world.goal.shape[0])
    matrix = jnp.einsum("sa,sab->sb", probabilities, leads) * ~world.goal

    def move(chance: Row, t: jax.Array) -> tuple[Row, Row]:
        return chance @ matrix * (t + 1 < world.horizon), chance

    return jax.lax.scan(move, shared_starts(world), jnp.arange(num_steps))[1]


def right_segment_sum(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds up what arrives with jax.ops.segment_sum."""
    size = world.goal.shape[0]

    def move(chance: Row, t: jax.Array) -> tuple[Row, Row]:
        going = (chance[:, None] * probabilities).ravel()
        arriving = jax.ops.segment_sum(going, world.next_position.ravel(), num_segments=size)
        over = jnp.logical_or(world.goal, t >= world.horizon - 1)
        return jnp.where(over, 0, arriving), chance

    return jax.lax.scan(move, shared_starts(world), jnp.arange(num_steps))[1]


def right_one_action_at_a_time(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Hands the chances on along one action after the other."""

    def move(world: Gridworld, probabilities: Any, chance: Row, t: int) -> Row:
        arriving = jnp.zeros_like(chance)
        for action in range(probabilities.shape[1]):
            there = world.next_position[:, action]
            arriving = arriving.at[there].add(chance * probabilities[:, action])
        return jnp.where(world.goal | (t + 1 >= world.horizon), 0.0, arriving)

    return chances(world, probabilities, num_steps, move)


def right_masked_at_the_end(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Lets everybody walk on beyond the horizon, and sets those rows to 0 at the end."""

    def move(chance: Row, t: jax.Array) -> tuple[Row, Row]:
        going = chance[:, None] * probabilities
        arriving = jnp.zeros_like(chance).at[world.next_position].add(going)
        return jnp.where(world.goal, 0.0, arriving), chance

    _, rows = jax.lax.scan(move, shared_starts(world), jnp.arange(num_steps))
    return jnp.where(jnp.arange(num_steps)[:, None] < world.horizon, rows, 0.0)


def wrong_starts_set(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Sets the starts and adds nothing, so that a repeated start counts once."""

    def first(world: Gridworld) -> Row:
        return jnp.zeros(world.goal.shape).at[world.starts].set(1 / world.starts.shape[0])

    return chances(world, probabilities, num_steps, first=first)


def wrong_goal_left_by_walking(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Sends whoever reached a goal back to the first start."""

    def move(world: Gridworld, probabilities: Any, chance: Row, t: int) -> Row:
        lost = chance.sum() - arrive(world, probabilities, chance, t).sum()
        return arrive(world, probabilities, chance, t).at[world.starts[0]].add(lost)

    return chances(world, probabilities, num_steps, move)


def wrong_columns_exchanged(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Reads the columns of the policy from the right."""
    return chances(world, probabilities[:, ::-1], num_steps)


def wrong_policy_of_next_cell(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Weights with the policy of the cell that is reached."""
    weights = probabilities[world.next_position, jnp.arange(probabilities.shape[1])]
    return chances(world, weights, num_steps)


def wrong_likeliest(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Follows the likeliest action alone."""
    chosen = jax.nn.one_hot(jnp.argmax(probabilities, axis=1), probabilities.shape[1])
    return chances(world, chosen, num_steps)


def wrong_starts_weighted(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Makes the second start twice as likely as the first."""

    def first(world: Gridworld) -> Row:
        count = world.starts.shape[0]
        weights = (jnp.arange(count) + 1.0) / (count * (count + 1) / 2)
        return jnp.zeros(world.goal.shape).at[world.starts].add(weights)

    return chances(world, probabilities, num_steps, first=first)


def wrong_row_0_masked_late(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Removes who stands on a goal only one row later."""

    def move(world: Gridworld, probabilities: Any, chance: Row, t: int) -> Row:
        going = jnp.where(world.goal, 0.0, chance)[:, None] * probabilities
        arriving = jnp.zeros_like(chance).at[world.next_position].add(going)
        return jnp.where(t + 1 >= world.horizon, 0.0, arriving)

    return chances(world, probabilities, num_steps, move)


def wrong_half_lost(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Loses who bumps: an action that stays in place is taken for an end."""

    def move(world: Gridworld, probabilities: Any, chance: Row, t: int) -> Row:
        cell = jnp.arange(chance.shape[0])[:, None]
        moved = jnp.where(world.next_position == cell, 0.0, probabilities)
        return arrive(world, moved, chance, t)

    return chances(world, probabilities, num_steps, move)


def wrong_matrix_transposed(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Multiplies by the matrix from the wrong side, with the goals taken out of its rows."""
    leads = jax.nn.one_hot(world.next_position, world.goal.shape[0])
    matrix = jnp.einsum("sa,sab->sb", probabilities, leads) * ~world.goal[:, None]

    def move(chance: Row, t: jax.Array) -> tuple[Row, Row]:
        return matrix @ chance * (t + 1 < world.horizon), chance

    return jax.lax.scan(move, shared_starts(world), jnp.arange(num_steps))[1]


def wrong_squared(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Weights with the squares of the probabilities."""
    return chances(world, probabilities**2, num_steps)


def wrong_transposed(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Puts the cells first."""
    return chances(world, probabilities, num_steps).T


def wrong_changed_in_place(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds into an array as NumPy would."""
    first: Any = jnp.zeros(world.goal.shape)
    first[world.starts] += 1 / len(world.starts)
    return first


def wrong_counts(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Counts sixty-four environments in place of one."""
    return 64 * chances(world, probabilities, num_steps)
