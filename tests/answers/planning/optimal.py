"""Answers to `planning.optimal`."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import Row, gains, rewards
from gridroll import planning
from gridroll.gridworld import Gridworld

Optimum = tuple[Any, Any]


def planned(
    world: Gridworld,
    num_steps: int,
    gain: Callable[[Gridworld, Row], jax.Array] = gains,
    value_of: Callable[[jax.Array], Row] = lambda table: table.max(axis=1),
    action_of: Callable[[jax.Array], Row] = lambda table: jnp.argmax(table, axis=1),
) -> Optimum:
    """The optimum by a Python loop, with parts that an answer can replace."""
    value: list[Row] = [jnp.zeros(world.goal.shape)]
    action: list[Row] = []
    for t in reversed(range(num_steps)):
        table = jnp.where(t < world.horizon, gain(world, value[0]), 0.0)
        value.insert(0, value_of(table))
        action.insert(0, action_of(table).astype(jnp.int32))
    return jnp.stack(value), jnp.stack(action)


def right_loop(world: Gridworld, num_steps: int) -> Optimum:
    """Loops in Python and stacks the rows."""
    return planned(world, num_steps)


def right_one_hot(world: Gridworld, num_steps: int) -> Optimum:
    """Looks for the first action that equals the largest value."""

    def first(table: jax.Array) -> Row:
        attains = table == table.max(axis=1, keepdims=True)
        return (jnp.cumsum(attains, axis=1) == 0).sum(axis=1)

    return planned(world, num_steps, action_of=first)


def right_actions_afterwards(world: Gridworld, num_steps: int) -> Optimum:
    """Makes the values first, and the actions from them for all rows at once."""

    def go_back(later: Row, t: jax.Array) -> tuple[Row, Row]:
        now = jnp.where(t < world.horizon, planning.action_value(world, later).max(axis=1), 0.0)
        return now, now

    nothing, steps = jnp.zeros(world.goal.shape), jnp.arange(num_steps)
    _, rows = jax.lax.scan(go_back, nothing, steps, reverse=True)
    value = jnp.concatenate([rows, nothing[None]])
    table = jax.vmap(planning.action_value, in_axes=(None, 0))(world, value[1:])
    table = jnp.where(steps[:, None, None] < world.horizon, table, 0.0)
    return value, jnp.argmax(table, axis=2)


def right_action_by_action(world: Gridworld, num_steps: int) -> Optimum:
    """Compares the actions one after the other and changes only for a larger value."""

    def best(table: jax.Array) -> tuple[Row, Row]:
        value, action = table[:, 0], jnp.zeros(table.shape[0], jnp.int32)
        for other in range(1, table.shape[1]):
            better = table[:, other] > value
            value = jnp.where(better, table[:, other], value)
            action = jnp.where(better, other, action)
        return value, action

    return planned(world, num_steps, value_of=lambda t: best(t)[0], action_of=lambda t: best(t)[1])


def right_list(world: Gridworld, num_steps: int) -> list[Any]:
    """Returns a list, and looks for the smallest cost in place of the largest value."""
    return list(
        planned(
            world,
            num_steps,
            value_of=lambda table: -(-table).min(axis=1),
            action_of=lambda table: jnp.argmin(-table, axis=1),
        )
    )


def wrong_discounted(world: Gridworld, num_steps: int) -> Optimum:
    """Discounts with 0.9."""
    return planned(world, num_steps, lambda world, later: gains(world, 0.9 * later))


def wrong_soft(world: Gridworld, num_steps: int) -> Optimum:
    """Takes a soft maximum."""
    return planned(world, num_steps, value_of=lambda table: jax.nn.logsumexp(table, axis=1))


def wrong_second_best(world: Gridworld, num_steps: int) -> Optimum:
    """Names the second best action."""
    return planned(world, num_steps, action_of=lambda table: jnp.argsort(-table, axis=1)[:, 1])


def wrong_where_it_leads(world: Gridworld, num_steps: int) -> Optimum:
    """Names the cell that the best action leads to."""
    value, action = planned(world, num_steps)
    cell = jnp.arange(world.goal.shape[0])
    return value, world.next_position[cell, action]


def wrong_by_later_value_alone(world: Gridworld, num_steps: int) -> Optimum:
    """Chooses by the value of the next cell and forgets the reward."""
    value, _ = planned(world, num_steps)
    over = jnp.arange(num_steps)[:, None] >= world.horizon
    action = jnp.argmax(value[1:][:, world.next_position], axis=2)
    return value, jnp.where(over | world.goal, 0, action)


def wrong_last_row_acts(world: Gridworld, num_steps: int) -> Optimum:
    """Gives every row the actions of the last."""
    value, action = planned(world, num_steps)
    return value, jnp.broadcast_to(action[-1], action.shape)


def wrong_stays_on_ties(world: Gridworld, num_steps: int) -> Optimum:
    """Marks a tie with -1."""

    def unless_tied(table: jax.Array) -> Row:
        tied = (table == table.max(axis=1, keepdims=True)).sum(axis=1) > 1
        return jnp.where(tied, -1, jnp.argmax(table, axis=1))

    return planned(world, num_steps, action_of=unless_tied)


def wrong_mean_of_two(world: Gridworld, num_steps: int) -> Optimum:
    """Averages the best and the worst action."""
    return planned(
        world, num_steps, value_of=lambda table: (table.max(axis=1) + table.min(axis=1)) / 2
    )


def wrong_every_step_costs(world: Gridworld, num_steps: int) -> Optimum:
    """Pays the step reward on the way to a goal too."""

    def gain(world: Gridworld, later: Row) -> jax.Array:
        extra = jnp.where(world.goal[world.next_position], world.step_reward, 0.0)
        return jnp.where(world.goal[:, None], 0.0, gains(world, later) + extra)

    return planned(world, num_steps, gain)


def wrong_never_negative(world: Gridworld, num_steps: int) -> Optimum:
    """Cuts values off at 0, as if one could stop."""
    return planned(world, num_steps, value_of=lambda table: jnp.maximum(table.max(axis=1), 0.0))


def wrong_goal_is_the_aim(world: Gridworld, num_steps: int) -> Optimum:
    """Walks to a goal whatever it pays."""

    def gain(world: Gridworld, later: Row) -> jax.Array:
        arrives = world.goal[world.next_position]
        return jnp.where(arrives & ~world.goal[:, None], 100.0, gains(world, later))

    value, _ = planned(world, num_steps)
    return value, planned(world, num_steps, gain)[1]


def wrong_values_alone(world: Gridworld, num_steps: int) -> Any:
    """Forgets the actions."""
    return planned(world, num_steps)[0]


def wrong_exchanged(world: Gridworld, num_steps: int) -> Optimum:
    """Returns the actions first."""
    value, action = planned(world, num_steps)
    return action, value


def wrong_choice_in_python(world: Gridworld, num_steps: int) -> Optimum:
    """Takes the larger of two arrays with Python's max."""

    def larger(table: Any) -> Row:
        return max(table[:, 0], table[:, 1])

    return planned(world, num_steps, value_of=larger)


def wrong_reward_only_at_the_end(world: Gridworld, num_steps: int) -> Optimum:
    """Counts the reward of the last transition alone."""

    def gain(world: Gridworld, later: Row) -> jax.Array:
        first = jnp.where(jnp.all(later == 0), rewards(world), 0.0)
        return jnp.where(world.goal[:, None], 0.0, first + later[world.next_position])

    return planned(world, num_steps, gain)
