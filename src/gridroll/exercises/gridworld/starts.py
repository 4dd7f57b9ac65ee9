"""Whether the starts of many resets follow their keys, and come equally often."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom import compare
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Fault, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import misshapen
from gridroll.gridworld import Gridworld, State, from_map

NUM_KEYS = 4000
NUM_SINGLE = 120  # calls one by one
NUM_TWICE = 8  # of these, calls that are made again
MOST_ROUNDED = 1  # draws that may differ between jit and no jit, where a share is rounded

Reset = Callable[..., Any]


def small_world(rng: np.random.Generator) -> Gridworld:
    """A map of one size for each seed, 3 by 4 in notebooks, with three starts.

    None of the starts is among the first three cells, so an index is no start.
    """
    rows, columns = _fresh.sizes(rng, 3, 4, least=3, most=6)
    later = np.array(list("SSSG##" + "." * (rows * columns - 9)))
    rng.shuffle(later)
    cells = np.concatenate([np.array(list("...")), later]).reshape(rows, columns)
    text = "\n".join("".join(row) for row in cells)
    return from_map(text, horizon=int(rng.integers(2, 12)))


def large_world(rng: np.random.Generator) -> Gridworld:
    """A map of 4 by 4 with another number of starts: one for each seed, 5 in notebooks."""
    num_starts = _fresh.once(rng, 5, lambda own: int(own.choice([2, 4, 5, 6])))
    later = np.array(list("S" * num_starts + "G#" + "." * (12 - num_starts)))
    rng.shuffle(later)
    text = "\n".join("".join(row) for row in np.array([*"..", *later]).reshape(-1, 4)[:4])
    return from_map(text, horizon=int(rng.integers(2, 12)))


def are_uniform(eager: Reset, jitted: Any, rng: np.random.Generator) -> Fault | None:
    """Same key, same start; and over many keys each start comes equally often."""
    world, few = large_world(rng), _fresh.keys(rng, NUM_TWICE)
    first, again = ([_drawn_by(eager, world, key) for key in few] for _ in range(2))
    if first != again:
        return _unlike(world, first, again, "Two calls with the same key differ.")
    mapped = compare.leaves(jitted.mapped((None, 0), world, _fresh.many_keys(rng, few, NUM_KEYS)))
    drawn = np.asarray(mapped["position"])
    fault = _of_another_form(world, mapped) or _late(world, mapped) or _unequal(world, drawn)
    if fault is not None or sum(map(int.__ne__, first, drawn.tolist())) <= MOST_ROUNDED:
        return fault or _one_by_one(eager, jitted, rng)
    return _unlike(world, first, drawn.tolist(), "jit and vmap change the draws.")


def _one_by_one(eager: Reset, jitted: Any, rng: np.random.Generator) -> Fault | None:
    """The same on worlds of the size that the other cases have, without vmap."""
    world, keys = small_world(rng), _fresh.keys(rng, NUM_SINGLE)
    drawn = [_drawn_by(jitted, world, key) for key in keys]
    first = [_drawn_by(eager, world, key) for key in keys[:NUM_TWICE]]
    if sum(map(int.__ne__, first, drawn)) > MOST_ROUNDED:
        return _unlike(world, first, drawn, "jit changes the draws.")
    return _unequal(world, np.array(drawn))


def _drawn_by(reset: Reset, world: Gridworld, key: jax.Array) -> int:
    return int(position_of(reset(world, key)))


def position_of(got: Any) -> Any:
    """The position of a State, or of a dictionary with the same names."""
    return compare.leaves(got)["position"]


def _of_another_form(world: Gridworld, mapped: dict[str, Any]) -> Fault | None:
    for name, kinds in (("position", "iu"), ("elapsed", "iu"), ("done", "b")):
        fault = misshapen(name, np.asarray(mapped[name]), (NUM_KEYS,), kinds)
        if fault is not None:
            return replace(fault, call=f"reset({describe(world)}, key) for {NUM_KEYS} keys")
    return None


def _late(world: Gridworld, mapped: dict[str, Any]) -> Fault | None:
    """An episode that doesn't begin with no step taken, in a world of another size."""
    for name in ("elapsed", "done"):
        if np.any(np.asarray(mapped[name])):
            rule = "A new episode has taken no step, and is running."
            return replace(
                _fault(world, "sizes", "It begins late.", "not 0", "0", rule), where=name
            )
    return None


def _unlike(world: Gridworld, first: list[int], other: list[int], summary: str) -> Fault:
    at = next(i for i, (a, b) in enumerate(zip(first, other, strict=False)) if a != b)
    return _fault(
        world, "not a function of its key", summary, f"{first[at]}, then {other[at]}",
        "the same start", "A reset depends on its arguments only.", "a key), twice",
    )  # fmt: skip


def _unequal(world: Gridworld, drawn: np.ndarray) -> Fault | None:
    cells, tries = np.asarray(world.starts), len(drawn)
    counts = {int(cell): int((drawn == cell).sum()) for cell in cells}
    share = 1 / len(counts)
    error = float(np.sqrt(tries * share * (1 - share)))
    expected = f"about {tries * share:.0f} ± {2 * error:.0f} times each"
    got = ", ".join(f"cell {cell}: {count or 'never'}" for cell, count in counts.items())
    call = f"key) for {tries} keys"
    never = [cell for cell, count in counts.items() if count == 0]
    rule = "The starts are equally likely, and which one it is depends on the key."
    if not any(_fresh.is_rare(count, tries, share) for count in counts.values()):
        return None
    name, summary = "starts not equally likely", "The counts can't be chance."
    left = len(counts) - len(never)
    if left == 1:
        name, summary = "one start for every key", "Every key gives the same start."
    elif never and not any(_fresh.is_rare(n, tries, 1 / left) for n in counts.values() if n):
        name, summary = "a start is never drawn", "A start cell is never drawn."
    return _fault(world, name, summary, got, expected, rule, call)


def _fault(
    world: Gridworld,
    name: str,
    summary: str,
    got: str,
    expected: str,
    rule: str,
    call: str = f"key) for {NUM_KEYS} keys",
) -> Fault:
    return Fault(
        summary,
        call=f"reset({describe(world)}, {call}",
        where="position",
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )


def _at(world: Gridworld, index: Any) -> State:
    return State(world.starts[index], jnp.int32(0), jnp.bool_(False))


def _first(world: Gridworld, key: Any) -> State:
    return _at(world, 0)


def _own_seed(world: Gridworld, key: Any) -> State:
    return _at(world, jax.random.randint(jax.random.key(0), (), 0, world.starts.shape[0]))


def _numpy_draw(world: Gridworld, key: Any) -> State:
    return _at(world, np.random.default_rng().integers(world.starts.shape[0]))


def _without_last(world: Gridworld, key: Any) -> State:
    return _at(world, jax.random.randint(key, (), 0, world.starts.shape[0] - 1))


def _without_first(world: Gridworld, key: Any) -> State:
    return _at(world, jax.random.randint(key, (), 1, world.starts.shape[0]))


def _one_too_many(world: Gridworld, key: Any) -> State:
    return _at(world, jax.random.randint(key, (), 0, world.starts.shape[0] + 1))


def _rounded(world: Gridworld, key: Any) -> State:
    share = jax.random.uniform(key) * (world.starts.shape[0] - 1)
    return _at(world, jnp.round(share).astype(jnp.int32))


MISCONCEPTIONS = (
    Misconception(
        "one start for every key",
        "All keys lead to the same start cell. Either nothing is drawn, or the draw uses a key of "
        "its own instead of the one that is passed in.",
        _first,
        also=(_own_seed,),
        property="one start for every key",
    ),
    Misconception(
        "draws without the key",
        "Two calls with the same key give different starts, so the draw comes from somewhere "
        "else. NumPy's generators hide a state of their own; jax.random draws from the key alone.",
        _numpy_draw,
        property="not a function of its key",
    ),
    Misconception(
        "off by one in the range",
        "One start cell never comes. jax.random.randint draws from low to high - 1: the upper end "
        "isn't drawn, and counting begins at 0.",
        _without_last,
        also=(_without_first,),
        property="a start is never drawn",
    ),
    Misconception(
        "unequal chances",
        "The starts don't come equally often. A fraction that is rounded gives the two ends "
        "half a share; an index beyond the last is clamped to it and gives it a double one. "
        "randint(key, (), 0, K) gives each of the K numbers the same chance.",
        _rounded,
        also=(_one_too_many,),
        property="starts not equally likely",
    ),
)
