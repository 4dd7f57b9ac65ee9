"""Answers to `collector.active_counts`."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from gridroll import collector, gridworld, keys, policy
from gridroll.collector import Trajectory


def collected(
    num_envs: int, horizon: int, num_steps: int, key: jax.Array, theta: Any = 0.0
) -> Trajectory:
    """What the library's collector records in a corridor of four cells."""
    world = gridworld.corridor(horizon=horizon)
    logits = jnp.full(4, theta, jnp.float32)
    return collector.rollout(
        world, policy.bernoulli, logits, key, num_envs=num_envs, num_steps=num_steps
    )[1]


def right_partial(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Fixes the sizes first, and counts the axis from the end."""
    collect = partial(collector.rollout, num_envs=num_envs, num_steps=horizon)
    _, trajectory = collect(gridworld.corridor(4, horizon), policy.bernoulli, jnp.zeros(4), key)
    return trajectory.active.sum(axis=-1)


def right_unroll(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Makes the keys and resets itself, then calls unroll."""
    world = gridworld.corridor(horizon=horizon)
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, horizon)
    start = jax.vmap(partial(gridworld.reset, world))(reset_keys)
    _, trajectory = collector.unroll(world, policy.bernoulli, jnp.zeros(4), start, action_keys)
    return jnp.count_nonzero(trajectory.active, axis=1)


def right_from_endings(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Takes those that have ended before from the number of environments."""
    record = collected(num_envs, horizon, horizon, key)
    endings = (record.terminated | record.truncated).sum(axis=1)
    return num_envs - jnp.cumsum(endings) + endings


def right_more_rows(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Collects twice as many rows and drops the padding."""
    return collected(num_envs, horizon, 2 * horizon, key).active.sum(axis=1)[:horizon]


@partial(jax.jit, static_argnames=("num_envs", "horizon"))
def right_jitted(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Compiles the whole of it and counts the rewards, which are never 0 in this corridor."""
    return (collected(num_envs, horizon, horizon, key).reward != 0).sum(axis=1)


def wrong_default_world(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Collects enough rows in a corridor whose own horizon is always 8."""
    return collected(num_envs, 8, horizon, key).active.sum(axis=1)


def wrong_horizon_of_the_example(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Keeps the horizon of the first case."""
    return collected(num_envs, 5, horizon, key).active.sum(axis=1)


def wrong_sizes_exchanged(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Takes the horizon for the number of environments and the reverse."""
    return collected(horizon, num_envs, num_envs, key).active.sum(axis=1)


def wrong_first_row_left_out(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Begins the count with the second transition."""
    return collected(num_envs, horizon, horizon + 1, key).active.sum(axis=1)[1:]


def wrong_policy_that_goes_right(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Sets all logits to 1, so the policy isn't uniform."""
    return collected(num_envs, horizon, horizon, key, 1.0).active.sum(axis=1)


def wrong_key_split_first(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Hands a part of the key on, which collects another batch."""
    return collected(num_envs, horizon, horizon, jax.random.split(key)[0]).active.sum(axis=1)


def wrong_padding(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Counts those that have finished."""
    return (~collected(num_envs, horizon, horizon, key).active).sum(axis=1)


def wrong_goals_only(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Counts down by the goals reached, this row's included."""
    record = collected(num_envs, horizon, horizon, key)
    return num_envs - jnp.cumsum(record.terminated.sum(axis=1))


def wrong_share(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Gives the share of active environments and not their number."""
    return collected(num_envs, horizon, horizon, key).active.mean(axis=1)


def wrong_whole_mask(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Returns the mask itself, not summed."""
    return collected(num_envs, horizon, horizon, key).active


def wrong_long_corridor(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Takes the horizon for the corridor's length, which theta doesn't fit."""
    world = gridworld.corridor(horizon)
    return collector.rollout(
        world, policy.bernoulli, jnp.zeros(4), key, num_envs=num_envs, num_steps=horizon
    )[1].active.sum(axis=1)
