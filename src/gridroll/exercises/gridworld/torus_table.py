"""Make it yours: the table of a world without edges."""

from typing import Any

import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.gridworld import MOVES

SCAFFOLD = '''
def torus_table(rows, columns):
    """Where every action leads on a map without walls, goals and edges.

    Whoever leaves the map on one side comes in on the opposite side, in the same row or column.
    Cells are numbered row by row; the actions are up, right, down, left = 0, 1, 2, 3.

    Args:
        rows, columns: the size of the map.

    Returns:
        (rows * columns, 4) int32.
    """
    return ...
'''


def torus_table(rows: int, columns: int) -> np.ndarray:
    """Where every action leads on a map without walls, goals and edges.

    Whoever leaves the map on one side comes in on the opposite side, in the same row or column.
    Cells are numbered row by row; the actions are up, right, down, left = 0, 1, 2, 3.

    Args:
        rows, columns: the size of the map.

    Returns:
        (rows * columns, 4) int32.
    """
    row, column = np.divmod(np.arange(rows * columns), columns)
    leads = [((row + down) % rows) * columns + (column + right) % columns for down, right in MOVES]
    return np.stack(leads, axis=1).astype(np.int32)


def _table(rows: int, columns: int, lead: Any) -> np.ndarray:
    row, column = np.divmod(np.arange(rows * columns), columns)
    return np.stack([lead(row, column, down, right) for down, right in MOVES], axis=1)


def _right(rows: int, columns: int) -> np.ndarray:
    """The right table, for the mistakes that change it."""
    return _table(
        rows,
        columns,
        lambda row, column, down, right: (
            (row + down + rows) % rows * columns + (column + right + columns) % columns
        ),
    )


def _clipped(rows: int, columns: int) -> np.ndarray:
    return _table(
        rows,
        columns,
        lambda row, column, down, right: (
            (row + down).clip(0, rows - 1) * columns + (column + right).clip(0, columns - 1)
        ),
    )


def _round_the_numbers(rows: int, columns: int) -> np.ndarray:
    return _table(
        rows,
        columns,
        lambda row, column, down, right: (
            ((row + down) * columns + column + right) % (rows * columns)
        ),
    )


def _sizes_exchanged(rows: int, columns: int) -> np.ndarray:
    return _table(
        rows,
        columns,
        lambda row, column, down, right: (
            (((row + down) % columns) * columns + (column + right) % rows) % (rows * columns)
        ),
    )


def _turned(rows: int, columns: int) -> np.ndarray:
    return _right(rows, columns)[:, [3, 2, 1, 0]]


def _rolled_back(rows: int, columns: int) -> np.ndarray:
    here = np.arange(rows * columns).reshape(rows, columns)
    return np.stack([np.roll(here, move, axis=(0, 1)).ravel() for move in MOVES], axis=1)


def _up_and_down(rows: int, columns: int) -> np.ndarray:
    return _right(rows, columns)[:, [2, 1, 0, 3]]


def _transposed(rows: int, columns: int) -> np.ndarray:
    return _right(rows, columns).T


def _zeros(rows: int, columns: int) -> np.ndarray:
    return np.zeros((rows * columns, 4), np.int32)


def _generate(rng: np.random.Generator) -> Case:
    rows, columns = _fresh.maps(rng)[int(rng.integers(4))]
    return Case((rows, columns))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    rows, columns = case.args
    row, column = np.divmod(np.arange(rows * columns), columns)
    to_row = row[:, None] + np.array([down for down, _ in MOVES])
    to_column = column[:, None] + np.array([right for _, right in MOVES])
    vertical, horizontal = (to_row < 0) | (to_row >= rows), (to_column < 0) | (to_column >= columns)
    return {
        "moves over the upper or lower edge": vertical,
        "moves over the left or right edge": horizontal,
        "moves over an edge": vertical | horizontal,
        "moves inside the map": ~vertical & ~horizontal,
    }


TORUS_TABLE = Exercise(
    name="gridworld.torus_table",
    title="make it yours",
    task="Write `torus_table(rows, columns)`: the table of a map whose opposite edges are joined.",
    points=2,
    difficulty=2,
    reference=torus_table,
    answer=source(torus_table),
    scaffold=SCAFFOLD.lstrip(),
    visible=lambda: (Case((2, 3)), Case((3, 2)), Case((1, 4)), Case((4, 5))),
    generate=_generate,
    axes=("s", "a"),
    jit=False,
    stretch=True,
    regions=_regions,
    rules={
        "": "The row of the next cell is (row + down) % rows and its column is (column + right) % "
        "columns, for (down, right) = MOVES[a]."
    },
    misconceptions=(
        Misconception("constant", "Every action leads to cell 0.", _zeros),
        Misconception(
            "still has edges",
            "At an edge you stay, as in from_map. Here the opposite edges are joined.",
            _clipped,
        ),
        Misconception(
            "goes round the numbers",
            "Right from the end of a row leads into the next row. You should come back into the "
            "same row: take the remainder of row and column apart, not of the cell's number.",
            _round_the_numbers,
        ),
        Misconception(
            "sizes exchanged",
            "The remainder of the row is taken by the columns, or the other way round. On a square "
            "map both are right.",
            _sizes_exchanged,
        ),
        Misconception(
            "actions in another order",
            "The four columns stand in another order: up, right, down, left is 0, 1, 2, 3.",
            _turned,
            also=(_up_and_down,),
        ),
        Misconception(
            "every move goes the other way",
            "Every action leads to where its opposite should. np.roll moves the numbers: rolled by "
            "1, each place holds the number of the cell before it, so roll by -down and -right.",
            _rolled_back,
        ),
        Misconception(
            "transposed",
            "This is (4, S). The table has a row for each cell.",
            _transposed,
        ),
    ),
    hints=(
        "In from_map you clipped the row and the column. Only that part has to change.",
        "Python's and NumPy's % gives -1 % 4 = 3.",
        "((row + down) % rows) * columns + (column + right) % columns, for each move.",
    ),
    why="The remainder of the cell's number is wrong at the end of every row but one.",
    gain="give a world rules of your own that the same step obeys",
    explanation=(
        "Row and column wrap apart, each with its own size. No other function has to know: `step` "
        "reads whatever the table says."
    ),
)
