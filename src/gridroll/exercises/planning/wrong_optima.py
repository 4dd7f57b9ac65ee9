"""Wrong optimal values and actions, one for each mistake."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gridroll.exercises.planning.cases import Table, gains, rewards

Optimum = tuple[Any, Any]


def first(values: Table) -> Table:
    """The first of the best actions."""
    return np.asarray(values.argmax(axis=1))


def planned(
    world: Any,
    num_steps: int,
    *,
    gain: Callable[[Any, Table], Table] = gains,
    value_of: Callable[[Table], Table] = lambda values: values.max(axis=1),
    action_of: Callable[[Table], Table] = first,
    over: Callable[[int, int], bool] = lambda t, horizon: t >= horizon,
    acts_on: bool = False,
) -> Optimum:
    """Values (T + 1, S) and actions (T, S) by a Python loop, with parts that can be replaced."""
    value = [np.zeros(world.goal.shape[0])]
    action: list[Table] = []
    for t in reversed(range(num_steps)):
        values = gain(world, value[0])
        known = values * (not over(t, int(world.horizon)))
        value.insert(0, value_of(known))
        action.insert(0, action_of(values if acts_on else known))
    return np.array(value), np.array(action, np.int32)


def averages_actions(world: Any, num_steps: int) -> Optimum:
    """The value of the uniform policy."""
    return planned(world, num_steps, value_of=lambda values: values.mean(axis=1))


def last_tie(world: Any, num_steps: int) -> Optimum:
    """The last of the best actions."""

    def last(values: Table) -> Table:
        return values.shape[1] - 1 - np.asarray(values[:, ::-1].argmax(axis=1))

    return planned(world, num_steps, action_of=last)


def worst(world: Any, num_steps: int) -> Optimum:
    """The smallest value."""
    return planned(
        world,
        num_steps,
        value_of=lambda values: values.min(axis=1),
        action_of=lambda values: values.argmin(axis=1),
    )


def one_plan(world: Any, num_steps: int) -> Optimum:
    """The actions of row 0 in every row."""
    value, action = planned(world, num_steps)
    return value, np.tile(action[0], (num_steps, 1))


def greedy_actions(world: Any, num_steps: int) -> Optimum:
    """Right values, and the action whose own reward is largest."""
    value, _ = planned(world, num_steps)
    own = np.where(np.asarray(world.goal)[:, None], 0.0, rewards(world)).argmax(axis=1)
    over = np.arange(num_steps)[:, None] >= int(world.horizon)
    return value, np.where(over, 0, own).astype(np.int32)


def shortsighted(world: Any, num_steps: int) -> Optimum:
    """The largest reward of the next transition."""
    return planned(world, num_steps, gain=lambda world, later: gains(world, 0 * later))


def goal_keeps(world: Any, num_steps: int) -> Optimum:
    """A goal pays once for each step that is left."""

    def gain(world: Any, later: Table) -> Table:
        return np.asarray(rewards(world) + later[np.asarray(world.next_position)])

    return planned(world, num_steps, gain=gain)


def no_goal_reward(world: Any, num_steps: int) -> Optimum:
    """Reaching a goal earns the step reward."""

    def gain(world: Any, later: Table) -> Table:
        value = float(world.step_reward) + later[np.asarray(world.next_position)]
        return np.where(np.asarray(world.goal)[:, None], 0.0, value)

    return planned(world, num_steps, gain=gain)


def no_horizon(world: Any, num_steps: int) -> Optimum:
    """Values and actions beyond the horizon."""
    return planned(world, num_steps, over=lambda t, horizon: False)


def acts_beyond(world: Any, num_steps: int) -> Optimum:
    """Right values, and actions beyond the horizon that look ahead all the same."""
    return planned(world, num_steps, acts_on=True)


def time_reversed(world: Any, num_steps: int) -> Optimum:
    """Row 0 is the end."""
    value, action = planned(world, num_steps)
    return value[::-1], action[::-1]


def actions_reversed(world: Any, num_steps: int) -> Optimum:
    """Right values, and the actions by steps left."""
    value, action = planned(world, num_steps)
    return value, action[::-1]


def of_the_next_row(world: Any, num_steps: int) -> Optimum:
    """Right values, and each row's actions one row late."""
    value, action = planned(world, num_steps)
    return value, np.concatenate([action[1:], 0 * action[:1]])


def action_row_more(world: Any, num_steps: int) -> Optimum:
    """The actions have a row T."""
    value, action = planned(world, num_steps)
    return value, np.concatenate([action, 0 * action[:1]])


def value_row_less(world: Any, num_steps: int) -> Optimum:
    """The values have no row T."""
    value, action = planned(world, num_steps)
    return value[:-1], action


def best_cell(world: Any, num_steps: int) -> Optimum:
    """Right values, and the largest over the cells in place of the actions."""
    value, action = planned(world, num_steps)
    cells = [gains(world, later).argmax(axis=0)[:1] for later in value[1:]]
    return value, np.broadcast_to(np.array(cells), action.shape).astype(np.int32)


def best_reward(world: Any, num_steps: int) -> Optimum:
    """The actions are given by what they earn in all."""
    value, _ = planned(world, num_steps)
    return value, value[:-1]


def zeros(world: Any, num_steps: int) -> Optimum:
    """The same for every input."""
    size = world.goal.shape[0]
    return np.zeros((num_steps + 1, size)), np.zeros((num_steps, size), np.int32)
