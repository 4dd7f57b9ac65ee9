"""Marks for Gradescope: the `results.json` of one submission."""

import json
from typing import Any

from gridroll.classroom.grading import safe


def results(row: dict[str, Any], report: dict[str, Any]) -> str:
    """Return `results.json` for one student and lesson.

    A blank mark has no score, and neither has the whole then: Gradescope shows an error and no
    zero.
    """
    judged = f"Judged by Gridroll {report['course']}, {report['sandbox']}."
    notes = [note["text"] for note in row["notes"] if note["kind"] != "tampered"]
    content: dict[str, Any] = {
        "output": safe.text("\n".join([judged, *notes])),
        "visibility": "visible",
        "tests": [_test(m["exercise"], m["status"], m, m["message"]) for m in row["marks"]]
        + [_test(m["name"], "read", m, [("", m["comment"])]) for m in row["manual"]],
    }
    if row["points"] is not None:
        content = {"score": row["points"], **content}
    return json.dumps(content, indent=1) + "\n"


def _test(name: str, status: str, mark: dict[str, Any], lines: list[Any]) -> dict[str, Any]:
    said = [status.replace("_", " ")]
    said += [f"{label}: {text}" if label else text for label, text in lines if text]
    test = {
        "max_score": mark["of"],
        "name": name + (" (stretch)" if mark.get("stretch") else ""),
        "output": safe.text("\n".join(said)),
        "visibility": "visible",
    }
    return test if mark["points"] is None else {"score": mark["points"], **test}
