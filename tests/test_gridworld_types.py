"""Lesson 01: dtypes, traces and the records of a world."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import signature
from conformance import structure as structure_of
from outcomes import hand, plain, state_of

from gridroll import gridworld
from gridroll.gridworld import Gridworld, reset

# Tests give numbers of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map
step: Any = gridworld.step
State: Any = gridworld.State

STATE_SIGNATURE = [
    (".position", (), "int32", False),
    (".elapsed", (), "int32", False),
    (".done", (), "bool", False),
]


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
    "python": State(1, 0, False),
    "numpy": State(np.int64(1), np.int16(0), np.bool_(False)),
    "numpy-arrays": State(np.array(1), np.array(0), np.array(False)),
    "weak": State(jnp.asarray(1), jnp.asarray(0), jnp.asarray(False)),
    "mixed": State(1, jnp.int32(0), np.array(False)),
}


@pytest.mark.parametrize("given_state", GIVEN_STATES.values(), ids=GIVEN_STATES)
@pytest.mark.parametrize("action", [1, np.int64(1), jnp.int32(1), np.uint8(1)], ids=repr)
def test_a_step_from_python_or_numpy_numbers_gives_the_same_types(
    given_state: Any, action: Any
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
    world: Any = corridor()
    state: Any = state_of(0)
    with pytest.raises(AttributeError):
        state.position = jnp.int32(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        world.columns = 2


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


def test_reset_gives_strong_int32_and_bool_scalars() -> None:
    for world in (corridor(), from_map("S.#\n..G", horizon=np.int64(20))):
        assert signature(reset(world, jax.random.key(0))) == STATE_SIGNATURE
