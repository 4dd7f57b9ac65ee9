"""The policies that the course samples from: draws, log-probabilities, tables."""

import math
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import log_sigmoid, log_softmax, sigmoid
from refusals import BAD_KEYS, BadKey, refuses

from gridroll import policy as policies
from gridroll.gridworld import Gridworld, corridor, from_map

# Tests give numbers of every kind, so these are not held to their signatures here.
Policy: Any = policies.Policy
bernoulli: Any = policies.bernoulli
softmax: Any = policies.softmax

THETA = (-100.0, 2.0, 20.0)
LOGITS = ((0.0, -100.0, 20.0, 1.0), (0.5, 0.25, -0.125, 2.0), (3.0, 3.0, 3.0, 3.0))


def is_strong(value: jax.Array, dtype: str, shape: tuple[int, ...] = ()) -> bool:
    return (str(value.dtype), value.shape, value.weak_type) == (dtype, shape, False)


# Bernoulli -------------------------------------------------------------------------------


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("jitted", [False, True], ids=["eager", "jit"])
def test_bernoulli_log_prob_and_gradient_are_finite_and_right(position: int, jitted: bool) -> None:
    x, theta = THETA[position], jnp.float32(THETA)
    # log p(1) = log sigmoid(x) and log p(0) = log sigmoid(-x), in float64;
    # their derivatives are sigmoid(-x) and -sigmoid(x).
    values = (log_sigmoid(-x), log_sigmoid(x))
    slopes = (-sigmoid(x), sigmoid(-x))
    both = jax.value_and_grad(bernoulli.log_prob)
    both = jax.jit(both) if jitted else both
    for action in (0, 1):
        value, gradient = both(theta, jnp.int32(position), jnp.int32(action))
        assert is_strong(value, "float32")
        np.testing.assert_allclose(value, values[action], rtol=2e-6, atol=1e-37)
        wanted = np.zeros(3)
        wanted[position] = slopes[action]
        np.testing.assert_allclose(gradient, wanted, rtol=2e-6, atol=1e-37)


def test_bernoulli_log_prob_of_two_by_hand() -> None:
    theta = jnp.float32([2.0])
    # log(1 / (1 + e^-2)) and log(1 / (1 + e^2))
    np.testing.assert_allclose(bernoulli.log_prob(theta, 0, 1), -0.12692801, rtol=1e-6)
    np.testing.assert_allclose(bernoulli.log_prob(theta, 0, 0), -2.12692801, rtol=1e-6)


@given(x=st.floats(-80, 80, width=32), action=st.integers(0, 1))
def test_bernoulli_log_prob_is_right_for_any_logit(x: float, action: int) -> None:
    got = float(bernoulli.log_prob(jnp.float32([x]), jnp.int32(0), jnp.int32(action)))
    wanted = log_sigmoid(x if action == 1 else -x)
    assert math.isclose(got, wanted, rel_tol=1e-5, abs_tol=1e-37)


def test_bernoulli_probabilities_give_left_and_right_in_order() -> None:
    table = bernoulli.probabilities(jnp.float32(THETA))
    assert is_strong(table, "float32", (3, 2))
    wanted = [[sigmoid(-x), sigmoid(x)] for x in THETA]
    # Neither column may be one minus the other: 1 - sigmoid(20) is 0 in float32.
    np.testing.assert_allclose(table, wanted, rtol=2e-6, atol=1e-37)


def test_a_bernoulli_draw_is_the_one_of_the_protocol() -> None:
    theta = jnp.float32([-1.5, 0.0, 0.75])
    for position in range(3):
        for key in jax.random.split(jax.random.key(position), 20):
            wanted = int(jax.random.bernoulli(key, jax.nn.sigmoid(theta[position])))
            action = bernoulli.sample(theta, jnp.int32(position), key)
            assert is_strong(action, "int32")
            assert int(action) == wanted


def test_action_one_is_the_likely_one_at_a_positive_logit() -> None:
    for seed in range(10):
        assert int(bernoulli.sample(jnp.float32([100]), 0, jax.random.key(seed))) == 1
        assert int(bernoulli.sample(jnp.float32([-100]), 0, jax.random.key(seed))) == 0


# Softmax ---------------------------------------------------------------------------------


@pytest.mark.parametrize("position", range(3))
@pytest.mark.parametrize("jitted", [False, True], ids=["eager", "jit"])
def test_softmax_log_prob_and_gradient_are_finite_and_right(position: int, jitted: bool) -> None:
    theta, logs = jnp.float32(LOGITS), log_softmax(LOGITS[position])
    both = jax.value_and_grad(softmax.log_prob)
    both = jax.jit(both) if jitted else both
    for action in range(4):
        value, gradient = both(theta, jnp.int32(position), jnp.int32(action))
        assert is_strong(value, "float32")
        # d log p(a) / d x_j = [a = j] - p(j)
        wanted = np.zeros((3, 4))
        wanted[position] = [-math.exp(log) for log in logs]
        others = math.fsum(math.exp(logs[j]) for j in range(4) if j != action)
        wanted[position, action] = others
        # Float32 sees 1 - p only to its own rounding near 1.
        np.testing.assert_allclose(value, logs[action], rtol=2e-6, atol=1e-8)
        np.testing.assert_allclose(gradient, wanted, rtol=2e-6, atol=2e-7)


def test_softmax_probabilities_are_the_rows_of_exponentials() -> None:
    table = softmax.probabilities(jnp.float32(LOGITS))
    assert is_strong(table, "float32", (3, 4))
    wanted = [[math.exp(log) for log in log_softmax(row)] for row in LOGITS]
    np.testing.assert_allclose(table, wanted, rtol=2e-6, atol=1e-37)
    np.testing.assert_allclose(np.asarray(table).sum(axis=1), 1, rtol=1e-6)


def test_a_softmax_draw_is_the_one_of_the_protocol() -> None:
    theta = jnp.float32(LOGITS)
    for position in range(3):
        for key in jax.random.split(jax.random.key(position), 20):
            wanted = int(jax.random.categorical(key, theta[position]))
            action = softmax.sample(theta, jnp.int32(position), key)
            assert is_strong(action, "int32")
            assert int(action) == wanted


# Both ------------------------------------------------------------------------------------

POLICIES = {
    "bernoulli": (bernoulli, jnp.float32([0.5, -1.0, 3.0])),
    "softmax": (softmax, jnp.float32([[0.5, -1.0, 3.0], [1.0, 2.0, -0.5], [0.0, 0.0, 0.0]])),
}


@pytest.mark.parametrize(("policy", "theta"), POLICIES.values(), ids=POLICIES)
def test_probabilities_are_the_exponentials_of_log_prob(policy: Any, theta: jax.Array) -> None:
    table = policy.probabilities(theta)
    for position in range(3):
        for action in range(table.shape[1]):
            log_p = policy.log_prob(theta, jnp.int32(position), jnp.int32(action))
            np.testing.assert_allclose(table[position, action], math.exp(log_p), rtol=1e-5)


@pytest.mark.parametrize(("policy", "theta"), POLICIES.values(), ids=POLICIES)
def test_python_and_numpy_arguments_mean_the_same(policy: Any, theta: jax.Array) -> None:
    key = jax.random.key(1)
    action, log_p = policy.sample(theta, jnp.int32(2), key), policy.log_prob(theta, 2, 1)
    for array in (np.asarray(theta), np.asarray(theta, np.float64)):
        for position in (2, np.int64(2), np.int32(2), jnp.asarray(2)):
            got = policy.sample(array, position, key)
            assert is_strong(got, "int32")
            assert int(got) == int(action)
            for one in (1, np.int64(1), jnp.asarray(1)):
                value = policy.log_prob(array, position, one)
                assert is_strong(value, "float32")
                assert float(value) == float(log_p)


@pytest.mark.parametrize(("policy", "theta"), POLICIES.values(), ids=POLICIES)
def test_a_batch_is_the_map_of_one_environment(policy: Any, theta: jax.Array) -> None:
    keys, positions = jax.random.split(jax.random.key(4), 6), jnp.int32([0, 1, 2, 2, 1, 0])
    actions = jax.vmap(policy.sample, (None, 0, 0))(theta, positions, keys)
    logs = jax.vmap(policy.log_prob, (None, 0, 0))(theta, positions, actions)
    for b in range(6):
        assert int(actions[b]) == int(policy.sample(theta, positions[b], keys[b]))
        alone = policy.log_prob(theta, positions[b], actions[b])
        np.testing.assert_allclose(logs[b], alone, rtol=1e-6)


@pytest.mark.parametrize("policy", [bernoulli, softmax], ids=["bernoulli", "softmax"])
@pytest.mark.parametrize("bad_key", BAD_KEYS, ids=lambda bad: bad.name)
def test_sample_refuses_what_is_not_one_typed_key(policy: Any, bad_key: BadKey) -> None:
    theta = POLICIES[policy.name][1]
    call = partial(policy.sample, theta, jnp.int32(0), bad_key.make())
    refuses(call, bad_key.kind, bad_key.came, bad_key.allowed)


@pytest.mark.parametrize(
    ("world", "one_logit", "table"),
    [
        (corridor(), (4,), (4, 2)),
        (corridor(length=6), (6,), (6, 2)),
        (from_map("S.#\n..G", horizon=3), None, (6, 4)),
    ],
    ids=["corridor", "long-corridor", "map"],
)
def test_parameters_have_one_logit_a_cell_or_one_a_cell_and_action(
    world: Gridworld, one_logit: tuple[int, ...] | None, table: tuple[int, ...]
) -> None:
    assert softmax.parameter_shape(world) == table
    if one_logit is not None:
        assert bernoulli.parameter_shape(world) == one_logit


def test_bernoulli_is_refused_for_a_world_with_four_actions() -> None:
    world = from_map("S.#\n..G", horizon=3)
    refuses(lambda: bernoulli.parameter_shape(world), ValueError, ["bernoulli", "4"], ["2|two"])


def test_policies_are_named_frozen_and_hashable() -> None:
    assert (bernoulli.name, softmax.name) == ("bernoulli", "softmax")
    assert len({bernoulli, softmax, bernoulli}) == 2
    with pytest.raises(AttributeError):
        bernoulli.name = "other"


def test_a_policy_of_ones_own_is_equal_to_the_same_record() -> None:
    def fields(name: str) -> dict[str, Any]:
        return {
            "name": name,
            "sample": bernoulli.sample,
            "log_prob": bernoulli.log_prob,
            "probabilities": bernoulli.probabilities,
            "parameter_shape": bernoulli.parameter_shape,
        }

    assert Policy(**fields("probe")) == Policy(**fields("probe"))
    assert hash(Policy(**fields("probe"))) == hash(Policy(**fields("probe")))
    assert Policy(**fields("probe")) != Policy(**fields("other"))
