"""The course's own copy of a lesson: what is asked, for how many points, in which cells."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import notebook
from gridroll.classroom.workbook import lesson_files


@dataclass(frozen=True)
class Cell:
    """A cell of the lesson that grading looks for in a submission."""

    id: str
    source: str
    nbgrader: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One exercise of a lesson, or one cell that a person reads."""

    name: str  # "collector.rollout"
    points: int
    answer: Cell
    check: Cell | None = None
    stretch: bool = False
    manual: bool = False  # a person reads and marks it; no check does


@dataclass(frozen=True)
class Lesson:
    """One lesson as the course has it."""

    stem: str  # "03_collector"
    title: str
    items: tuple[Item, ...]
    ids: frozenset[str] = frozenset()  # of all its cells

    @property
    def module(self) -> str:
        """The lesson's name without its number."""
        return self.stem.partition("_")[2]

    @property
    def exercises(self) -> tuple[Item, ...]:
        """What is judged by running it."""
        return tuple(item for item in self.items if not item.manual)

    @property
    def manual(self) -> tuple[Item, ...]:
        """What a person reads and marks."""
        return tuple(item for item in self.items if item.manual)


def load(folder: Path, stretch: Callable[[str], Iterable[str]] | None = None) -> dict[str, Lesson]:
    """Return the lessons of `folder` by module, in the order of the course.

    Args:
        folder: holds `NN_name.ipynb`.
        stretch: module -> the names of its exercises that don't count in the total; by default the
            registry says it.

    Raises UserError where there is no lesson or one can't be read.
    """
    found = [_lesson(path, stretch or _stretch) for path in lesson_files(folder)]
    if not found:
        raise UserError(f"No lessons in {folder}: build them with `gridroll build`.")
    return {lesson.module: lesson for lesson in found}


def _stretch(module: str) -> list[str]:
    from gridroll.classroom import registry

    if module not in registry.lessons():
        return []
    return [task.name for task in registry.lesson_exercises(module) if task.stretch]


def _lesson(path: Path, stretch: Callable[[str], Iterable[str]]) -> Lesson:
    try:
        cells = notebook.parse(path.read_bytes()).cells
    except notebook.MalformedError as error:
        raise UserError(f"{path} is not a lesson: {error}.") from None
    beyond = set(stretch(path.stem.partition("_")[2]))
    title = next((c.source or "" for c in cells if c.kind == "markdown"), "")
    checks = {c.gridroll.get("exercise"): c for c in cells if c.gridroll.get("role") == "check"}
    items = [
        _item(cell, checks.get(cell.gridroll["exercise"]), beyond)
        for cell in cells
        if cell.gridroll.get("role") in ("answer", "manual")
    ]
    ids = frozenset(cell.id for cell in cells if cell.id)
    return Lesson(path.stem, title.partition("\n")[0].lstrip("# "), tuple(items), ids)


def _item(answer: notebook.Cell, check: notebook.Cell | None, beyond: set[str]) -> Item:
    name = answer.gridroll["exercise"]
    manual = answer.gridroll["role"] == "manual"
    points = (check or answer).nbgrader.get("points", answer.gridroll.get("points", 0))
    checked = None if check is None else _own(check)
    return Item(name, points, _own(answer), checked, name in beyond, manual)


def _own(cell: notebook.Cell) -> Cell:
    return Cell(cell.id, cell.source or "", cell.nbgrader)
