"""The list of a class: who should have sent something, and which name belongs to whom.

A CSV file with a heading. `id` is needed (also read: `student`, `username`). Also read: `name`, or
`first_name` and `last_name`; `email`; and the numbers of an LMS, `moodle` (12345 or
"Participant 12345") and `canvas` (12345). Other columns are ignored.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading.names import Told

_ID = ("id", "student", "student_id", "username")


@dataclass(frozen=True)
class Person:
    """One line of the roster."""

    id: str
    name: str = ""
    email: str = ""
    moodle: str = ""
    canvas: str = ""


class Roster:
    """The people of a class, found by whatever a file's name says of them."""

    def __init__(self, people: Iterable[Person]) -> None:
        self.people = tuple(people)
        self._exact = {person.id: person for person in self.people}
        self._others: dict[str, set[str]] = {}
        for person in self.people:
            for key in _keys(person):
                self._others.setdefault(key, set()).add(person.id)

    def find(self, told: Told) -> Person | None:
        """The person whose id, LMS number, e-mail or name this is; None where it isn't certain."""
        if told.student in self._exact:
            return self._exact[told.student]
        numbers = [f"moodle {told.moodle}", f"canvas {told.canvas}"]
        for key in [*numbers, f"id {_folded(told.student)}", f"name {_plain(told.name)}"]:
            found = self._others.get(key, set())
            if len(found) == 1:
                return self._exact[next(iter(found))]
        return None


def _keys(person: Person) -> set[str]:
    words = re.findall(r"\w+", person.name)
    orders = {"".join(words), "".join(words[-1:] + words[:-1]), "".join(words[1:] + words[:1])}
    keys = {f"id {_folded(person.id)}", *(f"name {_plain(each)}" for each in orders if each)}
    if person.email:
        keys |= {f"id {_folded(person.email)}", f"id {_folded(person.email).split('@')[0]}"}
    if person.moodle:
        keys.add(f"moodle Participant {person.moodle.removeprefix('Participant').strip()}")
    if person.canvas:
        keys.add(f"canvas {person.canvas}")
    return keys


def _folded(text: str) -> str:
    """A text in small letters; Macs write an accent in a file's name as a sign of its own."""
    return unicodedata.normalize("NFC", text.casefold())


def _plain(name: str) -> str:
    """A name as Canvas writes it: letters alone, small, without accents."""
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in decomposed if letter.isalnum())


def load(path: Path) -> Roster:
    """Read a roster. Raises UserError, in one line, for a file that isn't one."""
    rows = read_csv(path)
    heading = [cell.strip().lower().replace(" ", "_") for cell in rows[0]] if rows else []
    column = next((name for name in _ID if name in heading), None)
    if column is None:
        raise UserError(f"{path} has no column 'id'; its columns are {', '.join(heading)[:200]}.")
    people: list[Person] = []
    first: dict[str, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        fields = {name: cell.strip() for name, cell in zip(heading, row, strict=False)}
        if not any(fields.values()):
            continue
        person = _person(fields, fields.get(column, ""))
        if not person.id:
            raise UserError(f"{path}: row {number} has no {column}.")
        if person.id in first:
            raise UserError(
                f"{path}: the {column} {person.id!r} stands twice, in rows {first[person.id]} and "
                f"{number}."
            )
        first[person.id] = number
        people.append(person)
    if not people:
        raise UserError(f"{path} names nobody.")
    return Roster(people)


def _person(fields: dict[str, str], identity: str) -> Person:
    parts = (fields.get("first_name", ""), fields.get("last_name", ""))
    name = fields.get("name") or fields.get("full_name") or " ".join(filter(None, parts))
    return Person(
        identity, name, *(fields.get(column, "") for column in ("email", "moodle", "canvas"))
    )


def read_csv(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file, by whatever its spreadsheet separates columns. UserError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path} isn't text in UTF-8: save it as CSV UTF-8.") from None
    heading = text.partition("\n")[0]
    separator = max(",;\t", key=heading.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise UserError(f"{path} can't be read as CSV: {error}.") from None
