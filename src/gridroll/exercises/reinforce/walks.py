"""One walk in the corridor of lesson 01 as a recording: what a witness of lesson 06 stands for."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case
from gridroll.collector import Trajectory
from gridroll.exercises._shared import array, floats, integers, is_whole_number

ROWS, GOAL = 8, 3  # of the corridor


def walked(start: int, actions: list[int]) -> Trajectory:
    """The record of one environment in the corridor of lesson 01, a row for each action."""
    size = len(actions)
    cells, steps = [start], 0
    for action in actions:
        over = cells[-1] == GOAL
        cells.append(cells[-1] if over else min(max(cells[-1] + 2 * action - 1, 0), GOAL))
        steps += not over
    row = np.arange(size)
    active = row < steps
    reached = (row == steps - 1) & (cells[-1] == GOAL)
    columns = {
        "observation": integers(cells[:-1]),
        "action": integers(actions),
        "reward": floats(np.where(reached, 1.0, np.where(active, -0.01, 0.0))),
        "active": array(active, jnp.bool_),
        "terminated": array(reached, jnp.bool_),
        "truncated": array((row == ROWS - 1) & active & ~reached, jnp.bool_),
        "log_prob": floats(np.where(active, np.log(0.5), 0.0)),
    }
    return Trajectory(**{name: column[:, None] for name, column in columns.items()})


def witness_case(witness: Any) -> Case:
    """(start cell, actions): an episode of the uniform policy in the corridor."""
    if not isinstance(witness, list | tuple) or len(witness) != 2:
        raise ValueError("A witness is a pair: a start cell and a list of actions.")
    start, actions = witness
    if not is_whole_number(start) or start not in (0, 1):
        raise ValueError("The start cell is 0 or 1.")
    if not isinstance(actions, list | tuple) or not 1 <= len(actions) <= ROWS:
        raise ValueError("The actions are a list of one to eight.")
    if any(not is_whole_number(a) or a not in (0, 1) for a in actions):
        raise ValueError("Each action is 0 (left) or 1 (right).")
    record = walked(int(start), [int(a) for a in actions])
    return Case((floats(np.zeros(GOAL + 1)), record, floats(1.0)))
