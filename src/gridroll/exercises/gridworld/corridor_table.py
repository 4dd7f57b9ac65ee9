"""The corridor once more, as a table of where every action leads."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source

SCAFFOLD = '''
def corridor_table(length):
    """Where both actions lead from every cell of a corridor whose last cell is the goal.

    A goal keeps whoever is on it: both of its actions lead to itself.

    Args:
        length: the number of cells S.

    Returns:
        (S, 2) int32; entry [s, a] is the cell that action a (0 left, 1 right) leads to from s.
    """
    cell = np.arange(length)
    # 1. For all cells at once: where does left lead, and where does right lead?
    # 2. Put the two side by side, one row for each cell (np.stack).
    # 3. The goal's row.
    return ...
'''


def corridor_table(length: int) -> np.ndarray:
    """Where both actions lead from every cell of a corridor whose last cell is the goal.

    A goal keeps whoever is on it: both of its actions lead to itself.

    Args:
        length: the number of cells S.

    Returns:
        (S, 2) int32; entry [s, a] is the cell that action a (0 left, 1 right) leads to from s.
    """
    cell = np.arange(length)
    left = np.maximum(cell - 1, 0)
    right = np.minimum(cell + 1, length - 1)
    table = np.stack([left, right], axis=1)
    table[-1] = length - 1
    return table.astype(np.int32)


def _right(length: int) -> np.ndarray:
    """The right table, made row by row, for the mistakes that change it."""
    rows = [(max(cell - 1, 0), cell + 1) for cell in range(length - 1)]
    return np.array([*rows, (length - 1, length - 1)], np.int32)


def _transposed(length: int) -> Any:
    return _right(length).T


def _goal_moves(length: int) -> Any:
    cell = np.arange(length)
    return np.stack([np.maximum(cell - 1, 0), np.minimum(cell + 1, length - 1)], axis=1)


def _wraps(length: int) -> Any:
    cell = np.arange(length)
    table = np.stack([(cell - 1) % length, (cell + 1) % length], axis=1)
    table[-1] = length - 1
    return table


def _unclipped(length: int) -> Any:
    cell = np.arange(length)
    table = np.stack([cell - 1, cell + 1], axis=1)
    table[-1] = length - 1
    return table


def _unclipped_throughout(length: int) -> Any:
    cell = np.arange(length)
    return np.stack([cell - 1, cell + 1], axis=1)


def _exchanged(length: int) -> Any:
    return _right(length)[:, ::-1]


def _displacements(length: int) -> Any:
    return _right(length) - np.arange(length)[:, None]


def _goal_sends_back(length: int) -> Any:
    table = _right(length)
    table[-1] = 0
    return table


def _floats(length: int) -> Any:
    return jnp.asarray(_right(length), jnp.float32)


def _four_cells(length: int) -> Any:
    return _right(4)


def _zeros(length: int) -> Any:
    return np.zeros((length, 2), np.int32)


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    length = case.args[0]
    row, column = np.indices((length, 2))
    return {
        "the goal's row": row == length - 1,
        "the entry for left from cell 0": (row == 0) & (column == 0),
        "column 0, the action left": column == 0,
        "column 1, the action right": column == 1,
    }


CORRIDOR_TABLE = Exercise(
    name="gridworld.corridor_table",
    title="the table",
    task="Write `corridor_table(length)` with NumPy: every cell, both actions, in one array.",
    points=2,
    difficulty=2,
    reference=corridor_table,
    parts=(gridworld.corridor, gridworld.from_map),
    answer=source(corridor_table),
    scaffold=SCAFFOLD.lstrip(),
    visible=lambda: (Case((4,)), Case((3,)), Case((6,))),
    generate=lambda rng: Case((int(rng.choice(_fresh.sizes(rng, 5, 8, 13, 21, most=40))),)),
    axes=("s", "a"),
    jit=False,
    regions=_regions,
    rules={
        "": "Entry [s, 0] is max(s - 1, 0), entry [s, 1] is min(s + 1, length - 1), and both "
        "entries of the goal's row are the goal."
    },
    misconceptions=(
        Misconception("constant", "Every action leads to cell 0.", _zeros),
        Misconception(
            "transposed",
            "This is (2, S): a row for each action. The table has a row for each cell, so that "
            "table[s, a] reads as it is said: from s, action a.",
            _transposed,
        ),
        Misconception(
            "goal not absorbing",
            "From the goal, left leads away. A goal keeps whoever is on it: its row holds its own "
            "number twice.",
            _goal_moves,
        ),
        Misconception(
            "wraps round",
            "Left from cell 0 comes out at the other end. At an end you stay.",
            _wraps,
        ),
        Misconception(
            "no clipping",
            "Left from cell 0 leads to cell -1. As an index, -1 is the last entry of an array, so "
            "this move would jump onto the goal without any error.",
            _unclipped,
            also=(_unclipped_throughout,),
        ),
        Misconception(
            "actions exchanged",
            "The columns are exchanged: column 0 is left, column 1 is right.",
            _exchanged,
        ),
        Misconception(
            "displacements",
            "The entries say by how much you move. They should say which cell you reach.",
            _displacements,
        ),
        Misconception(
            "the goal sends you back",
            "The goal's row leads to cell 0, as if a new episode began. Nothing starts again by "
            "itself: the goal's row holds the goal.",
            _goal_sends_back,
        ),
        Misconception(
            "a floating-point table",
            "The entries are float32. They are numbers of cells and used as an index: int32.",
            _floats,
        ),
        Misconception(
            "always four cells",
            "The table has four rows whatever `length` is.",
            _four_cells,
        ),
    ),
    hints=(
        "For length 4 write the table by hand: four rows, two columns.",
        "np.maximum(cell - 1, 0) is `left` for all cells at once.",
        "np.stack([left, right], axis=1), then set its last row to length - 1; int32.",
    ),
    why="If the goal's row led away, an episode would walk off the goal that it has reached.",
    gain="write the rules of a world down as one array",
    explanation=(
        "left and right are computed for all cells at once and put side by side along axis 1, so "
        "row s holds what leads away from s. The goal's row is overwritten with the goal itself."
    ),
)
