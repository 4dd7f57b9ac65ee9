"""What the tests of drawing share: small data worked out by hand, and ways to read a figure."""

import io
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from gridroll import drawing

# S . .     0 1 2     Where up, right, down and left lead from each cell.
# . # G     3 4 5
LEADS = [[0, 1, 3, 0], [1, 2, 1, 0], [2, 2, 5, 1], [0, 3, 3, 3], [4, 4, 4, 4], [5, 5, 5, 5]]

# Four transitions of three episodes: at the goal on t = 1, still going on, cut off on t = 2.
ACTIVE = np.array([[1, 1, 1], [1, 1, 1], [0, 1, 1], [0, 1, 0]], bool)
TERMINATED = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]], bool)
TRUNCATED = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]], bool)
POSITION = np.array([[1, 0, 0], [2, 0, 1], [3, 1, 0], [3, 2, 0], [3, 1, 0]])

THETA = np.array([0.0, 10.0, 16.0, 17.0, 20.0])
NAIVE = np.array([-0.7, -10.0, -15.9, -np.inf, -np.inf])
STABLE = np.array([-0.7, -10.0, -16.0, -17.0, -20.0])


def small_world(**changed: Any) -> SimpleNamespace:
    """The map above, with some of its fields changed."""
    goal, wall = [False] * 5 + [True], [False] * 4 + [True, False]
    rules = {"next_position": LEADS, "goal": goal, "wall": wall, "starts": [0], "columns": 3}
    return SimpleNamespace(**(rules | changed))


def walk(b: int, world: Any = 4) -> Figure:
    """The walk of episode b."""
    flags = TERMINATED[:, b], TRUNCATED[:, b], ACTIVE[:, b]
    return drawing.walk(POSITION[:, b], *flags, world)


def walks(labels: Sequence[str] | None = None) -> Figure:
    """The walks of all three episodes."""
    return drawing.walks(POSITION, TERMINATED, TRUNCATED, ACTIVE, 4, labels=labels)


PICTURES: dict[str, Callable[[], Figure]] = {
    "map_cells": lambda: drawing.map_cells(small_world()),
    "map_cells with arrows": lambda: drawing.map_cells(small_world(), arrows=True),
    "walk": lambda: walk(0),
    "walks": walks,
    "raster": lambda: drawing.raster(ACTIVE, TERMINATED, TRUNCATED),
    "active_counts": lambda: drawing.active_counts(ACTIVE),
    "axes_picture": drawing.axes_picture,
    "log_prob_curves": lambda: drawing.log_prob_curves(THETA, NAIVE, STABLE),
}


def svg(figure: Figure) -> bytes:
    """The bytes of the figure as SVG."""
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "gridroll"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def texts(ax: Axes) -> dict[str, tuple[float, float]]:
    """What is written on the axes, and where."""
    return {text.get_text(): text.get_position() for text in ax.texts}


def notes(ax: Axes) -> list[tuple[str, float, float]]:
    """What is written beside a place of the axes, and the place."""
    return [(note.get_text(), *getattr(note, "xy", (np.nan, np.nan))) for note in ax.texts]


def explained(figure: Figure) -> list[str]:
    """The words of the legend."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def points(line: Line2D) -> list[tuple[float, float]]:
    """The points that a line goes through."""
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata())]


def marks(ax: Axes, shape: str, color: str) -> list[tuple[float, float]]:
    """Where the markers of one shape and colour stand."""
    return [
        point
        for line in ax.get_lines()
        if line.get_marker() == shape and to_hex(line.get_markerfacecolor()) == to_hex(color)
        for point in points(line)
    ]


def arrows(ax: Axes) -> list[list[tuple[float, float]]]:
    """The first and the last point of every arrow; Matplotlib has no public way to read them."""
    ends = [patch._posA_posB for patch in ax.patches if isinstance(patch, FancyArrowPatch)]  # type: ignore[attr-defined]
    return [[(float(x), float(y)) for x, y in pair] for pair in ends]


def boxes(ax: Axes, label: str) -> list[tuple[int, int]]:
    """The (t, row) of each box of one kind in a raster, sorted."""
    (found,) = [kind for kind in ax.collections if kind.get_label() == label]
    middles = [np.asarray(path.vertices)[:4].mean(axis=0) for path in found.get_paths()]
    return sorted((round(x), round(y)) for x, y in middles)


def draws_the_same_bytes_whatever_is_set(draw: Callable[[], Figure]) -> None:
    """Assert that a picture doesn't depend on what the caller has set."""
    expected = svg(draw())
    with matplotlib.rc_context({"font.size": 30, "xtick.major.pad": 20}):
        figure = draw()
    assert svg(figure) == expected


def draws_inside_its_figure(draw: Callable[[], Figure]) -> None:
    """Assert that nothing is drawn outside the figure."""
    figure = draw()
    figure.savefig(io.BytesIO(), format="svg")  # lays the figure out
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height
