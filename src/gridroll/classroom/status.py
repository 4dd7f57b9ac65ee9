"""What is done of the course, counted from the registry and the progress file."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from gridroll.classroom import registry, workbook
from gridroll.classroom.exercise import Task
from gridroll.classroom.progress_file import Entry, Progress


@dataclass(frozen=True)
class LessonStatus:
    """How far a student is in one lesson. Stretch exercises don't count.

    Attributes:
        lesson: the name of the notebook, such as "03_collector".
        exercises: exercises passed, and how many there are.
        questions: predictions and choices done, and how many there are.
        points: points earned, and how many there are.
    """

    lesson: str
    exercises: tuple[int, int]
    questions: tuple[int, int]
    points: tuple[int, int]


def course_status(root: Path, progress: Progress) -> list[LessonStatus]:
    """The status of each lesson of the course that has exercises, in the course's order."""
    known = registry.lessons()
    return [
        _lesson_status(path.stem, registry.lesson_exercises(module), progress)
        for path in workbook.lesson_files(root / "lessons")
        if (module := path.stem.partition("_")[2]) in known
    ]


def _lesson_status(lesson: str, tasks: tuple[Task, ...], progress: Progress) -> LessonStatus:
    return count(lesson, tasks, {task.name for task in tasks if entry(progress, task).passed})


def count(lesson: str, tasks: Iterable[Task], done: Collection[str]) -> LessonStatus:
    """The status of a lesson of which these exercises are done."""
    counted = [task for task in tasks if not task.stretch]
    exercises = [task for task in counted if task.kind in ("code", "diagnosis")]
    questions = [task for task in counted if task not in exercises]

    def passed(some: list[Task]) -> tuple[int, int]:
        return sum(task.name in done for task in some), len(some)

    earned = sum(task.points for task in counted if task.name in done)
    points = earned, sum(task.points for task in counted)
    return LessonStatus(lesson, passed(exercises), passed(questions), points)


def entry(progress: Progress, task: Task) -> Entry:
    """What is known of one exercise."""
    return progress.exercises.get(task.name, Entry())
