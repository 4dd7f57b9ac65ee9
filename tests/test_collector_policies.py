"""Lesson 03: what a policy sees, what it draws from, and what is recorded of it."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import log_sigmoid

from gridroll import collector
from gridroll.collector import Trajectory
from gridroll.gridworld import corridor
from gridroll.policy import Policy, bernoulli

# Tests give numbers of every kind, so these are not held to their signatures here.
rollout: Any = collector.rollout


def hash_of_key(theta: Any, observation: Any, key: Any) -> jax.Array:
    """Return an action that tells keys apart; far outside the range of any world."""
    del theta, observation
    return jax.random.bits(key, dtype=jnp.uint32).astype(jnp.int32)


PROBE = Policy(
    name="probe",
    sample=hash_of_key,
    log_prob=lambda theta, observation, action: observation.astype(jnp.float32) + theta[0],
    probabilities=lambda theta: theta,
    parameter_shape=lambda world: (1,),
)


@pytest.fixture(scope="module")
def probed() -> Trajectory:
    key = jax.random.key(8)
    return rollout(corridor(), PROBE, jnp.float32([0.5]), key, num_envs=5, num_steps=3)[1]


def test_every_environment_and_step_draws_from_a_key_of_its_own(probed: Trajectory) -> None:
    assert probed.action.shape == (3, 5)
    assert len(set(np.asarray(probed.action).ravel().tolist())) == 15


def test_the_action_is_recorded_as_drawn_and_clipped_for_the_move(probed: Trajectory) -> None:
    assert np.abs(np.asarray(probed.action, np.int64)).min() > 1
    moved = np.asarray(probed.observation[1]) - np.asarray(probed.observation[0])
    wanted = np.where(
        np.asarray(probed.action[0]) > 0, 1, np.where(np.asarray(probed.observation[0]) > 0, -1, 0)
    )
    assert moved.tolist() == wanted.tolist()


def test_log_prob_is_that_of_the_cell_before_the_step(probed: Trajectory) -> None:
    np.testing.assert_array_equal(probed.log_prob, np.float32(probed.observation) + np.float32(0.5))


def test_log_prob_is_that_of_the_recorded_action() -> None:
    theta = [0.3, -1.2, 2.0, -0.7]
    _, rows = rollout(
        corridor(), bernoulli, jnp.float32(theta), jax.random.key(2), num_envs=3, num_steps=5
    )
    observed, actions = np.asarray(rows.observation), np.asarray(rows.action)
    assert {0, 1} == set(actions.ravel().tolist())
    wanted = [
        [log_sigmoid(theta[s] * (1 if a == 1 else -1)) for s, a in zip(*pair, strict=True)]
        for pair in zip(observed.tolist(), actions.tolist(), strict=True)
    ]
    np.testing.assert_allclose(rows.log_prob, wanted, rtol=2e-6)


def test_the_gradient_of_the_recorded_log_prob_is_the_score() -> None:
    theta = [-100.0, 20.0, 0.5, 1.0]

    def total(parameters: jax.Array) -> tuple[jax.Array, Trajectory]:
        _, rows = rollout(
            corridor(), bernoulli, parameters, jax.random.key(6), num_envs=4, num_steps=6
        )
        return jnp.sum(jnp.where(rows.active, rows.log_prob, 0)), rows

    gradient, rows = jax.grad(total, has_aux=True)(jnp.float32(theta))
    wanted = [0.0] * 4
    triples = zip(rows.observation.ravel(), rows.action.ravel(), rows.active.ravel(), strict=True)
    for s, a, active in triples:
        p = 1 / (1 + math.exp(-theta[int(s)]))
        wanted[int(s)] += (int(a) - p) * bool(active)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-6)
