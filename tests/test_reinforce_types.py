"""Lesson 06: types and traces of the policy gradient and of training."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import equal, signature

from gridroll import collector, gridworld, reinforce
from gridroll.policy import bernoulli, softmax

# Tests give numbers of every kind, so these are not held to their signatures here.
bernoulli_score: Any = reinforce.bernoulli_score
surrogate: Any = reinforce.surrogate
policy_gradient: Any = reinforce.policy_gradient
total_weights: Any = reinforce.total_weights
to_go_weights: Any = reinforce.to_go_weights
baseline: Any = reinforce.baseline
z_scores: Any = reinforce.z_scores
train: Any = reinforce.train

WORLD, KEY, ZERO = gridworld.corridor(), jax.random.key(3), jnp.zeros(4)
_, ROWS = collector.rollout(WORLD, bernoulli, ZERO, KEY, num_envs=3, num_steps=8)
WEIGHTS = np.ones((8, 3), np.float32)
TABLE = jnp.zeros((4, 2))
SETTINGS: dict[str, Any] = {
    "num_updates": 2,
    "num_envs": 3,
    "num_steps": 8,
    "learning_rate": 0.5,
}


def numpy(tree: Any) -> Any:
    return jax.tree.map(np.asarray, tree)


# Types and traces ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.asarray, jnp.asarray], ids=["numpy", "jax"])
@pytest.mark.parametrize("jit", [False, True], ids=["eager", "jit"])
def test_answers_have_strong_types(kind: Any, jit: bool) -> None:
    rows, weights = jax.tree.map(kind, ROWS), kind(WEIGHTS)

    def answers(rows: Any, weights: Any) -> list[Any]:
        return [
            surrogate(bernoulli, ZERO, rows, weights),
            policy_gradient(bernoulli, ZERO, rows, weights),
            policy_gradient(softmax, TABLE, rows, weights),
            total_weights(rows),
            to_go_weights(rows),
            baseline(WORLD, bernoulli, ZERO, rows),
            z_scores(weights, weights[0]),
            bernoulli_score(ZERO, rows.observation[0, 0], rows.action[0, 0]),
        ]

    shapes = [(3,), (4,), (4, 2), (8, 3), (8, 3), (8, 3), (3,), (4,)]
    wanted = [(f"[{i}]", shape, "float32", False) for i, shape in enumerate(shapes)]
    assert signature((jax.jit(answers) if jit else answers)(rows, weights)) == wanted


@pytest.mark.parametrize("policy", [bernoulli, softmax], ids=lambda policy: policy.name)
def test_training_has_strong_types_and_a_row_for_each_update(policy: Any) -> None:
    shape = policy.parameter_shape(WORLD)
    theta, history = train(WORLD, policy, np.zeros(shape, int), KEY, **SETTINGS)
    assert signature(theta) == [("", shape, "float32", False)]
    fields = [(".theta", (2, *shape)), (".mean_return", (2,)), (".expected_return", (2,))]
    assert signature(history) == [(name, s, "float32", False) for name, s in fields]


def test_one_trace_of_an_estimate_for_every_kind_of_number(traces: Any) -> None:
    rows = jax.tree.map(lambda leaf: leaf[:, :2], ROWS)  # a size of no other test
    weights = np.asarray(WEIGHTS[:, :2])
    assert "policy_gradient" in traces.of(lambda: policy_gradient(bernoulli, ZERO, rows, weights))
    wide = numpy(rows)._replace(action=np.asarray(rows.action, np.int64))
    for kind in (np.float64, np.int32, jnp.asarray, lambda w: w.tolist()):
        for given in (rows, wide):
            call = partial(policy_gradient, bernoulli, np.zeros(4), given, kind(weights))
            assert traces.of(call) == []


def test_one_trace_of_training_for_every_kind_of_number(traces: Any) -> None:
    settings = SETTINGS | {"num_envs": 5}  # of no other test
    wanted = train(WORLD, bernoulli, ZERO, KEY, **settings)
    for kind in (np.int64, np.uint8, jnp.int32, jnp.asarray):
        sizes = {name: kind(settings[name]) for name in ("num_updates", "num_envs", "num_steps")}
        for rate in (0.5, np.float64(0.5), np.float32(0.5), jnp.float32(0.5), np.array(0.5)):
            got: list[Any] = []
            numbers = sizes | {"learning_rate": rate}

            def call(numbers: Any = numbers, got: list[Any] = got) -> Any:
                got.append(train(WORLD, bernoulli, np.zeros(4), KEY, **numbers))
                return got[0]

            assert traces.of(call) == []
            assert equal(got[0], wanted)
    other = gridworld.corridor(horizon=5, step_reward=-1, goal_reward=np.float64(2))
    more = settings | {"learning_rate": 3}
    assert traces.of(lambda: train(other, bernoulli, np.ones(4, int), KEY, **more)) == []
