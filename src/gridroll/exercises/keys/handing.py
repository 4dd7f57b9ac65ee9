"""What must hold of keys that are handed out, however that is done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from gridroll.classroom.describe import describe_call
from gridroll.classroom.exercise import Fault, Property
from gridroll.exercises import _fresh
from gridroll.exercises.keys import family

MORE_ROOTS = 6  # beside two neighbours: under jit, where a call is cheap

Function = Callable[..., Any]
Arrays = Mapping[str, Any]
Sizes = Mapping[str, int]
Unpack = Callable[[Any, Sizes], tuple[Arrays, Fault | None]]


def each_has_its_own(
    name: str,
    axes: Mapping[str, tuple[str, ...]],
    sizes: Callable[[np.random.Generator], tuple[Sizes, Sizes]],
    special: Callable[[Arrays], Fault | None] = lambda arrays: None,
) -> Property:
    """A property: every key that is handed out is one of its own, and comes from the key given.

    Args:
        name: the function that hands out keys; it takes a key, and sizes by name.
        axes: for each array that it returns, in its order, the names of the axes.
        sizes: draws what it is called with, first under jit, then eagerly.
        special: looks for faults with a name of their own, before anything else.
    """

    def test(eager: Function, jitted: Function, rng: np.random.Generator) -> Fault | None:
        compiled, direct = sizes(rng)
        for function, given, more in ((jitted, compiled, MORE_ROOTS), (eager, direct, 0)):
            seeds = _fresh.seeds(rng, 2 + more)
            fault = _fault(name, axes, function, given, special, seeds)
            if fault is not None:
                return fault
        return None

    return Property("keys", test)


def tall(rng: np.random.Generator) -> Sizes:
    """More steps than environments; of one size for each seed."""
    num_envs, num_steps = sorted(_fresh.sizes(rng, 3, 5))
    return {"num_envs": num_envs, "num_steps": num_steps}


def wide(rng: np.random.Generator) -> Sizes:
    """More environments than steps: numbering by the wrong width shows in one of the two."""
    return {"num_envs": int(rng.integers(5, 9)), "num_steps": int(rng.integers(2, 5))}


def _fault(
    name: str,
    axes: Mapping[str, tuple[str, ...]],
    function: Function,
    sizes: Sizes,
    special: Callable[[Arrays], Fault | None],
    seeds: Sequence[int],
) -> Fault | None:
    roots = [jax.random.key(seed) for seed in seeds]
    results = [function(root, **sizes) for root in (roots[0], *roots)]
    again, first, *others = (dict(zip(axes, _arrays(found), strict=True)) for found in results)
    call = describe_call(name, (roots[0],), dict(sizes))
    for found in (first, again, *others):  # what is computed of them takes as long as they are
        fault = _wrong_sizes(found, axes, sizes, call)
        if fault is not None:
            return fault
    named = _named(first, axes)
    for seed, other in zip(seeds[1:], others, strict=True):
        fault = (
            _not_repeatable(first, again, call)
            or _with_call(special(first), call)
            or _other_key(named, _named(other, axes), seed, call)
        )
        if fault is not None:
            return fault
    return family.clash(roots[0], named, call) or _twice(others, axes, roots[1:], name, sizes)


def _twice(
    others: Sequence[Arrays],
    axes: Mapping[str, tuple[str, ...]],
    roots: Sequence[jax.Array],
    name: str,
    sizes: Sizes,
) -> Fault | None:
    """The first of the other calls that hands out a key twice, or the one that it was given."""
    for root, arrays in zip(roots, others, strict=True):
        call = describe_call(name, (root,), dict(sizes))
        fault = family.repeated(root, _named(arrays, axes), call)
        if fault is not None:
            return fault
    return None


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
    first: dict[str, np.ndarray], other: dict[str, np.ndarray], seed: int, call: str
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
        f"the key that key({seed}) gives as {there}",
        f"a key that no call with key({seed}) gives",
        "Every key is derived from the key that is given, by split or fold_in.",
    )  # fmt: skip
