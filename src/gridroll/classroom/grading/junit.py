"""The marks as JUnit XML: a suite for each student and lesson, a case for each exercise."""

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as Xml

from gridroll.classroom.grading import safe

_SKIPPED = ("not_attempted", "to_read")


def document(report: dict[str, Any]) -> str:
    """Return the whole file."""
    root = Xml.Element("testsuites", name="gridroll")
    for row in report["rows"]:
        if row["submitted"]:
            root.append(_suite(row, report))
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _suite(row: dict[str, Any], report: dict[str, Any]) -> Xml.Element:
    suite = Xml.Element("testsuite", name=safe.text(f"{row['student']} {row['stem']}"))
    properties = Xml.SubElement(suite, "properties")
    for name in ("course", "sandbox", "seed"):
        Xml.SubElement(properties, "property", name=name, value=safe.text(report[name]))
    cases = [_case(row, m["exercise"], m["status"], m["message"]) for m in row["marks"]]
    cases += [_case(row, m["name"], _read(m), [("", m["comment"])]) for m in row["manual"]]
    suite.extend(cases)
    suite.set("tests", str(len(cases)))
    for kind, plural in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(plural, str(sum(case.find(kind) is not None for case in cases)))
    return suite


def _read(reading: dict[str, Any]) -> str:
    if reading["points"] is None:
        return "to_read"
    return "passed" if reading["points"] == reading["of"] else "failed"


def _case(
    row: dict[str, Any], name: str, status: str, lines: Sequence[Sequence[str]]
) -> Xml.Element:
    case = Xml.Element("testcase", classname=safe.text(row["student"]), name=name)
    said = safe.text("\n".join(f"{label}: {text}" if label else text for label, text in lines))
    if status in _SKIPPED:
        Xml.SubElement(case, "skipped", message=status)
    elif status != "passed":
        kind = "error" if status == "grader_error" else "failure"
        first = said.partition("\n")[0] or status
        Xml.SubElement(case, kind, type=status, message=first).text = said
    return case
