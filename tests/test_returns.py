"""Lesson 04: returns-to-go and episode statistics."""

import math
from fractions import Fraction
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import signature
from hypothesis import given
from hypothesis import strategies as st
from oracles import exact_return, slow_returns
from refusals import refuses

from gridroll import collector, gridworld, returns
from gridroll.collector import Trajectory
from gridroll.policy import bernoulli

# Tests give numbers of every kind, so these are not held to their signatures here.
returns_to_go: Any = returns.returns_to_go
episode_return: Any = returns.episode_return
episode_length: Any = returns.episode_length

PRIMES = [[2, 3, 5], [7, 11, 13], [17, 19, 23], [29, 31, 37], [41, 43, 47]]


def is_strong(value: jax.Array, dtype: str, shape: tuple[int, ...]) -> bool:
    return (str(value.dtype), value.shape, value.weak_type) == (dtype, shape, False)


# Returns-to-go ---------------------------------------------------------------------------


def test_the_returns_of_the_shortest_episode_from_cell_zero() -> None:
    got = returns_to_go(jnp.float32([-0.01, -0.01, 1, 0]))
    np.testing.assert_allclose(got, [0.98, 0.99, 1, 0], rtol=1e-6)


def test_a_column_of_primes_sums_upwards() -> None:
    # 41, 41+29, 41+29+17, ...; the second column 43, 74, 93, 104, 107; the third 47, 84, ...
    got = returns_to_go(jnp.float32(PRIMES))
    assert np.asarray(got).tolist() == [
        [96, 107, 125],
        [94, 104, 120],
        [87, 93, 107],
        [70, 74, 84],
        [41, 43, 47],
    ]


def test_a_discount_of_one_half_by_hand() -> None:
    got = returns_to_go(jnp.float32([8, 4, 2, 16]), gamma=0.5)
    # 16; 2 + 8; 4 + 5; 8 + 4.5
    assert np.asarray(got).tolist() == [12.5, 9, 10, 16]


def test_a_discount_of_zero_leaves_the_reward_of_the_step_itself() -> None:
    got = returns_to_go(jnp.float32(PRIMES), gamma=0.0)
    assert np.asarray(got).tolist() == PRIMES


def test_no_discount_is_the_default() -> None:
    reward = jnp.float32(PRIMES)
    assert np.array_equal(returns_to_go(reward), returns_to_go(reward, 1.0))


@given(
    gamma=st.floats(0, 1, width=32),
    rewards=st.lists(st.floats(-100, 100, width=32), min_size=21, max_size=21),
    shape=st.sampled_from([(21,), (7, 3), (3, 7), (1, 21), (7, 1, 3)]),
)
def test_any_discount_equals_the_slow_loop(
    gamma: float, rewards: list[float], shape: tuple[int, ...]
) -> None:
    reward = np.array(rewards, np.float32).reshape(shape)
    got = returns_to_go(jnp.asarray(reward), gamma)
    assert is_strong(got, "float32", shape)
    columns, results = reward.reshape(shape[0], -1), np.asarray(got).reshape(shape[0], -1)
    for b in range(columns.shape[1]):
        wanted = [float(value) for value in slow_returns(columns[:, b].tolist(), gamma)]
        # The error of a float32 sum is bounded by the sum of absolute values.
        bound = 4e-6 * float(np.abs(columns[:, b].astype(np.float64)).sum()) + 1e-30
        np.testing.assert_allclose(results[:, b], wanted, rtol=0, atol=bound)


@given(eighths=st.integers(0, 8), rewards=st.lists(st.integers(-8, 8), min_size=6, max_size=6))
def test_small_fractions_are_exact(eighths: int, rewards: list[int]) -> None:
    # Six rewards below 16 and powers of one eighth fit into the 24 bits of a float32.
    gamma = Fraction(eighths, 8)
    got = np.asarray(returns_to_go(jnp.float32(rewards), float(gamma)))
    wanted = slow_returns(rewards, gamma)
    assert [Fraction(float(value)) for value in got] == [
        Fraction(float(np.float32(float(value)))) for value in wanted
    ]


def test_a_long_horizon_stays_finite_and_right() -> None:
    # Dividing a cumulative sum by gamma ** t would overflow: 0.9 ** 2000 is 0 in float32.
    got = np.asarray(returns_to_go(jnp.ones(2000), gamma=0.9))
    wanted = [(1 - 0.9 ** (2000 - t)) / (1 - 0.9) for t in range(2000)]
    np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_rewards_of_one_environment_stay_in_its_column() -> None:
    reward = np.zeros((4, 3), np.float32)
    reward[2, 1] = 5
    got = np.asarray(returns_to_go(jnp.asarray(reward)))
    assert got.tolist() == [[0, 5, 0], [0, 5, 0], [0, 5, 0], [0, 0, 0]]


def test_padding_with_zeros_adds_nothing() -> None:
    reward = jnp.float32([[1, 2], [3, 4]])
    padded = jnp.concatenate([reward, jnp.zeros((3, 2))])
    for gamma in (0.0, 0.9, 1.0):
        assert np.array_equal(returns_to_go(padded, gamma)[:2], returns_to_go(reward, gamma))
        assert not np.any(returns_to_go(padded, gamma)[2:])


def test_the_gradient_of_a_return_is_a_power_of_gamma() -> None:
    gradient = jax.grad(lambda r: returns_to_go(r, 0.5)[1])(jnp.float32([1, 2, 3, 4]))
    assert np.asarray(gradient).tolist() == [0, 1, 0.5, 0.25]


@pytest.mark.parametrize(
    "reward",
    [np.ones(4), np.ones(4, np.float32), np.ones(4, int), jnp.ones(4, int), jnp.ones(4)],
    ids=["float64", "float32", "int64", "int32", "jax"],
)
def test_returns_are_strong_float32(reward: Any) -> None:
    got = returns_to_go(reward, 0.5)
    assert is_strong(got, "float32", (4,))
    assert np.asarray(got).tolist() == [1.875, 1.75, 1.5, 1]


def test_one_trace_for_every_value_and_kind_of_gamma(traces: Any) -> None:
    reward = jnp.arange(30.0).reshape(5, 2, 3)  # a shape of no other test
    assert traces.of(lambda: returns_to_go(reward, 0.25)) != []
    kinds = (float, np.float32, np.float64, jnp.float32, np.array, jnp.asarray)
    for kind in kinds:
        for value in (0.25, 0.5):
            assert traces.of(lambda k=kind, v=value: returns_to_go(reward, k(v))) == []
        wanted = returns_to_go(reward, 0.5)
        assert np.array_equal(returns_to_go(reward, kind(0.5)), wanted)
    for one in (1, np.int64(1), jnp.int32(1), jnp.asarray(1)):
        assert traces.of(lambda one=one: returns_to_go(reward, one)) == []
        assert np.array_equal(returns_to_go(reward, one), returns_to_go(reward, 1.0))


def test_jit_and_vmap_over_gamma_give_the_same_returns() -> None:
    reward, gammas = jnp.float32(PRIMES), jnp.float32([0, 0.5, 1])
    jitted, mapped = jax.jit(returns_to_go), jax.vmap(returns_to_go, (None, 0))(reward, gammas)
    for i, gamma in enumerate((0.0, 0.5, 1.0)):
        wanted = returns_to_go(reward, gamma)
        np.testing.assert_allclose(mapped[i], wanted, rtol=1e-6)
        np.testing.assert_allclose(jitted(reward, gamma), wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("gamma", "kind", "came"),
    [
        (-0.1, ValueError, r"-0\.1"),
        (1.1, ValueError, r"1\.1"),
        (np.float32(1.5), ValueError, r"1\.5"),
        (jnp.float32(-0.5), ValueError, r"-0\.5"),
        (2, ValueError, r"\b2\b"),
        (math.nan, ValueError, "nan"),
        (math.inf, ValueError, "inf"),
        ("0.9", TypeError, r"'0\.9'|str"),
        (None, TypeError, "None"),
        (0.5j, TypeError, r"0\.5j|complex"),
        (np.array([0.5, 0.6]), (TypeError, ValueError), r"\(2,\)|0\.5"),
    ],
    ids=repr,
)
def test_gamma_outside_zero_to_one_is_refused(gamma: Any, kind: Any, came: str) -> None:
    call = partial(returns_to_go, jnp.ones(3), gamma)
    assert "gamma" in refuses(call, kind, came, "0.*1|real number|shape")


@pytest.mark.parametrize(
    ("reward", "kind", "came"),
    [
        (jnp.float32(1), ValueError, r"\(\)"),
        (jnp.zeros((0, 3)), ValueError, r"\(0, 3\)|\b0\b"),
        ("reward", TypeError, "'reward'|str"),
        (None, TypeError, "None"),
        (np.ones(3, complex), TypeError, "complex"),
    ],
    ids=["scalar", "no-steps", "text", "none", "complex"],
)
def test_a_reward_without_a_time_axis_or_of_another_kind_is_refused(
    reward: Any, kind: type[Exception], came: str
) -> None:
    call = partial(returns_to_go, reward)
    assert "reward" in refuses(call, kind, came, r"T|array|number|axis|real|float")


# Episodes --------------------------------------------------------------------------------


def trajectory_of(reward: Any, active: Any) -> Trajectory:
    """Return a trajectory of which only rewards and masks matter."""
    shape = np.shape(reward)
    whole, flags = jnp.zeros(shape, jnp.int32), jnp.zeros(shape, bool)
    rewards = jnp.asarray(reward, jnp.float32)
    mask = jnp.asarray(active, bool)
    return Trajectory(whole, whole, rewards, mask, flags, flags, jnp.zeros(shape))


# Columns: ends on the first row, in the middle, on the last, never; each with its own rewards.
ACTIVE = [[1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
REWARD = [[2, 3, 5, 7], [0, 11, 13, 17], [0, 19, 23, 29], [0, 0, 31, 37], [0, 0, 41, 43]]


def test_one_return_for_each_episode() -> None:
    got = episode_return(trajectory_of(REWARD, ACTIVE))
    assert is_strong(got, "float32", (4,))
    assert np.asarray(got).tolist() == [2, 3 + 11 + 19, 5 + 13 + 23 + 31 + 41, 133]


def test_length_counts_active_rows_also_when_nothing_ends() -> None:
    got = episode_length(trajectory_of(REWARD, ACTIVE))
    assert is_strong(got, "int32", (4,))
    assert np.asarray(got).tolist() == [1, 3, 5, 5]


def test_an_episode_that_was_over_beforehand_has_length_and_return_zero() -> None:
    rows = trajectory_of([[0, 4], [0, 5]], [[0, 1], [0, 1]])
    assert np.asarray(episode_length(rows)).tolist() == [0, 2]
    assert np.asarray(episode_return(rows)).tolist() == [0, 9]


def test_statistics_of_the_recorded_run() -> None:
    final, rows = collector.rollout(
        gridworld.corridor(), bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )
    lengths = np.asarray(episode_length(rows))
    assert lengths.tolist() == np.asarray(final.elapsed).tolist()
    assert int(lengths.sum()) == 398
    means = np.asarray(episode_return(rows), np.float64)
    assert abs(means.mean() - float(exact_return(41, 398, 64))) < 5e-7
    # One episode: 1 minus a hundredth for each step before the goal, or only the steps.
    arrived = np.asarray(rows.terminated).any(axis=0)
    wanted = np.where(arrived, 1 - 0.01 * (lengths - 1), -0.01 * lengths)
    np.testing.assert_allclose(means, wanted, rtol=1e-5)
    first = np.asarray(returns_to_go(rows.reward))[0]
    np.testing.assert_allclose(first, wanted, rtol=1e-5)


def test_garbage_in_the_padding_earns_nothing() -> None:
    garbage = np.where(np.array(ACTIVE) == 1, REWARD, np.nan)
    got = episode_return(trajectory_of(garbage, ACTIVE))
    assert np.asarray(got).tolist() == [2, 33, 113, 133]


def test_jit_changes_no_statistic() -> None:
    rows = trajectory_of(REWARD, ACTIVE)
    for statistic in (episode_return, episode_length):
        assert np.array_equal(jax.jit(statistic)(rows), statistic(rows))
        assert signature(jax.jit(statistic)(rows)) == signature(statistic(rows))


@pytest.mark.parametrize("statistic", [episode_return, episode_length], ids=["return", "length"])
@pytest.mark.parametrize("rows", [None, "rows", np.ones((3, 2))], ids=["none", "text", "array"])
def test_what_is_not_a_trajectory_is_refused(statistic: Any, rows: Any) -> None:
    refuses(partial(statistic, rows), TypeError, type(rows).__name__, "Trajectory")
