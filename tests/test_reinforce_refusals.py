"""Lesson 06: what the policy gradient and training refuse, and what they say."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refusals import BAD_KEYS, BAD_SIZES, SIZE_IDS, BadKey, refuses

from gridroll import collector, gridworld, reinforce
from gridroll.gridworld import State
from gridroll.policy import bernoulli, softmax

# Tests give things of every kind, so these are not held to their signatures here.
bernoulli_score: Any = reinforce.bernoulli_score
surrogate: Any = reinforce.surrogate
policy_gradient: Any = reinforce.policy_gradient
total_weights: Any = reinforce.total_weights
to_go_weights: Any = reinforce.to_go_weights
baseline: Any = reinforce.baseline
z_scores: Any = reinforce.z_scores
train: Any = reinforce.train

WORLD, KEY, ZERO = gridworld.corridor(), jax.random.key(3), jnp.zeros(4)
MAP = gridworld.from_map("S.#\n..G", horizon=5)
_, ROWS = collector.rollout(WORLD, bernoulli, ZERO, KEY, num_envs=3, num_steps=8)
WEIGHTS = np.ones((8, 3), np.float32)
TABLE = jnp.zeros((4, 2))
OF_WEIGHTS = [surrogate, policy_gradient]
IDS = ["surrogate", "policy_gradient"]


def run(world: Any = WORLD, policy: Any = bernoulli, theta: Any = ZERO, **more: Any) -> Any:
    settings = {"key": KEY, "num_updates": 2, "num_envs": 3, "num_steps": 8, "learning_rate": 0.5}
    return train(world, policy, theta, **(settings | more))


# Trajectories, weights, parameters -------------------------------------------------------

BAD_TRAJECTORIES: list[tuple[str, Any, Any, str, str]] = [
    ("none", None, TypeError, "None", "Trajectory"),
    ("state", State(ZERO, ZERO, ZERO), TypeError, "State", "Trajectory"),
    ("array", np.zeros((8, 3)), TypeError, "ndarray", "Trajectory"),
    ("one", jax.tree.map(lambda leaf: leaf[:, 0], ROWS), ValueError, r"\(8,\)", r"\(T, B\)"),
    ("stack", jax.tree.map(lambda leaf: leaf[None], ROWS), ValueError, r"\(1, 8, 3\)", "T, B"),
    ("mask", ROWS._replace(active=jnp.ones((8, 3))), TypeError, "active.*float32", "boolean"),
]


@pytest.mark.parametrize("bad", BAD_TRAJECTORIES, ids=lambda bad: bad[0])
def test_a_trajectory_of_another_kind_is_refused(bad: Any) -> None:
    _, rows, kind, came, allowed = bad
    for call in (
        *(partial(function, bernoulli, ZERO, rows, WEIGHTS) for function in OF_WEIGHTS),
        partial(total_weights, rows),
        partial(to_go_weights, rows),
        partial(baseline, WORLD, bernoulli, ZERO, rows),
    ):
        assert "trajectory" in refuses(call, kind, came, allowed)


@pytest.mark.parametrize(
    ("name", "leaf", "kind", "came", "allowed"),
    [
        ("observation", jnp.zeros((8, 3)), TypeError, "float32", "integer"),
        ("observation", jnp.zeros((3, 8), jnp.int32), ValueError, r"\(3, 8\)", r"\(8, 3\)"),
        ("observation", jnp.full((8, 3), 4), ValueError, r"\b4\b in an active", "0 to 3"),
        ("action", jnp.zeros((8, 3), bool), TypeError, "bool", "integer"),
        ("action", jnp.zeros((7, 3), jnp.int32), ValueError, r"\(7, 3\)", r"\(8, 3\)"),
        ("action", jnp.full((8, 3), -1), ValueError, r"-1 in an active", "0 to 1"),
    ],
)
@pytest.mark.parametrize("function", OF_WEIGHTS, ids=IDS)
def test_what_the_policy_does_not_have_is_refused(
    function: Any, name: str, leaf: Any, kind: Any, came: str, allowed: str
) -> None:
    call = partial(function, bernoulli, ZERO, ROWS._replace(**{name: leaf}), WEIGHTS)
    assert f"trajectory.{name}" in refuses(call, kind, came, allowed)


@pytest.mark.parametrize("function", OF_WEIGHTS, ids=IDS)
def test_how_many_actions_there_are_is_asked_of_the_policy(function: Any) -> None:
    most = ROWS._replace(action=jnp.full((8, 3), 3))
    assert np.isfinite(function(softmax, jnp.zeros((4, 4)), most, WEIGHTS)).all()
    call = partial(function, softmax, jnp.zeros((4, 3)), most, WEIGHTS)
    refuses(call, ValueError, "action is 3", "0 to 2")


def test_baseline_and_weights_refuse_leaves_that_do_not_fit() -> None:
    far = ROWS._replace(observation=jnp.full((8, 3), 4))
    call = partial(baseline, WORLD, bernoulli, ZERO, far)
    refuses(call, ValueError, r"observation is 4", "0 to 3")
    short = ROWS._replace(reward=jnp.zeros((8, 2)))
    for function in (total_weights, to_go_weights):
        refuses(partial(function, short), ValueError, r"reward.*\(8, 2\)", r"\(8, 3\)")


BAD_WEIGHTS: list[tuple[str, Any, Any, str, str]] = [
    ("transposed", WEIGHTS.T, ValueError, r"\(3, 8\)", r"\(8, 3\)"),
    ("episodes", WEIGHTS[0], ValueError, r"\(3,\)", r"\(8, 3\)"),
    ("number", 1.0, ValueError, r"\(\)", r"\(8, 3\)"),
    ("mask", WEIGHTS > 0, TypeError, "bool", "real number"),
    ("none", None, TypeError, "None", "real number"),
]


@pytest.mark.parametrize("bad", BAD_WEIGHTS, ids=lambda bad: bad[0])
@pytest.mark.parametrize("function", OF_WEIGHTS, ids=IDS)
def test_weights_of_another_shape_or_kind_are_refused(function: Any, bad: Any) -> None:
    _, weights, kind, came, allowed = bad
    call = partial(function, bernoulli, ZERO, ROWS, weights)
    assert "weights" in refuses(call, kind, came, allowed)
    if kind is ValueError:
        assert "weights" in refuses(jax.jit(call), kind, came, allowed)


@pytest.mark.parametrize("function", OF_WEIGHTS, ids=IDS)
def test_parameters_that_the_policy_does_not_have_are_refused(function: Any) -> None:
    for policy, theta, came, allowed in (
        (bernoulli, TABLE, r"\(4, 2\)", r"\(any,\)"),
        (softmax, ZERO, r"\(4,\)", r"\(any, any\)"),
    ):
        call = partial(function, policy, theta, ROWS, WEIGHTS)
        assert "theta" in refuses(call, ValueError, came, allowed)
    refuses(partial(function, bernoulli, "0", ROWS, WEIGHTS), TypeError, "'0'", "real number")
    refuses(partial(function, "bernoulli", ZERO, ROWS, WEIGHTS), TypeError, "'bern", "Policy")


# Worlds and parameters -------------------------------------------------------------------

BAD_THETAS: list[tuple[str, Any, Any, Any, Any, str, str]] = [
    # policy, world, theta, error, came, allowed
    ("short", bernoulli, WORLD, jnp.zeros(3), ValueError, r"\(3,\)", r"\(4,\)"),
    ("table", bernoulli, WORLD, TABLE, ValueError, r"\(4, 2\)", r"\(4,\)"),
    ("vector", softmax, WORLD, ZERO, ValueError, r"\(4,\)", r"\(4, 2\)"),
    ("other-map", softmax, MAP, TABLE, ValueError, r"\(4, 2\)", r"\(6, 4\)"),
    ("two-actions", bernoulli, MAP, jnp.zeros(6), ValueError, r"has 4", "two actions"),
    ("none", bernoulli, WORLD, None, TypeError, "None", "real number"),
    ("booleans", bernoulli, WORLD, np.zeros(4, bool), TypeError, "bool", "real number"),
    ("no-policy", "bernoulli", WORLD, ZERO, TypeError, "'bernoulli'", "Policy"),
    ("no-world", bernoulli, "S.G", ZERO, TypeError, "'S.G'", "Gridworld"),
    (
        "stack",
        bernoulli,
        jax.tree.map(lambda leaf: leaf[None], WORLD),
        ZERO,
        ValueError,
        r"\(1, 4, 2\)",
        r"\(S, A\).*vmap",
    ),
]


@pytest.mark.parametrize("bad", BAD_THETAS, ids=lambda bad: bad[0])
def test_parameters_that_do_not_fit_the_world_are_refused(bad: Any) -> None:
    _, policy, world, theta, kind, came, allowed = bad
    refuses(partial(baseline, world, policy, theta, ROWS), kind, came, allowed)
    refuses(partial(run, world, policy, theta), kind, came, allowed)


# Settings --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["num_updates", "num_envs", "num_steps"])
@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_a_size_that_is_not_a_positive_integer_is_refused(
    name: str, size: Any, kind: Any, came: str
) -> None:
    assert name in refuses(partial(run, **{name: size}), kind, came, "integer|int32")


@pytest.mark.parametrize("bad_key", BAD_KEYS, ids=lambda bad: bad.name)
def test_what_is_not_one_typed_key_is_refused(bad_key: BadKey) -> None:
    refuses(partial(run, key=bad_key.make()), bad_key.kind, bad_key.came, bad_key.allowed)


@pytest.mark.parametrize(
    ("rate", "kind", "came"),
    [
        (-0.5, ValueError, r"-0\.5"),
        (jnp.float32(-1), ValueError, "-1"),
        (np.nan, ValueError, "nan"),
        (np.inf, ValueError, "inf"),
        (1e39, ValueError, r"1e\+39"),  # too large for a float32
        (jnp.ones(4), ValueError, r"\(4,\)"),
        ([0.5], ValueError, r"\(1,\)"),
        ("0.5", TypeError, "'0.5'"),
        (None, TypeError, "None"),
        (True, TypeError, "bool"),
        (1j, TypeError, "complex"),
    ],
)
def test_a_rate_that_is_no_finite_number_from_zero_on_is_refused(
    rate: Any, kind: Any, came: str
) -> None:
    message = refuses(
        partial(run, learning_rate=rate), kind, came, r"finite|real number|shape \(\)"
    )
    assert "learning_rate" in message


# Estimates and scores --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimates", "exact", "kind", "came", "allowed"),
    [
        (1.0, 0.0, ValueError, r"estimates.*\(\)", r"\(N, \.\.\.\)"),
        (np.ones((1, 4)), np.ones(4), ValueError, r"estimates.*\(1, 4\)", "N >= 2"),
        (np.ones((5, 4)), np.ones((5, 4)), ValueError, r"exact.*\(5, 4\)", r"\(4,\)"),
        (np.ones((5, 4)), 1.0, ValueError, r"exact.*\(\)", r"\(4,\)"),
        (np.ones((5, 4), bool), np.ones(4), TypeError, "estimates.*bool", "real number"),
        (np.ones((5, 4)), "exact", TypeError, "exact.*'exact'", "real number"),
    ],
)
def test_estimates_without_a_spread_or_of_another_shape_are_refused(
    estimates: Any, exact: Any, kind: Any, came: str, allowed: str
) -> None:
    refuses(partial(z_scores, estimates, exact), kind, came, allowed)


@pytest.mark.parametrize(
    ("arguments", "kind", "came", "allowed"),
    [
        ((TABLE, 1, 1), ValueError, r"theta.*\(4, 2\)", r"\(any,\)"),
        ((ZERO, 4, 1), ValueError, "observation is 4", "0 to 3"),
        ((ZERO, -1, 1), ValueError, "observation is -1", "0 to 3"),
        ((ZERO, [1, 2], 1), ValueError, r"observation.*\(2,\)", r"\(\)"),
        ((ZERO, 1.0, 1), TypeError, "observation.*float", "integer"),
        ((ZERO, 1, 2), ValueError, "action is 2", "0 to 1"),
        ((ZERO, 1, True), TypeError, "action.*bool", "integer"),
        (("theta", 1, 1), TypeError, "theta.*'theta'", "real number"),
    ],
)
def test_the_score_refuses_what_is_no_single_action(
    arguments: Any, kind: Any, came: str, allowed: str
) -> None:
    refuses(partial(bernoulli_score, *arguments), kind, came, allowed)
