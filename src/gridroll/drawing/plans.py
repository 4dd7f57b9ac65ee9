"""Plans on a map: the value of each cell by steps left, and the walk that is best."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas
from gridroll.drawing.maps import DIRECTIONS
from gridroll.drawing.planning import amount, shade

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WALL: canvas.Look = {"facecolor": "#6E6E6E", "edgecolor": canvas.INK, "hatch": "///"}
FREE: canvas.Look = {"facecolor": "white", "edgecolor": canvas.INK}


def _ground(ax: "Axes", rows: int, columns: int) -> None:
    """One unit a cell, row 0 at the top, no axes."""
    ax.set(xlim=(-0.02, columns + 0.02), ylim=(rows + 0.02, -0.02), aspect="equal")
    ax.set_axis_off()


def _size(picture: str, world: Any) -> tuple[int, int]:
    """The rows and columns of a world with four actions."""
    shape, columns = np.shape(world.next_position), int(world.columns)
    if len(shape) != 2 or shape[1] != 4 or shape[0] % columns:
        raise ValueError(
            f"{picture}: next_position has shape {shape}; it must be (S, 4), with S cells in rows "
            f"of {columns}"
        )
    return shape[0] // columns, columns


def _square(ax: "Axes", world: Any, cell: int, **look: Any) -> tuple[int, int]:
    """Draw one cell, a wall hatched; returns its row and column."""
    from matplotlib.patches import Rectangle

    row, column = divmod(cell, int(world.columns))
    ax.add_patch(Rectangle((column, row), 1, 1, **(WALL if np.asarray(world.wall)[cell] else look)))
    return row, column


@canvas.styled
def value_maps(
    world: Any, values: ArrayLike, labels: Sequence[str], *, title: str | None = None
) -> "Figure":
    """Draw the values of the cells on the map, one map for each row of values.

    Args:
        world: anything with `next_position` (S, 4), `goal` and `wall` (S,), and `columns`.
        values: (N, S) values; the same colour means the same value in all maps.
        labels: N, what stands above each map.
        title: the finding; None for one on how far the goal is seen.

    Raises:
        ValueError: values that don't fit the world or the labels, or another number of actions.
    """
    (table,) = canvas.table("value_maps", 2, values=values)
    rows, columns = _size("value_maps", world)
    if table.shape != (len(labels), rows * columns):
        raise ValueError(
            f"value_maps: values has shape {table.shape}; with {len(labels)} labels and "
            f"{rows * columns} cells it must be {(len(labels), rows * columns)}"
        )
    title = title or "With more steps left, the goal is seen from further away"
    across = min(2, len(table))
    down = -(-len(table) // across)
    side = 6.4 / across / columns
    figure = canvas.new_figure(title, 7.0, down * (side * rows + 0.5) + 0.9)
    axes = np.atleast_1d(figure.subplots(down, across)).ravel()
    for ax in axes[len(table) :]:
        ax.set_axis_off()
    for ax, numbers, label in zip(axes, table, labels, strict=False):
        _ground(ax, rows, columns)
        ax.set_title(label, fontsize=13, loc="left", pad=4)
        for cell in range(rows * columns):
            look = {**FREE, "facecolor": shade(float(numbers[cell]), float(table.max()))}
            row, column = _square(ax, world, cell, **look)
            _words(ax, world, cell, numbers[cell], (column + 0.5, row + 0.5), 72 * side)
    return figure


def _words(
    ax: "Axes", world: Any, cell: int, value: float, middle: tuple[float, float], size: float
) -> None:
    """The value of a cell; a goal is marked as such, and a wall has none."""
    if np.asarray(world.wall)[cell]:
        return
    if np.asarray(world.goal)[cell]:
        canvas.marker(ax, [middle[0]], [middle[1]], markersize=0.6 * size, **canvas.GOAL)
        ax.text(*middle, "G", color="white", weight="bold", fontsize=13, **canvas.CENTRED)
        return
    ax.text(*middle, amount(float(value), 2), fontsize=min(13, 0.29 * size), **canvas.CENTRED)


@canvas.styled
def plan_walk(
    world: Any, action: ArrayLike, walk: ArrayLike, *, title: str | None = None
) -> "Figure":
    """Draw an action in every free cell, and the cells of a walk with the time that it is there.

    Args:
        world: anything with `next_position` (S, 4), `goal` and `wall` (S,), `columns`.
        action: (S,) integers, an action for each cell.
        walk: (N,) the cells of the walk, in order.
        title: the finding; None for one that counts the moves.

    Raises:
        ValueError: actions that don't fit the world, or a walk that leaves it.
    """
    rows, columns = _size("plan_walk", world)
    (actions,), (path,) = (
        canvas.table("plan_walk", 1, action=action),
        canvas.table("plan_walk", 1, walk=walk),
    )
    if actions.shape != (rows * columns,):
        raise ValueError(
            f"plan_walk: action has shape {actions.shape}; it must be ({rows * columns},)"
        )
    if path.min() < 0 or path.max() >= rows * columns:
        raise ValueError(
            f"plan_walk: walk holds {path.min()} to {path.max()}; cells are 0 to "
            f"{rows * columns - 1}"
        )
    moves = canvas.counted(len(path) - 1, "move")
    side = min(1.15, 6.4 / columns)
    figure = canvas.new_figure(title or f"The best walk takes {moves}", 7.0, side * rows + 1.2)
    ax = figure.subplots()
    _ground(ax, rows, columns)
    goal, wall = np.asarray(world.goal), np.asarray(world.wall)
    on_walk = {int(cell): t for t, cell in enumerate(path)}
    for cell in range(rows * columns):
        look = {**FREE, "facecolor": canvas.TINT if cell in on_walk else "white"}
        row, column = _square(ax, world, cell, **look)
        if cell in on_walk:
            place = (column + 0.08, row + 0.08)
            ax.text(*place, f"t = {on_walk[cell]}", ha="left", va="top", fontsize=12)
        if goal[cell]:
            middle = (column + 0.5, row + 0.55)
            canvas.marker(ax, [middle[0]], [middle[1]], markersize=0.4 * 72 * side, **canvas.GOAL)
            ax.text(*middle, "G", color="white", weight="bold", fontsize=15, **canvas.CENTRED)
        elif not wall[cell]:
            right, down = DIRECTIONS[4][int(actions[cell])]
            _arrow(ax, (column + 0.5, row + 0.58), (right, down), cell in on_walk)
    bold: canvas.Look = {"marker": r"$\rightarrow$", "markersize": 18}
    samples = [
        canvas.sample("a move of the walk", color=canvas.BLUE, markeredgecolor=canvas.BLUE, **bold),
        canvas.sample("best elsewhere", color=canvas.GREY, markeredgecolor=canvas.GREY, **bold),
    ]
    canvas.legend(figure, samples)
    return figure


def _arrow(
    ax: "Axes", middle: tuple[float, float], direction: tuple[int, int], strong: bool
) -> None:
    """An arrow inside a cell; thick and blue on the walk, thin and grey elsewhere."""
    from matplotlib.patches import FancyArrowPatch

    (x, y), (right, down) = middle, direction
    ends = [(x + reach * right, y + reach * down) for reach in (-0.26, 0.3)]
    look: canvas.Look = {"color": canvas.BLUE, "linewidth": 3.4} if strong else {}
    look = look or {"color": canvas.GREY, "linewidth": 1.4}
    ax.add_patch(
        FancyArrowPatch(
            *ends,
            arrowstyle="-|>",
            mutation_scale=22 if strong else 15,
            shrinkA=0,
            shrinkB=0,
            **look,
        )
    )
