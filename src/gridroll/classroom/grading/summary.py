"""How a class did: each exercise, and which misconception how many people have."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gridroll.classroom.grading import columns
from gridroll.classroom.grading.records import STATUSES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 12  # bars of a figure
_BLUE = "#0072B2"


def summarise(lesson: dict[str, Any], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count the statuses of each exercise and the misconceptions of one lesson."""
    marks = [mark for row in rows for mark in row["marks"]]
    statuses = Counter((mark["exercise"], mark["status"]) for mark in marks)
    ideas = Counter((m["exercise"], m["diagnosis"]) for m in marks if m["diagnosis"])
    order = {each["name"]: place for place, each in enumerate(lesson["exercises"])}
    ranked = sorted(ideas, key=lambda idea: (-ideas[idea], order[idea[0]], idea[1]))
    return {
        "lesson": lesson["module"],
        "stem": lesson["stem"],
        "submitted": sum(row["submitted"] for row in rows),
        "absent": sum(not row["submitted"] for row in rows),
        "exercises": [
            {"exercise": name} | {s: statuses[name, s] for s in STATUSES if statuses[name, s]}
            for name in order
        ],
        "misconceptions": [
            {"exercise": name, "misconception": idea, "students": ideas[name, idea]}
            for name, idea in ranked
        ],
    }


def exercise_lines(summary: dict[str, Any], width: int | None = None) -> list[str]:
    """A table with a row for each exercise: how many passed, failed, and so on."""
    used = [s for s in STATUSES if any(s in each for each in summary["exercises"])]
    rows = [
        [each["exercise"], *(str(each.get(status, "")) for status in used)]
        for each in summary["exercises"]
    ]
    headings = [summary["stem"], *(status.replace("_", " ") for status in used)]
    return columns.lines(headings, rows, width)


def misconception_lines(summary: dict[str, Any], width: int | None = None) -> list[str]:
    """A table with a row for each misconception that somebody has, the most common one first."""
    rows = [
        [each["misconception"], each["exercise"], str(each["students"])]
        for each in summary["misconceptions"]
    ]
    headings = ["Misconception", "Exercise", "Students"]
    return columns.lines(headings, rows, width, left=["Exercise"])


def figure(summary: dict[str, Any]) -> tuple["Figure", str]:
    """Draw the most common misconceptions of one lesson as bars. Returns it and its alt text.

    Raises ValueError where there is none.
    """
    import matplotlib.style
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    import gridroll

    shown = summary["misconceptions"][:_MOST]
    left_out = _left_out(summary["misconceptions"][_MOST:])
    if not shown:
        raise ValueError(f"{summary['stem']}: no misconception was recognised")
    sheet = f"{gridroll.__path__[0]}/gridroll.mplstyle"
    with matplotlib.style.context(sheet, after_reset=True):
        made = Figure(figsize=(7.0, 2.0 + 0.62 * len(shown)), layout="constrained")
        title = textwrap.fill(_title(summary), 56)
        made.suptitle(title, x=0.015, ha="left", linespacing=1.25, parse_math=False)
        if left_out:
            made.supxlabel(left_out, x=0.015, ha="left", fontsize=11)
        ax = made.subplots()
        labels = [f"{each['misconception']}\n{each['exercise']}" for each in shown]
        counts = [each["students"] for each in shown]
        bars = ax.barh(range(len(shown)), counts, color=_BLUE, height=0.62)
        ax.bar_label(bars, padding=4)
        ax.set_yticks(range(len(shown)), labels, fontsize=11, parse_math=False)
        ax.set(ylim=(len(shown) - 0.5, -0.5), xlabel="students", xlim=(0, max(counts) * 1.1))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.tick_params(axis="y", length=0)
    listed = "; ".join(f"{e['misconception']} in {e['exercise']}: {e['students']}" for e in shown)
    alt = f"Bars of how many students have each misconception. {_title(summary)}. {listed}."
    return made, f"{alt} {left_out}".rstrip()


def _title(summary: dict[str, Any]) -> str:
    """The finding, which is another one where several are equally common."""
    ideas = summary["misconceptions"]
    most, total = ideas[0]["students"], summary["submitted"]
    names = [f"“{e['misconception']}” in {e['exercise']}" for e in ideas if e["students"] == most]
    share = f"{most} of {_counted(total, 'student')}"
    if len(ideas) == 1:
        return f"{names[0]} is the only misconception that was recognised: {share}"
    if len(names) == len(ideas):
        return f"No misconception stands out: each of the {len(ideas)} was recognised in {share}"
    if len(names) == 1:
        return f"{names[0]} is the most common misconception: {share}"
    if len(names) == 2:
        return f"{names[0]} and {names[1]} are the most common misconceptions: each {share}"
    return f"{len(names)} of {len(ideas)} misconceptions are the most common: each {share}"


def _left_out(ideas: Sequence[dict[str, Any]]) -> str:
    """What the figure says of the misconceptions that it has no room for."""
    if not ideas:
        return ""
    most, least = ideas[0]["students"], ideas[-1]["students"]
    students = _counted(most, "student")
    each = students if most == least else f"{least} to {students}"
    more = _counted(len(ideas), "more misconception")
    return f"Not shown: {more}, with {each}{' each' if len(ideas) > 1 else ''}."


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
