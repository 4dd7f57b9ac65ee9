"""A protocol of one's own: a world that draws in every step too."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from gridroll import keys
from gridroll.classroom.describe import describe_call
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.keys import family, handing

Three = tuple[jax.Array, jax.Array, jax.Array]
SMALL = {"num_envs": 3, "num_steps": 4}
OUTPUTS = ("reset_keys", "action_keys", "noise_keys")


def noisy_keys(key: jax.Array, num_envs: int, num_steps: int) -> Three:
    """Give every reset, every action and every step's noise a key of its own.

    The first environments and the first steps get the same keys whatever the sizes are.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1.

    Returns:
        Keys for the resets, (B,), for the actions, (T, B), and for the noise, (T, B).
    """
    reset_key, action_key, noise_key = jax.random.split(key, 3)
    return (
        keys.reset_keys(reset_key, num_envs),
        keys.key_table(action_key, num_envs, num_steps),
        keys.key_table(noise_key, num_envs, num_steps),
    )


SCAFFOLD = '''
def noisy_keys(key, num_envs, num_steps):
    """Give every reset, every action and every step's noise a key of its own.

    The first environments and the first steps get the same keys whatever the sizes are.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1.

    Returns:
        Keys for the resets, (B,), for the actions, (T, B), and for the noise, (T, B).
    """
    return ...
'''


def _small(rng: np.random.Generator) -> dict[str, int]:
    num_envs, num_steps = sorted(_fresh.sizes(rng, *SMALL.values(), most=6))
    return {"num_envs": num_envs, "num_steps": num_steps}


def keeps_when_it_grows(
    eager: Callable[..., Any], jitted: Callable[..., Any], rng: np.random.Generator
) -> Fault | None:
    """A few environments or steps more leave the keys of the others alone."""
    (key,), sizes = _fresh.keys(rng, 1), _small(rng)
    small = eager(key, **sizes)
    for size, name in (("num_envs", "moves when B grows"), ("num_steps", "moves when T grows")):
        larger = sizes | {size: sizes[size] + int(rng.integers(1, 4))}
        call = describe_call("noisy_keys", (key,), larger)
        fault = _moved(small, eager(key, **larger), name, call, sizes)
        if fault is not None:
            return fault
    return None


def _moved(small: Any, large: Any, name: str, call: str, sizes: dict[str, int]) -> Fault | None:
    for output, axes, few, many in zip(OUTPUTS, AXES.values(), small, large, strict=True):
        corner = many[tuple(slice(n) for n in few.shape)]
        if corner.shape != few.shape:
            return family.fault(
                "sizes", "The result has the wrong shape.", call, output, f"shape {many.shape}",
                "more environments or steps", "The sizes are those that are given.",
            )  # fmt: skip
        moved = (family.words(corner) != family.words(few)).any(axis=1)
        if moved.any():
            place = family.places(output, few, axes)[int(np.argmax(moved))]
            return family.fault(
                name, "The sizes change keys that should stay.", call, place,
                f"another key than with {describe_call('noisy_keys', (), sizes)[11:-1]}",
                "the same key",
                "The first environments and steps get the same keys whatever the sizes are.",
            )  # fmt: skip
    return None


AXES = {"reset_keys": ("b",), "action_keys": ("t", "b"), "noise_keys": ("t", "b")}


def _tables(key: Any, num_envs: int, num_steps: int) -> tuple[Any, Any]:
    return (
        keys.reset_keys(key, num_envs),
        keys.key_table(key, num_envs, num_steps),
    )


def _right(key: Any, num_envs: int, num_steps: int) -> Any:
    """A right protocol, for the mistakes that change it."""
    key, noise_key = jax.random.split(key)
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return resets, actions, keys.key_table(noise_key, num_envs, num_steps)


def _action_keys_for_noise(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return resets, actions, actions


def _parent_again(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return resets, actions, keys.key_table(key, num_envs, num_steps)


def _parent_three_times(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, table = _tables(key, num_envs, num_steps)
    return resets, table, table[::-1]


def _children_of_actions(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    noises = jax.vmap(jax.vmap(lambda k: jax.random.split(k)[1]))(actions)
    return resets, actions, noises


def _flat(key: Any, num_envs: int, num_steps: int) -> Any:
    reset_key, action_key, noise_key = jax.random.split(key, 3)
    shape = (num_steps, num_envs)
    return (
        jax.random.split(reset_key, num_envs),
        jax.random.split(action_key, shape),
        jax.random.split(noise_key, shape),
    )


def _flat_by_environment(key: Any, num_envs: int, num_steps: int) -> Any:
    reset_key, action_key, noise_key = jax.random.split(key, 3)
    shape = (num_envs, num_steps)
    return (
        jax.random.split(reset_key, num_envs),
        jax.random.split(action_key, shape).T,
        jax.random.split(noise_key, shape).T,
    )


def _last_is_carried(key: Any, num_envs: int, num_steps: int) -> Any:
    reset_key, key = jax.random.split(key)
    actions, noises = [], []
    for _ in range(num_steps):
        row = jax.random.split(key, 2 * num_envs + 1)
        actions.append(row[:num_envs])
        noises.append(row[num_envs:-1])
        key = row[-1]
    return (
        jax.random.split(reset_key, num_envs),
        jax.numpy.stack(actions),
        jax.numpy.stack(noises),
    )


def _batch_major(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions, noises = _right(key, num_envs, num_steps)
    return resets, actions.T, noises.T


def _own_seed(key: Any, num_envs: int, num_steps: int) -> Any:
    return _right(jax.random.key(0), num_envs, num_steps)


def _visible() -> tuple[Case, ...]:
    return (Case((jax.random.key(0), *SMALL.values())),)


def _generate(rng: np.random.Generator) -> Case:
    return Case((_fresh.keys(rng, 1)[0], *_small(rng).values()))


NOISY_KEYS = Exercise(
    name="keys.noisy_keys",
    title="a protocol of your own",
    task=(
        "Write `noisy_keys(key, num_envs, num_steps)` for a world in which every step draws too: "
        "all keys different, and more environments or more steps leave the first ones alone."
    ),
    points=3,
    difficulty=2,
    reference=noisy_keys,
    answer=source(noisy_keys).replace(" -> Three", ""),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=OUTPUTS,
    axes=("t", "b"),
    eager=1,
    stretch=True,
    replay=lambda case, got: got,  # the draws are the student's; the properties look at them
    properties=(
        handing.each_has_its_own("noisy_keys", AXES, lambda rng: (_small(rng), handing.wide(rng))),
        Property("growth", keeps_when_it_grows),
    ),
    rules={
        "reset_keys": "One typed key for each environment, (B,).",
        "action_keys": "One typed key for each step and environment, (T, B).",
        "noise_keys": "One typed key for each step and environment, (T, B).",
    },
    misconceptions=(
        Misconception(
            "keys used for two things",
            "One key is handed out for two purposes, so two draws that should be independent are "
            "tied. Split the key into one for each purpose before anything else.",
            _action_keys_for_noise,
            also=(_parent_again, _parent_three_times),
            property="a key twice",
        ),
        Misconception(
            "noise from the actions' keys",
            "The noise's keys are split from keys that draw actions. A key that draws is used up.",
            _children_of_actions,
            property="a parent draws",
        ),
        Misconception(
            "moves when B grows",
            "One environment more, and other keys move: the size decides which key of the split "
            "stands where. Split in two levels, steps first, and carry the first key on, if any.",
            _flat,
            also=(_last_is_carried,),
            property="moves when B grows",
        ),
        Misconception(
            "moves when T grows",
            "One step more, and the keys of earlier steps are others: T decides which key of one "
            "long split stands where. Split in two levels.",
            _flat_by_environment,
            property="moves when T grows",
        ),
        Misconception(
            "batch-major", "The axes are exchanged: (B, T). Rows are steps.", _batch_major
        ),
        Misconception(
            "constant",
            "The keys are the same whatever key is given.",
            _own_seed,
            property="another key changes nothing",
        ),
    ),
    hints=(
        "Three purposes: split the key into three first. Then each purpose has its own tree.",
        "You have built what makes (B,) keys and (T, B) keys; the library has both.",
        "keys.reset_keys(reset_key, num_envs), and keys.key_table for the two tables.",
    ),
    why="One long split, reshaped to (T, B), moves almost every key when B grows.",
    gain="write down a protocol for a new consumer of random numbers",
    explanation=(
        "A new purpose gets a branch of its own at the first split, so the others keep their "
        "order. Below it, a table is split by step and then by environment, and a longer split "
        "begins with the keys of a shorter one."
    ),
)
