"""Every picture draws the numbers that it was given."""

import numpy as np
from matplotlib.patches import Rectangle
from pictures import (
    ACTIVE,
    LEADS,
    NAIVE,
    STABLE,
    TERMINATED,
    THETA,
    TRUNCATED,
    arrows,
    boxes,
    explained,
    marks,
    notes,
    points,
    small_world,
    svg,
    texts,
    walk,
    walks,
)

from gridroll import drawing, gridworld
from gridroll.drawing import canvas


def test_map_numbers_every_cell_row_by_row() -> None:
    written = texts(drawing.map_cells(small_world()).axes[0])
    for cell in range(6):
        x, y = written[str(cell)]
        assert (int(x), int(y)) == (cell % 3, cell // 3)


def test_map_fills_walls_and_no_other_cell() -> None:
    ax = drawing.map_cells(small_world()).axes[0]
    filled = [box.get_xy() for box in ax.patches if isinstance(box, Rectangle) and box.get_hatch()]
    assert filled == [(1, 1)]


def test_map_marks_starts_and_goals_by_letter_and_by_shape() -> None:
    figure = drawing.map_cells(small_world(starts=[0, 3]))
    ax = figure.axes[0]
    letters = [(t.get_text(), *t.get_position()) for t in ax.texts if t.get_text() in "SG"]
    assert letters == [("S", 0.5, 0.5), ("S", 0.5, 1.5), ("G", 2.5, 1.5)]
    assert marks(ax, "o", "white") == [(0.5, 0.5), (0.5, 1.5)]
    assert marks(ax, "D", canvas.BLUE) == [(2.5, 1.5)]
    assert explained(figure) == ["S: start", "G: goal, ends the episode", "wall"]


def test_map_draws_an_arrow_for_a_move_and_a_bar_for_a_bump() -> None:
    figure = drawing.map_cells(small_world(), arrows=True)
    (ax,) = figure.axes
    crossed = sorted([int(y) * 3 + int(x) for x, y in ends] for ends in arrows(ax))
    assert crossed == sorted([cell, to] for cell in range(6) for to in LEADS[cell] if to != cell)
    assert len(crossed) == 7
    bars = [line for line in ax.get_lines() if line.get_linewidth() == 3.2]
    bumped = sorted(int(y) * 3 + int(x) for bar in bars for x, y in points(bar)[:1])
    assert bumped == [0, 0, 1, 1, 2, 2, 3, 3, 3]
    middles = {tuple(np.mean(points(bar), axis=0).round(2)) for bar in bars}
    assert {(0.5, 0.08), (0.08, 0.5)} <= middles  # cell 0: up and left
    assert {(0.92, 1.5), (0.5, 1.92), (0.08, 1.5)} <= middles  # cell 3: right, down and left
    assert not any("jump" in words for words in explained(figure))


def test_map_shows_a_wrap_at_the_end_of_a_row_as_a_jump() -> None:
    wrapped = [list(row) for row in LEADS]
    wrapped[2][1] = 3
    figure = drawing.map_cells(small_world(next_position=wrapped), arrows=True)
    assert [(2.5, 0.5), (0.5, 1.5)] in arrows(figure.axes[0])
    assert "a jump to a cell that is no neighbour" in explained(figure)


def test_map_draws_the_moves_of_a_goal_that_does_not_absorb() -> None:
    leaving = [*LEADS[:5], [2, 5, 5, 5]]
    ax = drawing.map_cells(small_world(next_position=leaving), arrows=True).axes[0]
    assert len(arrows(ax)) == 8


def test_map_draws_the_worlds_of_the_course() -> None:
    ax = drawing.map_cells(gridworld.corridor(length=5), arrows=True).axes[0]
    assert len(arrows(ax)) == 7  # right from 0, 1, 2, 3 and left from 1, 2, 3
    same_map = gridworld.from_map("S..\n.#G", horizon=9)
    assert svg(drawing.map_cells(same_map)) == svg(drawing.map_cells(small_world()))


def test_walk_draws_each_active_transition_from_its_cell_to_the_next() -> None:
    ax = walk(0).axes[0]
    assert arrows(ax) == [[(-0.5, 1), (0.5, 2)], [(0.5, 2), (1.5, 3)]]
    assert marks(ax, "D", canvas.BLUE) == [(1.5, 3)]
    assert marks(ax, "X", canvas.ORANGE) == []
    assert marks(ax, "o", "white") == [(-0.5, 1), (2.5, 3), (3.5, 3)]  # the start, then padding


def test_walk_shows_the_flags_below_as_a_table() -> None:
    table = walk(0).axes[1]
    rows = [label.get_text() for label in table.get_yticklabels()]
    assert rows == ["active", "terminated", "truncated"]
    assert marks(table, "o", canvas.INK) == [(0, 0), (1, 0)]
    assert marks(table, "D", canvas.BLUE) == [(1, 1)]
    dots = {(2, 0), (3, 0), (0, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2), (3, 2)}
    assert set(marks(table, "o", canvas.GREY)) == dots


def test_walk_says_how_the_episode_ended() -> None:
    assert [walk(b).get_suptitle() for b in range(3)] == [
        "The walk reaches the goal at t = 1, then 2 rows of padding",
        "The walk has not ended after 4 transitions",
        "The walk is cut off at t = 2, then 1 row of padding",
    ]


def test_walk_marks_the_goal_of_a_world() -> None:
    assert [(text, y) for text, _, y in notes(walk(0, gridworld.corridor()).axes[0])] == [
        ("goal", 3)
    ]
    assert notes(walk(0, world=4).axes[0]) == []


def test_walks_has_a_panel_for_each_walk_with_its_ending() -> None:
    figure = walks(labels=["a", "b", "c"])
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["a", "b", "c"]
    assert [len(arrows(ax)) for ax in figure.axes] == [2, 4, 3]  # the active transitions
    assert [marks(ax, "D", canvas.BLUE) for ax in figure.axes] == [[(1.5, 3)], [], []]
    assert [marks(ax, "X", canvas.ORANGE) for ax in figure.axes] == [[], [], [(2.5, 0)]]
    assert figure.get_suptitle() == "Of 3 walks, 1 ended at the goal, 1 at the limit"


def test_raster_puts_the_shortest_episode_at_the_top() -> None:
    ax = drawing.raster(ACTIVE, TERMINATED, TRUNCATED).axes[0]
    assert ax.yaxis_inverted()
    # Lengths are 2, 4 and 3, so the rows are the episodes 0, 2 and 1.
    assert boxes(ax, "ends at the goal") == [(1, 0)]
    assert boxes(ax, "cut off by the limit") == [(2, 1)]
    assert boxes(ax, "padding") == [(2, 0), (3, 0), (3, 1)]
    assert boxes(ax, "active") == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (3, 2)]
    assert marks(ax, "D", "white") == [(1, 0)]
    assert marks(ax, "X", canvas.INK) == [(2, 1)]


def test_raster_puts_goals_before_cut_offs_of_the_same_length() -> None:
    ending = np.array([[False, True, False]])
    ax = drawing.raster(np.ones((1, 3), bool), ending, ~ending).axes[0]
    assert marks(ax, "D", "white") == [(0, 0)]
    assert marks(ax, "X", canvas.INK) == [(0, 1), (0, 2)]


def test_raster_writes_the_count_of_active_environments_above_each_transition() -> None:
    written = notes(drawing.raster(ACTIVE, TERMINATED, TRUNCATED).axes[0])
    counts = [(text, t) for text, t, _ in written if text != "active:"]
    assert counts == [("3", 0), ("3", 1), ("2", 2), ("1", 3)]


def test_raster_counts_the_endings_in_words() -> None:
    figure = drawing.raster(ACTIVE, TERMINATED, TRUNCATED)
    assert figure.get_suptitle() == "Of 3 episodes, 1 ended at the goal, 1 at the limit"
    assert "ends at the goal: 1 episode" in explained(figure)
    assert "cut off by the limit: 1 episode" in explained(figure)


def test_active_counts_draws_bars_as_high_as_the_counts() -> None:
    padding, active = drawing.active_counts(ACTIVE).axes[0].containers
    assert [bar.get_height() for bar in active] == [3, 3, 2, 1]
    assert [(bar.get_y(), bar.get_height()) for bar in padding] == [(3, 0), (3, 0), (2, 1), (1, 2)]


def test_active_counts_writes_each_count_and_the_width() -> None:
    ax = drawing.active_counts([64, 5, 0], num_envs=64).axes[0]
    assert notes(ax)[:3] == [("64", 0, 64), ("5", 1, 5), ("0", 2, 0)]
    assert notes(ax)[3][0] == "array width 64"
    (width,) = ax.get_lines()
    assert [y for _, y in points(width)] == [64, 64]


def test_active_counts_takes_a_mask_or_its_counts() -> None:
    assert svg(drawing.active_counts(ACTIVE)) == svg(drawing.active_counts([3, 3, 2, 1], 3))


def test_axes_picture_names_both_axes_and_draws_each_place_once() -> None:
    ax = drawing.axes_picture(num_steps=4, num_envs=3).axes[0]
    written = texts(ax)
    assert "scan: 4 transitions" in written
    assert "vmap: 3 environments, kept apart" in written
    assert len(marks(ax, "s", canvas.PALE)) == 4 * 3
    assert len(marks(ax, "o", "white")) == 2 * 3  # the first states and the final ones
    assert {"t = 0", "t = 1", "t = 2", "t = 3", "0", "1", "2"} <= set(written)


def test_axes_picture_leaves_out_the_middle_of_a_long_axis() -> None:
    ax = drawing.axes_picture(num_steps=8, num_envs=64).axes[0]
    assert len(marks(ax, "s", canvas.PALE)) == 4 * 4
    assert {"t = 7", "63"} <= set(texts(ax))


def test_log_prob_curves_draws_both_and_says_where_the_naive_one_is_lost() -> None:
    figure = drawing.log_prob_curves(THETA, NAIVE, STABLE, labels=("naive", "stable"))
    naive, stable = figure.axes[0].get_lines()
    assert points(naive) == [(0, -0.7), (10, -10), (16, -15.9)]
    assert points(stable) == [(0, -0.7), (10, -10), (16, -16), (17, -17), (20, -20)]
    assert "−inf from θ = 17" in [text for text, _, _ in notes(figure.axes[0])]
    assert explained(figure) == ["naive", "stable"]
    assert figure.get_suptitle() == "From θ = 17 on, naive is −inf"


def test_log_prob_curves_has_no_arrow_where_nothing_is_lost() -> None:
    assert notes(drawing.log_prob_curves(THETA, STABLE, STABLE).axes[0]) == []
