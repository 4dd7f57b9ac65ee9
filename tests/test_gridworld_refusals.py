"""Lesson 01: what the makers of worlds, reset and step refuse, and what they say."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refusals import BAD_KEYS, BAD_SIZES, SIZE_IDS, BadKey, refuses

from gridroll import gridworld

# Tests give things of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map
reset: Any = gridworld.reset
step: Any = gridworld.step
State: Any = gridworld.State

BAD_MAPS = [
    # text, patterns for what came, patterns for what is allowed
    ("", r"empty|0 rows|no cell|''", r"row|cell|start|character"),
    ("\n", r"empty|no cell|0 |'\\n'", r"row|cell|start|length|character"),
    ("S.G\n..", ["3", "2"], r"same|equal|rectang|as long|one length"),
    ("S.\n..G", ["2", "3"], r"same|equal|rectang|as long|one length"),
    ("S.G\n\nS.G", ["3", "0|empty"], r"same|equal|rectang|as long|one length|empty"),
    ("...\n..G", r"no start|0 start|without .*start|'\.\.\.", r"'?S'?"),
    ("S..\n...", r"no goal|0 goal|without .*goal|'S\.\.", r"'?G'?"),
    ("S.X\n..G", r"'X'", ["#", r"\.", "S", "G"]),
    ("s.G", r"'s'", ["#", r"\.", "S", "G"]),
    ("S G", r"' '", ["#", r"\.", "S", "G"]),
    ("S\tG", r"'\\t'", ["#", r"\.", "S", "G"]),
    # Python's splitlines would take these for the end of a row.
    ("S.\x0b.G", r"'\\x0b'", ["#", r"\.", "S", "G"]),
    ("S.\u2028.G", r"'\\u2028'", ["#", r"\.", "S", "G"]),
]


@pytest.mark.parametrize(("text", "came", "allowed"), BAD_MAPS, ids=[repr(m[0]) for m in BAD_MAPS])
def test_a_bad_map_is_refused(text: str, came: Any, allowed: Any) -> None:
    refuses(lambda: from_map(text, horizon=5), ValueError, came, allowed)


def test_the_place_of_an_unknown_character_is_named() -> None:
    message = refuses(lambda: from_map("S..\n.?G", horizon=5), ValueError, r"'\?'", "#")
    assert "1" in message, f"row or column of the character: {message}"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (["S.G"], "list"),
        (b"S.G", "bytes"),
        (None, "None"),
        (np.array(["S.G"]), "array"),
        (3, "int"),
    ],
    ids=["list", "bytes", "none", "array", "int"],
)
def test_a_map_that_is_not_text_is_refused(text: Any, kind: str) -> None:
    refuses(lambda: from_map(text, horizon=5), TypeError, kind, "str|text")


MAKERS = {
    "corridor": lambda horizon: corridor(horizon=horizon),
    "from_map": lambda horizon: from_map("S.G", horizon=horizon),
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(("horizon", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_a_horizon_that_is_not_a_positive_integer_is_refused(
    maker: Any, horizon: Any, kind: Any, came: str
) -> None:
    message = refuses(lambda: maker(horizon), kind, came, r"integer|\bint|>= 1|positive")
    assert "horizon" in message, f"the message names the argument: {message}"


@pytest.mark.parametrize(
    ("length", "kind", "came"),
    [
        (2, ValueError, "2"),
        (0, ValueError, "0"),
        (-4, ValueError, "-4"),
        (4.0, TypeError, "4.0|float"),
        ("4", TypeError, "'4'|str"),
        (None, TypeError, "None"),
    ],
)
def test_a_corridor_shorter_than_three_cells_is_refused(
    length: Any, kind: type[Exception], came: str
) -> None:
    message = refuses(lambda: corridor(length=length), kind, came, "3|integer")
    assert "length" in message


@pytest.mark.parametrize("name", ["step_reward", "goal_reward"])
@pytest.mark.parametrize(
    ("reward", "kind", "came"),
    [
        ("1", TypeError, "'1'|str"),
        (None, TypeError, "None"),
        (1j, TypeError, "1j|complex"),
        (float("nan"), ValueError, "nan"),
        (float("inf"), ValueError, "inf"),
        (1e39, ValueError, "1e\\+39"),
        (np.zeros(2), (TypeError, ValueError), r"\(2,\)|array"),
    ],
    ids=["str", "none", "complex", "nan", "inf", "beyond-float32", "array"],
)
def test_a_reward_that_is_not_a_finite_number_is_refused(
    name: str, reward: Any, kind: Any, came: str
) -> None:
    for make in (corridor, partial(from_map, "S.G", horizon=3)):
        message = refuses(partial(make, **{name: reward}), kind, came, "number|finite")
        assert name in message


# Actions ---------------------------------------------------------------------------------


def fresh(position: Any = 0, elapsed: Any = 0, done: Any = False) -> Any:
    return State(position, elapsed, done)


FRESH = fresh(jnp.int32(0), jnp.int32(0), jnp.bool_(False))


@pytest.mark.parametrize(
    "action",
    [
        -1,
        2,
        100,
        np.int64(-1),
        jnp.int32(2),
        np.array(5),
        2**40,
        np.int64(2**32),
        np.uint32(2**32 - 1),
    ],
    ids=repr,
)
def test_an_action_outside_the_range_is_refused(action: Any) -> None:
    refuses(lambda: step(corridor(), FRESH, action), ValueError, str(int(action)), ["0", "1"])


@pytest.mark.parametrize("action", [-1, 4, jnp.int32(9)], ids=repr)
def test_an_action_outside_the_range_of_a_map_is_refused(action: Any) -> None:
    world = from_map("S.G", horizon=3)
    refuses(lambda: step(world, FRESH, action), ValueError, str(int(action)), ["0", "3"])


def test_an_action_is_checked_in_a_finished_state_too() -> None:
    over = fresh(3, 2, True)
    refuses(lambda: step(corridor(), over, 7), ValueError, "7", ["0", "1"])


@pytest.mark.parametrize(
    ("action", "came"),
    [(0.5, "0.5|float"), (jnp.float32(1), "float"), ("right", "'right'|str"), (None, "None")],
    ids=["float", "float-array", "str", "none"],
)
def test_an_action_that_is_not_an_integer_is_refused(action: Any, came: str) -> None:
    refuses(lambda: step(corridor(), FRESH, action), TypeError, came, "integer|int")


def test_a_batch_of_actions_for_one_state_is_refused() -> None:
    refuses(
        lambda: step(corridor(), FRESH, jnp.int32([0, 1, 0])),
        ValueError,
        r"\(3,\)",
        r"\(\)|scalar|one action|vmap",
    )


# Keys ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad_key", BAD_KEYS, ids=lambda bad: bad.name)
def test_reset_refuses_what_is_not_one_typed_key(bad_key: BadKey) -> None:
    refuses(partial(reset, corridor(), bad_key.make()), bad_key.kind, bad_key.came, bad_key.allowed)


# States and worlds -----------------------------------------------------------------------

BATCH = fresh(jnp.zeros(3, int), jnp.zeros(3, int), jnp.zeros(3, bool))


@pytest.mark.parametrize(
    ("state", "kind", "came", "allowed"),
    [
        ("state", TypeError, "'state'|str", "State"),
        ((0, 0, False), TypeError, "tuple", "State"),
        (BATCH, ValueError, r"position.*\(3,\)", r"\(\)"),
        (fresh(elapsed=jnp.zeros(2, int)), ValueError, r"elapsed.*\(2,\)", r"\(\)"),
        (fresh(position=jnp.float32(0)), TypeError, "position.*float32", "integer"),
        (fresh(position=jnp.int32(4)), ValueError, r"position.*\b4\b", r"\b3\b"),
        (fresh(position=-1), ValueError, "position.*-1", r"\b3\b"),
        (fresh(position=np.int64(2**32)), ValueError, "position.*4294967296", r"\b3\b"),
    ],
    ids=["str", "tuple", "batch", "elapsed", "float", "beyond", "negative", "beyond-int32"],
)
def test_step_refuses_what_is_not_one_state_of_the_world(
    state: Any, kind: type[Exception], came: str, allowed: str
) -> None:
    refuses(lambda: step(corridor(), state, 0), kind, came, allowed)


def test_reset_and_step_refuse_what_is_not_a_world() -> None:
    refuses(lambda: reset("corridor", jax.random.key(0)), TypeError, "str", "Gridworld")
    refuses(lambda: step(corridor, FRESH, 0), TypeError, "function", "Gridworld")
