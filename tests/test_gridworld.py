"""Lesson 01: a finite-horizon world as pure functions."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import signature
from conformance import structure as structure_of
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import SlowState, SlowWorld, slow_corridor, slow_step

from gridroll import gridworld
from gridroll.gridworld import Gridworld, State, reset

# Tests give numbers of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map
step: Any = gridworld.step
AnyState: Any = gridworld.State

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
STEP, GOAL = np.float32(-0.01), np.float32(1.0)
STATE_SIGNATURE = [
    (".position", (), "int32", False),
    (".elapsed", (), "int32", False),
    (".done", (), "bool", False),
]


def state_of(position: Any, elapsed: Any = 0, done: Any = False) -> State:
    return State(jnp.int32(position), jnp.int32(elapsed), jnp.bool_(done))


def plain(outcome: Any) -> tuple[int, int, bool, float, bool, bool]:
    """Return position, elapsed, done, reward, terminated, truncated as Python values."""
    state, reward, terminated, truncated = outcome
    return (
        int(state.position),
        int(state.elapsed),
        bool(state.done),
        float(reward),
        bool(terminated),
        bool(truncated),
    )


def hand(
    position: int, elapsed: int, done: bool, reward: float, terminated: bool, truncated: bool
) -> tuple[int, int, bool, float, bool, bool]:
    """Return what `plain` gives, with the reward as the float32 that it must be."""
    return position, elapsed, done, float(np.float32(reward)), terminated, truncated


# The corridor, by hand -------------------------------------------------------------------

CORRIDOR_STEPS = [
    # position, elapsed, done, action -> position, elapsed, done, reward, terminated, truncated
    ((0, 0, False), 0, (0, 1, False, -0.01, False, False)),  # left at the end stays
    ((0, 0, False), 1, (1, 1, False, -0.01, False, False)),
    ((1, 3, False), 0, (0, 4, False, -0.01, False, False)),
    ((1, 3, False), 1, (2, 4, False, -0.01, False, False)),
    ((2, 1, False), 0, (1, 2, False, -0.01, False, False)),
    ((2, 1, False), 1, (3, 2, True, 1.0, True, False)),  # the goal
    ((2, 6, False), 0, (1, 7, False, -0.01, False, False)),  # the seventh of eight goes on
    ((2, 7, False), 1, (3, 8, True, 1.0, True, False)),  # the goal on the last step
    ((2, 7, False), 0, (1, 8, True, -0.01, False, True)),  # the limit on the last step
    ((0, 7, False), 0, (0, 8, True, -0.01, False, True)),
    ((3, 2, True), 0, (3, 2, True, 0.0, False, False)),  # finished at the goal
    ((3, 2, True), 1, (3, 2, True, 0.0, False, False)),
    ((1, 8, True), 0, (1, 8, True, 0.0, False, False)),  # finished by the limit
    ((1, 8, True), 1, (1, 8, True, 0.0, False, False)),
    ((2, 8, True), 1, (2, 8, True, 0.0, False, False)),  # the action would reach the goal
]


@pytest.mark.parametrize("jitted", [False, True], ids=["eager", "jit"])
def test_every_case_of_a_corridor_step(jitted: bool) -> None:
    world = corridor()
    move = jax.jit(step) if jitted else step
    for before, action, after in CORRIDOR_STEPS:
        got = plain(move(world, state_of(*before), jnp.int32(action)))
        assert got == hand(*after), f"{before} with action {action}"


def test_the_default_corridor_is_four_cells_with_eight_steps() -> None:
    world = corridor()
    assert world.next_position.tolist() == [[0, 1], [0, 2], [1, 3], [3, 3]]
    assert world.goal.tolist() == [False, False, False, True]
    assert world.wall.tolist() == [False] * 4
    assert world.starts.tolist() == [0, 1]
    assert (float(world.step_reward), float(world.goal_reward)) == (float(STEP), 1.0)
    assert int(world.horizon) == 8
    assert world.columns == 4


def test_a_corridor_takes_its_length_horizon_and_rewards() -> None:
    world = corridor(length=6, horizon=3, step_reward=-0.5, goal_reward=7.0)
    assert world.next_position.tolist() == [[0, 1], [0, 2], [1, 3], [2, 4], [3, 5], [5, 5]]
    assert world.goal.tolist() == [False] * 5 + [True]
    assert world.starts.tolist() == [0, 1]
    assert world.columns == 6
    assert plain(step(world, state_of(0), 1)) == hand(1, 1, False, -0.5, False, False)
    assert plain(step(world, state_of(3, 2), 1)) == hand(4, 3, True, -0.5, False, True)
    assert plain(step(world, state_of(4, 2), 1)) == hand(5, 3, True, 7.0, True, False)


@pytest.mark.parametrize("length", [3, 4, 7])
def test_the_corridor_table_equals_its_arithmetic(length: int) -> None:
    table = corridor(length).next_position.tolist()
    for position in range(length - 1):
        for action, displacement in ((0, -1), (1, 1)):
            wanted = min(max(position + displacement, 0), length - 1)
            assert table[position][action] == wanted


@pytest.mark.parametrize("horizon", [1, 2, 3, 8, 13])
def test_an_episode_that_never_arrives_has_exactly_horizon_transitions(horizon: int) -> None:
    world, state = corridor(horizon=horizon), state_of(0)
    for taken in range(1, horizon + 1):
        state, reward, terminated, truncated = step(world, state, 0)
        assert float(reward) == STEP
        assert (bool(terminated), bool(truncated)) == (False, taken == horizon)
        assert int(state.elapsed) == taken
    state, reward, terminated, truncated = step(world, state, 0)
    assert (float(reward), bool(terminated), bool(truncated)) == (0.0, False, False)
    assert int(state.elapsed) == horizon


# Reset -----------------------------------------------------------------------------------


def test_reset_draws_a_start_as_the_protocol_says() -> None:
    world = from_map("S.S\nG#S\nS..", horizon=4)
    starts = [0, 2, 5, 6]  # counted by hand, row by row
    seen = set()
    for seed in range(24):
        key = jax.random.key(seed)
        state = reset(world, key)
        wanted = starts[int(jax.random.randint(key, (), 0, 4))]
        assert (int(state.position), int(state.elapsed), bool(state.done)) == (wanted, 0, False)
        seen.add(wanted)
    assert seen == set(starts)


def test_reset_gives_each_start_its_share() -> None:
    world = from_map("SSS.G", horizon=4)
    keys = jax.random.split(jax.random.key(0), 3000)
    positions = jax.vmap(reset, in_axes=(None, 0))(world, keys).position
    counts = np.bincount(np.asarray(positions), minlength=5)
    # 1000 each, and five standard deviations are 129.
    assert counts[3:].tolist() == [0, 0]
    assert all(abs(count - 1000) < 129 for count in counts[:3].tolist())


def test_reset_gives_strong_int32_and_bool_scalars() -> None:
    for world in (corridor(), from_map("S.#\n..G", horizon=np.int64(20))):
        assert signature(reset(world, jax.random.key(0))) == STATE_SIGNATURE


# Maps ------------------------------------------------------------------------------------


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
@settings(max_examples=40)
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


@pytest.mark.parametrize("length", [3, 5])
def test_a_step_in_a_corridor_equals_the_slow_step_everywhere(length: int) -> None:
    world, slow = corridor(length, 4), slow_corridor(length, 4)
    for position in range(length - 1):
        for elapsed in range(4):
            for action in (-7, 0, 1, 9):
                state, row = slow_step(slow, SlowState(position, elapsed), action)
                got = plain(jitted_step(world, state_of(position, elapsed), jnp.int32(action)))
                wanted = (state.position, state.elapsed, state.done)
                assert got == hand(*wanted, row.reward, row.terminated, row.truncated)


# Types -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "world",
    [
        corridor(),
        corridor(np.int64(5), jnp.int32(3), step_reward=-1, goal_reward=np.float64(2)),
        from_map("S.#\n..G", horizon=20),
        from_map("S.G", horizon=np.uint8(3), step_reward=np.int32(-1), goal_reward=jnp.int32(5)),
    ],
)
def test_every_leaf_of_a_world_is_a_strong_array(world: Gridworld) -> None:
    cells, actions = world.next_position.shape
    assert signature(world) == [
        (".next_position", (cells, actions), "int32", False),
        (".goal", (cells,), "bool", False),
        (".wall", (cells,), "bool", False),
        (".starts", world.starts.shape, "int32", False),
        (".step_reward", (), "float32", False),
        (".goal_reward", (), "float32", False),
        (".horizon", (), "int32", False),
    ]
    assert type(world.columns) is int
    assert all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(world))


GIVEN_STATES = {
    "python": AnyState(1, 0, False),
    "numpy": AnyState(np.int64(1), np.int16(0), np.bool_(False)),
    "numpy-arrays": AnyState(np.array(1), np.array(0), np.array(False)),
    "weak": State(jnp.asarray(1), jnp.asarray(0), jnp.asarray(False)),
    "mixed": AnyState(1, jnp.int32(0), np.array(False)),
}


@pytest.mark.parametrize("given_state", GIVEN_STATES.values(), ids=GIVEN_STATES)
@pytest.mark.parametrize("action", [1, np.int64(1), jnp.int32(1), np.uint8(1)], ids=repr)
def test_a_step_from_python_or_numpy_numbers_gives_the_same_types(
    given_state: State, action: Any
) -> None:
    world = corridor()
    for move in (step, jax.jit(step)):
        state, *outputs = move(world, given_state, action)
        assert plain((state, *outputs)) == hand(2, 1, False, -0.01, False, False)
        assert signature(state) == STATE_SIGNATURE
        assert [(o.shape, str(o.dtype), bool(o.weak_type)) for o in outputs] == [
            ((), "float32", False),
            ((), "bool", False),
            ((), "bool", False),
        ]


def test_integer_rewards_are_float32_on_every_path() -> None:
    world = corridor(step_reward=-1, goal_reward=10)
    paths = [(state_of(0), -1.0), (state_of(2), 10.0), (state_of(3, 2, True), 0.0)]
    for state, wanted in paths:
        _, reward, *_ = step(world, state, 1)
        assert (float(reward), str(reward.dtype), bool(reward.weak_type)) == (
            wanted,
            "float32",
            False,
        )


def test_one_trace_of_step_for_all_kinds_of_settings(counted: Any) -> None:
    tracing = counted(step)
    move = jax.jit(tracing)
    for horizon in (8, np.int64(9), np.int32(10), jnp.int32(11), jnp.asarray(12)):
        for number in (-0.5, np.float64(-0.5), np.float32(-0.5), jnp.float32(-0.5)):
            world = corridor(horizon=horizon, step_reward=number, goal_reward=number)
            move(world, reset(world, jax.random.key(0)), jnp.int32(1))
    assert tracing.count == 1


def test_records_are_frozen() -> None:
    world, state = corridor(), state_of(0)
    with pytest.raises(AttributeError):
        state.position = jnp.int32(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        world.columns = 2  # type: ignore[misc]


def test_only_the_number_of_columns_is_static() -> None:
    leaves, structure = jax.tree.flatten(corridor())
    assert len(leaves) == 7
    assert structure == structure_of(corridor(horizon=3, step_reward=-2.0))
    assert structure != structure_of(corridor(length=5))
    assert jax.tree.unflatten(structure, leaves).columns == 4


def test_worlds_of_one_size_can_be_stacked_and_mapped_over() -> None:
    worlds = [from_map("S.G", horizon=9), from_map("G.S", horizon=1, step_reward=-2)]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *worlds)
    states = jax.tree.map(lambda *leaves: jnp.stack(leaves), state_of(1), state_of(1))
    moved, reward, terminated, truncated = jax.vmap(step)(stacked, states, jnp.int32([1, 1]))
    assert moved.position.tolist() == [2, 2]
    assert np.asarray(reward).tolist() == [1.0, -2.0]
    assert terminated.tolist() == [True, False]
    assert truncated.tolist() == [False, True]


def test_a_world_on_the_second_device_steps_there() -> None:
    device = jax.devices()[1]
    world, state = jax.device_put((corridor(), state_of(2)), device)
    outcome = step(world, state, 1)
    assert plain(outcome) == hand(3, 1, True, 1.0, True, False)
    assert {leaf.device for leaf in jax.tree.leaves(outcome)} == {device}
