"""Why a function is wrong: the misconception that explains it, or what its mistakes share."""

import inspect
import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gridroll.classroom import compare
from gridroll.classroom.calling import Jitted, Outcome, Raised, call
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception
from gridroll.classroom.forms import is_record, numbers
from gridroll.classroom.patterns import patterns, region_notes
from gridroll.classroom.reference import expected_form, expected_result, probed_mistake


def misconception_of(
    exercise: Exercise, cases: list[Case], outcomes: list[Outcome]
) -> Misconception | None:
    """The first mistake on the exercise's list that gives every one of these outcomes."""
    for misconception in exercise.misconceptions:
        if _explains(exercise, misconception, cases, outcomes):
            return misconception
    return None


def parameters_advice(exercise: Exercise, function: Callable[..., Any]) -> str:
    """What to say where the scaffold's parameters stand in another order; else ""."""
    wanted = list(inspect.signature(exercise.reference).parameters)
    try:
        given = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ""
    if given == wanted[: len(given)] or sorted(given) != sorted(wanted[: len(given)]):
        return ""
    return f"Your parameters stand in another order; it is {', '.join(wanted[: len(given)])}."


def order_advice(exercise: Exercise, cases: list[Case], outcomes: list[Outcome]) -> str:
    """What to say where all values are right and stand in another order; else ""."""
    names = exercise.outputs
    if exercise.replay is not None or not all(
        isinstance(o, list | tuple) and not is_record(o) and len(o) == len(names) for o in outcomes
    ):
        return ""
    wanted = [expected_result(exercise, case) for case in cases]
    for order in itertools.permutations(range(len(names))):
        turned = ([outcome[i] for i in order] for outcome in outcomes)
        if all(compare.same(got, want) for got, want in zip(turned, wanted, strict=True)):
            return f"The values are right and stand in another order: return {', '.join(names)}."
    return ""


def shared_notes(exercise: Exercise, cases: list[Case], outcomes: list[Outcome]) -> tuple[str, ...]:
    """What holds of all differences of the field that differs first."""
    compared: list[tuple[Case, Any, Any]] = []
    field = None  # the first that differs; "" where the result is one array
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
        if field is None and difference is not None:
            field = difference.field
        compared.append((case, outcome, wanted))
    if field is None:
        return ()
    found, masks, regions = [], [], []
    for case, outcome, wanted in compared:
        got = numbers(compare.leaves(outcome, exercise.outputs, like=wanted)[field])
        want = numbers(compare.leaves(wanted, exercise.outputs)[field])
        found.append((got, want))
        masks.append(compare.differs(got, want))
        regions.append(exercise.regions(case, wanted) if exercise.regions else {})
    return (*region_notes(masks, regions), *patterns(found, exercise.axes))


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
        if _gives_all(exercise, mistake, cases, outcomes):
            return True
    return False


def _gives_all(
    exercise: Exercise, mistake: Misconception, cases: list[Case], outcomes: list[Outcome]
) -> bool:
    """Whether this mistake gives every outcome; it isn't tried further once it gives another."""
    convincing = False
    for case, outcome in zip(cases, outcomes, strict=True):
        agreed = _agrees(exercise, mistake, case, outcome)
        if agreed is False:
            return False
        convincing = convincing or agreed is True
    return convincing


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
    wrong = probed_mistake(exercise, misconception.implementation)
    mistaken = call(wrong, case, misconception.implementation)
    if isinstance(mistaken, Raised) and isinstance(outcome, Raised):
        return None if type(mistaken.error) is type(outcome.error) else False
    if isinstance(mistaken, Raised) or isinstance(outcome, Raised):
        return False
    return compare.same(outcome, mistaken)


def _malformed(exercise: Exercise, case: Case, outcome: Any) -> tuple[str, ...] | None:
    """How a result is built wrongly, in a form that can be compared; None if it is built well."""
    difference = compare.difference_in_form(
        outcome, expected_form(exercise, case), exercise.outputs
    )
    if difference is None:
        return None
    return difference.kind, difference.field, difference.got
