"""How long a lesson takes its machine: all answers filled in, run from top to bottom."""

import os
import statistics
import tempfile
from pathlib import Path

from benchmarks.tools import fresh
from benchmarks.tools.notebooks import filled
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, spread

TITLE = "seconds for a whole lesson with right answers, a fresh kernel included"
NEEDS: tuple[str, ...] = ()

TARGET = 20.0  # seconds


def run(session: Session) -> list[Table]:
    """One table: clock and processor seconds of each lesson."""
    runs = 1 if session.quick else 3
    stems = sorted(path.stem for path in (fresh.ROOT / "lessons").glob("*.ipynb"))
    rows, slow = [], []
    with session.steps("lessons", len(stems) * runs):
        for stem in stems:
            taken = []
            for number in range(runs):
                with session.step(f"{stem}, run {number + 1}"):
                    taken.append(fresh.call("benchmarks.lessons:seconds", stem=stem))
            clock, processor = ([one[i] for one in taken] for i in (0, 1))
            rows.append((stem, *(digits(statistics.median(x)) for x in (clock, processor)),
                         spread(clock)))  # fmt: skip
            if statistics.median(clock) >= TARGET:
                slow.append(stem)
    remark = f"Under {TARGET:g} seconds: {'all' if not slow else 'all but ' + ', '.join(slow)}."
    return [Table(TITLE, ("lesson", "clock", "processor", f"clock, {runs} runs"), rows, (remark,))]


def seconds(stem: str) -> tuple[float, float]:
    """Clock and processor seconds of one run of a lesson.

    Raises:
        RuntimeError: an exercise wasn't passed.
    """
    import nbformat

    from gridroll.classroom.headless import check_notebook

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{stem}.ipynb"
        nbformat.write(filled(stem), path)
        before = os.times()
        records = check_notebook(path, root=fresh.ROOT)
        after = os.times()
    missed = [record.name for record in records if record.status != "passed"]
    if missed or not records:
        raise RuntimeError(f"lesson {stem}: not passed: {', '.join(missed) or 'nothing checked'}")
    kernel = after.children_user + after.children_system
    return after.elapsed - before.elapsed, kernel - before.children_user - before.children_system
