"""A map of characters as a table of where every action leads."""

from typing import Any

import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise
from gridroll.exercises import _fresh
from gridroll.exercises._probes import walls_apart
from gridroll.exercises._shared import random_map, source
from gridroll.exercises.gridworld.wrong_maps import MISCONCEPTIONS

SCAFFOLD = '''
def from_map(text, horizon):
    """A world drawn with characters: '#' wall, '.' free, 'S' start, 'G' goal.

    The actions are up, right, down, left = 0, 1, 2, 3. An action that would leave the map or enter
    a wall leaves the position as it is. A goal keeps whoever is on it.

    Args:
        text: one line for each row, all equally long, with at least one start and one goal.
        horizon: the most transitions in an episode.

    Returns:
        Gridworld; its cells are numbered row by row, walls included.
    """
    cells = np.array([list(row) for row in text.splitlines()])  # (rows, columns) characters
    rows, columns = cells.shape
    here = np.arange(rows * columns)  # the number of every cell
    wall, goal = (cells == "#").ravel(), (cells == "G").ravel()  # row by row, as `here` counts
    next_position = np.zeros((rows * columns, 4), np.int32)
    for action, (down, right) in enumerate(MOVES):
        # 1. The row and the column of every cell (np.divmod of its number).
        # 2. The row and the column that this action leads to, kept inside the map.
        # 3. The number of that cell.
        # 4. Who stays? Whoever would enter a wall, and whoever is on a goal.
        next_position[:, action] = ...
    return gridworld.make_world(
        next_position=next_position,
        goal=goal,
        wall=wall,
        starts=np.flatnonzero(cells == "S"),
        columns=columns,
        rules=(horizon, -0.01, 1.0),
    )
'''


def _visible() -> tuple[Case, ...]:
    texts = ("S..\n.#G", "S.\n.#\n.G", "G.S.\n.#..\n.S.G", "S.#\n..G\n.#.\nG.S\n#..")
    return tuple(Case((text, 9 + number)) for number, text in enumerate(texts))


def _generate(rng: np.random.Generator) -> Case:
    rows, columns = _fresh.maps(rng)[int(rng.integers(4))]
    return Case((random_map(rng, rows, columns), int(rng.integers(2, 30))))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    """Places in the (S, 4) table, by where an action would lead on the map."""
    cells = np.array([list(row) for row in case.args[0].splitlines()])
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    to_row = row[:, None] + np.array([down for down, _ in gridworld.MOVES])
    to_column = column[:, None] + np.array([right for _, right in gridworld.MOVES])
    above_or_below = (to_row < 0) | (to_row >= rows)
    beside = (to_column < 0) | (to_column >= columns)
    inside = ~above_or_below & ~beside
    kept_row, kept_column = to_row.clip(0, rows - 1), to_column.clip(0, columns - 1)
    goal = (cells == "G").ravel()[:, None] & np.ones(4, bool)
    into_wall = inside & (cells[kept_row, kept_column] == "#")
    moves = inside & ~into_wall & ~goal
    return {
        "the rows of goals": goal,
        "moves into a wall": into_wall & ~goal,
        "moves over the left or right edge of the map": beside,
        "moves over the upper or lower edge of the map": above_or_below,
        "moves over an edge of the map": beside | above_or_below,
        "bumps into walls and edges": ~inside | into_wall,
        "moves up and down": np.broadcast_to([True, False, True, False], goal.shape),
        "moves right and left": np.broadcast_to([False, True, False, True], goal.shape),
        "moves onto a goal": moves & (cells[kept_row, kept_column] == "G"),
        "moves to a neighbour": moves,
    }


FROM_MAP = Exercise(
    name="gridworld.from_map",
    title="a map becomes a table",
    task=(
        "Write the table of `from_map(text, horizon)`, for maps that are wider than tall and for "
        "maps that are taller than wide."
    ),
    points=4,
    difficulty=4,
    reference=gridworld.from_map,
    answer=source(gridworld.from_map),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    probe=walls_apart,
    jit=False,
    regions=_regions,
    rules={
        "next_position": (
            "Entry [s, a]: cell s is row s // columns, column s % columns; action a displaces it "
            "by MOVES[a] = (rows, columns). Off the map or into a wall, and from a goal, s stays."
        ),
        "goal": "goal[s] is true where the map has a 'G'; cells are numbered row by row.",
        "wall": "wall[s] is true where the map has a '#'; cells are numbered row by row.",
        "starts": "starts holds the numbers of the cells with an 'S', walls counted too.",
        "columns": "columns is the number of cells in a row of the map.",
        "horizon": "The horizon is the one that was passed in.",
        "step_reward": "A step earns -0.01.",
        "goal_reward": "A goal earns 1.",
    },
    misconceptions=MISCONCEPTIONS,
    hints=(
        "Do the map 'S..' over '.#G' by hand: where does each of the four actions lead from cell "
        "2, and from cell 5?",
        "row, column = np.divmod(here, columns); add down and right; np.clip both, the row to 0 "
        "and rows - 1, the column to 0 and columns - 1.",
        "there = to_row * columns + to_column, then np.where(wall[there] | goal, here, there).",
    ),
    why=(
        "Adding 1 to a cell's number moves from the end of a row to the start of the next one; "
        "rows and columns have to be clipped apart."
    ),
    gain="turn any map of characters into the rules of a world",
    explanation=(
        "A number is taken apart into row and column, each is displaced and clipped on its own, "
        "and both are put together again with the number of columns. Whoever would end up in a "
        "wall, and whoever is on a goal, stays."
    ),
)
