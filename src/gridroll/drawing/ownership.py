"""Who gets which key: a tree and a chain, and which detector sees which fault."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas, keys

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

USED_UP: canvas.Look = {"facecolor": "white", "edgecolor": canvas.GREY, "linestyle": "--"}
DRAWS: canvas.Look = {"facecolor": canvas.TINT, "edgecolor": canvas.BLUE, "linewidth": 1.8}


@canvas.styled
def tree_and_chain(*, title: str | None = None) -> "Figure":
    """Draw how a key gets to the resets and the actions: as a tree, and as a chain.

    Args:
        title: the idea; None for one line on the two.
    """
    from matplotlib.patches import Patch

    figure = canvas.new_figure(
        title or "A tree splits for all steps at once; a chain hands a key on", 7.0, 6.2
    )
    tree, chain = figure.subplots(2, 1, height_ratios=(7.5, 4.5))
    _tree(tree)
    _chain(chain)
    samples = [
        Patch(label="split, and used up by it", **USED_UP),
        Patch(label="draws, and is never split", **DRAWS),
    ]
    canvas.legend(figure, samples)
    return figure


def _tree(ax: "Axes") -> None:
    ax.set(xlim=(0, 14), ylim=(6.9, -0.6))
    ax.set_axis_off()
    ax.text(0, -0.5, "tree: keys.rollout_keys", ha="left", va="center", weight="bold")
    _box(ax, (6.2, 0.4), "key", USED_UP)
    _box(ax, (2.1, 2.3), "reset_key", USED_UP)
    _box(ax, (9.6, 2.3), "action_key", USED_UP)
    for x in (2.1, 9.6):
        _arrow(ax, (6.2, 0.85), (x, 1.85))
    for b in range(3):
        _box(ax, (0.7 + 1.4 * b, 4.2), f"b={b}", DRAWS)
        _arrow(ax, (2.1, 2.75), (0.7 + 1.4 * b, 3.75))
    for t in range(2):
        middle = 7.4 + 4.4 * t
        _box(ax, (middle, 4.2), f"t={t}", USED_UP)
        _arrow(ax, (9.6, 2.75), (middle, 3.75))
        for b in range(3):
            x = middle + 1.4 * (b - 1)
            _box(ax, (x, 6.1), f"b={b}", DRAWS)
            _arrow(ax, (middle, 4.65), (x, 5.65))
    ax.text(2.1, 5.1, "resets", **canvas.CENTRED)
    ax.text(9.6, 4.2, "actions", **canvas.CENTRED)


def _chain(ax: "Axes") -> None:
    ax.set(xlim=(0, 14), ylim=(3.6, -0.9))
    ax.set_axis_off()
    ax.text(0, -0.7, "chain: keys.chain_keys", ha="left", va="center", weight="bold")
    for t in range(4):
        x = 1.3 + 3.8 * t
        if t == 3:
            ax.text(x - 0.6, 0.6, "···", **canvas.CENTRED)
        else:
            _box(ax, (x, 0.6), "key", USED_UP)
            for dx, words in ((-0.35, "action"), (1.45, "step")):
                _box(ax, (x + dx, 2.7), f"{words}\nt={t}", DRAWS, tall=True)
                _arrow(ax, (x, 1.05), (x + dx, 2.0))
        if t < 3:
            _arrow(ax, (x + 0.75, 0.6), (x + 3.05 - (0.5 if t == 2 else 0.0), 0.6))
            ax.text(x + 1.9, 0.2, "hands on", fontsize=11, ha="center", va="bottom")


def _box(
    ax: "Axes", middle: tuple[float, float], words: str, look: canvas.Look, tall: bool = False
) -> None:
    """A key, with the name of what owns it."""
    from matplotlib.patches import FancyBboxPatch

    x, y = middle
    width, height = (1.5 if tall else 0.24 * len(words) + 0.42), (1.3 if tall else 0.86)
    corner = (x - width / 2, y - height / 2)
    style = "round,pad=0,rounding_size=0.2"
    ax.add_patch(FancyBboxPatch(corner, width, height, boxstyle=style, **look))
    ax.text(x, y, words, fontsize=12, **canvas.CENTRED)


def _arrow(ax: "Axes", start: tuple[float, float], end: tuple[float, float]) -> None:
    from matplotlib.patches import FancyArrowPatch

    look: canvas.Look = {"arrowstyle": "-|>", "color": canvas.INK, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(start, end, mutation_scale=11, linewidth=1.3, **look))


COLUMNS = ("draws", "different\nkeys", "correlation", "the flag")
KINDS: dict[str, canvas.Look] = {
    "alarm": {"marker": "o", "color": canvas.BLUE},
    "false alarm": {"marker": "X", "color": canvas.ORANGE},
    "no alarm": {"marker": "o", "color": "white"},
}
Marks = dict[str, list[tuple[float, float]]]
PLACES = (3.95, 6.85, 8.75, 10.9)  # where the marks of each column stand


@canvas.styled
def detectors(
    programs: Mapping[str, bool],
    draws: Sequence[ArrayLike],
    distinct: Sequence[int],
    correlation: Sequence[float],
    raised: Sequence[bool],
    *,
    threshold: float = 0.05,
    title: str | None = None,
) -> "Figure":
    """Draw a table: what four detectors say of each program, and whether they are right.

    A filled mark is an alarm. An alarm on a right program has a frame of its own: a false one.

    Args:
        programs: the name of each program -> whether its keys are right.
        draws: for each program, what one key draws, (n,) numbers between 0 and 1.
        distinct: how many different keys drew.
        correlation: the largest correlation of two of its draws, over many keys.
        raised: whether `jax.debug_key_reuse` stopped it.
        threshold: the correlation from which on it counts as an alarm.
        title: the finding; None for one that counts the faults that each detector sees.

    Raises:
        ValueError: lists of another length than `programs`.
    """
    rows = [np.asarray(row) for row in draws]
    columns = {"draws": rows, "distinct": distinct, "correlation": correlation, "raised": raised}
    for name, column in columns.items():
        if len(column) != len(programs):
            raise ValueError(
                f"detectors: {name} has {len(column)} entries for {len(programs)} programs"
            )
    figure = canvas.new_figure(title or "No detector sees every fault", 7.4, 0.44 * len(rows) + 1.8)
    ax = figure.subplots()
    ax.set(xlim=(0, 12.5), ylim=(len(rows) - 0.4, -1.6))
    ax.set_axis_off()
    for x, words in zip(PLACES, COLUMNS, strict=True):
        ax.text(x - 0.13, -0.62, words, ha="left", va="bottom", weight="bold", linespacing=1.05)
    marks: Marks = {"alarm": [], "false alarm": [], "no alarm": []}
    for y, (name, is_right) in enumerate(programs.items()):
        if y and is_right != list(programs.values())[y - 1]:
            ax.plot([0, 12.5], [y - 0.5, y - 0.5], color=canvas.INK, linewidth=1.0)
        size = rows[y].size
        ax.text(0, y, name, ha="left", va="center", fontsize=12)
        _strip(ax, rows[y], y)
        found = (
            ("", len(np.unique(rows[y])) < size),
            (f"{distinct[y]} of {size}", distinct[y] < size),
            (f"{correlation[y]:.2f}", correlation[y] > threshold),
            ("raises" if raised[y] else "silent", bool(raised[y])),
        )
        for x, (words, alarm) in zip(PLACES, found, strict=True):
            ax.text(x + 0.3, y, words, ha="left", va="center", fontsize=12)
            kind = ("false alarm" if is_right else "alarm") if alarm else "no alarm"
            marks[kind].append((x, float(y)))
    for kind, places in marks.items():
        x_and_y = np.array(places).reshape(-1, 2).T
        canvas.marker(ax, *x_and_y, markersize=9, **KINDS[kind])
    samples = [canvas.sample(kind, **look) for kind, look in KINDS.items()]
    canvas.legend(figure, samples, columns=3)
    return figure


def _strip(ax: "Axes", draws: np.ndarray, y: int) -> None:
    """The draws of one program as tiles, right of the first column's mark."""
    import matplotlib
    from matplotlib.patches import Rectangle

    colours = matplotlib.colormaps[keys.SCALE]
    for i, draw in enumerate(draws):
        left = PLACES[0] + 0.3 + 0.36 * i
        look: canvas.Look = {"facecolor": colours(float(draw)), "edgecolor": "white"}
        ax.add_patch(Rectangle((left, y - 0.26), 0.36, 0.52, **look))
