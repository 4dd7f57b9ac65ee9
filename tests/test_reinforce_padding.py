"""Lesson 06: what stands in padding reaches no weight, no value and no gradient."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from estimates import weights_of
from oracles import slow_corridor
from slow_reinforce import UNEVEN, made

from gridroll import collector, gridworld, reinforce
from gridroll.collector import Trajectory
from gridroll.policy import bernoulli, softmax

# Tests give numbers of every kind, so these are not held to their signatures here.
surrogate: Any = reinforce.surrogate
policy_gradient: Any = reinforce.policy_gradient

WORLD = gridworld.corridor()
THETA = jnp.float32(UNEVEN)
PADDED, LONG = slow_corridor(4, 5), 9
GARBAGE = {
    "observation": [99, -7, 2**31 - 1],
    "action": [-1, 5, -(2**31)],
    "reward": [np.nan, np.inf, -1e30],
    "terminated": [True],
    "truncated": [True],
    "log_prob": [np.nan, -np.inf],
}


def with_garbage(trajectory: Trajectory, names: tuple[str, ...], active: Any) -> Trajectory:
    """Return the trajectory with other numbers in every padded row of these leaves."""
    changed = {}
    for name in names:
        leaf = np.asarray(getattr(trajectory, name))
        filled = np.resize(np.array(GARBAGE[name], leaf.dtype), leaf.shape)
        changed[name] = jnp.asarray(np.where(active, leaf, filled))
    return trajectory._replace(**changed)


@pytest.mark.parametrize("names", [*((name,) for name in GARBAGE), tuple(GARBAGE)], ids="-".join)
@pytest.mark.parametrize("policy", [bernoulli, softmax], ids=lambda policy: policy.name)
def test_padding_changes_no_bit_of_a_value_or_a_gradient(policy: Any, names: Any) -> None:
    world, key = made(PADDED), jax.random.key(5)
    theta = THETA if policy is bernoulli else jnp.sin(jnp.arange(8.0)).reshape(4, 2)
    _, rows = collector.rollout(world, policy, theta, key, num_envs=6, num_steps=LONG)
    active = np.asarray(rows.active)
    assert active.any(axis=1).tolist() == [True] * 5 + [False] * 4, "there is padding"

    def answers(trajectory: Trajectory, padding: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = ()
        for variant in ("total", "to-go-baseline"):
            weights = weights_of(world, policy, theta, trajectory, variant)
            found += (weights,)
            weights = jnp.where(active, weights, padding)

            def value(theta: Any, weights: Any = weights) -> Any:
                return surrogate(policy, theta, trajectory, weights).sum()

            found += (surrogate(policy, theta, trajectory, weights), jax.grad(value)(theta))
            found += (policy_gradient(policy, theta, trajectory, weights),)
        return found

    clean = answers(rows, 0.0)
    assert all(np.isfinite(leaf).all() for leaf in clean)
    bits = [np.asarray(leaf).tobytes() for leaf in clean]
    for padding in (np.float32(np.nan), np.float32(np.inf)):
        changed = answers(with_garbage(rows, names, active), padding)
        assert [np.asarray(leaf).tobytes() for leaf in changed] == bits


def test_padding_is_kept_out_where_an_action_has_no_chance_at_all() -> None:
    theta = jnp.zeros((4, 2)).at[0, 0].set(-jnp.inf)  # log 0 is infinite, and 0 * inf is NaN
    _, rows = collector.rollout(
        WORLD, softmax, theta, jax.random.key(1), num_envs=8, num_steps=LONG
    )
    assert not np.asarray(rows.active).all()
    weights = reinforce.to_go_weights(rows)
    assert np.isfinite(surrogate(softmax, theta, rows, weights)).all()
    assert np.isfinite(policy_gradient(softmax, theta, rows, weights)).all()
