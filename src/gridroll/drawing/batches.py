"""Many episodes side by side: which cells of a (T, B) array are in use, and how each row ends."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PADDING: canvas.Look = {"facecolor": "white", "edgecolor": "#B0B0B0", "linewidth": 0.7}
ACTIVE: canvas.Look = {"facecolor": canvas.PALE, "edgecolor": "white", "linewidth": 0.7}


@canvas.styled
def raster(
    active: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    *,
    title: str | None = None,
    xlabel: str = "transition t (row of the array)",
    ylabel: str = "episodes by length",
) -> "Figure":
    """Draw a (T, B) batch as a raster: time across, one line for each episode, sorted by length.

    The count of active environments stands above each transition. Episodes of equal length are
    sorted by their ending, goals first, then by their number in the batch.

    Args:
        active, terminated, truncated: (T, B) bool.
        title: the finding; None for one that counts the endings.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, flags that aren't bool, a transition with both endings.
    """
    active, terminated, truncated = canvas.flags(
        "raster", 2, active=active, terminated=terminated, truncated=truncated
    )
    steps, batch = active.shape
    goals, cut = int(terminated.any(0).sum()), int(truncated.any(0).sum())
    title = title or (
        f"Of {canvas.counted(batch, 'episode')}, {goals} ended at the goal, {cut} at the limit"
    )
    side = min(0.34, 5.4 / batch)  # inches for one episode
    figure = canvas.new_figure(title, 7.0, side * batch + 2.2)
    ax = figure.subplots()
    _raster_axes(ax, steps, batch, xlabel, ylabel)
    order = np.lexsort((np.arange(batch), truncated.any(0), active.sum(0)))
    table = {
        "active": active[:, order].T,
        "goal": terminated[:, order].T,
        "cut": truncated[:, order].T,
    }
    samples = _raster_cells(ax, table, size=min(9.0, 72 * side * 0.72))
    counts, top = active.sum(1), ("data", "axes fraction")
    for t in canvas.ticks(steps):
        canvas.note(ax, str(counts[t]), (t, 1), (0, 5), top, ha="center", weight="bold")
    canvas.note(ax, "active:", (-0.5, 1), (-5, 5), top, ha="right")
    canvas.legend(figure, samples)
    return figure


def _raster_axes(ax: "Axes", steps: int, batch: int, xlabel: str, ylabel: str) -> None:
    ax.set(xlim=(-0.5, steps - 0.5), ylim=(batch - 0.5, -0.5), xlabel=xlabel, ylabel=ylabel)
    ax.set_xticks(canvas.ticks(steps))
    every = max(1, -(-batch // 8))
    ticks = [*range(every - 1, batch, every)]
    ax.set_yticks(ticks, [str(tick + 1) for tick in ticks])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _raster_cells(ax: "Axes", table: dict[str, np.ndarray], size: float) -> list["Artist"]:
    """Fill the cells and mark the endings; returns samples for the legend, with their numbers."""
    from matplotlib.patches import Patch

    active, goal, cut = table.values()
    plain, padding = active & ~goal & ~cut, ~active & ~goal & ~cut
    _boxes(ax, padding, "padding", PADDING)
    _boxes(ax, plain, "active", ACTIVE)
    samples: list[Artist] = [Patch(label="active, the episode goes on", **ACTIVE)]
    for which, words, look, mark in (
        (goal, "ends at the goal", canvas.GOAL, "white"),
        (cut, "cut off by the limit", canvas.CUT_OFF, canvas.INK),
    ):
        if which.any():
            number = canvas.counted(int(which.any(1).sum()), "episode")
            _boxes(
                ax, which, words, {"facecolor": look["color"], "edgecolor": canvas.INK, "lw": 0.7}
            )
            episode, t = np.nonzero(which)
            canvas.marker(
                ax,
                t,
                episode,
                marker=look["marker"],
                color=mark,
                markersize=size,
                markeredgewidth=0,
                label=words,
            )
            samples.append(canvas.sample(f"{words}: {number}", markersize=11, **look))
    if padding.any():
        samples.append(Patch(label="padding after the end", **PADDING))
    return samples


def _boxes(ax: "Axes", which: np.ndarray, label: str, look: dict[str, Any]) -> None:
    """A box for each true cell of a (B, T) mask."""
    from matplotlib.collections import PolyCollection

    corners = np.array([(-0.47, -0.43), (0.47, -0.43), (0.47, 0.43), (-0.47, 0.43)])
    boxes = np.argwhere(which)[:, None, ::-1] + corners
    ax.add_collection(PolyCollection(list(boxes), label=label, **look))


@canvas.styled
def active_counts(
    active: ArrayLike,
    num_envs: int | None = None,
    *,
    title: str | None = None,
    xlabel: str = "transition t",
    ylabel: str = "environments",
) -> "Figure":
    """Draw how many environments are active before each transition, in an array of fixed width.

    Args:
        active: (T, B) bool; or the counts themselves, (T,) integers.
        num_envs: B, the width of the array; wanted with counts, known from a mask.
        title: the finding; None for one that compares the first count with the last.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: neither a (T, B) mask nor (T,) counts with `num_envs`, or a count outside 0..B.
    """
    from matplotlib.patches import Patch

    counts, batch = _counts(np.asarray(active), num_envs)
    steps = len(counts)
    title = title or (
        f"Of {canvas.counted(batch, 'environment')}, {counts[-1]} are active before the last "
        f"transition; the array stays {batch} wide"
    )
    figure = canvas.new_figure(title, 7.0, 4.6)
    ax = figure.subplots()
    hollow: canvas.Look = {
        "facecolor": "white",
        "edgecolor": "#B0B0B0",
        "hatch": "//",
        "linewidth": 0.8,
    }
    filled: canvas.Look = {"facecolor": canvas.BLUE, "edgecolor": canvas.INK}
    times = np.arange(steps)
    ax.bar(times, batch - counts, 0.8, bottom=counts, label="padding", **hollow)
    ax.bar(times, counts, 0.8, label="active", **filled)
    for t in canvas.ticks(steps):
        _number(ax, t, int(counts[t]), batch)
    ax.axhline(batch, color=canvas.GREY, linestyle=(0, (4, 3)), linewidth=1.2, zorder=0.5)
    canvas.note(
        ax, f"array width {batch}", (steps - 0.4, batch), (0, 4), ("data", "data"), ha="right"
    )
    ax.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, batch * 1.12), xlim=(-0.6, steps - 0.4))
    ax.set_xticks(canvas.ticks(steps))
    samples = [
        Patch(label="active before the transition", **filled),
        Patch(label="padding, computed all the same", **hollow),
    ]
    canvas.legend(figure, samples)
    return figure


def _number(ax: "Axes", t: int, count: int, batch: int) -> None:
    """Write a count into the top of its bar, or above a bar that is too low for it."""
    look: canvas.Look = {"offset": (0, 3), "va": "bottom", "backgroundcolor": "white"}
    if count > batch / 8:
        look = {"offset": (0, -5), "va": "top", "color": "white"}
    canvas.note(
        ax, str(count), (t, count), coordinates=("data", "data"), ha="center", weight="bold", **look
    )


def _counts(values: np.ndarray, num_envs: int | None) -> tuple[np.ndarray, int]:
    if values.dtype == np.bool_:
        (mask,) = canvas.table("active_counts", 2, active=values)
        return mask.sum(1), mask.shape[1]
    (counts,) = canvas.table("active_counts", 1, counts=values)
    if not np.issubdtype(counts.dtype, np.integer) or num_envs is None:
        raise ValueError(
            f"active_counts: got {counts.dtype} {counts.shape} and num_envs={num_envs}; give a "
            "(T, B) mask of bools, or (T,) integer counts and num_envs"
        )
    if counts.min() < 0 or counts.max() > num_envs:
        raise ValueError(
            f"active_counts: counts hold {counts.min()} to {counts.max()}; "
            f"with num_envs={num_envs} they must be 0 to {num_envs}"
        )
    return counts, num_envs
