"""Lesson 03: what rollout and unroll refuse, and what they say."""

from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refusals import BAD_KEYS, BAD_SIZES, SIZE_IDS, BadKey, refuses

from gridroll import collector, gridworld
from gridroll.policy import bernoulli, softmax

# Tests give things of every kind, so these are not held to their signatures here.
rollout: Any = collector.rollout
unroll: Any = collector.unroll
State: Any = gridworld.State

WORLD, KEY, ZERO = gridworld.corridor(), jax.random.key(0), jnp.zeros(4)
MAP = gridworld.from_map("S.#\n..G", horizon=5)


@pytest.mark.parametrize("name", ["num_envs", "num_steps"])
@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_a_size_that_is_not_a_positive_integer_is_refused(
    name: str, size: Any, kind: type[Exception], came: str
) -> None:
    sizes = {"num_envs": 2, "num_steps": 3} | {name: size}
    call = partial(rollout, WORLD, bernoulli, ZERO, KEY, **sizes)
    message = refuses(call, kind, came, r"integer|\bint|>= 1|positive")
    assert name in message, f"the message names the argument: {message}"


@pytest.mark.parametrize("bad_key", BAD_KEYS, ids=lambda bad: bad.name)
def test_what_is_not_one_typed_key_is_refused(bad_key: BadKey) -> None:
    call = partial(rollout, WORLD, bernoulli, ZERO, bad_key.make(), num_envs=2, num_steps=3)
    refuses(call, bad_key.kind, bad_key.came, bad_key.allowed)


BAD_THETAS = [
    # policy, world, theta, error, came, allowed
    ("short", bernoulli, WORLD, jnp.zeros(3), ValueError, r"\(3,\)", r"\(4,\)"),
    ("long", bernoulli, WORLD, jnp.zeros(5), ValueError, r"\(5,\)", r"\(4,\)"),
    ("scalar", bernoulli, WORLD, jnp.float32(0), ValueError, r"\(\)", r"\(4,\)"),
    ("number", bernoulli, WORLD, 0.0, (TypeError, ValueError), r"\(\)|0\.0", r"\(4,\)|array"),
    ("table", bernoulli, WORLD, jnp.zeros((4, 2)), ValueError, r"\(4, 2\)", r"\(4,\)"),
    ("column", bernoulli, WORLD, jnp.zeros((4, 1)), ValueError, r"\(4, 1\)", r"\(4,\)"),
    ("batch", bernoulli, WORLD, jnp.zeros((2, 4)), ValueError, r"\(2, 4\)", r"\(4,\)"),
    ("vector", softmax, WORLD, jnp.zeros(4), ValueError, r"\(4,\)", r"\(4, 2\)"),
    ("transposed", softmax, WORLD, jnp.zeros((2, 4)), ValueError, r"\(2, 4\)", r"\(4, 2\)"),
    ("two-actions", softmax, MAP, jnp.zeros((6, 2)), ValueError, r"\(6, 2\)", r"\(6, 4\)"),
    ("other-map", softmax, MAP, jnp.zeros((4, 4)), ValueError, r"\(4, 4\)", r"\(6, 4\)"),
    ("text", bernoulli, WORLD, "theta", TypeError, "'theta'|str", "array|float"),
    ("none", bernoulli, WORLD, None, TypeError, "None", "array|float"),
    ("booleans", bernoulli, WORLD, np.zeros(4, bool), TypeError, "bool", "float|real"),
    ("complex", bernoulli, WORLD, np.zeros(4, complex), TypeError, "complex", "float|real"),
]
THETA_IDS = [bad[0] for bad in BAD_THETAS]


@pytest.mark.parametrize("bad", BAD_THETAS, ids=THETA_IDS)
def test_theta_of_another_shape_or_kind_is_refused(bad: tuple[Any, ...]) -> None:
    _, policy, world, theta, kind, came, allowed = bad
    call = partial(rollout, world, policy, theta, KEY, num_envs=2, num_steps=3)
    assert "theta" in refuses(call, kind, came, allowed)


@pytest.mark.parametrize("theta", [jnp.zeros(6), jnp.zeros((6, 2)), jnp.zeros((6, 4))])
def test_a_policy_with_two_actions_is_refused_for_a_world_with_four(theta: jax.Array) -> None:
    call = partial(rollout, MAP, bernoulli, theta, KEY, num_envs=2, num_steps=3)
    refuses(call, ValueError, ["bernoulli", r"\b4\b|four"], r"\b2\b|two")


@pytest.mark.parametrize(
    "policy",
    ["bernoulli", None, bernoulli.sample, 3],
    ids=["a name", "None", "a function", "a number"],
)
def test_what_is_not_a_policy_is_refused(policy: Any) -> None:
    call = partial(rollout, WORLD, policy, ZERO, KEY, num_envs=2, num_steps=3)
    came = type(policy).__name__
    refuses(call, TypeError, came, "Policy")


@pytest.mark.parametrize(
    "world", ["corridor", None, gridworld.corridor], ids=["a name", "None", "a function"]
)
def test_what_is_not_a_world_is_refused(world: Any) -> None:
    call = partial(rollout, world, bernoulli, ZERO, KEY, num_envs=2, num_steps=3)
    refuses(call, TypeError, type(world).__name__, "Gridworld")


# unroll ----------------------------------------------------------------------------------


def batch(position: Any = (0, 1), elapsed: Any = (0, 0), done: Any = (False, False)) -> Any:
    return State(np.array(position), np.array(elapsed), np.array(done))


KEYS = jax.random.split(KEY, (3, 2))
TIME_BY_ENVS = r"\((T|any), (B|2)\)"
ENVS = r"\((B|2|any),\)"


@pytest.mark.parametrize(
    ("keys", "kind", "came", "allowed"),
    [
        (KEYS[0], ValueError, r"\(2,\)", TIME_BY_ENVS),
        (KEY, ValueError, r"\(\)", TIME_BY_ENVS),
        (KEYS[:, :, None], ValueError, r"\(3, 2, 1\)", TIME_BY_ENVS),
        (jax.random.split(KEY, (2, 3)), ValueError, r"\(2, 3\)|\b3\b", r"\(T, 2\)|\b2\b"),
        (jax.random.key_data(KEYS), TypeError, "uint32", r"jax\.random"),
        (np.zeros((3, 2), int), TypeError, "int|array", r"jax\.random"),
        (None, TypeError, "None", r"jax\.random"),
    ],
    ids=["one-row", "one-key", "three-axes", "batch-major", "legacy", "numbers", "none"],
)
def test_unroll_refuses_keys_that_are_not_time_by_environments(
    keys: Any, kind: type[Exception], came: str, allowed: str
) -> None:
    refuses(partial(unroll, WORLD, bernoulli, ZERO, batch(), keys), kind, came, allowed)


@pytest.mark.parametrize(
    ("state", "kind", "came", "allowed"),
    [
        (State(0, 0, False), ValueError, r"position.*\(\)", ENVS),
        (batch((0, 1, 2)), ValueError, r"\(3,\)|\b3\b", r"\(2,\)|\b2\b|same|\(3,\)"),
        (batch(elapsed=(0, 0, 0)), ValueError, r"elapsed.*\(3,\)", r"\(2,\)|same"),
        (batch(done=False), ValueError, r"done.*\(\)", ENVS),
        (batch((0.0, 1.0)), TypeError, "position.*float", "integer"),
        (batch((0, 4)), ValueError, r"position.*\b4\b", r"\b3\b"),
        ("state", TypeError, "'state'|str", "State"),
        (((0, 1), (0, 0), (False, False)), TypeError, "tuple", "State"),
    ],
    ids=["single", "three", "elapsed", "done", "float", "beyond", "text", "tuple"],
)
def test_unroll_refuses_what_is_not_a_batch_of_states(
    state: Any, kind: type[Exception], came: str, allowed: str
) -> None:
    refuses(partial(unroll, WORLD, bernoulli, ZERO, state, KEYS), kind, came, allowed)


@pytest.mark.parametrize("bad", BAD_THETAS, ids=THETA_IDS)
def test_unroll_refuses_what_rollout_refuses_of_theta(bad: tuple[Any, ...]) -> None:
    _, policy, world, theta, kind, came, allowed = bad
    call = partial(unroll, world, policy, theta, batch(), KEYS)
    assert "theta" in refuses(call, kind, came, allowed)


def test_unroll_refuses_another_policy_or_world() -> None:
    refuses(partial(unroll, WORLD, "bernoulli", ZERO, batch(), KEYS), TypeError, "str", "Policy")
    refuses(partial(unroll, 4, bernoulli, ZERO, batch(), KEYS), TypeError, "int", "Gridworld")
    call = partial(unroll, MAP, bernoulli, jnp.zeros(6), batch(), KEYS)
    refuses(call, ValueError, ["bernoulli", r"\b4\b|four"], r"\b2\b|two")


def test_a_sample_that_gives_no_integer_scalar_is_refused() -> None:
    def batched(theta: Any, observation: Any, key: Any) -> Any:
        return jnp.zeros(3, jnp.int32)

    def real(theta: Any, observation: Any, key: Any) -> Any:
        return jnp.float32(1)

    for sample, came in ((batched, r"\(3,\)|\(2, 3\)"), (real, "float32")):
        policy = replace(bernoulli, name="broken", sample=sample)
        call = partial(rollout, WORLD, policy, ZERO, KEY, num_envs=2, num_steps=3)
        refuses(call, (TypeError, ValueError), came, "integer|scalar|shape")
