"""What is said of a class: complete, and the same every time."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from graded import build, fourth, mark, sent, table, third
from handed_in import write_course

from gridroll.classroom.grading import report, write
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Absent
from gridroll.classroom.grading.outcome import Note, Reading
from gridroll.classroom.grading.records import STATUSES


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


def test_points_are_summed_without_stretch_and_stay_open_until_the_reader_has_marked(
    lessons: dict[str, Lesson],
) -> None:
    made = build(lessons, (sent("ada"), third(mask="failed")), (sent("ada", "returns"), fourth()))
    totals = [(r["points"], r["of"], r["stretch_points"], r["stretch_of"]) for r in made["rows"]]
    assert totals == [(7, 10, 0, 0), (None, 13, 4, 4)]


@pytest.mark.parametrize("status", STATUSES)
def test_only_a_grader_error_leaves_a_total_blank(lessons: dict[str, Lesson], status: str) -> None:
    made = build(lessons, (sent("ada"), third(rollout=status)))
    (row,) = table(write.marks(made))
    expected = {"passed": "10", "grader_error": ""}.get(status, "4")
    assert row["points"] == expected
    assert row["collector.rollout"] == {"passed": "6", "grader_error": ""}.get(status, "0")
    assert report.has_blanks(made) == (status == "grader_error")


def test_who_sent_nothing_has_a_row_without_points(lessons: dict[str, Lesson]) -> None:
    absent = (Absent("bob", "collector", "Bob Cho"), Absent("bob", "returns"))
    made = build(lessons, (sent("ada"), third()), absent=absent)
    rows = table(write.marks(made))
    told = [(r["student"], r["name"], r["submitted"], r["points"]) for r in rows]
    assert told == [("ada", "", "yes", "10"), ("bob", "Bob Cho", "no", ""), ("bob", "", "no", "")]
    worth = [(r["of"], r["stretch_points"], r["stretch_of"]) for r in rows]
    assert worth == [("10", "0", "0"), ("10", "", "0"), ("13", "", "4")]
    assert made["summary"][0]["absent"] == 1
    assert [name for name in write.documents(made, {}) if name.startswith("feedback/")] == [
        "feedback/ada.html"
    ]


def test_students_whose_names_look_alike_are_told_so_that_they_can_be_told_apart(
    lessons: dict[str, Lesson],
) -> None:
    names = ["Ren\xe9", "Rene\u0301", "bob", "ada", "Ada", "eve"]
    graded = [(sent(name), third()) for name in names]
    graded.append((sent("eve", "returns"), fourth()))
    made = build(lessons, *graded, remarks=("another",))
    assert made["remarks"] == [
        "2 students look alike and are graded as 2: 'Ada', 'ada'",
        "2 students look alike and are graded as 2: 'Rene\\u0301', 'Ren\\xe9'",
        "another",
    ]


def test_the_reports_do_not_depend_on_the_order_of_work(lessons: dict[str, Lesson]) -> None:
    graded = [(sent(name), third(idea="late", mask="error")) for name in ("ada", "bob", "eve")]
    graded.append((sent("ada", "returns"), fourth()))
    first, second = build(lessons, *graded), build(lessons, *reversed(graded))
    assert write.documents(first, {}) == write.documents(second, {})


def test_every_report_names_the_course_and_the_sandbox_and_none_the_seed(
    lessons: dict[str, Lesson],
) -> None:
    made = build(lessons, (sent("ada"), third()))
    files = write.documents(made | {"sandbox": "unsandboxed"}, {})
    for name, content in files.items():
        assert "unsandboxed" in str(content), name
        assert name == "marks.csv" or "1 (abc)" in str(content), name
    assert json.loads(files["report.json"])["seed"] == "fingerprint"


@pytest.mark.parametrize(
    "start", ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\uff1d1"]
)
def test_no_cell_is_a_formula(lessons: dict[str, Lesson], start: str) -> None:
    made = build(
        lessons,
        (sent(start, name=start), third()),
        (sent(start, "returns"), fourth()),
        essay=Reading("returns.essay", "to_read", 8, start),
        notes=(Note("file", start),),
    )
    files = write.documents(made, {})
    for name in ("marks.csv", "manual.csv"):
        for row in csv.reader(io.StringIO(str(files[name]), newline="")):
            assert not [cell for cell in row if cell[:1] in tuple("=+-@\t\r\uff1d")]


def test_commas_quotes_and_line_ends_stay_inside_their_cell(lessons: dict[str, Lesson]) -> None:
    name = 'Cho, "Bob"\nJr.'
    made = build(lessons, (sent("bob", name=name), third()))
    (row,) = table(write.marks(made))
    assert (row["name"], row["points"]) == (name, "10")
    assert None not in row


def test_junit_counts_failures_errors_and_what_was_not_tried(lessons: dict[str, Lesson]) -> None:
    marks = [
        mark("collector.rollout", 6, "timeout"),
        mark("collector.mask", 3, "grader_error"),
        mark("collector.guess", 1, "not_attempted"),
    ]
    made = build(lessons, (sent("ada"), marks), (sent("bob"), third()))
    suites = Xml.fromstring(str(write.documents(made, {})["junit.xml"])).findall("testsuite")
    counts = [[s.get(k) for k in ("tests", "failures", "errors", "skipped")] for s in suites]
    assert counts == [["3", "1", "1", "1"], ["3", "0", "0", "0"]]
    (failure,) = suites[0].iter("failure")
    assert failure.get("type") == "timeout"


def test_the_summary_counts_statuses_and_ranks_misconceptions(lessons: dict[str, Lesson]) -> None:
    made = build(
        lessons,
        (sent("a"), third("failed", "error", "a_rare_one")),
        (sent("b"), third("failed", idea="early")),
        (sent("c"), third("failed", idea="early")),
        (sent("d"), third("timeout")),
    )
    (found,) = made["summary"]
    assert found["exercises"] == [
        {"exercise": "collector.rollout", "failed": 3, "timeout": 1},
        {"exercise": "collector.mask", "passed": 3, "error": 1},
        {"exercise": "collector.guess", "passed": 4},
    ]
    ranked = [(m["misconception"], m["students"]) for m in found["misconceptions"]]
    assert ranked == [("early", 2), ("a_rare_one", 1)]


def test_reports_of_a_run_before_do_not_stay(tmp_path: Path, lessons: dict[str, Lesson]) -> None:
    wrong = build(lessons, (sent("ada"), third("failed", idea="late")), (sent("bob"), third()))
    right = build(lessons, (sent("ada"), third()))
    for name in ("once", "twice"):
        (tmp_path / name).mkdir()
    write.write_all(right, tmp_path / "once")
    write.write_all(wrong, tmp_path / "twice")
    write.write_all(right, tmp_path / "twice")
    once, twice = (
        sorted(path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*"))
        for name in ("once", "twice")
    )
    assert once == twice
