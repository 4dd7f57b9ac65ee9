"""`gridroll grade` and `gridroll report`, with an engine that does what the answers say."""

import contextlib
import csv
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import fake_engine
import pytest
from handed_in import BEYOND, data, write_course, write_folder, write_zip
from typer.testing import CliRunner

from gridroll.classroom import cache
from gridroll.classroom.cli import app
from gridroll.classroom.grading import command, course, engine, place, sandbox, workers

runner = CliRunner()
SCRIPT = Path(__file__).with_name("fake_grade.py")
SEED = "a seed of the tests, long enough"
NOT_COMPARED = {place.RESULTS, "seed"}  # the lines of the results stand as they came


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course, and the current folder in it."""
    write_course(tmp_path / "lessons")
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "seed.txt").write_text(SEED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this process and with the engine of the tests."""

    def each(work: Any, tasks: Any, **options: Any) -> Iterator[tuple[Any, Any]]:
        for task in tasks:
            yield task, work(task)

    monkeypatch.setattr(workers, "each", each)
    monkeypatch.setattr(engine, "judge_answers", fake_engine.judge_answers)
    monkeypatch.setattr(engine, "prove", fake_engine.prove)
    monkeypatch.setattr(sandbox, "find", fake_engine.find)
    monkeypatch.setattr(course, "_stretch", lambda module: BEYOND)
    monkeypatch.setattr(cache, "library_hash", lambda package: "of no file")


def answered(answer: str) -> bytes:
    return data("03_collector", {"collector.rollout": answer})


def some(number: int) -> dict[str, bytes]:
    """Notebooks of students with every kind of answer."""
    kinds = ["good", "fail late", "fail early", "fail", "good"]
    return {f"s{n:03}/03_collector.ipynb": answered(kinds[n % 5]) for n in range(number)}


def rows(folder: str = "reports") -> dict[str, dict[str, str]]:
    with Path(folder, "marks.csv").open(newline="") as stream:
        return {row["student"]: row for row in csv.DictReader(stream)}


def reports(folder: str | Path) -> dict[str, bytes]:
    """Every file of a run that must be the same in another one."""
    found = Path(folder)
    return {
        str(path.relative_to(found)): path.read_bytes()
        for path in sorted(found.rglob("*"))
        if path.is_file() and path.name not in NOT_COMPARED
    }


def script(*arguments: str) -> list[str]:
    return [sys.executable, str(SCRIPT), *arguments]


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
def test_a_notebook_without_a_lesson_is_named_and_ends_with_1() -> None:
    files = {"a.ipynb": answered("good"), "b.ipynb": data("04_returns"), "c.ipynb": b"{"}
    write_folder(Path("class"), files)
    done = runner.invoke(app, ["grade", "class", "--out", "reports"])
    assert done.exit_code == 1
    assert "Not graded: c.ipynb tells no lesson: give --lesson" in done.stdout
    again = runner.invoke(app, ["grade", "class", "--out", "again", "--lesson", "3"])
    assert again.exit_code == 0
    assert set(rows("again")) == {"a", "b", "c"}


@pytest.mark.usefixtures("root", "here")
def test_without_a_sandbox_every_report_says_so() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good")})
    done = runner.invoke(app, ["grade", "class", "--out", "reports", "--unsafe-no-sandbox"])
    assert "Graded 1 submissions, unsandboxed" in done.stdout
    for name, content in reports("reports").items():
        assert b"unsandboxed" in content, name


@pytest.mark.usefixtures("root", "here")
def test_the_roster_names_who_sent_nothing() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good"), "eve.ipynb": answered("good")})
    Path("students.csv").write_text("id,name\nada,Ada\nbob,Bob\n")
    arguments = ["grade", "class", "--out", "reports", "--roster", "students.csv"]
    done = runner.invoke(app, arguments)
    assert "Sent nothing: bob (03_collector)" in done.stdout
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


def _lines(out: Path) -> list[dict[str, Any]]:
    with contextlib.suppress(FileNotFoundError):
        content = (out / place.RESULTS).read_bytes()
        return [json.loads(line) for line in content[: content.rfind(b"\n") + 1].splitlines()]
    return []


def _descendants(parent: int) -> set[int]:
    """The processes that a process of ours has started, and theirs."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                child = int(stat.parent.name)
                found |= {child} | _descendants(child)
    return found


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return status not in ("Z", "X")


def _until(condition: Any, seconds: float = 60.0) -> None:
    """Wait for what must come; the limit only ends a test that would hang."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("draw", range(3))
def test_a_run_that_is_killed_at_any_moment_loses_nothing_and_leaves_no_process(
    root: Path, draw: int
) -> None:
    """Killed after a random number of results, three times, and resumed each time."""
    total = 24
    write_folder(root / "class", some(total))
    arguments = ["grade", "class", "--seed-file", "seed.txt", "--jobs", "2", "--out"]
    random_numbers = random.Random(draw)
    out = root / "reports"
    killed = 0
    for _ in range(3):
        wanted = len(_lines(out)) + random_numbers.choice([0, 1, 3, 6])
        pause = random_numbers.random() * 0.02
        process = subprocess.Popen(
            script(*arguments, "reports", "--resume"), stderr=subprocess.DEVNULL
        )
        _until(lambda w=wanted, p=process: len(_lines(out)) >= w or p.poll() is not None)
        time.sleep(pause)
        started = _descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        _until(lambda s=started: not any(map(_alive, s)))
    assert killed
    done = subprocess.run(script(*arguments, "reports", "--resume"), capture_output=True)
    assert done.returncode == 0, done.stderr
    judged = [line["student"] for line in _lines(out)]
    assert sorted(judged) == [f"s{n:03}" for n in range(total)]
    whole = subprocess.run(script(*arguments, "whole"), capture_output=True)
    assert whole.returncode == 0, whole.stderr
    assert reports("reports") == reports("whole")


def _started(arguments: list[str], out: Path, after: int) -> "subprocess.Popen[str]":
    """A run that stands still after some results, because one answer waits."""
    pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(script(*arguments), start_new_session=True, **pipes)
    _until(lambda: len(_lines(out)) >= after)
    return process


def _waiting(root: Path) -> Mapping[str, bytes]:
    return some(2) | {"zoe/03_collector.ipynb": answered(f"wait {root / 'go'}")}


def test_a_second_run_at_the_same_time_is_refused_and_the_first_goes_on(root: Path) -> None:
    write_folder(root / "class", _waiting(root))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    first = _started(arguments, root / "reports", 2)
    try:
        second = subprocess.run(script(*arguments, "--resume"), capture_output=True, text=True)
        assert second.returncode == 2
        assert re.fullmatch(rf"gridroll: .* in use by process {first.pid} .*\n", second.stderr)
    finally:
        (root / "go").touch()
        _, errors = first.communicate()
    assert first.returncode == 0, errors
    assert len(_lines(root / "reports")) == 3


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(root: Path) -> None:
    write_folder(root / "class", _waiting(root))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "2"]
    process = _started(arguments, root / "reports", 2)
    started = _descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: its workers get it too
    output, errors = process.communicate()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == (
        "Stopped. What is done is kept: --resume goes on with reports."
    )
    assert "Traceback" not in output + errors
    _until(lambda: not any(map(_alive, started)))
    assert len(_lines(root / "reports")) == 2
    (root / "go").touch()
    done = subprocess.run(script(*arguments, "--resume"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "3 of 3: zoe collector\n"


def test_five_hundred_submissions_in_one_run_each_have_their_own_mark(root: Path) -> None:
    write_zip(root / "class.zip", some(500))
    done = subprocess.run(
        script("grade", "class.zip", "--out", "reports", "--jobs", "2"), capture_output=True
    )
    assert done.returncode == 0, done.stderr
    expected = {f"s{n:03}": "6" if n % 5 in (0, 4) else "0" for n in range(500)}
    assert {student: row["points"] for student, row in rows().items()} == expected
    summary = json.loads(Path("reports/report.json").read_text())["summary"][0]
    assert [m["students"] for m in summary["misconceptions"]] == [100, 100]


def test_a_file_that_may_not_grow_is_one_line_and_what_is_done_is_kept(root: Path) -> None:
    """The system refuses to let `results.jsonl` grow past a limit, as a full disk does."""
    write_folder(root / "class", some(12))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash", *script(*arguments)]
    full = subprocess.run(limited, capture_output=True, text=True)
    assert full.returncode == 2
    last = full.stderr.splitlines()[-1]
    kept = len(_lines(root / "reports"))
    assert 0 < kept < 12
    assert last.startswith("gridroll: reports/results.jsonl can't be written (File too large)")
    assert f"{kept} of 12 are done and kept: --resume" in last
    again = subprocess.run(script(*arguments, "--resume"), capture_output=True, text=True)
    assert again.returncode == 0
    assert again.stderr.count(" of 12: ") == 12 - kept


@pytest.mark.usefixtures("here")
def test_a_folder_that_only_its_reader_may_use_is_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(root / "class", some(1))
    real = os.open

    def read_only(path: Any, flags: int, *mode: int, **options: Any) -> int:
        if "reports" in str(path) and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(30, "Read-only file system", str(path))
        return real(path, flags, *mode, **options)

    monkeypatch.setattr("os.open", read_only)
    done = runner.invoke(app, ["grade", "class", "--out", "reports"])
    assert (done.exit_code, done.stdout) == (2, "")
    expected = "gridroll: reports can't be written (Read-only file system).\n"
    assert done.stderr == expected


def test_workers_that_have_something_to_put_away_end_without_a_word(root: Path) -> None:
    """JAX clears its caches when a process ends; nobody interrupts that."""
    write_folder(root / "class", {"ada.ipynb": answered(f"leave {root / 'left'}")})
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    done = subprocess.run(script(*arguments), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "1 of 1: ada collector\n")
    assert (root / "left").exists()
