"""The plain formula of a rollout in the corridor, written straight into one scan.

Nothing of the library is called: arrays go in, arrays come out, nothing is checked. The draws
follow the frozen key protocol, so the numbers are those of `collector.rollout`, bit for bit.
`without` names the parts that are left out, to see what they cost.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.programs import Program
from gridroll.gridworld import Gridworld, corridor

PARTS = ("draws", "log-probabilities", "world", "recording")


@partial(jax.jit, static_argnames=("num_envs", "num_steps", "without"))
def collect(
    world: Gridworld,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
    without: tuple[str, ...] = (),
) -> tuple[Any, Any]:
    """The fields of the final states and of the trajectory, in the order of the library's records.

    A part that is left out is replaced by what costs next to nothing: without draws the action is
    the parity of the position, without log-probabilities and without the world their fields don't
    change, and without recording a sum of each row is kept instead of the row.
    """
    reset_key, action_key = jax.random.split(key)
    start = jax.vmap(lambda k: jax.random.randint(k, (), 0, world.starts.shape[0]))(
        jax.random.split(reset_key, num_envs)
    )
    position = world.starts[start]

    def transition(state: Any, step_key: jax.Array) -> tuple[Any, Any]:
        position, elapsed, done = state
        if "draws" in without:
            action = position & 1
        else:
            keys = jax.random.split(step_key, num_envs)
            probability = jax.nn.sigmoid(theta[position])
            action = jax.vmap(jax.random.bernoulli)(keys, probability).astype(jnp.int32)
        log_prob = jnp.zeros(num_envs)
        if "log-probabilities" not in without:
            logit = theta[position]
            log_prob = jax.nn.log_sigmoid(jnp.where(action == 1, logit, -logit))
        active = ~done
        if "world" in without:
            row = (position, action, log_prob, active, done, done, log_prob)
            return state, kept(row)
        reached = jnp.where(active, world.next_position[position, action], position)
        elapsed = elapsed + active.astype(jnp.int32)
        terminated = active & world.goal[reached]
        truncated = active & ~terminated & (elapsed >= world.horizon)
        reward = jnp.where(terminated, world.goal_reward, world.step_reward)
        reward = jnp.where(active, reward, 0.0)
        row = (position, action, reward, active, terminated, truncated, log_prob)
        return (reached, elapsed, done | terminated | truncated), kept(row)

    def kept(row: tuple[jax.Array, ...]) -> Any:
        return [field.sum() for field in row] if "recording" in without else row

    state = (position, jnp.zeros(num_envs, jnp.int32), jnp.zeros(num_envs, bool))
    return jax.lax.scan(transition, state, jax.random.split(action_key, num_steps))


def make(num_envs: int, num_steps: int, without: Sequence[str] = ()) -> Program:
    """One call collects a whole trajectory; the horizon is its length.

    Raises:
        ValueError: `without` names something that is no part.
    """
    if set(without) - set(PARTS):
        raise ValueError(f"without is {list(without)}; it must be some of {', '.join(PARTS)}")
    world, theta, key = corridor(horizon=num_steps), jnp.linspace(-1, 1, 4), jax.random.key(0)

    left_out = tuple(without)

    def call() -> object:
        sizes = {"num_envs": num_envs, "num_steps": num_steps}
        return jax.block_until_ready(collect(world, theta, key, without=left_out, **sizes))

    return Program(call, num_envs * num_steps)
