"""What is said of a class: complete, the same every time, and harmless whatever students wrote."""

import csv
import io
import itertools
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from handed_in import write_course

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import manual, report, safe, summary, write
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Absent, Intake, Submission
from gridroll.classroom.grading.outcome import Note, Outcome, Reading
from gridroll.classroom.grading.place import Settings
from gridroll.classroom.grading.records import STATUSES, Mark
from gridroll.classroom.grading.report import Report
from gridroll.classroom.grading.run import key_of

SETTINGS = Settings("1 (abc)", "made-up", "fingerprint")
NASTY = '<script>alert("1")</script> & \ud800 \x00 \x1b ]]>'


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


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


def test_a_notebook_without_a_lesson_makes_the_report_incomplete(
    lessons: dict[str, Lesson],
) -> None:
    made = build(lessons, (sent("ada"), third()), unplaced=("eve.ipynb tells no lesson",))
    assert report.has_blanks(made)


def test_who_sent_nothing_has_a_row_without_points(lessons: dict[str, Lesson]) -> None:
    absent = (Absent("bob", "collector", "Bob Cho"),)
    made = build(lessons, (sent("ada"), third()), absent=absent)
    rows = table(write.marks(made))
    told = [(r["student"], r["name"], r["submitted"], r["points"]) for r in rows]
    assert told == [("ada", "", "yes", "10"), ("bob", "Bob Cho", "no", "")]
    assert made["summary"][0]["absent"] == 1
    assert [name for name in write.documents(made, {}) if name.startswith("feedback/")] == [
        "feedback/ada.html"
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


def test_a_page_of_feedback_is_one_that_a_phone_and_a_screen_reader_can_read(
    lessons: dict[str, Lesson],
) -> None:
    failed = replace(third(rollout="failed")[0], message=(("", "It differs."), ("Got", "[1]")))
    made = build(lessons, (sent("ada"), [failed, *third()[1:]]), (sent("ada", "returns"), fourth()))
    (page,) = pages(made).values()
    tags = [tag for tag, _ in page.tags]
    assert page.tags[0] == ("html", {"lang": "en"})
    assert ("meta", {"charset": "utf-8"}) in page.tags
    viewports = [a["content"] for t, a in page.tags if a.get("name") == "viewport"]
    assert viewports == ["width=device-width, initial-scale=1"]
    assert [tags.count(tag) for tag in ("title", "main", "h1")] == [1, 1, 1]
    levels = [int(tag[1]) for tag in tags if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert {a.get("scope") for t, a in page.tags if t == "th"} == {"row", "col"}
    assert tags.count("caption") == tags.count("table") == 2
    assert page.open == []
    assert "It differs." in page.words


def test_what_students_and_their_code_say_is_shown_as_text(lessons: dict[str, Lesson]) -> None:
    lines = (("", NASTY), ("Got", NASTY), (NASTY, NASTY))
    marks = [replace(each, message=lines) for each in third(rollout="failed")]
    notes = (Note("file", NASTY),)
    made = build(lessons, (sent("ada", name=NASTY), marks), notes=notes, remarks=(NASTY,))
    files = write.documents(made, {})
    (page,) = pages(made).values()
    assert "script" not in {tag for tag, _ in page.tags}
    assert '<script>alert("1")</script> &' in page.words
    for content in files.values():
        encoded = content.encode() if isinstance(content, str) else content
        assert not set(b"\x00\x1b") & set(encoded)
    suite = Xml.fromstring(str(files["junit.xml"]))
    assert len(list(suite.iter("testcase"))) == 3
    assert json.loads(files["report.json"])["remarks"] == [NASTY]


def test_feedback_accuses_nobody_and_tells_what_helps(lessons: dict[str, Lesson]) -> None:
    notes = (
        Note("tampered", "points changed"),
        Note("missing", "no cell"),
        Note("grader_error", "X"),
    )
    (page,) = pages(build(lessons, (sent("ada"), third()), notes=notes)).values()
    assert "no cell" in page.words
    assert "points changed" not in page.words


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "a\\b", "CON", "nul.html", "", ".", "-rf", "ä", "x" * 500]
)
def test_a_page_of_feedback_stays_in_its_folder_whatever_its_student_is_called(
    tmp_path: Path, lessons: dict[str, Lesson], name: str
) -> None:
    made = build(lessons, (sent(name), third()), (sent("ada"), third()))
    out = tmp_path / "reports"
    out.mkdir()
    write.write_all(made, out)
    found = sorted(path.name for path in (out / "feedback").iterdir())
    assert len(found) == 2
    assert "ada.html" in found
    assert all(len(each) < 120 and each.isascii() for each in found)
    assert not {each.partition(".")[0].casefold() for each in found} & {"con", "nul", ""}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lessons", "reports"]


def test_names_that_one_file_system_takes_for_the_same_get_files_of_their_own() -> None:
    stems = safe.file_names(["Ada", "ada", "a b", "a_b"])
    assert len({stem.casefold() for stem in stems.values()}) == 4


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


def test_the_figure_says_its_finding_and_is_the_same_twice(lessons: dict[str, Lesson]) -> None:
    graded = [(sent(s), third("failed", idea=f"idea$_{len(s)}")) for s in ("a", "b", "ccc")]
    made = build(lessons, *graded)
    first, second = (write.documents(made, {})["misconceptions_03_collector.svg"] for _ in "12")
    assert first == second
    root = Xml.fromstring(first)
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    text = " ".join((title.text or "").split())
    assert "idea$_1 is the most common misconception: 2 of 3 students" in text
    assert "idea$_3 in collector.rollout: 1" in text
    figure, _ = summary.figure(made["summary"][0])
    (ax,) = figure.axes
    assert [bar.get_width() for bar in ax.patches] == [2, 1]  # type: ignore[attr-defined]


def test_without_a_misconception_there_is_no_figure(lessons: dict[str, Lesson]) -> None:
    made = build(lessons, (sent("ada"), third()))
    assert not [name for name in write.documents(made, {}) if name.endswith(".svg")]


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
