"""The pages for instructors: one for each lesson and one on grading; no lesson leads to them."""

import re

import pytest

from gridroll.classroom.grading.records import STATUSES
from gridroll.classroom.grading.remote import CALL_SECONDS, EXERCISE_SECONDS
from gridroll.classroom.grading.sandbox import MEMORY
from gridroll.classroom.source import lesson_paths, read_lesson
from lessons import ROOT, STEMS, notebook

PARTS = ["Timing", "What people get wrong", "Questions they ask", "What to cut"]
each_lesson = pytest.mark.parametrize("stem", STEMS)


def page(stem: str) -> str:
    return (ROOT / "instructors" / f"{stem}.md").read_text(encoding="utf-8")


def test_every_page_belongs_to_a_lesson() -> None:
    pages = {path.stem for path in (ROOT / "instructors").iterdir()}
    assert pages == {*STEMS, "grading"}


def test_the_page_on_grading_names_every_status_and_the_limits_that_hold() -> None:
    text = page("grading")
    assert not [status for status in STATUSES if f"`{status}`" not in text]
    assert f"within {CALL_SECONDS:g} seconds for a call, or {EXERCISE_SECONDS:g}" in text
    assert f"more than {MEMORY / 2**30:g} GB" in text


@each_lesson
def test_a_page_has_its_four_parts_and_names_the_lesson(stem: str) -> None:
    (lesson,) = [one for one in map(read_lesson, lesson_paths(ROOT)) if one.stem == stem]
    assert page(stem).startswith(f"# {lesson.number} · {lesson.title}: for the instructor\n")
    assert re.findall(r"^## (.*)$", page(stem), re.MULTILINE) == PARTS


@each_lesson
def test_the_minutes_of_the_parts_are_those_of_the_lesson(stem: str) -> None:
    (lesson,) = [one for one in map(read_lesson, lesson_paths(ROOT)) if one.stem == stem]
    parts = [int(n) for n in re.findall(r"^\| .* \| (\d+) \|$", page(stem), re.MULTILINE)]
    assert len(parts) >= 8
    assert abs(sum(parts) - lesson.minutes) <= 15


@each_lesson
def test_no_lesson_links_to_the_pages_for_instructors(stem: str) -> None:
    assert "instructors" not in "\n".join(cell.source for cell in notebook("lessons", stem).cells)
