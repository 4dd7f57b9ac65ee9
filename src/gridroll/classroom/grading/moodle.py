"""Marks for Moodle: the grading worksheet that the instructor downloaded, filled in.

Only the cells `Grade` and `Last modified (grade)` of students with a mark are touched. Every other
byte of the file stays, for Moodle reads it back as it wrote it.
"""

import re
from datetime import datetime
from typing import Any

from gridroll.classroom.errors import UserError

ID, GRADE, MODIFIED = "Identifier", "Grade", "Last modified (grade)"
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

    Raises UserError for a file that isn't such a worksheet, and for another maximum.
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
    by_number = {row["moodle"]: row for row in rows if row["moodle"]}
    used = set()
    for line in lines[1:]:
        cells = [_plain(cell) for cell, _ in line]
        row = by_number.get(cells[heading.index(ID)]) if len(cells) == len(heading) else None
        if row is None or row["points"] is None:
            continue
        used.add(row["moodle"])
        grade = _grade(row, cells, heading, scale)
        _put(line, heading.index(GRADE), grade)
        _put(line, heading.index(MODIFIED), date)
    remarks = [_why(row) for row in rows if row["moodle"] not in used]
    return mark + "".join(cell + end for line in lines for cell, end in line).encode(), remarks


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


def _grade(row: dict[str, Any], cells: list[str], heading: list[str], scale: bool) -> str:
    most = _number(cells[heading.index(MOST)]) if MOST in heading else None
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


def _why(row: dict[str, Any]) -> str:
    if row["points"] is None:
        return f"{row['student']} has no mark for {row['stem']}: left as it was"
    return f"{row['student']} isn't in the worksheet"
