"""A parent that draws after its split: no average shows it."""

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import is_whole_number
from gridroll.exercises.keys import handing


def episode_keys(key: jax.Array, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """Give the reset and each action of one episode a key of its own.

    No key that is handed out may also be the parent of another one.

    Args:
        key: () typed key; it is used up here.
        num_steps: T, at least 1.

    Returns:
        The key of the reset, (), and the keys of the actions, (T,).
    """
    reset_key, action_key = jax.random.split(key)
    action_keys = jax.random.split(action_key, num_steps)
    return reset_key, action_keys


def broken_episode_keys(key: jax.Array, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """The program as the student finds it."""
    action_keys = jax.random.split(key, num_steps)
    return key, action_keys


SCAFFOLD = '''
def episode_keys(key, num_steps):
    """Give the reset and each action of one episode a key of its own.

    No key that is handed out may also be the parent of another one.

    Args:
        key: () typed key; it is used up here.
        num_steps: T, at least 1.

    Returns:
        The key of the reset, (), and the keys of the actions, (T,).
    """
    action_keys = jax.random.split(key, num_steps)
    return key, action_keys


# (seed, num_steps, n): with reset_key, action_keys = episode_keys(jax.random.key(seed), num_steps),
# ALL of action_keys are among jax.random.split(reset_key, n).
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(episode_keys)
    head = text[text.index("(") : text.index(':\n    """')]
    return text.replace(head, "(key, num_steps)") + "\n\nwitness = (0, 3, 5)\n"


def repeated_actions(arrays: handing.Arrays) -> Fault | None:
    """Two actions of the episode got one key."""
    action_keys = arrays["action_keys"]
    different = keys.num_distinct(action_keys)
    if different == action_keys.size:
        return None
    return Fault(
        "Actions of one episode share a key.",
        where="action_keys",
        got=f"{different} different keys",
        expected=f"{action_keys.size} different keys",
        rule="Every action has a key of its own.",
        property="actions share a key",
    )


def replay(case: Case, got: Any) -> Any:
    """Whatever was handed out, unless the reset got the parent: that has its own names below."""
    key = case.args[0]
    if keys.num_shared(got[0], key) == 0:
        return got
    return Fault(
        "The reset draws from the key that was given, and that key was split.",
        where="reset_key",
        got="the key that was given",
        expected="a key derived from it",
        rule="The key that is given is split here, so nothing else may use it.",
    )


def _still_broken(case: Case, got: Any) -> Any:
    return broken_episode_keys(*case.args)


def _parent_and_others(case: Case, got: Any) -> Any:
    return case.args[0], got[1]


def _splits_the_child(key: Any, num_steps: int) -> Any:
    child = jax.random.split(key)[1]
    return key, jax.random.split(child, num_steps)


def _skips_the_first(key: Any, num_steps: int) -> Any:
    return key, jax.random.split(key, num_steps + 1)[1:]


def _first_child(key: Any, num_steps: int) -> Any:
    return jax.random.split(key)[0], jax.random.split(key, num_steps)


def _folded_zero(key: Any, num_steps: int) -> Any:
    return jax.random.fold_in(key, 0), jax.random.split(key, num_steps)


def _one_of_the_actions(key: Any, num_steps: int) -> Any:
    action_keys = jax.random.split(key, num_steps)
    return action_keys[0], action_keys


def _splits_the_reset_key(key: Any, num_steps: int) -> Any:
    reset_key, _ = jax.random.split(key)
    return reset_key, jax.random.split(reset_key, num_steps)


def _action_key_too(key: Any, num_steps: int) -> Any:
    reset_key, action_key = jax.random.split(key)
    rest = jax.random.split(action_key, num_steps)[1:]
    return reset_key, jnp.concatenate([action_key[None], rest])


def _one_for_all_steps(key: Any, num_steps: int) -> Any:
    reset_key, action_key = jax.random.split(key)
    return reset_key, jnp.broadcast_to(action_key, (num_steps,))


def _own_seed(key: Any, num_steps: int) -> Any:
    reset_key, action_key = jax.random.split(jax.random.key(0))
    return reset_key, jax.random.split(action_key, num_steps)


def _reset_seed(key: Any, num_steps: int) -> Any:
    return jax.random.key(1), jax.random.split(key, num_steps)


def witness_case(witness: Any) -> Case:
    """The seed and the number of steps of a call; n has to show that the parent draws."""
    if not isinstance(witness, list | tuple) or len(witness) != 3:
        raise ValueError("A witness is a tuple of three whole numbers: (seed, num_steps, n).")
    names = ("seed", "num_steps", "n")
    for name, number in zip(names, witness, strict=True):
        least = 0 if name == "seed" else 1
        if not is_whole_number(number) or not least <= number <= 10_000:
            raise ValueError(f"{name} has to be a whole number from {least} to 10000.")
    seed, num_steps, n = (int(number) for number in witness)
    key = jax.random.key(seed)
    reset_key, action_keys = broken_episode_keys(key, num_steps)
    shared = keys.num_shared(jax.random.split(reset_key, n), action_keys)
    if shared < num_steps:
        raise ValueError(
            f"split(reset_key, {n}) holds {shared} of the {num_steps} keys in action_keys. Choose "
            "n so that it holds all of them."
        )
    return Case((key, num_steps))


def _visible() -> tuple[Case, ...]:
    return (Case((jax.random.key(0), 4)), Case((jax.random.key(2), 4)))


def _generate(rng: np.random.Generator) -> Case:
    return Case((_fresh.keys(rng, 1)[0], *_fresh.sizes(rng, 4)))


def _handed(rng: np.random.Generator) -> tuple[handing.Sizes, handing.Sizes]:
    """As many steps as in the fresh cases, and more."""
    return {"num_steps": _fresh.sizes(rng, 4)[0]}, {"num_steps": int(rng.integers(10, 16))}


EPISODE_KEYS = Exercise(
    name="keys.episode_keys",
    title="diagnose a reused parent",
    task=(
        "Mend the broken `episode_keys` so that it keeps the promise of its docstring, and give a "
        "`witness` that shows which key was handed out to draw and is the parent of others."
    ),
    points=3,
    difficulty=2,
    reference=episode_keys,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("reset_key", "action_keys"),
    axes=("t",),
    eager=2,
    replay=replay,
    properties=(
        handing.each_has_its_own(
            "episode_keys",
            {"reset_key": (), "action_keys": ("t",)},
            _handed,
            repeated_actions,
        ),
    ),
    rules={
        "reset_key": "The reset gets one typed key, of shape ().",
        "action_keys": "The actions get T typed keys, of shape (T,).",
    },
    misconceptions=(
        Misconception(
            "no fault",
            "The program does what it did before. No average shows the fault, and it is there: the "
            "reset draws from the very key that the actions' keys were split from.",
            broken_episode_keys,
            replay=_still_broken,
        ),
        Misconception(
            "splits the child again",
            "The actions' keys are others now, but the reset still draws from the parent of them "
            "all. Not the children were the fault: give the reset a child of its own.",
            _splits_the_child,
            also=(_skips_the_first,),
            replay=_parent_and_others,
        ),
        Misconception(
            "two splits of one key",
            "The reset's key and the actions' keys come from two splits of one parent, and these "
            "share their first keys: the reset and the first action have one key now. Split the "
            "parent once.",
            _first_child,
            also=(_folded_zero, _one_of_the_actions),
            property="a key twice",
        ),
        Misconception(
            "the parent one level down",
            "The same fault, one level down: a key that draws is the parent of another key that "
            "draws. Split the one of the two that nothing draws from.",
            _splits_the_reset_key,
            also=(_action_key_too,),
            property="a parent draws",
        ),
        Misconception(
            "one key for all actions",
            "The reset is mended, and now the actions share a key. Split the actions' key into "
            "num_steps.",
            _one_for_all_steps,
            property="actions share a key",
        ),
        Misconception(
            "a seed of its own",
            "One of the keys no longer depends on the key that is given, so it is the same in "
            "every experiment.",
            _reset_seed,
            property="a key ignores the key",
        ),
        Misconception(
            "constant",
            "The keys are the same whatever key is given.",
            _own_seed,
            property="another key changes nothing",
        ),
    ),
    hints=(
        "Which key is used for two things: once to draw, once to be split?",
        "The function has one key and needs two: one for the reset, one to split into the actions' "
        "keys.",
        "reset_key, action_key = jax.random.split(key), then split action_key. The witness: with n "
        ">= num_steps, every action key is a child of the reset key.",
    ),
    why="Splitting the children again leaves the reset where it was: on the parent of them all.",
    gain="find a parent that draws, although every average looks right",
    explanation=(
        "The key changes hands twice: first to the reset and to the actions, then from the actions "
        "to each action. Each time it is split once, and only the children go on."
    ),
    broken=broken_episode_keys,
    witness=witness_case,
)
