"""Training by REINFORCE in three ways that give the same thetas and the same learning curve."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.programs import Program, rooms
from gridroll import planning
from gridroll.collector import rollout
from gridroll.gridworld import Gridworld, corridor
from gridroll.policy import Policy, bernoulli, softmax
from gridroll.reinforce import History, policy_gradient, to_go_weights, train
from gridroll.returns import episode_return

LEARNING_RATE = 0.5


def update(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> tuple[jax.Array, History]:
    """One update out of the library's functions, as one would write it in a notebook."""
    _, trajectory = rollout(world, policy, theta, key, num_envs=num_envs, num_steps=num_steps)
    gradient = policy_gradient(policy, theta, trajectory, to_go_weights(trajectory))
    exact = planning.expected_return(world, policy.probabilities(theta), num_steps)
    row = History(theta, episode_return(trajectory).mean(), exact)
    return theta + LEARNING_RATE * gradient, row


jitted_update = jax.jit(update, static_argnames=("policy", "num_envs", "num_steps"))


@jax.jit
def stack(rows: list[History]) -> History:
    """N rows as one history."""
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *rows)


def by_loop(
    one_update: Callable[..., tuple[jax.Array, History]],
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_updates: int,
    **sizes: int,
) -> tuple[jax.Array, History]:
    """What `reinforce.train` returns, by a loop over its updates in Python."""
    rows = []
    for update_key in list(jax.random.split(key, num_updates)):
        theta, row = one_update(world, policy, theta, update_key, **sizes)
        rows.append(row)
    return theta, stack(rows)


WAYS: dict[str, Callable[..., tuple[jax.Array, History]]] = {
    "scan": partial(train, learning_rate=LEARNING_RATE),
    "loop": partial(by_loop, jitted_update),
    "pieces": partial(by_loop, update),
}


def problem(world: str, num_steps: int) -> tuple[Gridworld, Policy]:
    """A world by its name, and the policy that learns in it."""
    if world == "corridor":
        return corridor(horizon=num_steps), bernoulli
    return rooms.world(num_steps), softmax


def make(num_envs: int, num_steps: int, num_updates: int, world: str, way: str) -> Program:
    """One call trains from theta = 0 with all its updates."""
    where, policy = problem(world, num_steps)
    theta, key = jnp.zeros(policy.parameter_shape(where)), jax.random.key(0)
    sizes: dict[str, Any] = {"num_envs": num_envs, "num_steps": num_steps}

    def call() -> object:
        done = WAYS[way](where, policy, theta, key, num_updates=num_updates, **sizes)
        return jax.block_until_ready(done)

    return Program(call, num_updates * num_envs * num_steps)
