"""Marks for Moodle: the grading worksheet that the instructor downloaded, filled in.

Only the cells `Grade` and `Last modified (grade)` of students with a mark are touched. Every other
byte of the file stays, for Moodle reads it back as it wrote it. Whose line is whose, `matching`
decides.
"""

import re
from datetime import datetime
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import matching
from gridroll.classroom.grading.matching import ID

GRADE, MODIFIED = "Grade", "Last modified (grade)"
MOST = "Maximum grade"
_FIELD = re.compile(r'("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r\n|\n|\r|\Z)')
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = ["January", "February", "March", "April", "May", "June", "July"]
_MONTHS += ["August", "September", "October", "November", "December"]


def fill(
    worksheet: bytes, rows: list[dict[str, Any]], date: str, *, scale: bool = False
) -> tuple[bytes, list[str]]:
    """Return the filled worksheet and a line for each student who got no grade in it.

    Args:
        worksheet: Moodle's file.
        rows: those of one lesson.
        date: what to write as the time of the grade.
        scale: convert points to Moodle's maximum where that is another number.

    Raises UserError for a file that isn't such a worksheet, for another maximum, and where nobody
    would get a grade.
    """
    try:
        mark, text = _marked(worksheet)
    except UnicodeDecodeError:
        raise UserError("The worksheet isn't text in UTF-8: give it as Moodle wrote it.") from None
    lines = _split(text)
    heading = [_plain(cell) for cell, _ in lines[0]] if lines else []
    for name in (ID, GRADE, MODIFIED):
        if name not in heading:
            raise UserError(
                f"The worksheet has no column {name!r}: download it with 'Download grading "
                "worksheet', in English."
            )
    people = [line for line in lines[1:] if len(line) == len(heading)]
    sheet = [dict(zip(heading, (_plain(cell) for cell, _ in line), strict=True)) for line in people]
    found = matching.match(rows, sheet)
    graded = [at for at in found.lines if rows[at]["points"] is not None]
    if rows and not graded:
        raise UserError(_nobody(rows))
    for at in graded:
        line = people[found.lines[at]]
        _put(line, heading.index(GRADE), _grade(rows[at], sheet[found.lines[at]], scale))
        _put(line, heading.index(MODIFIED), date)
    made = mark + "".join(cell + end for line in lines for cell, end in line).encode()
    return made, matching.remarks(rows, sheet, found)


def today(now: datetime) -> str:
    """A time as Moodle writes it in English: "Sunday, 29 November 2026, 8:15 PM"."""
    hour = now.hour % 12 or 12
    half = "AM" if now.hour < 12 else "PM"
    day = f"{_DAYS[now.weekday()]}, {now.day} {_MONTHS[now.month - 1]} {now.year}"
    return f"{day}, {hour}:{now.minute:02} {half}"


def _marked(worksheet: bytes) -> tuple[bytes, str]:
    mark = b"\xef\xbb\xbf" if worksheet.startswith(b"\xef\xbb\xbf") else b""
    return mark, worksheet[len(mark) :].decode("utf-8")


def _split(text: str) -> list[list[tuple[str, str]]]:
    """The file in lines of (cell as it stands there, what follows it); joined, it is the file."""
    lines: list[list[tuple[str, str]]] = [[]]
    place = 0
    while place < len(text):
        found = _FIELD.match(text, place)
        if found is None:
            raise UserError(f"The worksheet isn't CSV: a quote is out of place at byte {place}.")
        lines[-1].append((found[1], found[2]))
        place = found.end()
        if found[2] != "," and place < len(text):
            lines.append([])
        elif found[2] == "," and place == len(text):
            lines[-1].append(("", ""))
    return [line for line in lines if line]


def _plain(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


def _put(line: list[tuple[str, str]], place: int, text: str) -> None:
    quoted = f'"{text}"' if "," in text or line[place][0].startswith('"') else text
    line[place] = (quoted, line[place][1])


def _grade(row: dict[str, Any], line: dict[str, str], scale: bool) -> str:
    most = _number(line.get(MOST, ""))
    points, of = float(row["points"]), float(row["of"])
    if most is not None and most != of:
        if not scale:
            raise UserError(
                f"Moodle's maximum grade is {most:g} and {row['stem']} has {of:g} points: "
                "--scale converts them."
            )
        points = points * most / of if of else 0.0
    return f"{points:.2f}"


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _nobody(rows: list[dict[str, Any]]) -> str:
    if all(row["points"] is None for row in rows):
        return f"Nobody has a mark for {rows[0]['stem']}: nothing is written."
    return (
        "Nobody with a mark was found in the worksheet, by number, e-mail or full name: nothing is "
        "written. Who is who, the roster of `gridroll grade` says: its columns are id, name, email "
        "and moodle."
    )
