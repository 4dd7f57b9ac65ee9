"""Lesson 06: which estimates agree in the mean, and how far they scatter.

Every number that is drawn at random is held to five standard errors of its exact value: at
fixed keys, so that no test flickers. A right program would fail one such comparison in 1.7 million
for a key taken at random (two sides of a normal distribution), and here are about a hundred.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from estimates import each_estimate, policy_of, weights_of
from slow_reinforce import SETTINGS, VARIANTS, chances, credit, gradients, made, moments, recording

from gridroll import collector, gridworld, planning, reinforce
from gridroll.policy import bernoulli, softmax

policy_gradient: Any = reinforce.policy_gradient
z_scores: Any = reinforce.z_scores

BOUND = 5.0  # standard errors
MAZE = gridworld.from_map("S.#\n#S.\n.#G", horizon=8, step_reward=-0.1)
SLOPES = 0.5 * jnp.sin(jnp.arange(36.0)).reshape(9, 4)


def exact_gradient(world: Any, policy: Any, theta: Any, num_steps: int) -> Any:
    """Return the derivative of the exact return, through the policy's own probabilities."""

    def earns(theta: Any) -> Any:
        return planning.expected_return(world, policy.probabilities(theta), num_steps)

    return jax.grad(earns)(theta)


# Exactly ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_variant_has_the_exact_gradient_as_its_mean(name: str, variant: str) -> None:
    setting = SETTINGS[name]
    theta, world, rows = jnp.float32(setting.theta), made(setting.world), recording(setting)
    policy, chance = policy_of(theta), chances(setting)
    assert chance.sum() == pytest.approx(1)
    exact = exact_gradient(world, policy, theta, setting.num_steps)
    enumerated, _ = moments(chance, gradients(setting, variant))
    np.testing.assert_allclose(enumerated, exact, rtol=1e-4, atol=1e-6)
    # A mean over N walks, each with N times its chance, is the mean over all of them.
    likely = jnp.float32(len(chance) * chance)[None, :]
    weights = likely * weights_of(world, policy, theta, rows, variant)
    got = policy_gradient(policy, theta, rows, weights)
    np.testing.assert_allclose(got, enumerated, rtol=1e-4, atol=2e-6)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_variant_scatters_as_far_as_enumeration_says(name: str, variant: str) -> None:
    setting = SETTINGS[name]
    theta, world, rows = jnp.float32(setting.theta), made(setting.world), recording(setting)
    weights = weights_of(world, policy_of(theta), theta, rows, variant)
    got = moments(chances(setting), each_estimate(policy_of(theta), theta, rows, weights))
    wanted = moments(chances(setting), gradients(setting, variant))
    assert got[1] == pytest.approx(wanted[1], rel=1e-5)


def traces_of(name: str, constant: bool = False) -> dict[str, float]:
    """Return the trace of the covariance of one episode's estimate, for each variant."""
    setting = SETTINGS[name]
    chance = chances(setting)
    found = {v: moments(chance, gradients(setting, v))[1] for v in VARIANTS}
    if constant:  # a number for all times and cells: the expected return
        rows, theta = recording(setting), jnp.float32(setting.theta)
        mean = float(chance @ credit(setting, "total")[0])
        for v in ("total", "to-go"):
            weights = jnp.float32(credit(setting, v) - mean)
            estimates = each_estimate(bernoulli, theta, rows, weights)
            found[f"{v}-constant"] = moments(chance, estimates)[1]
    return found


def test_on_the_corridor_to_go_scatters_more_than_the_total() -> None:
    traces = traces_of("corridor")
    assert traces["total"] == pytest.approx(0.30735, abs=1e-5)
    assert traces["to-go"] == pytest.approx(0.31865, abs=1e-5)
    assert traces["total-baseline"] == pytest.approx(0.22498, abs=1e-5)
    assert traces["to-go-baseline"] == pytest.approx(0.21249, abs=1e-5)


def test_where_each_step_costs_one_the_order_is_that_of_the_textbook() -> None:
    traces = traces_of("steps-cost-one", constant=True)
    assert traces["total"] == pytest.approx(78.2214, abs=1e-3)
    assert traces["to-go"] == pytest.approx(30.4333, abs=1e-3)
    assert traces["to-go-constant"] == pytest.approx(11.3776, abs=1e-3)
    assert traces["to-go-baseline"] == pytest.approx(2.7921, abs=1e-3)
    # The two that credit the past too stand outside this order.
    assert traces["total-baseline"] == pytest.approx(26.8419, abs=1e-3)
    assert traces["total-constant"] == pytest.approx(6.6245, abs=1e-3)


# Drawn at random -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["corridor", "steps-cost-one"])
def test_sampled_episodes_scatter_as_far_as_enumeration_says(name: str) -> None:
    setting, num_envs = SETTINGS[name], 4096
    theta, world = jnp.float32(setting.theta), made(setting.world)
    key = jax.random.key(20)
    _, rows = collector.rollout(world, bernoulli, theta, key, num_envs=num_envs, num_steps=8)
    for variant in VARIANTS:
        weights = weights_of(world, bernoulli, theta, rows, variant)
        estimates = np.asarray(each_estimate(bernoulli, theta, rows, weights), np.float64)
        mean, trace = moments(chances(setting), gradients(setting, variant))
        assert (np.abs(z_scores(estimates, mean)) < BOUND).all(), variant
        # About the exact mean, each squared distance has the trace as its mean.
        distance = ((estimates - mean) ** 2).sum(axis=1)
        assert abs(float(z_scores(distance, trace))) < BOUND, variant


CASES = {
    "bernoulli": (gridworld.corridor(), bernoulli, jnp.float32([0.5, -1, 2, 3]), 8),
    "softmax": (gridworld.corridor(), softmax, jnp.sin(jnp.arange(8.0)).reshape(4, 2), 8),
    "walls": (MAZE, softmax, SLOPES, 8),
    "walls-cut-short": (MAZE, softmax, SLOPES, 5),
}


@pytest.mark.parametrize("name", CASES)
def test_the_mean_of_many_estimates_is_the_exact_gradient(name: str) -> None:
    world, policy, theta, num_steps = CASES[name]

    def estimates(key: Any) -> Any:
        _, rows = collector.rollout(world, policy, theta, key, num_envs=16, num_steps=num_steps)
        both = [weights_of(world, policy, theta, rows, v) for v in ("total", "to-go-baseline")]
        return [policy_gradient(policy, theta, rows, weights) for weights in both]

    exact = exact_gradient(world, policy, theta, num_steps)
    assert float(jnp.abs(exact).max()) > 0.01
    for got in jax.vmap(estimates)(jax.random.split(jax.random.key(11), 2048)):
        z = np.asarray(z_scores(got, exact))
        assert (np.abs(z) < BOUND).all(), z
        # It can tell: of estimates that are half too large, an entry would be out of bounds.
        assert (np.abs(z_scores(1.5 * got, exact)) > BOUND).any()
