"""Turn a lesson's source into the cells of its solution: directives become code."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gridroll.classroom import listing, registry
from gridroll.classroom.source import SOLUTION_ONLY, BuildError, Lesson, SourceCell

Role = Literal["prose", "header", "plain", "listing", "answer", "manual", "check", "standing"]

# No version and no machine is named, so that the same source gives the same bytes anywhere.
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}


@dataclass(frozen=True)
class Piece:
    """A cell of the solution and what the build knows about it."""

    cell: Any  # the notebook cell; running the notebook fills its outputs
    role: Role
    line: int  # where it comes from in the source, counted from 1; 0 for prose
    tags: frozenset[str]
    exercise: Any = None  # the exercise that a header, an answer or a check belongs to


def compose(lesson: Lesson, package: Path) -> list[Piece]:
    """Return the cells of the solution, not yet run.

    Raises BuildError for a listing or an exercise that does not exist, for an exercise of another
    lesson, for one that stands twice, and for one of this lesson that is missing.
    """
    tasks = registry.lesson_exercises(lesson.module)
    exercises: dict[str, Any] = {
        each.name: each for each in (*tasks, *registry.open_questions(lesson.module))
    }
    named = [cell.text for cell in lesson.cells if cell.kind == "exercise"]
    numbers = _numbers(lesson, exercises, named)
    pieces: list[Piece] = []
    for cell in lesson.cells:
        if cell.kind == "exercise":
            pieces += _exercise(cell, exercises[cell.text], *numbers[cell.text])
            if cell.text == named[-1]:
                pieces += _standing(cell, lesson.module, tasks)
        else:
            pieces.append(_piece(lesson, cell, package))
    _give_unique_ids(pieces)
    return pieces


def notebook(lesson: Lesson, cells: Sequence[Any]) -> Any:
    """Return a notebook of ``cells`` with the metadata that every product carries."""
    from nbformat import v4

    about = {"lesson": lesson.number, "module": lesson.module, "title": lesson.title}
    metadata = {"gridroll": about, "kernelspec": KERNEL, "language_info": LANGUAGE}
    return v4.new_notebook(cells=list(cells), metadata=metadata, nbformat_minor=5)


def _numbers(
    lesson: Lesson, exercises: dict[str, Any], named: list[str]
) -> dict[str, tuple[int | None, int]]:
    """Return (number, total) of each exercise; one that isn't counted has no number."""
    for name in named:
        if name not in exercises:
            raise BuildError(
                f"{lesson.stem}: no exercise {name!r} in this lesson; "
                f"there are {', '.join(exercises) or 'none'}"
            )
        if named.count(name) > 1:
            raise BuildError(f"{lesson.stem}: exercise {name!r} stands twice in the source")
    missing = [name for name in exercises if name not in named]
    if missing:
        raise BuildError(f"{lesson.stem}: the source has no '# exercise: {missing[0]}'")
    counted = [name for name in named if _counts(exercises[name])]
    return {
        name: (counted.index(name) + 1 if name in counted else None, len(counted)) for name in named
    }


def _counts(exercise: Any) -> bool:
    return exercise.kind in ("code", "diagnosis") and not exercise.stretch


def _piece(lesson: Lesson, cell: SourceCell, package: Path) -> Piece:
    from nbformat import v4

    if cell.kind == "markdown":
        made = v4.new_markdown_cell(cell.text, id=_hashed("text", cell.text))
        return Piece(made, "prose", cell.line, cell.tags)
    if cell.kind == "code":
        made = v4.new_code_cell(cell.text, id=_hashed("code", cell.text))
        return Piece(made, "plain", cell.line, cell.tags)
    try:
        source = listing.listing(cell.text, package)
    except LookupError as error:
        where = f"{lesson.stem}: solutions/{lesson.stem}.md line {cell.line}"
        raise BuildError(f"{where}: {error.args[0]}") from None
    made = v4.new_code_cell(source, id=_named("listing", cell.text))
    return Piece(made, "listing", cell.line, cell.tags)


def _exercise(cell: SourceCell, exercise: Any, number: int | None, total: int) -> list[Piece]:
    """Return the header, the answer and, where there is one, the check."""
    from nbformat import v4

    def piece(made: Any, role: Role) -> Piece:
        return Piece(made, role, cell.line, cell.tags, exercise)

    name = exercise.name
    header = v4.new_markdown_cell(exercise.header(number, total), id=_named("exercise", name))
    if exercise.kind == "open":
        return [piece(header, "header"), *_manual(cell, exercise)]
    answer = v4.new_code_cell(
        exercise.answer.strip("\n"),
        id=_named("answer", name),
        metadata=_grading(exercise, "answer"),
    )
    pieces = [piece(header, "header"), piece(answer, "answer")]
    if exercise.check_call:
        check = v4.new_code_cell(
            exercise.check_call, id=_named("check", name), metadata=_grading(exercise, "check")
        )
        pieces.append(piece(check, "check"))
    return pieces


def _manual(cell: SourceCell, question: Any) -> list[Piece]:
    """Return the cell that a person reads, and for the solution alone how it is marked."""
    from nbformat import v4

    name = question.name
    nbgrader = _nbgrader(name.replace(".", "-"), graded=True, written=True)
    nbgrader["points"] = question.points
    about = {"gridroll": {"exercise": name, "role": "manual"}, "nbgrader": nbgrader}
    answer = v4.new_markdown_cell(
        question.answer.strip("\n"), id=_named("manual", name), metadata=about
    )
    guide = v4.new_markdown_cell(question.guide, id=_named("guide", name))
    return [
        Piece(answer, "manual", cell.line, cell.tags, question),
        Piece(guide, "manual", cell.line, cell.tags | {SOLUTION_ONLY}, question),
    ]


STANDING = """## Where you stand

Run the next cell when you are through. It lists what is done and what is still open."""


def _standing(cell: SourceCell, module: str, tasks: Iterable[Any]) -> list[Piece]:
    """Return the section that closes a lesson's exercises.

    nbgrader takes the points for the questions from it: their own cells hold what a student writes
    and would wait there to be marked by a person.
    """
    from nbformat import v4

    nbgrader = _nbgrader(f"{module}-questions", graded=True, written=False)
    nbgrader["points"] = sum(t.points for t in tasks if t.kind in ("prediction", "choice"))
    made = v4.new_code_cell(
        f'standing("{module}")',
        id=_named("standing", module),
        metadata={"gridroll": {"role": "standing"}, "nbgrader": nbgrader, "editable": False},
    )
    text = v4.new_markdown_cell(STANDING, id=_named("text", "standing"))
    return [
        Piece(text, "prose", cell.line, frozenset()),
        Piece(made, "standing", cell.line, frozenset()),
    ]


def _grading(exercise: Any, role: Role) -> dict[str, Any]:
    """Return the metadata by which our check and nbgrader (schema 3) find a cell."""
    checks = role == "check"
    grade_id = exercise.name.replace(".", "-") + ("-check" if checks else "")
    nbgrader = _nbgrader(grade_id, graded=checks, written=not checks)
    about = {"exercise": exercise.name, "role": role}
    if checks:
        nbgrader["points"] = exercise.points
        return {"gridroll": about, "nbgrader": nbgrader, "editable": False}
    if not exercise.check_call:
        about["points"] = exercise.points
    return {"gridroll": about, "nbgrader": nbgrader}


def _nbgrader(grade_id: str, *, graded: bool, written: bool) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell that gives points, or that a student writes."""
    return {
        "grade": graded,
        "grade_id": grade_id,
        "locked": not written,
        "schema_version": 3,
        "solution": written,
        "task": False,
    }


def _hashed(kind: str, text: str) -> str:
    """Return an id that depends on the cell alone, so that a new cell renames no other."""
    return f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _named(kind: str, name: str) -> str:
    return f"{kind}-{re.sub(r'[^A-Za-z0-9]', '-', name)}"[:60]


def _give_unique_ids(pieces: list[Piece]) -> None:
    seen: dict[str, int] = {}
    for piece in pieces:
        name = piece.cell["id"]
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            piece.cell["id"] = f"{name}-{seen[name]}"
