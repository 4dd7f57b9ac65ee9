"""Marks that a person gives: listed, merged, kept, and refused where they are none."""

import csv
from pathlib import Path

import pytest
from graded import build, fourth, pages, sent, table
from handed_in import write_course

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import manual
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.outcome import Reading
from gridroll.classroom.grading.report import Report


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


@pytest.fixture
def essays(lessons: dict[str, Lesson]) -> Report:
    return build(lessons, (sent("ada", "returns"), fourth()), (sent("=eve", "returns"), fourth()))


def filled(made: Report, tmp_path: Path, **marks: tuple[str, str]) -> Path:
    """`manual.csv` as an instructor fills it in: student -> marks, comment."""
    rows = table(manual.listing(made, {}))
    for row in rows:
        row["marks"], row["comment"] = marks.get(row["student"].lstrip("'="), ("", ""))
    path = tmp_path / "manual.csv"
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, manual.COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_texts_to_read_are_listed_and_marks_go_into_the_total(
    essays: Report, tmp_path: Path
) -> None:
    rows = table(manual.listing(essays, {}))
    assert [(r["student"], r["text"], r["of"]) for r in rows] == [
        ("'=eve", "Because.", "8"),
        ("ada", "Because.", "8"),
    ]
    path = filled(essays, tmp_path, ada=("6,5", "Good <b>"), eve=("0", ""))
    made = manual.merge(essays, manual.load(path), path)
    assert {r["student"]: r["points"] for r in made["rows"]} == {"ada": 11.5, "=eve": 5}
    page = pages(made)["feedback/ada.html"]
    assert "Good <b>" in page.words


def test_two_students_whose_names_are_almost_one_formula_have_their_own_marks(
    lessons: dict[str, Lesson], tmp_path: Path
) -> None:
    both = [(sent(name, "returns"), fourth()) for name in ("=eve", "'=eve")]
    made = build(lessons, *both)
    path = tmp_path / "manual.csv"
    path.write_text(manual.listing(made, {}).replace('"8","",""', '"8","7",""', 1))
    made = manual.merge(made, manual.load(path), path)
    assert {row["student"]: row["points"] for row in made["rows"]} == {"'=eve": 12, "=eve": None}


def test_a_text_that_says_nothing_is_not_given_to_the_reader(lessons: dict[str, Lesson]) -> None:
    left = Reading("returns.essay", "not_attempted", 8)
    made = build(lessons, (sent("ada", "returns"), fourth()), essay=left)
    assert table(manual.listing(made, {})) == []
    assert made["rows"][0]["points"] == 5


def test_what_was_filled_in_is_never_lost(essays: Report, tmp_path: Path) -> None:
    path = filled(essays, tmp_path, ada=("8", "Well said."))
    given = manual.load(path)
    again = table(manual.listing(manual.merge(essays, given, path), given))
    told = {r["student"]: (r["marks"], r["comment"]) for r in again}
    assert told == {"'=eve": ("", ""), "ada": ("8", "Well said.")}


def test_a_mark_that_is_taken_back_opens_the_total_again(essays: Report, tmp_path: Path) -> None:
    path = filled(essays, tmp_path, ada=("8", ""))
    made = manual.merge(essays, manual.load(path), path)
    path = filled(essays, tmp_path)
    made = manual.merge(made, manual.load(path), path)
    assert [row["points"] for row in made["rows"]] == [None, None]


@pytest.mark.parametrize("marks", ["9", "-1", "good", "nan", "inf", "1e9"])
def test_a_mark_outside_its_range_is_one_clear_error(
    essays: Report, tmp_path: Path, marks: str
) -> None:
    path = filled(essays, tmp_path, ada=(marks, ""))
    with pytest.raises(UserError, match=r"allowed are 0 to 8"):
        manual.merge(essays, manual.load(path), path)


def test_a_mark_for_nobody_or_a_second_one_is_refused(essays: Report, tmp_path: Path) -> None:
    path = filled(essays, tmp_path, ada=("8", ""))
    text = path.read_text()
    path.write_text(text + text.splitlines()[-1] + "\n")
    with pytest.raises(UserError, match="a second time"):
        manual.load(path)
    path.write_text(text.replace("ada,", "nobody,"))
    with pytest.raises(UserError, match="isn't in these reports"):
        manual.merge(essays, manual.load(path), path)
