"""The pictures of lesson 05 show the numbers that they are given, and nothing else."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from pictures import (
    arrows,
    draws_inside_its_figure,
    draws_the_same_bytes_whatever_is_set,
    explained,
    marks,
    notes,
    points,
    small_world,
    texts,
)

from gridroll import drawing
from gridroll.drawing import canvas

# Cells 0 and 1 and the goal, cell 2; left and right. One step costs a tenth, the goal pays 2.
CORRIDOR = SimpleNamespace(
    next_position=[[0, 1], [0, 2], [2, 2]],
    goal=[False, False, True],
    step_reward=-0.1,
    goal_reward=2.0,
)
# Rows by transitions taken: 3, 2, 1 and 0 steps left.
VALUE = np.array([[0.3, 0.8, 0.0], [0.4, 0.9, 0.0], [-0.1, 0.95, 0.0], [0.0, 0.0, 0.0]])
COUNTS, EXPECTED = [4, 3, 0], [4.0, 2.5, 2.0]
LOW, HIGH = [4.0, 1.5, 1.0], [4.0, 3.5, 3.0]
# S . .
# . # G
VALUES = np.array([[-0.1, -0.1, 0.7, -0.1, 0.0, 0.0], [0.8, 0.9, 1.0, 0.7, 0.0, 0.0]])
ACTION, WALK = [1, 1, 2, 0, 0, 0], [0, 1, 2, 5]


def counts_in_band(counts: Any = COUNTS) -> Figure:
    return drawing.counts_in_band(counts, EXPECTED, LOW, HIGH)


def mean_in_funnel(**changed: Any) -> Figure:
    given: dict[str, Any] = {
        "sizes": [4, 16, 400],
        "means": [0.9, 0.6, 0.52],
        "exact": 0.5,
        "deviation": 0.4,
        "marked": (16, 400),
    }
    return drawing.mean_in_funnel(**(given | changed))


PICTURES: dict[str, Callable[[], Figure]] = {
    "backup": lambda: drawing.backup(CORRIDOR, 1),
    "values_by_steps_left": lambda: drawing.values_by_steps_left(VALUE, CORRIDOR.goal),
    "counts_in_band": counts_in_band,
    "mean_in_funnel": mean_in_funnel,
    "value_maps": lambda: drawing.value_maps(small_world(), VALUES, ["1 left", "4 left"]),
    "plan_walk": lambda: drawing.plan_walk(small_world(), ACTION, WALK),
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


def squares(ax: Axes) -> dict[tuple[float, float], Rectangle]:
    """The cells of a map or a table, by the place of their middle."""
    found = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    return {(p.get_x() + p.get_width() / 2, p.get_y() + p.get_height() / 2): p for p in found}


def color_at(ax: Axes, place: tuple[float, float]) -> str:
    return to_hex(squares(ax)[place].get_facecolor())


# One backup ------------------------------------------------------------------------------


def test_a_backup_leads_to_both_cells_below_with_what_each_move_earns() -> None:
    (ax,) = drawing.backup(CORRIDOR, 1).axes
    ends = {(round(x), round(y)) for _, (x, y) in arrows(ax)}
    assert ends == {(0, 1), (2, 1)}
    assert {(round(x), round(y)) for (x, y), _ in arrows(ax)} == {(1, 2)}
    assert {"left: −0.10", "right: 2.00"} <= set(texts(ax))


def test_what_a_move_earns_stands_on_its_arrow() -> None:
    (ax,) = drawing.backup(CORRIDOR, 1).axes
    where = texts(ax)
    for ((x, y), (to_x, to_y)), words in zip(
        arrows(ax), ("left: −0.10", "right: 2.00"), strict=True
    ):
        assert where[words] == pytest.approx(((x + to_x) / 2, (y + to_y) / 2))


def test_in_a_backup_the_last_row_and_the_goal_are_known_to_be_0() -> None:
    (ax,) = drawing.backup(CORRIDOR, 1).axes
    words = {text.get_position(): text.get_text() for text in ax.texts}
    zero = {place for place, word in words.items() if word == "0"}
    assert zero == {(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)}


# Values by steps left --------------------------------------------------------------------


def test_values_stand_at_their_cell_and_the_steps_that_are_left() -> None:
    (ax,) = drawing.values_by_steps_left(VALUE, CORRIDOR.goal).axes
    words = {text.get_position(): text.get_text() for text in ax.texts}
    assert words[(0, 3)] == "0.300"
    assert words[(0, 1)] == "−0.100"
    assert [words[(1, left)] for left in range(4)] == ["0", "0.950", "0.900", "0.800"]
    assert {words[(2, left)] for left in range(4)} == {"0"}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1", "2, goal"]


def test_a_triangle_marks_what_is_worth_less_than_with_one_step_less() -> None:
    figure = drawing.values_by_steps_left(VALUE, CORRIDOR.goal)
    (ax,) = figure.axes
    dips = {(int(x), y) for x, y in marks(ax, "v", canvas.VERMILION)}
    assert dips == {(0, 1), (0, 3), (1, 2), (1, 3)}
    assert explained(figure) == ["worth less than with one step less"]


def test_rounding_is_no_dip() -> None:
    value = np.array([[0.5 - 1e-7], [0.5], [0.0]])
    (ax,) = drawing.values_by_steps_left(value, [False]).axes
    assert marks(ax, "v", canvas.VERMILION) == []


# Estimates -------------------------------------------------------------------------------


def test_counts_stand_in_their_bars_with_the_expected_ones() -> None:
    (ax,) = counts_in_band().axes
    bars = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.containers[0]]
    assert bars == list(zip(LOW, HIGH, strict=True))
    assert marks(ax, "o", canvas.ORANGE) == list(enumerate(map(float, COUNTS)))
    dashes = [tuple(segment[:, 1]) for segment in ax.collections[0].get_segments()]  # type: ignore[attr-defined]
    assert dashes == [(y, y) for y in EXPECTED]
    assert {text for text, _, _ in notes(ax)} == {"4", "3", "0"}


@pytest.mark.parametrize(
    ("counts", "said"), [(COUNTS, "2 of 3 counts lie"), ([4, 2, 2], "All 3 counts lie")]
)
def test_the_title_says_how_many_counts_are_inside(counts: list[int], said: str) -> None:
    assert counts_in_band(counts).get_suptitle().startswith(said)


def test_the_funnel_is_two_standard_errors_wide_at_every_size() -> None:
    ax, _ = mean_in_funnel().axes
    corners = {
        (x, round(y, 6))
        for x, y in ax.collections[0].get_paths()[0].vertices.tolist()  # type: ignore[union-attr]
    }
    # 2 * 0.4 / sqrt(n): 0.4, 0.2 and 0.04.
    assert {(4, 0.9), (4, 0.1), (16, 0.7), (16, 0.3), (400, 0.54), (400, 0.46)} <= corners
    assert points(ax.get_lines()[1]) == [(4, 0.9), (16, 0.6), (400, 0.52)]


def test_marked_sizes_are_named_with_their_mean() -> None:
    ax, _ = mean_in_funnel(sizes=[4, 16, 4000], marked=(16, 4000)).axes
    assert marks(ax, "o", canvas.ORANGE) == [(16, 0.6), (4000, 0.52)]
    words = {text for text, _, _ in notes(ax)}
    assert words == {"16: 0.600", "4\u2009000: 0.520", "exact: 0.500"}


def test_below_the_funnel_the_same_line_is_in_standard_errors() -> None:
    _, below = mean_in_funnel().axes
    (band,) = [patch for patch in below.patches if isinstance(patch, Rectangle)]
    assert (band.get_y(), band.get_height()) == (-2, 4)
    # The errors are 0.2, 0.1 and 0.02, and the means 0.4, 0.1 and 0.02 above the exact value.
    drawn = [(x, round(y, 9)) for x, y in points(below.get_lines()[1])]
    assert drawn == [(4, 2), (16, 1), (400, 1)]
    marked = [(x, round(y, 9)) for x, y in marks(below, "o", canvas.ORANGE)]
    assert marked == [(16, 1), (400, 1)]
    assert {text for text, _, _ in notes(below)} == {"1.0"}


# Maps ------------------------------------------------------------------------------------


def test_a_map_has_the_value_of_every_free_cell_and_none_on_walls() -> None:
    figure = drawing.value_maps(small_world(), VALUES, ["1 left", "4 left"])
    first, second = figure.axes
    words = {text.get_position(): text.get_text() for text in second.texts}
    assert words == {
        (0.5, 0.5): "0.80",
        (1.5, 0.5): "0.90",
        (2.5, 0.5): "1.00",
        (0.5, 1.5): "0.70",
        (2.5, 1.5): "G",
    }
    assert [ax.get_title(loc="left") for ax in (first, second)] == ["1 left", "4 left"]
    assert squares(first)[(1.5, 1.5)].get_hatch() == "///"


def test_one_value_has_one_colour_in_all_maps_and_costs_are_grey() -> None:
    figure = drawing.value_maps(small_world(), VALUES, ["1 left", "4 left"])
    first, second = figure.axes
    assert color_at(first, (2.5, 0.5)) == color_at(second, (0.5, 1.5))  # 0.7 in both
    red, green, blue = (int(color_at(first, (0.5, 0.5))[i : i + 2], 16) for i in (1, 3, 5))
    assert red == green == blue
    assert color_at(second, (0.5, 0.5)) != color_at(first, (0.5, 0.5))


def test_a_walk_has_its_times_and_strong_arrows_and_the_rest_weak_ones() -> None:
    (ax,) = drawing.plan_walk(small_world(), ACTION, WALK).axes
    times = {text: (int(x), int(y)) for text, (x, y) in texts(ax).items() if "t =" in text}
    assert times == {"t = 0": (0, 0), "t = 1": (1, 0), "t = 2": (2, 0), "t = 3": (2, 1)}
    directions = {
        (int(x), int(y)): (round((to_x - x) / 0.56), round((to_y - y) / 0.56))
        for (x, y), (to_x, to_y) in arrows(ax)
    }
    assert directions == {(0, 0): (1, 0), (1, 0): (1, 0), (2, 0): (0, 1), (0, 1): (0, -1)}
    strong = [p for p in ax.patches if to_hex(p.get_edgecolor()) == canvas.BLUE.lower()]
    assert len(strong) == 3


def test_the_title_of_a_walk_counts_its_moves() -> None:
    assert drawing.plan_walk(small_world(), ACTION, WALK).get_suptitle().endswith("3 moves")
    assert drawing.plan_walk(small_world(), ACTION, [2, 5]).get_suptitle().endswith("1 move")


WRONG: dict[str, Callable[[], Figure]] = {
    "backup: cell 3 of 3": lambda: drawing.backup(CORRIDOR, 3),
    "values_by_steps_left: goal has shape (1,) and there are 3 cells": (
        lambda: drawing.values_by_steps_left(VALUE, [True])
    ),
    "values_by_steps_left: value has shape (3,)": (
        lambda: drawing.values_by_steps_left(VALUE[0], CORRIDOR.goal)
    ),
    "counts_in_band: low[1] is above high[1]": (
        lambda: drawing.counts_in_band(COUNTS, EXPECTED, [4, 9, 1], HIGH)
    ),
    "counts_in_band: low has shape (2,) and counts (3,)": (
        lambda: drawing.counts_in_band(COUNTS, EXPECTED, LOW[:2], HIGH)
    ),
    "mean_in_funnel: sizes must increase": lambda: mean_in_funnel(sizes=[4, 4, 400]),
    "mean_in_funnel: 5 is marked and is none of the sizes": lambda: mean_in_funnel(marked=(5,)),
    "value_maps: values has shape (2, 6); with 1 labels and 6 cells it must be (1, 6)": (
        lambda: drawing.value_maps(small_world(), VALUES, ["1 left"])
    ),
    "value_maps: next_position has shape (3, 2)": (
        lambda: drawing.value_maps(
            small_world(next_position=CORRIDOR.next_position), VALUES, ["1", "2"]
        )
    ),
    "plan_walk: action has shape (2,); it must be (6,)": (
        lambda: drawing.plan_walk(small_world(), [0, 1], WALK)
    ),
    "plan_walk: walk holds 0 to 6; cells are 0 to 5": (
        lambda: drawing.plan_walk(small_world(), ACTION, [0, 6])
    ),
}


@pytest.mark.parametrize(("message", "draw"), WRONG.items(), ids=WRONG)
def test_bad_input_raises_one_line_that_says_what_came(
    message: str, draw: Callable[[], Figure]
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        draw()
    assert "\n" not in str(raised.value)
