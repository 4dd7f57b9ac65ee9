"""The command line: what it prints and how it ends."""

import io
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from rich.console import Console
from typer.testing import CliRunner

from gridroll import __version__
from gridroll.classroom import headless, registry, tables, workbook
from gridroll.classroom.cli import app
from gridroll.classroom.headless import Record

runner = CliRunner()


@dataclass(frozen=True)
class Task:
    """As much of an exercise as the tables look at."""

    name: str
    kind: str
    points: int
    stretch: bool = False


TASKS = {
    "keys": (
        Task("keys.table", "code", 4),
        Task("keys.fault", "diagnosis", 3),
        Task("keys.guess", "prediction", 1),
        Task("keys.beyond", "code", 9, stretch=True),
    ),
    "returns": (Task("returns.sums", "code", 5), Task("returns.which", "choice", 2)),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two lessons with the exercises above, and the current folder in it."""
    for folder in ("lessons", "figures"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pyproject.toml").touch()
    for name in ("02_keys", "04_returns"):
        cells = [v4.new_code_cell("answer = ...", id="answer")]
        nbformat.write(v4.new_notebook(cells=cells), tmp_path / "lessons" / f"{name}.ipynb")
    monkeypatch.setattr(registry, "lessons", lambda: tuple(TASKS))
    monkeypatch.setattr(registry, "lesson_exercises", TASKS.__getitem__)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def row(text: str, first: str) -> str:
    """What stands after `first` in its row of a table, with single spaces."""
    rows = [line.split() for line in text.splitlines()]
    return " ".join(next(words[1:] for words in rows if words[:1] == [first]))


def test_the_version_is_that_of_the_package() -> None:
    result = runner.invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"gridroll {__version__}\n")


def test_without_a_command_the_help_names_every_command() -> None:
    result = runner.invoke(app, [])
    assert result.exit_code == 0
    for command in (
        "doctor",
        "lab",
        "status",
        "check",
        "hint",
        "reset",
        "build",
        "grade",
        "report",
    ):
        assert re.search(rf"^  {command} +[A-Z].*\.$", result.stdout, re.MULTILINE), command


def test_the_help_needs_nothing_heavy() -> None:
    heavy = {"jax", "matplotlib", "nbclient", "nbformat", "jupytext", "IPython"}
    code = (
        "import sys\nfrom gridroll.classroom.cli import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_build_is_the_build_command() -> None:
    result = runner.invoke(app, ["build", "--help"])
    assert result.exit_code == 0
    assert "--check" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["status", "--nonsense"], "No such option"),
        (["check"], "Missing argument"),
        (["lab", "--port", "many"], "--port"),
        (["lab", "--port", "0"], "--port"),
        (["check", "planning"], "Lessons: 02_keys, 04_returns"),
        (["reset", "5"], "Lessons: 02_keys, 04_returns"),
        (["status", "5"], "Lessons: 02_keys, 04_returns"),
        (["hint", "keys.tabel"], "did you mean keys.table"),
        (["lab", "--root", "lessons/nowhere/.."], "workbook: File exists"),
        (["status", "--root", "/"], "No course found"),
    ],
)
def test_a_mistake_of_the_user_is_one_line_and_exit_code_2(
    root: Path, arguments: list[str], words: str
) -> None:
    (root / "workbook").write_text("a file where the folder should be")
    if arguments[0] == "status":
        (root / "workbook").unlink()
    result = runner.invoke(app, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"gridroll: .+\n", result.stderr)
    assert words in result.stderr


def test_a_file_that_is_no_notebook_is_refused_before_anything_runs(root: Path) -> None:
    (root / "broken.ipynb").write_text("{")
    result = runner.invoke(app, ["check", "broken.ipynb"])
    assert (result.exit_code, result.stdout) == (2, "")
    progress, refusal = result.stderr.splitlines()
    assert progress == "Running broken.ipynb"
    assert refusal.startswith("gridroll: broken.ipynb can't be read as a notebook")


def test_a_fault_of_the_program_is_not_dressed_as_the_users(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(root: Path) -> None:
        raise KeyError("fault")

    monkeypatch.setattr(workbook, "prepare", fault)
    assert isinstance(runner.invoke(app, ["lab"]).exception, KeyError)


def test_status_counts_what_was_passed_and_leaves_stretch_out(root: Path) -> None:
    (root / "workbook").mkdir()
    passed = '{"status": "passed", "passed": true}'
    failed = '{"status": "failed", "tries": 2, "diagnosis": "[red]rows_repeat"}'
    (root / "workbook" / "progress.json").write_text(
        f'{{"version": 1, "exercises": {{"keys.table": {passed}, "keys.beyond": {passed}, '
        f'"keys.fault": {failed}, "keys.guess": {passed}, "returns.sums": {passed}, '
        f'"gone.exercise": {passed}}}}}'
    )
    course = runner.invoke(app, ["status"])
    assert course.exit_code == 0
    assert row(course.stdout, "02_keys") == "1 of 2 1 of 1 5 of 8"
    assert row(course.stdout, "04_returns") == "1 of 1 0 of 1 5 of 7"
    assert row(course.stdout, "Total") == "2 of 3 1 of 2 10 of 15"
    lesson = runner.invoke(app, ["status", "2"])
    assert row(lesson.stdout, "keys.table") == "passed 4 of 4"
    assert row(lesson.stdout, "keys.fault") == "failed 2 0 of 3"
    assert row(lesson.stdout, "keys.beyond") == "(stretch) passed 9 of 9"


def test_status_before_anything_is_done_is_all_zeros(root: Path) -> None:
    result = runner.invoke(app, ["status", "--root", str(root / "lessons")])
    assert row(result.stdout, "Total") == "0 of 3 0 of 2 0 of 15"
    assert not (root / "workbook").exists()


def test_status_sets_a_damaged_progress_file_aside_and_goes_on(root: Path) -> None:
    (root / "workbook").mkdir()
    (root / "workbook" / "progress.json").write_text("damaged")
    result = runner.invoke(app, ["status"])
    assert result.exit_code == 0
    assert "progress.damaged-1.json" in result.stdout
    assert row(result.stdout, "Total") == "0 of 3 0 of 2 0 of 15"


RECORDS = [
    Record("keys.table", "passed", 4, 4),
    Record("keys.fault", "failed", 0, 3, "[red]rows_repeat"),
    Record("keys.guess", "not_attempted", 0, 1),
    Record("keys.beyond", "missing", 0, 9, stretch=True),
]


@pytest.mark.parametrize(
    ("records", "code"),
    [
        (RECORDS, 1),
        (RECORDS[:1], 0),
        ([RECORDS[0], RECORDS[3]], 0),
        ([RECORDS[0], RECORDS[2]], 1),
        ([], 1),
    ],
)
def test_check_ends_with_1_when_one_does_not_pass_or_none_is_found(
    root: Path, monkeypatch: pytest.MonkeyPatch, records: list[Record], code: int
) -> None:
    monkeypatch.setattr(headless, "check_notebook", lambda path, **options: records)
    result = runner.invoke(app, ["check", "2"])
    assert result.exit_code == code
    assert ("No checks found" in result.stdout) == (not records)


def test_check_prints_every_exercise_and_the_total_as_plain_text(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "check_notebook", lambda path, **options: RECORDS)
    result = runner.invoke(app, ["check", "keys"])
    assert result.stderr == "Running 02_keys.ipynb\n"
    printed = result.stdout
    assert row(printed, "keys.table") == "passed 4 of 4"
    assert row(printed, "keys.fault") == "failed: [red]rows_repeat 0 of 3"
    assert row(printed, "keys.guess") == "not attempted 0 of 1"
    assert row(printed, "Total") == "1 of 3 passed 4 of 8"
    assert "\x1b" not in printed


def test_check_runs_the_notebook_in_the_workbook(root: Path) -> None:
    runner.invoke(app, ["reset", "2"])
    cells = [v4.new_code_cell("print('nothing')"), v4.new_code_cell("undefined")]
    nbformat.write(v4.new_notebook(cells=cells), root / "workbook" / "02_keys.ipynb")
    result = runner.invoke(app, ["check", "2"])
    assert result.exit_code == 1
    assert "Cell 2 raised NameError: name 'undefined' is not defined" in result.stdout
    assert row(result.stdout, "keys.table") == "missing 0 of 4"


def test_long_work_shows_a_bar_on_a_terminal_and_a_line_elsewhere() -> None:
    shown = []
    for terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=60)
        with tables.progress_of(console, "Running 02_keys.ipynb") as on_cell:
            on_cell(1, 4)
            time.sleep(0.2)  # the bar is drawn ten times a second
        shown.append(str(console.file.getvalue()))  # type: ignore[attr-defined]
    assert "1/4" in shown[0]
    assert shown[1] == "Running 02_keys.ipynb\n"


def test_hints_come_one_at_a_time_and_name_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    first = runner.invoke(app, ["hint", "collector.rollout"]).stdout
    last = runner.invoke(app, ["hint", "collector.rollout", "3"]).stdout
    hints = registry.find("collector.rollout").hints
    assert hints[0] in first
    assert "gridroll hint collector.rollout 2" in first
    assert not any(hint in first for hint in hints[1:])
    assert hints[2] in last
    assert "The next one" not in last
    refused = runner.invoke(app, ["hint", "collector.rollout", "4"])
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_reset_says_where_the_students_own_is(root: Path) -> None:
    runner.invoke(app, ["reset", "2"])
    path = root / "workbook" / "02_keys.ipynb"
    path.write_text(path.read_text().replace("...", "42"))
    result = runner.invoke(app, ["reset", "02_keys"])
    assert result.exit_code == 0
    assert result.stdout == (
        "workbook/02_keys.ipynb is pristine.\nYour own is kept as workbook/02_keys.mine-1.ipynb.\n"
    )
