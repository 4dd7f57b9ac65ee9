"""Lesson 06: what its checks refuse beyond each exercise's own list of mistakes."""

from typing import Any

import jax
import jax.numpy as jnp
import pytest
import students

from gridroll import policy
from gridroll.classroom import check


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)


@pytest.mark.parametrize(
    ("name", "log_prob"),
    [
        ("reinforce.bernoulli_score", policy.bernoulli.log_prob),
        ("reinforce.softmax_score", policy.softmax.log_prob),
    ],
)
def test_a_score_by_hand_does_not_differentiate_the_librarys_log_probability(
    name: str, log_prob: Any
) -> None:
    verdict = check(name, jax.grad(log_prob))
    assert verdict.status == "failed"
    assert f"the library's own `{log_prob.__name__}`" in verdict.text


def test_an_estimator_that_is_stuck_beside_the_exact_value_does_not_count_as_exact() -> None:
    def z_scores(estimates: Any, exact: Any) -> Any:
        difference = estimates.mean(axis=0) - exact
        error = estimates.std(axis=0, ddof=1) / jnp.sqrt(estimates.shape[0])
        return jnp.where(error == 0, 0, difference / error)

    verdict = check("reinforce.z_scores", z_scores)
    assert verdict.status == "failed"
    assert verdict.diagnosis == "stuck and wrong, taken for exact"


def test_two_slips_of_z_at_once_have_a_cause() -> None:
    def z_scores(estimates: Any, exact: Any) -> Any:
        return (estimates.mean(axis=0) - exact) / (estimates.std(axis=0, ddof=1) / len(estimates))

    assert check("reinforce.z_scores", z_scores).diagnosis == "another unit, and zero over zero"


def test_the_recorded_log_probabilities_have_a_cause_whatever_is_cleaned() -> None:
    def surrogate(policy: Any, theta: Any, trajectory: Any, weights: Any) -> Any:
        weights = jax.lax.stop_gradient(jnp.where(trajectory.active, weights, 0.0))
        return (weights * trajectory.log_prob).sum(axis=0)

    assert check("reinforce.surrogate", surrogate).diagnosis == "the recorded log-probability"
