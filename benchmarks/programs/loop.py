"""The same collector with the loop over time in Python: one jitted step for all environments."""

from functools import partial

import jax
import jax.numpy as jnp

from benchmarks.programs import Program, rooms
from gridroll import gridworld
from gridroll.collector import Trajectory
from gridroll.gridworld import Gridworld, State
from gridroll.policy import Policy, softmax


@partial(jax.jit, static_argnames=("num_envs", "num_steps"))
def begin(
    world: Gridworld, key: jax.Array, *, num_envs: int, num_steps: int
) -> tuple[State, jax.Array]:
    """The first states, leaves (B,), and a key for each step, (T,)."""
    reset_key, action_key = jax.random.split(key)
    reset_keys = jax.random.split(reset_key, num_envs)
    state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)
    return state, jax.random.split(action_key, num_steps)


@partial(jax.jit, static_argnames="policy")
def step(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    state: State,
    step_keys: jax.Array,
    t: int,
) -> tuple[State, Trajectory]:
    """Transition t of every environment. The key is picked in here, where that costs least."""
    observation = state.position
    keys = jax.random.split(step_keys[t], observation.shape[0])
    action = jax.vmap(policy.sample, in_axes=(None, 0, 0))(theta, observation, keys)
    next_state, reward, terminated, truncated = jax.vmap(gridworld.step, in_axes=(None, 0, 0))(
        world, state, action
    )
    log_prob = jax.vmap(policy.log_prob, in_axes=(None, 0, 0))(theta, observation, action)
    row = Trajectory(observation, action, reward, ~state.done, terminated, truncated, log_prob)
    return next_state, row


@jax.jit
def stack(rows: list[Trajectory]) -> Trajectory:
    """T rows of leaves (B,) as one trajectory of leaves (T, B)."""
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *rows)


def collect(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> tuple[State, Trajectory]:
    """What `collector.rollout` returns, by a loop in Python."""
    state, step_keys = begin(world, key, num_envs=num_envs, num_steps=num_steps)
    rows = []
    for t in range(num_steps):
        state, row = step(world, policy, theta, state, step_keys, t)
        rows.append(row)
    return state, stack(rows)


def make(num_envs: int, num_steps: int) -> Program:
    """One call collects a whole trajectory."""
    world, theta, key = rooms.world(num_steps), rooms.uniform(), jax.random.key(0)

    def call() -> object:
        sizes = {"num_envs": num_envs, "num_steps": num_steps}
        return jax.block_until_ready(collect(world, softmax, theta, key, **sizes))

    return Program(call, num_envs * num_steps)
