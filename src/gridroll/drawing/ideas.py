"""Pictures of an idea: what the two axes of a rollout mean, and what rounding does to a log."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@canvas.styled
def axes_picture(num_steps: int = 8, num_envs: int = 64, *, title: str | None = None) -> "Figure":
    """Draw a time-major (T, B) array: scan goes down the time axis, vmap across environments.

    Of a long axis only the first three places and the last are drawn.

    Args:
        num_steps: T, at least 2.
        num_envs: B, at least 2.
        title: the idea; None for one line on the two axes.

    Raises:
        ValueError: a size below 2; one place alone shows no axis.
    """
    for name, size in (("num_steps", num_steps), ("num_envs", num_envs)):
        if size < 2:
            raise ValueError(f"axes_picture: {name} is {size}; it must be at least 2")
    times, envs = _shown(num_steps), _shown(num_envs)
    right, bottom = len(envs), len(times) + 1  # the row of final states
    figure = canvas.new_figure(
        title or "scan goes down time, vmap across environments", 7.0, 0.6 * bottom + 2.3
    )
    ax = figure.subplots()
    ax.set(xlim=(-2.1, right + 2.9), ylim=(bottom + 0.5, -1.9))
    ax.set_axis_off()
    _bands(ax, right, bottom)
    for y, time in enumerate([-1, *times, num_steps]):
        for x, env in enumerate(envs):
            _place(ax, x, y, env, time, num_steps)
        if time is not None and 0 <= time < num_steps:
            _words(ax, -0.75, y, f"t = {time}", ha="right")
    for x, env in enumerate(envs):
        if env is not None:
            _words(ax, x, -0.75, str(env))
            _thread(ax, x, bottom)
    _words(ax, -0.75, -0.75, "b =", ha="right")
    _words(ax, right - 0.35, 0, "states from reset (B,)", ha="left")
    _words(ax, right - 0.35, bottom, "final states (B,)", ha="left")
    _words(ax, right - 0.35, 1, "one row: B transitions\nin one call", ha="left", color=canvas.BLUE)
    _words(ax, right - 0.35, bottom - 1, "one column: what one\nenvironment did", ha="left")
    if len(times) > 3:
        _words(ax, right - 0.35, 2.5, "a square: what is\nrecorded for (t, b)", ha="left")
    across, down = f"vmap: {num_envs} environments, kept apart", f"scan: {num_steps} transitions"
    _long_arrow(ax, (-0.5, -1.3), (right - 0.5, -1.3), across)
    _long_arrow(ax, (-1.75, 0), (-1.75, bottom), down)
    return figure


def _shown(size: int) -> list[int | None]:
    """The places of an axis that are drawn; None stands for those left out."""
    return list(range(size)) if size <= 5 else [0, 1, 2, None, size - 1]


def _bands(ax: "Axes", right: int, bottom: int) -> None:
    """Light up one row, and put a dashed frame around one column."""
    from matplotlib.patches import Rectangle

    row: canvas.Look = {
        "facecolor": canvas.TINT,
        "edgecolor": canvas.BLUE,
        "linewidth": 1.6,
        "zorder": 0,
    }
    ax.add_patch(Rectangle((-0.55, 0.55), right + 0.1, 0.9, **row))
    frame: canvas.Look = {
        "facecolor": "none",
        "edgecolor": canvas.INK,
        "linewidth": 1.6,
        "linestyle": "--",
    }
    ax.add_patch(Rectangle((right - 1.45, 0.6), 0.9, bottom - 1.2, zorder=4, **frame))


def _place(ax: "Axes", x: int, y: int, env: int | None, time: int | None, num_steps: int) -> None:
    """One place of the grid: a state (a circle), a transition's record (a square) or dots."""
    if env is None:
        _words(ax, x, y, "···")
    elif time is None:
        _words(ax, x, y, "⋮", backgroundcolor="white")
    elif 0 <= time < num_steps:
        canvas.marker(ax, [x], [y], marker="s", color=canvas.PALE, markersize=17, zorder=3)
    else:
        canvas.marker(ax, [x], [y], marker="o", color="white", markersize=14, zorder=3)


def _thread(ax: "Axes", x: int, bottom: int) -> None:
    """Short arrows down one environment: its state goes into each transition and out of it."""
    for y in range(bottom):
        _arrow(ax, (x, y + 0.27), (x, y + 0.73), 10.0, 1.5)


def _long_arrow(
    ax: "Axes", start: tuple[float, float], end: tuple[float, float], words: str
) -> None:
    """An arrow along an axis of the array, with its meaning beside it."""
    _arrow(ax, start, end, 22.0, 4.0)
    (x, y), (_, end_y) = start, end
    if y == end_y:
        _words(ax, x, y - 0.4, words, ha="left", weight="bold")
    else:
        _words(ax, x - 0.3, (y + end_y) / 2, words, rotation=90, weight="bold")


def _arrow(
    ax: "Axes",
    start: tuple[float, float],
    end: tuple[float, float],
    head: float,
    width: float,
) -> None:
    from matplotlib.patches import FancyArrowPatch

    look: canvas.Look = {"arrowstyle": "-|>", "color": canvas.INK, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(start, end, mutation_scale=head, linewidth=width, **look))


def _words(ax: "Axes", x: float, y: float, words: str, **look: Any) -> None:
    ax.text(x, y, words, **{**canvas.CENTRED, "fontsize": 12, **look})


@canvas.styled
def log_prob_curves(
    theta: ArrayLike,
    naive: ArrayLike,
    stable: ArrayLike,
    *,
    labels: tuple[str, str] = ("log(sigmoid(−θ))", "log_sigmoid(−θ)"),
    title: str | None = None,
    xlabel: str = "logit θ",
    ylabel: str = "log-probability (nats)",
) -> "Figure":
    """Draw a log-probability computed in two ways; where the naive one is −inf, say so.

    Args:
        theta: (N,) finite logits, increasing.
        naive: (N,) log-probabilities, perhaps −inf from one logit on.
        stable: (N,) finite log-probabilities.
        labels: what each curve computes, the naive one first.
        title: the finding; None for one that names the first logit at which `naive` is −inf.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, a theta that doesn't increase, values of another kind.
    """
    theta, naive, stable = canvas.table(
        "log_prob_curves", 1, theta=theta, naive=naive, stable=stable
    )
    if not (np.diff(theta) > 0).all():
        raise ValueError("log_prob_curves: theta must increase from each element to the next")
    finite = np.isfinite(naive)
    if not finite[0] or np.isnan(naive).any() or (np.diff(finite.astype(int)) > 0).any():
        raise ValueError("log_prob_curves: naive must be finite, or finite first and then −inf")
    if not np.isfinite(stable).all():
        raise ValueError("log_prob_curves: stable must be finite everywhere")
    lost = np.flatnonzero(~finite)
    figure = canvas.new_figure(title or _loss(theta, lost, labels), 7.0, 4.4)
    ax = figure.subplots()
    ax.plot(theta[finite], naive[finite], label=labels[0], color=canvas.ORANGE, linewidth=8.0)
    ax.plot(theta, stable, label=labels[1], color=canvas.BLUE, linewidth=2.0)
    if len(lost):
        first, last = lost[0], lost[0] - 1
        _fall(ax, (float(theta[last]), float(naive[last])), float(theta[first]))
    ax.set(xlabel=xlabel, ylabel=ylabel)
    canvas.legend(figure, ax.get_lines()[:2])
    return figure


def _loss(theta: np.ndarray, lost: np.ndarray, labels: tuple[str, str]) -> str:
    if len(lost) == 0:
        return f"{labels[0]} and {labels[1]} are both finite here"
    return f"From θ = {theta[lost[0]]:g} on, {labels[0]} is −inf"


def _fall(ax: "Axes", last: tuple[float, float], x: float) -> None:
    """An arrow from the last finite point to x at the bottom of the axes, which means −inf."""
    bottom = ax.get_ylim()[0]
    arrow = {"arrowstyle": "-|>", "color": canvas.VERMILION, "linestyle": "--", "linewidth": 2.2}
    arrow |= {"shrinkA": 0, "shrinkB": 0, "mutation_scale": 20}
    ax.annotate("", (x, bottom), last, arrowprops=arrow)
    ax.annotate(
        f"−inf from θ = {x:g}", (x, bottom), (-16, 12), textcoords="offset points", ha="right"
    )
    ax.set_ylim(bottom)
