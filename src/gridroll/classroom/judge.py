"""The verdict on a function: the first fault, and the misconception that explains it."""

import functools
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gridroll.classroom import compare, forms
from gridroll.classroom.calling import (
    Elsewhere,
    Raised,
    call,
    default_promotion,
    raised,
    with_own_records,
)
from gridroll.classroom.describe import brief_call, describe
from gridroll.classroom.diagnose import (
    misconception_of,
    order_advice,
    parameters_advice,
    shared_notes,
)
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.classroom.faults import (
    SUMMARIES,
    both_arrays,
    called,
    difference_fault,
    error_fault,
    expected_text,
)
from gridroll.classroom.reference import (
    expected_form,
    expected_result,
    probed,
    routes,
)
from gridroll.classroom.watching import is_same_function, library_call

EVIDENCE = 6  # how many cases a diagnosis must explain

Function = Callable[..., Any]


@dataclass(frozen=True)
class Judgement:
    """No fault means passed."""

    fault: Fault | None = None
    misconception: Misconception | None = None
    fresh: bool = False  # whether a generated case showed the fault: students don't know these


def draw_cases(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    """The generated cases of a seed."""
    rng = generator(seed, exercise.name)
    return tuple(exercise.generate(rng) for _ in range(exercise.generated))


@functools.lru_cache(maxsize=64)
def _cases(exercise: Exercise, seed: int) -> tuple[tuple[Case, ...], tuple[Case, ...]]:
    """The visible and the generated cases, kept while a class is judged.

    Only for functions elsewhere: one in this process may write into an array that it is given.
    """
    return exercise.visible(), draw_cases(exercise, seed)


def generator(seed: int, *names: str) -> np.random.Generator:
    """The generator that belongs to these names under a seed."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


@default_promotion()
def judge(exercise: Exercise, function: Function, seed: int = 0) -> Judgement:
    """Call the function on every case, eagerly and under jit, and hold it to every property."""
    elsewhere = isinstance(function, Elsewhere)
    visible, drawn = (_cases if elsewhere else _cases.__wrapped__)(exercise, seed)
    library = (exercise.reference, *exercise.parts)
    ran = ""
    if not elsewhere:
        own = with_own_records(function)
        ran = library_call(own, visible[0], library, traced=exercise.jit)
    if ran or is_same_function(function, exercise.reference):
        fault = Fault(
            f"That runs the library's own `{ran or exercise.function_name}`. The exercise is to "
            "write it yourself.",
            got="the library's answer",
            expected="your own code",
        )
        return Judgement(called(fault, exercise, visible[0]))
    cases = (*visible, *drawn)
    eager, jitted = routes(exercise, function)
    for route, case in _routes(exercise, eager, jitted, cases, len(visible)):
        found = judge_case(exercise, function, route, case)
        if found is not None:
            fault = called(found, exercise, case)
            compiled = route is jitted
            try:
                judgement = _explained(exercise, function, route, case, fault, cases, compiled)
            except Exception:  # a result that can't even be looked at has no other explanation
                judgement = Judgement(fault)
            return replace(judgement, fresh=not any(case is shown for shown in visible))
    for prop in exercise.properties:
        rng = generator(seed, exercise.name, prop.name)
        found = _held_to(prop, function, eager, jitted, exercise, rng)
        if found is not None:
            fault = replace(found, property=found.property or prop.name)
            named = [m for m in exercise.misconceptions if m.property == fault.property]
            return Judgement(fault, named[0] if named else None)
    return Judgement()


def judge_case(exercise: Exercise, owner: Function, route: Function, case: Case) -> Fault | None:
    """The fault of one call, or None."""
    outcome = call(route, case, owner)
    if isinstance(outcome, Raised):
        return error_fault(outcome, expected_text(exercise, case))
    try:
        return _compared(exercise, case, outcome)
    except Exception:  # a value that its own class can't show, compare or turn into an array
        return _built_of(type(outcome).__name__, "the result", expected_text(exercise, case))


def _compared(exercise: Exercise, case: Case, outcome: Any) -> Fault | None:
    """What differs between a result and the expected one, or None."""
    malformed = compare.difference_in_form(outcome, expected_form(exercise, case), exercise.outputs)
    if malformed is not None:
        return difference_fault(exercise, malformed)
    for name, part in compare.leaves(outcome, exercise.outputs).items():
        if not forms.has_numbers(part):
            return _built_of(describe(part), name or "the result", "an array with entries")
    wanted = expected_result(exercise, case, outcome)
    if isinstance(wanted, Fault):
        return wanted
    difference = compare.first_difference(outcome, wanted, exercise.outputs, exercise.axes)
    if difference is None:
        return None
    fault = difference_fault(exercise, difference)
    return replace(fault, notes=(*both_arrays(exercise, outcome, wanted, difference), *fault.notes))


def _built_of(got: str, where: str, expected: str) -> Fault:
    """A result that holds something that isn't a value of any use."""
    return Fault(SUMMARIES["structure"], where=where, got=got, expected=expected)


def _routes(
    exercise: Exercise,
    eager: Function,
    jitted: Function,
    cases: tuple[Case, ...],
    num_visible: int,
) -> Iterator[tuple[Function, Case]]:
    """The visible cases eagerly, then under jit, then the generated ones likewise.

    Only the first `exercise.eager` cases are called eagerly.
    """
    visible, generated = cases[:num_visible], cases[num_visible:]
    most = exercise.eager if exercise.jit else len(cases)
    yield from ((eager, case) for case in visible[:most])
    yield from ((jitted, case) for case in (visible[exercise.jit_from :] if exercise.jit else ()))
    yield from ((eager, case) for case in generated[: max(0, most - num_visible)])
    yield from ((jitted, case) for case in (generated if exercise.jit else ()))


def _explained(
    exercise: Exercise,
    function: Function,
    route: Function,
    case: Case,
    fault: Fault,
    cases: tuple[Case, ...],
    compiled: bool,
) -> Judgement:
    """Look for the misconception that explains every outcome, and for patterns."""
    evidence = [case, *(c for c in cases if c is not case)][:EVIDENCE]
    outcomes = [call(route, c, function) for c in evidence]
    misconception = misconception_of(exercise, evidence, outcomes)
    if misconception is not None:
        return Judgement(fault, misconception)
    in_order = parameters_advice(exercise, function) or order_advice(exercise, evidence, outcomes)
    if in_order:
        return Judgement(replace(fault, advice=in_order, rule=""))
    if compiled:
        direct, _ = routes(exercise, function)
        if judge_case(exercise, function, direct, case) is None:
            note = "Called without jit, the same input gives the right answer."
            fault = replace(
                fault,
                summary="It works when called directly, but not under jax.jit.",
                notes=(note, *fault.notes),
            )
    notes = shared_notes(exercise, evidence, outcomes)
    return Judgement(replace(fault, notes=(*fault.notes, *notes)))


def _held_to(
    prop: Property,
    function: Function,
    eager: Function,
    jitted: Function,
    exercise: Exercise,
    rng: np.random.Generator,
) -> Fault | None:
    """A property's fault; an error out of the student's code while it is tested is one too."""
    try:
        return prop.test(eager, jitted, rng)
    except Exception as error:
        fault = error_fault(raised(error, function), "no error")
        return replace(fault, call=f"{exercise.function_name}(...)")


@default_promotion()
def witness_lines(exercise: Exercise, witness: Any) -> list[tuple[str, str]]:
    """Why a witness doesn't show the fault of the broken function; empty if it does."""
    if witness is ... or exercise.witness is None or exercise.broken is None:
        return [
            ("", "The input that shows the fault of the broken function is still to be given."),
            ("Expected", "a value in place of `...` in `witness = ...`"),
        ]
    try:
        case = exercise.witness(witness)
    except Exception as error:
        why = str(error) if type(error) in (TypeError, ValueError) else "It has another form."
        return [("", "The witness can't be used."), ("Got", describe(witness)), ("", why)]
    broken = call(probed(exercise, exercise.broken), case, exercise.broken)
    right = expected_result(exercise, case)
    if isinstance(broken, Raised) or not compare.same(broken, right):
        return []
    return [
        ("", "On this witness the broken function gives the right answer."),
        ("Called", brief_call(exercise.function_name, case.args, dict(case.kwargs))),
        ("Both give", describe(right)),
    ]
