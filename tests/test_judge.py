"""The judge: which functions pass, what is said of the others, and in which session it runs."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import students

from gridroll import gridworld
from gridroll.classroom import judge, registry
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.exercises._shared import floats, integers


class Pair(NamedTuple):
    """Two arrays with names."""

    total: Any
    count: Any


def pair(values: jax.Array) -> Pair:
    """The reference of the small exercise below."""
    return Pair(values.sum(), jnp.cumsum(values > 0, dtype=jnp.int32))


def toy(**settings: Any) -> Exercise:
    """An exercise on (4,) float32 values with a constant answer for a misconception."""
    defaults: dict[str, Any] = {
        "name": "toy.pair",
        "title": "",
        "task": "",
        "points": 1,
        "difficulty": 1,
        "reference": lambda values: pair(values),
        "answer": "",
        "scaffold": "",
        "visible": lambda: (Case((floats([1, -2, 3, -5]),)), Case((floats([-1, 2, 0.5, 7]),))),
        "generate": lambda rng: Case((floats(rng.normal(size=4)),)),
        "misconceptions": (
            Misconception("constant", "Zeros.", lambda values: Pair(floats(0), integers([0] * 4))),
        ),
        "hints": ("", "", ""),
        "why": "",
        "gain": "",
        "explanation": "",
        "axes": ("t",),
        "rules": {"count": "It counts."},
    }
    return Exercise(**defaults | settings)


def fault_of(function: Callable[..., Any], **settings: Any) -> Fault:
    fault = judge.judge(toy(**settings), function).fault
    assert fault is not None
    return fault


class SamePair(Pair):
    """A subclass with the same fields."""


class Redefined(NamedTuple):
    total: Any
    count: Any


RIGHT: dict[str, Callable[[Any], Any]] = {
    "another algorithm": lambda v: Pair(v @ jnp.ones(4), jnp.cumsum((v > 0).astype(jnp.int32))),
    "a subclass": lambda v: SamePair(*pair(v)),
    "the class defined once more": lambda v: Redefined(*pair(v)),
    "a weak type": lambda v: pair(v)._replace(total=v.sum() * jnp.ones_like(1.0)),
    "mixed dtypes": lambda v: pair(v)._replace(total=(v * jnp.ones(4, jnp.int32)).sum()),
    "mixed ranks": lambda v: pair(v)._replace(total=(v * jnp.ones((1, 4))).sum()),
    "jitted": jax.jit(lambda v: Pair(v.sum(), jnp.cumsum(v > 0, dtype=jnp.int32))),
    "NumPy outside jit": lambda v: pair(v) if isinstance(v, jax.core.Tracer) else in_numpy(v),
}


def in_numpy(values: jax.Array) -> Pair:
    array = np.asarray(values)
    return Pair(float(array.sum()), np.cumsum(array > 0))


@pytest.mark.parametrize("function", RIGHT.values(), ids=RIGHT)
def test_any_right_implementation_passes_in_a_strict_session(function: Any) -> None:
    flags: Any = jax.config
    assert flags.jax_numpy_dtype_promotion == "strict"
    assert judge.judge(toy(), function) == judge.Judgement()
    assert flags.jax_numpy_dtype_promotion == "strict"
    assert flags.jax_numpy_rank_promotion == "raise"


def test_the_library_function_is_known_after_it_was_compiled_and_wrapped() -> None:
    exercise = registry.find("gridworld.step")
    assert isinstance(exercise, Exercise)
    compiled = jax.jit(lambda world, state, action: gridworld.step(world, state, action))
    for case in exercise.visible():
        compiled(*case.args)
    for _ in range(2):
        fault = judge.judge(exercise, lambda *given: compiled(*given)).fault
        assert fault is not None
        assert "the library's own `" in fault.summary


def test_answers_learnt_from_the_visible_cases_fail() -> None:
    known = {np.asarray(c.args[0]).tobytes(): pair(*c.args) for c in toy().visible()}
    other = next(iter(known.values()))
    fault = fault_of(lambda v: known.get(np.asarray(v).tobytes(), other), jit=False)
    assert fault.summary == "A value is wrong."


def test_the_first_difference_is_the_earliest_in_time() -> None:
    # counts of (1, -2, 3, -5) are 1, 1, 2, 2; the total is -3
    fault = fault_of(lambda v: Pair(v.sum() + 1, pair(v).count.at[2:].add(5)))
    assert fault.call == "pair(array([1, -2, 3, -5]))"
    assert (fault.where, fault.got, fault.expected) == ("count[t=2]", "7", "2")
    assert fault.rule == "It counts."
    assert "count: got array([1, 1, 7, 7]), expected array([1, 1, 2, 2])." in fault.notes
    assert "Other fields that differ: total." in fault.notes


FORMS: list[tuple[Callable[[Any], Any], str, str, str]] = [
    (lambda v: v, "is not built", "one array of shape (4,)", "Pair(total, count)"),
    (lambda v: None, "is not built", "nothing (None)", "Pair(total, count)"),
    (
        lambda v: pair(v)._asdict(),
        "is not built",
        "a dict with the keys total, count",
        "Pair(total, count)",
    ),
    (lambda v: tuple(pair(v)), "is not built", "a tuple of 2", "Pair(total, count)"),
    (lambda v: Pair(v, pair(v).count), "wrong shape", "shape (4,)", "shape ()"),
    (lambda v: Pair(v.sum(), v), "wrong dtype", "dtype float32", "dtype int32"),
]


@pytest.mark.parametrize(("function", "summary", "got", "expected"), FORMS)
def test_structure_shape_and_dtype_have_messages_of_their_own(
    function: Any, summary: str, got: str, expected: str
) -> None:
    fault = fault_of(function)
    assert summary in fault.summary
    assert (fault.got, fault.expected) == (got, expected)


ERRORS = [
    ("if values[0] > 99:\n        return -values\n    return values", "with `jnp.where`"),
    ("return np.asarray(values)", "A NumPy function got a traced array"),
    ("return values * int(values[0] ** 0)", "turned into a Python number"),
    ("return values[values < 99]", "Keep the shape and use `jnp.where`"),
    ("return values + 0 * [10, 20][values.size - 4 + (values[0] > 99)]", "a plain integer"),
    ("kept.append(values)\n    return values + 0 * kept[0]", "kept outside of it"),
    ("raise NotImplementedError", "`raise NotImplementedError` is still there"),
    ("return valeus", "mend its spelling"),
    ("values[0] = 1\n    return values", "write `x = x.at[i].set(value)`"),
    ("return jax.lax.scan(lambda c, v: (c + v, v), jnp.int32(0), values)[1]", "The carry goes"),
    ("return jax.vmap(jnp.add)(values, values[:2])", "`in_axes`"),
    ("return sums()", "is called on this line"),
]


@pytest.mark.parametrize(("body", "advice"), ERRORS)
def test_an_error_is_explained_and_the_students_own_line_named(body: str, advice: str) -> None:
    source = (
        f"import jax, jax.numpy as jnp, numpy as np\nkept = []\ndef sums(values):\n    {body}\n"
    )
    fault = fault_of(students.run(source)["sums"], reference=lambda values: values * 1)
    assert fault.error
    assert advice in fault.advice
    assert fault.line.partition(": ")[2] in body
    assert "http" not in fault.got
    assert "arrays[" not in fault.got  # a name of the judge's own
    assert "Traceback" in fault.traceback
    assert fault.call == "pair(array([1, -2, 3, -5]))"


def test_what_works_only_without_jit_is_told_so() -> None:
    fault = fault_of(lambda v: pair(v) if v[0] > -9 else None)
    assert fault.summary == "It works when called directly, but not under jax.jit."
    assert "Called without jit, the same input gives the right answer." in fault.notes


def test_what_works_only_under_jit_fails() -> None:
    fault = fault_of(lambda v: pair(v) if isinstance(v, jax.core.Tracer) else Pair(v[0], v))
    assert fault.summary == "The result has the wrong dtype."


def test_a_mistake_on_no_list_has_no_diagnosis() -> None:
    judgement = judge.judge(toy(), lambda v: Pair(v.sum() + 3, pair(v).count))
    assert judgement.fault is not None
    assert judgement.misconception is None


def test_a_property_that_fails_names_its_misconception_and_an_error_in_it_is_a_fault() -> None:
    named = Misconception("shy", "It hides.", pair, property="hides")
    prop = Property("visible", lambda eager, jitted, rng: Fault("It hides.", property="hides"))
    judgement = judge.judge(toy(properties=(prop,), misconceptions=(named,)), pair)
    assert judgement.misconception is named
    broken = Property("calls", lambda eager, jitted, rng: eager("no array"))
    fault = fault_of(pair, properties=(broken,))
    assert fault.error


def test_right_values_in_another_order_are_told_so() -> None:
    judgement = judge.judge(
        toy(reference=lambda v: tuple(pair(v)), outputs=("total", "count"), misconceptions=()),
        lambda v: (pair(v).count, pair(v).total),
    )
    assert judgement.fault is not None
    assert judgement.fault.advice == (
        "The values are right and stand in another order: return total, count."
    )
    spoilt = fault_of(
        lambda v: (pair(v).count + 1, pair(v).total),
        reference=lambda v: tuple(pair(v)),
        outputs=("total", "count"),
        misconceptions=(),
    )
    assert "another order" not in spoilt.advice


def test_what_holds_everywhere_is_said_of_the_cases_that_agree_too() -> None:
    def sums(values: Any) -> Any:
        return values.sum()

    def sometimes_one_more(values: Any) -> Any:  # for the first visible case, not for the second
        return values.sum() + (values[0] == 1)

    where = {"regions": lambda case, wanted: {"every case": np.asarray(True)}}
    settings = {"reference": sums, "misconceptions": (), "rules": {}, **where}
    notes = fault_of(sometimes_one_more, **settings).notes
    assert notes == ("Every difference lies on every case.",)
    always = fault_of(lambda values: values.sum() + 1, **settings).notes
    assert "Everywhere it is one more than expected." in always


def test_parameters_in_another_order_are_told_so() -> None:
    def away(position: Any, action: Any) -> Any:
        return position - action

    def exchanged(action: Any, position: Any) -> Any:
        return position - action

    def renamed(p: Any, a: Any) -> Any:
        return a - p

    settings = {
        "reference": away,
        "misconceptions": (),
        "visible": lambda: (Case((integers(5), integers(2))), Case((integers(1), integers(7)))),
        "generate": lambda rng: Case((integers(rng.integers(9)), integers(9 + rng.integers(9)))),
    }
    told = "Your parameters stand in another order; it is position, action."
    assert fault_of(exchanged, **settings).advice == told
    assert fault_of(renamed, **settings).advice == ""


def test_keys_that_differ_are_shown_by_their_numbers() -> None:
    children = {
        "visible": lambda: (Case((jax.random.key(3),)),),
        "generate": lambda rng: Case((jax.random.key(int(rng.integers(100))),)),
        "misconceptions": (
            Misconception("constant", "Zeros.", lambda key: jax.random.split(jax.random.key(0), 2)),
        ),
        "rules": {"": "The children of the key."},
        "axes": (),
        "reference": lambda key: jax.random.split(key, 2),
    }
    fault = fault_of(lambda key: jax.random.split(key, 2)[::-1], **children)
    first, second = (
        np.asarray(jax.random.key_data(k)) for k in jax.random.split(jax.random.key(3))
    )
    assert (fault.got, fault.expected) == (str(second[0]), str(first[0]))
    assert any("got" in note and "expected" in note for note in fault.notes)
