"""A right collector with parts that can be replaced one at a time.

`@with_keys`, `@with_cell`, `@with_row`, `@with_next_state` and `@with_result` turn a function that
does one part into a whole collector whose other parts are right. It has the name and the docstring
of that function.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from gridroll import gridworld
from gridroll.collector import Trajectory
from gridroll.gridworld import Gridworld, State
from gridroll.policy import Policy

Collected = tuple[State, Trajectory]
Collector = Callable[..., Any]


def one_transition(
    world: Gridworld, policy: Policy, theta: jax.Array, state: State, key: jax.Array
) -> Collected:
    """The next state of one environment, and what is recorded of this transition."""
    action = policy.sample(theta, state.position, key)
    following, reward, terminated, truncated = gridworld.step(world, state, action)
    log_prob = policy.log_prob(theta, state.position, action)
    active = ~state.done
    return following, Trajectory(
        state.position, action, reward, active, terminated, truncated, log_prob
    )


def transition(
    world: Gridworld, policy: Policy, theta: jax.Array, state: State, step_keys: jax.Array
) -> Collected:
    """The same for states and keys (B,): the next states, and one row of the record."""

    def of_one(state: State, key: jax.Array) -> Collected:
        return one_transition(world, policy, theta, state, key)

    return jax.vmap(of_one)(state, step_keys)


def reset_all(world: Gridworld, reset_keys: jax.Array) -> State:
    """One start for each key."""
    return jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)


def one_table(key: jax.Array, num_envs: int, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """Keys for the resets, (B,), and for the actions, (T, B): split once, which compiles fast."""
    table = jax.random.split(key, (num_steps + 1, num_envs))
    return table[0], table[1:]


class Moment(NamedTuple):
    """One transition of B environments, as a part of a collector sees it."""

    world: Gridworld
    policy: Policy
    theta: jax.Array
    t: jax.Array  # () int32, the row
    start: State  # where the episodes began
    before: State
    following: State
    row: Trajectory  # as it should be


@dataclass(frozen=True)
class Parts:
    """What a collector is made of; by default every part is right."""

    keys: Callable[[jax.Array, int, int], Any] = one_table
    cell: Callable[[State, State], jax.Array] = lambda start, before: before.position
    row: Callable[[Moment], Trajectory] = lambda moment: moment.row
    next_state: Callable[[Moment], State] = lambda moment: moment.following
    result: Callable[[State, State, Trajectory], Any] = lambda start, final, record: (final, record)


def collector_of(parts: Parts, part: Callable[..., Any]) -> Collector:
    """A collector made of these parts, named and described as one of them."""

    def collect(
        world: Gridworld,
        policy: Policy,
        theta: jax.Array,
        key: jax.Array,
        *,
        num_envs: int,
        num_steps: int,
    ) -> Any:
        reset_keys, action_keys = parts.keys(key, num_envs, num_steps)
        start = reset_all(world, reset_keys)

        def body(before: State, step: tuple[jax.Array, jax.Array]) -> Collected:
            t, step_keys = step
            sample = jax.vmap(policy.sample, in_axes=(None, 0, 0))
            log_prob = jax.vmap(policy.log_prob, in_axes=(None, 0, 0))
            action = sample(theta, parts.cell(start, before), step_keys)
            take = jax.vmap(gridworld.step, in_axes=(None, 0, 0))
            following, reward, terminated, truncated = take(world, before, action)
            row = Trajectory(
                before.position,
                action,
                reward,
                ~before.done,
                terminated,
                truncated,
                log_prob(theta, before.position, action),
            )
            moment = Moment(world, policy, theta, t, start, before, following, row)
            return parts.next_state(moment), parts.row(moment)

        final, record = jax.lax.scan(body, start, (jnp.arange(num_steps), action_keys))
        return parts.result(start, final, record)

    collect.__name__ = part.__name__
    collect.__doc__ = part.__doc__
    return collect


def with_keys(part: Callable[[jax.Array, int, int], Any]) -> Collector:
    """A collector that hands out its keys in this way."""
    return collector_of(Parts(keys=part), part)


def with_cell(part: Callable[[State, State], jax.Array]) -> Collector:
    """A collector that draws its actions at these cells."""
    return collector_of(Parts(cell=part), part)


def with_row(part: Callable[[Moment], Trajectory]) -> Collector:
    """A collector that keeps this row of each transition."""
    return collector_of(Parts(row=part), part)


def with_next_state(part: Callable[[Moment], State]) -> Collector:
    """A collector that hands these states on."""
    return collector_of(Parts(next_state=part), part)


def with_result(part: Callable[[State, State, Trajectory], Any]) -> Collector:
    """A collector that returns this of its first states, its last ones and its record."""
    return collector_of(Parts(result=part), part)
