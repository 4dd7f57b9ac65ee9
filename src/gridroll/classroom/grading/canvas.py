"""Marks for Canvas's gradebook, in the form that its import takes.

Rows are those of a gradebook that the instructor exported, matched by Canvas's number, by a SIS id
or by name. Without one they are those of the report. Nobody whose mark is blank gets a row, for an
empty cell could take an older mark away.
"""

from pathlib import Path
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import safe
from gridroll.classroom.grading.names import Told
from gridroll.classroom.grading.roster import Person, Roster, read_csv

COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def export(
    rows: list[dict[str, Any]], assignment: str, gradebook: Path | None = None
) -> tuple[str, list[str]]:
    """Return the CSV file and a line for each student who isn't in it.

    Args:
        rows: those of one lesson.
        assignment: the heading of its column, "Title (4567)".
        gradebook: Canvas's export.

    Raises UserError for a gradebook without Canvas's columns.
    """
    lines: list[tuple[object, ...]] = [(*COLUMNS, assignment)]
    remarks = []
    people = _people(gradebook) if gradebook else None
    for row in rows:
        about = _found(row, people) if people is not None else _own(row)
        if row["points"] is None:
            remarks.append(f"{row['student']} has no mark for {row['stem']}: left out")
        elif about is None:
            remarks.append(f"{row['student']} isn't in {gradebook}: left out")
        else:
            lines.append((*about, row["points"]))
    return safe.table(lines), remarks


def _own(row: dict[str, Any]) -> tuple[str, ...]:
    login = "" if row["canvas"] else row["student"]
    return (row["name"] or row["student"], row["canvas"], "", login, "")


def _people(path: Path) -> dict[str, tuple[str, ...]]:
    """Canvas's number of each student -> the first five cells."""
    rows = read_csv(path)
    heading = [name.strip() for name in rows[0]] if rows else []
    missing = [name for name in COLUMNS[:2] if name not in heading]
    if missing:
        raise UserError(f"{path} has no column {missing[0]!r}: export the gradebook from Canvas.")
    places = [heading.index(name) if name in heading else None for name in COLUMNS]
    found = {}
    for row in rows[1:]:
        cells = tuple(row[at] if at is not None and at < len(row) else "" for at in places)
        if cells[1].strip():  # the row of possible points has no number
            found[cells[1].strip()] = cells
    return found


def _found(row: dict[str, Any], people: dict[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """The line of the gradebook that is certainly this student's."""
    if row["canvas"] in people:
        return people[row["canvas"]]
    for column in (2, 3):
        same = [cells for cells in people.values() if cells[column].strip() == row["student"]]
        if len(same) == 1:
            return same[0]
    names = Roster(Person(number, _spoken(cells[0])) for number, cells in people.items())
    person = names.find(Told("", name=row["name"])) if row["name"] else None
    return people[person.id] if person else None


def _spoken(name: str) -> str:
    """Canvas writes "Byron, Ada"."""
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma else name
