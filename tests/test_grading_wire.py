"""What goes between the two processes: what was sent arrives, and nothing else does anything."""

import json
import pickle
import socket
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll import gridworld, policy
from gridroll.classroom import registry
from gridroll.classroom.exercise import Exercise
from gridroll.classroom.grading import messages, wire
from gridroll.collector import Trajectory
from gridroll.exercises import _probes

EXERCISES = [
    task
    for lesson in registry.lessons()
    for task in registry.lesson_exercises(lesson)
    if isinstance(task, Exercise)
]


def there(value: Any, forms: bool = False) -> Any:
    """What the other side gets: the text is really written and read."""
    return wire.decode(json.loads(json.dumps(wire.encode(value), allow_nan=False)), forms)


def equal(got: Any, sent: Any) -> bool:
    """Whether two values are of one type and hold the same, to the last bit."""
    if type(got) is not type(sent):
        return False
    if isinstance(sent, policy.Policy):
        return got is sent
    if isinstance(sent, list | tuple):
        return len(got) == len(sent) and all(map(equal, got, sent))
    if isinstance(sent, gridworld.Gridworld):
        return equal(vars(got), vars(sent))
    if isinstance(sent, dict):
        return list(got) == list(sent) and all(equal(got[k], v) for k, v in sent.items())
    if isinstance(sent, jax.Array) and jnp.issubdtype(sent.dtype, jax.dtypes.prng_key):
        return equal(jax.random.key_data(got), jax.random.key_data(sent))
    if isinstance(sent, np.ndarray | jax.Array):
        a, b = np.asarray(got), np.asarray(sent)
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return bool(got == sent)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_every_input_of_every_exercise_arrives_as_it_was(exercise: Exercise) -> None:
    cases = [*exercise.visible(), exercise.generate(np.random.default_rng(5))]
    for case in cases:
        assert equal(there(case.args), case.args)
        assert equal(there(dict(case.kwargs)), dict(case.kwargs))


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -(2**70), 0.1, float("inf"), "a text", ..., [1, (2.5, None)], {"a": [1]},
        np.array([[1, np.nan], [np.inf, -0.0]], np.float32), np.zeros((0, 3), np.int8),
        np.array([True]), _probes.FINGERPRINT,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_plain_values_arrive(value: Any) -> None:
    assert equal(there(value), value)


def test_nan_arrives() -> None:
    assert np.isnan(there(float("nan")))


def test_a_record_of_the_course_arrives_as_one_and_a_look_alike_as_a_look_alike() -> None:
    class State(NamedTuple):
        position: Any
        elapsed: Any
        done: Any

    real = gridworld.State(jnp.int32(1), jnp.int32(2), jnp.bool_(False))
    assert type(there(real)) is gridworld.State
    mine = there(State(1, 2, False))
    assert type(mine) is not gridworld.State
    assert (type(mine).__name__, mine._fields) == ("State", ("position", "elapsed", "done"))


def test_a_record_with_other_fields_is_not_made_into_one_of_ours() -> None:
    sent = wire.encode(gridworld.State(*jnp.arange(3)))
    sent["fields"] = sent["fields"][:2]
    got = wire.decode(sent)
    assert type(got) is not gridworld.State
    assert got._fields == ("position", "elapsed")


class Always(int):
    """An int that says it equals everything."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked")

    __hash__ = int.__hash__


class Array(np.ndarray):
    """An array of a class of its own."""


class Bomb:
    """Something that acts when it is unpickled, and when it is shown."""

    def __reduce__(self) -> Any:
        raise AssertionError("pickled")

    def __repr__(self) -> str:
        raise RuntimeError("shown")


@pytest.mark.parametrize(
    "value", [Always(3), np.zeros(3).view(Array), Bomb(), object(), {1: 2}, {3}, b"x", 1j],
    ids=lambda v: type(v).__name__,
)  # fmt: skip
def test_what_is_no_exact_type_arrives_as_a_name_alone(value: Any) -> None:
    got = there(value)
    assert isinstance(got, wire.Foreign)
    assert type(got).__name__ == type(value).__name__


def test_a_function_arrives_as_something_that_can_be_called_and_does_nothing() -> None:
    got = there(pickle.loads)
    assert got.__name__ == "loads"
    assert got() is None


@pytest.mark.parametrize(
    "text",
    [
        '{"array": "object", "shape": [1], "data": "AAAAAAAAAAA="}',
        '{"array": "float32", "shape": [2], "data": "AAAA"}',
        '{"array": "float32", "shape": [-1], "data": "AAAAAA=="}',
        '{"array": "float32", "shape": [true], "data": "AAAAAA=="}',
        '{"array": "float32", "shape": [1], "data": 7}',
        '{"record": "os:path", "name": "a b", "fields": []}',
        '{"record": "", "name": "R", "fields": [["class", true]]}',
        '{"record": "", "name": "R", "fields": [["\ufb01", true], ["fi", true]]}',
        '{"policy": "no such"}', '{"pickle": "gASVAA=="}', '{"int": "x"}', '{"float": 3}', "{}",
        "[1]", "7",
    ],
)  # fmt: skip
def test_what_encode_never_makes_is_refused(text: str) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(json.loads(text))


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Two ends of a channel."""
    here, there = socket.socketpair()
    with here, there:
        yield here, there


def test_a_message_arrives(pair: tuple[socket.socket, socket.socket]) -> None:
    messages.send(pair[0], {"op": "call", "text": "ä"})
    assert messages.receive(pair[1], 5) == {"op": "call", "text": "ä"}


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (struct.pack("!Q", 2**60), messages.MessageError),
        (struct.pack("!Q", 3) + b"{]}", messages.MessageError),
        (struct.pack("!Q", 2) + b"[]", messages.MessageError),
        (struct.pack("!Q", 20_000) + b"[" * 20_000, messages.MessageError),
        (struct.pack("!Q", 9) + b"{}", TimeoutError),
    ],
)
def test_what_is_no_message_is_refused(
    sent: bytes, error: type[Exception], pair: tuple[socket.socket, socket.socket]
) -> None:
    pair[0].sendall(sent)
    with pytest.raises(error):
        messages.receive(pair[1], 0.2)


def test_a_closed_channel_is_an_end(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[0].close()
    with pytest.raises(EOFError):
        messages.receive(pair[1], 5)


def test_a_trajectory_of_shapes_arrives() -> None:
    form = jax.ShapeDtypeStruct((2, 3), jnp.float32)
    keys = jax.ShapeDtypeStruct((4,), jax.random.key(0).dtype)
    forms: Any = [form] * 7
    got = there(Trajectory(*forms), forms=True)
    assert type(got) is Trajectory
    assert (got.reward.shape, got.reward.dtype) == ((2, 3), jnp.float32)
    assert there(keys, forms=True).dtype == keys.dtype


@pytest.mark.parametrize(
    "told",
    [
        {"list": [True] * 100_001},
        {"list": [{"record": "", "name": f"r{n}", "fields": []} for n in range(101)]},
        {"list": [{"foreign": f"f{n}", "text": "", "callable": False} for n in range(101)]},
        json.loads('{"list": [' * 60 + "true" + "]}" * 60),
        {"_class__": []},
        {"eq": True},
        {"record": "", "name": "a", "fields": 5},
        {"array": "object", "shape": [1], "data": ""},
        {"int": "9" * 5000},
    ],
    ids=["parts", "classes", "foreign classes", "depth", "our own class", "no kind", "no fields",
         "objects", "digits"],
)  # fmt: skip
def test_what_would_cost_us_much_or_is_no_value_is_refused(told: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(told)


def test_half_a_character_never_comes_in() -> None:
    assert wire.decode({"list": ["a\ud800"]}) == ["a?"]
    assert wire.decode({"dict": [["\udfff", True]]}) == {"?": True}
    assert repr(wire.decode({"foreign": "F", "text": "\ud800", "callable": False})) == "?"


def test_a_shape_is_a_value_only_where_shapes_were_asked_for() -> None:
    form = jax.ShapeDtypeStruct((2, 3), jnp.float32)
    assert type(there(form, forms=True)) is jax.ShapeDtypeStruct
    assert isinstance(there(form), wire.Foreign)
