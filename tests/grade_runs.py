"""Runs of `gridroll grade` over a made-up class, for several files of tests."""

import contextlib
import csv
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fake_engine
import pytest
from handed_in import BEYOND, data, write_course

from gridroll.classroom import cache
from gridroll.classroom.grading import course, engine, place, sandbox, workers

SCRIPT = Path(__file__).with_name("fake_grade.py")
SEED = "a seed of the tests, long enough"
NOT_COMPARED = {place.RESULTS, "seed"}  # the lines of the results stand as they came


def write_root(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course in `folder`, which becomes the current one."""
    write_course(folder / "lessons")
    (folder / "pyproject.toml").touch()
    (folder / "seed.txt").write_text(SEED)
    monkeypatch.chdir(folder)
    return folder


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
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


def lines(out: Path) -> list[dict[str, Any]]:
    with contextlib.suppress(FileNotFoundError):
        content = (out / place.RESULTS).read_bytes()
        return [json.loads(line) for line in content[: content.rfind(b"\n") + 1].splitlines()]
    return []


def descendants(parent: int) -> set[int]:
    """The processes that a process of ours has started, and theirs."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                child = int(stat.parent.name)
                found |= {child} | descendants(child)
    return found


def alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return status not in ("Z", "X")


def until(condition: Any, seconds: float = 60.0) -> None:
    """Wait for what must come; the limit only ends a test that would hang."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
