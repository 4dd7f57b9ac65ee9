"""What is wrong with one call, in words."""

from dataclasses import replace
from typing import Any

from gridroll.classroom import compare
from gridroll.classroom.advice import advice
from gridroll.classroom.calling import Raised
from gridroll.classroom.describe import brief_call, describe, describe_call
from gridroll.classroom.exercise import Case, Exercise, Fault
from gridroll.classroom.forms import kind, numbers, outline
from gridroll.classroom.reference import expected_form, expected_result

MOST_SHOWN = 24  # entries of an array that is shown whole
MOST_EXPECTED = 100  # characters of what is expected where an error came instead
SUMMARIES = {
    "structure": "The result is not built as it should be.",
    "shape": "The result has the wrong shape.",
    "dtype": "The result has the wrong dtype.",
    "value": "A value is wrong.",
}


def called(fault: Fault, exercise: Exercise, case: Case) -> Fault:
    """The fault with the call that showed it: in short, and whole where that is longer."""
    shown = case if exercise.shown is None else exercise.shown(case)
    given = (exercise.function_name, shown.args, dict(shown.kwargs))
    brief, whole = brief_call(*given), describe_call(*given)
    return replace(fault, call=brief, whole_call="" if whole == brief else whole)


def error_fault(outcome: Raised, expected: str) -> Fault:
    """An error out of the student's code."""
    return Fault(
        summary="Your function stopped with an error.",
        got=outcome.message,
        expected=expected,
        advice=advice(outcome.error, outcome.line),
        line=outcome.line,
        traceback=outcome.text,
        error=True,
    )


def expected_text(exercise: Exercise, case: Case) -> str:
    """What should have come in place of an error, in one short line."""
    if exercise.replay is not None:
        return _named(expected_form(exercise, case), exercise.outputs)
    wanted = expected_result(exercise, case)
    if describe.dispatch(type(wanted)) is not describe.dispatch(object):
        return kind(wanted)  # its text is a call that makes one
    whole = describe(wanted)
    return whole if len(whole) <= MOST_EXPECTED else _named(wanted, exercise.outputs)


def difference_fault(exercise: Exercise, difference: compare.Difference) -> Fault:
    """A result that differs from the expected one."""
    field = difference.field
    rule = exercise.rules.get(field) or exercise.rules.get(field.rpartition(".")[2], "")
    if difference.advice and (difference.kind == "structure" or not field):
        rule = ""  # it speaks of values, and there are none to speak of yet
    elif not rule:
        rule = exercise.rules.get("", "")
    others = ", ".join(difference.others)
    return Fault(
        summary=SUMMARIES[difference.kind],
        where=difference.where or "the result",
        got=difference.got,
        expected=difference.expected,
        advice=difference.advice,
        rule=rule,
        notes=(f"Other fields that differ: {others}.",) if others else (),
    )


def both_arrays(
    exercise: Exercise, outcome: Any, wanted: Any, difference: compare.Difference
) -> tuple[str, ...]:
    """What came and what was expected of the field that differs, where both can be read."""
    got = numbers(compare.leaves(outcome, exercise.outputs, like=wanted)[difference.field])
    if got.ndim == 0 or got.size > MOST_SHOWN:
        return ()
    want = numbers(compare.leaves(wanted, exercise.outputs)[difference.field])
    name = difference.field or "the whole result"
    return (f"{name}: got {describe(got)}, expected {describe(want)}.",)


def _named(value: Any, outputs: tuple[str, ...]) -> str:
    """Of what a result is made: `state, reward, terminated`, or the record's own fields."""
    short = outline(value)
    return ", ".join(outputs) if outputs and len(short) > MOST_EXPECTED else short
