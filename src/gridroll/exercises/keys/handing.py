"""What must hold of keys that are handed out, however that is done."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from gridroll.classroom.describe import describe_call
from gridroll.classroom.exercise import Fault, Property
from gridroll.exercises.keys import family

SEEDS = (11, 12)  # neighbours on purpose

Function = Callable[..., Any]
Arrays = Mapping[str, Any]
Sizes = Mapping[str, int]
Unpack = Callable[[Any, Sizes], tuple[Arrays, Fault | None]]


def each_has_its_own(
    name: str,
    axes: Mapping[str, tuple[str, ...]],
    sizes: tuple[Sizes, ...],
    special: Callable[[Arrays], Fault | None] = lambda arrays: None,
) -> Property:
    """A property: every key that is handed out is one of its own, and comes from the key given.

    Args:
        name: the function that hands out keys; it takes a key, and sizes by name.
        axes: for each array that it returns, in its order, the names of the axes.
        sizes: what it is called with, first under jit, then eagerly.
        special: looks for faults with a name of their own, before anything else.
    """

    def test(eager: Function, jitted: Function) -> Fault | None:
        for function, given in zip((jitted, eager), sizes, strict=True):
            fault = _fault(name, axes, function, given, special)
            if fault is not None:
                return fault
        return None

    return Property("keys", test)


def _fault(
    name: str,
    axes: Mapping[str, tuple[str, ...]],
    function: Function,
    sizes: Sizes,
    special: Callable[[Arrays], Fault | None],
) -> Fault | None:
    roots = [jax.random.key(seed) for seed in SEEDS]
    results = [function(root, **sizes) for root in (*roots, roots[0])]
    first, other, again = (dict(zip(axes, _arrays(result), strict=True)) for result in results)
    call = describe_call(name, (roots[0],), dict(sizes))
    return (
        _wrong_sizes(first, axes, sizes, call)
        or _not_repeatable(first, again, call)
        or _with_call(special(first), call)
        or _other_key(_named(first, axes), _named(other, axes), call)
        or family.clash(roots[0], _named(first, axes), call)
    )


def _arrays(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, list | tuple) else (result,)


def _named(arrays: Arrays, axes: Mapping[str, tuple[str, ...]]) -> dict[str, np.ndarray]:
    """The place of every key -> its words."""
    return {
        place: key
        for name, keys in arrays.items()
        for place, key in zip(
            family.places(name, keys, axes[name]), family.words(keys), strict=True
        )
    }


LENGTHS = {"t": "num_steps", "b": "num_envs"}


def _wrong_sizes(
    arrays: Arrays, axes: Mapping[str, tuple[str, ...]], sizes: Sizes, call: str
) -> Fault | None:
    for name, keys in arrays.items():
        wanted = tuple(sizes[LENGTHS[axis]] for axis in axes[name])
        if keys.shape != wanted:
            return family.fault(
                "sizes", "The result has the wrong shape.", call, name, f"shape {keys.shape}",
                f"shape {wanted}", "The sizes are those that are given, whatever they are.",
            )  # fmt: skip
    return None


def _not_repeatable(first: Arrays, again: Arrays, call: str) -> Fault | None:
    for name, keys in first.items():
        if (family.words(keys) != family.words(again[name])).any():
            return family.fault(
                "not a function of its key", "Two calls with the same key differ.", call, name,
                "other keys the second time", "the same keys",
                "What is handed out depends on the arguments only.",
            )  # fmt: skip
    return None


def _with_call(fault: Fault | None, call: str) -> Fault | None:
    return None if fault is None else replace(fault, call=call)


def _other_key(
    first: dict[str, np.ndarray], other: dict[str, np.ndarray], call: str
) -> Fault | None:
    """Another key gives other keys, everywhere."""
    owner = {tuple(key.tolist()): place for place, key in other.items()}
    places = {
        place: owner[tuple(key.tolist())]
        for place, key in first.items()
        if tuple(key.tolist()) in owner
    }
    if not places:
        return None
    place, there = next(iter(places.items()))
    same = sum(a == b for a, b in places.items())
    kind = "neighbouring seeds share keys"
    if same:
        kind = "another key changes nothing" if same == len(first) else "a key ignores the key"
    return family.fault(
        kind, "Another key gives some of the same keys.", call, place,
        f"the key that key({SEEDS[1]}) gives as {there}",
        f"a key that no call with key({SEEDS[1]}) gives",
        "Every key is derived from the key that is given, by split or fold_in.",
    )  # fmt: skip
