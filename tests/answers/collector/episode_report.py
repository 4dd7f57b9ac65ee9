"""Answers to `collector.episode_report`."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from gridroll import gridworld
from gridroll.gridworld import Gridworld, State

Report = tuple[Any, Any, Any]


class Walk(NamedTuple):
    """What a walk leaves behind: its last state, and four things for each action, (T,)."""

    final: State
    reward: jax.Array
    active: jax.Array
    terminated: jax.Array
    truncated: jax.Array


def walked(world: Gridworld, state: State, action: jax.Array) -> Walk:
    """Take the actions in turn."""

    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        following, reward, terminated, truncated = gridworld.step(world, state, action)
        return following, (reward, ~state.done, terminated, truncated)

    final, rows = jax.lax.scan(transition, state, action)
    return Walk(final, *rows)


def report(walk: Walk) -> Report:
    """The right report, for answers that spoil it."""
    return walk.reward.sum(), walk.active.sum(), walk.terminated.any()


def right_carry(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Keeps the report in the carry and emits nothing."""

    def transition(carry: Any, action: jax.Array) -> tuple[Any, None]:
        state, earned, length, reached = carry
        following, reward, terminated, _ = gridworld.step(world, state, action)
        return (following, earned + reward, length + ~state.done, reached | terminated), None

    start = (state, jnp.float32(0), jnp.int32(0), jnp.bool_(False))
    _, *rest = jax.lax.scan(transition, start, action)[0]
    return rest[0], rest[1], rest[2]


def right_while(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Stops walking at the end of the episode, so there is no padding to mask."""

    def goes_on(carry: Any) -> jax.Array:
        return (carry[0] < action.shape[0]) & ~carry[1].done

    def transition(carry: Any) -> Any:
        t, state, earned, reached = carry
        following, reward, terminated, _ = gridworld.step(world, state, action[t])
        return t + 1, following, earned + reward, reached | terminated

    start = (jnp.int32(0), state, jnp.float32(0), jnp.bool_(False))
    length, _, earned, reached = jax.lax.while_loop(goes_on, transition, start)
    return earned, length, reached


def right_python_loop(world: Gridworld, state: State, action: jax.Array) -> list[Any]:
    """Loops in Python, begins with Python numbers and returns a list."""
    earned: Any = 0.0
    length: Any = 0
    reached: Any = False
    for chosen in action:
        length = length + jnp.where(state.done, 0, 1)
        state, reward, terminated, _ = gridworld.step(world, state, chosen)
        earned = earned + reward
        reached = jnp.logical_or(reached, terminated)
    return [earned, length, reached]


def right_clock(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Reads the length off the clock of the states and the goal off the largest flag."""
    walk = walked(world, state, action)
    return walk.reward.sum(), walk.final.elapsed - state.elapsed, walk.terminated.max()


def right_place(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Looks where the walk ended, and whether it was still to be walked."""
    walk = walked(world, state, action)
    reached = world.goal[walk.final.position] & ~state.done
    return walk.reward.sum(), walk.active.sum(), reached


def right_mask_from_events(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Makes the mask from the events alone, as the lesson did for a batch."""
    walk = walked(world, state, action)
    ended = walk.terminated | walk.truncated
    active = (jnp.cumsum(ended) - ended == 0) & ~state.done
    return walk.reward @ active.astype(jnp.float32), active.sum(), (walk.terminated & active).any()


def wrong_half_mended(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Keeps the step that reaches a goal and still drops the one that is cut off."""

    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        following, reward, terminated, _ = gridworld.step(world, state, action)
        active = ~following.done | terminated
        return following, (jnp.where(active, reward, 0.0), active, terminated)

    _, (reward, active, terminated) = jax.lax.scan(transition, state, action)
    return reward.sum(), active.sum(), terminated.any()


def wrong_reward_above_zero(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Takes any positive reward for a goal."""
    walk = walked(world, state, action)
    return walk.reward.sum(), walk.active.sum(), (walk.reward > 0).any()


def wrong_steps_that_cost(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Counts the steps whose reward isn't 0; in some worlds a step costs nothing."""
    walk = walked(world, state, action)
    return walk.reward.sum(), (walk.reward != 0).sum(), walk.terminated.any()


def wrong_clock_alone(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Reads the length off the last clock, which needn't have begun at 0."""
    walk = walked(world, state, action)
    return walk.reward.sum(), walk.final.elapsed, walk.terminated.any()


def wrong_place_alone(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Says that a goal was reached where the episode was over before."""
    walk = walked(world, state, action)
    return walk.reward.sum(), walk.active.sum(), world.goal[walk.final.position]


def wrong_before_the_limit(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Takes an end before the limit for a goal, and misses a goal on the last transition."""
    walk = walked(world, state, action)
    early = walk.final.done & (walk.final.elapsed < world.horizon)
    return walk.reward.sum(), walk.active.sum(), early


def wrong_prices_known(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Computes the return from the prices of the corridor, not from what was paid."""
    walk = walked(world, state, action)
    reached = walk.terminated.any()
    length = walk.active.sum()
    return jnp.where(reached, 1.0, 0.0) - 0.01 * (length - reached), length, reached


def wrong_begins_anew(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Sets the clock to 0 and forgets that the episode was over."""
    fresh = State(state.position, jnp.int32(0), jnp.bool_(False))
    return report(walked(world, fresh, action))


def wrong_order(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Returns the goal before the length."""
    earned, length, reached = report(walked(world, state, action))
    return earned, reached, length


def wrong_python_break(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Leaves a Python loop when a traced flag says so."""
    earned, length, reached = jnp.float32(0), jnp.int32(0), jnp.bool_(False)
    for chosen in action:
        if state.done:
            break
        state, reward, terminated, _ = gridworld.step(world, state, chosen)
        earned, length, reached = earned + reward, length + 1, reached | terminated
    return earned, length, reached
