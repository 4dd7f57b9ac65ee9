"""Whose line of Moodle's worksheet is whose: never a guess, and never silence."""

from pathlib import Path
from typing import Any

import pytest
from grade_runs import answered, stand_in, write_root
from handed_in import write_folder
from typer.testing import CliRunner

from gridroll.classroom.cli import app
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import moodle

runner = CliRunner()
HEADING = "Identifier,Full name,Email address,Grade,Last modified (grade)\n"
SHEET = HEADING + (
    "Participant 1,Ada Byron,ada@x.test,,-\n"
    "Participant 2,Bob Cho,bob@x.test,,-\n"
    "Participant 3,Ann Lee,lee1@x.test,,-\n"
    "Participant 4,Ann Lee,lee2@x.test,,-\n"
)


def row(student: str, points: float | None = 5, **more: Any) -> dict[str, Any]:
    about = {"student": student, "name": "", "moodle": "", "email": "", "stem": "03_collector"}
    return about | {"points": points, "of": 10} | more


def graded(*rows: dict[str, Any], sheet: str = SHEET) -> tuple[list[str], list[str]]:
    """The numbers of the lines that got a grade, each with it, and the remarks."""
    filled, remarks = moodle.fill(sheet.encode(), list(rows), "now")
    lines = [line.split(",") for line in filled.decode().splitlines()[1:]]
    return [f"{line[0].split()[1]}: {line[3]}" for line in lines if line[3]], remarks


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"moodle": "Participant 2"}, "2: 5.00"),
        ({"moodle": "2"}, "2: 5.00"),
        ({"email": "BOB@x.test"}, "2: 5.00"),
        ({"name": "bob  CHO"}, "2: 5.00"),
        ({"name": "Cho, Bob"}, "2: 5.00"),
        ({"name": "Ann Lee", "email": "lee2@x.test"}, "4: 5.00"),
        ({"moodle": "Participant 1", "email": "bob@x.test", "name": "Bob Cho"}, "1: 5.00"),
        ({"email": "ada@x.test", "name": "Bob Cho"}, "1: 5.00"),
    ],
)
def test_a_line_is_found_by_number_then_by_e_mail_then_by_full_name(
    more: dict[str, Any], line: str
) -> None:
    assert graded(row("s1", **more))[0] == [line]


def test_a_name_that_two_have_on_either_side_is_given_to_neither() -> None:
    rows = [row("a", name="Ann Lee"), row("b1", name="Bob Cho"), row("b2", name="Bob Cho")]
    lines, remarks = graded(*rows, row("ada", moodle="1"))
    assert lines == ["1: 5.00"]
    assert remarks == [
        "a isn't in the worksheet: Ann Lee isn't one person's name alone",
        "b1 isn't in the worksheet: Bob Cho isn't one person's name alone",
        "b2 isn't in the worksheet: Bob Cho isn't one person's name alone",
        "In the worksheet and not in the reports: Bob Cho, Ann Lee, Ann Lee",
    ]


def test_a_line_that_one_student_has_by_number_is_not_given_to_another_by_name() -> None:
    lines, remarks = graded(row("ada", 7, moodle="2"), row("bob", 5, name="Bob Cho"))
    assert lines == ["2: 7.00"]
    assert remarks[0] == "bob isn't in the worksheet"


def test_who_is_found_by_name_against_the_e_mail_is_told() -> None:
    lines, remarks = graded(row("ada", name="Ada Byron", email="other@x.test"))
    assert lines == ["1: 5.00"]
    assert remarks[0] == (
        "ada was found by the name Ada Byron alone: the e-mail is other@x.test here and ada@x.test "
        "in the worksheet"
    )


def test_many_lines_of_strangers_are_counted_and_not_all_named() -> None:
    others = "".join(f"Participant {n},P{n},p{n}@x.test,,-\n" for n in range(10, 24))
    _, remarks = graded(
        row("ada", moodle="1"), sheet=HEADING + SHEET.splitlines()[1] + "\n" + others
    )
    assert remarks == [
        "In the worksheet and not in the reports: "
        + ", ".join(f"P{n}" for n in range(10, 20))
        + ", and 4 more"
    ]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row("eve", name="Eve")], "Nobody with a mark was found in the worksheet"),
        ([row("bob", None, moodle="2"), row("eve")], "Nobody with a mark was found"),
        ([row("bob", None, moodle="2")], "Nobody has a mark for 03_collector"),
    ],
)
def test_a_worksheet_that_would_stay_unfilled_is_refused(
    rows: list[dict[str, Any]], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        moodle.fill(SHEET.encode(), rows, "now")


def test_plain_notebooks_and_a_roster_fill_the_worksheet_or_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_root(tmp_path, monkeypatch)
    stand_in(monkeypatch)
    write_folder(root / "class", {f"s{n}.ipynb": answered("good") for n in (1, 2)})
    Path("roster.csv").write_text("id,name,email\ns1,Ada B.,ada@x.test\ns2,Bob Cho,b@y.test\n")
    Path("sheet.csv").write_text(SHEET)
    grade = ["grade", "class", "--out"]
    moodle_ = ["--worksheet", "sheet.csv", "--date", "now"]
    runner.invoke(app, [*grade, "with", "--roster", "roster.csv"], catch_exceptions=False)
    done = runner.invoke(app, ["report", "moodle", "with", *moodle_])
    assert done.exit_code == 0, done.stderr
    assert "s2 was found by the name Bob Cho alone" in done.stdout
    filled = Path("with/moodle_03_collector.csv").read_text()
    assert [line.split(",")[3] for line in filled.splitlines()] == ["Grade", "6.00", "6.00", "", ""]
    runner.invoke(app, [*grade, "without"], catch_exceptions=False)
    before = sorted(Path("without").iterdir())
    done = runner.invoke(app, ["report", "moodle", "without", *moodle_])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("gridroll: Nobody with a mark was found in the worksheet")
    assert done.stderr.count("\n") == 1
    assert sorted(Path("without").iterdir()) == before
