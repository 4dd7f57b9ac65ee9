"""What a student wrote: the source of the answer cells, and of code cells of the student's own.

Everything but these texts comes from the course's own copy of the lesson. The rules:

| the submission's notebook | what happens |
| --- | --- |
| can't be read | every exercise is `malformed` |
| a cell has a course cell's id | it is that cell, whatever its metadata says |
| a cell has another id | it is what its metadata says: gridroll's first, then nbgrader's grade_id |
| no cell is the answer cell | the exercise is `missing` |
| the answer cell is Markdown or raw | the exercise is `tampered` |
| several cells are | those that differ from the scaffold run in their order, as in a notebook \
that runs from top to bottom; a `duplicate` note |
| a code cell is the student's own | an answer can use what it defines, if it stands above \
the check |
| a check cell was edited or deleted | the course's own check is used; a `tampered` note |
| points, lock, schema, exercise or role of a cell differ | the course's own count; `tampered` |

A note takes no points away. Nothing is run, unpickled or followed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gridroll.classroom.grading import course, notebook
from gridroll.classroom.grading.cells import defines
from gridroll.classroom.grading.course import Item, Lesson
from gridroll.classroom.grading.notebook import Cell
from gridroll.classroom.grading.outcome import Note, Reading
from gridroll.classroom.grading.records import Answer

MOST_OWN = 200_000  # characters of all cells of a student's own
_GAINFUL = ("points", "locked", "schema_version")  # of nbgrader's metadata
_Claim = tuple[str, str]  # "answer" or "check", and an exercise


@dataclass(frozen=True)
class Extract:
    """What is taken from one submission."""

    answers: tuple[Answer, ...]  # one for each exercise of the lesson, in its order
    notes: tuple[Note, ...] = ()
    readings: tuple[Reading, ...] = ()


def extract(data: bytes, lesson: Lesson) -> Extract:
    """Take the answers to the exercises of `lesson` from the bytes of a notebook."""
    try:
        found = notebook.parse(data)
    except notebook.MalformedError as error:
        return Extract(
            tuple(Answer(item.name, None, "malformed") for item in lesson.exercises),
            (Note("malformed", f"The notebook can't be read: {error}."),),
            tuple(Reading(item.name, "malformed", item.points) for item in lesson.manual),
        )
    notes = [Note("file", f"Read, although {remark}.") for remark in found.remarks]
    cells: dict[_Claim, list[Cell]] = {}
    own: list[tuple[str, str]] = []
    known = _Known(lesson)
    above = ""
    for cell in found.cells:
        claim = known.claim(cell)
        if claim:
            cells.setdefault(claim, []).append(cell)
            above = known.id_of(claim)
        elif cell.id in lesson.ids:
            above = cell.id
        elif cell.kind == "code" and cell.source:
            own.append((above, cell.source))
    if sum(len(text) for _, text in own) > MOST_OWN:
        notes.append(
            Note("too long", f"Cells of the student's own hold over {MOST_OWN} characters.")
        )
        own = []
    answers: list[Answer] = []
    readings: list[Reading] = []
    for item in lesson.items:
        candidates = cells.get(("answer", item.name), [])
        if item.manual:
            readings.append(_reading(item, candidates, notes))
        else:
            answers.append(replace(_answer(item, candidates, own, notes), own=tuple(own)))
            notes += _check_notes(item, cells.get(("check", item.name), []))
    return Extract(tuple(answers), tuple(notes), tuple(readings))


class _Known:
    """What the cells of the course's own copy are, by id and by nbgrader's name."""

    def __init__(self, lesson: Lesson) -> None:
        self.ids: dict[str, _Claim] = {}
        self.grade_ids: dict[str, _Claim] = {}
        self.names = {item.name for item in lesson.items}
        for item in lesson.items:
            self._add(item.answer, ("answer", item.name))
            if item.check:
                self._add(item.check, ("check", item.name))

    def _add(self, cell: course.Cell, claim: _Claim) -> None:
        self.ids[cell.id] = claim
        self.grade_ids[str(cell.nbgrader.get("grade_id"))] = claim

    def id_of(self, claim: _Claim) -> str:
        """The id of the course's cell that a claim is for."""
        return next(name for name, own in self.ids.items() if own == claim)

    def claim(self, cell: Cell) -> _Claim | None:
        """What a cell of a submission stands for; None for a cell of the student's own."""
        if cell.id in self.ids:
            return self.ids[cell.id]
        exercise, role = cell.gridroll.get("exercise"), cell.gridroll.get("role")
        if isinstance(exercise, str) and exercise in self.names:
            if role in ("answer", "manual"):
                return "answer", exercise
            if role == "check":
                return "check", exercise
        return self.grade_ids.get(str(cell.nbgrader.get("grade_id", "")))


def _answer(
    item: Item, candidates: list[Cell], own: list[tuple[str, str]], notes: list[Note]
) -> Answer:
    if not candidates:
        text = f"{item.name}: the answer cell is missing."
        if any(defines(source, [item.name.partition(".")[2]]) for _, source in own):
            text += " A cell of the student's own defines a function of this name."
        notes.append(Note("missing", text))
        return Answer(item.name, None, "missing")
    code = [cell for cell in candidates if cell.kind == "code"]
    if not code:
        notes.append(Note("tampered", f"{item.name}: the answer cell isn't code any more."))
        return Answer(item.name, None, "tampered")
    readable = [cell for cell in code if cell.source is not None]
    if not readable:
        notes.append(Note("malformed", f"{item.name}: the answer cell holds no text."))
        return Answer(item.name, None, "malformed")
    *earlier, chosen = _changed(item, readable, notes)
    notes += _metadata_notes(item.name, "answer cell", chosen, item.answer, ("answer",))
    return Answer(item.name, chosen.source, earlier=tuple(cell.source or "" for cell in earlier))


def _changed(item: Item, cells: list[Cell], notes: list[Note]) -> list[Cell]:
    """The cells that count: those that were changed, or else the last one."""
    if len(cells) > 1:
        text = (
            f"{item.name}: {len(cells)} cells are its answer cell; those that were changed count."
        )
        notes.append(Note("duplicate", text))
    changed = [cell for cell in cells if not _same(cell.source, item.answer.source)]
    return changed or cells[-1:]


def _reading(item: Item, candidates: list[Cell], notes: list[Note]) -> Reading:
    readable = [cell for cell in candidates if cell.source is not None]
    if not readable:
        notes.append(Note("missing", f"{item.name}: the cell to be read is missing."))
        return Reading(item.name, "missing", item.points)
    chosen = _changed(item, readable, notes)[-1]
    notes += _metadata_notes(item.name, "cell", chosen, item.answer, ("manual",))
    if _same(chosen.source, item.answer.source):
        return Reading(item.name, "not_attempted", item.points)
    return Reading(item.name, "to_read", item.points, chosen.source or "")


def _check_notes(item: Item, cells: list[Cell]) -> Iterable[Note]:
    if item.check is None:
        return
    if not cells:
        yield Note("tampered", f"{item.name}: the check cell was deleted; it isn't needed.")
    for cell in cells:
        if cell.kind != "code" or not _same(cell.source, item.check.source):
            yield Note("tampered", f"{item.name}: the check cell was edited; this is ignored.")
        yield from _metadata_notes(item.name, "check cell", cell, item.check, ("check",))


def _metadata_notes(
    name: str, what: str, cell: Cell, own: course.Cell, roles: tuple[str, ...]
) -> Iterable[Note]:
    """A note where metadata differs from the course's in what somebody could gain by.

    Tools may drop metadata or add to it, and an older version of the course has other flags.
    """
    differ = [
        key
        for key in _GAINFUL
        if key in cell.nbgrader and key in own.nbgrader and cell.nbgrader[key] != own.nbgrader[key]
    ]
    if cell.gridroll and cell.gridroll.get("exercise") != name:
        differ.append("exercise")
    if cell.gridroll and cell.gridroll.get("role") not in roles:
        differ.append("role")
    if differ:
        words = ", ".join(differ)
        yield Note("tampered", f"{name}: {words} of the {what} was changed; this is ignored.")


def _same(source: str | None, own: str) -> bool:
    """Whether two texts differ in nothing but the ends of their lines."""
    lines = [line.rstrip() for line in (source or "").strip().splitlines()]
    return lines == [line.rstrip() for line in own.strip().splitlines()]
