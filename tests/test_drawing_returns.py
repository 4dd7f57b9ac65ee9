"""The pictures of lesson 04 show the numbers that they are given, and nothing else."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure
from pictures import (
    draws_inside_its_figure,
    draws_the_same_bytes_whatever_is_set,
    marks,
    notes,
    points,
    texts,
)

from gridroll import drawing
from gridroll.drawing import canvas

# Four episodes: two that were cut off at -0.08, two that reached the goal.
EARNED = np.array([-0.08, 0.97, -0.08, 0.95])
REACHED = np.array([False, True, False, True])
COLORS = (canvas.INK, canvas.VERMILION, canvas.GREY)
AVERAGES, COUNTS = (0.44, 0.08, 0.055), (4, 22, 32)


def three_averages() -> Figure:
    return drawing.three_averages(EARNED, REACHED, AVERAGES, COUNTS)


PICTURES: dict[str, Callable[[], Figure]] = {
    "credit": lambda: drawing.credit([-0.01, -0.01, 1, 0]),
    "credit with a discount": lambda: drawing.credit([8, 4, 2], 0.5),
    "three_averages": three_averages,
    "first_to_finish": lambda: drawing.first_to_finish([0.99, 0.98, 0.6], 2, 2),
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


def test_credit_weights_each_reward_from_the_row_on() -> None:
    (ax,) = drawing.credit([8, 4, 2], 0.5).axes
    weights = {(x, y): text.get_text() for text in ax.texts for x, y in [text.get_position()]}
    # Half of it for each row to wait, and a dot for what lies in the past.
    assert [weights[(u, 0)] for u in range(3)] == ["× 1", "× 0.5", "× 0.25"]
    assert [weights[(u, 1)] for u in range(3)] == ["·", "× 1", "× 0.5"]
    assert [weights[(u, 2)] for u in range(3)] == ["·", "·", "× 1"]
    assert {"10.50", "5.00", "2.00"} <= set(texts(ax))  # 8 + 2 + 0.5, 4 + 1, 2


def test_credit_adds_up_everything_where_there_is_no_discount() -> None:
    (ax,) = drawing.credit([-0.01, -0.01, 1, 0]).axes
    assert {"−0.01", "1", "0", "0.98", "0.99", "1.00", "0.00"} <= set(texts(ax))


def test_three_averages_stand_at_their_values_each_with_its_count() -> None:
    top, ax = three_averages().axes
    assert [marks(top, shape, color)[0] for shape, color in zip("os^", COLORS, strict=True)] == [
        (0.44, 0),
        (0.08, 1),
        (0.055, 2),
    ]
    words = " ".join(text for text, _, _ in notes(top))
    assert {"0.440", "0.080", "0.055"} <= set(words.split())
    assert re.findall(r"\((\d+)", words) == ["4", "22", "32"]
    lines = [x for line in ax.get_lines() for x, _ in points(line)[:1]]
    assert lines == list(AVERAGES)


def test_the_histogram_holds_every_episode_by_its_ending() -> None:
    ax = three_averages().axes[1]
    goals, cut = (sum(bar.get_height() for bar in bars) for bars in ax.containers)
    assert (goals, cut) == (2, 2)
    tall = [bar for bar in ax.containers[1] if bar.get_height()]
    assert len(tall) == 1
    assert tall[0].get_x() < -0.08 < tall[0].get_x() + tall[0].get_width()
    assert {"2 reached\nthe goal", "2\ncut off"} <= {text for text, _, _ in notes(ax)}


@pytest.mark.parametrize(("mean", "said"), [(0.44, "0 episodes"), (0.9, "2 episodes")])
def test_the_band_says_how_many_episodes_are_near_the_mean(mean: float, said: str) -> None:
    figure = drawing.three_averages(EARNED, REACHED, (mean, 0.08, 0.055), COUNTS)
    assert f"{said}\nwithin 0.1" in {text for text, _, _ in notes(figure.axes[1])}


def test_first_to_finish_draws_every_mean_and_names_two() -> None:
    (ax,) = drawing.first_to_finish([0.99, 0.98, 0.7, 0.5], 2, 3).axes
    drawn = {point for line in ax.get_lines()[1:3] for point in points(line)}
    assert drawn == {(1, 0.99), (2, 0.98), (3, 0.7), (4, 0.5)}
    assert marks(ax, "X", canvas.ORANGE) == [(2, 0.98)]
    assert marks(ax, "D", canvas.BLUE) == [(4, 0.5)]
    words = {text for text, _, _ in notes(ax)}
    assert {"the first 2: 0.980", "all 4: 0.500", "then the 1\nthat were cut off"} <= words


WRONG: dict[str, Callable[[], Figure]] = {
    "credit: 9 rewards; at most 8 rows can be read": lambda: drawing.credit(np.ones(9)),
    "credit: gamma is 2; it must be between 0 and 1": lambda: drawing.credit([1, 2], 2),
    "three_averages: reached has dtype int": (
        lambda: drawing.three_averages(EARNED, [1, 0, 1, 0], AVERAGES, COUNTS)
    ),
    "three_averages: 2 averages; it must be three": (
        lambda: drawing.three_averages(EARNED, REACHED, (1, 2), (3, 4))
    ),
    "three_averages: reached has shape (1,)": (
        lambda: drawing.three_averages(EARNED, [True], AVERAGES, COUNTS)
    ),
    "first_to_finish: chosen is 4; it must be 1 to 3": (
        lambda: drawing.first_to_finish([1, 1, 1], 4, 2)
    ),
    "first_to_finish: goals is 0; it must be 1 to 3": (
        lambda: drawing.first_to_finish([1, 1, 1], 2, 0)
    ),
}


@pytest.mark.parametrize(("message", "draw"), WRONG.items(), ids=WRONG)
def test_bad_input_raises_one_line_that_says_what_came(
    message: str, draw: Callable[[], Figure]
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        draw()
    assert "\n" not in str(raised.value)
