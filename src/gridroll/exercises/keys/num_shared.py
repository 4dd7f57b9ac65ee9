"""Counting the keys that two arrays share: a detector that the student owns."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._probes import of_words
from gridroll.exercises._shared import source
from gridroll.exercises.keys import family

SCAFFOLD = '''
def num_shared(first, second):
    """Count the different keys that stand in both arrays.

    Args:
        first: typed keys of any shape.
        second: typed keys of any shape.

    Returns:
        How many keys they share, wherever they stand and however often.
    """
    # 1. Put both into one array: `.ravel()` makes one row of any shape, `jnp.concatenate` joins.
    together = ...
    # 2. How many different keys are in first, in second, and in both together?
    return ...
'''


def _split(seed: int, shape: tuple[int, ...]) -> family.Words:
    """The words of split(key(seed), shape): in NumPy, cases cost no compilation."""
    numbers = np.arange(np.prod(shape), dtype=np.uint32)
    children = family.children(family.words(jax.random.key(seed)), numbers)
    return children.reshape(*shape, 2)


def _case(first: family.Words, second: family.Words) -> Case:
    return Case((jax.device_put(first), jax.device_put(second)))


def _with_keys(case: Case) -> Case:
    """The call as a student would write it."""
    return Case(tuple(jax.random.wrap_key_data(jax.device_put(words)) for words in case.args))


def _pairs(first: Any, second: Any) -> Any:
    return int((first.ravel()[:, None] == second.ravel()).sum())


def _positions(first: Any, second: Any) -> Any:
    return int((first.ravel()[:, None] == second.ravel()).any(axis=1).sum())


def _in_second(first: Any, second: Any) -> Any:
    return _positions(second, first)


def _same_place(first: Any, second: Any) -> Any:
    n = min(first.size, second.size)
    return int((first.ravel()[:n] == second.ravel()[:n]).sum())


def _first_only(first: Any, second: Any) -> Any:
    return int(first.ravel()[0] == second.ravel()[0])


def _whole_arrays(first: Any, second: Any) -> Any:
    return int(jnp.array_equal(jax.random.key_data(first), jax.random.key_data(second)))


def _smaller_size(first: Any, second: Any) -> Any:
    return min(first.size, second.size)


def _union(first: Any, second: Any) -> Any:
    return keys.num_distinct(jnp.concatenate([first.ravel(), second.ravel()]))


def _surplus(first: Any, second: Any) -> Any:
    return first.size + second.size - _union(first, second)


def _zero(first: Any, second: Any) -> Any:
    return 0


def _set_of_keys(first: Any, second: Any) -> Any:
    return len(set(first.ravel()) & set(second.ravel()))


def _any_shared(first: Any, second: Any) -> Any:
    return int((first.ravel()[:, None] == second.ravel()).any())


def _visible() -> tuple[Case, ...]:
    three, five = _split(0, (3,)), _split(0, (5,))
    return (
        _case(three, five),
        _case(three, _split(1, (5,))),
        _case(five, three[::-1]),
        _case(three[[0, 0, 1]], five),
        _case(five, three[[2, 2, 0]]),
        _case(three, three),
        _case(_split(0, (3, 1)), five),
    )


def _generate(rng: np.random.Generator) -> Case:
    """Two arrays drawn, with repetitions, from one pool of keys."""
    pool = _split(int(rng.integers(2**31)), (8,))
    return _case(pool[rng.integers(0, 8, 3)], pool[rng.integers(0, 8, 5)])


NUM_SHARED = Exercise(
    name="keys.num_shared",
    title="how many keys do two arrays share?",
    task=(
        "Write `num_shared(first, second)`: count the different keys that stand in both arrays, "
        "in any place."
    ),
    points=2,
    difficulty=3,
    reference=keys.num_shared,
    answer=source(keys.num_shared).replace("num_distinct(", "keys.num_distinct("),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    jit=False,
    probe=of_words,
    shown=_with_keys,
    rules={
        "": "A key counts once if it stands in both, however often and wherever. The call shows "
        "each key by the two numbers inside it."
    },
    misconceptions=(
        Misconception(
            "only the same place",
            "Keys are compared place by place, so a shared key that stands elsewhere is missed. "
            "Two splits happen to agree in place; two arrays that share a key need not.",
            _same_place,
        ),
        Misconception(
            "only the first",
            "The first key of one is compared with the first of the other, so the answer is 0 or "
            "1. Each key of one may stand anywhere in the other.",
            _first_only,
        ),
        Misconception(
            "shared or not",
            "The answer is 1 as soon as any key is shared. Count how many are.",
            _any_shared,
        ),
        Misconception(
            "whole arrays",
            "The two arrays are compared as wholes. Compare their keys, one by one.",
            _whole_arrays,
        ),
        Misconception(
            "the smaller size",
            "That is how many they could share at most. Two arrays from different parents share "
            "none.",
            _smaller_size,
        ),
        Misconception(
            "keys in either",
            "These are the different keys in the two arrays together. Those in both were counted "
            "once here, and twice in the counts of first and of second.",
            _union,
        ),
        Misconception(
            "repetitions counted",
            "A key that stands several times in an array is counted several times. Count different "
            "keys: num_distinct of each array, where a size is used now.",
            _pairs,
            also=(_positions, _in_second, _surplus),
        ),
        Misconception(
            "keys in a set",
            "A key can't be put into a Python set. Its numbers can: jax.random.key_data. Or "
            "compare keys with ==, or count with keys.num_distinct.",
            _set_of_keys,
            raises="unhashable type: 'PRNGKeyArray'",
        ),
        Misconception("constant", "The answer is 0 whatever the arrays hold.", _zero),
    ),
    hints=(
        "keys.num_distinct counts the different keys of one array. Count in first, in second, and "
        "in both joined together.",
        "A key that stands in both is counted in first and in second, but once in the joined one.",
        "together = jnp.concatenate([first.ravel(), second.ravel()]); the answer is the first "
        "count plus the second minus that of together.",
    ),
    why="Compared place by place, a shared key that stands elsewhere would be missed.",
    gain="count the keys that two parts of a program share",
    explanation=(
        "The different keys of first and of second are added up. Those in both were counted "
        "twice, and once in the joined array; the difference is their number."
    ),
)
