"""Build one lesson: its solution, its figures and the student's notebook, as bytes."""

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gridroll.classroom import outputs, prose
from gridroll.classroom.compose import Piece, compose, notebook
from gridroll.classroom.execute import CellFailure, execute
from gridroll.classroom.source import BuildError, Lesson, read_lesson
from gridroll.classroom.student import LeakError, student_cells

Products = dict[str, bytes]  # path below the root, with slashes -> what stands there
_READING = threading.Lock()  # ast.parse can fail in CPython 3.11 when two threads call it at once
_SHOWN = 60  # characters of a cell's first line in a message


def build_lesson(
    source: Path,
    package: Path,
    settings: Mapping[str, str],
    on_cell: Callable[[int, int], None] = lambda started, total: None,
) -> Products:
    """Return every file that is made from one source.

    ``package`` is the folder of the library that listings are taken from, ``settings`` joins the
    kernel's environment, and ``on_cell`` hears how many cells have started, of how many. The result
    depends on the sources alone. Nothing is written outside a temporary folder. Raises BuildError,
    one line with the lesson and the place.
    """
    with _READING:
        lesson = read_lesson(source)
        pieces = compose(lesson, package)
    solution = notebook(lesson, [piece.cell for piece in pieces])
    with tempfile.TemporaryDirectory(prefix="gridroll-", ignore_cleanup_errors=True) as scratch:
        try:
            figures = execute(
                solution, Path(scratch), settings, lambda index: on_cell(index, len(pieces))
            )
        except CellFailure as failure:
            raise BuildError(_failed(lesson, pieces, failure)) from None
        products = {f"figures/{path.name}": path.read_bytes() for path in figures.iterdir()}
    _check_outputs(lesson, pieces)
    _fill_prose(lesson, pieces)
    try:
        handed_out = notebook(lesson, student_cells(pieces))
    except (LeakError, outputs.OutputError) as error:
        raise BuildError(f"{lesson.stem}: {error}") from None
    products[f"solutions/{lesson.stem}.ipynb"] = notebook_bytes(solution)
    products[f"lessons/{lesson.stem}.ipynb"] = notebook_bytes(handed_out)
    return dict(sorted(products.items()))


def notebook_bytes(made: Any) -> bytes:
    """Return a notebook as the bytes of its file. Raises ValidationError when it isn't one."""
    import nbformat

    nbformat.validate(made)
    return (nbformat.writes(made, version=4) + "\n").encode()


def _failed(lesson: Lesson, pieces: Sequence[Piece], failure: CellFailure) -> str:
    if failure.index < 0:
        return f"{lesson.stem}: {failure}"
    return f"{_place(lesson, pieces, failure.index)}: {failure}"


def _place(lesson: Lesson, pieces: Sequence[Piece], index: int) -> str:
    """Return a cell's place in words: its number, its line in the source and its first line."""
    piece = pieces[index]
    first = piece.cell.source.splitlines()[0]
    shown = first if len(first) <= _SHOWN else first[: _SHOWN - 3] + "..."
    kind = "prose" if piece.cell.cell_type == "markdown" else "code"
    same = [other for other in pieces[: index + 1] if other.cell.cell_type == piece.cell.cell_type]
    where = f"solutions/{lesson.stem}.md" + (f" line {piece.line}" if piece.line else "")
    return f"{lesson.stem}, {kind} cell {len(same)} ({where}, {shown!r})"


def _check_outputs(lesson: Lesson, pieces: Sequence[Piece]) -> None:
    for index, piece in enumerate(pieces):
        try:
            outputs.refuse_unfit(piece.cell, lesson.number)
        except outputs.OutputError as error:
            raise BuildError(f"{_place(lesson, pieces, index)}: {error}") from None


def _fill_prose(lesson: Lesson, pieces: Sequence[Piece]) -> None:
    """Put recorded numbers into the prose, and refuse results that were typed in."""
    try:
        recorded = outputs.records(piece.cell for piece in pieces)
    except outputs.OutputError as error:
        raise BuildError(f"{lesson.stem}: {error}") from None
    code = [piece.cell.source for piece in pieces if piece.role in ("plain", "listing")]
    allowed = prose.settings(code)
    for index, piece in enumerate(pieces):
        if piece.role != "prose":
            continue
        try:
            prose.refuse_typed_results(piece.cell.source, recorded, allowed)
            filled = prose.fill(piece.cell.source, recorded)
        except prose.ProseError as error:
            raise BuildError(f"{_place(lesson, pieces, index)}: {error}") from None
        piece.cell.source = filled
