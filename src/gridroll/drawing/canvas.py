"""What every picture shares: the style sheet, the colours, the words and the checks of arrays."""

import textwrap
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:  # matplotlib is slow to import, and most who import gridroll draw nothing
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

STYLE_SHEET = Path(__file__).parents[1] / "gridroll.mplstyle"

Look = dict[str, Any]  # arguments that say how a mark looks

# Okabe and Ito's blue and orange also differ as greys. A shape always says the same once more.
BLUE, ORANGE, VERMILION = "#0072B2", "#E69F00", "#D55E00"
INK, GREY, PALE, TINT = "#222222", "#767676", "#C9D6E2", "#E3EFF7"
GOAL: Look = {"marker": "D", "color": BLUE}  # terminated: the goal was reached
CUT_OFF: Look = {
    "marker": "X",
    "color": ORANGE,
}  # truncated: the limit cut the episode off

CENTRED: Look = {"ha": "center", "va": "center"}

P = ParamSpec("P")


def styled(draw: Callable[P, "Figure"]) -> Callable[P, "Figure"]:
    """Run `draw` under the course's style sheet alone, whatever the caller has set."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> "Figure":
        import matplotlib.style

        with matplotlib.style.context(str(STYLE_SHEET), after_reset=True):
            return draw(*args, **kwargs)

    return drawn


def new_figure(title: str, width: float, height: float) -> "Figure":
    """An empty figure of `width` by `height` inches that pyplot doesn't know of."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    letters = int(width * 8.6)  # what fits on a line at the title's size
    figure.suptitle(textwrap.fill(title, letters), x=0.015, ha="left", linespacing=1.25)
    return figure


def legend(figure: "Figure", handles: Sequence["Artist"], columns: int = 2) -> None:
    """Put the legend below the axes, where it covers no data."""
    figure.legend(handles=list(handles), loc="outside lower left", ncols=columns)


def marker(ax: "Axes", x: ArrayLike, y: ArrayLike, **look: Any) -> "Line2D":
    """Draw markers without a line, each with a dark edge."""
    look = {"linestyle": "none", "markeredgecolor": INK, "markeredgewidth": 1.0, **look}
    (line,) = ax.plot(x, y, **look)
    return line


def sample(label: str, **look: Any) -> "Line2D":
    """A marker for a legend that stands for what has been drawn otherwise."""
    from matplotlib.lines import Line2D

    look = {"linestyle": "none", "markeredgecolor": INK, "markeredgewidth": 1.0, **look}
    return Line2D([], [], label=label, **look)


def note(
    ax: "Axes",
    words: str,
    place: tuple[float, float],
    offset: tuple[float, float],
    coordinates: tuple[str, str],
    **look: Any,
) -> None:
    """Write `words` beside a place, `offset` points away; `coordinates` say what x and y mean."""
    ax.annotate(words, place, offset, xycoords=coordinates, textcoords="offset points", **look)


def ticks(size: int, most: int = 20) -> range:
    """Evenly spaced places of an axis, 0 first, at most `most` of them."""
    return range(0, size, -(-size // most))


def counted(number: int, noun: str) -> str:
    """`counted(1, "row")` is "1 row", `counted(2, "row")` is "2 rows"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def table(picture: str, dimensions: int, **arrays: ArrayLike) -> tuple[np.ndarray, ...]:
    """The arrays as NumPy arrays, after a check that they share one shape.

    Args:
        picture: the name of the drawing function, for the message.
        dimensions: how many axes each array must have.
        arrays: by name; each of the same shape, with at least one element.

    Raises:
        ValueError: a wrong number of axes, an empty array, or shapes that differ.
    """
    taken = {name: np.asarray(values) for name, values in arrays.items()}
    first_name, first = next(iter(taken.items()))
    wanted = {1: "(T,)", 2: "(T, B)"}[dimensions]
    for name, values in taken.items():
        if values.ndim != dimensions or values.size == 0:
            raise ValueError(
                f"{picture}: {name} has shape {values.shape}; it must be {wanted}, not empty"
            )
        if values.shape != first.shape:
            raise ValueError(
                f"{picture}: {name} has shape {values.shape} and {first_name} {first.shape}; "
                "they must be the same"
            )
    return tuple(taken.values())


def flags(picture: str, dimensions: int, **arrays: ArrayLike) -> tuple[np.ndarray, ...]:
    """`table` for arrays of bools, of which `terminated` and `truncated` may not meet.

    Raises:
        ValueError: as `table`, or an array that is not of bools, or a transition with both endings.
    """
    masks = dict(zip(arrays, table(picture, dimensions, **arrays), strict=True))
    for name, mask in masks.items():
        if mask.dtype != np.bool_:
            raise ValueError(f"{picture}: {name} has dtype {mask.dtype}; it must be bool")
    both = np.argwhere(masks["terminated"] & masks["truncated"])
    if len(both):
        place = "[" + ", ".join(str(index) for index in both[0]) + "]"
        raise ValueError(
            f"{picture}: terminated{place} and truncated{place} are both true; "
            "an episode ends in one way"
        )
    return tuple(masks.values())
