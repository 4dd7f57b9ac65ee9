"""Everything that a run found, as one record in JSON form, from which all reports are made.

It depends on the submissions, the course, the seed and the marks given by hand, and on nothing
else: no time, no machine and no order of work.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gridroll.classroom.grading import safe
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Absent, Intake, Submission
from gridroll.classroom.grading.outcome import Outcome
from gridroll.classroom.grading.place import Settings
from gridroll.classroom.grading.run import key_of
from gridroll.classroom.grading.summary import summarise

Report = dict[str, Any]
Row = dict[str, Any]  # one student and one lesson

FORMAT = 1


def build(
    taken: Intake,
    outcomes: Mapping[tuple[str, str, str], Outcome],
    lessons: Mapping[str, Lesson],
    settings: Settings,
) -> Report:
    """Return the whole report, marks given by hand still blank."""
    rows = [_graded(each, outcomes[key_of(each)], lessons) for each in taken.submissions]
    rows += [_absent(each, lessons[each.lesson]) for each in taken.absent]
    order = list(lessons)
    rows.sort(key=lambda row: (order.index(row["lesson"]), row["student"]))
    stems = safe.file_names(row["student"] for row in rows)
    for row in rows:
        row["feedback"] = f"feedback/{stems[row['student']]}.html" if row["submitted"] else ""
    used = [
        lesson for module, lesson in lessons.items() if any(r["lesson"] == module for r in rows)
    ]
    report = {
        "format": FORMAT,
        "course": settings.course,
        "sandbox": settings.sandbox,
        "seed": settings.seed,
        "lessons": [_lesson(lesson) for lesson in used],
        "rows": rows,
        "remarks": [*_alike(row["student"] for row in rows), *taken.remarks],
        "unplaced": list(taken.unplaced),
    }
    return completed(report)


def completed(report: Report) -> Report:
    """Add what follows from the marks: the totals of each row, and the summary."""
    lessons = {each["module"]: each for each in report["lessons"]}
    for row in report["rows"]:
        row |= _totals(row) | _worth(lessons[row["lesson"]])
    report["summary"] = [summarise(lesson, rows_of(report, lesson["module"]))
                         for lesson in report["lessons"]]  # fmt: skip
    return report


def rows_of(report: Report, module: str) -> list[Row]:
    """The rows of one lesson."""
    return [row for row in report["rows"] if row["lesson"] == module]


def has_blanks(report: Report) -> bool:
    """Whether a mark is missing through our fault."""
    return any(m["status"] == "grader_error" for row in report["rows"] for m in row["marks"])


def _alike(students: Iterable[str]) -> Iterable[str]:
    """A line for students whose names a reader can hardly tell apart: two forms of an accent."""
    groups: dict[str, list[str]] = {}
    for student in sorted(set(students)):
        groups.setdefault(unicodedata.normalize("NFKC", student).casefold(), []).append(student)
    for group in groups.values():
        if len(group) > 1:
            yield (
                f"{len(group)} students look alike and are graded as {len(group)}: "
                f"{', '.join(map(ascii, group))}"
            )


def _lesson(lesson: Lesson) -> dict[str, Any]:
    asked = [{"name": i.name, "points": i.points, "stretch": i.stretch} for i in lesson.exercises]
    read = [{"name": item.name, "points": item.points} for item in lesson.manual]
    return {
        "module": lesson.module,
        "stem": lesson.stem,
        "title": lesson.title,
        "exercises": asked,
        "manual": read,
    }


def _graded(submission: Submission, outcome: Outcome, lessons: Mapping[str, Lesson]) -> Row:
    return {
        **_person(submission, lessons[submission.lesson]),
        "submitted": True,
        "file": submission.origin,
        "digest": submission.digest,
        "late": submission.late,
        "known": submission.known,
        "marks": [asdict(mark) for mark in outcome.marks],
        "manual": [_manual(asdict(reading)) for reading in outcome.readings],
        "notes": [asdict(note) for note in outcome.notes],
        "remarks": list(submission.remarks),
    }


def _absent(absent: Absent, lesson: Lesson) -> Row:
    return {
        **_person(absent, lesson),
        "submitted": False,
        "file": "",
        "digest": "",
        "late": False,
        "known": True,
        "marks": [],
        "manual": [],
        "notes": [],
        "remarks": [],
    }


def _person(who: Submission | Absent, lesson: Lesson) -> Row:
    return {
        "student": who.student,
        "name": who.name,
        "moodle": who.moodle,
        "canvas": who.canvas,
        "email": who.email,
        "lesson": lesson.module,
        "stem": lesson.stem,
    }


def _manual(reading: dict[str, Any]) -> dict[str, Any]:
    """A cell to be read: its points are blank until somebody has read it."""
    points = None if reading["status"] == "to_read" else 0
    return {**reading, "points": points, "comment": ""}


def _totals(row: Row) -> Row:
    """Points without the stretch exercises; None while one of them isn't known."""
    counted = [mark for mark in row["marks"] if not mark["stretch"]] + row["manual"]
    beyond = [mark for mark in row["marks"] if mark["stretch"]]
    return {
        "points": _sum(counted) if row["submitted"] else None,
        "stretch_points": _sum(beyond) if row["submitted"] else None,
    }


def _worth(lesson: dict[str, Any]) -> Row:
    """What there is to get in a lesson, also for who sent nothing."""
    counted = [each for each in lesson["exercises"] if not each["stretch"]] + lesson["manual"]
    beyond = [each for each in lesson["exercises"] if each["stretch"]]
    return {
        "of": sum(each["points"] for each in counted),
        "stretch_of": sum(each["points"] for each in beyond),
    }


def _sum(marks: Iterable[Mapping[str, Any]]) -> int | float | None:
    points: Sequence[Any] = [mark["points"] for mark in marks]
    return None if None in points else sum(points)
