"""Whose line of Moodle's worksheet is whose: by number, then by e-mail, then by full name.

Each of the three counts only where one student of the report and one line of the worksheet have
it. A line that was found by one isn't given away by another.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ID, EMAIL, NAME = "Identifier", "Email address", "Full name"
_MOST = 10  # names in a remark

Row = Mapping[str, Any]
Line = Mapping[str, str]  # a column's heading -> its cell


@dataclass(frozen=True)
class Found:
    """Which line belongs to which student, and who was found by the name alone."""

    lines: dict[int, int] = field(default_factory=dict)  # a row's place -> its line's
    by_name: set[int] = field(default_factory=set)  # places of rows


def match(rows: Sequence[Row], sheet: Sequence[Line]) -> Found:
    """Find the line of each student of one lesson."""
    found = Found()
    for column, own, plain in _KEYS:
        theirs = _places(plain(line.get(column, "")) for line in sheet)
        for key, ours in _places(plain(row.get(own, "")) for row in rows).items():
            there = theirs.get(key, [])
            if len(ours) != 1 or len(there) != 1:
                continue
            if ours[0] in found.lines or there[0] in found.lines.values():
                continue
            found.lines[ours[0]] = there[0]
            if column == NAME:
                found.by_name.add(ours[0])
    return found


def remarks(rows: Sequence[Row], sheet: Sequence[Line], found: Found) -> list[str]:
    """A line for each student without a grade, and for whatever else deserves a second look."""
    told = list(_of_rows(rows, sheet, found))
    left = sorted(set(range(len(sheet))) - set(found.lines.values()))
    names = [sheet[at].get(NAME) or sheet[at].get(ID, "") for at in left]
    if names:
        more = f", and {len(names) - _MOST} more" if len(names) > _MOST else ""
        told.append(f"In the worksheet and not in the reports: {', '.join(names[:_MOST])}{more}")
    return told


def _of_rows(rows: Sequence[Row], sheet: Sequence[Line], found: Found) -> Iterator[str]:
    lines = _places(_name(line.get(NAME, "")) for line in sheet)
    students = _places(_name(row["name"]) for row in rows)
    for at, row in enumerate(rows):
        name = _name(row["name"])
        who = row["student"]
        if row["points"] is None:
            yield f"{who} has no mark for {row['stem']}: left as it was"
        elif at not in found.lines:
            several = len(lines.get(name, [])) > 1 or len(students.get(name, [])) > 1
            alike = several and name in lines
            why = f": {row['name']} isn't one person's name alone" if alike else ""
            yield f"{who} isn't in the worksheet{why}"
        elif at in found.by_name:
            theirs = sheet[found.lines[at]].get(EMAIL, "")
            if row.get("email") and theirs:
                yield (
                    f"{who} was found by the name {row['name']} alone: the e-mail is "
                    f"{row['email']} here and {theirs} in the worksheet"
                )


def _places(keys: Iterable[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        if key:
            places[key].append(place)
    return places


def _number(text: str) -> str:
    """A roster may have the number alone."""
    return text.strip().removeprefix("Participant").strip()


def _email(text: str) -> str:
    return text.strip().casefold()


def _name(text: str) -> str:
    """A full name in one form; "Byron, Ada" is turned around."""
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    last, comma, first = words.partition(", ")
    return f"{first} {last}" if comma and ", " not in first else words


_KEYS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    (ID, "moodle", _number),
    (EMAIL, "email", _email),
    (NAME, "name", _name),
)
