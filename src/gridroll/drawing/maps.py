"""A world drawn as a map: its cells, their numbers, and where each action leads."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# (right, down) of every action, by how many actions the world has
DIRECTIONS = {2: ((-1, 0), (1, 0)), 4: ((0, -1), (1, 0), (0, 1), (-1, 0))}


@canvas.styled
def map_cells(
    world: Any, *, arrows: bool = False, title: str | None = None, legend: bool = True
) -> "Figure":
    """Draw the cells of a world with their numbers, walls, starts and goals.

    Args:
        world: anything with `next_position` (S, A), `goal` (S,), `wall` (S,), `starts` (K,) and
            `columns`; two or four actions.
        arrows: draw where each action leads too. A bar is a bump, which stays in place.
        title: what the picture shows; None for a line about the size and the numbering.
        legend: explain the marks below the map.

    Raises:
        ValueError: arrays that don't fit together, or another number of actions.
    """
    next_position, goal, wall, starts = fields("map_cells", world)
    columns = int(world.columns)
    rows = len(goal) // columns
    side = min(1.6, 6.2 / columns)  # inches for a cell
    lines = (2 + wall.any() if arrows else 1) if legend else 0
    height = side * rows + 1.1 + 0.28 * lines + (0.12 if legend else 0.0)
    figure = canvas.new_figure(title or _numbering(rows, columns), 7.0, height)
    ax = figure.subplots()
    ground(ax, rows, columns)
    size = 72 * side  # one cell in points
    marks = cell_marks(ax, goal, wall, starts, columns, size)
    if arrows:
        absorbing = goal & (next_position == np.arange(len(goal))[:, None]).all(1)
        marks += _moves(ax, next_position, ~wall & ~absorbing, columns, size)
    if legend:
        canvas.legend(figure, marks, columns=2 if arrows else len(marks))
    return figure


def fields(picture: str, world: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The arrays of a world: next_position, goal, wall and starts, once they fit together."""
    next_position = np.asarray(world.next_position)
    goal, wall = np.asarray(world.goal), np.asarray(world.wall)
    if next_position.ndim != 2 or next_position.shape[1] not in DIRECTIONS:
        raise ValueError(
            f"{picture}: next_position has shape {next_position.shape}; it must be (S, 2) or (S, 4)"
        )
    cells = (len(next_position),)
    if goal.shape != cells or wall.shape != cells:
        raise ValueError(
            f"{picture}: goal has shape {goal.shape} and wall {wall.shape}; with a next_position "
            f"of shape {next_position.shape} both must be {cells}"
        )
    if cells[0] % int(world.columns):
        raise ValueError(
            f"{picture}: {cells[0]} cells don't fill rows of {int(world.columns)} columns"
        )
    starts = np.asarray(world.starts)
    for name, numbers in (("next_position", next_position), ("starts", starts)):
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < cells[0]:
            raise ValueError(
                f"{picture}: the cells in {name} go from {numbers.min()} to {numbers.max()}; "
                f"they must be 0 to {cells[0] - 1}"
            )
    return next_position, goal, wall, starts


def _numbering(rows: int, columns: int) -> str:
    if rows == 1:
        return f"A corridor of {canvas.counted(columns, 'cell')}, numbered from the left"
    return f"Numbered row by row: cell = {columns} · row + column"


def ground(ax: "Axes", rows: int, columns: int) -> None:
    """One unit a cell, row 0 at the top; the axes count rows and columns."""
    ax.set(xlim=(0, columns), ylim=(rows, 0), aspect="equal", xlabel="column", ylabel="row")
    ax.set_xticks(np.arange(columns) + 0.5, [str(column) for column in range(columns)])
    ax.set_yticks(np.arange(rows) + 0.5, [str(row) for row in range(rows)])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def cell_marks(
    ax: "Axes", goal: np.ndarray, wall: np.ndarray, starts: np.ndarray, columns: int, size: float
) -> list["Artist"]:
    """Draw every cell with its number and what stands on it; return samples for the legend."""
    from matplotlib.patches import Patch, Rectangle

    solid: canvas.Look = {"facecolor": "#6E6E6E", "edgecolor": canvas.INK, "hatch": "///"}
    letter = min(15.0, 0.2 * size)
    for cell in range(len(goal)):
        row, column = divmod(cell, columns)
        look = solid if wall[cell] else {"facecolor": "white", "edgecolor": canvas.INK}
        ax.add_patch(Rectangle((column, row), 1, 1, **look))
        number = ax.text(column + 0.07, row + 0.06, str(cell), ha="left", va="top", fontsize=letter)
        if wall[cell]:
            number.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    kinds = (
        ("S", "start", starts, {"marker": "o", "color": "white"}, canvas.INK),
        ("G", "goal, ends the episode", np.flatnonzero(goal), canvas.GOAL, "white"),
    )
    samples: list[Artist] = []
    for name, words, cells, look, ink in kinds:
        rows_of, columns_of = np.divmod(cells, columns)
        grown = 1.0 if name == "S" else 0.88  # a diamond reaches further than a circle
        canvas.marker(ax, columns_of + 0.5, rows_of + 0.5, markersize=0.36 * size * grown, **look)
        for x, y in zip(columns_of, rows_of, strict=True):
            text_look: canvas.Look = {"color": ink, "weight": "bold", "fontsize": letter}
            ax.text(x + 0.5, y + 0.5, name, **canvas.CENTRED, **text_look)
        samples.append(canvas.sample(f"{name}: {words}", markersize=11, **look))
    if wall.any():
        samples.append(Patch(label="wall", **solid))
    return samples


def _moves(
    ax: "Axes",
    next_position: np.ndarray,
    moving: np.ndarray,
    columns: int,
    size: float,
) -> list["Artist"]:
    """Draw where each action leads from the cells in `moving`; return samples for the legend."""
    from matplotlib.lines import Line2D

    directions = DIRECTIONS[next_position.shape[1]]
    bumped = jumped = False
    for cell in np.flatnonzero(moving):
        row, column = divmod(int(cell), columns)
        for action, (right, down) in enumerate(directions):
            there = int(next_position[cell, action])
            to_row, to_column = divmod(there, columns)
            # Each arrow keeps to its own right-hand side, so that two opposite ones stay apart.
            x, y = column + 0.5 - 0.12 * down, row + 0.5 + 0.12 * right
            if there == cell:
                bumped = True
                _bump(ax, column + 0.5, row + 0.5, right, down)
            elif (to_row, to_column) == (row + down, column + right):
                _arrow(ax, (x, y), (right, down), size)
            else:
                jumped = True
                _jump(ax, (column + 0.5, row + 0.5), (to_column + 0.5, to_row + 0.5), size)
    look: canvas.Look = {
        "marker": r"$\rightarrow$",
        "color": canvas.BLUE,
        "markeredgecolor": canvas.BLUE,
    }
    samples: list[Artist] = [canvas.sample("where an action leads", markersize=16, **look)]
    if bumped:
        bar: canvas.Look = {"color": canvas.INK, "linewidth": 3.2, "solid_capstyle": "butt"}
        samples.append(Line2D([], [], label="a bump: the action stays in place", **bar))
    if jumped:
        jump: canvas.Look = {"color": canvas.VERMILION, "linestyle": "--"}
        samples.append(Line2D([], [], label="a jump to a cell that is no neighbour", **jump))
    return samples


def _arrow(
    ax: "Axes", middle: tuple[float, float], direction: tuple[int, int], size: float
) -> None:
    """An arrow across the edge between two neighbours."""
    from matplotlib.patches import FancyArrowPatch

    (x, y), (right, down) = middle, direction
    ends = [(x + reach * right, y + reach * down) for reach in (0.30, 0.72)]
    ax.add_patch(
        FancyArrowPatch(
            *ends,
            arrowstyle="-|>",
            color=canvas.BLUE,
            linewidth=1.8,
            shrinkA=0,
            shrinkB=0,
            mutation_scale=0.2 * size,
            zorder=3,
        )
    )


def _bump(ax: "Axes", x: float, y: float, right: int, down: int) -> None:
    """A short bar against the edge that the action runs into."""
    stem = ((0.29, 0.0), (0.42, 0.0))
    bar = ((0.42, -0.13), (0.42, 0.13))
    for line, width in ((stem, 1.8), (bar, 3.2)):
        along, across = np.array(line).T
        ax.plot(
            x + along * right + across * down,
            y + along * down + across * right,
            color=canvas.INK,
            linewidth=width,
            solid_capstyle="butt",
            zorder=3,
        )


def _jump(ax: "Axes", start: tuple[float, float], end: tuple[float, float], size: float) -> None:
    """A bent arrow to a cell that is no neighbour: a fault of the table, so it stands out."""
    from matplotlib.patches import FancyArrowPatch

    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            connectionstyle="arc3,rad=0.25",
            linestyle="--",
            color=canvas.VERMILION,
            linewidth=2.2,
            mutation_scale=0.2 * size,
            zorder=4,
        )
    )
