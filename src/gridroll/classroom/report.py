"""A verdict as text that reads well everywhere, and as HTML for notebooks."""

import html
import re
from dataclasses import dataclass

from gridroll.classroom.exercise import Fault

MARKS = {"passed": "✓", "failed": "✗", "error": "✗", "not_attempted": "○", "committed": "✓"}
WORDS = {
    "passed": "passed",
    "failed": "not yet",
    "error": "not yet",
    "not_attempted": "not attempted yet",
    "committed": "guess committed",
}
COLOURS = {"✓": "#00664f", "✗": "#a33c00", "○": "#4d5b66"}


VALUES = {"Your line", "Left over", "Called", "First difference", "Got", "Expected", "Both give"}
CODE = re.compile("`([^`]+)`")
# Notebooks set tables in columns of equal width, centred and striped.
TABLE = "margin:0.2em 0;table-layout:auto;width:auto;border:none;font-size:inherit"
CELL = "text-align:left;vertical-align:baseline;padding:0.15em 1em 0.15em 0"
LABEL = "width:1%;white-space:nowrap;font-weight:bold"


@dataclass(frozen=True)
class Report:
    """What a check has to say: a headline, then labelled lines, then what is folded away."""

    headline: str
    mark: str
    lines: tuple[tuple[str, str], ...]  # (label, text); a line without a label has ""
    folded: tuple[tuple[str, str], ...] = ()  # (title, text), shown by notebooks alone

    @property
    def text(self) -> str:
        """Plain text, labels in one column."""
        width = max((len(label) for label, _ in self.lines), default=0)
        rows = [f"{self.mark} {self.headline}"]
        for label, text in self.lines:
            rows.append(f"  {label:<{width}}  {text}" if label else f"  {text}")
        return "\n".join(rows)

    @property
    def html(self) -> str:
        """The same for a notebook; symbols and words carry the verdict, never colour alone."""
        rows = "".join(_row(label, text) for label, text in self.lines)
        folded = "".join(
            f"<details><summary>{html.escape(title)}</summary>"
            f'<pre style="white-space:pre-wrap">{html.escape(text)}</pre></details>'
            for title, text in self.folded
        )
        return (
            f'<div role="status" style="border-left:4px solid {COLOURS[self.mark]};'
            f'padding:0.2em 0 0.2em 0.8em"><strong>{self.mark} {html.escape(self.headline)}'
            f'</strong><table style="{TABLE}">{rows}</table>{folded}</div>'
        )


def _row(label: str, text: str) -> str:
    """One line as a row. Values stand as they are in monospace, prose has code in backticks."""
    if label in VALUES:
        shown, font = html.escape(text), ";font-family:monospace"
    else:
        shown, font = CODE.sub(r"<code>\1</code>", html.escape(text)), ""
    cell = f'style="{CELL};white-space:pre-wrap;overflow-wrap:anywhere{font}">{shown}</td>'
    if not label:
        return f'<tr><td colspan="2" {cell}</tr>'
    return f'<tr><th scope="row" style="{CELL};{LABEL}">{html.escape(label)}</th><td {cell}</tr>'


def headline(name: str, status: str, earned: int, points: int) -> str:
    """The first line, such as `collector.rollout: not yet (0 of 4 points)`."""
    noun = "point" if points == 1 else "points"
    return f"{name}: {WORDS[status]} ({earned} of {points} {noun})"


def fault_lines(fault: Fault, cause: str | None) -> list[tuple[str, str]]:
    """The ladder: the student's own line, the call, the first difference, the likely cause."""
    lines = [("", fault.summary)]
    if fault.line:
        lines.append(("Your line", fault.line))
    if fault.call:
        lines.append(("Called", fault.call))
    if fault.where:
        lines.append(("First difference", fault.where))
    if fault.got:
        lines.append(("Got", fault.got))
    if fault.expected:
        lines.append(("Expected", fault.expected))
    if cause:
        lines.append(("Likely cause", cause))
    if fault.advice and not cause:
        lines.append(("Advice", fault.advice))
    if fault.rule and not cause:
        lines.append(("Rule", fault.rule))
    lines.extend(("See also", note) for note in fault.notes)
    return lines


def folded_parts(fault: Fault) -> tuple[tuple[str, str], ...]:
    """What is too long to read at once: the call with every number, and the traceback."""
    parts = (("The whole call", fault.whole_call), ("The whole traceback", fault.traceback))
    return tuple((title, text) for title, text in parts if text)
