"""How long a class takes: `gridroll grade`, and what instructors use now, on the same notebooks."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.tools import fresh
from benchmarks.tools.notebooks import filled
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits

TITLE = "submissions marked per minute, lesson 03 with right answers: gridroll grade and nbgrader"
NEEDS = ("nbgrader",)

STEM = "03_collector"
TARGET = 3.0  # times as many as nbgrader


def run(session: Session) -> list[Table]:
    """Two tables: against nbgrader on one class, and how the time grows with the class."""
    class_size, sizes = (4, (2, 4)) if session.quick else (30, (10, 30, 100, 500))
    with (
        tempfile.TemporaryDirectory() as folder,
        session.steps("grading", 3 + len(sizes)),
    ):
        root = Path(folder)
        with session.step(f"nbgrader autograde, {class_size} notebooks"):
            theirs = nbgrader(root / "course", class_size)
        ours = {}
        for jobs in (1, 2):
            with session.step(f"gridroll grade, {class_size} notebooks, {jobs} at a time"):
                ours[jobs] = gridroll(root / f"class{jobs}", class_size, jobs)
        grown = {}
        for size in sizes:
            with session.step(f"gridroll grade, {size} notebooks, 2 at a time"):
                grown[size] = gridroll(root / f"size{size}", size, 2)
    return [_against(class_size, theirs, ours), _growth(grown)]


def _against(size: int, theirs: float, ours: dict[int, float]) -> Table:
    named = {"nbgrader autograde": theirs}
    named |= {f"gridroll grade --jobs {jobs}": seconds for jobs, seconds in ours.items()}
    rows = [
        (name, digits(seconds), digits(60 * size / seconds), digits(theirs / seconds))
        for name, seconds in named.items()
    ]
    best = theirs / min(ours.values())
    verdict = "yes" if best >= TARGET else "no"
    remark = f"At least {TARGET:g} times as many: {verdict}. Each time holds the start and reports."
    head = (f"{size} notebooks", "seconds", "per minute", "times nbgrader")
    return Table(TITLE, head, rows, (remark,))


def _growth(grown: dict[int, float]) -> Table:
    first = min(grown)
    rows = [
        (str(size), digits(seconds), digits(seconds / size),
         digits((seconds / size) / (grown[first] / first)))
        for size, seconds in grown.items()
    ]  # fmt: skip
    remark = "The course's own answers are judged first, once for each run: that is in each time."
    head = ("notebooks", "seconds", "seconds each", f"each, of {first} notebooks'")
    return Table("gridroll grade, 2 at a time, as a class grows", head, rows, (remark,))


def gridroll(folder: Path, size: int, jobs: int) -> float:
    """Seconds for `gridroll grade` on so many notebooks."""
    import nbformat

    folder.mkdir()
    made = filled(STEM)
    for number in range(size):
        nbformat.write(made, folder / f"s{number:03}.ipynb")
    command = [str(Path(sys.executable).with_name("gridroll")), "grade", str(folder)]
    command += ["--out", str(folder.with_suffix(".reports")), "--jobs", str(jobs)]
    seconds = _timed([*command, "--root", str(fresh.ROOT)], fresh.ROOT)
    marks = folder.with_suffix(".reports") / "marks.csv"
    if marks.read_text(encoding="utf-8").count("\n") != size + 1:
        raise fresh.Failure(f"gridroll grade marked fewer than {size} notebooks")
    return seconds


def nbgrader(course: Path, size: int) -> float:
    """Seconds for nbgrader's autograde on so many notebooks, set up as instructors are told."""
    import nbformat

    page = (fresh.ROOT / "instructors" / "grading.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```python\n(c = get_config\(\)\n.*?)```", page, re.DOTALL)
    (course / "source" / STEM).mkdir(parents=True)
    (course / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    lesson = fresh.ROOT / "lessons" / f"{STEM}.ipynb"
    (course / "source" / STEM / lesson.name).write_bytes(lesson.read_bytes())
    command = [sys.executable, "-m", "nbgrader"]
    _timed([*command, "generate_assignment", STEM], course)
    for number in range(size):
        place = course / "submitted" / f"s{number:03}" / STEM
        place.mkdir(parents=True)
        nbformat.write(filled(STEM), place / lesson.name)
    return _timed([*command, "autograde", STEM], course)


def _timed(command: Sequence[str], folder: Path) -> float:
    programs = Path(sys.executable).parent  # nbgrader looks for jupyter there
    environment = fresh.environment() | {"PATH": f"{programs}:{os.environ.get('PATH', '')}"}
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise fresh.Failure(f"{' '.join(command[1:4])} failed: {last}")
    return time.perf_counter() - start
