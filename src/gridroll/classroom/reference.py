"""What an exercise's reference gives on a case, and how a function is called to compare with it."""

import functools
from collections.abc import Callable
from typing import Any

from gridroll.classroom.calling import Elsewhere, Jitted, with_own_records
from gridroll.classroom.exercise import Case, Exercise

Function = Callable[..., Any]

_references: dict[tuple[str, int], Any] = {}
_mistakes: dict[tuple[str, int], Function] = {}


def expected_result(exercise: Exercise, case: Case, got: Any = None) -> Any:
    """What the reference gives; with `replay`, what should follow the student's own draws."""
    if exercise.replay is not None and got is not None:
        return exercise.replay(case, got)
    return _result(exercise, case)


@functools.lru_cache(maxsize=1024)
def _result(exercise: Exercise, case: Case) -> Any:
    """Kept: cases of a class are the same for all its students."""
    return _reference(exercise)(*case.args, **case.kwargs)


def expected_form(exercise: Exercise, case: Case) -> Any:
    """What the result is built of: the reference's result, or its shapes where draws decide it."""
    if exercise.replay is None:
        return expected_result(exercise, case)
    return _form(exercise, case)


@functools.lru_cache(maxsize=1024)
def _form(exercise: Exercise, case: Case) -> Any:
    return _reference(exercise).form(*case.args, **case.kwargs)


def probed(exercise: Exercise, function: Function) -> Function:
    """What is judged of a function: itself, or what the exercise's probe makes of it."""
    return function if exercise.probe is None else exercise.probe(function)


def probed_mistake(exercise: Exercise, function: Function) -> Function:
    """The same of a mistake that the exercise lists, kept: each diagnosis tries it again."""
    return _mistakes.setdefault((exercise.name, id(function)), probed(exercise, function))


def routes(exercise: Exercise, function: Function) -> tuple[Function, Any]:
    """How a function is called: directly, and under jit."""
    if isinstance(function, Elsewhere):
        return function.eager, function.jitted
    own = with_own_records(function)
    return probed(exercise, own), Jitted(probed(exercise, own))


def _reference(exercise: Exercise) -> Any:
    """The reference, compiled once and kept, where the exercise is one for jit."""
    key = (exercise.name, id(exercise.reference))
    if key not in _references:
        reference = probed(exercise, exercise.reference)
        _references[key] = Jitted(reference) if exercise.jit else reference
    return _references[key]
