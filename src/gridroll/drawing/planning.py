"""How values are made: one backup, and the value of every cell by the steps that are left."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL: canvas.Look = {"facecolor": "white", "edgecolor": canvas.INK, "linewidth": 1.0}
KNOWN: canvas.Look = {**CELL, "facecolor": "#EDEDED"}
MOST_CELLS = 8
ZERO = 1e-9  # values closer than this are equal


def amount(value: float, digits: int) -> str:
    """A number with the minus sign of prose, and no sign before 0."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def shade(value: float, highest: float) -> str:
    """From white to blue as a value grows to the highest; grey where it is below 0."""
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    if value < -ZERO:
        return "#D9D9D9"
    blues = LinearSegmentedColormap.from_list("blues", ["#FFFFFF", "#7FB8DA"])
    return to_hex(blues(max(value, 0.0) / max(highest, ZERO)))


@canvas.styled
def backup(world: Any, cell: int, *, title: str | None = None) -> "Figure":
    """Draw one backup in a corridor: what a value is made from, and that the last row is known.

    Args:
        world: anything with `next_position` (S, 2), `goal` (S,), `step_reward` and `goal_reward`.
        cell: the cell whose value is made; both of its actions lead to another cell.
        title: the finding; None for one that names the rule.

    Raises:
        ValueError: more than 8 cells, or a cell that isn't one of them.
    """
    next_position, goal = np.asarray(world.next_position), np.asarray(world.goal)
    size = len(goal)
    if size > MOST_CELLS or not 0 <= cell < size:
        raise ValueError(
            f"backup: cell {cell} of {size}; there may be at most {MOST_CELLS} cells, and the cell "
            "must be one of them"
        )
    figure = canvas.new_figure(title or "Each value is made from the next row", 7.0, 5.0)
    ax = figure.subplots()
    _frame(ax, size, 3)
    for left in range(3):
        for place in range(size):
            known = left == 0 or goal[place]
            text = "0" if known else "?"
            _box(ax, place, left, text, **(KNOWN if known else CELL))
    edge: canvas.Look = {"facecolor": canvas.TINT, "edgecolor": canvas.BLUE, "linewidth": 2.6}
    _box(ax, cell, 2, "?", **edge)
    for action, words in enumerate(("left", "right")):
        there = int(next_position[cell, action])
        reward = float(world.goal_reward if goal[there] else world.step_reward)
        _lead(ax, (cell, 2), (there, 1), f"{words}: {amount(reward, 2)}")
    return figure


def _frame(ax: "Axes", size: int, rows: int) -> None:
    """One unit a cell across, one unit a step left, upwards."""
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-0.5, rows - 0.4), xlabel="cell")
    ax.set_ylabel("steps left", labelpad=12)
    ax.set_xticks(range(size))
    ax.set_yticks(range(rows))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _box(ax: "Axes", x: float, y: float, text: str, size: float = 15, **look: Any) -> None:
    from matplotlib.patches import Rectangle

    wide, high = 0.3 if size == 15 else 0.5, 0.19 if size == 15 else 0.5
    ax.add_patch(Rectangle((x - wide, y - high), 2 * wide, 2 * high, **look))
    ax.text(x, y, text, fontsize=size, **canvas.CENTRED)


def _lead(ax: "Axes", start: tuple[int, int], end: tuple[int, int], words: str) -> None:
    """An arrow from a cell down to where an action leads, with what the action earns."""
    from matplotlib.patches import FancyArrowPatch

    (x, y), (to_x, to_y) = start, end
    way = np.sign(to_x - x)
    line = ((x + 0.1 * way, y - 0.21), (to_x - 0.05 * way, to_y + 0.22))
    look: canvas.Look = {"color": canvas.BLUE, "linewidth": 2.0, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(*line, arrowstyle="-|>", mutation_scale=18, zorder=3, **look))
    middle_x, middle_y = ((a + b) / 2 for a, b in zip(*line, strict=True))
    behind: canvas.Look = {"facecolor": "white", "edgecolor": "none", "pad": 2.0}
    look = {"fontsize": 13, "weight": "bold", "bbox": behind, "zorder": 4, **canvas.CENTRED}
    ax.text(middle_x, middle_y, words, **look)


@canvas.styled
def values_by_steps_left(
    value: ArrayLike, goal: ArrayLike, *, title: str | None = None, digits: int = 3
) -> "Figure":
    """Draw the value of every cell by the steps that are left, and mark where one more is less.

    Args:
        value: (T + 1, S), row t after t transitions; so T - t steps are left.
        goal: (S,) bool.
        title: the finding; None for one that counts the dips.
        digits: how many decimals the values have.

    Raises:
        ValueError: not two axes, too many cells, or goals of another number of cells.
    """
    (values,) = canvas.table("values_by_steps_left", 2, value=value)
    goals = np.asarray(goal, bool)
    rows = values[::-1]  # row n has n steps left
    size = rows.shape[1]
    if size > MOST_CELLS or goals.shape != (size,):
        raise ValueError(
            f"values_by_steps_left: goal has shape {goals.shape} and there are {size} cells; both "
            f"must be the same, and at most {MOST_CELLS}"
        )
    dips = np.zeros(rows.shape, bool)
    dips[1:] = rows[1:] < rows[:-1] - 1e-6  # more than rounding
    title = title or "One step more is not always worth more"
    figure = canvas.new_figure(title, 7.0, 0.46 * len(rows) + 1.9)
    ax = figure.subplots()
    _frame(ax, size, len(rows))
    ax.set_xticks(range(size), [f"{s}, goal" if goals[s] else str(s) for s in range(size)])
    for left, place in np.ndindex(rows.shape):
        number = float(rows[left, place])
        look = {**CELL, "facecolor": shade(number, float(rows.max()))}
        text = "0" if goals[place] or left == 0 else amount(number, digits)
        _box(ax, place, left, text, size=13, **(KNOWN if text == "0" else look))
    left, place = np.nonzero(dips)
    mark: canvas.Look = {"marker": "v", "color": canvas.VERMILION, "markersize": 11}
    canvas.marker(ax, place + 0.36, left, **mark)
    samples = [canvas.sample("worth less than with one step less", **mark)]
    canvas.legend(figure, samples, columns=1)
    return figure
