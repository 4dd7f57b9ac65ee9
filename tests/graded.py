"""Marks of a made-up class and the reports on them, for several files of tests."""

import csv
import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from gridroll.classroom.grading import report, write
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Intake, Submission
from gridroll.classroom.grading.outcome import Note, Outcome, Reading
from gridroll.classroom.grading.place import Settings
from gridroll.classroom.grading.records import Mark
from gridroll.classroom.grading.report import Report
from gridroll.classroom.grading.run import key_of

SETTINGS = Settings("1 (abc)", "made-up", "fingerprint")


def sent(student: str, lesson: str = "collector", **more: Any) -> Submission:
    origin = f"{student}/{lesson}.ipynb"
    return Submission(student, lesson, Path("nowhere"), origin, f"digest of {origin}", **more)


def mark(name: str, of: int, status: str = "passed", **more: Any) -> Mark:
    points = {"passed": of, "grader_error": None}.get(status, 0)
    return Mark(name, status, points, of, **more)


def third(rollout: str = "passed", mask: str = "passed", idea: str | None = None) -> list[Mark]:
    return [
        mark("collector.rollout", 6, rollout, diagnosis=idea),
        mark("collector.mask", 3, mask),
        mark("collector.guess", 1),
    ]


def fourth() -> list[Mark]:
    return [mark("returns.sums", 5), mark("returns.beyond", 4, stretch=True)]


def build(
    lessons: dict[str, Lesson],
    *graded: tuple[Submission, list[Mark]],
    essay: Reading | None = None,
    notes: tuple[Note, ...] = (),
    **more: Any,
) -> Report:
    readings = (essay or Reading("returns.essay", "to_read", 8, "Because."),)
    outcomes = {
        key_of(s): Outcome(*key_of(s), tuple(m), notes, readings if s.lesson == "returns" else ())
        for s, m in graded
    }
    taken = Intake(tuple(s for s, _ in graded), **more)
    return report.build(taken, outcomes, lessons, SETTINGS)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


class Page(HTMLParser):
    """As much of a page as an accessibility check asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def pages(made: Report) -> dict[str, Page]:
    files = write.documents(made, {})
    return {n: Page(str(c)) for n, c in files.items() if n.startswith("feedback/")}
