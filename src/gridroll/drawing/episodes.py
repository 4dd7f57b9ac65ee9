"""One episode over time: the cells it visits, how it ends, and the padding after it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@canvas.styled
def walk(
    position: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    active: ArrayLike,
    world: Any,
    *,
    title: str | None = None,
    xlabel: str = "transition t (row of the table)",
    ylabel: str = "cell",
) -> "Figure":
    """Draw one walk over time, and below it the three flags of every transition.

    Args:
        position: (T + 1,) cells, before the first transition and after each.
        terminated, truncated, active: (T,) bool.
        world: the number of cells, or anything with a `goal` (S,), whose row is then marked.
        title: the finding; None for one that is read off the flags.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that don't fit together, flags that aren't bool, a cell out of range.
    """
    terminated, truncated, active = canvas.flags(
        "walk", 1, terminated=terminated, truncated=truncated, active=active
    )
    cells, goals = _cells("walk", world)
    position = _positions("walk", position, active.shape, cells)
    title = title or f"The walk {_ending(terminated, truncated, active)}"
    tall = min(0.5 * cells, 4.0)  # inches for the cells
    figure = canvas.new_figure(title, 7.0, tall + 3.0)
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[tall, 0.9])
    samples = _path(top, position, terminated, truncated, active, cells, goals)
    top.set_ylabel(ylabel)
    top.tick_params(bottom=False, labelbottom=False)
    top.spines["bottom"].set_visible(False)
    rows = {"active": active, "terminated": terminated, "truncated": truncated}
    _flag_rows(bottom, rows, xlabel)
    canvas.legend(figure, samples)
    return figure


@canvas.styled
def walks(
    position: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    active: ArrayLike,
    world: Any,
    *,
    labels: Sequence[str] | None = None,
    title: str | None = None,
    xlabel: str = "transition t (row of the table)",
    ylabel: str = "cell",
) -> "Figure":
    """Draw a few walks of the same length in time, one panel below the other.

    Args:
        position: (T + 1, B) cells, before the first transition and after each.
        terminated, truncated, active: (T, B) bool.
        world: the number of cells, or anything with a `goal` (S,), whose row is then marked.
        labels: B lines, one above each panel; None for lines that are read off the flags.
        title: the finding; None for a line that counts the endings.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: as `walk`, or a number of labels that isn't B.
    """
    terminated, truncated, active = canvas.flags(
        "walks", 2, terminated=terminated, truncated=truncated, active=active
    )
    cells, goals = _cells("walks", world)
    position = _positions("walks", position, active.shape, cells)
    batch = active.shape[1]
    columns = list(zip(position.T, terminated.T, truncated.T, active.T, strict=True))
    if labels is None:
        labels = [f"Walk {b} {_ending(*column[1:])}" for b, column in enumerate(columns)]
    if len(labels) != batch:
        raise ValueError(f"walks: {len(labels)} labels for {canvas.counted(batch, 'walk')}")
    goals_reached, cut = terminated.any(0).sum(), truncated.any(0).sum()
    title = title or (
        f"Of {canvas.counted(batch, 'walk')}, {goals_reached} ended at the goal, {cut} at the limit"
    )
    figure = canvas.new_figure(title, 7.0, batch * (0.22 * cells + 0.85) + 2.0)
    panels = figure.subplots(batch, 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    samples: dict[str, Artist] = {}
    for ax, column, label in zip(panels, columns, labels, strict=True):
        for drawn in _path(ax, *column, cells, goals):
            samples.setdefault(str(drawn.get_label()), drawn)
        ax.set_title(label, loc="left", fontsize=13)
        ax.set_ylabel(ylabel)
    panels[-1].set_xlabel(xlabel)
    canvas.legend(figure, list(samples.values()))
    return figure


def _cells(picture: str, world: Any) -> tuple[int, np.ndarray]:
    """The number of cells of a world and the goals among them; a bare number has no goals."""
    if hasattr(world, "goal"):
        goal = np.asarray(world.goal)
        return len(goal), np.flatnonzero(goal)
    if isinstance(world, bool) or not isinstance(world, int | np.integer) or world < 1:
        raise ValueError(f"{picture}: world is {world!r}; it must be a world or a number of cells")
    return int(world), np.array([], int)


def _positions(picture: str, position: ArrayLike, shape: tuple[int, ...], cells: int) -> np.ndarray:
    taken = np.asarray(position)
    wanted = (shape[0] + 1, *shape[1:])
    if taken.shape != wanted:
        raise ValueError(
            f"{picture}: position has shape {taken.shape}; with flags of shape {shape} it must be "
            f"{wanted}, one more row for where the last transition leads"
        )
    if taken.min() < 0 or taken.max() >= cells:
        raise ValueError(
            f"{picture}: position holds {taken.min()} to {taken.max()}; cells are 0 to {cells - 1}"
        )
    return taken


def _ending(terminated: np.ndarray, truncated: np.ndarray, active: np.ndarray) -> str:
    """What happens to a walk, as the end of a sentence."""
    after = canvas.counted(int((~active).sum()), "row")
    tail = "" if active.all() else f", then {after} of padding"
    if terminated.any():
        return f"reaches the goal at t = {terminated.argmax()}{tail}"
    if truncated.any():
        return f"is cut off at t = {truncated.argmax()}{tail}"
    return f"has not ended after {canvas.counted(len(active), 'transition')}"


def _path(
    ax: "Axes",
    position: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
    active: np.ndarray,
    cells: int,
    goals: np.ndarray,
) -> list["Artist"]:
    """Draw the transitions of one walk; return samples for the legend."""
    _time_axes(ax, len(active), cells)
    for goal in goals:
        ax.axhspan(goal - 0.4, goal + 0.4, color=canvas.TINT, zorder=0)
        look: canvas.Look = {"va": "center", "color": canvas.BLUE}
        canvas.note(ax, "goal", (1, goal), (4, 0), ("axes fraction", "data"), **look)
    ended = terminated | truncated
    kept, padding = active & ~ended, ~active & ~ended
    samples = [_start(ax, position[0])]
    if kept.any():
        samples.append(_arrows(ax, position, kept, "one transition", canvas.INK, 2.0))
    for which, words, look in (
        (terminated, "ending: terminated at the goal", canvas.GOAL),
        (truncated, "ending: truncated by the limit", canvas.CUT_OFF),
    ):
        if which.any():
            _arrows(ax, position, which, words, look["color"], 4.5)
            t = np.flatnonzero(which)
            canvas.marker(ax, t + 0.5, position[t + 1], markersize=13, zorder=5, **look)
            samples.append(canvas.sample(words, markersize=11, **look))
    if padding.any():
        samples.append(_padding(ax, position, padding))
    return samples


def _time_axes(ax: "Axes", steps: int, cells: int) -> None:
    """Transition t lies between t - 0.5 and t + 0.5; a light line marks each state between two."""
    ax.set(xlim=(-0.7, steps - 0.3), ylim=(-0.6, cells - 0.4))
    ax.set_xticks(canvas.ticks(steps))
    ax.set_yticks(canvas.ticks(cells, 8))
    ax.vlines(np.arange(steps + 1) - 0.5, -0.6, cells - 0.4, color="#E2E2E2", lw=0.8, zorder=0)


def _start(ax: "Axes", cell: int) -> "Artist":
    return canvas.marker(
        ax,
        [-0.5],
        [cell],
        marker="o",
        color="white",
        markersize=10,
        zorder=5,
        label="the start",
        markeredgewidth=1.8,
    )


def _arrows(
    ax: "Axes", position: np.ndarray, which: np.ndarray, words: str, color: str, width: float
) -> "Artist":
    """An arrow for every transition in `which`; returns a sample for the legend."""
    from matplotlib.patches import FancyArrowPatch

    for t in np.flatnonzero(which):
        ends = (t - 0.5, position[t]), (t + 0.5, position[t + 1])
        ax.add_patch(
            FancyArrowPatch(
                *ends,
                arrowstyle="-|>",
                color=color,
                linewidth=width,
                shrinkA=0,
                shrinkB=0,
                mutation_scale=13,
                zorder=4,
            )
        )
    return canvas.sample(words, marker=r"$\rightarrow$", color=color, markersize=16)


def _padding(ax: "Axes", position: np.ndarray, padding: np.ndarray) -> "Artist":
    """Hollow marks on a dashed line: rows of the table in which nothing happens."""
    look: canvas.Look = {
        "marker": "o",
        "color": "white",
        "markeredgecolor": canvas.GREY,
        "markersize": 7,
    }
    t = np.flatnonzero(padding)
    ax.hlines(position[t], t - 0.5, t + 0.5, color=canvas.GREY, lw=1.4, linestyle="--", zorder=2)
    return canvas.marker(
        ax, t + 0.5, position[t + 1], zorder=3, label="padding: it stays, reward 0", **look
    )


def _flag_rows(ax: "Axes", rows: dict[str, np.ndarray], xlabel: str) -> None:
    """The flags as a table: one mark where a flag is true, a small dot where it is false."""
    looks = ({"marker": "o", "color": canvas.INK}, canvas.GOAL, canvas.CUT_OFF)
    for y, (flag, look) in enumerate(zip(rows.values(), looks, strict=True)):
        true, false = np.flatnonzero(flag), np.flatnonzero(~flag)
        canvas.marker(ax, true, np.full(true.shape, y), markersize=9, **look)
        dot: canvas.Look = {"marker": "o", "color": canvas.GREY, "markeredgewidth": 0}
        canvas.marker(ax, false, np.full(false.shape, y), markersize=3, **dot)
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=xlabel)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
