"""Estimates beside exact numbers: counts in their band, a mean that closes in on its value."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas
from gridroll.drawing.planning import amount

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@canvas.styled
def counts_in_band(
    counts: ArrayLike,
    expected: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    title: str | None = None,
    xlabel: str = "transition t",
    ylabel: str = "active environments",
) -> "Figure":
    """Draw counted environments inside the band that is expected of them.

    Args:
        counts: (T,) how many were active before each transition.
        expected: (T,) how many are expected.
        low, high: (T,) the ends of the band.
        title: the finding; None for one that says how many counts lie inside.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, or a band upside down.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    seen, middle, below, above = canvas.table(
        "counts_in_band", 1, counts=counts, expected=expected, low=low, high=high
    )
    if (below > above).any():
        t = int(np.argmax(below > above))
        raise ValueError(f"counts_in_band: low[{t}] is above high[{t}]; a band ends higher up")
    inside = int(((seen >= below - 1e-3) & (seen <= above + 1e-3)).sum())
    steps = len(seen)
    all_of = "All" if inside == steps else f"{inside} of"
    figure = canvas.new_figure(
        title or f"{all_of} {steps} counts lie inside the exact band", 7.0, 4.6
    )
    ax = figure.subplots()
    band: canvas.Look = {"facecolor": canvas.PALE, "edgecolor": canvas.BLUE, "linewidth": 1.2}
    dash: canvas.Look = {"color": canvas.BLUE, "linewidth": 2.6}
    dot: canvas.Look = {"marker": "o", "color": canvas.ORANGE, "markersize": 10}
    times = np.arange(steps)
    ax.bar(times, above - below, 0.62, bottom=below, **band)
    ax.hlines(middle, times - 0.31, times + 0.31, **dash)
    canvas.marker(ax, times, seen, zorder=3, **dot)
    for t in canvas.ticks(steps):
        place = (t, float(max(above[t], seen[t])))
        canvas.note(ax, f"{seen[t]:g}", place, (0, 8), ("data", "data"), ha="center", weight="bold")
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(-0.6, steps - 0.4), ylim=(0, above.max() * 1.14))
    ax.set_xticks(canvas.ticks(steps))
    samples = [
        canvas.sample("counted", **dot),
        Line2D([], [], label="expected", **dash),
        Patch(label="two standard errors either side", **band),
    ]
    canvas.legend(figure, samples, columns=3)
    return figure


@canvas.styled
def mean_in_funnel(
    sizes: ArrayLike,
    means: ArrayLike,
    exact: float,
    deviation: float,
    marked: tuple[int, ...] = (),
    *,
    title: str | None = None,
    xlabel: str = "number of episodes",
    ylabel: str = "their mean return",
) -> "Figure":
    """Draw the mean of the first n episodes, inside two standard errors around the exact value.

    Below it the same distance once more, in standard errors: there the band doesn't close.

    Args:
        sizes: (N,) increasing numbers of episodes, on a logarithmic axis.
        means: (N,) the mean of the first `sizes[i]` episodes.
        exact: the expected return.
        deviation: how far one return is from it, so the error of n episodes is deviation/sqrt(n).
        marked: some of the sizes; their means are marked and written beside.
        title: the finding; None for one on where the mean goes.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, sizes that don't increase, or a mark that is no size.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    number, mean = canvas.table("mean_in_funnel", 1, sizes=sizes, means=means)
    if (np.diff(number) <= 0).any() or number[0] < 1:
        raise ValueError("mean_in_funnel: sizes must increase, from 1 on")
    missing = [size for size in marked if size not in number]
    if missing:
        raise ValueError(f"mean_in_funnel: {missing[0]} is marked and is none of the sizes")
    figure = canvas.new_figure(title or "The mean closes in on the exact value", 7.0, 6.4)
    ax, below = figure.subplots(2, sharex=True, height_ratios=[5, 3])
    ax.set_xscale("log")
    half = 2 * deviation / np.sqrt(number)
    errors = 2 * (mean - exact) / half
    band: canvas.Look = {"facecolor": canvas.PALE, "edgecolor": canvas.BLUE, "linewidth": 1.2}
    dash: canvas.Look = {"color": canvas.BLUE, "linewidth": 1.8, "linestyle": "--"}
    line: canvas.Look = {"color": canvas.ORANGE, "linewidth": 2.4}
    ax.fill_between(number, exact - half, exact + half, **band)
    ax.axhline(exact, **dash)
    ax.plot(number, mean, **line)
    below.axhspan(-2, 2, **band)
    below.axhline(0, **dash)
    below.plot(number, errors, **line)
    data = ("data", "data")
    for size in marked:
        y = float(mean[list(number).index(size)])
        off = float(errors[list(number).index(size)])
        dot: canvas.Look = {"marker": "o", "color": canvas.ORANGE, "markersize": 11, "zorder": 4}
        canvas.marker(ax, [size], [y], **dot)
        canvas.marker(below, [size], [off], **dot)
        last = size == number[-1]
        offset, side = ((4, 22), "right") if last else ((10, 8), "left")
        words = f"{_thousands(size)}: {amount(y, 3)}"
        canvas.note(ax, words, (size, y), offset, data, ha=side, weight="bold", size=14)
        place = (4, -36) if last else (2, -27)
        words = amount(off, 1)
        canvas.note(below, words, (size, off), place, data, ha=side, weight="bold", size=14)
    canvas.note(
        ax,
        f"exact: {amount(exact, 3)}",
        (number[-1], exact),
        (4, -26),
        data,
        ha="right",
        weight="bold",
        size=14,
        color=canvas.BLUE,
    )
    reach = 1.04 * max(half[0], float(np.abs(mean - exact).max()))
    ax.set(ylabel=ylabel, xlim=(number[0], number[-1] * 1.25))
    ax.set_ylim(exact - reach, exact + reach)
    high = 1.1 * max(2.5, float(np.abs(errors).max()))
    below.set(xlabel=xlabel, ylabel="standard\nerrors off", ylim=(-high, high), yticks=[-2, 0, 2])
    below.minorticks_off()
    ax.minorticks_off()
    tens = [10**power for power in range(10) if number[0] <= 10**power <= number[-1]]
    ax.set_xticks(tens, [_thousands(ten) for ten in tens])
    samples = [
        Line2D([], [], label="mean of the first n", **line),
        Patch(label="two standard errors around the exact value", **band),
    ]
    canvas.legend(figure, samples)
    return figure


def _thousands(number: int) -> str:
    """A whole number with thin spaces between groups of three digits."""
    return f"{number:,}".replace(",", "\u2009")
