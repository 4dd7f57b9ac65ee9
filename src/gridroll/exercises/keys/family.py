"""Who descends from whom: the keys that a student hands out, looked at as a family.

`split(key, n)[i]` and `fold_in(key, i)` are one function of the key and the number i, whatever n
is. It is computed here in NumPy, so that looking through thousands of keys compiles nothing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import jax
import numpy as np

from gridroll.classroom.exercise import Fault

FEWEST_BRANCHES = 8
MOST_BRANCHES = 65
DEEP = (3, 6)  # branches and generations of a second, deeper look

Words = np.ndarray  # (..., 2) uint32: the two words of every key
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def words(keys: Any) -> Words:
    """The two words of every key of an array, in one list."""
    return np.asarray(jax.random.key_data(keys)).reshape(-1, 2)


def children(parents: Words, numbers: np.ndarray) -> Words:
    """The keys `split(parent, n)[number]`, by the Threefry cipher of 20 rounds.

    Args:
        parents: (n, 2) uint32.
        numbers: (m,) uint32, which children are wanted.

    Returns:
        (n, m, 2) uint32.
    """
    first, second = parents[:, :1], parents[:, 1:]
    schedule = (first, second, first ^ second ^ np.uint32(0x1BD11BDA))
    x = np.zeros((len(parents), len(numbers)), np.uint32) + first
    y = numbers[None].astype(np.uint32) + second
    for block in range(5):
        for distance in ROTATIONS[block % 2]:
            x = x + y
            y = (y << np.uint32(distance)) | (y >> np.uint32(32 - distance))
            y = y ^ x
        x = x + schedule[(block + 1) % 3]
        y = y + schedule[(block + 2) % 3] + np.uint32(block + 1)
    return np.stack([x, y], axis=-1)


def descendants(parents: Words, branches: int, generations: int = 2) -> Iterator[Words]:
    """The descendants of each key, (n, m, 2), generation by generation."""
    numbers = np.arange(branches, dtype=np.uint32)
    generation = parents[:, None]
    for _ in range(generations):
        flat = generation.reshape(-1, 2)
        generation = children(flat, numbers).reshape(len(parents), -1, 2)
        yield generation


def _codes(keys: Words) -> np.ndarray:
    """One number for each key."""
    wide = keys.astype(np.uint64)
    return np.asarray((wide[..., 0] << np.uint64(32)) | wide[..., 1])


def places(name: str, keys: Any, axes: tuple[str, ...]) -> list[str]:
    """What each key of an array is called: "keys[t=1, b=0]"."""
    indices = list(np.ndindex(keys.shape))
    return [
        name
        + ("[" + ", ".join(f"{a}={i}" for a, i in zip(axes, at, strict=True)) + "]" if at else "")
        for at in indices
    ]


def repeated(root: jax.Array, handed_out: Mapping[str, Any], call: str) -> Fault | None:
    """The first key that is handed out twice, or that is the one that was given; see `clash`."""
    names = list(handed_out)
    keys = np.stack([handed_out[name] for name in names])
    codes = _codes(keys)
    own = int(_codes(words(root))[0])
    seen: dict[int, str] = {}
    for name, code in zip(names, codes.tolist(), strict=True):
        if code == own:
            return _fault(
                "the parent is handed out", call, name, "the key that was given",
                "a key derived from it",
                "The key that is given is split here, so nothing else may use it.",
            )  # fmt: skip
        if code in seen:
            return _fault(
                "a key twice", call, name,
                f"the key of {seen[code]}; {len(set(codes.tolist()))} keys in all",
                f"a key of its own; {len(names)} keys in all", "Every draw has a key of its own.",
            )  # fmt: skip
        seen[code] = name
    return None


def clash(root: jax.Array, handed_out: Mapping[str, Any], call: str) -> Fault | None:
    """The first key that is handed out twice, or that is the parent of another one.

    Args:
        root: () typed key, which was given and is used up.
        handed_out: the place of each key -> its words.
        call: the call that handed them out, in words.
    """
    fault = repeated(root, handed_out, call)
    if fault is not None:
        return fault
    names = list(handed_out)
    keys = np.stack([handed_out[name] for name in names])
    codes = _codes(keys)
    seen = dict(zip(codes.tolist(), names, strict=True))
    branches = max(FEWEST_BRANCHES, min(len(keys) + 1, MOST_BRANCHES))
    for generation in (*descendants(keys, branches), *descendants(keys, *DEEP)):
        found = np.isin(_codes(generation), codes)
        if found.any():
            parent, child = (int(i) for i in np.argwhere(found)[0])
            name = seen[int(_codes(generation)[parent, child])]
            return _fault(
                "a parent draws", call, name, f"a key that was split from {names[parent]}",
                f"a key whose parents draw nothing; {names[parent]} is one that draws",
                "A key is drawn from or split, once. A parent is used up by its split.",
            )  # fmt: skip
    return None


def _fault(name: str, call: str, where: str, got: str, expected: str, rule: str) -> Fault:
    summaries = {
        "the parent is handed out": "The parent is among the keys that are handed out.",
        "a key twice": "A key is handed out twice.",
        "a parent draws": "A key is used twice: it draws, and other keys are split from it.",
    }
    return fault(name, summaries[name], call, where, got, expected, rule)


def fault(
    name: str, summary: str, call: str, where: str, got: str, expected: str, rule: str
) -> Fault:
    """A property that failed, with its name."""
    return Fault(
        summary,
        call=call,
        where=where,
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )
