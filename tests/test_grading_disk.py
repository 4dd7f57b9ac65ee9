"""A disk that is full or read-only: one clear line, and nothing is lost."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from grade_runs import lines, script, some, stand_in, write_root
from handed_in import write_folder
from typer.testing import CliRunner

from gridroll.classroom.cli import app

runner = CliRunner()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_root(tmp_path, monkeypatch)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)


def test_a_file_that_may_not_grow_is_one_line_and_what_is_done_is_kept(root: Path) -> None:
    """The system refuses to let `results.jsonl` grow past a limit, as a full disk does."""
    write_folder(root / "class", some(12))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    limited = ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash", *script(*arguments)]
    full = subprocess.run(limited, capture_output=True, text=True)
    assert full.returncode == 2
    last = full.stderr.splitlines()[-1]
    kept = len(lines(root / "reports"))
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
