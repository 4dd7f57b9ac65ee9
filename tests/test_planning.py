"""Lesson 05: exact values, occupancies and optima, held against fractions and every walk."""

import dataclasses
from fractions import Fraction
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import SlowState, SlowWorld, slow_step
from slow_planning import (
    WORLDS,
    Table,
    best_by_first_action,
    enumerated_occupancy,
    enumerated_value,
    exact_corridor,
    exact_map,
    floats,
    made,
    mean,
    num_cells,
    slow_value,
    uneven,
    uniform,
)

from gridroll import gridworld, planning

# Tests give numbers of every kind, so these are not held to their signatures here.
policy_value: Any = planning.policy_value
expected_return: Any = planning.expected_return
occupancy: Any = planning.occupancy
optimal: Any = planning.optimal

CORRIDOR = gridworld.corridor()
UNIFORM = np.full((4, 2), 0.5, np.float32)


# Known numbers ---------------------------------------------------------------------------


def test_the_uniform_corridor_has_the_exact_return_of_the_lesson() -> None:
    value = slow_value(exact_corridor(), uniform(exact_corridor()), 8)
    assert mean(value[0][:2]) == Fraction("0.466875")
    assert float(expected_return(CORRIDOR, UNIFORM, 8)) == pytest.approx(0.466875, abs=1e-7)
    np.testing.assert_allclose(policy_value(CORRIDOR, UNIFORM, 8), floats(value), atol=2e-7)


def test_the_uniform_corridor_has_the_active_counts_of_the_lesson() -> None:
    world = exact_corridor()
    wanted = [64 * sum(row) for row in enumerated_occupancy(world, uniform(world), [0, 1], 8)]
    assert wanted == [64, 64, 56, 52, 46, 42, Fraction("37.5"), 34]
    assert (64 * np.asarray(occupancy(CORRIDOR, UNIFORM, 8)).sum(axis=1)).tolist() == wanted


def test_two_steps_left_are_worth_less_than_one_beside_the_goal() -> None:
    # One left: half of 1 - 0.01. Two left: half of 1, and half of -0.01 twice, since from cell 1
    # the goal is out of reach.
    value = policy_value(CORRIDOR, UNIFORM, 8)
    np.testing.assert_allclose(value[6:8, 2], [0.490, 0.495], rtol=1e-6)


# Every world of one small size, in exact fractions ---------------------------------------

NUM_STEPS = 5
CELLS, ACTIONS = 6, 4


@st.composite
def small_worlds(draw: st.DrawFn) -> SlowWorld:
    """Draw a map of 2 by 3 cells with two starts, and rewards that a float32 adds exactly."""
    free = draw(st.lists(st.sampled_from(".#G"), min_size=3, max_size=3))
    cells = "".join(draw(st.permutations(["S", "S", "G", *free])))
    eighths = st.integers(-8, 8).map(lambda n: Fraction(n, 8))
    horizon = draw(st.integers(1, NUM_STEPS + 2))
    return exact_map(f"{cells[:3]}\n{cells[3:]}", horizon, draw(eighths), draw(eighths))


@st.composite
def small_policies(draw: st.DrawFn) -> Table:
    """Draw probabilities in quarters: with five steps a float32 holds every product exactly."""
    actions = st.lists(st.integers(0, ACTIONS - 1), min_size=4, max_size=4)
    rows = [draw(actions) for _ in range(CELLS)]
    return [[Fraction(row.count(a), 4) for a in range(ACTIONS)] for row in rows]


@given(world=small_worlds(), policy=small_policies())
def test_values_equal_the_recursion_in_fractions(world: SlowWorld, policy: Table) -> None:
    wanted = slow_value(world, policy, NUM_STEPS)
    assert np.array_equal(policy_value(made(world), floats(policy), NUM_STEPS), floats(wanted))
    got = expected_return(made(world), floats(policy), NUM_STEPS)
    assert Fraction(float(got)) == mean([wanted[0][s] for s in world.cells("S")])


@given(world=small_worlds(), policy=small_policies())
def test_the_optimum_is_never_below_a_policy(world: SlowWorld, policy: Table) -> None:
    best, _ = optimal(made(world), NUM_STEPS)
    assert np.all(best >= policy_value(made(world), floats(policy), NUM_STEPS))


@given(world=small_worlds())
def test_the_optimum_is_earned_by_its_own_actions(world: SlowWorld) -> None:
    value, action = (np.asarray(part) for part in optimal(made(world), NUM_STEPS))
    for start in set(range(CELLS)) - set(world.cells("G")):
        for first in range(min(NUM_STEPS, world.horizon)):
            state, total = SlowState(start, first), Fraction(0)
            for t in range(first, NUM_STEPS):
                state, row = slow_step(world, state, int(action[t, state.position]))
                total += Fraction(row.reward)
            assert Fraction(float(value[first, start])) == total


# Every action sequence -------------------------------------------------------------------


def active_or_over(world: SlowWorld, position: int, t: int) -> SlowState:
    """Return the state after t transitions; nobody is active on a goal or at the horizon."""
    return SlowState(position, t, t >= world.horizon or world.at(position) == "G")


@pytest.mark.parametrize("name", WORLDS)
def test_values_equal_the_mean_over_every_action_sequence(name: str) -> None:
    world, num_steps = WORLDS[name]
    policy = uneven(world)
    got = np.asarray(policy_value(made(world), floats(policy), num_steps))
    assert got.shape == (num_steps + 1, num_cells(world))
    for t in range(num_steps + 1):
        for s in range(num_cells(world)):
            state = active_or_over(world, s, t)
            wanted = enumerated_value(world, policy, state, num_steps - t)
            assert got[t, s] == pytest.approx(float(wanted), abs=1e-6), (t, s)


@pytest.mark.parametrize("name", WORLDS)
def test_occupancy_equals_the_mean_over_every_action_sequence(name: str) -> None:
    world, num_steps = WORLDS[name]
    policy = uneven(world)
    wanted = enumerated_occupancy(world, policy, world.cells("S"), num_steps)
    got = np.asarray(occupancy(made(world), floats(policy), num_steps))
    np.testing.assert_allclose(got, floats(wanted), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", WORLDS)
def test_the_optimum_is_the_best_action_sequence_and_its_lowest_first_action(name: str) -> None:
    world, num_steps = WORLDS[name]
    value, action = (np.asarray(part) for part in optimal(made(world), num_steps))
    assert value.shape == (num_steps + 1, num_cells(world))
    assert action.shape == (num_steps, num_cells(world))
    for t in range(num_steps):
        for s in range(num_cells(world)):
            best = best_by_first_action(world, active_or_over(world, s, t), num_steps - t)
            assert value[t, s] == pytest.approx(float(max(best)), abs=1e-6), (t, s)
            assert action[t, s] == best.index(max(best)), (t, s)
    assert not value[num_steps].any()


# Occupancy -------------------------------------------------------------------------------


@given(world=small_worlds(), policy=small_policies())
def test_occupancy_sums_to_the_chance_of_being_active_and_to_the_length(
    world: SlowWorld, policy: Table
) -> None:
    # A second recursion, for the length: one transition, and those after it.
    def length(t: int, position: int) -> Fraction:
        total = Fraction(1)
        for action, chance in enumerate(policy[position]):
            state, _ = slow_step(world, SlowState(position, t), action)
            if chance and not state.done and t + 1 < NUM_STEPS:
                total += chance * length(t + 1, state.position)
        return total

    def running(t: int, position: int, until: int) -> Fraction:
        if t == until:
            return Fraction(1)
        steps = [slow_step(world, SlowState(position, t), a)[0] for a in range(ACTIONS)]
        return sum(
            (
                chance * running(t + 1, state.position, until)
                for chance, state in zip(policy[position], steps, strict=True)
                if chance and not state.done
            ),
            start=Fraction(0),
        )

    chance, starts = np.asarray(occupancy(made(world), floats(policy), NUM_STEPS)), world.cells("S")
    assert Fraction(float(chance.sum())) == mean([length(0, s) for s in starts])
    assert chance[3].sum() == float(mean([running(0, s, 3) for s in starts]))
    assert chance[0].sum() == 1
    assert not chance[:, world.cells("G")].any()


# Ties and the clock ----------------------------------------------------------------------


def test_the_optimal_walk_of_the_corridor_by_hand() -> None:
    value, action = optimal(CORRIDOR, 8)
    for t in range(8):
        for s in range(3):
            left, distance = 8 - t, 3 - s
            reached = left >= distance
            wanted = 1 - 0.01 * (distance - 1) if reached else -0.01 * left
            assert float(value[t, s]) == pytest.approx(wanted, abs=1e-6)
            assert int(action[t, s]) == reached  # out of reach all are equal: the lowest
    assert not np.any(value[:, 3])
    assert not np.any(action[:, 3])


def test_of_two_ways_that_are_equally_short_the_lower_action_is_taken() -> None:
    _, action = optimal(gridworld.from_map("S.\n.G", horizon=5), 5)
    assert action[0].tolist() == [1, 2, 1, 0]  # right before down
    assert action[4].tolist() == [0, 2, 1, 0]  # cell 0 can't reach the goal any more


# Starts ----------------------------------------------------------------------------------


def test_a_start_that_is_listed_twice_is_twice_as_likely() -> None:
    world = dataclasses.replace(CORRIDOR, starts=jnp.int32([1, 0, 1]))
    assert np.asarray(occupancy(world, UNIFORM, 8)[0]).tolist() == pytest.approx(
        [1 / 3, 2 / 3, 0, 0]
    )
    value = slow_value(exact_corridor(), uniform(exact_corridor()), 8)[0]
    wanted = float((value[0] + 2 * value[1]) / 3)
    assert float(expected_return(world, UNIFORM, 8)) == pytest.approx(wanted, abs=1e-6)


def test_an_episode_that_starts_on_a_goal_earns_its_reward_and_ends() -> None:
    slow, starts = exact_map("S.#\nS.G", 9, Fraction(-1, 8)), [0, 5]
    world = dataclasses.replace(made(slow), starts=jnp.int32(starts))
    policy = uneven(slow)
    chance = enumerated_occupancy(slow, policy, starts, 4)
    assert chance[0][5] == Fraction(1, 2)
    assert not any(row[5] for row in chance[1:])
    np.testing.assert_allclose(occupancy(world, floats(policy), 4), floats(chance), atol=1e-6)
    wanted = mean([enumerated_value(slow, policy, SlowState(s), 4) for s in starts])
    assert float(expected_return(world, floats(policy), 4)) == pytest.approx(
        float(wanted), abs=1e-6
    )
    assert not np.any(policy_value(world, floats(policy), 4)[:, 5])
