"""The verdict on a function: the first fault, and the misconception that explains it."""

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gridroll.classroom import compare
from gridroll.classroom.calling import (
    Jitted,
    Outcome,
    Raised,
    Stepwise,
    advice,
    call,
    calls_reference,
    default_promotion,
    is_same_function,
    raised,
)
from gridroll.classroom.describe import describe, describe_call
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.classroom.patterns import patterns, region_notes

EVIDENCE = 6  # how many cases a diagnosis must explain
MOST_SHOWN = 24  # entries of an array that is shown whole

Function = Callable[..., Any]

_references: dict[tuple[str, int], Any] = {}


@dataclass(frozen=True)
class Judgement:
    """No fault means passed."""

    fault: Fault | None = None
    misconception: Misconception | None = None


def draw_cases(exercise: Exercise, seed: int) -> tuple[Case, ...]:
    """The generated cases of a seed."""
    rng = np.random.default_rng([seed, zlib.crc32(exercise.name.encode())])
    return tuple(exercise.generate(rng) for _ in range(exercise.generated))


@default_promotion()
def judge(exercise: Exercise, function: Function, seed: int = 0) -> Judgement:
    """Call the function on every case, eagerly and under jit, and hold it to every property."""
    visible = exercise.visible()
    if is_same_function(function, exercise.reference) or calls_reference(
        function, visible[0], exercise.reference, traced=exercise.jit
    ):
        return Judgement(
            Fault(
                "That runs the library's own function. The exercise is to write it yourself.",
                call=_call_text(exercise, visible[0]),
                got="the library's answer",
                expected="your own code",
            )
        )
    cases = (*visible, *draw_cases(exercise, seed))
    eager, jitted = _eager(exercise, function), Jitted(_probed(exercise, function))
    for route, case in _routes(exercise, eager, jitted, cases, len(visible)):
        fault = judge_case(exercise, function, route, case)
        if fault is not None:
            return _explained(exercise, function, route, case, fault, cases)
    for prop in exercise.properties:
        fault = _held_to(prop, function, eager, jitted, exercise)
        if fault is not None:
            fault = replace(fault, property=fault.property or prop.name)
            named = [m for m in exercise.misconceptions if m.property == fault.property]
            return Judgement(fault, named[0] if named else None)
    return Judgement()


def expected_result(exercise: Exercise, case: Case, got: Any = None) -> Any:
    """What the reference gives; with `replay`, what should follow the student's own draws."""
    if exercise.replay is not None and got is not None:
        return exercise.replay(case, got)
    return _reference(exercise)(*case.args, **case.kwargs)


def _reference(exercise: Exercise) -> Any:
    """The reference, compiled once and kept, where the exercise is one for jit."""
    key = (exercise.name, id(exercise.reference))
    if key not in _references:
        reference = _probed(exercise, exercise.reference)
        _references[key] = Jitted(reference) if exercise.jit else reference
    return _references[key]


def judge_case(exercise: Exercise, owner: Function, route: Function, case: Case) -> Fault | None:
    """The fault of one call, or None."""
    outcome = call(route, case, owner)
    text = _call_text(exercise, case)
    if isinstance(outcome, Raised):
        return _error_fault(outcome, text, _expected_text(exercise, case))
    malformed = compare.difference_in_form(outcome, _form(exercise, case), exercise.outputs)
    if malformed is not None:
        return _difference_fault(exercise, malformed, text)
    wanted = expected_result(exercise, case, outcome)
    if isinstance(wanted, Fault):
        return replace(wanted, call=text)
    difference = compare.first_difference(outcome, wanted, exercise.outputs, exercise.axes)
    if difference is None:
        return None
    fault = _difference_fault(exercise, difference, text)
    return replace(fault, notes=(*_whole(exercise, outcome, wanted, difference), *fault.notes))


def _form(exercise: Exercise, case: Case) -> Any:
    """What the result is built of: the reference's result, or its shapes where draws decide it."""
    if exercise.replay is None:
        return expected_result(exercise, case)
    return _reference(exercise).form(*case.args, **case.kwargs)


def _expected_text(exercise: Exercise, case: Case) -> str:
    if exercise.replay is None:
        return describe(expected_result(exercise, case))
    fields = compare.leaves(_form(exercise, case), exercise.outputs)
    return ", ".join(f"{name} {leaf.dtype} {leaf.shape}" for name, leaf in fields.items())


def _routes(
    exercise: Exercise,
    eager: Function,
    jitted: Function,
    cases: tuple[Case, ...],
    num_visible: int,
) -> Iterator[tuple[Function, Case]]:
    """The visible cases eagerly, then under jit, then the generated ones likewise.

    Only the first `exercise.eager` cases are called eagerly. Stepwise exercises compile one program
    only: that of the generated cases.
    """
    visible, generated = cases[:num_visible], cases[num_visible:]
    if exercise.stepwise:
        yield from ((eager, case) for case in visible)
        yield from ((jitted, case) for case in generated)
        return
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
) -> Judgement:
    """Look for the misconception that explains every outcome, and for patterns."""
    evidence = [case, *(c for c in cases if c is not case)][:EVIDENCE]
    outcomes = [call(route, c, function) for c in evidence]
    for misconception in exercise.misconceptions:
        if _explains(exercise, misconception, evidence, outcomes):
            return Judgement(fault, misconception)
    if isinstance(route, Jitted) and not exercise.stepwise:
        eager = judge_case(exercise, function, _probed(exercise, function), case)
        if eager is None:
            note = "Called without jit, the same input gives the right answer."
            fault = replace(
                fault,
                summary="It works when called directly, but not under jax.jit.",
                notes=(note, *fault.notes),
            )
    return Judgement(replace(fault, notes=(*fault.notes, *_notes(exercise, evidence, outcomes))))


def _explains(
    exercise: Exercise, misconception: Misconception, cases: list[Case], outcomes: list[Outcome]
) -> bool:
    """Whether this mistake gives these outcomes, all of them, and not only errors."""
    if misconception.property:
        return False
    if misconception.raises:
        return all(
            isinstance(o, Raised) and bool(re.search(misconception.raises, str(o.error), re.S))
            for o in outcomes
        )
    for implementation in (misconception.implementation, *misconception.also):
        mistake = replace(misconception, implementation=implementation)
        agreed = [
            _agrees(exercise, mistake, case, outcome)
            for case, outcome in zip(cases, outcomes, strict=True)
        ]
        if True in agreed and False not in agreed:
            return True
    return False


def _agrees(
    exercise: Exercise, misconception: Misconception, case: Case, outcome: Outcome
) -> bool | None:
    """Whether an outcome is what the mistake gives; None where both stop with the same error."""
    if exercise.replay is not None:
        if isinstance(outcome, Raised):
            return False
        malformed = _malformed(exercise, case, outcome)
        if malformed is not None:
            form = Jitted(misconception.implementation).form(*case.args, **case.kwargs)
            return malformed == _malformed(exercise, case, form)
        if misconception.replay is None:
            return False
        return compare.same(outcome, misconception.replay(case, outcome))
    wrong = _eager(exercise, misconception.implementation)
    mistaken = call(wrong, case, misconception.implementation)
    if isinstance(mistaken, Raised) and isinstance(outcome, Raised):
        return None if type(mistaken.error) is type(outcome.error) else False
    if isinstance(mistaken, Raised) or isinstance(outcome, Raised):
        return False
    return compare.same(outcome, mistaken)


def _malformed(exercise: Exercise, case: Case, outcome: Any) -> tuple[str, ...] | None:
    """How a result is built wrongly, in a form that can be compared; None if it is built well."""
    difference = compare.difference_in_form(outcome, _form(exercise, case), exercise.outputs)
    if difference is None:
        return None
    return difference.kind, difference.field, difference.got


def _notes(exercise: Exercise, cases: list[Case], outcomes: list[Outcome]) -> tuple[str, ...]:
    """What holds of all differences of the field that differs first."""
    found, masks, regions = [], [], []
    field = None
    for case, outcome in zip(cases, outcomes, strict=True):
        if isinstance(outcome, Raised):
            return ()
        if _malformed(exercise, case, outcome) is not None:
            return ()
        wanted = expected_result(exercise, case, outcome)
        if isinstance(wanted, Fault):
            return ()
        difference = compare.first_difference(outcome, wanted, exercise.outputs, exercise.axes)
        if difference is not None and difference.kind != "value":
            return ()
        field = field or (difference.field if difference else None)
        if field is None:
            continue
        got = np.asarray(compare.leaves(outcome, exercise.outputs, like=wanted)[field])
        want = np.asarray(compare.leaves(wanted, exercise.outputs)[field])
        found.append((got, want))
        masks.append(compare.differs(got, want))
        regions.append(exercise.regions(case, wanted) if exercise.regions else {})
    return (*region_notes(masks, regions), *patterns(found, exercise.axes))


def _held_to(
    prop: Property, function: Function, eager: Function, jitted: Function, exercise: Exercise
) -> Fault | None:
    """A property's fault; an error out of the student's code while it is tested is one too."""
    try:
        return prop.test(eager, jitted)
    except Exception as error:
        return _error_fault(raised(error, function), f"{exercise.function_name}(...)", "no error")


def _eager(exercise: Exercise, function: Function) -> Function:
    probed = _probed(exercise, function)
    return Stepwise(probed) if exercise.stepwise else probed


def _probed(exercise: Exercise, function: Function) -> Function:
    return function if exercise.probe is None else exercise.probe(function)


def _call_text(exercise: Exercise, case: Case) -> str:
    return describe_call(exercise.function_name, case.args, dict(case.kwargs))


def _error_fault(outcome: Raised, text: str, expected: str) -> Fault:
    hint = advice(outcome.error)
    return Fault(
        summary="Your function stopped with an error.",
        call=text,
        got=outcome.message,
        expected=expected,
        rule=hint,
        line=outcome.line,
        traceback=outcome.text,
        error=True,
    )


def _difference_fault(exercise: Exercise, difference: compare.Difference, text: str) -> Fault:
    summaries = {
        "structure": "The result is not built as it should be.",
        "shape": "The result has the wrong shape.",
        "dtype": "The result has the wrong dtype.",
        "value": "A value is wrong.",
    }
    field = difference.field
    rule = exercise.rules.get(field) or exercise.rules.get(field.rpartition(".")[2])
    others = ", ".join(difference.others)
    return Fault(
        summary=summaries[difference.kind],
        call=text,
        where=difference.where or "the result",
        got=difference.got,
        expected=difference.expected,
        rule=rule or exercise.rules.get("", ""),
        notes=(f"Other fields that differ: {others}.",) if others else (),
    )


def _whole(
    exercise: Exercise, outcome: Any, wanted: Any, difference: compare.Difference
) -> tuple[str, ...]:
    """Both arrays, where they are small enough to read."""
    got = np.asarray(compare.leaves(outcome, exercise.outputs, like=wanted)[difference.field])
    if got.ndim == 0 or got.size > MOST_SHOWN:
        return ()
    want = np.asarray(compare.leaves(wanted, exercise.outputs)[difference.field])
    name = difference.field or "the whole result"
    return (f"{name}: got {describe(got)}, expected {describe(want)}.",)


@default_promotion()
def witness_lines(exercise: Exercise, witness: Any) -> list[tuple[str, str]]:
    """Why a witness doesn't show the fault of the broken function; empty if it does."""
    if witness is ... or exercise.witness is None or exercise.broken is None:
        return [
            ("", "The function is mended. Now give the input that shows the fault of the old one:"),
            ("Expected", "a value in place of `...` in `witness = ...`"),
        ]
    try:
        case = exercise.witness(witness)
    except (TypeError, ValueError) as error:
        return [("", "The witness can't be used."), ("Got", describe(witness)), ("", str(error))]
    broken = call(_probed(exercise, exercise.broken), case, exercise.broken)
    right = expected_result(exercise, case)
    if isinstance(broken, Raised) or not compare.same(broken, right):
        return []
    return [
        ("", "The function is mended, but on this witness the broken one gave the same."),
        ("Called", _call_text(exercise, case)),
        ("Both give", describe(right)),
    ]
