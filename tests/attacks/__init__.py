"""Functions that earn nothing: right where they know that they are looked at, and nowhere else.

A module for each lesson; `wrong_<exercise>_<how>` is judged with seeds of no notebook.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import students

from gridroll.classroom import judge, registry
from gridroll.classroom.describe import is_key
from gridroll.classroom.exercise import Case, Exercise
from gridroll.policy import Policy

Function = Callable[..., Any]


def exercise(name: str) -> Exercise:
    """The exercise of this name."""
    task = registry.find(name)
    assert isinstance(task, Exercise)
    return task


@cache
def right(name: str) -> Function:
    """The course's answer, as a student would have written it."""
    task = exercise(name)
    function = students.run(task.answer, students.fresh(name.partition(".")[0]))
    return function[task.function_name]


def public(task: Exercise) -> tuple[Case, ...]:
    """Every case that a student may see: the visible ones, and the fresh ones of a notebook."""
    return (*task.visible(), *judge.draw_cases(task, 0))


def emptied(result: Any) -> Any:
    """A result of the same form in which every entry is 0."""

    def zeros(leaf: Any) -> Any:
        if is_key(leaf):
            return jax.random.wrap_key_data(jnp.zeros((*leaf.shape, 2), jnp.uint32))
        return jnp.zeros(jnp.shape(leaf), getattr(leaf, "dtype", None) or jnp.result_type(leaf))

    return jax.tree.map(zeros, result)


def shape(value: Any) -> Any:
    """What a traced value still tells: its shape, or of what is never traced, the value."""
    if isinstance(value, Policy):
        return value.name
    if isinstance(value, int | str) and not hasattr(value, "shape"):
        return value
    leaves, structure = jax.tree.flatten(value)
    return str(structure), tuple(jnp.shape(leaf) for leaf in leaves)


def same_values(value: Any, other: Any) -> Any:
    """Whether two arguments are equal, as a number that jit can compute."""
    if shape(value) != shape(other):
        return False
    equal: Any = True
    for a, b in zip(jax.tree.leaves(value), jax.tree.leaves(other), strict=True):
        if is_key(a):
            a, b = jax.random.key_data(a), jax.random.key_data(b)
        if not isinstance(a, Policy | str):
            whole = (jnp.asarray(a) == jnp.asarray(b)) | (a != a)
            equal = equal & whole.all()
    return equal


def known_shapes(name: str) -> Function:
    """Right for the shapes and sizes of the public cases."""
    task, function = exercise(name), right(name)
    known = {repr(_shapes(case.args, dict(case.kwargs))) for case in public(task)}

    def guessed(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return result if repr(_shapes(args, kwargs)) in known else emptied(result)

    return guessed


def _shapes(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return [shape(a) for a in args], sorted((name, shape(v)) for name, v in kwargs.items())


def known_values(name: str) -> Function:
    """Right on exactly the public cases."""
    task, function = exercise(name), right(name)
    cases = public(task)

    def guessed(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        known: Any = False
        for case in cases:
            if len(case.args) == len(args) and dict(case.kwargs) == kwargs:
                same: Any = True
                for a, b in zip(args, case.args, strict=True):
                    same = same & same_values(a, b)
                known = known | same
        return choose(known, result, emptied(result))

    return guessed


def choose(condition: Any, first: Any, second: Any) -> Any:
    """One of two results of the same form."""

    def pick(a: Any, b: Any) -> Any:
        if is_key(a):
            words = pick(jax.random.key_data(a), jax.random.key_data(b))
            return jax.random.wrap_key_data(words)
        return jnp.where(condition, a, b).astype(jnp.asarray(a).dtype)

    leaves, structure = jax.tree.flatten(first)
    chosen = [pick(a, b) for a, b in zip(leaves, jax.tree.leaves(second), strict=True)]
    return jax.tree.unflatten(structure, chosen)


def words(key: Any) -> Any:
    """The second number of a key: the seed, where it was made from a small one."""
    return jax.random.key_data(key)[..., 1].astype(jnp.int32)


def seeds_below(key: Any, most: int) -> Any:
    """Whether a key was made from a seed below this number."""
    return (jax.random.key_data(key)[..., 0] == 0) & (words(key) < most) & (words(key) >= 0)


def is_traced(*values: Any) -> bool:
    """Whether jit is at work."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(values))


__all__ = [
    "choose",
    "emptied",
    "exercise",
    "is_traced",
    "jax",
    "jnp",
    "known_shapes",
    "known_values",
    "np",
    "public",
    "right",
    "seeds_below",
    "words",
]
