"""Whether the starts of many resets follow their keys, and come equally often."""

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom import compare
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Fault, Misconception
from gridroll.gridworld import Gridworld, State, from_map

NUM_KEYS = 2000
MOST_STANDARD_ERRORS = 6.5  # a right answer is beyond it once in 10^10 draws

Reset = Callable[..., Any]


@cache
def _world() -> Gridworld:
    return from_map(".S.S\nS.#.\n.S.S\n..G.", horizon=9)


def are_uniform(eager: Reset, jitted: Any) -> Fault | None:
    """Same key, same start; and over many keys each start comes equally often."""
    world = _world()
    for seed in range(8):
        first, again = (int(position_of(eager(world, jax.random.key(seed)))) for _ in range(2))
        if first != again:
            return _fault(
                "not a function of its key", "Two calls with the same key differ.",
                f"{first}, then {again}", "the same start",
                "A reset depends on its arguments only.", f"key({seed}), twice",
            )  # fmt: skip
    keys = jax.random.split(jax.random.key(1), NUM_KEYS)
    drawn = np.asarray(position_of(jitted.mapped((None, 0), world, keys)))
    cells = np.asarray(world.starts)
    counts = {int(cell): int((drawn == cell).sum()) for cell in cells}
    return _unequal(counts)


def position_of(got: Any) -> Any:
    """The position of a State, or of a dictionary with the same names."""
    return compare.leaves(got)["position"]


def _unequal(counts: dict[int, int]) -> Fault | None:
    share = 1 / len(counts)
    error = float(np.sqrt(NUM_KEYS * share * (1 - share)))
    expected = f"about {NUM_KEYS * share:.0f} ± {2 * error:.0f} times each"
    got = ", ".join(f"cell {cell}: {count}" for cell, count in counts.items())
    never = [cell for cell, count in counts.items() if count == 0]
    if len(never) == len(counts) - 1:
        return _fault("one start for every key", "Every key gives the same start.", got, expected)
    rest = NUM_KEYS / (len(counts) - len(never))
    drawn = [count for count in counts.values() if count]
    if never and max(abs(count - rest) for count in drawn) <= MOST_STANDARD_ERRORS * error:
        cells = " and ".join(f"cell {cell}" for cell in never)
        return _fault(
            "a start is never drawn", f"No episode ever starts on {cells}.", got, expected
        )
    if max(abs(count - NUM_KEYS * share) for count in counts.values()) > (
        MOST_STANDARD_ERRORS * error
    ):
        return _fault("starts not equally likely", "The counts can't be chance.", got, expected)
    return None


def _fault(
    name: str,
    summary: str,
    got: str,
    expected: str,
    rule: str = "The starts are equally likely, and which one it is depends on the key.",
    key: str = f"key) for {NUM_KEYS} keys",
) -> Fault:
    return Fault(
        summary,
        call=f"reset({describe(_world())}, {key}" + ("" if key.endswith("keys") else ")"),
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
