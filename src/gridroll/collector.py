"""Collect one episode from each of B environments: `scan` over time, `vmap` over environments."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from gridroll import canonical, gridworld, validation
from gridroll.gridworld import Gridworld, State
from gridroll.policy import Policy


class Trajectory(NamedTuple):
    """What T transitions of B environments leave behind, time first."""

    observation: jax.Array  # (T, B) int32, the position before the step
    action: jax.Array  # (T, B) int32
    reward: jax.Array  # (T, B) float32, 0 where not active
    active: jax.Array  # (T, B) bool, whether the episode was still running before the step
    terminated: jax.Array  # (T, B) bool, whether this transition reached a goal
    truncated: jax.Array  # (T, B) bool, whether this transition was the last one allowed
    log_prob: jax.Array  # (T, B) float32, of the action, under the policy that drew it


def transition(
    world: Gridworld, policy: Policy, theta: jax.Array, state: State, keys: jax.Array
) -> tuple[State, Trajectory]:
    """Take one transition in each of B environments: what a scan over time repeats.

    Args:
        world: the rules.
        policy: how actions are drawn.
        theta: the policy's parameters, of `policy.parameter_shape(world)`.
        state: the states before the transition, leaves (B,).
        keys: (B,) typed keys, one for each action.

    Returns:
        The states after it, leaves (B,), and one row of the trajectory, leaves (B,).
    """
    sample = jax.vmap(policy.sample, in_axes=(None, 0, 0))
    log_prob = jax.vmap(policy.log_prob, in_axes=(None, 0, 0))
    step = jax.vmap(gridworld.step, in_axes=(None, 0, 0))

    observation = state.position
    action = sample(theta, observation, keys)
    action = canonical.array("the action", action, jnp.int32, observation.shape)
    next_state, reward, terminated, truncated = step(world, state, action)
    return next_state, Trajectory(
        observation=observation,
        action=action,
        reward=reward,
        active=~state.done,
        terminated=terminated,
        truncated=truncated,
        log_prob=log_prob(theta, observation, action),
    )


@validation.unroll
@partial(jax.jit, static_argnames=("policy",))
def unroll(
    world: Gridworld, policy: Policy, theta: jax.Array, state: State, keys: jax.Array
) -> tuple[State, Trajectory]:
    """Take T transitions in each of B environments, from given states with given keys.

    Args:
        world: the rules.
        policy: how actions are drawn.
        theta: the policy's parameters, of `policy.parameter_shape(world)`.
        state: the states to begin with, leaves (B,).
        keys: (T, B) typed keys, one for each action.

    Returns:
        The states after the last transition, leaves (B,), and the trajectory, leaves (T, B).

    Raises:
        TypeError, ValueError: an argument of another kind or shape.
    """
    return jax.lax.scan(partial(transition, world, policy, theta), state, keys)


@validation.rollout
@partial(jax.jit, static_argnames=("policy", "num_envs", "num_steps"))
def rollout(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> tuple[State, Trajectory]:
    """Reset B environments and take T transitions in each, without a reset in between.

    Args:
        world: the rules.
        policy: how actions are drawn.
        theta: the policy's parameters, of `policy.parameter_shape(world)`.
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1. Episodes are whole when T is at least the world's horizon.

    Returns:
        The final states, leaves (B,), and the trajectory, leaves (T, B).

    Raises:
        TypeError, ValueError: an argument of another kind or shape.
    """
    reset_key, action_key = jax.random.split(key)
    reset_keys = jax.random.split(reset_key, num_envs)
    state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)

    def next_row(state: State, step_key: jax.Array) -> tuple[State, Trajectory]:
        # The same keys as in `keys.rollout_keys`, made row by row: a table of T times B keys
        # would leave the processor's cache and cost a quarter of the time when B is large.
        row_keys = jax.random.split(step_key, num_envs)
        return transition(world, policy, theta, state, row_keys)

    return jax.lax.scan(next_row, state, jax.random.split(action_key, num_steps))
