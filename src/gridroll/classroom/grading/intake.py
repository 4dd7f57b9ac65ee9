"""Who handed in what: from the files of a class to one notebook for each student and lesson.

The rules:

- Which lesson a notebook is of, its own cells say; without any that the course knows, its metadata,
  then its name, then `--lesson`, and last the only lesson that all the others are of. With
  `--lesson`, what is named after another lesson and holds nothing of the asked one is left out.
- Of two notebooks by one student for one lesson, one that is named after the lesson counts before
  one that isn't, or is called old, draft, backup or the like; then the one with the higher copy
  number, as browsers and LMSs number later files: `03_collector (1).ipynb` before
  `03_collector.ipynb`. Of two with one number, the last in the order of their names counts. Both
  are named in the report.
- A student whom the roster doesn't name is graded, and reported as unknown.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import handed, layout, names, notebook
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.names import Told
from gridroll.classroom.grading.roster import Roster

WRONG_LESSON, NAMED = "it is graded as", "it is named after"  # how remarks on a lesson begin


@dataclass(frozen=True)
class Submission:
    """The notebook of one student for one lesson."""

    student: str  # the roster's id where there is a roster, or what the name of the file says
    lesson: str  # the module
    file: Path  # where its bytes are
    origin: str  # its name as it was handed in
    digest: str  # of its bytes
    name: str = ""  # the person's full name, where it is known
    moodle: str = ""  # "Participant 12345"
    canvas: str = ""  # "12345"
    email: str = ""  # as the roster has it
    late: bool = False
    known: bool | None = None  # whether the roster has this student; None without a roster
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Absent:
    """Somebody on the roster who sent nothing for a lesson."""

    student: str
    lesson: str
    name: str = ""
    moodle: str = ""
    canvas: str = ""
    email: str = ""


@dataclass(frozen=True)
class Intake:
    """What there is to grade, who sent nothing, and what else is to be said."""

    submissions: tuple[Submission, ...]  # in the order of the course, then of the students
    absent: tuple[Absent, ...] = ()
    remarks: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()  # why a notebook couldn't be given to anybody, one line each


def take_in(
    contents: handed.Contents,
    lessons: Mapping[str, Lesson],
    *,
    around: str = "",
    lesson: str | None = None,
    roster: Roster | None = None,
) -> Intake:
    """Sort the notebooks that were handed in.

    Args:
        contents: what `archive.opened` gave.
        lessons: the lessons of the course by module.
        around: the name of the folder or of the zip, without its ending.
        lesson: the module that is graded alone; None for all.
        roster: who should have sent something.

    Raises UserError when there is no notebook.
    """
    if not contents.entries:
        instead = "".join(f" ({remark})" for remark in contents.remarks[:1])
        raise UserError(
            f"No notebook was found: give a folder or a zip with files named *.ipynb.{instead}"
        )
    stems = [each.stem for each in lessons.values()]
    found = layout.arrange([entry.name for entry in contents.entries], stems, around, _in(roster))
    remarks = list(found.remarks)
    placed: list[tuple[Submission, Told]] = []
    open_ones: list[tuple[Submission, Told]] = []
    unreadable: list[str] = []
    for entry, path in zip(contents.entries, found.paths, strict=True):
        if path is None:
            continue
        told = names.tell(path, stems, found.downloaded)
        try:
            data = handed.read(entry.file)
        except OSError as error:
            unreadable.append(f"{entry.name} can't be read: {error.strerror or error}")
            continue
        module, remark = _lesson_of(data, told, lessons, lesson)
        if lesson and module not in (None, lesson):
            remarks.append(f"{entry.name} is of lesson {lessons[str(module)].stem}: left out")
            continue
        digest = hashlib.sha256(data).hexdigest()
        made = Submission(told.student, module or "", entry.file, str(entry.name), digest)
        made = _known(replace(made, remarks=remark), told, roster)
        (placed if module else open_ones).append((made, told))
    unplaced = unreadable + _place(open_ones, placed)
    chosen = _choose(placed, lessons)
    order = list(lessons)
    chosen.sort(key=lambda each: (order.index(each.lesson), each.student))
    asked = [lesson] if lesson else sorted({each.lesson for each in chosen}, key=order.index)
    remarks += [f"{s.student}: {text}" for s in chosen for text in s.remarks]
    unknown = sorted({each.student for each in chosen if each.known is False})
    remarks += [f"{student} is not on the roster: graded" for student in unknown]
    remarks += contents.remarks  # last, for they may be many
    return Intake(
        tuple(chosen), tuple(_absent(chosen, asked, roster)), tuple(remarks), tuple(unplaced)
    )


def _in(roster: Roster | None) -> layout.Known:
    return lambda name: roster is not None and roster.find(Told(name)) is not None


def _lesson_of(
    data: bytes, told: Told, lessons: Mapping[str, Lesson], asked: str | None
) -> tuple[str | None, tuple[str, ...]]:
    """The module of one notebook, and what is odd about that."""
    try:
        content = notebook.parse(data)
    except notebook.MalformedError:
        return told.lesson or asked, ()
    votes = Counter(_votes(content.cells, lessons))
    inside = votes.most_common(1)[0][0] if votes else None
    if inside is None and content.module in lessons:
        inside = content.module
    if asked and (asked in votes or told.lesson in (None, asked)):
        chosen: str | None = asked
    else:
        chosen = inside or told.lesson
    named = told.lesson or chosen
    remark: tuple[str, ...] = ()
    if inside and chosen and inside != chosen:
        remark = (f"{WRONG_LESSON} {lessons[chosen].stem}, but it is {lessons[inside].stem}",)
    elif chosen and named and named != chosen:
        remark = (f"{NAMED} {lessons[named].stem}, but it is {lessons[chosen].stem}",)
    return chosen, remark


def _votes(cells: Iterable[notebook.Cell], lessons: Mapping[str, Lesson]) -> Iterable[str]:
    """The lesson of each cell that the course knows, by its id or by what it says of itself."""
    ids = {item.answer.id: module for module, each in lessons.items() for item in each.items}
    for cell in cells:
        exercise = cell.gridroll.get("exercise")
        module = exercise.partition(".")[0] if isinstance(exercise, str) else ""
        if cell.id in ids:
            yield ids[cell.id]
        elif module in lessons:
            yield module


def _known(made: Submission, told: Told, roster: Roster | None) -> Submission:
    made = replace(made, name=told.name, moodle=told.moodle, canvas=told.canvas, late=told.late)
    if roster is None:
        return made
    person = roster.find(told)
    if person is None:
        return replace(made, known=False)
    return replace(
        made,
        student=person.id,
        name=person.name or told.name,
        moodle=told.moodle or person.moodle,
        canvas=told.canvas or person.canvas,
        email=person.email,
        known=True,
    )


def _place(
    open_ones: list[tuple[Submission, Told]], placed: list[tuple[Submission, Told]]
) -> list[str]:
    """Give notebooks that tell no lesson the one that all the others are of, if it is one."""
    others = {made.lesson for made, _ in placed}
    if len(others) == 1:
        (only,) = others
        placed += [(replace(made, lesson=only), told) for made, told in open_ones]
        return []
    return [f"{made.origin} tells no lesson: give --lesson" for made, _ in open_ones]


def _choose(
    placed: list[tuple[Submission, Told]], lessons: Mapping[str, Lesson]
) -> list[Submission]:
    """One submission for each student and lesson, the reason beside it where there were more."""
    groups: dict[tuple[str, str], list[tuple[Submission, Told]]] = {}
    for made, told in placed:
        groups.setdefault((made.lesson, made.student), []).append((made, told))
    chosen = []
    for group in groups.values():
        group.sort(key=lambda each: _order(each[0], each[1], lessons))
        best = group[-1][0]
        if len(group) > 1:
            rest = ", ".join(made.origin for made, _ in group[:-1])
            remark = f"handed in {len(group)} notebooks: {best.origin} counts, not {rest}"
            best = replace(best, remarks=(*best.remarks, remark))
        chosen.append(best)
    return chosen


def _order(made: Submission, told: Told, lessons: Mapping[str, Lesson]) -> Any:
    path = PurePosixPath(made.origin)
    return names.likelihood(path, told, lessons[made.lesson].stem), path


def _absent(chosen: list[Submission], asked: list[str], roster: Roster | None) -> Iterable[Absent]:
    there = {(each.lesson, each.student) for each in chosen}
    for module in asked:
        for person in sorted(roster.people if roster else (), key=lambda each: each.id):
            if (module, person.id) not in there:
                about = (person.name, person.moodle, person.canvas, person.email)
                yield Absent(person.id, module, *about)
