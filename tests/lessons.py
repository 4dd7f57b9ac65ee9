"""The course's lessons as tests see them: where they are and how one is filled in or cut short."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from gridroll.classroom import registry
from gridroll.classroom.source import lesson_paths

ROOT = Path(__file__).parents[1]
STEMS = [path.stem for path in lesson_paths(ROOT)]

# A lesson is at most 20 seconds of work; `make bench BENCH=lessons` measures that. Most of the work
# is compiling, so tests count the programs: as many on every machine, however busy it is.
MOST_PROGRAMS = 350
COUNT = """
import jax

_compiled = []

@jax.monitoring.register_event_duration_secs_listener
def _count(event, seconds, **about):
    if event.endswith("backend_compile_duration"):
        _compiled.append(seconds)
"""


def counted(made: Any, told: Path) -> Any:
    """Have a notebook count the programs that it compiles, and write the number into a file."""
    write = f"from pathlib import Path\nPath({str(told)!r}).write_text(str(len(_compiled)))"
    made.cells.insert(0, nbformat.v4.new_code_cell(COUNT))
    made.cells.append(nbformat.v4.new_code_cell(write))
    return made


def notebook(folder: str, stem: str) -> Any:
    """Read the notebook of one lesson from lessons/ or solutions/."""
    return nbformat.read(ROOT / folder / f"{stem}.ipynb", as_version=4)


def outputs(made: Any) -> Iterator[Any]:
    """Go through all outputs of a notebook."""
    for cell in made.cells:
        yield from cell.get("outputs", ())


def role(cell: Any) -> tuple[str, str]:
    """Return what a cell is to which exercise: ("answer", "collector.rollout"), or two times ""."""
    about = cell.metadata.get("gridroll", {})
    return about.get("role", ""), about.get("exercise", "")


def filled(made: Any, **instead: str) -> Any:
    """Put the reference answer into every answer cell, or another one from ``instead``.

    The names in ``instead`` are those of exercises without the lesson's name.
    """
    for cell in made.cells:
        part, name = role(cell)
        if part == "answer":
            cell.source = instead.get(name.partition(".")[2], registry.find(name).answer)
    return made


def cut_after(made: Any, index: int) -> Any:
    """Drop all cells after the one with this index."""
    made.cells = made.cells[: index + 1]
    return made


def write(made: Any, path: Path) -> Path:
    """Write a notebook into a folder that looks like the project's."""
    path.parent.mkdir(exist_ok=True)
    (path.parent.parent / "figures").mkdir(exist_ok=True)
    path.write_text(json.dumps(made), encoding="utf-8")
    return path
