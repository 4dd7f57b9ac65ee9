"""Progress: what is remembered, where, and that no fault of the disk stops work."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridroll.classroom import files, progress, progress_file

EMPTY = {"version": 1, "exercises": {}, "predictions": {}, "copies": {}}


@dataclass(frozen=True)
class Verdict:
    """As much of a verdict as progress looks at."""

    name: str = "keys.table"
    status: str = "failed"
    diagnosis: str | None = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"


def forget_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what a restart of the kernel does."""
    monkeypatch.setattr(progress, "_session", progress_file.Progress())
    monkeypatch.setattr(progress, "_said", set())


@pytest.fixture(autouse=True)
def _fresh_session(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_session(monkeypatch)
    monkeypatch.delenv("GRIDROLL_PROGRESS", raising=False)


@pytest.fixture
def workbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A workbook with an empty progress file, and the kernel in it."""
    folder = tmp_path / "workbook"
    folder.mkdir()
    (folder / "progress.json").write_text(json.dumps(EMPTY))
    monkeypatch.chdir(folder)
    yield folder
    hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert hidden == [], "a lock or a half-written file stayed behind"


def stored(folder: Path) -> Any:
    return json.loads((folder / "progress.json").read_text())


def test_the_file_holds_best_status_tries_and_last_diagnosis(workbook: Path) -> None:
    progress.remember(Verdict(status="error"))
    progress.remember(Verdict(status="failed", diagnosis="rows_repeat"))
    progress.remember(Verdict(status="error", diagnosis=None))
    assert stored(workbook)["exercises"] == {
        "keys.table": {"status": "failed", "passed": False, "tries": 3, "diagnosis": None}
    }


def test_a_pass_stays_and_starts_the_count_of_tries_again(workbook: Path) -> None:
    for status in ("failed", "failed", "passed", "failed"):
        progress.remember(Verdict(status=status))
    entry = stored(workbook)["exercises"]["keys.table"]
    assert (entry["status"], entry["passed"], entry["tries"]) == ("passed", True, 1)


def test_an_attempt_that_was_not_made_is_no_try(workbook: Path) -> None:
    progress.remember(Verdict(status="failed"))
    progress.remember(Verdict(status="not_attempted"))
    assert progress.tries("keys.table") == 1


def test_progress_survives_a_restart_of_the_kernel(
    workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress.remember(Verdict("keys.chain", "passed"))
    progress.remember(Verdict("keys.table"))
    forget_session(monkeypatch)
    assert progress.passed(["keys.chain", "keys.table", "keys.unknown"]) == {"keys.chain"}
    assert progress.tries("keys.table") == 1


@pytest.mark.parametrize("switched_off", [True, False])
def test_without_a_workbook_nothing_is_written_and_tries_still_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switched_off: bool
) -> None:
    if switched_off:
        (tmp_path / "progress.json").write_text("untouched")
        monkeypatch.setenv("GRIDROLL_PROGRESS", "off")
    monkeypatch.chdir(tmp_path)
    before = [(path.name, path.read_text()) for path in tmp_path.iterdir()]
    for status in ("failed", "error", "failed"):
        progress.remember(Verdict(status=status))
    progress.remember(Verdict("keys.chain", "passed"))
    assert progress.tries("keys.table") == 3
    assert progress.passed(["keys.table", "keys.chain"]) == {"keys.chain"}
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == before


def test_a_verdict_that_changes_nothing_writes_nothing(workbook: Path) -> None:
    progress.remember(Verdict(status="passed"))
    os.utime(workbook / "progress.json", (1, 1))
    progress.remember(Verdict(status="passed"))
    assert (workbook / "progress.json").stat().st_mtime == 1


def test_a_prediction_is_committed_once(workbook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = progress.commit_prediction("collector.first_counts", (64, np.int32(64), 58))
    forget_session(monkeypatch)
    again = progress.commit_prediction("collector.first_counts", [1, 2, 3])
    assert first == again == [64, 64, 58]
    assert stored(workbook)["predictions"] == {"collector.first_counts": [64, 64, 58]}


def test_a_prediction_is_committed_once_without_a_workbook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert progress.commit_prediction("keys.starts", None) is None
    assert progress.commit_prediction("keys.starts", 1) is None


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.float32(0.5), 0.5),
        ({"a": (True, None)}, {"a": [True, None]}),
        (..., "Ellipsis"),
        ({(0, 1): 2}, "{(0, 1): 2}"),
    ],
)
def test_any_value_can_be_committed(workbook: Path, value: object, kept: object) -> None:
    assert progress.commit_prediction("keys.any", value) == kept
    assert stored(workbook)["predictions"]["keys.any"] == kept


DAMAGED = {
    "cut off": b'{"version": 1, "exerci',
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00",
    "a list": b"[1, 2]",
    "of an unknown version": b'{"version": 99}',
    "too deep": b"[" * 100_000,
    "an entry that is a number": b'{"version": 1, "exercises": {"keys.table": 3}}',
    "tries that are text": b'{"version": 1, "exercises": {"keys.table": {"tries": "many"}}}',
    "an unknown field": b'{"version": 1, "exercises": {"keys.table": {"marks": 3}}}',
    "predictions that are a list": b'{"version": 1, "predictions": []}',
    "a copy without fingerprint": b'{"version": 1, "copies": {"a.ipynb": null}}',
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_set_aside_with_one_line_and_work_goes_on(
    workbook: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (workbook / "progress.json").write_bytes(content)
    progress.remember(Verdict("keys.chain", "passed"))
    assert (workbook / "progress.damaged-1.json").read_bytes() == content
    assert list(stored(workbook)["exercises"]) == ["keys.chain"]
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert "progress.damaged-1.json" in printed.out
    assert printed.err == ""


def test_a_second_damaged_file_does_not_replace_the_first(workbook: Path) -> None:
    for content in ("first", "second"):
        (workbook / "progress.json").write_text(content)
        assert progress.tries("keys.table") == 0
    assert (workbook / "progress.damaged-1.json").read_text() == "first"
    assert (workbook / "progress.damaged-2.json").read_text() == "second"
    assert stored(workbook) == EMPTY


def test_a_folder_in_the_place_of_the_file_is_set_aside(workbook: Path) -> None:
    (workbook / "progress.json").unlink()
    (workbook / "progress.json").mkdir()
    (workbook / "progress.json" / "precious.txt").write_text("kept")
    progress.remember(Verdict())
    assert (workbook / "progress.damaged-1.json" / "precious.txt").read_text() == "kept"
    assert progress.tries("keys.table") == 1


@pytest.mark.parametrize("call", ["pathlib.Path.write_bytes", "os.replace", "os.open"])
def test_a_disk_that_refuses_never_stops_work_and_is_named_once(
    workbook: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    call: str,
) -> None:
    progress.remember(Verdict(status="failed"))
    before = (workbook / "progress.json").read_bytes()

    def refuse(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(call, refuse)
    progress.remember(Verdict(status="failed"))
    progress.remember(Verdict(status="failed"))
    assert progress.commit_prediction("keys.starts", 1) == 1
    assert progress.commit_prediction("keys.starts", 2) == 1
    assert progress.tries("keys.table") == 3
    assert (workbook / "progress.json").read_bytes() == before
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert "No space left on device" in printed


def test_a_folder_that_was_removed_never_stops_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    progress.remember(Verdict())
    assert progress.tries("keys.table") == 1


WRITER = """
import sys, time
from dataclasses import dataclass
from pathlib import Path
from gridroll.classroom import progress

@dataclass
class Verdict:
    name: str
    status: str = "failed"
    passed: bool = False
    diagnosis: None = None

Path(sys.argv[1] + ".ready").touch()
while not Path("go").exists():
    time.sleep(0.001)
progress.commit_prediction("keys.shared", sys.argv[1])
for number in range(60):
    progress.remember(Verdict(f"keys.{sys.argv[1]}_{number}"))
    progress.remember(Verdict("keys.shared"))
"""


def test_two_kernels_that_write_at_once_lose_nothing(workbook: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "GRIDROLL_PROGRESS"}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], cwd=workbook, env=environment)
        for name in ("left", "right")
    ]
    deadline = time.monotonic() + 60
    while len(list(workbook.glob("*.ready"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    (workbook / "go").touch()  # so that they do write at the same time
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    found = stored(workbook)
    wanted = {f"keys.{name}_{number}" for name in ("left", "right") for number in range(60)}
    assert set(found["exercises"]) == wanted | {"keys.shared"}
    assert found["exercises"]["keys.shared"]["tries"] == 120
    assert found["predictions"]["keys.shared"] in ("left", "right")


def test_the_lock_of_a_killed_kernel_is_removed(workbook: Path) -> None:
    lock = workbook / ".progress.json.lock"
    lock.touch()
    long_ago = time.time() - 60
    os.utime(lock, (long_ago, long_ago))
    started = time.monotonic()
    progress.remember(Verdict())
    assert time.monotonic() - started < 1
    assert stored(workbook)["exercises"]["keys.table"]["tries"] == 1


def test_a_lock_that_is_never_released_delays_and_does_not_stop_work(
    workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PATIENCE", 0.05)
    lock = workbook / ".progress.json.lock"
    lock.touch()
    progress.remember(Verdict())
    assert lock.exists(), "another process's lock is not ours to remove"
    lock.unlink()
    assert stored(workbook)["exercises"]["keys.table"]["tries"] == 1


def test_a_file_that_another_program_has_open_for_a_moment_is_replaced_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refusals = os.replace, [PermissionError(), PermissionError()]

    def replace(source: Path, target: Path) -> None:
        if refusals:
            raise refusals.pop()
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    files.write_whole(tmp_path / "notes.json", "whole\n")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ("notes.json", b"whole\n")
    ]


def test_importing_progress_imports_nothing_heavy() -> None:
    code = (
        "import sys, gridroll.classroom.progress as p;"
        "print({'jax', 'matplotlib', 'nbclient', 'typer', 'jupytext'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "set()"
