"""Lesson 04: the matrix of discounts, means over what counts, averages and episode statistics.

The expected values are worked out in exact fractions or by hand, never with an array.
"""

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import slow_returns
from refusals import refuses

from gridroll import collector, gridworld, returns
from gridroll.collector import Trajectory
from gridroll.policy import bernoulli

discount_matrix: Any = returns.discount_matrix
returns_by_matrix: Any = returns.returns_by_matrix
masked_mean: Any = returns.masked_mean
averages: Any = returns.averages
standard_error: Any = returns.standard_error
episode_statistics: Any = returns.episode_statistics

# Columns: ends on the first row, in the middle, on the last, never.
LENGTHS = [1, 3, 5, 5]
REWARD = [[2, 3, 5, 7], [0, 11, 13, 17], [0, 19, 23, 29], [0, 0, 31, 37], [0, 0, 41, 43]]
EARNED = [2, 33, 113, 133]


def active_for(lengths: Sequence[int], num_steps: int) -> np.ndarray:
    return np.array([[t < length for length in lengths] for t in range(num_steps)])


def trajectory_of(lengths: Sequence[int], endings: str, reward: Any) -> Trajectory:
    """Episodes that end by g(oal), l(imit) or n(ot at all) on the last row of their length."""
    num_steps = len(reward)
    events = {
        kind: np.array(
            [
                [t == n - 1 and e == kind for n, e in zip(lengths, endings, strict=True)]
                for t in range(num_steps)
            ]
        )
        for kind in "gl"
    }
    nothing = jnp.zeros(np.shape(reward), jnp.int32)
    return Trajectory(
        observation=nothing,
        action=nothing,
        reward=jnp.asarray(reward, jnp.float32),
        active=jnp.asarray(active_for(lengths, num_steps)),
        terminated=jnp.asarray(events["g"]),
        truncated=jnp.asarray(events["l"]),
        log_prob=jnp.zeros(np.shape(reward)),
    )


def is_strong(value: jax.Array, dtype: str, shape: tuple[int, ...]) -> bool:
    return (str(value.dtype), value.shape, value.weak_type) == (dtype, shape, False)


# The matrix ------------------------------------------------------------------------------


def test_the_matrix_of_one_half_by_hand() -> None:
    got = discount_matrix(4, 0.5)
    assert is_strong(got, "float32", (4, 4))
    assert np.asarray(got).tolist() == [
        [1, 0.5, 0.25, 0.125],
        [0, 1, 0.5, 0.25],
        [0, 0, 1, 0.5],
        [0, 0, 0, 1],
    ]


@pytest.mark.parametrize(("gamma", "above"), [(0.0, 0.0), (1.0, 1.0)])
def test_at_zero_only_the_row_itself_counts_and_at_one_all_later_rows_do(
    gamma: float, above: float
) -> None:
    got = np.asarray(discount_matrix(3, gamma))
    assert got.tolist() == [[1, above, above], [0, 1, above], [0, 0, 1]]


@given(
    gamma=st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1, width=32)),
    rewards=st.lists(st.floats(-100, 100, width=32), min_size=21, max_size=21),
    shape=st.sampled_from([(21,), (7, 3), (3, 7), (7, 1, 3)]),
)
def test_both_routes_agree_with_the_slow_loop(
    gamma: float, rewards: list[float], shape: tuple[int, ...]
) -> None:
    reward = np.array(rewards, np.float32).reshape(shape)
    by_matrix = np.asarray(returns_by_matrix(reward, gamma))
    by_scan = np.asarray(returns.returns_to_go(jnp.asarray(reward), gamma))
    assert by_matrix.shape == by_scan.shape == shape
    columns, routes = reward.reshape(shape[0], -1), (by_matrix, by_scan)
    for b in range(columns.shape[1]):
        wanted = [float(value) for value in slow_returns(columns[:, b].tolist(), gamma)]
        bound = 1e-5 * float(np.abs(columns[:, b].astype(np.float64)).sum()) + 1e-30
        for route in routes:
            got = route.reshape(shape[0], -1)[:, b]
            np.testing.assert_allclose(got, wanted, rtol=0, atol=bound)


def test_the_matrix_is_right_on_a_long_horizon() -> None:
    got = np.asarray(returns_by_matrix(jnp.ones(600), 0.9))
    wanted = [(1 - 0.9 ** (600 - t)) / (1 - 0.9) for t in range(600)]
    np.testing.assert_allclose(got, wanted, rtol=1e-5)


def test_returns_by_matrix_are_strong_float32_under_jit_too() -> None:
    reward = np.ones((4, 2))
    for route in (returns_by_matrix, jax.jit(returns_by_matrix)):
        assert is_strong(route(reward, 0.5), "float32", (4, 2))
        assert np.asarray(route(reward, 0.5))[:, 1].tolist() == [1.875, 1.75, 1.5, 1]


# A mean over what counts -----------------------------------------------------------------


def test_what_stands_outside_the_mask_changes_nothing() -> None:
    value = np.array([[2, 3], [np.nan, 11], [np.inf, -1000]], np.float32)
    mask = np.array([[1, 1], [0, 1], [0, 0]], bool)
    got = masked_mean(value, mask)
    assert is_strong(got, "float32", (2,))
    assert np.asarray(got).tolist() == [2, 7]
    assert np.asarray(jax.jit(masked_mean)(value, mask)).tolist() == [2, 7]


def test_the_mean_of_nothing_is_nan_in_its_own_column_alone() -> None:
    value = np.array([[1, 5], [2, 8]], np.float32)
    got = np.asarray(masked_mean(value, np.array([[0, 1], [0, 0]], bool)))
    assert math.isnan(got[0])
    assert got[1] == 5


def test_the_gradient_ignores_what_stands_outside_the_mask() -> None:
    value = jnp.float32([1, jnp.nan, 3, 4])
    mask = jnp.array([True, False, True, False])
    assert np.asarray(jax.grad(masked_mean)(value, mask)).tolist() == [0.5, 0, 0.5, 0]


@given(
    numbers=st.lists(st.integers(-50, 50), min_size=12, max_size=12),
    mask=st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_a_masked_mean_is_the_exact_mean_of_what_counts(
    numbers: list[int], mask: list[bool]
) -> None:
    value = np.where(mask, np.array(numbers, np.float32), np.nan).reshape(4, 3)
    got = np.asarray(masked_mean(value, np.array(mask).reshape(4, 3)))
    for column in range(3):
        kept = [n for n, m in list(zip(numbers, mask, strict=True))[column::3] if m]
        if kept:
            assert got[column] == pytest.approx(float(Fraction(sum(kept), len(kept))), rel=1e-6)
        else:
            assert math.isnan(got[column])


# Three averages --------------------------------------------------------------------------


def test_three_averages_of_episodes_of_lengths_one_three_and_eight() -> None:
    reward = np.zeros((8, 3), np.float32)
    reward[0] = [6, 1, 2]
    reward[2, 1], reward[7, 2] = 5, 10
    got = averages(reward, active_for([1, 3, 8], 8))
    # 6 + 6 + 12 = 24, over 3 episodes, 12 live transitions and 24 cells.
    assert [float(average) for average in got] == [8, 2, 1]
    assert got._fields == ("episode", "transition", "cell")
    assert all(is_strong(average, "float32", ()) for average in got)


def test_rewards_in_the_padding_count_in_no_average() -> None:
    dirty = np.where(active_for(LENGTHS, 5), REWARD, np.nan)
    clean = averages(REWARD, active_for(LENGTHS, 5))
    assert [float(a) for a in averages(dirty, active_for(LENGTHS, 5))] == [float(a) for a in clean]


@given(
    lengths=st.lists(st.integers(1, 6), min_size=4, max_size=4),
    rewards=st.lists(st.integers(-20, 20), min_size=24, max_size=24),
    padding=st.integers(1, 9),
)
def test_padding_divides_the_average_over_cells_and_no_other(
    lengths: list[int], rewards: list[int], padding: int
) -> None:
    active = active_for(lengths, 6)
    reward = np.where(active, np.array(rewards).reshape(6, 4), 0).astype(np.float32)
    total = Fraction(int(reward.sum()))
    short = averages(reward, active)
    long = averages(
        np.concatenate([reward, np.zeros((padding, 4), np.float32)]),
        np.concatenate([active, np.zeros((padding, 4), bool)]),
    )
    live = sum(lengths)
    for got, rows in ((short, 6), (long, 6 + padding)):
        exact = (total / 4, total / live, total / (4 * rows))
        np.testing.assert_allclose([float(a) for a in got], [float(e) for e in exact], atol=1e-5)


# How far off the mean may be -------------------------------------------------------------


def test_the_standard_error_of_four_returns_by_hand() -> None:
    # Returns 1, 3, 5, 7: squares 9 + 1 + 1 + 9 = 20, over 3, over 4: the root of 5 / 3.
    got = standard_error(np.array([[1, 0, 2, 7], [0, 3, 3, 0]]), active_for([1, 2, 2, 1], 2))
    assert is_strong(got, "float32", ())
    assert float(got) == pytest.approx(math.sqrt(5 / 3), rel=1e-6)


@given(rewards=st.lists(st.integers(-20, 20), min_size=15, max_size=15))
def test_the_standard_error_is_that_of_the_returns(rewards: list[int]) -> None:
    reward, active = np.array(rewards).reshape(3, 5), active_for([1, 2, 3, 2, 1], 3)
    earned = [int(reward[:n, b].sum()) for b, n in enumerate([1, 2, 3, 2, 1])]
    wanted = statistics.stdev(earned) / math.sqrt(5)
    assert float(standard_error(reward, active)) == pytest.approx(wanted, rel=1e-5, abs=1e-5)


def test_a_single_episode_has_no_standard_error() -> None:
    assert math.isnan(float(standard_error([[1.0], [2.0]], [[True], [True]])))


# All of it -------------------------------------------------------------------------------


def test_statistics_say_how_many_episodes_stand_behind_them() -> None:
    got = episode_statistics(trajectory_of(LENGTHS, "ggln", REWARD))
    assert float(got.mean_return) == pytest.approx(sum(EARNED) / 4)
    assert float(got.standard_error) == pytest.approx(statistics.stdev(EARNED) / 2, rel=1e-6)
    assert float(got.mean_length) == sum(LENGTHS) / 4
    assert [int(n) for n in (got.episodes, got.finished, got.terminated)] == [4, 3, 2]
    dtypes = ["float32"] * 3 + ["int32"] * 3
    assert all(is_strong(leaf, dtype, ()) for leaf, dtype in zip(got, dtypes, strict=True))


def test_a_column_that_was_over_beforehand_is_no_episode() -> None:
    got = episode_statistics(trajectory_of([0, 2, 1], "ggl", [[9, 4, 6], [9, 2, 9]]))
    assert int(got.episodes) == int(got.finished) == 2
    assert float(got.mean_return) == 6
    assert float(got.standard_error) == 0
    assert float(got.mean_length) == 1.5


def test_no_episode_is_not_taken_for_a_return_of_zero() -> None:
    got = episode_statistics(trajectory_of([0, 0], "gg", [[1, 2], [3, 4]]))
    assert math.isnan(float(got.mean_return))
    assert math.isnan(float(got.mean_length))
    assert int(got.episodes) == 0


def test_jit_changes_no_statistic_and_one_episode_has_no_error() -> None:
    rows = trajectory_of([2], "g", [[1], [2]])
    eager, jitted = episode_statistics(rows), jax.jit(episode_statistics)(rows)
    assert np.array_equal(np.array(eager), np.array(jitted), equal_nan=True)
    assert float(eager.mean_return) == 3
    assert math.isnan(float(eager.standard_error))


def test_the_recorded_run_has_the_numbers_of_the_plan() -> None:
    _, rows = collector.rollout(
        gridworld.corridor(), bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )
    # 41 goals and 398 - 41 steps that cost a hundredth: 37.43 in all.
    total = Fraction(41) - Fraction(398 - 41, 100)
    got = averages(rows.reward, rows.active)
    wanted = [float(total / count) for count in (64, 398, 512)]
    np.testing.assert_allclose([float(a) for a in got], wanted, rtol=1e-5)
    assert [f"{w:.3f}" for w in wanted] == ["0.585", "0.094", "0.073"]
    earned = np.asarray(returns.episode_return(rows))
    assert not ((earned > -0.07) & (earned < 0.92)).any()
    quick = sorted(zip(np.asarray(returns.episode_length(rows)), earned, strict=True))[:16]
    assert statistics.mean(float(e) for _, e in quick) == pytest.approx(0.981, abs=5e-4)
    found = episode_statistics(rows)
    assert [int(n) for n in found[3:]] == [64, 64, 41]
    assert float(found.standard_error) == pytest.approx(
        statistics.stdev(earned.tolist()) / 8, rel=1e-5
    )
    assert float(found.standard_error) == pytest.approx(
        float(standard_error(rows.reward, rows.active)), rel=1e-5
    )


# What is refused -------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, -1, 2.5, True, "3"], ids=repr)
def test_a_number_of_steps_that_is_no_positive_integer_is_refused(number: Any) -> None:
    refuses(partial(discount_matrix, number, 0.9), (TypeError, ValueError), "num_steps", "integer")


@pytest.mark.parametrize("gamma", [-0.1, 1.1, math.nan], ids=repr)
@pytest.mark.parametrize(
    "call", [partial(discount_matrix, 3), partial(returns_by_matrix, np.ones(3))]
)
def test_a_discount_outside_zero_to_one_is_refused(call: Any, gamma: float) -> None:
    assert "gamma" in refuses(partial(call, gamma), ValueError, f"{gamma:g}", "0.*1")


@pytest.mark.parametrize("function", [masked_mean, averages, standard_error])
def test_a_mask_of_another_shape_or_kind_is_refused(function: Any) -> None:
    value = np.ones((3, 2), np.float32)
    refuses(partial(function, value, np.ones((2, 3), bool)), ValueError, r"\(2, 3\)", r"\(3, 2\)")
    refuses(partial(function, value, np.ones((3, 2), int)), TypeError, "int", "boolean")
    refuses(partial(function, "value", np.ones((3, 2), bool)), TypeError, "value", "number")


def test_a_recording_has_two_axes_and_a_mean_at_least_one() -> None:
    flags = np.ones(3, bool)
    for function in (averages, standard_error):
        refuses(partial(function, np.ones(3), flags), ValueError, r"\(3,\)", r"\(T, B\)")
    refuses(partial(masked_mean, 1.0, True), ValueError, r"\(\)", "at least one axis")
    assert float(masked_mean(np.ones(3), flags)) == 1
