"""What people write for `from_map`, and what each of them should read."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gridroll.classroom.exercise import Misconception
from gridroll.gridworld import MOVES, Gridworld, make_world

Lead = Callable[[np.ndarray, int, int, int, int, int], Any]


def _world(cells: np.ndarray, table: np.ndarray, horizon: int, columns: int) -> Gridworld:
    return make_world(
        next_position=table,
        goal=(cells == "G").ravel(),
        wall=(cells == "#").ravel(),
        starts=np.flatnonzero(cells == "S"),
        columns=columns,
        rules=(horizon, -0.01, 1.0),
    )


def _cells(text: str) -> np.ndarray:
    return np.array([list(row) for row in text.splitlines()])


def _there(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    """Where a displacement leads from every cell, kept inside the map."""
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), columns)
    to_row, to_column = (row + down).clip(0, rows - 1), (column + right).clip(0, columns - 1)
    return to_row * columns + to_column


def _made(
    lead: Callable[[np.ndarray, int, int], np.ndarray] = _there,
    moves: tuple[tuple[int, int], ...] = MOVES,
    walls: bool = True,
    goals: bool = True,
    outside: str = "wrap",
) -> Callable[[str, int], Gridworld]:
    """A `from_map` in which one part is another; `outside`: what becomes of no cell's number."""

    def mistaken(text: str, horizon: int) -> Gridworld:
        cells = _cells(text)
        here = np.arange(cells.size)
        table = np.zeros((cells.size, 4), np.int32)
        for action, (down, right) in enumerate(moves):
            there = lead(cells, down, right)
            if outside == "wrap":
                there = there % cells.size
            elif outside == "clip":
                there = there.clip(0, cells.size - 1)
            stays = np.zeros(cells.size, bool)
            stays |= (cells.ravel()[there] == "#") if walls else False
            stays |= (cells.ravel() == "G") if goals else False
            table[:, action] = np.where(stays, here, there)
        return _world(cells, table, horizon, cells.shape[1])

    return mistaken


def _along_the_numbers(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    return (np.arange(cells.size) + down * cells.shape[1] + right).clip(0, cells.size - 1)


def _along_the_numbers_or_stays(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    here = np.arange(cells.size)
    there = here + down * cells.shape[1] + right
    return np.where((there < 0) | (there >= cells.size), here, there)


def _round_the_numbers(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    return (np.arange(cells.size) + down * cells.shape[1] + right) % cells.size


def _round_the_map(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), columns)
    return ((row + down) % rows) * columns + (column + right) % columns


def _by_rows(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), columns)
    to_row, to_column = (row + down).clip(0, rows - 1), (column + right).clip(0, columns - 1)
    return to_row * rows + to_column


def _divided_by_rows(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), rows)
    to_row, to_column = (row + down).clip(0, rows - 1), (column + right).clip(0, columns - 1)
    return to_row * columns + to_column


def _by_rows_both_ways(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), rows)
    to_row, to_column = (row + down).clip(0, rows - 1), (column + right).clip(0, columns - 1)
    return to_row * rows + to_column


def _limits_exchanged(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(cells.size), columns)
    to_row, to_column = (row + down).clip(0, columns - 1), (column + right).clip(0, rows - 1)
    return to_row * columns + to_column


def _down_the_columns(text: str, horizon: int) -> Gridworld:
    """Numbered column by column."""
    turned = _cells(text).T
    made = _made(moves=tuple((right, down) for down, right in MOVES))
    world = made("\n".join("".join(row) for row in turned), horizon)
    return _world(turned, np.asarray(world.next_position), horizon, turned.shape[0])


def _walls_not_counted(text: str, horizon: int) -> Gridworld:
    cells = _cells(text)
    free = (cells != "#").ravel()
    number = np.cumsum(free) - 1
    table = np.asarray(_made()(text, horizon).next_position)
    return _world(cells.ravel()[free], number[table[free]], horizon, cells.shape[1])


def _rows_for_columns(text: str, horizon: int) -> Gridworld:
    cells = _cells(text)
    table = np.asarray(_made()(text, horizon).next_position)
    return _world(cells, table, horizon, cells.shape[0])


def _nobody_moves(text: str, horizon: int) -> Gridworld:
    cells = _cells(text)
    table = np.arange(cells.size)[:, None].repeat(4, axis=1)
    return _world(cells, table, horizon, cells.shape[1])


def _zeros(text: str, horizon: int) -> Gridworld:
    cells = _cells(text)
    return _world(cells, np.zeros((cells.size, 4), np.int32), horizon, cells.shape[1])


def _column_first(cells: np.ndarray, down: int, right: int) -> np.ndarray:
    rows, columns = cells.shape
    column, row = np.divmod(np.arange(cells.size), columns)
    to_row, to_column = (row + down).clip(0, rows - 1), (column + right).clip(0, columns - 1)
    return to_row * columns + to_column


def _goal_ahead(text: str, horizon: int, exchanged: bool = False) -> Gridworld:
    """Nobody reaches a goal; or, with `exchanged`, the two values of the last `where` are."""
    cells = _cells(text)
    here = np.arange(cells.size)
    wall, goal = (cells == "#").ravel(), (cells == "G").ravel()
    table = np.zeros((cells.size, 4), np.int32)
    for action, (down, right) in enumerate(MOVES):
        there = _there(cells, down, right)
        table[:, action] = np.where(wall[there] | goal[there], here, there)
        if exchanged:
            table[:, action] = np.where(wall[there] | goal, there, here)
    return _world(cells, table, horizon, cells.shape[1])


def _values_exchanged(text: str, horizon: int) -> Gridworld:
    return _goal_ahead(text, horizon, exchanged=True)


UP, RIGHT, DOWN, LEFT = MOVES

MISCONCEPTIONS = (
    Misconception(
        "constant", "Every action leads to cell 0, from everywhere.", _zeros, also=(_nobody_moves,)
    ),
    Misconception(
        "wraps at a row's end",
        "A cell's number is displaced as one number. So right from the end of a row leads to the "
        "start of the next one, because the next number is there, and up from row 0 can land on "
        "another cell. On the map they are no neighbours: keep row and column inside each on its "
        "own.",
        _made(_along_the_numbers),
        also=(_made(_along_the_numbers_or_stays), _made(_round_the_numbers)),
    ),
    Misconception(
        "wraps round the map",
        "Whoever leaves the map comes in again on the opposite side. At an edge you stay.",
        _made(_round_the_map),
    ),
    Misconception(
        "counts by rows",
        "A cell's number is computed with the number of rows. The numbers run along a row, so "
        "every row is `columns` further: row * columns + column. On a square map both are right.",
        _made(_by_rows),
        also=tuple(
            _made(lead, outside=outside)
            for lead in (_by_rows, _divided_by_rows, _by_rows_both_ways)
            for outside in ("wrap", "clip", "raise")
        ),
    ),
    Misconception(
        "limits exchanged",
        "The row is kept below the number of columns, or the column below the number of rows. A "
        "row goes up to rows - 1 and a column up to columns - 1.",
        _made(_limits_exchanged),
    ),
    Misconception(
        "walks through walls",
        "An action that leads into a wall is carried out. Whoever would enter a wall stays: look "
        "at wall[there].",
        _made(walls=False),
    ),
    Misconception(
        "goal not absorbing",
        "From a goal, actions lead away. A goal keeps whoever is on it: all four entries of its "
        "row are its own number.",
        _made(goals=False),
    ),
    Misconception(
        "nobody reaches a goal",
        "goal[there] asks whether the move leads onto a goal, so nobody ever gets there, and from "
        "a goal one walks away. Ask where the move begins: goal.",
        _goal_ahead,
    ),
    Misconception(
        "who stays and who moves exchanged",
        "np.where(condition, a, b) takes a where the condition holds. Whoever would enter a wall, "
        "or is on a goal, takes `here`; everybody else takes `there`.",
        _values_exchanged,
    ),
    Misconception(
        "row and column of a number exchanged",
        "np.divmod(number, columns) gives the row first, number // columns, and then the column, "
        "number % columns.",
        _made(_column_first),
    ),
    Misconception(
        "walls and goals forgotten",
        "Two rules are missing: walls are walked through, and goals let go of whoever is on them.",
        _made(walls=False, goals=False),
    ),
    Misconception(
        "up and down exchanged",
        "Actions 0 and 2 go the wrong way. Up is towards row 0, the first line of the text.",
        _made(moves=(DOWN, RIGHT, UP, LEFT)),
    ),
    Misconception(
        "right and left exchanged",
        "Actions 1 and 3 go the wrong way: right is towards higher columns.",
        _made(moves=(UP, LEFT, DOWN, RIGHT)),
    ),
    Misconception(
        "rows and columns of a move exchanged",
        "Each entry of MOVES is (rows, columns): (-1, 0) is one row up and no column. Here the "
        "two are taken for each other, so up goes left.",
        _made(moves=tuple((right, down) for down, right in MOVES)),
    ),
    Misconception(
        "actions in another order",
        "The columns of the table stand in another order. It is clockwise, up, right, down, left = "
        "0, 1, 2, 3, as MOVES lists them.",
        _made(moves=(UP, DOWN, LEFT, RIGHT)),
        also=(
            _made(moves=(UP, DOWN, RIGHT, LEFT)),
            _made(moves=(LEFT, RIGHT, UP, DOWN)),
            _made(moves=(UP, LEFT, RIGHT, DOWN)),
        ),
    ),
    Misconception(
        "numbered column by column",
        "The cells are numbered down the columns. They are numbered row by row: cell 1 is to the "
        "right of cell 0.",
        _down_the_columns,
    ),
    Misconception(
        "walls are not numbered",
        "Walls are left out of the numbering, so the table has fewer rows than the map has cells. "
        "Walls are cells too: they have a number and a row, and nobody gets there.",
        _walls_not_counted,
    ),
    Misconception(
        "the number of rows as columns",
        "The table is right, and the field `columns` holds the number of rows.",
        _rows_for_columns,
    ),
)
