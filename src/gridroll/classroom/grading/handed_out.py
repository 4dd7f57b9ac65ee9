"""The cells of a lesson as they were handed out, and what a student put among them."""

import functools
from collections.abc import Sequence
from pathlib import Path

from gridroll.classroom.grading import cells
from gridroll.classroom.grading.records import Answer


@functools.lru_cache(maxsize=32)
def course(lesson: str, root: Path) -> "Course":
    """The lesson of this module, read once."""
    return Course(lesson, root)


class Course:
    """The cells of a lesson as they were handed out."""

    def __init__(self, lesson: str, root: Path) -> None:
        import nbformat

        (path,) = (root / "lessons").glob(f"[0-9]*_{lesson}.ipynb")
        # (id, text, the exercise that it answers or ""); a cell that isn't run has no text
        self.cells: list[tuple[str, str, str]] = []
        for cell in nbformat.read(path, as_version=4).cells:
            about = cell.metadata.get("gridroll", {})
            role = about.get("role")
            runs = cell.cell_type == "code" and role not in ("check", "standing")
            name = about.get("exercise", "") if role == "answer" else ""
            self.cells.append((cell.id, cell.source if runs else "", name))
        self.texts = {text for _, text, _ in self.cells}

    def before(self, answer: Answer, answers: Sequence[Answer]) -> list[str]:
        """The texts of the cells above an answer: the course's own, and what the student wrote."""
        written = {other.exercise: (*other.earlier, other.source or "") for other in answers}
        found = self._own(answer, "")
        for name, text, exercise in self.cells:
            if exercise == answer.exercise:
                break
            found += written.get(exercise, ()) if exercise else [text]
            found += self._own(answer, name)
        return found

    def parts(self, answer: Answer) -> list[str]:
        """The cells that give an answer: its own, and those below it that have a part in it."""
        name = answer.exercise.partition(".")[2]
        below = [n for n, _, exercise in self.cells if exercise == answer.exercise]
        own = [text for place in below for text in self._own(answer, place)]
        parts = [*answer.earlier, answer.source or ""]
        kept: list[str] = []
        while True:  # those below count too: the function, its helpers, a witness, a letter
            names = {name, "witness", *cells.looked_up([*parts, *kept])}
            found = [t for t in own if cells.defines(t, names) or cells.answers(t, answer.exercise)]
            if found == kept:
                return [*parts, *kept]
            kept = found

    def _own(self, answer: Answer, place: str) -> list[str]:
        """The student's own cells below a cell; without ids the course's may be among them."""
        return [text for above, text in answer.own if above == place and text not in self.texts]
