"""Rules that hold for every picture: same bytes, nobody's settings touched, clear errors."""

import io
import re
import subprocess
import sys
from collections.abc import Callable

import matplotlib
import pytest
from matplotlib.figure import Figure
from pictures import (
    ACTIVE,
    NAIVE,
    PICTURES,
    POSITION,
    STABLE,
    TERMINATED,
    THETA,
    TRUNCATED,
    small_world,
    svg,
    walk,
    walks,
)

from gridroll import drawing

every_picture = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


@every_picture
def test_same_call_gives_the_same_bytes_whatever_the_caller_has_set(
    draw: Callable[[], Figure],
) -> None:
    expected = svg(draw())
    assert svg(draw()) == expected
    with matplotlib.rc_context({"font.size": 30, "legend.labelspacing": 3, "xtick.major.pad": 20}):
        figure = draw()
    assert svg(figure) == expected


@every_picture
def test_the_settings_of_the_caller_are_left_alone(draw: Callable[[], Figure]) -> None:
    before = dict(matplotlib.rcParams)
    draw()
    assert dict(matplotlib.rcParams) == before


@every_picture
def test_nothing_is_drawn_outside_the_figure(draw: Callable[[], Figure]) -> None:
    figure = draw()
    figure.savefig(io.BytesIO(), format="svg")  # lays the figure out
    drawn = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height


def test_titles_and_labels_are_the_callers_when_given() -> None:
    figure = drawing.active_counts(ACTIVE, title="A finding", xlabel="time", ylabel="count")
    (ax,) = figure.axes
    words = [figure.get_suptitle(), ax.get_xlabel(), ax.get_ylabel()]
    assert words == ["A finding", "time", "count"]


def test_importing_is_quick_and_drawing_leaves_pyplot_alone() -> None:
    program = (
        "import sys; from gridroll import drawing\n"
        "assert not {'matplotlib', 'jax'} & set(sys.modules)\n"
        "drawing.axes_picture(); drawing.active_counts([2, 1], 2)\n"
        "assert not {'matplotlib.pyplot', 'jax'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


WRONG: dict[str, Callable[[], Figure]] = {
    "raster: terminated has shape (4, 2) and active (4, 3); they must be the same": (
        lambda: drawing.raster(ACTIVE, TERMINATED[:, :2], TRUNCATED)
    ),
    "raster: active has shape (3,); it must be (T, B), not empty": (
        lambda: drawing.raster(ACTIVE[0], TERMINATED[0], TRUNCATED[0])
    ),
    "raster: active has shape (0, 3); it must be (T, B), not empty": (
        lambda: drawing.raster(ACTIVE[:0], TERMINATED[:0], TRUNCATED[:0])
    ),
    "raster: active has dtype int8; it must be bool": (
        lambda: drawing.raster(ACTIVE.astype("int8"), TERMINATED, TRUNCATED)
    ),
    "raster: terminated[2, 2] and truncated[2, 2] are both true": (
        lambda: drawing.raster(ACTIVE, TRUNCATED, TRUNCATED)
    ),
    "walks: position has shape (4, 3); with flags of shape (4, 3) it must be (5, 3)": (
        lambda: drawing.walks(POSITION[:4], TERMINATED, TRUNCATED, ACTIVE, 4)
    ),
    "walk: position holds 1 to 3; cells are 0 to 2": lambda: walk(0, world=3),
    "walk: world is '4'; it must be a world or a number of cells": lambda: walk(0, world="4"),
    "walks: 1 labels for 3 walks": lambda: walks(labels=["a"]),
    "active_counts: got float64 (1,) and num_envs=3; give a (T, B) mask": (
        lambda: drawing.active_counts([2.0], 3)
    ),
    "active_counts: counts hold 2 to 3; with num_envs=2 they must be 0 to 2": (
        lambda: drawing.active_counts([3, 2], num_envs=2)
    ),
    "map_cells: next_position has shape (6, 3); it must be (S, 2) or (S, 4)": (
        lambda: drawing.map_cells(small_world(next_position=[[0, 1, 2]] * 6))
    ),
    "map_cells: goal has shape (1,) and wall (6,)": (
        lambda: drawing.map_cells(small_world(goal=[True]))
    ),
    "map_cells: 6 cells don't fill rows of 4 columns": (
        lambda: drawing.map_cells(small_world(columns=4))
    ),
    "map_cells: the cells in next_position go from 6 to 6; they must be 0 to 5": (
        lambda: drawing.map_cells(small_world(next_position=[[6] * 4] * 6))
    ),
    "map_cells: the cells in starts go from 0 to 6; they must be 0 to 5": (
        lambda: drawing.map_cells(small_world(starts=[0, 6]))
    ),
    "axes_picture: num_steps is 1; it must be at least 2": lambda: drawing.axes_picture(1, 8),
    "log_prob_curves: theta must increase": (
        lambda: drawing.log_prob_curves(THETA[::-1], NAIVE, STABLE)
    ),
    "log_prob_curves: naive must be finite, or finite first and then −inf": (
        lambda: drawing.log_prob_curves(THETA, NAIVE[::-1], STABLE)
    ),
    "log_prob_curves: stable must be finite everywhere": (
        lambda: drawing.log_prob_curves(THETA, STABLE, NAIVE)
    ),
}


@pytest.mark.parametrize(("message", "draw"), WRONG.items(), ids=WRONG)
def test_bad_input_raises_one_line_that_says_what_came(
    message: str, draw: Callable[[], Figure]
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        draw()
    assert "\n" not in str(raised.value)
