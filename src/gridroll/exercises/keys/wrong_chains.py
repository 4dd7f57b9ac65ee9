"""Chains that are none, or others than the protocol: what the check tells apart."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll.classroom import compare
from gridroll.classroom.exercise import Case, Misconception


def _mistake(name: str, message: str, *written: Callable[..., Any]) -> Misconception:
    """A mistake in all its ways to write it. Nothing here is left to chance: each has its keys."""

    def replayed(case: Case, got: Any) -> Any:
        answers = [implementation(*case.args) for implementation in written]
        return next((a for a in answers if compare.same(got, a)), answers[0])

    return Misconception(name, message, written[0], also=written[1:], replay=replayed)


def _stacked(pairs: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    actions, steps = zip(*pairs, strict=True)
    return jnp.stack(actions), jnp.stack(steps)


def _right(key: Any, num_steps: int) -> tuple[Any, Any]:
    """A right chain, for the mistakes that change it."""
    pairs = []
    for _ in range(num_steps):
        key, action_key, step_key = jax.random.split(key, 3)
        pairs.append((action_key, step_key))
    return _stacked(pairs)


def _never_advances(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        _, action_key, step_key = jax.random.split(key, 3)
        pairs.append((action_key, step_key))
    return _stacked(pairs)


def _carried_for_action(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        key, _, step_key = jax.random.split(key, 3)
        pairs.append((key, step_key))
    return _stacked(pairs)


def _carried_for_step(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        key, action_key, _ = jax.random.split(key, 3)
        pairs.append((action_key, key))
    return _stacked(pairs)


def _parent_for_action(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        parent = key
        key, _, step_key = jax.random.split(key, 3)
        pairs.append((parent, step_key))
    return _stacked(pairs)


def _exchanged(key: Any, num_steps: int) -> Any:
    actions, steps = _right(key, num_steps)
    return steps, actions


def _last_carried(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        action_key, step_key, key = jax.random.split(key, 3)
        pairs.append((action_key, step_key))
    return _stacked(pairs)


def _advances_by_action(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        _, action_key, step_key = jax.random.split(key, 3)
        pairs.append((action_key, step_key))
        key = action_key
    return _stacked(pairs)


def _advances_by_step(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        _, action_key, step_key = jax.random.split(key, 3)
        pairs.append((action_key, step_key))
        key = step_key
    return _stacked(pairs)


def _one_for_both(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        key, both = jax.random.split(key)
        pairs.append((both, both))
    return _stacked(pairs)


def _two_splits(key: Any, num_steps: int) -> Any:
    pairs = []
    for _ in range(num_steps):
        key, action_key = jax.random.split(key)
        key, step_key = jax.random.split(key)
        pairs.append((action_key, step_key))
    return _stacked(pairs)


def _tree(key: Any, num_steps: int) -> Any:
    action_key, step_key = jax.random.split(key)
    return jax.random.split(action_key, num_steps), jax.random.split(step_key, num_steps)


def _one_split(key: Any, num_steps: int) -> Any:
    handed = jax.random.split(key, (num_steps, 2))
    return handed[:, 0], handed[:, 1]


def _one_step_late(key: Any, num_steps: int) -> Any:
    actions, steps = _right(key, num_steps + 1)
    return actions[1:], steps[1:]


def _always_four(key: Any, num_steps: int) -> Any:
    return _right(key, 4)


def _zeros(key: Any, num_steps: int) -> Any:
    same = jnp.broadcast_to(jax.random.key(0), (num_steps,))
    return same, same


MISCONCEPTIONS = (
    _mistake(
        "never advances",
        "Every step splits the key of the first one, so all steps get the same two keys. The "
        "first of the three has to become `key` for the next step.",
        _never_advances,
    ),
    _mistake(
        "uses the carried key",
        "The key that is handed on to the next step is also given away. The next split uses "
        "it up: hand out the other two.",
        _carried_for_action,
        _carried_for_step,
        _parent_for_action,
    ),
    _mistake(
        "hands on a key that it gave away",
        "The next step splits a key that this step has handed out. Hand on the first of the "
        "three, and nobody else gets it.",
        _advances_by_action,
        _advances_by_step,
    ),
    _mistake(
        "action and step exchanged",
        "The second key of the split is the action's, the third the step's. The order is part "
        "of the protocol: another order gives other draws.",
        _exchanged,
    ),
    _mistake(
        "another key is handed on",
        "The last of the three is handed on here. No key is used twice, but these are other "
        "draws than the written protocol gives: it hands on the first.",
        _last_carried,
    ),
    _mistake(
        "one key for action and step",
        "Action and step get the same key. Split into three.",
        _one_for_both,
    ),
    _mistake(
        "two splits a step",
        "Each step splits twice. No key is used twice, but the protocol makes one split into "
        "three, and other splits give other draws.",
        _two_splits,
    ),
    _mistake(
        "a tree",
        "All keys come from one split, and nothing is handed on from step to step. That is a "
        "right way to make keys, and another protocol than this one.",
        _tree,
        _one_split,
    ),
    _mistake(
        "one step late",
        "The keys of the first step are missing: what stands on row 0 belongs to step 1.",
        _one_step_late,
    ),
    _mistake("always four steps", "The number of rows is fixed. It is num_steps.", _always_four),
    _mistake("constant", "The keys are the same whatever key is given.", _zeros),
)
