"""`check`, `predict` and `hint`: what a notebook calls."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gridroll.classroom import assess, progress, progress_file, registry
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Choice, Exercise, Prediction, Task, is_placeholder
from gridroll.classroom.report import MARKS, Report, headline

VERDICT_MIME = "application/vnd.gridroll.verdict+json"
TRIES_BEFORE_ANSWER = 3

_passed: dict[str, Callable[..., Any]] = {}
_last: dict[str, str] = {}  # an exercise -> the status of its last check in this session


@dataclass(frozen=True)
class Verdict:
    """What a check found. In a notebook it has been shown already, so it shows nothing itself."""

    name: str
    status: str  # "passed", "failed", "error" or "not_attempted"
    points: int  # earned
    of: int  # to be earned
    diagnosis: str | None  # the name of the misconception that was recognised
    text: str

    @property
    def passed(self) -> bool:
        """Whether the exercise is done."""
        return self.status == "passed"

    def _ipython_display_(self) -> None:
        """Show nothing: the check has printed its text."""


def check(name: str, answer: Any, witness: Any = ...) -> Verdict:
    """Check an answer and say what is wrong with it, if anything is.

    Args:
        name: the exercise, such as "collector.rollout".
        answer: your function; for a choice, the letter.
        witness: for a diagnosis, the input that shows the fault.

    Returns:
        The verdict: `.passed`, `.status`, `.diagnosis`, `.points`.

    Raises:
        UnknownExerciseError: no exercise has this name.
        AssertionError: the check failed while nbgrader grades the notebook.
    """
    task = registry.find(name)
    if isinstance(task, Prediction):
        return predict(name, answer)
    if isinstance(task, Choice):
        found = assess.choice(task, answer)
        return _deliver(task, found.status, list(found.lines))
    return _deliver(task, *_check_function(task, answer, witness))


def predict(name: str, *guess: Any) -> Verdict:
    """Commit a guess before a run; without one, after the run, compare it with the result.

    The first guess counts, and any guess of the right form earns the point.

    Raises:
        UnknownExerciseError: no prediction has this name.
    """
    task = registry.find(name)
    if not isinstance(task, Prediction):
        raise registry.UnknownExerciseError(f"{name} is a {task.kind}, not a prediction: use check")
    if not guess:
        return _compare_prediction(task)
    if is_placeholder(guess[0]):
        lines = [("", f"Write {task.form} in place of `...`, then run the cell.")]
        return _deliver(task, "not_attempted", lines)
    if not task.accepts(guess[0]):
        wrong = ("", "The guess hasn't the form that is asked for.")
        lines = [wrong, ("Got", describe(guess[0])), ("Expected", task.form)]
        return _deliver(task, "failed", lines)
    first = progress.commit_prediction(name, guess[0])
    lines = [("Your guess", describe(first))]
    if first != progress_file.plain(guess[0]):
        lines.append(("", "The first guess is the one that counts."))
    lines.append(("", "Run the next cells, then compare."))
    return _deliver(task, "passed", lines)


def yours(name: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Your own function, once its check has passed in this session; until then another one."""
    if name in _passed:
        print(f"With your own {registry.find(name).name.partition('.')[2]}:")
        return _passed[name]
    print("With the library's function, until your own has passed its check:")
    return otherwise


def _compare_prediction(task: Prediction) -> Verdict:
    committed = progress.prediction(task.name)
    if committed is None:
        lines = [("", "There is no guess yet: commit one in the cell above first.")]
        return _deliver(task, "not_attempted", lines)
    truth = task.truth()
    lines = [
        ("Your guess", describe(committed)),
        ("The run", describe(truth)),
        ("", task.explain(truth)),
    ]
    return _deliver(task, "passed", lines)


def _check_function(
    task: Exercise, answer: Any, witness: Any
) -> tuple[str, list[tuple[str, str]], str | None, tuple[tuple[str, str], ...]]:
    if not is_placeholder(answer) and not callable(answer):
        wanted = f"the function itself, without calling it: check({task.name!r}, my_function)"
        return "failed", [("Got", describe(answer)), ("Expected", wanted)], None, ()
    found = assess.Assessment("not_attempted")
    if not is_placeholder(answer):
        found = assess.function(task, answer, witness)
    lines = list(found.lines)
    if found.status == "not_attempted":
        todo = "Write the function in the cell above, then run this check."
        lines = [*found.lines, ("", f"{todo} {_hint_offer(task)}")]
    elif found.status == "passed":
        _passed[task.name] = answer
        lines = _after_pass(task)
    elif found.faulty:
        lines.append(("Next", _next_step(task)))
    return found.status, lines, found.diagnosis, found.folded


def _after_pass(task: Exercise) -> list[tuple[str, str]]:
    """Why the likeliest wrong answer fails, and where the student stands."""
    module = task.name.partition(".")[0]
    names = [other.name for other in registry.numbered(module)]
    done = len(progress.passed(names) | ({task.name} & set(names)))
    return [("A common slip", task.why), ("", f"{done} of {len(names)}; you can now {task.gain}.")]


def _next_step(task: Exercise) -> str:
    if progress.tries(task.name) + 1 >= TRIES_BEFORE_ANSWER:
        return f'hint("{task.name}"), or hint("{task.name}", answer=True) for the explained answer'
    return _hint_offer(task)


def _hint_offer(task: Exercise) -> str:
    return f'hint("{task.name}") gives a hint.'


def _deliver(
    task: Task,
    status: str,
    lines: list[tuple[str, str]],
    diagnosis: str | None = None,
    folded: tuple[tuple[str, str], ...] = (),
) -> Verdict:
    """Remember a verdict, show it, and under nbgrader raise if it isn't a pass."""
    earned = task.points if status == "passed" else 0
    # A guess is neither right nor wrong for marks, so it isn't said to have passed.
    said = "committed" if status == "passed" and isinstance(task, Prediction) else status
    report = Report(
        headline(task.name, said, earned, task.points), MARKS[said], tuple(lines), folded
    )
    verdict = Verdict(task.name, status, earned, task.points, diagnosis, report.text)
    _last[task.name] = status
    progress.remember(verdict)
    display_report(report, {VERDICT_MIME: _record(verdict)})
    if not verdict.passed and os.environ.get("NBGRADER_EXECUTION"):
        raise AssertionError(report.text)
    return verdict


def last_status(name: str) -> str:
    """The status of the last check of an exercise in this session; "" before the first."""
    return _last.get(name, "")


def display_report(report: Report, records: dict[str, Any]) -> None:
    """Show a report: as HTML in a notebook, with `records` for programs, and else as text."""
    if "IPython" not in sys.modules or not _in_kernel():
        print(report.text)
        return
    from IPython.display import display

    display({"text/plain": report.text, "text/html": report.html, **records}, raw=True)


def _record(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "status": verdict.status,
        "passed": verdict.passed,
        "points": verdict.points,
        "of": verdict.of,
        "diagnosis": verdict.diagnosis,
    }


def _in_kernel() -> bool:
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")
