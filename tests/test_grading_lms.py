"""The marks in the forms of Canvas, Moodle and Gradescope: nobody else's cell is touched."""

import csv
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import canvas, gradescope, moodle

WHEN = "Sunday, 29 November 2026, 8:05 PM"
HEADING = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
)


def row(student: str, points: float | None, **more: Any) -> dict[str, Any]:
    about = {"student": student, "name": "", "moodle": "", "canvas": "", "stem": "03_collector"}
    return about | {"points": points, "of": 10, "notes": [], "marks": [], "manual": []} | more


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


WORKSHEET = (
    HEADING
    + 'Participant 1,"Cho, Bob",b@x.test,Submitted,,10.00,Yes,"Friday, 1 May",-,"a ""b"" , c"\n'
    + 'Participant 11,  Ada ,a@x.test,Submitted,"3,00",10.00,Yes,-,-,\n'
    + 'Participant 12,Eve,e@x.test,Submitted,,10.00,Yes,-,-,"two\nlines, =1+1"\n'
)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_moodles_worksheet_keeps_every_other_byte(mark: bytes, end: str) -> None:
    given = mark + WORKSHEET.replace("\n", end).encode()
    rows = [row("bob", 7, moodle="Participant 1"), row("ada", 9.5, moodle="Participant 11")]
    filled, remarks = moodle.fill(given, rows, WHEN)
    before, after = 'Submitted,,10.00,Yes,"Fri', 'Submitted,7.00,10.00,Yes,"Fri'
    expected = given.decode().replace(before, after)
    expected = expected.replace('1 May",-,', f'1 May","{WHEN}",').replace('"3,00"', '"9.50"')
    expected = expected.replace(f"Yes,-,-,{end}", f'Yes,-,"{WHEN}",{end}')
    assert filled.decode() == expected
    assert remarks == ["In the worksheet and not in the reports: Eve"]
    assert moodle.fill(given, [], WHEN)[0] == given


@pytest.mark.parametrize(
    "text",
    [HEADING, HEADING.rstrip(), HEADING + "\n\n", HEADING + "Participant 1,,\n", HEADING + ",,,"],
)
def test_a_worksheet_of_any_length_comes_back_as_it_was(text: str) -> None:
    assert moodle.fill(text.encode(), [], WHEN)[0] == text.encode()


def test_who_has_no_mark_or_no_line_in_the_worksheet_is_told_and_left_alone() -> None:
    rows = [row("bob", None, moodle="Participant 1"), row("zoe", 5, moodle="Participant 99")]
    ada, eve = row("ada", 3, moodle="Participant 11"), row("eve", 4, moodle="Participant 12")
    filled, remarks = moodle.fill(WORKSHEET.encode(), [*rows, row("nobody", 5), ada, eve], WHEN)
    assert filled.splitlines()[:2] == WORKSHEET.encode().splitlines()[:2]
    assert remarks == [
        "bob has no mark for 03_collector: left as it was",
        "zoe isn't in the worksheet",
        "nobody isn't in the worksheet",
    ]


def test_another_maximum_is_refused_unless_it_is_asked_for() -> None:
    given = WORKSHEET.replace("10.00", "100,00".join('""')).encode()
    rows = [row("bob", 7, moodle="Participant 1")]
    with pytest.raises(UserError, match=r"maximum grade is 100 and 03_collector has 10 points"):
        moodle.fill(given, rows, WHEN)
    filled, _ = moodle.fill(given, rows, WHEN, scale=True)
    assert table(filled.decode())[1][4] == "70.00"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (b"Name,Grade\n", "no column 'Identifier'"),
        (HEADING.replace("Last modified (grade)", "x").encode(), "no column 'Last modified"),
        (b"", "no column"),
        (b"\xff\xfe", "isn't text in UTF-8"),
        (HEADING.encode() + b'Participant 1,"broken', "isn't CSV"),
        (HEADING.encode() + b'Participant 1,"a"b,c', "isn't CSV"),
    ],
)
def test_what_is_no_worksheet_is_refused(given: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words):
        moodle.fill(given, [], WHEN)


@pytest.mark.parametrize(
    ("hour", "shown"), [(0, "12:05 AM"), (11, "11:05 AM"), (12, "12:05 PM"), (20, "8:05 PM")]
)
def test_the_time_is_written_as_moodle_writes_it(hour: int, shown: str) -> None:
    day = "Sunday, 29 November 2026"
    assert moodle.today(datetime(2026, 11, 29, hour, 5)) == f"{day}, {shown}"


def test_canvas_gets_its_columns_and_the_number_of_the_download() -> None:
    rows = [row("byronada_12", 7, name="byronada", canvas="12"), row("=bob", 8.5)]
    text, remarks = canvas.export(rows, "Lesson 03 (4567)")
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lesson 03 (4567)"]
    assert table(text) == [
        columns,
        ["byronada", "12", "", "", "", "7"],
        ["'=bob", "", "", "'=bob", "", "8.5"],
    ]
    assert remarks == []


GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lesson 02 (1)\n"
    "    Points Possible,,,,,10\n"
    '"Byron, Ada",12,S1,ada,A,9\n"Cho, Bob",13,S2,bob,A,8\n"Döring, Eve",14,S3,evil,B,\n'
    '"Lee, Ann",15,S4,l1,B,\n"Lee, Ann",16,S5,l2,B,\n'
    "Fox,17,dup,f1,B,\nFox,18,dup,f2,B,\n"
)


def test_canvas_own_gradebook_says_who_is_who(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text("\ufeff" + GRADEBOOK)
    rows = [
        row("x", 1, canvas="12"),
        row("bob", 2),
        row("doringeve_77", 3, name="doringeve"),
        row("leeann", 4, name="leeann"),
        row("dup", 5),
        row("S4", None),
    ]
    text, remarks = canvas.export(rows, "Lesson 03 (4567)", path)
    assert [line[:4] + line[5:] for line in table(text)[1:]] == [
        ["Byron, Ada", "12", "S1", "ada", "1"],
        ["Cho, Bob", "13", "S2", "bob", "2"],
        ["Döring, Eve", "14", "S3", "evil", "3"],
    ]
    assert remarks == [
        f"leeann isn't in {path}: left out",
        f"dup isn't in {path}: left out",
        "S4 has no mark for 03_collector: left out",
    ]


def test_a_gradebook_that_is_not_canvas_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text("Name,Grade\n")
    with pytest.raises(UserError, match="no column 'Student'"):
        canvas.export([], "x", path)


REPORT = {"course": "1 (abc)", "sandbox": "unsandboxed"}


def test_gradescope_gets_a_score_and_a_test_for_each_exercise() -> None:
    marks: list[dict[str, Any]] = [
        {"exercise": "a.b", "status": "failed", "points": 0, "of": 6, "stretch": False}
        | {"message": [["", "It differs."], ["Got", "1"]]},
        {"exercise": "a.c", "status": "passed", "points": 4, "of": 4, "stretch": True}
        | {"message": []},
    ]
    notes = [{"kind": "missing", "text": "Gone."}, {"kind": "tampered", "text": "Changed."}]
    made = json.loads(gradescope.results(row("ada", 7, marks=marks, notes=notes), REPORT))
    assert (made["score"], made["visibility"]) == (7, "visible")
    assert made["output"] == "Judged by Gridroll 1 (abc), unsandboxed.\nGone."
    visible = {"visibility": "visible"}
    assert made["tests"] == [
        {"score": 0, "max_score": 6, "name": "a.b", "output": "failed\nIt differs.\nGot: 1"}
        | visible,
        {"score": 4, "max_score": 4, "name": "a.c (stretch)", "output": "passed"} | visible,
    ]


def test_a_blank_mark_is_no_score_for_gradescope() -> None:
    blank: dict[str, Any]
    blank = {"exercise": "a.b", "status": "grader_error", "points": None, "of": 6, "message": []}
    made = json.loads(gradescope.results(row("ada", None, marks=[blank]), REPORT))
    assert "score" not in made
    assert "score" not in made["tests"][0]
