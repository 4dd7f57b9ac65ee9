"""A verdict as text that reads well everywhere, and as HTML for notebooks."""

import html
from dataclasses import dataclass

from gridroll.classroom.exercise import Fault

MARKS = {"passed": "✓", "failed": "✗", "error": "✗", "not_attempted": "○", "committed": "✓"}
WORDS = {
    "passed": "passed",
    "failed": "not yet",
    "error": "not yet",
    "not_attempted": "not attempted yet",
    "committed": "committed",
}
COLOURS = {"✓": "#00664f", "✗": "#a33c00", "○": "#4d5b66"}


@dataclass(frozen=True)
class Report:
    """What a check has to say: a headline, then labelled lines, then a folded traceback."""

    headline: str
    mark: str
    lines: tuple[tuple[str, str], ...]  # (label, text); a line without a label has ""
    traceback: str = ""

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
        rows = "".join(
            f'<tr><th scope="row" style="text-align:left;vertical-align:top;padding-right:1em;'
            f'width:1%;white-space:nowrap">{html.escape(label)}</th>'
            f'<td style="text-align:left;white-space:pre-wrap;font-family:monospace">'
            f"{html.escape(text)}</td></tr>"
            if label
            else f'<tr><td colspan="2" style="text-align:left;white-space:pre-wrap">'
            f"{html.escape(text)}</td></tr>"
            for label, text in self.lines
        )
        folded = (
            f"<details><summary>The whole traceback</summary><pre>{html.escape(self.traceback)}"
            "</pre></details>"
            if self.traceback
            else ""
        )
        return (
            f'<div role="status" style="border-left:4px solid {COLOURS[self.mark]};'
            f'padding:0.2em 0 0.2em 0.8em"><strong>{self.mark} {html.escape(self.headline)}'
            f'</strong><table style="margin-left:0">{rows}</table>{folded}</div>'
        )


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
    if fault.rule and not cause:
        lines.append(("Advice" if fault.error else "Rule", fault.rule))
    lines.extend(("See also", note) for note in fault.notes)
    return lines
