"""Read the outputs of a solution's cells, and refuse what a lesson must not hold."""

import re
from collections.abc import Iterable
from typing import Any

from gridroll.classroom import values
from gridroll.classroom.record import RECORD_MIME

# Text that differs from run to run, from machine to machine or between versions.
_UNSTABLE = re.compile(r"<Figure size|\bat 0x[0-9a-fA-F]+|<ipython-input|\bTo print the full")


class OutputError(Exception):
    """An output can't be kept in a lesson; the message says why and what to do."""


def records(cells: Iterable[Any]) -> dict[str, Any]:
    """Return everything that the cells recorded, names to plain values.

    Raises OutputError for a name that was recorded twice.
    """
    found: dict[str, Any] = {}
    for cell in cells:
        for output in cell.get("outputs", ()):
            for name, value in output.get("data", {}).get(RECORD_MIME, {}).items():
                if name in found:
                    raise OutputError(f"{name!r} is recorded twice; give each result its own name")
                found[name] = values.from_json(value)
    return found


def text_of(output: Any) -> str:
    """Return an output as the text that a reader sees, without a newline at its end."""
    if output.output_type == "stream":
        return str(output.text).rstrip("\n")
    return str(output.get("data", {}).get("text/plain", "")).rstrip("\n")


def alt_of(output: Any) -> str:
    """Return the alt text of a picture; "" for one without."""
    about = output.get("metadata", {}).get("image/png", {})
    return str(about.get("alt", "")) if isinstance(about, dict) else ""


def figure_of(output: Any) -> str | None:
    """Return the name of the file that an output's picture has in figures/, or None."""
    name = output.get("metadata", {}).get("gridroll", {}).get("figure")
    return None if name is None else str(name)


def is_picture(output: Any) -> bool:
    """Tell whether an output holds an image."""
    return any(mime.startswith("image/") for mime in output.get("data", {}))


def refuse_unfit(cell: Any, lesson_number: str) -> None:
    """Raise OutputError for text that no other run repeats and for a picture without alt text."""
    for output in cell.get("outputs", ()):
        unstable = _UNSTABLE.search(text_of(output))
        if unstable:
            raise OutputError(f"its output holds {unstable[0]!r}, which no other run repeats")
        if is_picture(output) and not alt_of(output):
            raise OutputError("its picture has no alt text; show it with show(figure, alt=...)")
        name = figure_of(output)
        if name is not None and not name.startswith(f"{lesson_number}_"):
            raise OutputError(f"its figure {name!r} must be named {lesson_number}_...")
