"""How long a student waits: from starting a kernel to what the first check of lesson 01 says."""

import asyncio
import itertools
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.tools import fresh
from benchmarks.tools.notebooks import filled
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, spread

TITLE = "seconds from starting a kernel to the first check's answer in lesson 01"
NEEDS: tuple[str, ...] = ()

LESSON = "01_gridworld"
TARGET = 5.0  # seconds
PASSED = "✓"


def run(session: Session) -> list[Table]:
    """One table: the median of fresh kernels, and what they spend it on."""
    kernels = 3 if session.quick else 5
    taken = []
    with session.steps("first_check", kernels):
        for number in range(kernels):
            with session.step(f"kernel {number + 1}"):
                taken.append(fresh.call("benchmarks.first_check:first_check"))
    rows = [
        (stage, digits(statistics.median(seconds)), spread(seconds))
        for stage in taken[0]
        for seconds in [[one[stage] for one in taken]]
    ]
    whole = statistics.median(one["together"] for one in taken)
    remark = f"Under {TARGET:g} seconds: {'yes' if whole < TARGET else 'no'}."
    return [Table(TITLE, ("stage", "seconds", f"{kernels} kernels"), rows, (remark,))]


def first_check() -> dict[str, float]:
    """Seconds for each stage: the kernel, the cells above the check, the check, and together.

    Raises:
        RuntimeError: the check did not pass.
    """
    notebook, index = lesson_to_first_check()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_timed(notebook, index, Path(folder)))


def lesson_to_first_check() -> tuple[Any, int]:
    """The student's notebook with its answers filled in, and the index of its first check."""
    notebook = filled(LESSON)
    for index, cell in enumerate(notebook.cells):
        if cell.metadata.get("gridroll", {}).get("role") == "check":
            return notebook, index
    raise RuntimeError(f"lesson {LESSON} has no check")


async def _timed(notebook: Any, last: int, folder: Path) -> dict[str, float]:
    import nbclient

    client = nbclient.NotebookClient(
        notebook, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    env = fresh.environment() | {"IPYTHONDIR": str(folder / "ipython")}
    marks = [time.perf_counter()]
    async with client.async_setup_kernel(env=env):
        marks.append(time.perf_counter())
        for index, cell in enumerate(notebook.cells[: last + 1]):
            if index == last:
                marks.append(time.perf_counter())
            await client.async_execute_cell(cell, index)
        marks.append(time.perf_counter())
    if PASSED not in "".join(map(str, notebook.cells[last].outputs)):
        raise RuntimeError(f"the first check of lesson {LESSON} did not pass")
    stages = ("starting the kernel", "the cells above the check", "the check", "together")
    kernel, above, check = (b - a for a, b in itertools.pairwise(marks))
    return dict(zip(stages, (kernel, above, check, marks[-1] - marks[0]), strict=True))
