"""Collectors that are wrong: in their bookkeeping, in their sizes, or in whose key draws what."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from gridroll import gridworld, keys
from gridroll.classroom.exercise import Case, Fault, Misconception
from gridroll.collector import Trajectory
from gridroll.exercises.collector.replay import replay
from gridroll.gridworld import Gridworld, State
from gridroll.policy import Policy

HandOut = Callable[[jax.Array, int, int], tuple[jax.Array, jax.Array]]
Edit = Callable[[Gridworld, Any], dict[str, Any]]


def _collected(hand_out: HandOut, carry: bool = True) -> Callable[..., Any]:
    """A collector with right records, of the next state or, without `carry`, of the old one."""

    def collect(
        world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
    ) -> tuple[State, Trajectory]:
        reset_keys, action_keys = hand_out(key, num_envs, num_steps)
        state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)

        def transition(state: State, keys: jax.Array) -> tuple[State, Trajectory]:
            position = state.position
            action = jax.vmap(used.sample, in_axes=(None, 0, 0))(theta, position, keys)
            step = jax.vmap(gridworld.step, in_axes=(None, 0, 0))
            following, reward, terminated, truncated = step(world, state, action)
            log_prob = jax.vmap(used.log_prob, in_axes=(None, 0, 0))(theta, position, action)
            row = (position, action, reward, ~state.done, terminated, truncated, log_prob)
            return following if carry else state, Trajectory(*row)

        return jax.lax.scan(transition, state, action_keys)

    return collect


_right = _collected(keys.rollout_keys)


def _edited(edit: Edit) -> Callable[..., Any]:
    """A collector whose record is edited afterwards: wrong bookkeeping."""

    def mistaken(
        world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
    ) -> tuple[State, Trajectory]:
        final, trajectory = _right(world, used, theta, key, num_envs=num_envs, num_steps=num_steps)
        return final, trajectory._replace(**edit(world, trajectory))

    return mistaken


def _replayed(edit: Edit) -> Callable[[Case, Any], Any]:
    """The same wrong bookkeeping on the student's own starts and actions."""

    def mistaken(case: Case, got: Any) -> Any:
        wanted = replay(case, got)
        if isinstance(wanted, Fault):
            return wanted
        final, trajectory = wanted
        return final, trajectory._replace(**edit(case.args[0], trajectory))

    return mistaken


def _after_step(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"active": record.active & ~(record.terminated | record.truncated)}


def _goal_only(world: Gridworld, record: Any) -> dict[str, Any]:
    reached = record.terminated
    earlier = jnp.concatenate([jnp.zeros_like(reached[:1]), reached[:-1]])
    return {"active": jnp.cumsum(earlier, axis=0) == 0}


def _keeps_paying(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"reward": jnp.where(record.active, record.reward, world.step_reward)}


def _no_limit(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"truncated": jnp.zeros_like(record.truncated)}


def _exchanged(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"terminated": record.truncated, "truncated": record.terminated}


def _done_as_terminated(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"terminated": record.terminated | record.truncated}


def _probability(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"log_prob": jnp.where(record.active, jnp.exp(record.log_prob), record.log_prob)}


def _batch_major(*args: Any, **sizes: int) -> tuple[State, Any]:
    final, trajectory = _right(*args, **sizes)
    return final, jax.tree.map(jnp.transpose, trajectory)


def _eight_steps(*args: Any, num_envs: int, num_steps: int) -> tuple[State, Any]:
    return _right(*args, num_envs=num_envs, num_steps=8)


def _nothing(*args: Any, num_envs: int, num_steps: int) -> tuple[State, Trajectory]:
    whole, flat = jnp.zeros((num_steps, num_envs), jnp.int32), jnp.zeros(num_envs, jnp.int32)
    real, no = whole.astype(jnp.float32), whole.astype(bool)
    return State(flat, flat, flat.astype(bool)), Trajectory(whole, whole, real, no, no, no, real)


def _one_for_all_environments(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    return reset_keys, jnp.broadcast_to(action_keys[:, :1], action_keys.shape)


def _one_for_all_steps(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    return reset_keys, jnp.broadcast_to(action_keys[:1], action_keys.shape)


def _one_for_all_resets(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    return jnp.broadcast_to(reset_keys[:1], reset_keys.shape), action_keys


def _reset_keys_for_actions(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    return reset_keys, action_keys.at[0].set(reset_keys)


def _fold_in_beside_split(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    numbers = jnp.arange(num_steps * num_envs).reshape(num_steps, num_envs)
    folded = jax.vmap(jax.vmap(partial(jax.random.fold_in, key)))(numbers)
    return jax.random.split(key, num_envs), folded


def _parent_used_again(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    step_keys = jax.random.split(key, num_steps)
    action_keys = jax.vmap(partial(jax.random.split, num=num_envs))(step_keys)
    return jax.random.split(key, num_envs), action_keys


def _own_seed(key: jax.Array, num_envs: int, num_steps: int) -> Any:
    return keys.rollout_keys(jax.random.key(0), num_envs, num_steps)


def _wrong_keys(name: str, message: str, hand_out: HandOut, *, property: str, **more: Any) -> Any:
    return Misconception(name, message, _collected(hand_out), property=property, **more)


def _wrong_record(name: str, message: str, edit: Edit) -> Misconception:
    return Misconception(name, message, _edited(edit), replay=_replayed(edit))


MISCONCEPTIONS = (
    _wrong_record(
        "mask taken after the step",
        "active was taken from the state after the step, so the transition that ends an "
        "episode, and its reward, would not count. Take it from the state that goes in.",
        _after_step,
    ),
    _wrong_record(
        "mask from goals only",
        "Episodes that were cut off by the limit stay active. active is the opposite of done "
        "before the step, and done means either ending.",
        _goal_only,
    ),
    _wrong_record(
        "padding keeps paying",
        "Finished episodes go on earning the step reward, so returns change with num_steps.",
        _keeps_paying,
    ),
    _wrong_record(
        "endings merged",
        "terminated is set wherever an episode ended. A cut-off is truncated only.",
        _done_as_terminated,
    ),
    _wrong_record(
        "endings exchanged",
        "terminated and truncated are exchanged: step returns terminated first.",
        _exchanged,
    ),
    _wrong_record("no truncation", "No episode is ever marked as cut off.", _no_limit),
    _wrong_record(
        "probability, not its logarithm",
        "log_prob holds the probability of the action. policy.log_prob gives its logarithm.",
        _probability,
    ),
    Misconception(
        "hands on the old state",
        "Every row begins on the start cells again: the carry that comes out of the body is the "
        "state that went in. Hand on the state that step returned.",
        _collected(keys.rollout_keys, carry=False),
        replay=partial(replay, carry=False),
    ),
    Misconception(
        "batch-major",
        "The axes are exchanged: (B, T). The collector is time-major, (T, B), which is what "
        "scan gives when vmap lies inside it.",
        _batch_major,
    ),
    Misconception(
        "always eight steps",
        "The number of rows is fixed at 8. It is num_steps, whatever the horizon is.",
        _eight_steps,
    ),
    _wrong_keys(
        "one key for all environments",
        "In each step, all environments draw with one key. Split the step's key into B.",
        _one_for_all_environments,
        property="environments share a key",
    ),
    _wrong_keys(
        "one key for all steps",
        "Every step draws with the keys of the first. Split the action key into T first.",
        _one_for_all_steps,
        property="steps share a key",
    ),
    _wrong_keys(
        "one reset key for all environments",
        "All environments are reset with one key, so they all start on the same cell. Split "
        "the reset key into B.",
        _one_for_all_resets,
        property="resets share a key",
    ),
    _wrong_keys(
        "resets and actions share keys",
        "The keys of the resets draw actions as well, so the first action is tied to the "
        "start. fold_in(key, i) gives the key that split(key, n)[i] gives: split the key into "
        "a reset key and an action key first, and derive from these.",
        _fold_in_beside_split,
        also=(_collected(_reset_keys_for_actions),),
        property="reset and action share a key",
    ),
    _wrong_keys(
        "a key used twice",
        "A key drew something and was split as well. Nothing need show in the averages, but "
        "draws that should be independent come from one key. Split once into a reset key and "
        "an action key, and use each part once.",
        _parent_used_again,
        property="a key is drawn from and split",
    ),
    _wrong_keys(
        "a seed of its own",
        "Two different keys give the same rollout: the key that is passed in isn't used.",
        _own_seed,
        property="another key changes nothing",
    ),
    Misconception(
        "constant",
        "Nothing was collected: every entry is 0 or False.",
        _nothing,
        replay=lambda case, got: _nothing(**case.kwargs),
    ),
)
