"""The judge gives a verdict on whatever comes back, and refuses it; no value makes it raise."""

import collections
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import attacks
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll.classroom import judge, registry
from gridroll.classroom.exercise import Exercise
from gridroll.collector import Trajectory
from gridroll.gridworld import State, corridor
from gridroll.returns import Averages

EXERCISES = [
    task
    for lesson in registry.lessons()
    for task in registry.lesson_exercises(lesson)
    if isinstance(task, Exercise)
]


class Odd(NamedTuple):
    """A record with the names of methods, and of nothing that is asked for."""

    count: Any
    index: Any


class Unreadable:
    """Raises for whatever is asked of it."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, *values: Any, **named: Any) -> np.ndarray:
        raise RuntimeError("no array")


class Pretender:
    """Has a shape and a dtype that are none."""

    shape, dtype = "wide", 3


class Shapeless:
    """Says that it is an array, and holds a text."""

    shape, dtype = (), np.dtype("float32")

    def __array__(self, *values: Any, **named: Any) -> np.ndarray:
        return np.array("text")


@dataclasses.dataclass
class Unset:
    """A dataclass whose field was never set."""

    position: Any = dataclasses.field(init=False)


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = (value,)
    return value


def generator() -> Iterator[int]:
    yield 1


def records() -> dict[str, Any]:
    """Records of the course with a field that is none, and namesakes with other fields."""
    zero, form = jnp.int32(0), jax.ShapeDtypeStruct((), jnp.int32)
    make: Any = collections.namedtuple
    more, less = make("State", "position elapsed done more"), make("State", "position")
    world = corridor()
    return {
        "a field is a text": State("zero", zero, jnp.bool_(False)),  # type: ignore[arg-type]
        "a field is None": State(zero, None, jnp.bool_(False)),  # type: ignore[arg-type]
        "a field is a form": State(form, zero, jnp.bool_(False)),  # type: ignore[arg-type]
        "a field is a record": State(State(zero, zero, zero), zero, zero),  # type: ignore[arg-type]
        "a field more": more(zero, zero, jnp.bool_(False), zero),
        "a field less": less(zero),
        "texts for a record": Trajectory(*"abcdefg"),
        "forms for averages": Averages(form, form, form),  # type: ignore[arg-type]
        "a batch of one rank": Trajectory(*[jnp.zeros(3)] * 7),
        "a world of forms": dataclasses.replace(world, next_position=form),  # type: ignore[arg-type]
        "a world of None": dataclasses.replace(world, next_position=None, wall=None),  # type: ignore[arg-type]
        "a world of texts": dataclasses.replace(world, wall="wall", columns="four"),  # type: ignore[arg-type]
        "a state and a text": (State(zero, zero, jnp.bool_(False)), "record"),
        "a state and empty records": (State(*[jnp.zeros(0)] * 3), Trajectory(*[jnp.zeros(0)] * 7)),
        "a state of texts among others": (State("a", "b", "c"), 1.0, True, False),  # type: ignore[arg-type]
    }


def values() -> dict[str, Any]:
    """One of each kind of value that nobody should return."""
    return records() | {
        "a form": jax.ShapeDtypeStruct((), jnp.int32),
        "forms": (jax.ShapeDtypeStruct((4,), jnp.float32),) * 2,
        "a form of keys": jax.ShapeDtypeStruct((5,), jax.random.key(0).dtype),
        "methods for fields": Odd(1, 2),
        "nested": nested(50),
        "nested without end": nested(2000),
        "nothing": (),
        "an empty list": [],
        "an empty dict": {},
        "a dict": {"position": 1, "elapsed": 0, "done": False},
        "a dict of numbers": {1: 2, (3,): None},
        "a text": "text",
        "bytes": b"text",
        "a class": State,
        "a function": len,
        "a module": np,
        "objects": np.array([object(), None]),
        "one object": np.array(None, dtype=object),
        "texts": np.array(["a", "b"]),
        "one text": np.array("a"),
        "times": np.array(["2020-01-01"], dtype="datetime64[D]"),
        "a time": np.datetime64("2020-01-01"),
        "a duration": np.array(3, dtype="timedelta64[s]"),
        "fields": np.zeros(3, dtype=[("a", np.int32)]),
        "empty": np.zeros(0),
        "empty in between": np.zeros((3, 0, 4), np.int32),
        "empty and traced": jnp.zeros((0, 5)),
        "a huge number": 10**400,
        "a huge negative": -(10**30),
        "beyond int32": 2**40,
        "keys": jax.random.split(jax.random.key(0), 5),
        "a key": jax.random.key(0),
        "other keys": jax.random.key(0, impl="rbg"),
        "complex": 1 + 2j,
        "complex entries": jnp.zeros((4, 2), jnp.complex64),
        "not a number": float("nan"),
        "infinite": np.full((5, 3), np.inf),
        "a generator": generator(),
        "a placeholder": ...,
        "None": None,
        "not implemented": NotImplemented,
        "half": jnp.float16(1),
        "brain": jnp.zeros((5, 3), jnp.bfloat16),
        "eight bits": jnp.zeros((4, 2), jnp.int8),
        "rank 30": np.zeros((1,) * 30),
        "masked": np.ma.masked_array([1.0, 2.0], mask=[True, False]),
        "a set": {1, 2},
        "a range": range(3),
        "an error": ValueError("returned"),
        "unreadable": Unreadable(),
        "unreadable parts": (Unreadable(), {"a": Unreadable()}),
        "unset": Unset(),
        "a pretender": Pretender(),
        "shapeless": Shapeless(),
    }


VALUES = values()


def returning(value: Any) -> Callable[..., Any]:
    """A function that gives this back whatever it is called with, quickly."""

    def function(*args: Any, **kwargs: Any) -> Any:
        return value

    return function


# What has made a judge raise, tried on every exercise; everything is tried on one of each kind.
WORST = (
    "a form", "a field is a form", "a world of texts", "objects", "shapeless", "unset",
    "unreadable", "unreadable parts",
)  # fmt: skip
KINDS = (
    "gridworld.move", "gridworld.reset", "gridworld.from_map", "keys.key_table", "keys.num_shared",
    "collector.active_mask", "collector.rollout", "returns.averages", "returns.masked_mean",
)  # fmt: skip
TRIED = [
    (task, name) for task in EXERCISES for name in VALUES if name in WORST or task.name in KINDS
]


@pytest.mark.parametrize(
    ("task", "name"), TRIED, ids=[f"{task.name}-{name}" for task, name in TRIED]
)
def test_no_strange_result_passes_and_none_makes_the_judge_raise(task: Exercise, name: str) -> None:
    judgement = judge.judge(task, returning(VALUES[name]), 12345)
    assert judgement.fault is not None
    assert judgement.fault.summary


@pytest.mark.parametrize("task", ["gridworld.end_of_step", "gridworld.reset", "returns.averages"])
@pytest.mark.parametrize("name", VALUES)
def test_nor_does_one_that_comes_under_jit_alone(task: str, name: str) -> None:
    right = attacks.right(task)

    def function(*args: Any, **kwargs: Any) -> Any:
        return VALUES[name] if attacks.is_traced(args, kwargs) else right(*args, **kwargs)

    assert judge.judge(attacks.exercise(task), function, 12345).fault is not None


def test_a_function_that_ends_the_session_is_an_error_of_its_own() -> None:
    def function(*args: Any) -> Any:
        raise SystemExit("over")

    fault = judge.judge(attacks.exercise("gridworld.move"), function).fault
    assert fault is not None
    assert fault.error


WITNESSES = {
    **VALUES,
    "a huge pair": (10**400, 1),
    "a huge pair turned": (1, 10**400),
    "huge three": (10**400, 10**400, 10**400),
    "negative": (-1, -1, -1),
    "texts in a pair": ("a", "b"),
    "arrays": (np.arange(3), np.arange(3)),
    "keys in a pair": (jax.random.key(0), 20),
    "not numbers": (float("nan"), float("nan")),
    "infinite pair": (float("inf"), 3),
    "a set in a pair": (1, {0, 1}),
    "a pair of lists": ([1], [1]),
    "a list of lists": (1, [[1], [0]]),
    "a list of texts": (1, ["a"]),
    "many": (1, [1] * 10_000),
    "many in an array": (1, jnp.ones(200_000, jnp.int8)),
    "many lengths": (jnp.full(200_000, 2), 1),
    "a long array for a number": (jnp.ones(200_000), jnp.ones(200_000)),
    "huge five": (10**400, True, True, 10**400, True),
    "five texts": ("0", "a", "b", "c", "d"),
    "five arrays": (jnp.zeros(3), jnp.zeros(2, bool), True, 1.0, True),
    "five forms": (jax.ShapeDtypeStruct((), jnp.float32),) * 5,
    "unreadable pair": (Unreadable(), Unreadable()),
    "lengths": ([10**400], 1),
    "a true number": ([True, 2], True),
    "numpy numbers": (np.int64(1), [np.int64(1)]),
}
DIAGNOSES = [task for task in EXERCISES if task.broken is not None]


@pytest.mark.parametrize("task", DIAGNOSES, ids=lambda task: task.name)
@pytest.mark.parametrize("name", WITNESSES)
def test_no_strange_witness_makes_the_judge_raise(task: Exercise, name: str) -> None:
    lines = judge.witness_lines(task, WITNESSES[name])
    assert all(isinstance(text, str) for line in lines for text in line)
