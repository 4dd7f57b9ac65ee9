"""Lesson 05: the gradients of the exact return, held against differences in exact arithmetic."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from oracles import SlowWorld, sigmoid
from slow_planning import WORLDS, Table, exact_corridor, floats, made, mean, slow_value, uneven

from gridroll import gridworld, planning
from gridroll.policy import bernoulli, softmax

expected_return: Any = planning.expected_return
policy_value: Any = planning.policy_value

CORRIDOR = gridworld.corridor()


def slow_return(world: SlowWorld, policy: Table, num_steps: int) -> Any:
    return mean([slow_value(world, policy, num_steps)[0][s] for s in world.cells("S")])


def slopes(function: Callable[[list[list[Any]]], Any], table: Table, width: Any) -> np.ndarray:
    """Return central differences, one for each entry of a table."""
    found = np.zeros((len(table), len(table[0])))
    for i, row in enumerate(table):
        for j in range(len(row)):
            ends = []
            for shift in (-width, width):
                moved = [list(line) for line in table]
                moved[i][j] += shift
                ends.append(function(moved))
            found[i, j] = float((ends[1] - ends[0]) / (2 * width))
    return found


@pytest.mark.parametrize("name", ["corridor", "walls", "two-goals-and-a-horizon"])
def test_the_gradient_by_probabilities_equals_differences_in_fractions(name: str) -> None:
    world, num_steps = WORLDS[name]
    policy, width = uneven(world), Fraction(1, 10**6)  # fractions: no rounding, however narrow
    wanted = slopes(lambda table: slow_return(world, table, num_steps), policy, width)
    given_world, table = made(world), floats(policy)
    got = jax.grad(lambda p: expected_return(given_world, p, num_steps))(table)
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-6)
    starts = jnp.int32(world.cells("S"))
    by_value = jax.grad(lambda p: policy_value(given_world, p, num_steps)[0, starts].mean())
    np.testing.assert_allclose(by_value(table), wanted, rtol=1e-5, atol=1e-6)


def test_the_gradient_by_logits_equals_differences_in_float64() -> None:
    for theta in (np.zeros(4), np.array([0.5, -1, 2, 3])):

        def slow(logits: list[list[float]]) -> Any:
            table = [[sigmoid(-x), sigmoid(x)] for (x,) in logits]
            return slow_return(exact_corridor(), table, 8)

        wanted = slopes(slow, [[float(x)] for x in theta], 1e-4)[:, 0]
        got = jax.grad(lambda x: expected_return(CORRIDOR, bernoulli.probabilities(x), 8))(
            jnp.asarray(theta, jnp.float32)
        )
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-6)
        if not theta.any():
            assert int(jnp.argmax(jnp.abs(got))) == 1
    tall = jnp.stack([jnp.zeros(4), jnp.asarray(theta, jnp.float32)], axis=1)
    same = jax.grad(lambda x: expected_return(CORRIDOR, softmax.probabilities(x), 8))(tall)
    np.testing.assert_allclose(same[:, 1], wanted, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(same[:, 0], -wanted, rtol=1e-4, atol=1e-6)
