"""`gridroll grade` and `gridroll report`, with an engine that does what the answers say."""

import csv
import json
import re
from pathlib import Path

import pytest
from grade_runs import answered, reports, rows, some, stand_in, write_root
from handed_in import data, write_folder, write_zip
from typer.testing import CliRunner

from gridroll.classroom import cache
from gridroll.classroom.cli import app
from gridroll.classroom.grading import command

runner = CliRunner()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_root(tmp_path, monkeypatch)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)


@pytest.mark.usefixtures("root", "here")
@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_and_a_zip_are_graded_and_reported(packed: bool) -> None:
    files = {"ada.ipynb": answered("good"), "bob.ipynb": answered("fail late")}
    write_zip(Path("class.zip"), files) if packed else write_folder(Path("class.zip"), files)
    done = runner.invoke(app, ["grade", "class.zip", "--out", "reports"])
    assert done.exit_code == 0, done.output
    assert done.stderr == "1 of 2: ada collector\n2 of 2: bob collector\n"
    assert re.search(r"late +collector\.rollout +1", done.stdout)
    assert done.stdout.endswith("Graded 2 submissions: reports/marks.csv\n")
    points = {student: row["points"] for student, row in rows().items()}
    assert points == {"ada": "6", "bob": "0"}
    assert reports("reports").keys() == {
        "marks.csv",
        "report.json",
        "junit.xml",
        "run.json",
        "misconceptions_03_collector.svg",
        "feedback/ada.html",
        "feedback/bob.html",
    }


@pytest.mark.usefixtures("root", "here")
def test_a_blank_mark_is_named_and_ends_with_1() -> None:
    files = {"ada.ipynb": answered("good"), "bob.ipynb": answered("boom")}
    write_folder(Path("class"), files)
    done = runner.invoke(app, ["grade", "class", "--out", "reports"])
    assert done.exit_code == 1
    assert "marks stay blank: bob (03_collector)" in done.stdout
    assert (rows()["ada"]["points"], rows()["bob"]["points"]) == ("6", "")


@pytest.mark.usefixtures("root", "here")
def test_without_a_sandbox_every_report_says_so() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good")})
    done = runner.invoke(app, ["grade", "class", "--out", "reports", "--unsafe-no-sandbox"])
    assert "Graded 1 submission, unsandboxed" in done.stdout
    for name, content in reports("reports").items():
        assert b"unsandboxed" in content, name


@pytest.mark.usefixtures("root", "here")
def test_a_long_list_of_who_sent_nothing_is_cut_on_the_terminal_alone() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good")})
    names = [f"s{n:02}" for n in range(25)]
    Path("students.csv").write_text("\n".join(["id", "ada", *names]))
    done = runner.invoke(app, ["grade", "class", "--out", "reports", "--roster", "students.csv"])
    assert "s19 (03_collector), and 5 more, all in marks.csv" in done.stdout
    assert set(names) < set(rows())


@pytest.mark.usefixtures("root", "here")
def test_the_roster_names_who_sent_nothing() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good"), "eve.ipynb": answered("good")})
    Path("students.csv").write_text("id,name\nada,Ada\nbob,Bob\n")
    arguments = ["grade", "class", "--out", "reports", "--roster", "students.csv"]
    done = runner.invoke(app, arguments)
    assert "Nothing to grade from: bob (03_collector)" in done.stdout
    assert "eve is not on the roster: graded" in done.stdout
    assert [rows()[name]["points"] for name in ("ada", "bob", "eve")] == ["6", "", "6"]


@pytest.mark.usefixtures("root", "here")
def test_resume_judges_only_what_is_new_and_reports_all() -> None:
    write_folder(Path("class"), some(3))
    arguments = ["grade", "class", "--out", "reports", "--seed-file", "seed.txt"]
    runner.invoke(app, arguments)
    write_folder(Path("class"), some(5))
    again = runner.invoke(app, [*arguments, "--resume"])
    assert again.stderr == "4 of 5: s003 collector\n5 of 5: s004 collector\n"
    runner.invoke(app, ["grade", "class", "--out", "whole", "--seed-file", "seed.txt"])
    assert reports("reports") == reports("whole")


@pytest.mark.usefixtures("root", "here")
def test_a_changed_course_is_regraded_and_not_mixed(root: Path) -> None:
    write_folder(Path("class"), some(2))
    runner.invoke(app, ["grade", "class", "--out", "reports"])
    lesson = root / "lessons" / "03_collector.ipynb"
    lesson.write_text(lesson.read_text() + "\n")
    refused = runner.invoke(app, ["grade", "class", "--out", "reports", "--resume"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert re.fullmatch(r"gridroll: reports was judged by course .*--regrade .*\n", refused.stderr)
    again = runner.invoke(app, ["grade", "class", "--out", "reports", "--regrade"])
    assert again.exit_code == 0
    assert again.stderr.count(" of 2: ") == 2


def test_the_course_is_named_by_its_code_and_its_lessons(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "library_hash", lambda package: "one")
    first = command.version(root)
    assert re.fullmatch(r"\d+\.\d+\.\d+ \([0-9a-f]{12}\)", first)
    monkeypatch.setattr(cache, "library_hash", lambda package: "another")
    assert command.version(root) != first


MISTAKES: list[tuple[list[str], str]] = [
    (["grade", "nowhere", "--out", "r"], "There is no nowhere"),
    (["grade", "seed.txt", "--out", "r"], "neither a folder nor a zip"),
    (["grade", "class", "--out", "class"], "class is not empty"),
    (["grade", "class", "--out", "seed.txt"], "seed.txt can't be written"),
    (["grade", "class", "--out", "r", "--lesson", "9"], "There is no lesson '9'"),
    (["grade", "class", "--out", "r", "--roster", "twice.csv"], "the id '7' stands twice"),
    (["grade", "class", "--out", "r", "--roster", "none.csv"], "none.csv: No such file"),
    (["grade", "class", "--out", "r", "--seed-file", "twice.csv"], "too short for a seed"),
    (["grade", "class", "--out", "r", "--jobs", "-1"], "--jobs"),
    (["grade", "class"], "--out"),
    (["grade", "lessons.zip", "--out", "r"], "leaves the archive's folder"),
    (["report", "canvas", "class"], "class holds no report.json"),
    (["report", "blackboard", "class"], "blackboard"),
]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_2(
    root: Path, arguments: list[str], words: str
) -> None:
    write_folder(root / "class", {"ada.ipynb": answered("good")})
    (root / "twice.csv").write_text("id\n7\n7\n")
    write_zip(root / "lessons.zip", {"../ada.ipynb": answered("good")})
    done = runner.invoke(app, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert re.fullmatch(r"gridroll: .+\n", done.stderr)
    assert words in done.stderr


@pytest.fixture
def graded(root: Path, here: None) -> Path:
    """Reports of two lessons, one of them with a text to read."""
    files = {
        "Ada_1_assignsubmission_file_/03_collector.ipynb": answered("good"),
        "Ada_1_assignsubmission_file_/04_returns.ipynb": data("04_returns"),
    }
    write_folder(root / "class", files)
    assert runner.invoke(app, ["grade", "class", "--out", "reports"]).exit_code == 0
    return root / "reports"


def test_canvas_moodle_and_gradescope_are_written_from_the_report(graded: Path) -> None:
    sheet = "Identifier,Full name,Grade,Maximum grade,Last modified (grade)\n"
    Path("sheet.csv").write_text(sheet + "Participant 1,Ada,,10.00,-\n")
    common = ["--lesson", "3"]
    heading = "Lesson 03 (45)"
    canvas = ["report", "canvas", "reports", *common, "--assignment", heading]
    moodle = ["report", "moodle", "reports", *common, "--worksheet", "sheet.csv", "--date", "now"]
    scope = ["report", "gradescope", "reports", *common, "--out", "results.json"]
    for arguments in (canvas, moodle, scope):
        assert runner.invoke(app, arguments).exit_code == 0, arguments
    assert heading in (graded / "canvas_03_collector.csv").read_text()
    filled = (graded / "moodle_03_collector.csv").read_text()
    assert filled == sheet + "Participant 1,Ada,6.00,10.00,now\n"
    assert json.loads(Path("results.json").read_text())["score"] == 6


def test_a_report_of_several_lessons_asks_which(graded: Path) -> None:
    done = runner.invoke(app, ["report", "canvas", "reports"])
    assert done.exit_code == 2
    assert "03_collector, 04_returns" in done.stderr


def test_marks_by_hand_are_merged_and_kept_by_later_runs(graded: Path) -> None:
    path = graded / "manual.csv"
    with path.open(newline="") as stream:
        (line,) = csv.DictReader(stream)
    line |= {"marks": "7", "comment": "Well said."}
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(line))
        writer.writeheader()
        writer.writerow(line)
    done = runner.invoke(app, ["report", "manual", "reports"])
    assert done.exit_code == 0, done.stderr
    merged = reports(graded)
    (page,) = [content for name, content in merged.items() if name.startswith("feedback/")]
    assert b"Well said." in page
    again = runner.invoke(app, ["grade", "class", "--out", "reports", "--resume"])
    assert again.exit_code == 0
    assert reports(graded) == merged
