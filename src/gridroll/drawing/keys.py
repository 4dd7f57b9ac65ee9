"""What keys do to draws: tables of draws as tiles, and the draws that two splits share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCALE = "cividis"  # read alike with every kind of colour vision, and brighter where larger in print


@canvas.styled
def tiles(
    tables: Mapping[str, ArrayLike],
    *,
    title: str | None = None,
    xlabel: str = "environment b",
    ylabel: str = "step t",
) -> "Figure":
    """Draw tables of draws side by side: a tile for each number, the brighter the larger.

    Above each table stands its name, and how many different numbers it holds.

    Args:
        tables: the name of each table -> (T, B) draws between 0 and 1.
        title: the finding; None for one that names the table with the most different numbers.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: tables of different shapes, an empty one, or draws outside 0 to 1.
    """
    arrays = canvas.table("tiles", 2, **dict(tables))
    for name, draws in zip(tables, arrays, strict=True):
        _between_0_and_1("tiles", name, draws)
    counts = [len(np.unique(draws)) for draws in arrays]
    best = list(tables)[int(np.argmax(counts))]
    title = title or f"Only {best} has another number in every place"
    steps, batch = arrays[0].shape
    figure = canvas.new_figure(title, 7.0, 7.0 / len(arrays) * 0.86 * steps / batch + 1.7)
    panels = figure.subplots(1, len(arrays), sharex=True, sharey=True, squeeze=False)[0]
    for ax, name, draws, count in zip(panels, tables, arrays, counts, strict=True):
        _mesh(ax, draws)
        ax.set_title(f"{name}\n{count} different of {draws.size}", fontsize=12, loc="left")
        ax.set_xlabel(xlabel)
        ax.set_xticks(_ends(batch), [str(round(tick)) for tick in _ends(batch)])
        ax.set_aspect("equal")
    panels[0].set_yticks(_ends(steps), [str(round(tick)) for tick in _ends(steps)])
    panels[0].set(ylabel=ylabel, ylim=(steps - 0.5, -0.5))
    return figure


def _between_0_and_1(picture: str, name: str, draws: np.ndarray) -> None:
    if not (draws >= 0).all() or not (draws <= 1).all():
        raise ValueError(f"{picture}: {name} holds {draws.min():g} to {draws.max():g}; draws are "
                         "between 0 and 1")  # fmt: skip


def _mesh(ax: "Axes", draws: np.ndarray) -> None:
    """A tile for each number of a (T, B) table, row 0 at the top."""
    rows, columns = draws.shape
    edges = (np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5)
    look: canvas.Look = {"edgecolors": "white", "linewidth": 0.6}
    ax.pcolormesh(*edges, draws, vmin=0, vmax=1, cmap=SCALE, **look)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _ends(size: int) -> list[float]:
    """The first place of an axis and the last one."""
    return [0.0, size - 1.0] if size > 1 else [0.0]


@canvas.styled
def shared_draws(
    first: ArrayLike,
    second: ArrayLike,
    *,
    labels: tuple[str, str] = ("split(key, M)", "split(key, N)"),
    title: str | None = None,
) -> "Figure":
    """Draw two rows of draws, and a line between each pair of equal ones.

    Args:
        first: (M,) draws between 0 and 1.
        second: (N,) draws between 0 and 1.
        labels: what each row was drawn with.
        title: the finding; None for one that counts the shared draws.

    Raises:
        ValueError: an empty row, one of another rank, or draws outside 0 to 1.
    """
    (above,) = canvas.table("shared_draws", 1, first=first)
    (below,) = canvas.table("shared_draws", 1, second=second)
    for name, draws in (("first", above), ("second", below)):
        _between_0_and_1("shared_draws", name, draws)
    pairs = np.argwhere(above[:, None] == below)
    kept = len(np.unique(pairs[:, 1]))
    title = title or f"{kept} of the {len(below)} draws below stand above as well"
    widest = max(len(above), len(below))
    figure = canvas.new_figure(title, 7.0, 4.8 * 6.3 / (widest + 0.4) + 0.5)
    ax = figure.subplots()
    for y, (draws, label) in enumerate(zip((above, below), labels, strict=True)):
        _row(ax, draws, 2.2 * y)
        beside, side = (-0.62, "bottom") if y == 0 else (2.85, "top")
        ax.text(-0.5, beside, label, ha="left", va=side, fontsize=13)
    for i, j in pairs:
        ax.plot([i, j], [0.5, 1.7], color=canvas.VERMILION, linewidth=2.4)
    ax.set(xlim=(-0.7, widest - 0.3), ylim=(3.5, -1.3), aspect="equal")
    ax.set_axis_off()
    return figure


def _row(ax: "Axes", draws: np.ndarray, y: float) -> None:
    """One row of tiles, each with its number's first two digits."""
    import matplotlib
    from matplotlib.patches import Rectangle

    colours = matplotlib.colormaps[SCALE]
    for x, draw in enumerate(draws):
        look: canvas.Look = {"facecolor": colours(float(draw)), "edgecolor": canvas.INK}
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **look))
        ink = "white" if draw < 0.55 else canvas.INK
        ax.text(x, y, f"{draw:.2f}".lstrip("0"), color=ink, fontsize=12, **canvas.CENTRED)
