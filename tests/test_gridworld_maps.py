"""Lesson 01: a map as a table of where every action leads."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import SlowState, SlowWorld, slow_step
from outcomes import hand, plain, state_of

from gridroll import gridworld

# Tests give numbers of every kind, so these are not held to their signatures here.
from_map: Any = gridworld.from_map
step: Any = gridworld.step

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


def test_a_map_becomes_the_table_written_by_hand() -> None:
    world = from_map("S.#\n..G", horizon=20)
    #                      up right down left
    assert world.next_position.tolist() == [
        [0, 1, 3, 0],
        [1, 1, 4, 0],  # bumps into the wall on its right
        [2, 2, 2, 2],  # the wall stays
        [0, 4, 3, 3],  # does not wrap to the row above
        [1, 5, 4, 3],
        [5, 5, 5, 5],  # the goal stays
    ]
    assert world.goal.tolist() == [False] * 5 + [True]
    assert world.wall.tolist() == [False, False, True, False, False, False]
    assert world.starts.tolist() == [0]
    assert (world.columns, int(world.horizon)) == (3, 20)


def test_a_map_and_its_transpose_count_cells_by_columns() -> None:
    wide, tall = from_map("S..\n.#G", horizon=9), from_map("S.\n.#\n.G", horizon=9)
    assert (wide.columns, tall.columns) == (3, 2)
    assert wide.next_position.tolist() == [
        [0, 1, 3, 0],
        [1, 2, 1, 0],
        [2, 2, 5, 1],
        [0, 3, 3, 3],
        [4, 4, 4, 4],
        [5, 5, 5, 5],
    ]
    assert tall.next_position.tolist() == [
        [0, 1, 2, 0],
        [1, 1, 1, 0],
        [0, 2, 4, 2],
        [3, 3, 3, 3],
        [2, 5, 4, 4],
        [5, 5, 5, 5],
    ]


def test_a_wall_is_bumped_into_from_all_four_sides_and_in_corners() -> None:
    table = from_map("S...\n..#.\n...G", horizon=9).next_position.tolist()
    wall = 6
    for position, action in ((2, DOWN), (5, RIGHT), (7, LEFT), (10, UP)):
        assert table[position][action] == position
        assert wall not in table[position]
    assert (table[0][UP], table[0][LEFT]) == (0, 0)
    assert (table[3][UP], table[3][RIGHT]) == (3, 3)
    assert (table[8][DOWN], table[8][LEFT]) == (8, 8)


def test_moving_right_at_a_row_end_stays_in_the_row() -> None:
    world = from_map("S..\n..G", horizon=9)
    assert plain(step(world, state_of(2), RIGHT)) == hand(2, 1, False, -0.01, False, False)
    assert plain(step(world, state_of(3), LEFT)) == hand(3, 1, False, -0.01, False, False)


def test_each_of_several_goals_ends_the_episode() -> None:
    world = from_map("G.S\n..G", horizon=9)
    assert plain(step(world, state_of(1), LEFT)) == hand(0, 1, True, 1.0, True, False)
    assert plain(step(world, state_of(2), DOWN)) == hand(5, 1, True, 1.0, True, False)
    assert world.starts.tolist() == [2]


def test_one_cell_is_not_a_start_and_the_goal_at_once() -> None:
    world = from_map("SG", horizon=1)
    assert world.next_position.tolist() == [[0, 1, 0, 0], [1, 1, 1, 1]]
    assert plain(step(world, state_of(0), RIGHT)) == hand(1, 1, True, 1.0, True, False)


map_sizes = st.sampled_from([(1, 4), (4, 1), (2, 3), (3, 2), (3, 3), (4, 5)])


@st.composite
def maps(draw: st.DrawFn) -> str:
    """Draw a map with a start and a goal somewhere."""
    rows, columns = draw(map_sizes)
    cells = draw(st.lists(st.sampled_from(".#SG"), min_size=rows * columns - 2))
    cells = ["S", "G", *cells, *"." * rows * columns][: rows * columns]
    order = draw(st.permutations(range(rows * columns)))
    mixed = "".join(cells[i] for i in order)
    return "\n".join(mixed[r * columns : (r + 1) * columns] for r in range(rows))


@given(text=maps())
@settings(max_examples=100)
def test_every_map_equals_a_walk_over_its_characters(text: str) -> None:
    world, slow = from_map(text, horizon=5), SlowWorld(text, horizon=5)
    size = len(text.replace("\n", ""))
    table = [[slow.move(s, a) for a in range(4)] for s in range(size)]
    assert world.next_position.tolist() == table
    assert np.flatnonzero(world.goal).tolist() == slow.cells("G")
    assert np.flatnonzero(world.wall).tolist() == slow.cells("#")
    assert world.starts.tolist() == slow.cells("S")
    assert world.columns == text.find("\n") % (size + 1)


jitted_step = jax.jit(step)


@given(
    text=maps(),
    elapsed=st.integers(0, 4),
    done=st.booleans(),
    action=st.integers(-3, 6),
    data=st.data(),
)
@settings(max_examples=25)
def test_a_step_on_any_map_equals_the_slow_step(
    text: str, elapsed: int, done: bool, action: int, data: st.DataObject
) -> None:
    slow = SlowWorld(text, 5, step_reward=-0.25, goal_reward=3.0)
    world = from_map(text, horizon=5, step_reward=-0.25, goal_reward=3.0)
    position = data.draw(st.sampled_from(slow.cells("S") + slow.cells(".")))
    state, row = slow_step(slow, SlowState(position, elapsed, done), action)
    got = plain(jitted_step(world, state_of(position, elapsed, done), jnp.int32(action)))
    wanted = (state.position, state.elapsed, state.done)
    assert got == hand(*wanted, row.reward, row.terminated, row.truncated)
