"""The pictures of lesson 02 draw the numbers that they were given, and say so."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from pictures import explained, marks, notes, svg, texts

from gridroll import drawing
from gridroll.drawing import canvas

NOISE = np.array([[0.1, 0.9, 0.4], [0.7, 0.2, 0.6]])
BANDS = np.array([[0.1, 0.1, 0.1], [0.7, 0.7, 0.7]])


def table() -> Figure:
    """Two faults and a right program that the flag refuses."""
    return drawing.detectors(
        {"copied": False, "parent": False, "reversed": True},
        [[0.5, 0.5], [0.1, 0.2], [0.3, 0.4]],
        [1, 2, 2],
        [1.0, 0.01, 0.01],
        [False, True, True],
    )


def test_tiles_draw_each_table_row_0_at_the_top() -> None:
    figure = drawing.tiles({"A": NOISE, "B": BANDS})
    for ax, draws in zip(figure.axes, (NOISE, BANDS), strict=True):
        (mesh,) = [c for c in ax.collections if isinstance(c, QuadMesh)]
        assert np.asarray(mesh.get_array()).reshape(2, 3).tolist() == draws.tolist()
        assert ax.yaxis_inverted()


def test_tiles_count_the_different_numbers_of_each_table() -> None:
    figure = drawing.tiles({"A": NOISE, "B": BANDS})
    above = [ax.get_title(loc="left") for ax in figure.axes]
    assert above == ["A\n6 different of 6", "B\n2 different of 6"]
    assert figure.get_suptitle() == "Only A has another number in every place"


def test_shared_draws_join_equal_numbers_wherever_they_stand() -> None:
    figure = drawing.shared_draws([0.1, 0.9], [0.9, 0.4, 0.1])
    lines = [line.get_xdata() for line in figure.axes[0].get_lines()]
    assert sorted([float(x) for x in np.asarray(xs)] for xs in lines) == [[0, 2], [1, 0]]
    assert figure.get_suptitle() == "2 of the 3 draws below stand above as well"
    assert {".10", ".90", ".40"} <= set(texts(figure.axes[0]))


def test_a_draw_of_one_is_written_as_one() -> None:
    assert "1.00" in texts(drawing.shared_draws([1.0], [0.0]).axes[0])


def test_detectors_mark_alarms_silence_and_false_alarms() -> None:
    ax = table().axes[0]
    rows = {shape: sorted(int(y) for _, y in marks(ax, *shape)) for shape in
            (("o", canvas.BLUE), ("o", "white"), ("X", canvas.ORANGE))}  # fmt: skip
    assert rows[("o", canvas.BLUE)] == [0, 0, 0, 1]  # draws, keys, correlation; the flag
    assert rows[("o", "white")] == [0, 1, 1, 1, 2, 2, 2]
    assert rows[("X", canvas.ORANGE)] == [2]


def test_detectors_write_the_numbers_behind_the_marks() -> None:
    written = {text for text, _, _ in notes(table().axes[0])}
    assert {"1 of 2", "2 of 2", "1.00", "0.01", "raises", "silent"} <= written
    assert explained(table()) == ["alarm", "false alarm", "no alarm"]


def test_tree_and_chain_split_dashed_keys_and_draw_with_the_others() -> None:
    figure = drawing.tree_and_chain()
    tree, chain = (set(texts(ax)) for ax in figure.axes)
    assert {"key", "reset_key", "action_key", "t=0", "t=1", "b=0", "b=1", "b=2"} <= tree
    assert {"key", "action\nt=0", "step\nt=2", "hands on"} <= chain
    assert explained(figure) == ["split, and used up by it", "draws, and is never split"]


PICTURES: dict[str, Callable[[], Figure]] = {
    "tiles": lambda: drawing.tiles({"A": NOISE, "B": BANDS}),
    "shared_draws": lambda: drawing.shared_draws([0.1, 0.9], [0.9, 0.4, 0.1]),
    "detectors": table,
    "tree_and_chain": drawing.tree_and_chain,
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_the_same_call_gives_the_same_bytes_inside_the_figure(draw: Callable[[], Figure]) -> None:
    assert svg(draw()) == svg(draw())
    figure = draw()
    svg(figure)  # lays it out
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height


WRONG: dict[str, Callable[[], Figure]] = {
    "tiles: B has shape (1, 3) and A (2, 3); they must be the same": (
        lambda: drawing.tiles({"A": NOISE, "B": BANDS[:1]})
    ),
    "tiles: A holds 0.1 to 2; draws are between 0 and 1": (
        lambda: drawing.tiles({"A": np.array([[0.1, 2.0]])})
    ),
    "shared_draws: second holds -1 to 0.5; draws are between 0 and 1": (
        lambda: drawing.shared_draws([0.5], [-1.0, 0.5])
    ),
    "shared_draws: first has shape (0,); it must be (T,), not empty": (
        lambda: drawing.shared_draws([], [0.5])
    ),
    "detectors: raised has 0 entries for 1 programs": (
        lambda: drawing.detectors({"a": False}, [[0.5]], [1], [0.0], [])
    ),
}


@pytest.mark.parametrize(("message", "draw"), WRONG.items(), ids=WRONG)
def test_bad_input_raises_one_line_that_says_what_came(
    message: str, draw: Callable[[], Figure]
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        draw()
