"""One page of feedback for each student: escaped, readable on a phone and by a screen reader."""

from collections.abc import Sequence
from html import escape
from typing import Any

from gridroll.classroom.grading import preface, safe
from gridroll.classroom.report import CODE, VALUES

_STYLE = """
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #fff; }
main { max-width: 42rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; }
h1, h2, h3, p, li, dt, caption { overflow-wrap: anywhere; }
h3 { margin-top: 2rem; border-top: 1px solid #767676; padding-top: 1rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: bold; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0;
  overflow-wrap: break-word; }
td:last-child, th:last-child { white-space: nowrap; padding-right: 0; }
dt { font-weight: bold; margin-top: 0.6rem; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; }
"""
_WORDS = {
    "passed": "passed",
    "failed": "not passed",
    "not_attempted": "not attempted",
    "error": "the code stopped with an error",
    "timeout": "the code didn't come to an end",
    "memory": "the code asked for too much memory",
    "died": "the code ended its own process",
    "missing": "the answer cell is missing",
    "tampered": "the answer cell isn't code",
    "malformed": "it can't be read",
    "grader_error": "not judged yet: the grader failed, and this is no zero",
    "to_read": "not read yet",
    "read": "read",
}
_SAID = ("missing", "tampered", "malformed")  # of these the first line stands above the results
_OURS = "Fault"  # a line for the people who mend the grader


def page(rows: Sequence[dict[str, Any]], report: dict[str, Any]) -> str:
    """Return the page of one student, whose `rows` are the lessons that they handed in."""
    who = _e(rows[0]["name"] or rows[0]["student"])
    titles = {lesson["module"]: lesson["title"] for lesson in report["lessons"]}
    lessons = "".join(_lesson(row, titles[row["lesson"]]) for row in rows)
    judged = f"Judged by Gridroll {_e(report['course'])}, {_e(report['sandbox'])}."
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Feedback for {who}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>Feedback for {who}</h1>\n{lessons}<footer><p>{judged}</p></footer>\n"
        f"</main>\n</body>\n</html>\n"
    )


def points_of(points: float | None, of: float) -> str:
    """Return "3 of 4 points", or that the mark isn't known yet."""
    return f"{_fraction(points, of)} {'point' if of == 1 else 'points'}"


def _fraction(points: float | None, of: float) -> str:
    return f"Open, of {of:g}" if points is None else f"{points:g} of {of:g}"


def _parted(name: str) -> str:
    """A name that a narrow screen may break between its parts."""
    return _e(name).replace(".", ".<wbr>").replace("_", "_<wbr>")


def _lesson(row: dict[str, Any], title: str) -> str:
    entries = [
        (mark["exercise"], mark["status"], mark, mark["message"], mark["stretch"])
        for mark in row["marks"]
    ] + [
        (each["name"], _reading_status(each), each, [("Comment", each["comment"])], False)
        for each in row["manual"]
    ]
    table = "".join(
        f'<tr><th scope="row">{_parted(name)}{" (stretch)" if stretch else ""}</th>'
        f"<td>{_WORDS[status]}</td><td>{_fraction(mark['points'], mark['of'])}</td></tr>\n"
        for name, status, mark, _, stretch in entries
    )
    details = "".join(_details(name, status, lines) for name, status, _, lines, _ in entries)
    beyond = (
        f" Stretch exercises: {points_of(row['stretch_points'], row['stretch_of'])}."
        if row["stretch_of"]
        else ""
    )
    place, shown = _e(f"lesson_{row['stem']}"), _e(title or row["stem"])
    return (
        f'<section aria-labelledby="{place}">\n<h2 id="{place}">{shown}</h2>\n'
        f"<p>{points_of(row['points'], row['of'])}.{beyond} File: {_e(row['file'])}.</p>\n"
        f"{_preface(row)}<table>\n<caption>Results of {shown}</caption>\n<thead><tr>"
        f'<th scope="col">Exercise</th><th scope="col">Result</th><th scope="col">Points</th>'
        f"</tr></thead>\n<tbody>\n{table}</tbody>\n</table>\n{details}</section>\n"
    )


def _reading_status(reading: dict[str, Any]) -> str:
    if reading["status"] == "to_read" and reading["points"] is not None:
        return "read"
    return str(reading["status"])


def _preface(row: dict[str, Any]) -> str:
    items = "".join(f"<li>{_e(text)}</li>" for text in preface.lines(row))
    return f"<ul>{items}</ul>\n" if items else ""


def _details(name: str, status: str, lines: Sequence[Sequence[str]]) -> str:
    """What is to be said of one exercise; nothing where there is nothing."""
    said = status in _SAID and bool(lines) and not lines[0][0]
    left = lines[1:] if said else lines
    shown = [(label, text) for label, text in left if text and label != _OURS]
    if not shown:
        return ""
    parts, listed = "", ""
    for label, text in shown:
        if label:
            listed += f"<dt>{_e(label)}</dt><dd>{_value(label, text)}</dd>\n"
        else:
            parts += f"<p>{_value(label, text)}</p>\n"
    parts += f"<dl>\n{listed}</dl>\n" if listed else ""
    return f"<h3>{_e(name)}: {_WORDS[status]}</h3>\n{parts}"


def _value(label: str, text: str) -> str:
    if label in VALUES:
        return f"<code>{_e(text)}</code>"
    return CODE.sub(r"<code>\1</code>", _e(text))


def _e(text: str) -> str:
    return escape(safe.text(text))
