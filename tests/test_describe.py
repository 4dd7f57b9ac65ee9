"""Values and calls as text that a student can read and paste back."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll.classroom.describe import (
    MOST_CHARACTERS,
    brief_call,
    describe,
    describe_call,
    number,
)

KEY = jax.random.key(3)


class Point(NamedTuple):
    """A record for these tests."""

    x: Any
    y: Any


def ints(*values: int) -> jax.Array:
    return jnp.array(values, jnp.int32)


def reals(*values: float) -> jax.Array:
    return jnp.array(values, jnp.float32)


TEXTS: list[tuple[Any, str]] = [
    (ints(1, 2), "array([1, 2])"),
    (jnp.array([[True], [False]]), "array([[True], [False]])"),
    (reals(0.1, -2.5, np.nan), "array([0.1, -2.5, nan])"),
    (jnp.float32(0.1), "0.1"),
    (jnp.zeros((6, 7)), "an array of float32 (6, 7)"),
    (Point(jnp.int32(1), [2, "x"]), "Point(x=1, y=[2, 'x'])"),
    (KEY, "key(3)"),
    (jax.random.split(KEY, 7), "keys of shape (7,)"),
    (KEY[None], "jax.random.wrap_key_data(jnp.uint32([[0, 3]]))"),
    (describe_call, "describe_call"),
    ((), "()"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_a_value_is_described_in_one_line(value: Any, text: str) -> None:
    assert describe(value) == text


def test_a_tuple_of_one_can_be_pasted_back() -> None:
    assert eval(describe((1,))) == (1,)


def test_a_long_value_is_cut_and_a_call_names_its_keywords() -> None:
    assert len(describe("x" * 500)) == 120
    assert describe_call("f", (1, ints(2)), {"num_envs": 3}) == "f(1, array([2]), num_envs=3)"


@pytest.mark.parametrize("value", [0.1, -3.25e-5, 1234567.0, 7, True, float("nan")])
def test_a_number_reads_back_to_what_float32_holds(value: Any) -> None:
    assert np.isclose(float(eval(number(value), {"nan": np.nan})), value, 1e-6, equal_nan=True)


def test_a_short_call_stays_whole() -> None:
    given = (Point(ints(1, 2), True), reals(0.5))
    assert brief_call("f", given, {"n": 3}) == describe_call("f", given, {"n": 3})


def test_a_long_call_shortens_its_longest_arguments_first_and_no_more_than_it_must() -> None:
    record = Point(jnp.full((6, 6), 1.25), jnp.full((6, 6), True))
    small = ints(*range(12))
    text = brief_call("f", (small, record), {"n": 3})
    assert text == f"f({describe(small)}, Point(x, y: each of shape (6, 6)), n=3)"
    assert len(describe_call("f", (small, record), {"n": 3})) > MOST_CHARACTERS


def test_a_record_of_unlike_fields_is_shortened_to_each_field() -> None:
    record = Point(jnp.full((6, 6), 1.25), (ints(7), jnp.int32(5), KEY))
    assert brief_call("f", (record,) * 2, {}) == (
        "f(Point(x=float32 (6, 6), y=(int32 (1,), 5, key(3))), "
        "Point(x=float32 (6, 6), y=(int32 (1,), 5, key(3))))"
    )


def test_values_without_entries_are_never_shortened() -> None:
    text = brief_call("f", ("x" * 100, KEY, 3, describe) * 4, {})
    assert text == describe_call("f", ("x" * 100, KEY, 3, describe) * 4, {})
