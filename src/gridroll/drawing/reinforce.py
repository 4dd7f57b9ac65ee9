"""A gradient and its estimates: slopes, clouds of estimates, curves of learning."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DATA = ("data", "data")
# One look for each line of a picture; no two share a colour or a dash.
LINES: tuple[canvas.Look, ...] = (
    {"color": canvas.BLUE, "linestyle": "-", "linewidth": 2.6},
    {"color": canvas.VERMILION, "linestyle": (0, (4.2, 1.6)), "linewidth": 2.6},
    {"color": canvas.INK, "linestyle": (0, (1.2, 1.2)), "linewidth": 2.6},
    {"color": canvas.ORANGE, "linestyle": (0, (3.6, 1.2, 1, 1.2)), "linewidth": 2.6},
)
CLOUD: canvas.Look = {"marker": "o", "color": canvas.BLUE, "linestyle": "none"}
MOST_CLOUDS = 4


@canvas.styled
def return_by_logit(
    logits: ArrayLike,
    returns: Mapping[str, ArrayLike],
    slopes: ArrayLike,
    *,
    title: str | None = None,
    xlabel: str = "the logit θ of one cell (the others stay at 0)",
    ylabel: str = "expected return",
) -> "Figure":
    """Draw the expected return as a function of one logit at a time, with the slope at 0.

    Args:
        logits: (N,) increasing, 0 among them.
        returns: by the name of the line, (N,) each; at most four.
        slopes: the derivative of each line at 0, in the same order.
        title: the finding; None for one that names the steepest line.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, no logit of 0, or more lines than looks.
    """
    names = list(returns)
    lines = canvas.table("return_by_logit", 1, logits=logits, **returns)
    across, slopes = lines[0], np.asarray(slopes, float)
    if len(names) > len(LINES) or slopes.shape != (len(names),):
        raise ValueError(
            f"return_by_logit: {len(names)} lines and slopes of shape {slopes.shape}; give a slope "
            f"for each of at most {len(LINES)} lines"
        )
    if not (across == 0).any() or (np.diff(across) <= 0).any():
        raise ValueError("return_by_logit: logits must increase and 0 must be among them")
    steepest = names[int(np.argmax(np.abs(slopes)))]
    figure = canvas.new_figure(title or f"Steepest at 0: the logit of {steepest}", 7.0, 4.4)
    ax = figure.subplots()
    start = float(lines[1][across == 0][0])
    reach = 0.28 * across[-1]
    for name, line, slope, look in zip(names, lines[1:], slopes, LINES, strict=False):
        ax.plot(across, line, **look)
        ax.plot([-reach, reach], start + slope * np.array([-reach, reach]), color=canvas.GREY, lw=1)
        words, bold = f"{name}: slope {slope:.3f}", name == steepest
        canvas.note(
            ax,
            words,
            (float(across[-1]), float(line[-1])),
            (6, 0),
            DATA,
            va="center",
            color=look["color"] if look["color"] != canvas.ORANGE else canvas.INK,
            weight="bold" if bold else "normal",
        )
    canvas.marker(ax, [0], [start], marker="D", color="white", markersize=9)
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(across[0], across[-1]))
    return figure


@canvas.styled
def clouds(
    estimates: Mapping[str, ArrayLike],
    exact: ArrayLike,
    variances: ArrayLike,
    *,
    title: str = "One gradient, four ways to scatter around it",
    labels: tuple[str, str] = ("estimate for θ[1]", "for θ[2]"),
) -> "Figure":
    """Draw estimates of a gradient as clouds around the exact one, a panel for each kind.

    Args:
        estimates: by the name of the kind, (N, 2) each; at most four.
        exact: (2,) where they should be on average.
        variances: of one episode's estimate, written below each name, in the same order.
        title: the finding.
        labels: what is across and what is up.

    Raises:
        ValueError: shapes that differ, more than four kinds, not two components.
    """
    points = canvas.table("clouds", 2, **estimates)
    cross, spread = np.asarray(exact, float), np.asarray(variances, float)
    if not len(points) == len(spread) <= MOST_CLOUDS or points[0].shape[1:] != (2,):
        raise ValueError(
            f"clouds: {len(points)} kinds of shape {points[0].shape} and {len(spread)} variances; "
            f"give (N, 2) and a variance for each of at most {MOST_CLOUDS} kinds"
        )
    if cross.shape != (2,):
        raise ValueError(f"clouds: exact has shape {cross.shape}; it must be (2,)")
    rows = -(-len(points) // 2)
    figure = canvas.new_figure(title, 7.0, 3.0 * rows + 1.0)
    grid = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False)
    for ax, name, cloud, variance in zip(grid.flat, estimates, points, spread, strict=False):
        canvas.marker(
            ax, *cloud.T, markersize=3.2, alpha=0.35, markeredgewidth=0, **CLOUD
        ).set_rasterized(False)
        _ellipse(ax, cloud)
        # A filled sign with a light edge: two thin lines would be taken for axes.
        canvas.marker(ax, *cross[:, None], marker="X", color=canvas.INK, markersize=13, zorder=5)
        words = f"{name}\none episode: variance {variance:.3g}"
        ax.set_title(words, fontsize=13, linespacing=1.15)
    for ax in grid[-1]:
        ax.set_xlabel(labels[0])
    for ax in grid[:, 0]:
        ax.set_ylabel(labels[1])
    for ax in list(grid.flat)[len(points) :]:
        ax.set_axis_off()
    return figure


def _ellipse(ax: "Axes", cloud: np.ndarray) -> None:
    """Two deviations around the mean of a cloud, along its own axes."""
    from matplotlib.patches import Ellipse

    values, vectors = np.linalg.eigh(np.cov(cloud.T))
    angle = float(np.degrees(np.arctan2(vectors[1, -1], vectors[0, -1])))
    width, height = 4 * np.sqrt(np.maximum(values[::-1], 0))
    look: canvas.Look = {"facecolor": "none", "edgecolor": canvas.VERMILION, "linewidth": 2.2}
    ax.add_patch(Ellipse(tuple(cloud.mean(axis=0)), width, height, angle=angle, **look))


@canvas.styled
def learning_curve(
    mean_return: ArrayLike,
    expected_return: ArrayLike,
    best: float,
    *,
    title: str = "The batches scatter around the exact curve",
    xlabel: str = "updates",
    ylabel: str = "return",
) -> "Figure":
    """Draw what each batch earned on average beside the exact expected return of the same theta.

    Args:
        mean_return: (N,) of the batch of update n.
        expected_return: (N,) exact.
        best: what no policy can exceed.
        title: the finding.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ or an empty curve.
    """
    batch, exact = canvas.table(
        "learning_curve", 1, mean_return=mean_return, expected_return=expected_return
    )
    figure = canvas.new_figure(title, 7.0, 4.2)
    ax = figure.subplots()
    updates = np.arange(len(exact))
    dots = canvas.marker(
        ax,
        updates,
        batch,
        marker="o",
        color=canvas.ORANGE,
        markersize=4.5,
        markeredgewidth=0.5,
        label="mean return of the batch",
    )
    (line,) = ax.plot(updates, exact, label="expected return, exact", **LINES[0])
    _optimum(ax, best)
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(-0.01 * len(exact), 1.01 * len(exact)))
    canvas.legend(figure, [dots, line])
    return figure


@canvas.styled
def learning_curves(
    curves: Mapping[str, ArrayLike],
    best: float,
    *,
    title: str,
    xlabel: str = "updates",
    ylabel: str = "expected return",
) -> "Figure":
    """Draw the exact curves of several learners, each by its name.

    Args:
        curves: by the name of the learner, (N,) each; at most four.
        best: what no policy can exceed.
        title: the finding.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, an empty curve, more curves than looks.
    """
    lines = canvas.table("learning_curves", 1, **curves)
    if len(lines) > len(LINES):
        raise ValueError(f"learning_curves: {len(lines)} curves; at most {len(LINES)} can be told")
    figure = canvas.new_figure(title, 7.0, 4.6)
    ax = figure.subplots()
    updates = np.arange(len(lines[0]))
    drawn = [
        ax.plot(updates, line, label=name, **look)[0]
        for name, line, look in zip(curves, lines, LINES, strict=False)
    ]
    _optimum(ax, best)
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(0, len(updates)))
    ax.set_ylim(min(0.0, float(np.min(lines))) - 0.02, max(best, float(np.max(lines))) * 1.09)
    canvas.legend(figure, drawn, columns=2)
    return figure


def _optimum(ax: "Axes", best: float) -> None:
    ax.axhline(best, color=canvas.GREY, linestyle=(0, (4, 3)), linewidth=1.4, zorder=0.5)
    words, place = f"the best possible: {best:.3f}", (0.99, best)
    canvas.note(ax, words, place, (0, 3), ("axes fraction", "data"), ha="right", va="bottom")
