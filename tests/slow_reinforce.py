"""Exact moments of policy-gradient estimates: every walk of a small world, by its probability.

Walks come from `slow_planning`; scores, weights and moments are worked out here in float64 with
loops. Only `made` and `recording` know gridroll, to make the same world and the same recording
there.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import jax.numpy as jnp
import numpy as np
from oracles import Row, SlowState, SlowWorld, log_softmax, sigmoid, slow_corridor
from slow_planning import num_cells, slow_value, walks

from gridroll import gridworld
from gridroll.collector import Trajectory

VARIANTS = ("total", "to-go", "total-baseline", "to-go-baseline")


@dataclass(frozen=True)
class Setting:
    """A world, parameters and a number of steps, few enough to walk every way."""

    world: SlowWorld
    theta: np.ndarray  # (S,) for two actions, (S, A) for softmax
    num_steps: int


def table_of(theta: np.ndarray) -> list[list[float]]:
    """Return the probability of each action in each cell."""
    if theta.ndim == 1:
        return [[sigmoid(-x), sigmoid(x)] for x in theta.tolist()]
    return [np.exp(log_softmax(row)).tolist() for row in theta.tolist()]


def score(theta: np.ndarray, position: int, action: int) -> np.ndarray:
    """Return the gradient of the log-probability of one action, from its formula."""
    found, table = np.zeros(theta.shape), table_of(theta)
    if theta.ndim == 1:
        found[position] = table[position][0] if action == 1 else -table[position][1]
    else:
        found[position] = [(a == action) - p for a, p in enumerate(table[position])]
    return found


@cache
def every_walk(world: SlowWorld, num_steps: int) -> list[tuple[Row, ...]]:
    """Return the rows of every action sequence from every start."""
    return [
        tuple(rows)
        for start in world.cells("S")
        for rows, _ in walks(world, SlowState(start), num_steps)
    ]


def chances(setting: Setting) -> np.ndarray:
    """Return the probability of each walk, (N,): of its start and of all its actions."""
    table, starts = table_of(setting.theta), len(setting.world.cells("S"))
    found = []
    for rows in every_walk(setting.world, setting.num_steps):
        chance = 1 / starts
        for row in rows:
            chance *= table[row.observation][row.action]
        found.append(chance)
    return np.array(found)


def credit(setting: Setting, variant: str) -> np.ndarray:
    """Return what each transition of each walk is weighted with, (T, N), 0 in padding."""
    value: Any = slow_value(setting.world, table_of(setting.theta), setting.num_steps)
    columns = []
    for rows in every_walk(setting.world, setting.num_steps):
        column = []
        for t, row in enumerate(rows):
            counted = rows[t:] if variant.startswith("to-go") else rows
            weight = sum(float(later.reward) for later in counted if later.active)
            if variant.endswith("baseline"):
                weight -= float(value[t][row.observation])
            column.append(weight if row.active else 0.0)
        columns.append(column)
    return np.array(columns).T


def gradients(setting: Setting, variant: str) -> np.ndarray:
    """Return the estimate that each walk gives by itself, (N, ...)."""
    theta, weight = setting.theta, credit(setting, variant)
    table = {
        (s, a): score(theta, s, a)
        for s in range(num_cells(setting.world))
        for a in range(len(setting.world.moves))
    }
    found = []
    for n, rows in enumerate(every_walk(setting.world, setting.num_steps)):
        one = np.zeros(theta.shape)
        for t, row in enumerate(rows):
            if row.active:
                one += weight[t, n] * table[row.observation, row.action]
        found.append(one)
    return np.array(found)


def moments(chance: np.ndarray, estimates: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the mean of estimates (N, ...), and the trace of their covariance."""
    flat = np.asarray(estimates, np.float64).reshape(len(chance), -1)
    mean = chance @ flat
    trace = float(chance @ ((flat - mean) ** 2).sum(axis=1))
    return mean.reshape(estimates.shape[1:]), trace


def made(world: SlowWorld) -> Any:
    """Return the library's world for a slow one."""
    rewards = {"step_reward": world.step_reward, "goal_reward": world.goal_reward}
    if len(world.moves) == 2:
        return gridworld.corridor(num_cells(world), world.horizon, **rewards)
    return gridworld.from_map(world.text, world.horizon, **rewards)


def recording(setting: Setting) -> Trajectory:
    """Return every walk as one recording of the library, leaves (T, N)."""
    columns = every_walk(setting.world, setting.num_steps)

    def leaf(name: str, dtype: Any) -> Any:
        rows = [[getattr(walk[t], name) for walk in columns] for t in range(setting.num_steps)]
        return jnp.asarray(np.array(rows, dtype))

    return Trajectory(
        observation=leaf("observation", np.int32),
        action=leaf("action", np.int32),
        reward=leaf("reward", np.float32),
        active=leaf("active", bool),
        terminated=leaf("terminated", bool),
        truncated=leaf("truncated", bool),
        log_prob=jnp.zeros((setting.num_steps, len(columns))),
    )


UNEVEN = np.array([0.5, -1.0, 2.0, 3.0])
TABLE = np.sin(np.arange(24.0)).reshape(6, 4)
SETTINGS = {
    "corridor": Setting(slow_corridor(), np.zeros(4), 8),
    "corridor-uneven": Setting(slow_corridor(), UNEVEN, 8),
    "steps-cost-one": Setting(slow_corridor(4, 8, -1.0, 0.0), np.zeros(4), 8),
    "cut-short": Setting(slow_corridor(), UNEVEN, 3),
    "beyond-the-horizon": Setting(slow_corridor(4, 4), UNEVEN, 7),
    "walls": Setting(SlowWorld("S.#\nS.G", 9, -0.125), TABLE, 4),
}
