"""What a recording earned: which rewards count where, three averages, the choice of episodes."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gridroll.drawing import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REACHED: canvas.Look = {"facecolor": canvas.BLUE, "edgecolor": canvas.INK, "linewidth": 1.0}
CUT: canvas.Look = {"facecolor": canvas.ORANGE, "edgecolor": canvas.INK, "linewidth": 1.0}
HATCH = "///"
MOST_ROWS = 8


@canvas.styled
def credit(
    reward: ArrayLike, gamma: float = 1.0, *, title: str | None = None, digits: int = 2
) -> "Figure":
    """Draw which rewards each transition is credited with: a triangle of weights, row by row.

    Args:
        reward: (T,) rewards, T at most 8.
        gamma: the discount, between 0 and 1.
        title: the finding; None for one that names the rule.
        digits: how many decimals the sums have.

    Raises:
        ValueError: a wrong number of axes, too many rows, a discount outside 0 to 1.
    """
    (values,) = canvas.table("credit", 1, reward=reward)
    size = len(values)
    if size > MOST_ROWS:
        raise ValueError(f"credit: {size} rewards; at most {MOST_ROWS} rows can be read")
    if not 0 <= gamma <= 1:
        raise ValueError(f"credit: gamma is {gamma:g}; it must be between 0 and 1")
    row = np.arange(size)
    ahead = row - row[:, None]
    weights = np.where(ahead >= 0, float(gamma) ** np.maximum(ahead, 0), 0.0)
    title = title or "A transition is credited with every reward from it on"
    figure = canvas.new_figure(title, 7.0, 0.62 * size + 2.1)
    ax = figure.subplots()
    ax.set(xlim=(-1.35, size + 1.6), ylim=(size - 0.45, -1.75))
    ax.set_axis_off()
    for u in range(size):
        _words(ax, u, -1.35, f"u = {u}", color=canvas.GREY)
        _words(ax, u, -0.85, _amount(f"{values[u]:g}"), weight="bold")
    _words(ax, -0.7, -0.85, "reward", ha="right")
    _words(ax, size + 0.55, -0.85, "return-to-go", ha="center")
    for t in range(size):
        _words(ax, -0.7, t, f"t = {t}", ha="right", color=canvas.GREY)
        _words(ax, size - 0.15, t, "=")
        total = float(weights[t] @ values)
        _words(ax, size + 0.55, t, _amount(f"{total:.{digits}f}"), weight="bold")
        for u in range(size):
            _weight(ax, t, u, weights[t, u], gamma)
    return figure


def _weight(ax: "Axes", t: int, u: int, weight: float, gamma: float) -> None:
    """One cell of the triangle: its weight, or a dot where the reward is in the past."""
    from matplotlib.patches import Rectangle

    if u < t:
        _words(ax, u, t, "·", color=canvas.GREY)
        return
    look: canvas.Look = {"facecolor": canvas.TINT, "edgecolor": canvas.BLUE, "linewidth": 1.4}
    ax.add_patch(Rectangle((u - 0.44, t - 0.4), 0.88, 0.8, **look))
    _words(ax, u, t, f"× {weight:.3g}")


def _amount(text: str) -> str:
    """A number with the minus sign of prose."""
    return text.replace("-", "−")


def _words(ax: "Axes", x: float, y: float, words: str, **look: Any) -> None:
    ax.text(x, y, words, **{**canvas.CENTRED, "fontsize": 13, **look})


@canvas.styled
def three_averages(
    episode_return: ArrayLike,
    reached: ArrayLike,
    averages: ArrayLike,
    counts: ArrayLike,
    *,
    near: float = 0.1,
    title: str | None = None,
    xlabel: str = "return of an episode",
    ylabel: str = "episodes",
) -> "Figure":
    """Draw the returns of a batch as a histogram, and above it three averages of the recording.

    Args:
        episode_return: (B,) one return for each episode.
        reached: (B,) bool, whether the episode reached a goal.
        averages: three numbers: over episodes, over live transitions, over cells.
        counts: three integers: how many of each there are.
        near: the episodes within this distance of the first average are counted, in a pale band.
        title: the finding; None for one on where the averages lie.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: shapes that differ, flags that aren't bool, not three averages and counts.
    """
    earned, goals = canvas.table(
        "three_averages", 1, episode_return=episode_return, reached=reached
    )
    means, sizes = canvas.table("three_averages", 1, averages=averages, counts=counts)
    if goals.dtype != np.bool_:
        raise ValueError(f"three_averages: reached has dtype {goals.dtype}; it must be bool")
    if len(means) != 3:
        raise ValueError(f"three_averages: {len(means)} averages; it must be three of them")
    figure = canvas.new_figure(
        title or "One recording, three averages, no episode near any", 7.0, 5.6
    )
    top, ax = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [1.1, 1.7]})
    ax.patch.set_visible(False)  # so that the lines from above are seen between the axes
    _histogram(ax, earned, goals)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    _band(ax, earned, float(means[0]), near)
    _average_rows(top, ax, means, sizes)
    return figure


def _histogram(ax: "Axes", earned: np.ndarray, reached: np.ndarray) -> None:
    """Bars two hundredths wide, those of episodes that were cut off hatched."""
    width = 0.02
    # A quarter of a bar off, so that returns in whole hundredths lie inside the bars.
    first = width * (np.floor(np.round(earned.min() / width, 3)) - 0.25)
    edges = np.arange(first, earned.max() + 1.5 * width, width)
    groups = ((reached, "reached\nthe goal", REACHED), (~reached, "cut off", CUT))
    for mask, words, look in groups:
        if mask.any():
            heights = ax.hist(earned[mask], list(edges), label=words, **look)[0]
            place = (float(earned[mask].mean()), float(np.max(heights)))
            text = f"{int(mask.sum())} {words}" if "\n" in words else f"{int(mask.sum())}\n{words}"
            canvas.note(ax, text, place, (0, 5), ("data", "data"), ha="center", linespacing=1.1)
    ax.set_ylim(0, np.histogram(earned, edges)[0].max() * 1.36)
    room = 0.06 * (earned.max() - earned.min())
    ax.set_xlim(earned.min() - room, earned.max() + 1.4 * room)


def _band(ax: "Axes", earned: np.ndarray, mean: float, near: float) -> None:
    """A pale band around the mean return, with how many episodes lie in it."""
    inside = int((np.abs(earned - mean) < near).sum())
    ax.axvspan(mean - near, mean + near, color=canvas.TINT, zorder=0)
    text = f"{canvas.counted(inside, 'episode')}\nwithin {near:g}"
    look: canvas.Look = {"ha": "center", "va": "center"}
    look["bbox"] = {"facecolor": canvas.TINT, "edgecolor": "none", "pad": 2.0}
    canvas.note(ax, text, (mean, 0.45), (0, 0), ("data", "axes fraction"), **look)


def _average_rows(top: "Axes", ax: "Axes", means: np.ndarray, sizes: np.ndarray) -> None:
    """A row for each average, the first one lowest, and a line from each down to the axis."""
    rows = (
        (f"what an episode\nearns ({sizes[0]} episodes)", "o", canvas.INK, "-"),
        (f"what a live transition earns ({sizes[1]} of them)", "s", canvas.VERMILION, "--"),
        (f"what a cell of the array holds ({sizes[2]} cells)", "^", canvas.GREY, ":"),
    )
    top.set(ylim=(-0.5, 2.5))
    top.set_axis_off()
    for y, (mean, (words, shape, color, dash)) in enumerate(zip(means, rows, strict=True)):
        line: canvas.Look = {"color": color, "linestyle": dash, "linewidth": 2.0, "zorder": 0.5}
        (stem,) = top.plot([mean, mean], [-1.0, y], clip_on=False, **line)
        stem.set_in_layout(False)  # it goes on below, and must not push the other axes down
        ax.axvline(mean, **line)
        canvas.marker(top, [mean], [y], marker=shape, color=color, markersize=11)
        place, value = (float(mean), y), _amount(f"{mean:.3f}")
        look: canvas.Look = {"va": "center", "ha": "left"}
        offsets = ((11, 0), (62, 0)) if y else ((11, 13), (11, -10))
        canvas.note(top, value, place, offsets[0], ("data", "data"), weight="bold", size=15, **look)
        canvas.note(top, words, place, offsets[1], ("data", "data"), linespacing=1.05, **look)


@canvas.styled
def first_to_finish(
    mean_of_first: ArrayLike,
    chosen: int,
    goals: int,
    *,
    title: str | None = None,
    xlabel: str = "n, the first episodes to finish",
    ylabel: str = "their mean return",
) -> "Figure":
    """Draw the mean return of the first n episodes to finish, for every n up to all of them.

    Args:
        mean_of_first: (B,) entry n - 1 is the mean over the first n to finish.
        chosen: the n that a report was on.
        goals: how many of the first to finish reached a goal, before the first one that didn't.
        title: the finding; None for one on who finishes first.
        xlabel, ylabel: the labels of the axes.

    Raises:
        ValueError: not one axis, or a count outside 1..B.
    """
    (means,) = canvas.table("first_to_finish", 1, mean_of_first=mean_of_first)
    size = len(means)
    for name, count in (("chosen", chosen), ("goals", goals)):
        if not 1 <= count <= size:
            raise ValueError(f"first_to_finish: {name} is {count}; it must be 1 to {size}")
    fair, reported = float(means[-1]), float(means[chosen - 1])
    title = title or "The first to finish are those that succeeded"
    figure = canvas.new_figure(title, 7.0, 4.2)
    ax = figure.subplots()
    ax.axhline(fair, color=canvas.GREY, linestyle=(0, (4, 3)), linewidth=1.4, zorder=0.5)
    first, rest = np.arange(1, goals + 1), np.arange(goals, size + 1)
    ax.plot(first, means[first - 1], color=canvas.BLUE, linewidth=3.0)
    ax.plot(rest, means[rest - 1], color=canvas.ORANGE, linewidth=3.0, linestyle=(0, (3, 1)))
    canvas.marker(ax, [chosen], [reported], marker="X", color=canvas.ORANGE, markersize=13)
    canvas.marker(ax, [size], [fair], marker="D", color=canvas.BLUE, markersize=9)
    data = ("data", "data")
    bold: canvas.Look = {"weight": "bold", "size": 14}
    text = f"the first {chosen}: {_amount(f'{reported:.3f}')}"
    canvas.note(ax, text, (chosen, reported), (0, -24), data, ha="center", **bold)
    text = f"all {size}: {_amount(f'{fair:.3f}')}"
    canvas.note(ax, text, (size, fair), (-4, -24), data, ha="right", **bold)
    if goals < size:
        text = f"then the {size - goals}\nthat were cut off"
        place = (goals + 0.2 * (size - goals), 0.7 * fair + 0.3 * float(means[goals - 1]))
        canvas.note(ax, text, place, (0, 0), data, ha="right", va="center", linespacing=1.1)
    ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(0, size + 1.5), ylim=(0, 1.1))
    return figure
