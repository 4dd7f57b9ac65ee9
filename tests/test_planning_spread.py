"""Lesson 05: one backup, the variance of a return, and the band of a count."""

import dataclasses
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import signature
from oracles import SlowState, SlowWorld
from refusals import BAD_SIZES, SIZE_IDS, refuses
from slow_planning import (
    WORLDS,
    Table,
    chance_of,
    earned,
    exact_corridor,
    exact_map,
    floats,
    made,
    uneven,
    uniform,
    walks,
)

from gridroll import gridworld, planning

# Tests give numbers of every kind, so these are not held to their signatures here.
back_up: Any = planning.back_up
return_variance: Any = planning.return_variance
count_band: Any = planning.count_band

CORRIDOR = gridworld.corridor()
UNIFORM = np.full((4, 2), 0.5, np.float32)


# One backup ------------------------------------------------------------------------------


def test_a_backup_by_hand() -> None:
    # Left 1/4, right 3/4. From cell 2: a quarter of -0.5 + 8, three quarters of 4.
    world = gridworld.corridor(step_reward=-0.5, goal_reward=4.0)
    policy = np.tile([0.25, 0.75], (4, 1))
    got = back_up(world, policy, [2, 8, 1, 0])
    assert np.asarray(got).tolist() == [6.0, 0.75, 4.875, 0.0]


@pytest.mark.parametrize("name", WORLDS)
def test_a_backup_of_a_row_of_values_is_the_row_before_it(name: str) -> None:
    world, num_steps = WORLDS[name]
    policy = floats(uneven(world))
    value = planning.policy_value(made(world), policy, num_steps)
    for t in range(min(num_steps, world.horizon)):
        again = back_up(made(world), policy, value[t + 1])
        np.testing.assert_allclose(again, value[t], rtol=1e-6, atol=1e-7)


def test_a_backup_knows_no_clock_and_keeps_its_type() -> None:
    world = gridworld.corridor(horizon=1)
    got = back_up(world, UNIFORM, np.array([0, 0, 8, 0]))
    assert np.asarray(got).tolist() == pytest.approx([-0.01, 3.99, 0.495, 0.0])
    assert signature(got) == [("", (4,), "float32", False)]


# The variance of a return ----------------------------------------------------------------


def enumerated_variance(
    world: SlowWorld, policy: Table, starts: list[int], num_steps: int
) -> Fraction:
    """Return the variance over every walk from every start, exact."""
    weighted = [
        (chance_of(policy, rows) / len(starts), earned(rows))
        for start in starts
        for rows, _ in walks(world, SlowState(start), num_steps)
    ]
    mean = sum((chance * total for chance, total in weighted), start=Fraction(0))
    return sum((chance * (total - mean) ** 2 for chance, total in weighted), start=Fraction(0))


@pytest.mark.parametrize("name", WORLDS)
def test_the_variance_equals_that_over_every_action_sequence(name: str) -> None:
    world, num_steps = WORLDS[name]
    policy = uneven(world)
    wanted = enumerated_variance(world, policy, world.cells("S"), num_steps)
    got = float(return_variance(made(world), floats(policy), num_steps))
    assert got == pytest.approx(float(wanted), abs=2e-6)


def test_a_start_on_a_goal_earns_its_reward_for_certain() -> None:
    slow, starts = exact_map("S.#\nS.G", 9, Fraction(-1, 8)), [0, 5]
    world = dataclasses.replace(made(slow), starts=jnp.int32(starts))
    policy = uneven(slow)
    wanted = enumerated_variance(slow, policy, starts, 4)
    got = float(return_variance(world, floats(policy), 4))
    assert got == pytest.approx(float(wanted), abs=2e-6)


def test_a_policy_without_chance_varies_by_its_start_alone() -> None:
    right = np.tile([0.0, 1.0], (4, 1))
    # 0.98 from cell 0 and 0.99 from cell 1: each half of a hundredth from their mean.
    assert float(return_variance(CORRIDOR, right, 8)) == pytest.approx(0.005**2, abs=1e-8)
    one_start = dataclasses.replace(CORRIDOR, starts=jnp.int32([1]))
    assert float(return_variance(one_start, right, 8)) == 0


def test_a_return_of_the_uniform_corridor_is_as_far_off_as_the_lesson_says() -> None:
    world = exact_corridor()
    exact = enumerated_variance(world, uniform(world), [0, 1], 8)
    assert float(exact) ** 0.5 == pytest.approx(0.52202, abs=1e-5)
    assert float(return_variance(CORRIDOR, UNIFORM, 8)) == pytest.approx(float(exact), abs=1e-6)


def test_the_variance_has_a_strong_type_and_maps_over_worlds() -> None:
    worlds = [CORRIDOR, gridworld.corridor(horizon=3, step_reward=-0.5)]
    stack = jax.tree.map(lambda *leaves: jnp.stack(leaves), *worlds)
    mapped = jax.vmap(return_variance, in_axes=(0, None, None))(stack, jnp.asarray(UNIFORM), 6)
    for both, world in zip(mapped, worlds, strict=True):
        alone = return_variance(world, UNIFORM, 6)
        assert signature(alone) == [("", (), "float32", False)]
        assert float(both) == pytest.approx(float(alone), rel=1e-6)


# The band of a count ---------------------------------------------------------------------


@pytest.mark.parametrize("num_envs", [1, 5, 64])
def test_the_band_is_two_deviations_of_the_binomial_distribution(num_envs: int) -> None:
    chances = [Fraction(0), Fraction(1, 4), Fraction(5, 8), Fraction(1)]
    low, high = count_band([float(p) for p in chances], num_envs)
    for i, p in enumerate(chances):
        by_count = [
            comb(num_envs, k) * p**k * (1 - p) ** (num_envs - k) for k in range(num_envs + 1)
        ]
        mean = sum(k * chance for k, chance in enumerate(by_count))
        variance = sum((k - mean) ** 2 * chance for k, chance in enumerate(by_count))
        assert float(low[i]) == pytest.approx(float(mean) - 2 * float(variance) ** 0.5, abs=1e-4)
        assert float(high[i]) == pytest.approx(float(mean) + 2 * float(variance) ** 0.5, abs=1e-4)


def test_a_certain_count_has_no_width() -> None:
    low, high = count_band([1.0, 0.0], 64)
    assert low.tolist() == high.tolist() == [64.0, 0.0]


def test_rounding_beyond_1_gives_no_nan() -> None:
    over = np.float32(1) + np.float32(1e-6)
    assert over > 1
    low, high = count_band([over], 7)
    assert low.tolist() == high.tolist() == [7.0]


def test_a_band_under_jit_is_the_same() -> None:
    jitted = jax.jit(count_band, static_argnums=1)
    chance = jnp.float32([0.2, 0.9])
    for inside, outside in zip(jitted(chance, 9), count_band(chance, 9), strict=True):
        np.testing.assert_allclose(inside, outside, rtol=1e-6)
    assert signature(count_band(chance, 9)) == [
        ("[0]", (2,), "float32", False),
        ("[1]", (2,), "float32", False),
    ]


# Refusals --------------------------------------------------------------------------------


def test_a_row_of_values_of_another_length_is_refused() -> None:
    call = partial(back_up, CORRIDOR, UNIFORM)
    assert "next_value" in refuses(partial(call, np.zeros(3)), ValueError, r"\(3,\)", r"\(4,\)")
    assert "next_value" in refuses(partial(call, "0"), TypeError, "'0'", "number")
    table = np.full((4, 2), 0.25)
    bad = partial(back_up, CORRIDOR, table, np.zeros(4))
    refuses(bad, ValueError, "sums to 0.5", "sum to 1")


@pytest.mark.parametrize(
    ("chance", "came"), [([0.5, 1.1], "1.1"), ([-0.2], "-0.2"), ([np.nan], "nan")]
)
def test_a_chance_outside_0_to_1_is_refused(chance: list[float], came: str) -> None:
    assert "chance" in refuses(partial(count_band, chance, 8), ValueError, came, "between 0 and 1")


@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_sizes_that_are_no_positive_integer_are_refused(
    size: Any, kind: type[Exception], came: str
) -> None:
    assert "num_envs" in refuses(partial(count_band, [0.5], size), kind, came, "integer|int32")
    call = partial(return_variance, CORRIDOR, UNIFORM, size)
    assert "num_steps" in refuses(call, kind, came, "integer|int32")


def test_one_chance_without_an_axis_is_refused() -> None:
    assert "chance" in refuses(partial(count_band, 0.5, 8), ValueError, r"\(\)", r"\(any,\)")
