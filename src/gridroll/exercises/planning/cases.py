"""Worlds and policies to plan in, and a slow planner in NumPy that the mistakes are made of."""

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gridroll.classroom.exercise import Case
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, integers, random_world, source
from gridroll.gridworld import Gridworld, corridor, from_map

Table = np.ndarray


def policy_table(rng: np.random.Generator, world: Gridworld) -> Any:
    """A policy that differs from cell to cell, in eighths, which a float32 adds exactly."""
    num_cells, num_actions = world.next_position.shape
    weights = np.exp(rng.normal(size=(num_cells, num_actions)))
    rows = [rng.multinomial(8, row / row.sum()) for row in weights]
    return floats(np.array(rows) / 8)


def short_corridor(horizon: int = 8) -> Gridworld:
    """A corridor whose rewards are not those of the lesson, and exact in binary."""
    return corridor(4, horizon, step_reward=-0.125, goal_reward=3.0)


def short_table() -> Any:
    """A policy for the short corridor, which goes left and right in turn unequally often."""
    return floats([[0.25, 0.75], [0.5, 0.5], [0.625, 0.375], [0.5, 0.5]])


def with_starts(world: Gridworld, starts: Sequence[int]) -> Gridworld:
    """The same world with other starts; as many as before keep every program."""
    return dataclasses.replace(world, starts=integers(starts))


def two_goals(horizon: int, step_reward: float = -0.25) -> Gridworld:
    """A map of 3 by 4 cells with walls, two starts and two goals."""
    return from_map("S.#G\n..S.\n#G..", horizon, step_reward=step_reward, goal_reward=2.5)


def policy_cases() -> tuple[Case, ...]:
    """A world, a policy and a number of steps: a horizon below, at and beyond that number."""
    rng = np.random.default_rng(5)
    chosen = (
        (short_corridor(), 3),
        (short_corridor(2), 3),
        (two_goals(9), 5),
        (two_goals(3, step_reward=0.5), 5),
    )
    return tuple(Case((world, policy_table(rng, world), steps)) for world, steps in chosen)


def drawn_case(rng: np.random.Generator) -> Case:
    """A world of 3 by 4 cells, a policy and five steps; the horizon is 2 to 6.

    For a seed other than that of the notebooks, sizes and number of steps are others.
    """
    world = random_world(rng)
    return Case((world, policy_table(rng, world), *_fresh.sizes(rng, 5, least=3)))


NAMES = "action_value|back_up|occupancy|transition_reward"


def from_library(*functions: Callable[..., Any]) -> str:
    """The source of functions of `planning` as a lesson shows it: what they call is the library's.

    So an answer needs none of the student's other answers, and no name that it could replace.
    """
    written = {function.__name__ for function in functions}
    text = source(*functions)

    def named(found: re.Match[str]) -> str:
        return found[0] if found[1] in written else f"planning.{found[0]}"

    return re.sub(rf"(?<![\w.`])({NAMES})\(", named, text)


def rewards(world: Gridworld) -> Table:
    """The reward of each action in each cell, (S, A)."""
    arrives = np.asarray(world.goal)[np.asarray(world.next_position)]
    return np.where(arrives, float(world.goal_reward), float(world.step_reward))


def gains(world: Gridworld, later: Table) -> Table:
    """The reward of each action and the value of where it leads, (S, A); 0 on goals."""
    value = rewards(world) + later[np.asarray(world.next_position)]
    return np.where(np.asarray(world.goal)[:, None], 0.0, value)


def mean_action(probabilities: Any, gain: Table) -> Table:
    """What the policy makes of the actions, (S,)."""
    return (np.asarray(probabilities, float) * gain).sum(axis=1)


def best_action(probabilities: Any, gain: Table) -> Table:
    """The best of the actions, whatever the policy is."""
    return np.asarray(gain).max(axis=1)


def backwards(
    world: Gridworld,
    probabilities: Any,
    num_steps: int,
    *,
    gain: Callable[[Gridworld, Table], Table] = gains,
    choose: Callable[[Any, Table], Table] = mean_action,
    over: Callable[[int, int, int], bool] = lambda t, horizon, num_steps: t >= horizon,
    last: Table | None = None,
) -> Table:
    """The values (T + 1, S) by a Python loop, with parts that a mistake can replace."""
    nothing = np.zeros(world.goal.shape[0])
    rows = [nothing if last is None else last]
    for t in reversed(range(num_steps)):
        value = choose(probabilities, gain(world, rows[0]))
        rows.insert(0, nothing if over(t, int(world.horizon), num_steps) else value)
    return np.array(rows)


def forwards(
    world: Gridworld,
    probabilities: Any,
    num_steps: int,
    *,
    first: Table | None = None,
    move: Callable[[Gridworld, Table, Table], Table] | None = None,
    over: Callable[[int, int], bool] = lambda t, horizon: t >= horizon,
    keeps_goal: bool = False,
) -> Table:
    """The chances (T + 1, S) to be active by a Python loop, with parts that can be replaced."""
    table = np.asarray(probabilities, float)
    starts = np.asarray(world.starts)
    row = np.zeros(world.goal.shape[0])
    np.add.at(row, starts, 1 / len(starts))
    rows = [row if first is None else first]
    for t in range(num_steps):
        row = (move or arrive)(world, table, rows[-1])
        if not keeps_goal:
            row = np.where(np.asarray(world.goal), 0.0, row)
        rows.append(row * (not over(t + 1, int(world.horizon))))
    return np.array(rows)


def arrive(world: Gridworld, table: Table, chance: Table) -> Table:
    """Where the chances of one row are on the next, with whoever ends there."""
    arriving = np.zeros(len(chance))
    np.add.at(arriving, np.asarray(world.next_position), chance[:, None] * table)
    return arriving


def moments(
    world: Any, probabilities: Any, num_steps: int, square: Callable[[Table, Table, Table], Table]
) -> tuple[Table, Table]:
    """The mean and the mean square of what is earned from each cell, with nothing taken yet.

    `square` makes the mean square of each action from its reward and the later two.
    """
    table, there = np.asarray(probabilities, float), np.asarray(world.next_position)
    mean = np.zeros(len(there))
    squared = np.zeros(len(there))
    goes_on = ~np.asarray(world.goal)
    for _ in range(min(num_steps, int(world.horizon))):
        later = mean[there]
        squared = (table * square(rewards(world), later, squared[there])).sum(axis=1) * goes_on
        mean = (table * (rewards(world) + later)).sum(axis=1) * goes_on
    return mean, squared
