"""Lesson 06: the score, the surrogate's gradient, weights and baseline, held against every walk."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import equal
from estimates import each_estimate, policy_of, weights_of
from slow_reinforce import SETTINGS, VARIANTS, credit, gradients, made, recording, table_of

from gridroll import gridworld, planning, reinforce
from gridroll.collector import Trajectory
from gridroll.policy import bernoulli

# Tests give numbers of every kind, so these are not held to their signatures here.
bernoulli_score: Any = reinforce.bernoulli_score
surrogate: Any = reinforce.surrogate
policy_gradient: Any = reinforce.policy_gradient
baseline: Any = reinforce.baseline
z_scores: Any = reinforce.z_scores

WORLD = gridworld.corridor()
THETA = jnp.float32([0.5, -1.0, 2.0, 3.0])


# The score -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("logit", "action", "wanted"),
    [
        # sigmoid(2) = 1 / (1 + exp(-2)) = 0.8807970780, and sigmoid(-1) = 0.2689414214.
        (2.0, 1, 0.1192029220),
        (2.0, 0, -0.8807970780),
        (0.0, 1, 0.5),
        (0.0, 0, -0.5),
        (-1.0, 1, 0.7310585786),
        (-1.0, 0, -0.2689414214),
    ],
)
def test_the_score_is_the_action_minus_its_probability(
    logit: float, action: int, wanted: float
) -> None:
    theta = jnp.float32([7.0, logit, -7.0])
    got = np.asarray(bernoulli_score(theta, 1, action))
    assert got.tolist() == [0, pytest.approx(wanted, abs=1e-7), 0]


def test_the_score_is_the_gradient_of_the_log_probability() -> None:
    theta = jnp.float32([0.0, 2.0, -1.0, 12.0, -12.0])
    slope, jitted = jax.jit(jax.grad(bernoulli.log_prob)), jax.jit(bernoulli_score)
    for observation in range(5):
        for action in range(2):
            arguments = (theta, jnp.int32(observation), jnp.int32(action))
            for got in (bernoulli_score(*arguments), jitted(*arguments)):
                np.testing.assert_allclose(got, slope(*arguments), rtol=1e-5, atol=1e-7)


def test_scores_have_the_mean_zero_under_the_policy() -> None:
    chance = bernoulli.probabilities(THETA)
    for s in range(4):
        mean = sum(chance[s, a] * bernoulli_score(THETA, s, a) for a in range(2))
        np.testing.assert_allclose(mean, np.zeros(4), atol=1e-7)


# Weights, estimates and their mean -------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_the_weights_of_every_walk_are_those_of_the_slow_loop(name: str, variant: str) -> None:
    setting = SETTINGS[name]
    theta, world = jnp.float32(setting.theta), made(setting.world)
    got = weights_of(world, policy_of(theta), theta, recording(setting), variant)
    np.testing.assert_allclose(got, credit(setting, variant), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_the_estimate_of_every_walk_is_that_of_the_slow_loop(name: str, variant: str) -> None:
    setting = SETTINGS[name]
    theta = jnp.float32(setting.theta)
    weights = jnp.float32(credit(setting, variant))
    got = each_estimate(policy_of(theta), theta, recording(setting), weights)
    np.testing.assert_allclose(got, gradients(setting, variant), rtol=1e-5, atol=1e-5)


def test_policy_gradient_is_the_mean_over_episodes_and_the_sum_over_time() -> None:
    # Two episodes by hand: cell 1 right, cell 2 right; and cell 0 left, then padding in cell 0.
    trajectory = Trajectory(
        observation=jnp.int32([[1, 0], [2, 0]]),
        action=jnp.int32([[1, 0], [1, 1]]),
        reward=jnp.float32([[0, 0], [0, 0]]),
        active=jnp.array([[True, True], [True, False]]),
        terminated=jnp.zeros((2, 2), bool),
        truncated=jnp.zeros((2, 2), bool),
        log_prob=jnp.zeros((2, 2)),
    )
    got = policy_gradient(bernoulli, jnp.zeros(4), trajectory, [[3.0, 5.0], [7.0, 100.0]])
    # Each score is +-1/2, and half of each episode counts.
    assert np.asarray(got).tolist() == [-5 / 4, 3 / 4, 7 / 4, 0]


def test_a_weight_of_one_for_more_reward_is_more_of_that_action() -> None:
    """The sign: the estimate points uphill, so it is added to theta."""
    setting = SETTINGS["corridor"]
    weights = credit(setting, "to-go")
    theta = jnp.zeros(4)
    gradient = policy_gradient(bernoulli, theta, recording(setting), weights)

    def earns(theta: Any) -> float:
        return float(planning.expected_return(WORLD, bernoulli.probabilities(theta), 8))

    assert earns(theta - 0.5 * gradient) < earns(theta) < earns(theta + 0.5 * gradient)
    assert (np.asarray(gradient)[:3] > 0).all()  # to the right, in every cell but the goal


def test_weights_are_constants_even_where_they_depend_on_theta() -> None:
    setting = SETTINGS["corridor-uneven"]
    rows = recording(setting)
    weights = jnp.float32(credit(setting, "total"))

    def objective(theta: Any) -> Any:
        return surrogate(bernoulli, theta, rows, weights * theta[0] / THETA[0]).mean()

    wanted = policy_gradient(bernoulli, THETA, rows, weights)
    np.testing.assert_allclose(jax.grad(objective)(THETA), wanted, rtol=1e-5, atol=1e-6)


def test_the_recorded_log_probabilities_are_not_asked() -> None:
    rows = recording(SETTINGS["corridor-uneven"])
    weights = reinforce.to_go_weights(rows)
    loud = rows._replace(log_prob=jnp.full_like(rows.log_prob, 99.0))
    for function in (surrogate, policy_gradient):
        both = [function(bernoulli, THETA, each, weights) for each in (rows, loud)]
        assert equal(*both)


# The baseline ----------------------------------------------------------------------------


def test_the_baseline_is_constant_in_theta() -> None:
    rows = recording(SETTINGS["corridor-uneven"])

    def total(theta: Any) -> Any:
        return baseline(WORLD, bernoulli, theta, rows).sum()

    assert float(total(THETA)) != float(total(THETA + 1)), "it does depend on theta"
    assert np.asarray(jax.grad(total)(THETA)).tolist() == [0, 0, 0, 0]


def test_the_baseline_of_the_last_step_beside_the_goal_by_hand() -> None:
    # After 7 of 8 transitions one is left: half of the time it reaches the goal from cell 2.
    rows = recording(SETTINGS["corridor"])
    got = np.asarray(baseline(WORLD, bernoulli, jnp.zeros(4), rows))[7]
    active, cell = np.asarray(rows.active)[7], np.asarray(rows.observation)[7]
    assert set(got[active & (cell == 2)].tolist()) == {float(np.float32(0.495))}
    np.testing.assert_allclose(got[active & (cell < 2)], -0.01, rtol=1e-6)
    assert not got[~active].any()


# Standard errors -------------------------------------------------------------------------


def test_z_scores_by_hand() -> None:
    # Four estimates with the mean 5 and the sample variance 20/3: the error is sqrt(5/3).
    estimates = np.array([[2.0, 1.0, 3.0], [4, 1, 3], [6, 1, 3], [8, 1, 3]])
    got = np.asarray(z_scores(estimates, [3.0, 1.0, 2.0])).tolist()
    assert got == [pytest.approx(2 / np.sqrt(5 / 3), rel=1e-6), 0, np.inf]


def test_table_of_the_oracle_is_the_policy_of_the_library() -> None:
    for setting in SETTINGS.values():
        theta = jnp.float32(setting.theta)
        got = policy_of(theta).probabilities(theta)
        np.testing.assert_allclose(got, table_of(setting.theta), rtol=1e-5)
