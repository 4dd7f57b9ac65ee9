"""A notebook's checks, run without opening it: in real kernels, with cells that go wrong."""

import codecs
import json
import os
import signal
import threading
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbformat import v4

from gridroll.classroom import registry, trial
from gridroll.classroom.errors import UserError
from gridroll.classroom.headless import Record, check_notebook, find_notebook

MIME = "application/vnd.gridroll.verdict+json"


@dataclass(frozen=True)
class Task:
    """As much of an exercise as a headless run looks at."""

    name: str
    points: int
    stretch: bool = False


WRONG_CELL = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [3]}'
TASKS = (Task("keys.first", 2), Task("keys.second", 3), Task("keys.beyond", 4, stretch=True))


def verdict(name: str, status: str, diagnosis: str = "None") -> str:
    """Source of a cell that emits a verdict as a check does; `diagnosis` is an expression."""
    return (
        "from IPython.display import display\n"
        f"display({{'text/plain': '', {MIME!r}: {{'name': {json.dumps(name)}, "
        f"'status': '{status}', 'passed': {status == 'passed'}, 'points': 1, 'of': 1, "
        f"'diagnosis': {diagnosis}}}}}, raw=True)  # {json.dumps(name)}"
    )


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course whose lesson `keys` has the exercises above."""
    for folder in ("lessons", "workbook", "figures"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "figures" / "02_tiles.svg").write_text("<svg/>")
    monkeypatch.setattr(registry, "lessons", lambda: ("keys",))
    monkeypatch.setattr(registry, "lesson_exercises", lambda module: TASKS)
    return tmp_path


def notebook(path: Path, *sources: str) -> Path:
    nbformat.write(v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources]), path)
    return path


def test_errors_do_not_stop_later_cells_and_the_last_verdict_counts(root: Path) -> None:
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        verdict("keys.first", "passed"),
        "1 / 0",
        verdict("keys.first", "failed", "'rows_repeat'"),
        verdict("keys.second", "failed"),
        verdict("keys.second", "passed"),
        verdict("gridworld.step", "passed"),
    )
    before = path.read_bytes()
    said: list[str] = []
    cells: list[tuple[int, int]] = []
    records = check_notebook(path, say=said.append, on_cell=lambda *at: cells.append(at))
    assert records == [
        Record("keys.first", "failed", 0, 2, "rows_repeat"),
        Record("keys.second", "passed", 3, 3),
        Record("keys.beyond", "missing", 0, 4, stretch=True),
    ]
    assert said == ["Cell 2 raised ZeroDivisionError: division by zero"]
    assert cells == [(done, 6) for done in range(1, 7)]
    assert path.read_bytes() == before


def test_the_kernel_runs_on_the_cpu_beside_the_figures_and_keeps_no_progress(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "1")
    monkeypatch.setenv("GRIDROLL_PROGRESS", "on")
    monkeypatch.setenv("JAX_PLATFORMS", "tpu")
    seen = (
        "[os.environ.get('GRIDROLL_PROGRESS'), os.environ.get('JAX_PLATFORMS'), "
        "os.environ.get('NBGRADER_EXECUTION'), os.path.exists('../figures/02_tiles.svg')]"
    )
    source = "import os\n" + verdict("keys.first", "passed", seen)
    elsewhere = root / "elsewhere" / "deep"
    elsewhere.mkdir(parents=True)
    for folder in (root / "workbook", elsewhere):
        records = check_notebook(notebook(folder / "02_keys.ipynb", source))
        found: object = records[0].diagnosis
        assert found == ["off", "cpu", None, True]


def test_a_byte_order_mark_which_some_editors_write_is_no_fault(root: Path) -> None:
    path = notebook(root / "workbook" / "02_keys.ipynb", verdict("keys.first", "passed"))
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert check_notebook(path)[0].status == "passed"


def test_verdicts_of_an_earlier_run_do_not_count(root: Path) -> None:
    old = v4.new_output("display_data", {MIME: {"name": "keys.first", "passed": True}})
    cells = [v4.new_code_cell("", outputs=[old]), v4.new_markdown_cell("text")]
    path = root / "workbook" / "02_keys.ipynb"
    nbformat.write(v4.new_notebook(cells=cells), path)
    assert {record.status for record in check_notebook(path)} == {"missing"}


def test_a_cell_that_takes_too_long_is_interrupted_and_the_later_ones_run(root: Path) -> None:
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        "while True: pass\n" + verdict("keys.first", "passed"),
        verdict("keys.second", "passed"),
    )
    said: list[str] = []
    records = check_notebook(path, timeout=2, say=said.append)
    assert [record.status for record in records] == ["timeout", "passed", "missing"]
    assert said == ["Cell 1 took longer than 2 s and was interrupted."]


def test_a_kernel_that_ignores_the_interrupt_ends_the_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "_READY_TIMEOUT", 1.0)
    stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        verdict("keys.first", "passed"),
        stubborn,
        verdict("keys.second", "passed"),
    )
    said: list[str] = []
    records = check_notebook(path, timeout=2, say=said.append)
    assert [record.status for record in records] == ["passed", "timeout", "timeout"]
    assert "didn't answer" in said[-1]


def test_a_kernel_that_dies_is_reported(root: Path) -> None:
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        verdict("keys.first", "passed"),
        "import os; os._exit(1)",
        verdict("keys.second", "passed"),
    )
    said: list[str] = []
    records = check_notebook(path, say=said.append)
    assert [record.status for record in records] == ["passed", "died", "died"]
    assert said == ["The kernel died in cell 2; the later cells were not run."]


def test_ctrl_c_ends_the_run_and_the_kernel(root: Path) -> None:
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        "import os, time; open('pid', 'w').write(str(os.getpid()))",
        "time.sleep(60)",
    )

    def interrupt_the_second_cell(done: int, total: int) -> None:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        check_notebook(path, on_cell=interrupt_the_second_cell)
    with pytest.raises(ProcessLookupError):
        os.kill(int((path.parent / "pid").read_text()), 0)


def test_a_check_that_can_not_run_is_an_error_and_a_kernel_writes_to_no_terminal(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = notebook(
        root / "workbook" / "02_keys.ipynb",
        'check("keys.first", table)',
        "import os; os.write(2, b'noise')",
    )
    records = check_notebook(path)
    assert [record.status for record in records] == ["error", "missing", "missing"]
    assert capfd.readouterr() == ("", "")


def test_a_notebook_that_is_no_lesson_shows_the_verdicts_it_gives(root: Path) -> None:
    path = notebook(root / "workbook" / "scratch.ipynb", verdict("keys.first", "passed"))
    assert check_notebook(path) == [Record("keys.first", "passed", 1, 1)]


@pytest.mark.parametrize("content", ["", "not json", "[]", '{"cells": 3}', WRONG_CELL])
def test_a_file_that_is_no_notebook_is_refused_in_one_line(root: Path, content: str) -> None:
    path = root / "workbook" / "02_keys.ipynb"
    path.write_text(content)
    with pytest.raises(UserError, match="can't be read as a notebook") as caught:
        check_notebook(path)
    assert "\n" not in str(caught.value)


def test_a_missing_notebook_and_a_missing_kernel_are_named(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"no notebook .*02_keys\.ipynb"):
        check_notebook(root / "workbook" / "02_keys.ipynb")

    def refuse(self: KernelSpecManager, name: str) -> None:
        raise NoSuchKernel(name)

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", refuse)
    path = notebook(root / "workbook" / "02_keys.ipynb", "1")
    with pytest.raises(UserError, match="gridroll doctor"):
        check_notebook(path)


def test_a_lesson_is_looked_for_in_the_workbook_first(root: Path) -> None:
    lesson = notebook(root / "lessons" / "02_keys.ipynb", "1")
    assert find_notebook("2", root) == (root, lesson)
    copy = notebook(root / "workbook" / "02_keys.ipynb", "1")
    assert find_notebook("keys", root) == (root, copy)
    assert find_notebook(str(lesson)) == (root, lesson)
    with pytest.raises(UserError, match="02_keys"):
        find_notebook("planning", root)
