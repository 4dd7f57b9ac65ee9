"""Which keys from `fold_in` are keys that `split` gave to somebody else."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import integers, source

SCAFFOLD = '''
def fold_in_clashes(key, num_keys, numbers):
    """Say which numbers lead fold_in to a key that a split of the same parent gives too.

    Args:
        key: () typed key, the parent of both.
        num_keys: how many keys the split makes.
        numbers: (N,) int32, folded in one by one; none is negative.

    Returns:
        (N,) bool: True where fold_in(key, number) is one of split(key, num_keys).
    """
    # 1. jax.random.fold_in takes a key and one number. Map it over the numbers: (N,) keys.
    folded = ...
    # 2. Compare each of them with each key of the split. `==` compares keys.
    return ...
'''


def _none(key: Any, num_keys: int, numbers: Any) -> Any:
    return jnp.zeros(numbers.shape, bool)


def _all(key: Any, num_keys: int, numbers: Any) -> Any:
    return jnp.ones(numbers.shape, bool)


def _from_one(key: Any, num_keys: int, numbers: Any) -> Any:
    return (numbers >= 1) & (numbers <= num_keys)


def _one_too_many(key: Any, num_keys: int, numbers: Any) -> Any:
    return numbers <= num_keys


def _without_zero(key: Any, num_keys: int, numbers: Any) -> Any:
    return (numbers >= 1) & (numbers < num_keys)


def _by_place(key: Any, num_keys: int, numbers: Any) -> Any:
    return jnp.arange(numbers.shape[0]) < num_keys


def _same_place(key: Any, num_keys: int, numbers: Any) -> Any:
    return numbers == jnp.arange(numbers.shape[0])


def _opposite(key: Any, num_keys: int, numbers: Any) -> Any:
    return numbers >= num_keys


def _other_axis(key: Any, num_keys: int, numbers: Any) -> Any:
    folded = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    return (folded[:, None] == jax.random.split(key, num_keys)).any(axis=0)


def _any(key: Any, num_keys: int, numbers: Any) -> Any:
    return _table(key, num_keys, numbers).any()


def _table(key: Any, num_keys: int, numbers: Any) -> Any:
    folded = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    return folded[:, None] == jax.random.split(key, num_keys)


def _visible() -> tuple[Case, ...]:
    key = jax.random.key(0)
    return (
        Case((key, 4, integers(range(7)))),
        Case((key, 5, integers([9, 5, 4, 1, 0, 1000, 4]))),
    )


def _generate(rng: np.random.Generator) -> Case:
    num_keys, num_numbers = _fresh.sizes(rng, 5, 7)
    numbers = rng.integers(0, 2 * num_keys, num_numbers)
    return Case((_fresh.keys(rng, 1)[0], num_keys, integers(numbers)))


FOLD_IN_CLASHES = Exercise(
    name="keys.fold_in_clashes",
    title="fold_in beside split",
    task=(
        "Write `fold_in_clashes(key, num_keys, numbers)`: say for each number whether `fold_in` "
        "gives a key that `split(key, num_keys)` gives too."
    ),
    points=2,
    difficulty=3,
    reference=keys.fold_in_clashes,
    answer=source(keys.fold_in_clashes),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    eager=1,
    jit_from=1,
    rules={"": "Entry j says whether fold_in(key, numbers[j]) is one of split(key, num_keys)."},
    regions=lambda case, expected: {
        "the number 0": np.asarray(case.args[2]) == 0,
        "the number num_keys": np.asarray(case.args[2]) == case.args[1],
        "numbers that lead to a key of the split": np.asarray(expected),
        "numbers that lead to no key of the split": ~np.asarray(expected),
    },
    misconceptions=(
        Misconception(
            "constant",
            "No number collides here. fold_in and split look like two functions, but today they "
            "are one and the same: compare their keys.",
            _none,
        ),
        Misconception(
            "counts from 1",
            "The numbers 1 to num_keys are marked. split's first key is that of the number 0, and "
            "its last that of num_keys - 1.",
            _from_one,
        ),
        Misconception(
            "one number too many",
            "num_keys itself is marked too. The split makes num_keys keys: those of the numbers 0 "
            "to num_keys - 1.",
            _one_too_many,
        ),
        Misconception(
            "zero left out",
            "The number 0 isn't marked. fold_in(key, 0) changes the key as well, and gives the "
            "first key of the split.",
            _without_zero,
        ),
        Misconception("all of them", "Every number is marked, also those beyond the split.", _all),
        Misconception(
            "by its place",
            "The places in the array are compared, not the numbers that stand there. Two different "
            "places may hold the same number.",
            _by_place,
            also=(_same_place,),
        ),
        Misconception("inverted", "True and False are exchanged.", _opposite),
        Misconception(
            "an entry for each key of the split",
            "The answer has an entry for each key of the split. It has one for each number: take "
            "any over the other axis.",
            _other_axis,
        ),
        Misconception(
            "one answer for all",
            "This says whether any number collides. Say it for each of them: any over one axis.",
            _any,
        ),
        Misconception(
            "the whole comparison",
            "This is the table of all comparisons, numbers down and keys of the split across. For "
            "each number, is any entry of its row True?",
            _table,
        ),
    ),
    hints=(
        "Fold in 0, 1 and 2 by hand, and compare with split(key, 4) by ==.",
        "With taken = jax.random.split(key, num_keys), folded[:, None] == taken[None, :] is a "
        "table, a row for each number.",
        "jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers), then .any(axis=1) of the "
        "table.",
    ),
    why="The numbers count from 0: fold_in(key, 0) is already the first key of the split.",
    gain="tell where fold_in hands out a key that split has handed out before",
    explanation=(
        "fold_in is mapped over the numbers, and each result is compared with each key of the "
        "split. Today the answer is numbers < num_keys. That is how it is implemented, and no "
        "promise; so use only one of the two on a parent."
    ),
)
