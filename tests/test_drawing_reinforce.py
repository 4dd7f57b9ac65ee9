"""The pictures of lesson 06 show the numbers that they are given, and nothing else."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, FancyArrowPatch
from pictures import (
    arrows,
    draws_inside_its_figure,
    draws_the_same_bytes_whatever_is_set,
    explained,
    marks,
    notes,
    points,
    small_world,
)

from gridroll import drawing
from gridroll.drawing import canvas

LOGITS = np.array([-1.0, 0.0, 1.0])
RETURNS = {"cell 0": [0.1, 0.3, 0.4], "cell 1": [-0.2, 0.3, 0.8]}
# Four points around (2, 1): deviations of 4 / sqrt(3) along x and of 2 / sqrt(3) along y.
CLOUD = np.array([[4.0, 2.0], [0.0, 2.0], [4.0, 0.0], [0.0, 0.0]])
EXACT = [0.4, 0.7, 0.9]
# Up, right, down, left, for the six cells of the small world.
CHANCES = np.array(
    [[0.0, 0.75, 0.25, 0.0], [0.25] * 4, [0, 0, 1, 0], [0.25] * 4] + [[0.25] * 4] * 2
)


def slopes() -> Figure:
    return drawing.return_by_logit(LOGITS, RETURNS, [0.15, 0.5])


def policy_map() -> Figure:
    return drawing.policy_map(small_world(), CHANCES, title="A policy")


PICTURES: dict[str, Callable[[], Figure]] = {
    "return_by_logit": slopes,
    "clouds": lambda: drawing.clouds({"a": CLOUD, "b": CLOUD / 2, "c": CLOUD}, [2, 1], [3, 1, 2]),
    "learning_curve": lambda: drawing.learning_curve([0.5, 0.6, 0.95], EXACT, 0.98),
    "learning_curves": lambda: drawing.learning_curves(
        {"one": EXACT, "another": [0.4, 0.2, -0.1]}, 0.98, title="Two learners"
    ),
    "policy_map": policy_map,
}
every_picture = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


@every_picture
def test_same_call_gives_the_same_bytes_whatever_the_caller_has_set(
    draw: Callable[[], Figure],
) -> None:
    draws_the_same_bytes_whatever_is_set(draw)


@every_picture
def test_nothing_is_drawn_outside_the_figure(draw: Callable[[], Figure]) -> None:
    draws_inside_its_figure(draw)


def test_each_logit_has_its_line_and_its_slope_through_the_return_at_0() -> None:
    (ax,) = slopes().axes
    first, tangent, second, steep = (points(line) for line in ax.get_lines()[:4])
    assert first == [(-1, 0.1), (0, 0.3), (1, 0.4)]
    assert second == [(-1, -0.2), (0, 0.3), (1, 0.8)]
    for line, slope in ((tangent, 0.15), (steep, 0.5)):
        (x0, y0), (x1, y1) = line
        assert (y1 - y0) / (x1 - x0) == pytest.approx(slope)
        assert (y0 + y1) / 2 == pytest.approx(0.3)
    assert marks(ax, "D", "white") == [(0, 0.3)]
    assert {"cell 0: slope 0.150", "cell 1: slope 0.500"} <= {text for text, _, _ in notes(ax)}


def test_the_steepest_logit_is_named_in_the_title() -> None:
    assert slopes().get_suptitle() == "Steepest at 0: the logit of cell 1"


def test_a_cloud_has_every_estimate_the_exact_cross_and_two_deviations() -> None:
    ax = drawing.clouds({"total": CLOUD}, [2.5, 1.5], [0.307]).axes[0]
    assert marks(ax, "o", canvas.BLUE) == [tuple(point) for point in CLOUD]
    assert marks(ax, "X", canvas.INK) == [(2.5, 1.5)]
    (ring,) = [patch for patch in ax.patches if isinstance(patch, Ellipse)]
    assert tuple(ring.center) == (2, 1)
    assert ring.width == pytest.approx(4 * 4 / np.sqrt(3))
    assert ring.height == pytest.approx(4 * 2 / np.sqrt(3))
    assert ax.get_title() == "total\none episode: variance 0.307"


def test_all_clouds_share_their_axes() -> None:
    figure = drawing.clouds({"a": CLOUD, "b": CLOUD / 10}, [2, 1], [3, 1])
    first, second = figure.axes
    assert first.get_xlim() == second.get_xlim()
    assert first.get_ylim() == second.get_ylim()


def test_a_learning_curve_has_a_dot_for_each_batch_and_a_line_for_the_exact_return() -> None:
    figure = drawing.learning_curve([0.5, 0.6, 0.95], EXACT, 0.98)
    (ax,) = figure.axes
    assert marks(ax, "o", canvas.ORANGE) == [(0, 0.5), (1, 0.6), (2, 0.95)]
    assert points(ax.get_lines()[1]) == [(0, 0.4), (1, 0.7), (2, 0.9)]
    assert "the best possible: 0.980" in {text for text, _, _ in notes(ax)}
    assert explained(figure) == ["mean return of the batch", "expected return, exact"]


def test_learners_are_told_apart_by_their_dashes_too() -> None:
    figure = PICTURES["learning_curves"]()
    (ax,) = figure.axes
    one, another = ax.get_lines()[:2]
    assert [y for _, y in points(another)] == [0.4, 0.2, -0.1]
    assert one.get_linestyle() != another.get_linestyle()
    assert one.get_color() != another.get_color()
    assert explained(figure) == ["one", "another"]
    assert ax.get_ylim()[0] < -0.1


def test_a_likely_action_has_a_long_wide_arrow_and_an_unlikely_one_none() -> None:
    (ax,) = policy_map().axes
    drawn = {tuple(start): [] for start, _ in arrows(ax)}  # type: ignore[var-annotated]
    for start, end in arrows(ax):
        drawn[start].append(end)
    assert len(drawn[(0.5, 0.5)]) == 2  # right and down from cell 0
    right, down = (np.subtract(end, (0.5, 0.5)) for end in drawn[(0.5, 0.5)])
    assert right[0] > down[1] > 0
    assert right[1] == down[0] == 0
    assert len(drawn[(1.5, 0.5)]) == 4
    assert len(drawn[(2.5, 0.5)]) == 1
    widths = [patch.get_linewidth() for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert max(widths) > 2 * min(widths)


def test_no_arrow_leaves_a_wall_or_a_goal() -> None:
    (ax,) = policy_map().axes
    assert not {(1.5, 1.5), (2.5, 1.5)} & {start for start, _ in arrows(ax)}


WRONG: dict[str, Callable[[], Figure]] = {
    "return_by_logit: 2 lines and slopes of shape (1,); give a slope": (
        lambda: drawing.return_by_logit(LOGITS, RETURNS, [0.1])
    ),
    "return_by_logit: logits must increase and 0 must be among them": (
        lambda: drawing.return_by_logit(LOGITS + 0.5, RETURNS, [0.1, 0.2])
    ),
    "return_by_logit: cell 0 has shape (3,) and logits (2,)": (
        lambda: drawing.return_by_logit([0, 1], RETURNS, [0.1, 0.2])
    ),
    "clouds: 1 kinds of shape (4, 2) and 2 variances": (
        lambda: drawing.clouds({"a": CLOUD}, [2, 1], [1, 2])
    ),
    "clouds: 1 kinds of shape (4, 3) and 1 variances": (
        lambda: drawing.clouds({"a": np.ones((4, 3))}, [2, 1], [1])
    ),
    "clouds: exact has shape (3,); it must be (2,)": (
        lambda: drawing.clouds({"a": CLOUD}, [2, 1, 0], [1])
    ),
    "learning_curve: expected_return has shape (3,) and mean_return (2,)": (
        lambda: drawing.learning_curve([1, 2], EXACT, 1.0)
    ),
    "learning_curves: 5 curves; at most 4 can be told": (
        lambda: drawing.learning_curves({str(n): EXACT for n in range(5)}, 1.0, title="Many")
    ),
    "policy_map: probabilities has shape (6, 2); with this world it must be (6, 4)": (
        lambda: drawing.policy_map(small_world(), CHANCES[:, :2], title="A policy")
    ),
    "policy_map: goal has shape (1,) and wall (6,)": (
        lambda: drawing.policy_map(small_world(goal=[True]), CHANCES, title="A policy")
    ),
    "policy_map: each row of probabilities must sum to 1": (
        lambda: drawing.policy_map(small_world(), CHANCES * 2, title="A policy")
    ),
}


@pytest.mark.parametrize(("message", "draw"), WRONG.items(), ids=WRONG)
def test_bad_input_raises_one_line_that_says_what_came(
    message: str, draw: Callable[[], Figure]
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        draw()
    assert "\n" not in str(raised.value)
