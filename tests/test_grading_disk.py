"""A disk that is full or read-only: one clear line, and nothing is lost."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import disks
import pytest
from fill_disk import ARGUMENTS
from grade_runs import answered, lines, reports, script, some, stand_in, write_root
from handed_in import data, write_folder, write_zip
from typer.testing import CliRunner

from gridroll.classroom.cli import app
from gridroll.classroom.grading import place

FILL = Path(__file__).with_name("fill_disk.py")
SIZE = 4 * 2**20
FULL = r"can't be written \(No space left on device\)\."
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


def long(number: int) -> dict[str, bytes]:
    """Notebooks whose results are larger than a block."""
    found = {f"s{n}/03.ipynb": answered("say " + "ab"[n % 2] * 5000) for n in range(number)}
    return found | {"s0/04_returns.ipynb": data("04_returns", {"returns.essay": "Because."})}


@dataclass(frozen=True)
class Filled:
    """A run on a full disk, and what `--resume` made of it when there was room."""

    left: dict[str, bytes]  # the reports as the full disk left them
    mended: dict[str, bytes]
    first: dict[str, Any]
    again: dict[str, Any]
    kept: int  # the results of the first run


@dataclass(frozen=True)
class Class:
    """A course, a class, and runs on it: one that nothing stopped, and those on full disks."""

    root: Path
    expected: dict[str, bytes]
    filled: dict[str, Filled]


def blocks_of(*sizes: int) -> int:
    return sum(-(-size // disks.BLOCK) for size in sizes)


def plan(whole: Path) -> dict[str, tuple[int, str]]:
    """By the point at which the disk is full: its free blocks, and the reports that are there."""
    lengths = [len(line) for line in (whole / place.RESULTS).read_bytes().splitlines(True)]
    results = blocks_of(sum(lengths))
    written = [path.stat().st_size for path in whole.rglob("*.*") if path.suffix != ".jsonl"]
    small = 3  # the lock, the seed and the settings take a block each
    return {
        "the lock": (0, ""),
        "the seed": (1, ""),
        "the settings": (2, ""),
        "the first result": (small, ""),
        "the 7th result": (small + blocks_of(sum(lengths[:7])) - 1, ""),
        "any report": (small + results, ""),
        "the last report": (small - 1 + results + blocks_of(*written) - 1, ""),
        "the lock beside": (0, str(whole)),
        "the settings beside": (1, str(whole)),
        "a report beside": (2, str(whole)),
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    root = tmp_path_factory.mktemp("full")
    disk, copies = root / "disk", root / "copies"
    disk.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        write_root(root, patch)
        write_folder(root / "class", long(8))
        done = subprocess.run(script(*ARGUMENTS, "whole", "--jobs", "1"), capture_output=True)
        assert done.returncode == 0, done.stderr
        points = plan(root / "whole")
        command = [sys.executable, str(FILL), str(disk), str(copies), json.dumps(points)]
        told = disks.run({disk: SIZE}, command)
    assert told.returncode == 0, told.stderr
    filled = {}
    for point in points:
        first, again = json.loads((copies / point / "told.json").read_text())
        left, mended = copies / point / "left", copies / point / "mended"
        kept = len(lines(left))
        filled[point] = Filled(reports(left), reports(mended), first, again, kept)
    return Class(root, reports(root / "whole"), filled)


@pytest.mark.parametrize(
    ("point", "kept"),
    [
        ("the lock", 0),
        ("the seed", 0),
        ("the settings", 0),
        ("the first result", 0),
        ("the 7th result", 6),
        ("any report", 9),
        ("the last report", 9),
    ],
)
def test_a_disk_that_is_full_at_any_point_is_one_line_and_resume_makes_the_same_reports(
    graded: Class, point: str, kept: int
) -> None:
    done = graded.filled[point]
    *progress, last = done.first["err"].splitlines()
    assert (done.first["code"], done.first["out"]) == (2, "")
    assert re.fullmatch(rf"gridroll: \S*/disk/reports\S* {FULL}.*", last)
    assert len(progress) == done.kept == kept
    if point.endswith("result"):
        assert f" {kept} of 9 are done and kept: --resume" in last
    if point.endswith("report"):
        assert "The results are kept: --resume writes the reports." in last
    assert done.left.items() <= graded.expected.items()  # each is whole or isn't there
    assert len(done.left) < len(graded.expected)
    assert (done.again["code"], done.again["err"].count(" of 9: ")) == (0, 9 - kept)
    assert done.mended == graded.expected


@pytest.mark.parametrize("what", ["the lock", "the settings", "a report"])
def test_reports_stay_as_they_were_when_there_is_no_room_beside_them(
    graded: Class, what: str
) -> None:
    done = graded.filled[f"{what} beside"]
    assert (done.first["code"], done.first["out"]) == (2, "")
    assert re.fullmatch(rf"gridroll: \S*/disk/reports\S* {FULL}.*\n", done.first["err"])
    assert done.left == done.mended == graded.expected
    assert done.kept == 9


@pytest.mark.parametrize("mounted", [".", "reports", f"reports/{place.RESULTS}"])
def test_what_is_read_only_is_one_line_and_stays_as_it_was(
    graded: Class, root: Path, mounted: str
) -> None:
    write_folder(root / "class", long(8))
    if mounted != ".":
        shutil.copytree(graded.root / "whole", root / "reports")
    done = disks.run({root / mounted: None}, script(*ARGUMENTS, "reports", "--resume"))
    named = mounted if mounted != "." else "reports"
    expected = f"gridroll: {named} can't be written (Read-only file system).\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
    assert reports(root / "reports") == (graded.expected if mounted != "." else {})


def test_a_zip_that_there_is_no_room_to_unpack_is_one_line(root: Path) -> None:
    private = root / "private"
    private.mkdir()
    write_zip(root / "class.zip", some(3))
    arguments = script("grade", "class.zip", "--out", "reports", "--jobs", "1")
    done = disks.run({private: disks.BLOCK}, arguments, TMPDIR=str(private))
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"gridroll: class\.zip can't be unpacked into {private}/\S+ \(No space left on device\): "
        r"make room there, or set TMPDIR to another folder\.\n",
        done.stderr,
    )
    assert not (root / "reports").exists()


def test_a_full_shared_memory_stops_no_run(root: Path) -> None:
    """Python's queues between processes need it, and pipes don't."""
    write_folder(root / "class", some(2))
    run = script("grade", "class", "--out", "reports", "--jobs", "2")
    filled = ["bash", "-c", 'head -c 1G /dev/zero > /dev/shm/full 2> /dev/null; exec "$@"', "bash"]
    done = disks.run({Path("/dev/shm"): disks.BLOCK}, [*filled, *run])
    assert (done.returncode, done.stderr.count(" of 2: ")) == (0, 2), done.stderr
