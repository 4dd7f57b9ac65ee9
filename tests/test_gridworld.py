"""Lesson 01: a finite-horizon world as pure functions: the corridor, and reset."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import SlowState, slow_corridor, slow_step
from outcomes import hand, plain, state_of

from gridroll import gridworld
from gridroll.gridworld import reset

# Tests give numbers of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map
step: Any = gridworld.step


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
    assert (float(world.step_reward), float(world.goal_reward)) == (float(np.float32(-0.01)), 1.0)
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
        assert float(reward) == np.float32(-0.01)
        assert (bool(terminated), bool(truncated)) == (False, taken == horizon)
        assert int(state.elapsed) == taken
    state, reward, terminated, truncated = step(world, state, 0)
    assert (float(reward), bool(terminated), bool(truncated)) == (0.0, False, False)
    assert int(state.elapsed) == horizon


@pytest.mark.parametrize("length", [3, 5])
def test_a_step_in_a_corridor_equals_the_slow_step_everywhere(length: int) -> None:
    world, slow = corridor(length, 4), slow_corridor(length, 4)
    jitted_step = jax.jit(step)
    for position in range(length - 1):
        for elapsed in range(4):
            for action in (-7, 0, 1, 9):
                state, row = slow_step(slow, SlowState(position, elapsed), action)
                got = plain(jitted_step(world, state_of(position, elapsed), jnp.int32(action)))
                wanted = (state.position, state.elapsed, state.done)
                assert got == hand(*wanted, row.reward, row.terminated, row.truncated)


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
