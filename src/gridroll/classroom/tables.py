"""The tables and the progress bar that the command line prints."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from gridroll.classroom import registry
from gridroll.classroom.headless import Record
from gridroll.classroom.progress_file import Progress as Known
from gridroll.classroom.status import LessonStatus, entry

_COLOURS = {"passed": "green", "failed": "yellow", "not_attempted": "dim", "missing": "dim"}


def course_table(lessons: Sequence[LessonStatus]) -> Table:
    """One row for each lesson: exercises, questions and points; a row of totals."""
    table = _table("Lesson", "Exercises", "Questions", "Points")
    totals = [[0, 0], [0, 0], [0, 0]]
    for lesson in lessons:
        parts = lesson.exercises, lesson.questions, lesson.points
        table.add_row(lesson.lesson, *(f"{done} of {total}" for done, total in parts))
        for sums, part in zip(totals, parts, strict=True):
            sums[0] += part[0]
            sums[1] += part[1]
    table.add_section()
    table.add_row("Total", *(f"{done} of {total}" for done, total in totals))
    return table


def lesson_table(lesson: str, known: Known) -> Table:
    """One row for each exercise of a lesson: best status, failed tries, points."""
    table = _table("Exercise", "Status", "Tries", "Points")
    for task in registry.lesson_exercises(lesson.partition("_")[2]):
        found = entry(known, task)
        points = f"{task.points if found.passed else 0} of {task.points}"
        tries = str(found.tries) if found.tries else ""
        table.add_row(_name(task.name, task.stretch), _status(found.status), tries, points)
    return table


def records_table(records: Sequence[Record]) -> Table:
    """One row for each exercise of a run, and the total. Stretch exercises don't count in it."""
    table = _table("Exercise", "Status", "Points")
    for record in records:
        status = _status(record.status, record.diagnosis)
        points = f"{record.points} of {record.of}"
        table.add_row(_name(record.name, record.stretch), status, points)
    counted = [record for record in records if not record.stretch]
    passed = sum(record.passed for record in counted)
    earned, of = sum(r.points for r in counted), sum(r.of for r in counted)
    table.add_section()
    table.add_row("Total", f"{passed} of {len(counted)} passed", f"{earned} of {of}")
    return table


@contextmanager
def progress_of(console: Console, title: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far a run is: a bar on a terminal, one line elsewhere.

    Gives a function that is called with (cells done, cells in all).
    """
    if not console.is_terminal:
        console.print(title, markup=False)
        yield lambda done, total: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(first, no_wrap=True)
    for other in others:
        table.add_column(other, justify="left" if other == "Status" else "right", no_wrap=True)
    return table


def _name(name: str, stretch: bool) -> str:
    return f"{name} (stretch)" if stretch else name


def _status(status: str, diagnosis: object = None) -> Text:
    words = status.replace("_", " ")
    text = f"{words}: {diagnosis}" if diagnosis else words
    return Text(text, style=_COLOURS.get(status, "red"))
