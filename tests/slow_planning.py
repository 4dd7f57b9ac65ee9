"""Exact answers in fractions: a recursion over the slow world, and every action sequence of it.

Both walk the characters of a map through `oracles.slow_step`. Only `made` knows gridroll, to make
the same world there.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from oracles import Row, SlowState, SlowWorld, slow_corridor, slow_step

from gridroll import gridworld

Numbers = Sequence[Any]  # of fractions, or of floats where a test says so
Table = Sequence[Numbers]


def exact_map(text: str, horizon: int, step_reward: Any, goal_reward: Any = 1) -> SlowWorld:
    """Return a map whose rewards are whatever numbers are given, fractions for instance."""
    return SlowWorld(text, horizon, step_reward, goal_reward)


def exact_corridor(horizon: int = 8) -> SlowWorld:
    """Return the corridor of the lessons with its rewards as fractions."""
    rewards: tuple[Any, Any] = (Fraction(-1, 100), Fraction(1))
    return slow_corridor(4, horizon, *rewards)


def num_cells(world: SlowWorld) -> int:
    return len(world.text.replace("\n", ""))


def made(world: SlowWorld) -> Any:
    """Return the library's world for a slow one."""
    if len(world.moves) == 2:
        return gridworld.corridor(horizon=world.horizon)
    rewards = {"step_reward": float(world.step_reward), "goal_reward": float(world.goal_reward)}
    return gridworld.from_map(world.text, world.horizon, **rewards)


def uniform(world: SlowWorld) -> Table:
    """Return the table of the uniform policy, rows of fractions."""
    num_actions = len(world.moves)
    return [[Fraction(1, num_actions)] * num_actions for _ in range(num_cells(world))]


def uneven(world: SlowWorld) -> Table:
    """Return a policy that differs from cell to cell and from action to action."""
    weights = [
        [1 + (3 * s + 5 * a + s * a) % 7 for a in range(len(world.moves))]
        for s in range(num_cells(world))
    ]
    return [[Fraction(w, sum(row)) for w in row] for row in weights]


def floats(table: Table) -> np.ndarray:
    """Return a table as a float32 array."""
    return np.array([[float(number) for number in row] for row in table], np.float32)


def mean(numbers: Sequence[Any]) -> Any:
    """Return the mean, exact if the numbers are."""
    return sum(numbers, start=Fraction(0)) / len(numbers)


def slow_value(world: SlowWorld, policy: Table, num_steps: int) -> list[list[Any]]:
    """Return what an active environment still expects, [t][s], by recursion from the front.

    A goal has the value 0: nobody arrives on it active.
    """

    @cache
    def value(t: int, position: int) -> Any:
        if t == num_steps or t >= world.horizon or world.at(position) == "G":
            return Fraction(0)
        total: Any = Fraction(0)
        for action, chance in enumerate(policy[position]):
            state, row = slow_step(world, SlowState(position, t), action)
            total += chance * row.reward
            if not state.done:
                total += chance * value(t + 1, state.position)
        return total

    return [[value(t, s) for s in range(num_cells(world))] for t in range(num_steps + 1)]


Walk = tuple[list[Row], SlowState]


def walks(world: SlowWorld, state: SlowState, num_steps: int) -> Iterator[Walk]:
    """Yield the rows and the last state of every sequence of `num_steps` actions."""
    for actions in product(range(len(world.moves)), repeat=num_steps):
        here, rows = state, []
        for action in actions:
            here, row = slow_step(world, here, action)
            rows.append(row)
        yield rows, here


def earned(rows: Sequence[Row]) -> Any:
    """Return the sum of the rewards of the active rows, exact if they are."""
    return sum((row.reward for row in rows if row.active), start=Fraction(0))


def chance_of(policy: Table, rows: Sequence[Row]) -> Any:
    """Return the probability of a walk's actions, those of a finished environment included."""
    chance: Any = Fraction(1)
    for row in rows:
        chance *= policy[row.observation][row.action]
    return chance


def enumerated_value(world: SlowWorld, policy: Table, state: SlowState, num_steps: int) -> Any:
    """Return the expected sum of rewards from a state: every walk, weighted by its probability."""
    return sum(chance_of(policy, rows) * earned(rows) for rows, _ in walks(world, state, num_steps))


def enumerated_occupancy(
    world: SlowWorld, policy: Table, starts: Sequence[int], num_steps: int
) -> list[list[Any]]:
    """Return the chance of being active, [t][s], from equally likely starts: every walk."""
    chance = [[Fraction(0)] * num_cells(world) for _ in range(num_steps)]
    for start in starts:
        for rows, _ in walks(world, SlowState(start), num_steps):
            weight = chance_of(policy, rows) / len(starts)
            for t, row in enumerate(rows):
                chance[t][row.observation] += weight if row.active else 0
    return chance


def best_by_first_action(world: SlowWorld, state: SlowState, num_steps: int) -> list[Any]:
    """Return the most that can be earned after each first action: the best of every walk."""
    best: list[Any] = [None] * len(world.moves)
    for rows, _ in walks(world, state, num_steps):
        first, total = rows[0].action, earned(rows)
        if best[first] is None or total > best[first]:
            best[first] = total
    return best


# Worlds with few enough walks, and the number of steps to enumerate.
WORLDS = {
    "corridor": (exact_corridor(), 8),
    "corridor-cut-short": (exact_corridor(), 3),
    "corridor-beyond-its-horizon": (exact_corridor(horizon=4), 7),
    "walls": (exact_map("S.#\nS.G", 9, Fraction(-1, 8)), 4),
    "two-goals-and-a-horizon": (exact_map("S.G\nGS.", 3, Fraction(-1, 4), Fraction(3, 2)), 4),
    "worth-waiting": (exact_map("S..\nS#G", 4, Fraction(3, 8)), 4),
    "all-equal": (exact_map("SG.\nS..", 9, Fraction(1, 2), Fraction(1, 2)), 4),
}
