"""What is said of a result that is built wrongly: what came, what is wanted, what to do."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll.classroom.compare import first_difference
from gridroll.classroom.forms import kind, outline


class Point(NamedTuple):
    """A record for these tests."""

    x: Any
    y: Any


POINT = Point(jnp.int32(1), jnp.int32(2))
NAMES = ("state", "reward", "ended")
THREE = (jnp.int32(0), jnp.float32(1), jnp.bool_(False))
ONE = jnp.zeros(4)

WRONG: list[tuple[Any, Any, str]] = [
    (None, ONE, "Python returns None where a function ends without a `return`"),
    (None, THREE, "Python returns None"),
    (None, POINT, "Python returns None"),
    (THREE[:2], THREE, "2 values came and 3 are wanted, in this order: state, reward, ended."),
    (THREE[:1], THREE, "1 value came and 3 are wanted, in this order: state, reward, ended."),
    ((*THREE, 1), THREE, "4 values came and 3 are wanted, in this order: state, reward, ended."),
    (ONE, THREE, "Return 3 values with commas between them, in this order: state, reward, ended."),
    ({"x": 1, "y": 2}, POINT, "A record is wanted, a Point with its fields in their order"),
    ({"x": 1, "y": 2}, POINT, "and a dict came: write `Point(x=..., y=...)`."),
    ({"x": 1}, POINT, "`Point(x=..., y=...)`"),
    ((1, 2), POINT, "Your values have no names: write `Point(...)` around them."),
    ((1, 2, 3), POINT, "`Point(x=..., y=...)`"),
    (POINT, THREE, "Return 3 values with commas between them"),
    ({0: 1, 1: 2}, ONE, "One array is wanted, not a dict"),
    ((n for n in (1, 2)), ONE, "write `return` in its place"),
    (ONE.astype(jnp.int16), jnp.zeros(4, int), "Cast it with `.astype(jnp.int32)`"),
    (..., ONE, "A `...` of the scaffold is still there"),
    ("left", ONE, "without quotes"),
    (Point, POINT, "Point was not called"),
    (ONE, POINT, "`Point(x=..., y=...)`"),
    (({"x": 1, "y": 2}, 1, True), (POINT, 1, True), "a Point with its fields"),
    ([ONE], ONE, "`jnp.stack` or `jnp.array` makes one array of a list."),
    ((ONE,), ONE, "A comma after one value makes a tuple of it"),
    ((ONE, ONE), ONE, "One array is wanted: return that part alone."),
    (POINT, ONE, "One array is wanted: return that part alone."),
    ({1.0, 2.0}, ONE, "a set, which has no order"),
    (jnp.sum, ONE, "sum was not called"),
    (jnp.zeros((2, 3)), jnp.zeros((3, 2)), "The two axes are exchanged"),
    (jnp.zeros(1), jnp.float32(0), "with shape (), not (1,)"),
    (jnp.zeros(5), jnp.float32(0), "is an index missing, or a sum?"),
    (jnp.float32(0), jnp.zeros(5), "was everything summed"),
    (jnp.zeros(6), jnp.zeros((2, 3)), "along other axes: was an `axis` left out"),
    (jnp.float32(1), jnp.int32(1), "`.astype(jnp.int32)`"),
    (1, jnp.float32(1), "Write a constant such as 0 as 0.0"),
    (0, jnp.bool_(False), "A flag is True or False"),
    (True, jnp.int32(1), "makes 1 and 0 of them"),
]


@pytest.mark.parametrize(("got", "expected", "part"), WRONG, ids=[part for *_, part in WRONG])
def test_a_wrong_form_is_told_with_what_to_do(got: Any, expected: Any, part: str) -> None:
    difference = first_difference(got, expected, NAMES)
    assert difference is not None
    assert part in difference.advice


def test_what_is_wanted_is_named() -> None:
    assert kind(THREE, NAMES) == "a tuple of 3: state, reward, ended"
    assert kind(THREE[:2], NAMES) == "a tuple of 2"
    assert kind(POINT) == "Point(x, y)"
    assert kind({"b": 1, "a": 2}) == "a dict with the keys b, a"
    assert kind(jnp.int32(1)) == "one number, of shape ()"
    assert kind(jnp.zeros((2, 3))) == "one array of shape (2, 3)"
    assert kind(jax.random.key(0)) == "one key, of shape ()"


OUTLINES: list[tuple[Any, str]] = [
    (POINT, "Point(x=1, y=2)"),
    (Point(jnp.zeros((2, 3)), np.ones((2, 3), bool)), "Point(x, y: each of shape (2, 3))"),
    (Point(jnp.zeros((2, 3)), jnp.int32(7)), "Point(x=float32 (2, 3), y=7)"),
    (Point(jax.ShapeDtypeStruct((), "int32"), 1), "Point(x=int32 (), y=1)"),
    ((ONE, 3, "S.G"), "(float32 (4,), 3, 'S.G')"),
    (jax.random.split(jax.random.key(0), 3), "keys (3,)"),
    (jax.random.key(7), "key(7)"),
]


@pytest.mark.parametrize(("value", "text"), OUTLINES, ids=[text for _, text in OUTLINES])
def test_an_outline_says_of_what_a_value_is_made(value: Any, text: str) -> None:
    assert outline(value) == text
