"""`standing`: the last cell of a lesson's questions, which says what is done and what is open."""

import os

from gridroll.classroom import checking, progress, registry
from gridroll.classroom.exercise import Prediction, Task
from gridroll.classroom.report import MARKS, Report


def standing(lesson: str) -> int | None:
    """Show what of a lesson is done and what is still open.

    Args:
        lesson: the module's name, such as "collector".

    Returns:
        None; but while nbgrader grades the notebook, the points for the lesson's predictions and
        choices, which nbgrader reads off the cell. There the last letter of a choice counts.

    Raises:
        UnknownExerciseError: no lesson has this name.
    """
    tasks = [task for task in registry.lesson_exercises(lesson) if not task.stretch]
    done = progress.passed(task.name for task in tasks)
    report = _report(lesson, tasks, done)
    checking.display_report(report, {})
    if not os.environ.get("NBGRADER_EXECUTION"):
        return None
    return sum(task.points for task in registry.questions(lesson) if _earned(task))


def _earned(task: Task) -> bool:
    if isinstance(task, Prediction):
        return progress.prediction(task.name) is not None
    return checking.last_status(task.name) == "passed"


def _report(lesson: str, tasks: list[Task], done: set[str]) -> Report:
    from gridroll.classroom import status  # it looks for the workbook: only the last cell needs it

    counts = status.count(lesson, tasks, done)
    earned, of = counts.points
    parts = (("Exercises", counts.exercises), ("Questions", counts.questions))
    lines = [(what, f"{passed} of {asked}") for what, (passed, asked) in parts if asked]
    lines += [("Open", f"{task.name}: {task.title}") for task in tasks if task.name not in done]
    mark = MARKS["passed" if earned == of else "not_attempted"]
    return Report(f"{lesson}: {earned} of {of} points", mark, tuple(lines))
