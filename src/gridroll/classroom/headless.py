"""Run the checks of one notebook without opening it.

This is a student's own convenience: it trusts the notebook that it runs, as JupyterLab does.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.trial import Trial, run_cells
from gridroll.classroom.workbook import find_lesson, find_root

if TYPE_CHECKING:
    from nbformat import NotebookNode

CELL_TIMEOUT = 60.0


@dataclass(frozen=True)
class Record:
    """The outcome of one exercise in one run of a notebook.

    Attributes:
        name: the exercise, such as "collector.rollout".
        status: that of its last verdict (passed, failed, error, not_attempted); without a verdict
            error or timeout (of the cell that should give it), died (the kernel did) or missing.
        points: points earned.
        of: points that can be earned.
        diagnosis: the name of the misconception that was recognised, or None.
        stretch: whether the exercise goes beyond what the lesson asks for.
    """

    name: str
    status: str
    points: int
    of: int
    diagnosis: str | None = None
    stretch: bool = False

    @property
    def passed(self) -> bool:
        """Whether the exercise was passed."""
        return self.status == "passed"


def check_notebook(
    path: Path,
    *,
    root: Path | None = None,
    timeout: float = CELL_TIMEOUT,
    say: Callable[[str], None] | None = None,
    on_cell: Callable[[int, int], None] | None = None,
) -> list[Record]:
    """Run the notebook at `path` in a fresh kernel and return one record for each exercise.

    An error in one cell doesn't stop the later ones. A cell that takes longer than `timeout`
    seconds is interrupted. No progress is written and the notebook's file isn't changed.

    Args:
        path: a notebook. Its name (`03_collector.ipynb`) says which exercises it should have.
        root: the repository; by default the one that the notebook lies in.
        timeout: seconds for one cell.
        say: is told in one line what went wrong, such as a cell that raised an error.
        on_cell: is called with (cells done, cells in all) after each cell.

    Raises UserError when the file isn't a notebook or no kernel can be started.
    """
    notebook = _read(path)
    folder = _working_folder(path, root)
    hush = say or (lambda line: None)
    seen = asyncio.run(run_cells(notebook, folder, timeout, hush, on_cell or (lambda n, m: None)))
    return _records(_exercises(path), seen)


def _records(exercises: Iterable[Any], seen: Trial) -> list[Record]:
    """One record for each of `exercises`; without any, one for each verdict."""
    found = [_record(entry, seen) for entry in exercises]
    if found:
        return found
    return [
        Record(name, verdict["status"], verdict["points"], verdict["of"], verdict["diagnosis"])
        for name, verdict in seen.verdicts.items()
    ]


def _record(exercise: Any, seen: Trial) -> Record:
    verdict = seen.verdicts.get(exercise.name)
    if verdict is None:
        why = [kind for text, kind in seen.stopped.items() if f'"{exercise.name}"' in text]
        status = [*why, seen.ended or "missing"][0]
        return Record(exercise.name, status, 0, exercise.points, None, exercise.stretch)
    points = exercise.points if verdict["passed"] else 0
    return Record(
        exercise.name,
        verdict["status"],
        points,
        exercise.points,
        verdict["diagnosis"],
        exercise.stretch,
    )


def _exercises(path: Path) -> tuple[Any, ...]:
    """The exercises of the lesson that the notebook's name tells; none for another name."""
    from gridroll.classroom import registry

    match = re.match(r"\d+_(\w+)", path.name)
    if match is None or match[1] not in registry.lessons():
        return ()
    return tuple(registry.lesson_exercises(match[1]))


def _read(path: Path) -> "NotebookNode":
    """The notebook at `path`, without outputs."""
    import nbformat

    try:  # without validation: what JupyterLab opens, runs
        notebook = nbformat.convert(nbformat.reader.reads(path.read_text(encoding="utf-8-sig")), 4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = []  # a verdict of an earlier run must not count
    except FileNotFoundError:
        raise UserError(f"There is no notebook {path}.") from None
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(f"{path} can't be read as a notebook: {reason[:120]}") from None
    return notebook


def find_notebook(text: str, root: Path | None = None) -> tuple[Path, Path]:
    """The repository and the notebook that `text` names: a path, or a lesson of the workbook.

    Where the workbook has no copy yet, the lesson itself. Raises UserError.
    """
    given = Path(text)
    if given.suffix == ".ipynb" and given.is_file():
        return find_root(root or given.resolve().parent), given
    course = find_root(root)
    lesson = find_lesson(text, course / "lessons")
    copy = course / "workbook" / lesson.name
    return course, copy if copy.exists() else lesson


def _working_folder(path: Path, root: Path | None) -> Path:
    """A folder from which `../figures` leads to the figures: the notebook's own where it does."""
    own = path.resolve().parent
    if (own.parent / "figures").is_dir():
        return own
    return (root or find_root(own)) / "lessons"
