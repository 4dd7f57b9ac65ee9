"""Comparing an answer with the expected one: structure, shape, dtype, values, in this order."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll.classroom.compare import Difference, difference_in_form, first_difference, same

KEY = jax.random.key(3)


class Point(NamedTuple):
    """A record for these tests."""

    x: Any
    y: Any


class Turned(NamedTuple):
    """The same fields in the other order."""

    y: Any
    x: Any


class Near(Point):
    """A subclass of the record."""


@dataclass(frozen=True)
class Box:
    """A record that is a dataclass."""

    inside: Any
    count: Any


def ints(*values: int) -> jax.Array:
    return jnp.array(values, jnp.int32)


def reals(*values: float) -> jax.Array:
    return jnp.array(values, jnp.float32)


EQUAL: list[tuple[Any, Any]] = [
    (np.array([1.0, 2.0]), reals(1, 2)),  # NumPy's float64
    (np.array([1, 2]), ints(1, 2)),  # and its int64
    (1.5, jnp.float32(1.5)),
    (True, jnp.bool_(True)),
    (7, jnp.int32(7)),
    (jnp.asarray(2.0), jnp.float32(2)),  # a weak type
    (reals(np.nan, np.inf, -np.inf), reals(np.nan, np.inf, -np.inf)),
    (reals(100.005), reals(100)),
    (Near(ints(1), reals(2)), Point(ints(1), reals(2))),
    (Point(1, 2.0), Point(jnp.int32(1), jnp.float32(2))),
    ([ints(1), reals(2)], (ints(1), reals(2))),
    ({"b": ints(1), "a": ints(2)}, {"a": ints(2), "b": ints(1)}),
    (Box(ints(1), Point(1, 2)), Box(ints(1), Point(1, 2))),
    (jax.random.key(3), KEY),
    (ints(), ints()),
]


@pytest.mark.parametrize(("got", "expected"), EQUAL)
def test_the_same_answer_in_another_form_is_the_same(got: Any, expected: Any) -> None:
    assert first_difference(got, expected) is None
    assert same(got, expected)


FORMS: list[tuple[Any, Any, str, str]] = [
    (None, ints(1), "structure", ""),
    ("one", ints(1), "structure", ""),
    (..., ints(1), "structure", ""),
    ([ints(1)], ints(1), "structure", ""),
    ((1, 2, 3), (1, 2), "structure", ""),
    (ints(1), (1, 2), "structure", ""),
    ((1, 2), Point(1, 2), "structure", ""),
    (Turned(1, 2), Point(1, 2), "structure", ""),
    ({"x": 1, "y": 2}, Point(1, 2), "structure", ""),
    ({"x": 1, "z": 2}, {"x": 1, "y": 2}, "structure", ""),
    (Point(1, None), Point(1, 2), "structure", "y"),
    (Box(1, Point(1, (2, 3))), Box(1, Point(1, 2)), "structure", "count.y"),
    (ints(1, 2), ints(1, 2, 3), "shape", ""),
    (ints(5), jnp.int32(5), "shape", ""),
    (Point(ints(1), ints(1)), Point(ints(1), jnp.int32(1)), "shape", "y"),
    (reals(1, 2), ints(1, 2), "dtype", ""),
    (1, jnp.float32(1), "dtype", ""),
    (1, jnp.bool_(True), "dtype", ""),
    (jnp.zeros(2, jnp.uint32), ints(0, 0), "dtype", ""),
    (jax.random.PRNGKey(3), KEY, "shape", ""),
]


@pytest.mark.parametrize(("got", "expected", "kind", "field"), FORMS)
def test_a_wrong_form_is_found_before_any_value(
    got: Any, expected: Any, kind: str, field: str
) -> None:
    for difference in (first_difference(got, expected), difference_in_form(got, expected)):
        assert difference is not None
        assert (difference.kind, difference.field) == (kind, field)
        assert difference.got != difference.expected
    assert not same(got, expected)


VALUES: list[tuple[Any, Any, str, str, str]] = [
    (ints(1, 5, 3), ints(1, 2, 3), "[t=1]", "5", "2"),
    (reals(1, np.nan), reals(1, 2), "[t=1]", "nan", "2"),
    (reals(1, 2), reals(1, np.nan), "[t=1]", "2", "nan"),
    (reals(-np.inf), reals(np.inf), "[t=0]", "-inf", "inf"),
    (reals(100.1), reals(100), "[t=0]", "100.1", "100"),
    (ints(10001), ints(10000), "[t=0]", "10001", "10000"),
    (jnp.array([[True, True], [True, False]]), jnp.ones((2, 2), bool), "[1, 1]", "False", "True"),
    (Point(ints(9, 9), ints(0, 0)), Point(ints(9, 8), ints(0, 0)), "x[t=1]", "9", "8"),
]


@pytest.mark.parametrize(("got", "expected", "where", "came", "wanted"), VALUES)
def test_a_wrong_value_is_shown_at_its_place(
    got: Any, expected: Any, where: str, came: str, wanted: str
) -> None:
    difference = first_difference(got, expected, axes=("t",))
    assert isinstance(difference, Difference)
    assert difference.kind == "value"
    assert (difference.where, difference.got, difference.expected) == (where, came, wanted)


def test_without_named_axes_the_first_output_that_differs_comes_first() -> None:
    difference = first_difference((1.0, ints(1, 2)), (2.0, ints(0, 0)), ("value", "gradient"))
    assert difference is not None
    assert difference.field == "value"


def test_the_first_difference_is_the_earliest_row_of_any_field() -> None:
    zeros = jnp.zeros((3, 2), jnp.int32)
    got = Point(zeros.at[2, 0].set(4), zeros.at[1, 1].set(5))
    difference = first_difference((got, 7), (Point(zeros, zeros), 8), ("all", "n"), ("t", "b"))
    assert difference is not None
    assert difference.where == "all.y[t=1, b=1]"
    assert difference.others == ("all.x", "n")
    assert difference.mask is not None
    assert difference.mask.sum() == 1


def test_fields_are_looked_up_by_name_and_not_by_place() -> None:
    expected = {"a": ints(1), "b": ints(2)}
    difference = first_difference({"b": ints(3), "a": ints(1)}, expected)
    assert difference is not None
    assert (difference.where, difference.got, difference.expected) == ("b[0]", "3", "2")


def test_a_function_that_returns_nothing_is_asked_for_its_return() -> None:
    difference = first_difference(None, Point(1, 2))
    assert difference is not None
    assert (difference.got, difference.expected) == ("nothing (None)", "Point(x, y)")
    assert "Every way through it has to end with `return`" in difference.advice
