"""A policy on its map: how likely each action is in each cell."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas
from gridroll.drawing.maps import DIRECTIONS, cell_marks, fields, ground

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 0.03  # of a probability that is drawn


@canvas.styled
def policy_map(world: Any, probabilities: ArrayLike, *, title: str) -> "Figure":
    """Draw an arrow for each action in each cell, as long and as wide as the action is likely.

    Args:
        world: as `map_cells` takes it.
        probabilities: (S, A), each row sums to 1.
        title: the finding.

    Raises:
        ValueError: arrays that don't fit together, or rows that don't sum to 1.
    """
    next_position, goal, wall, starts = fields("policy_map", world)
    chance = np.asarray(probabilities, float)
    if chance.shape != next_position.shape:
        raise ValueError(
            f"policy_map: probabilities has shape {chance.shape}; with this world it must be "
            f"{next_position.shape}"
        )
    if np.abs(chance.sum(axis=1) - 1).max() > 1e-3:
        raise ValueError("policy_map: each row of probabilities must sum to 1")
    columns = int(world.columns)
    rows = len(goal) // columns
    side = min(1.6, 6.2 / columns)
    figure = canvas.new_figure(title, 7.0, side * rows + 1.6)
    ax = figure.subplots()
    ground(ax, rows, columns)
    marks = cell_marks(ax, goal, wall, np.array([], int), columns, 72 * side)
    starting = np.isin(np.arange(len(goal)), starts)
    for cell in np.flatnonzero(~goal & ~wall):
        row, column = divmod(int(cell), columns)
        if starting[cell]:
            ax.text(column + 0.93, row + 0.06, "S", ha="right", va="top", weight="bold")
        for action, (right, down) in enumerate(DIRECTIONS[chance.shape[1]]):
            _likely(ax, column + 0.5, row + 0.5, right, down, chance[cell, action], 72 * side)
    arrow: canvas.Look = {
        "marker": r"$\rightarrow$",
        "color": canvas.BLUE,
        "markeredgecolor": canvas.BLUE,
        "markersize": 16,
    }
    start = canvas.sample("S: start", marker="$S$", color=canvas.INK, markersize=9)
    marks = [canvas.sample("longer and wider: more likely", **arrow), start, *marks[1:]]
    canvas.legend(figure, marks)
    return figure


def _likely(ax: Any, x: float, y: float, right: int, down: int, chance: float, size: float) -> None:
    """One arrow out of the middle of a cell."""
    from matplotlib.patches import FancyArrowPatch

    if chance < LEAST:
        return
    reach = 0.14 + 0.28 * chance
    look: canvas.Look = {"shrinkA": 0, "shrinkB": 0, "color": canvas.BLUE, "zorder": 3}
    ax.add_patch(
        FancyArrowPatch(
            (x, y),
            (x + reach * right, y + reach * down),
            arrowstyle="-|>",
            linewidth=0.8 + 4.2 * chance,
            mutation_scale=size * (0.08 + 0.14 * chance),
            **look,
        )
    )
