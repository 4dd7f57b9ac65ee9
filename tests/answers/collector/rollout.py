"""Answers to `collector.rollout`. `_parts` says how one part of a right collector is replaced."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from answers.collector._parts import (
    Collected,
    Moment,
    one_table,
    one_transition,
    reset_all,
    transition,
    with_cell,
    with_keys,
    with_next_state,
    with_result,
    with_row,
)
from gridroll import gridworld, keys
from gridroll.collector import Trajectory
from gridroll.gridworld import Gridworld, State
from gridroll.policy import Policy


def right_key_in_the_carry(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Carries one key through the scan and splits it in every step."""
    key, reset_key = jax.random.split(key)

    def body(carry: tuple[State, jax.Array], _: None) -> tuple[Any, Trajectory]:
        state, key = carry
        key, *step_keys = jax.random.split(key, num_envs + 1)
        state, row = transition(world, policy, theta, state, jnp.stack(step_keys))
        return (state, key), row

    start = reset_all(world, jax.random.split(reset_key, num_envs))
    (final, _), record = jax.lax.scan(body, (start, key), length=num_steps)
    return final, record


def right_each_environment_scans(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Scans one environment with keys of its own, and maps that; the batch comes second."""

    def one(key: jax.Array) -> Collected:
        reset_key, action_key = jax.random.split(key)
        start = gridworld.reset(world, reset_key)
        step_keys = jax.random.split(action_key, num_steps)
        return jax.lax.scan(partial(one_transition, world, policy, theta), start, step_keys)

    return jax.vmap(one, out_axes=(0, 1))(jax.random.split(key, num_envs))


def right_python_loop(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Loops over time in Python and keeps a list for each field."""
    reset_key, action_key = jax.random.split(key)
    state = reset_all(world, jax.random.split(reset_key, num_envs))
    fields: dict[str, list[jax.Array]] = {name: [] for name in Trajectory._fields}
    for step_key in jax.random.split(action_key, num_steps):
        state, row = transition(world, policy, theta, state, jax.random.split(step_key, num_envs))
        for name, values in fields.items():
            values.append(getattr(row, name))
    return state, Trajectory(**{name: jnp.stack(values) for name, values in fields.items()})


def right_written_into_arrays(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Writes row after row into arrays in a fori_loop, and folds the row's number into the key."""
    reset_key, action_key = jax.random.split(key)
    state = reset_all(world, jax.random.split(reset_key, num_envs))

    def taken(t: Any, state: State) -> Collected:
        step_keys = jax.random.split(jax.random.fold_in(action_key, t), num_envs)
        return transition(world, policy, theta, state, step_keys)

    def body(t: Any, carry: Collected) -> Collected:
        state, row = taken(t, carry[0])
        return state, Trajectory(
            *(whole.at[t].set(new) for whole, new in zip(carry[1], row, strict=True))
        )

    row = jax.eval_shape(taken, 0, state)[1]
    empty = Trajectory(*(jnp.zeros((num_steps, *field.shape), field.dtype) for field in row))
    return jax.lax.fori_loop(0, num_steps, body, (state, empty))


def right_computed_afterwards(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Keeps states and actions only, and works out all other fields after the scan."""
    step = partial(gridworld.step, world)

    def body(state: State, step_keys: jax.Array) -> tuple[State, Any]:
        action = jax.vmap(partial(policy.sample, theta))(state.position, step_keys)
        return jax.vmap(step)(state, action)[0], (state, action)

    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    final, (state, action) = jax.lax.scan(body, reset_all(world, reset_keys), action_keys)
    _, reward, terminated, truncated = jax.vmap(jax.vmap(step))(state, action)
    log_prob = jax.vmap(jax.vmap(partial(policy.log_prob, theta)))(state.position, action)
    return final, Trajectory(
        state.position, action, reward, ~state.done, terminated, truncated, log_prob
    )


@with_keys
def right_numbers_folded_in(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    """Numbers all draws and folds the number into the one key; nothing is split."""
    fold_in = partial(jax.random.fold_in, key)
    numbers = jnp.arange((num_steps + 1) * num_envs).reshape(num_steps + 1, num_envs)
    table = jax.vmap(jax.vmap(fold_in))(numbers)
    return table[0], table[1:]


@with_keys
def right_keys_by_environment(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    """Gives each environment a key, splits it into one for each step, and turns the table."""
    reset_key, action_key = jax.random.split(key)
    split = partial(jax.random.split, num=num_steps)
    table = jax.vmap(split)(jax.random.split(action_key, num_envs))
    return jax.random.split(reset_key, num_envs), jnp.swapaxes(table, 0, 1)


@with_result
def right_padding_made_tidy(start: State, final: State, record: Trajectory) -> Any:
    """Writes 0 for the log-probability in the padding, and returns a list."""
    return [final, record._replace(log_prob=jnp.where(record.active, record.log_prob, 0.0))]


@with_cell
def wrong_drawn_at_the_start(start: State, before: State) -> jax.Array:
    """Draws every action at the cell where the episode began."""
    return start.position


@with_keys
def wrong_two_rows_of_keys(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    """Uses the keys of two rows in turn."""
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    return reset_keys, action_keys[jnp.arange(num_steps) % 2]


@with_keys
def wrong_overlap_by_one(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    """Numbers resets from 0 and actions from 1, so most reset keys draw an action too."""
    fold_in = jax.vmap(partial(jax.random.fold_in, key))
    numbers = 1 + jnp.arange(num_steps * num_envs).reshape(num_steps, num_envs)
    return fold_in(jnp.arange(num_envs)), jax.vmap(fold_in)(numbers)


@with_keys
def wrong_resets_split_the_parent(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    """Splits the key for the resets, and folds the rows' numbers into the same key."""
    step_keys = jax.vmap(partial(jax.random.fold_in, key))(jnp.arange(num_steps))
    table = jax.vmap(partial(jax.random.split, num=num_envs))(step_keys)
    return jax.random.split(key, num_envs), table


def wrong_another_temperature(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Draws with half of theta and records the log-probability under the whole."""
    reset_keys, action_keys = one_table(key, num_envs, num_steps)

    def body(state: State, step_keys: jax.Array) -> Collected:
        following, row = transition(world, policy, theta / 2, state, step_keys)
        log_prob = jax.vmap(partial(policy.log_prob, theta))(row.observation, row.action)
        return following, row._replace(log_prob=log_prob)

    return jax.lax.scan(body, reset_all(world, reset_keys), action_keys)


@with_row
def wrong_observation_after(moment: Moment) -> Trajectory:
    """Records the position after the step."""
    return moment.row._replace(observation=moment.following.position)


@with_row
def wrong_positive_reward_is_a_goal(moment: Moment) -> Trajectory:
    """Takes a positive reward for a goal; a goal may cost something."""
    return moment.row._replace(terminated=moment.row.reward > 0)


@with_row
def wrong_log_prob_at_the_next_cell(moment: Moment) -> Trajectory:
    """Asks for the log-probability of the action at the cell that it led to."""
    log_prob = jax.vmap(partial(moment.policy.log_prob, moment.theta))
    return moment.row._replace(log_prob=log_prob(moment.following.position, moment.row.action))


@with_next_state
def wrong_reset_at_the_end(moment: Moment) -> State:
    """Puts an environment that has ended back on its first cell."""
    ended = moment.following.done
    return jax.tree.map(lambda new, old: jnp.where(ended, new, old), moment.start, moment.following)


@with_next_state
def wrong_one_ends_all(moment: Moment) -> State:
    """Ends all environments when one of them ends."""
    done = moment.following.done
    return moment.following._replace(done=done | done.any())


@with_result
def wrong_first_states(start: State, final: State, record: Trajectory) -> Any:
    """Returns the states that the batch began with."""
    return start, record


@with_result
def wrong_record_alone(start: State, final: State, record: Trajectory) -> Any:
    """Returns the record and drops the states."""
    return record


@with_result
def wrong_one_is_dropped(start: State, final: State, record: Trajectory) -> Any:
    """Squeezes, so a batch of one environment loses its axis."""
    return jax.tree.map(jnp.squeeze, (final, record))


def wrong_reset_not_mapped(
    world: Gridworld,
    policy: Policy,
    theta: jax.Array,
    key: jax.Array,
    *,
    num_envs: int,
    num_steps: int,
) -> Collected:
    """Gives reset all the keys at one time."""
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    state = gridworld.reset(world, reset_keys)
    return jax.lax.scan(partial(transition, world, policy, theta), state, action_keys)
