"""The files of a finished run. Each is put into place whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridroll.classroom import files
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import feedback, junit, manual, place, safe, summary
from gridroll.classroom.grading import report as reports

REPORT = "report.json"


def write_all(report: reports.Report, folder: Path, given: manual.Given | None = None) -> list[str]:
    """Write every report into `folder`, and return their names. Raises UserError."""
    made = documents(report, given or {})
    path = folder
    try:
        for name, content in made.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            files.write_whole(path, content)
        for pattern in ("misconceptions_*.svg", "feedback/*.html"):
            for path in folder.glob(pattern):  # of a run before, of somebody who isn't here now
                if path.relative_to(folder).as_posix() not in made:
                    path.unlink()
    except OSError as error:
        kept = " The results are kept: --resume writes the reports."
        raise place.unwritable(path, error, kept) from None
    return list(made)


def documents(report: reports.Report, given: manual.Given) -> dict[str, str | bytes]:
    """Return the text of every report, by its name."""
    made: dict[str, str | bytes] = {
        REPORT: json.dumps(report, indent=1, ensure_ascii=True) + "\n",
        "marks.csv": marks(report),
        "junit.xml": junit.document(report),
    }
    if any(lesson["manual"] for lesson in report["lessons"]):
        made[place.MANUAL] = manual.listing(report, given)
    for each in report["summary"]:
        if each["misconceptions"]:
            made[f"misconceptions_{each['stem']}.svg"] = _picture(each)
    pages: dict[str, list[dict[str, Any]]] = {}
    for row in report["rows"]:
        if row["submitted"]:
            pages.setdefault(row["feedback"], []).append(row)
    return made | {name: feedback.page(rows, report) for name, rows in pages.items()}


def marks(report: reports.Report) -> str:
    """Return `marks.csv`: a row for each student and lesson, a column for each exercise.

    `points` of `of` are those without the stretch exercises, which stand beside them as
    `stretch_points` of `stretch_of` and are in no total.
    """
    names = [e["name"] for lesson in report["lessons"] for e in lesson["exercises"]]
    names += [e["name"] for lesson in report["lessons"] for e in lesson["manual"]]
    about = ["student", "name", "lesson", "submitted", "late", "points", "of"]
    beyond = ["stretch_points", "stretch_of"]
    lines: list[list[object]] = [[*about, *beyond, "sandbox", "notes", *names]]
    for row in report["rows"]:
        points = {mark["exercise"]: mark["points"] for mark in row["marks"]}
        points |= {reading["name"]: reading["points"] for reading in row["manual"]}
        notes = [n["text"] for n in row["notes"]] + row["remarks"]
        if row["known"] is False:
            notes.append("Not on the roster.")
        told: Mapping[str, object] = row | {
            "lesson": row["stem"],
            "submitted": "yes" if row["submitted"] else "no",
            "late": "yes" if row["late"] else "no",
        }
        cells = [told[name] for name in about + beyond]
        lines.append([*cells, report["sandbox"], " ".join(notes), *map(points.get, names)])
    return safe.table(lines)


def load(folder: Path) -> reports.Report:
    """Read the report of a run. Raises UserError where there is none."""
    path = folder / REPORT
    try:
        report: reports.Report = json.loads(path.read_text(encoding="utf-8"))
        if report["format"] != reports.FORMAT:
            raise ValueError
    except FileNotFoundError:
        raise UserError(
            f"{folder} holds no {REPORT}: it is the --out of `gridroll grade`."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise UserError(
            f"{path} isn't a report of this program; --resume writes it anew."
        ) from None
    return report


def _picture(each: dict[str, Any]) -> bytes:
    from gridroll.classroom.show import svg

    return svg(*summary.figure(each))
