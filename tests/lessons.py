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
