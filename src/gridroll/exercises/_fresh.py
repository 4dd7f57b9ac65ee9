"""What is drawn anew for each seed of a check, and how far chance may carry a count.

Everything a function is tried on comes from here or from a generator of the judge's: what stands
fixed in a file can be recognised, and a function may be right there and nowhere else.
"""

from collections.abc import Callable
from typing import TypeVar

import jax
import numpy as np

# A right answer exceeds one of these bounds once in exp(28) = 10^12 counts, and no property looks
# at more than a thousand.
RARE = 28.0

T = TypeVar("T")


def once(rng: np.random.Generator, usual: T, draw: Callable[[np.random.Generator], T]) -> T:
    """What is the same for all cases of a seed, such as a size: each size costs a compilation.

    Args:
        rng: made by `judge.generator`, so it knows its seed; nothing is drawn from it.
        usual: for seed 0, that of the notebooks, where every compilation is waited for, and for
            a generator that wasn't made for a check.
        draw: for every other seed.
    """
    seed = origin(rng)
    return draw(np.random.default_rng(seed)) if len(seed) > 1 and seed[0] else usual


def origin(rng: np.random.Generator) -> tuple[int, ...]:
    """The seed and the exercise that a generator was made for, whatever was drawn from it."""
    made = rng.bit_generator.seed_seq.entropy  # type: ignore[attr-defined]
    return tuple(made[:2]) if isinstance(made, list | tuple) else (made,)


def sizes(rng: np.random.Generator, *usual: int, least: int = 2, most: int = 9) -> tuple[int, ...]:
    """Sizes for all cases of a seed, no two of them equal; `usual` for the notebooks' seed."""

    def draw(own: np.random.Generator) -> tuple[int, ...]:
        numbers = own.choice(np.arange(least, most + 1), len(usual), replace=False)
        return tuple(int(number) for number in numbers)

    return once(rng, usual, draw)


def maps(rng: np.random.Generator) -> tuple[tuple[int, int], ...]:
    """Four sizes of maps, two wider than tall and two taller than wide, of 10 cells or more."""

    def draw(own: np.random.Generator) -> tuple[tuple[int, int], ...]:
        flat = [tuple(sorted(own.choice(np.arange(3, 9), 2, replace=False))) for _ in range(4)]
        pairs = [(int(a), int(b)) for a, b in flat]
        return (*pairs[:2], *((b, a) for a, b in pairs[2:]))

    return once(rng, ((3, 4), (2, 6), (5, 3), (4, 3)), draw)


def seeds(rng: np.random.Generator, number: int) -> list[int]:
    """Seeds for `jax.random.key`; the first two are neighbours, and no two are equal."""
    first = int(rng.integers(2**31 - 2))
    found = dict.fromkeys([first, first + 1])
    while len(found) < number:
        found[int(rng.integers(2**31))] = None
    return list(found)[:number]


def keys(rng: np.random.Generator, number: int) -> list[jax.Array]:
    """As many keys, each () and typed, without a program for it."""
    return [jax.random.key(seed) for seed in seeds(rng, number)]


def many_keys(rng: np.random.Generator, few: list[jax.Array], number: int) -> jax.Array:
    """These few keys, and others made of random words: (number,)."""
    words = rng.integers(2**32, size=(number, 2), dtype=np.uint32)
    words[: len(few)] = [np.asarray(jax.random.key_data(key)) for key in few]
    return jax.random.wrap_key_data(jax.device_put(words))


def is_rare(hits: int, tries: int, chance: float) -> bool:
    """Whether a count of independent tries is so far off that chance doesn't explain it.

    The bound is Chernoff's: n KL(share, chance) is above x with a probability of exp(-x) at most.
    """
    share = hits / tries
    parts = ((share, chance), (1 - share, 1 - chance))
    return tries * sum(a * float(np.log(a / b)) for a, b in parts if a > 0) > RARE


def most_off(variance: float) -> float:
    """How far a sum of steps of at most 1, each with the mean 0, may be from 0 (Freedman, 1975).

    Args:
        variance: the sum of the steps' variances, each given all that was drawn before.
    """
    return RARE / 3 + float(np.sqrt(RARE**2 / 9 + 2 * RARE * variance))
