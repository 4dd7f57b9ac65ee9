"""The student's notebook: the solution with scaffolds for answers and its outputs folded away."""

import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any

from gridroll.classroom import outputs
from gridroll.classroom.compose import Piece
from gridroll.classroom.source import NO_RECORDED_OUTPUT, SOLUTION_ONLY

_MARKDOWN = re.compile(r"([\\\[\]*_`<>$])")
_ID_LENGTH = 64


class LeakError(Exception):
    """A prediction's answer can be read before the prediction is made."""


def student_cells(pieces: Sequence[Piece]) -> list[Any]:
    """Return the cells of the lesson, from the pieces of a solution that has run.

    Raises OutputError for a picture that has no file, and LeakError where an exercise's ``leaks``
    stand in the prose or in a recorded output above it.
    """
    cells: list[Any] = []
    for piece in pieces:
        if SOLUTION_ONLY in piece.tags:
            continue
        if piece.role == "header":
            _refuse_leaks(piece.exercise, cells)
        cells += _lesson_cells(piece)
    return cells


def _lesson_cells(piece: Piece) -> Iterator[Any]:
    cell = copy.deepcopy(piece.cell)
    if piece.role == "manual":
        cell.source = piece.exercise.scaffold
    if cell.cell_type != "code":
        yield cell
        return
    shown = recorded_block(cell) if _shows_output(piece) else ""
    cell.outputs = []
    cell.execution_count = None
    if piece.role == "answer":
        cell.source = piece.exercise.scaffold.strip("\n")
    yield cell
    if shown:
        from nbformat import v4

        yield v4.new_markdown_cell(shown, id=f"recorded-{cell['id']}"[:_ID_LENGTH])


def _shows_output(piece: Piece) -> bool:
    return piece.role in ("plain", "listing") and NO_RECORDED_OUTPUT not in piece.tags


def recorded_block(cell: Any) -> str:
    """Return the folded block that shows what a cell printed and drew; "" when it did neither.

    Blank lines stand around its parts, so that every front end reads them as Markdown.
    """
    parts: list[str] = []
    text: list[str] = []  # neighbouring text stands in one block
    for output in cell.outputs:
        if outputs.is_picture(output):
            parts += _fenced(text)
            text = []
            parts.append(_picture(output))
        elif outputs.text_of(output):
            text.append(outputs.text_of(output))
    parts += _fenced(text)
    if not parts:
        return ""
    return "\n\n".join(["<details>\n<summary>Recorded output</summary>", *parts, "</details>"])


def _fenced(text: list[str]) -> list[str]:
    if not text:
        return []
    body = "\n".join(text)
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text\n{body}\n{fence}"]


def _picture(output: Any) -> str:
    name = outputs.figure_of(output)
    if name is None:
        raise outputs.OutputError(
            'its picture has no file for the lesson; give show(...) a name="NN_what" and data=...'
        )
    alt = _MARKDOWN.sub(r"\\\1", outputs.alt_of(output))
    return f"![{alt}](../figures/{name}.svg)"


def _refuse_leaks(exercise: Any, before: Sequence[Any]) -> None:
    for leak in getattr(exercise, "leaks", ()):
        pattern = re.compile(rf"(?<![\w.]){re.escape(leak)}(?!\w|\.\d)")
        for cell in before:
            if cell.cell_type == "markdown" and pattern.search(cell.source):
                line = next(x for x in cell.source.splitlines() if leak in x)
                raise LeakError(
                    f"{exercise.name}: its answer {leak!r} can be read before it: {line.strip()!r}"
                )
