"""Hints, one at a time, and after enough tries the explained answer."""

from gridroll.classroom import progress, registry
from gridroll.classroom.checking import TRIES_BEFORE_ANSWER
from gridroll.classroom.exercise import Exercise

_given: dict[str, int] = {}


def hint(name: str, *, answer: bool = False) -> None:
    """Print the next hint of an exercise; with `answer=True`, after three tries, its answer.

    Raises:
        UnknownExerciseError: no exercise has this name.
    """
    print(explained_answer(name) if answer else next_hint(name))


def next_hint(name: str, number: int | None = None) -> str:
    """Hint number 1, 2 or 3; without a number, the one after the last that was given."""
    task = registry.find(name)
    if not task.hints:
        return f"{name} is a {task.kind}: there is no hint, your own guess is what counts."
    last = len(task.hints)
    if number is None:
        number = min(_given.get(name, 0) + 1, last)
        _given[name] = number
    if not 1 <= number <= last:
        raise ValueError(f"hint {number} of {name} doesn't exist; there are hints 1 to {last}")
    return f"Hint {number} of {last}: {task.hints[number - 1]}"


def explained_answer(name: str) -> str:
    """The reference answer with its explanation and a fresh variant, after three failed tries."""
    task = registry.find(name)
    if not isinstance(task, Exercise):
        return next_hint(name)
    tries = progress.tries(name)
    if tries < TRIES_BEFORE_ANSWER and name not in progress.passed([name]):
        left = TRIES_BEFORE_ANSWER - tries
        more = f"{left} more {'try' if left == 1 else 'tries'}"
        return f"The answer is offered after {more}. Until then: {next_hint(name)}"
    again = "Close the answer, write the function again from its docstring, and"
    variant = _variant(task, seed=1 + tries)
    if variant:
        again = f"A fresh variant. {again} work this one out by hand:\n{variant}"
    else:
        again = f"{again} check it."
    return f"{task.answer.strip()}\n\n{task.explanation}\n\n{again}"


def _variant(task: Exercise, seed: int) -> str:
    """The shortest of some fresh inputs, and what it gives; "" where none can be read whole."""
    from gridroll.classroom import judge
    from gridroll.classroom.calling import default_promotion
    from gridroll.classroom.describe import TOO_LONG, describe, describe_call
    from gridroll.classroom.reference import expected_result

    written = []
    for case in (*judge.draw_cases(task, seed), *task.visible()):
        call = describe_call(task.function_name, case.args, dict(case.kwargs))
        written.append((TOO_LONG in call, len(call), call, case))
    too_long, _, call, case = min(written, key=lambda row: row[:2])
    if too_long:
        return ""
    with default_promotion():
        result = describe(expected_result(task, case))
    return "" if TOO_LONG in result else f"  {call}\nIt gives\n  {result}"
