"""Marks that a person gives: `manual.csv` lists the texts, and its marks go into the reports.

Columns: student, name, lesson, cell, text, of, marks, comment. Only `marks` and `comment` are read
back, for the student, lesson and cell beside them. A file with marks is never written over: rows
are added and texts renewed, and what was filled in stays.
"""

from pathlib import Path
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import report as reports
from gridroll.classroom.grading import safe
from gridroll.classroom.grading.roster import read_csv

COLUMNS = ("student", "name", "lesson", "cell", "text", "of", "marks", "comment")
_NEEDED = ("student", "lesson", "cell", "marks", "comment")

Key = tuple[str, str, str]
Given = dict[Key, tuple[str, str]]  # student, lesson, cell -> marks, comment, as they were typed


def load(path: Path) -> Given:
    """Read the marks that were filled in; none where there is no file. Raises UserError."""
    if not path.exists():
        return {}
    rows = read_csv(path)
    heading = [name.strip().lower() for name in rows[0]] if rows else []
    missing = [name for name in _NEEDED if name not in heading]
    if missing:
        raise UserError(f"{path} has no column {missing[0]!r}; it needs {', '.join(_NEEDED)}.")
    given: Given = {}
    for number, row in enumerate(rows[1:], start=2):
        fields = dict(zip(heading, row, strict=False))
        if not any(fields.values()):
            continue
        key = (fields.get("student", ""), fields.get("lesson", ""), fields.get("cell", ""))
        if key in given:
            raise UserError(f"{path}: row {number} marks {', '.join(key)} a second time.")
        given[key] = (fields.get("marks", "").strip(), fields.get("comment", "").strip())
    return given


def merge(report: reports.Report, given: Given, path: Path) -> reports.Report:
    """Put marks and comments into a report and count anew.

    Raises UserError for a mark that is no number from 0 to what the cell is worth, and for one of
    a cell that nobody handed in.
    """
    cells = {_key(row, each): each for row in report["rows"] for each in row["manual"]}
    for key, (marks, comment) in given.items():
        if key not in cells:
            if marks or comment:
                raise UserError(f"{path} marks {', '.join(key)}, which isn't in these reports.")
            continue
        found = cells[key]
        blank = None if found["status"] == "to_read" else 0
        found["points"] = _number(marks, found["of"], key, path) if marks else blank
        found["comment"] = comment
    return reports.completed(report)


def listing(report: reports.Report, given: Given) -> str:
    """Return `manual.csv`: everything that is to be read, with what was filled in before."""
    lines: list[tuple[Any, ...]] = [COLUMNS]
    for row in report["rows"]:
        for each in row["manual"]:
            key = _key(row, each)
            if each["status"] == "to_read" or key in given:
                typed = given.get(key, ("", ""))
                about = (row["student"], row["name"], row["stem"], each["name"])
                lines.append((*about, each["text"], each["of"], *typed))
    return safe.table(lines)


def _key(row: dict[str, Any], reading: dict[str, Any]) -> Key:
    """As `listing` writes it, so that a neutralised name is found again."""
    return str(safe.cell(row["student"])), row["stem"], reading["name"]


def _number(text: str, most: int, key: Key, path: Path) -> int | float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        where = ", ".join(key)
        raise UserError(f"{path}: the marks of {where} are {text!r}; allowed are 0 to {most}.")
    return int(value) if value == int(value) else value
