"""Run the checks of one notebook without opening it.

This is a student's own convenience: it trusts the notebook that it runs, as JupyterLab does.
"""

import asyncio
import logging
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridroll.classroom import progress
from gridroll.classroom.checking import VERDICT_MIME
from gridroll.classroom.errors import UserError
from gridroll.classroom.workbook import find_lesson, find_root

if TYPE_CHECKING:
    from nbclient import NotebookClient
    from nbformat import NotebookNode

CELL_TIMEOUT = 60.0
_READY_TIMEOUT = 5.0  # seconds that an interrupted kernel has to answer again

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())
_log.propagate = False


@dataclass(frozen=True)
class Record:
    """The outcome of one exercise in one run of a notebook.

    Attributes:
        name: the exercise, such as "collector.rollout".
        status: that of its last verdict (passed, failed, error, not_attempted); without a verdict
            missing, timeout (its cell, or the kernel, no longer answered) or died (the kernel did).
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


@dataclass
class _Run:
    """What was seen while a notebook ran: verdicts by name, and what went wrong."""

    verdicts: dict[str, dict[str, Any]]
    timed_out: list[str]  # the text of each cell that took too long
    ended: str = ""  # "died" or "timeout" when the rest could not be run


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
    seen = asyncio.run(
        _run(notebook, folder, timeout, say or (lambda line: None), on_cell or (lambda n, m: None))
    )
    return _records(_exercises(path), seen)


def _records(exercises: Iterable[Any], seen: _Run) -> list[Record]:
    """One record for each of `exercises`; without any, one for each verdict."""
    found = [_record(entry, seen) for entry in exercises]
    if found:
        return found
    return [
        Record(name, verdict["status"], verdict["points"], verdict["of"], verdict["diagnosis"])
        for name, verdict in seen.verdicts.items()
    ]


def _record(exercise: Any, seen: _Run) -> Record:
    verdict = seen.verdicts.get(exercise.name)
    if verdict is None:
        cut = any(f'"{exercise.name}"' in source for source in seen.timed_out)
        status = seen.ended or ("timeout" if cut else "missing")
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
        notebook = nbformat.convert(nbformat.reader.reads(path.read_text(encoding="utf-8")), 4)
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


async def _run(
    notebook: "NotebookNode",
    folder: Path,
    timeout: float,
    say: Callable[[str], None],
    on_cell: Callable[[int, int], None],
) -> _Run:
    """Execute the cells in order, until the end or until the kernel no longer answers."""
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    seen = _Run({}, [])
    client = NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", allow_errors=True, log=_log
    )
    client.reset_execution_trackers()
    try:
        async with client.async_setup_kernel(env=_environment(), cwd=str(folder)):
            for index, cell in enumerate(notebook.cells):
                try:
                    await client.async_execute_cell(cell, index)
                except CellTimeoutError:
                    say(f"Cell {index + 1} took longer than {timeout:g} s and was interrupted.")
                    seen.timed_out.append(cell.source)
                    if not await _answers_again(client):
                        say("The kernel didn't answer any more; the later cells were not run.")
                        seen.ended = "timeout"
                except DeadKernelError:
                    say(f"The kernel died in cell {index + 1}; the later cells were not run.")
                    seen.ended = "died"
                _collect(cell, index, seen, say)
                on_cell(index + 1, len(notebook.cells))
                if seen.ended:
                    break
    except NoSuchKernel:
        raise UserError("No kernel named python3: `gridroll doctor` says how to mend it.") from None
    return seen


async def _answers_again(client: "NotebookClient") -> bool:
    """Interrupt the kernel; whether it takes another request within a few seconds."""
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.manager import AsyncKernelManager

    assert isinstance(client.km, AsyncKernelManager)
    assert isinstance(client.kc, AsyncKernelClient)
    await client.km.interrupt_kernel()
    try:
        await client.kc.wait_for_ready(timeout=_READY_TIMEOUT)
    except RuntimeError:
        return False
    return True


def _environment() -> dict[str, str]:
    """The kernel's environment: the CPU, no progress file, and checks that report."""
    environment = {**os.environ, progress.SWITCH: "off", "JAX_PLATFORMS": "cpu"}
    environment.pop("NBGRADER_EXECUTION", None)
    return environment


def _collect(cell: "NotebookNode", index: int, seen: _Run, say: Callable[[str], None]) -> None:
    """Note the verdicts and the error among the outputs of one executed cell."""
    for output in cell.get("outputs", []) if cell.cell_type == "code" else []:
        if output.output_type == "error" and cell.source not in seen.timed_out:
            line = f"{output.ename}: {output.evalue}".splitlines()[0]
            say(f"Cell {index + 1} raised {line}")
        verdict = output.get("data", {}).get(VERDICT_MIME)
        if isinstance(verdict, dict) and isinstance(verdict.get("name"), str):
            seen.verdicts[verdict["name"]] = {
                "status": str(verdict.get("status")),
                "passed": verdict.get("passed") is True,
                "points": verdict.get("points", 0),
                "of": verdict.get("of", 0),
                "diagnosis": verdict.get("diagnosis"),
            }
