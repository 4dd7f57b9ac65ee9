"""What a student's page says first of all, in the second person: what concerns the whole notebook.

Whatever is wrong with several cells is said once here, with what to do about it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gridroll.classroom.grading import intake

_HELPFUL = ("duplicate", "file")  # notes that help their student
_AGAIN = "Ask whether you may hand it in again."
_ONCE_MORE = f"To mend this, put the answer into its cell of a fresh copy of the lesson. {_AGAIN}"
_CODE = f"To mend this, make it a code cell again (in Jupyter: Esc, then Y). {_AGAIN}"


def lines(row: dict[str, Any]) -> list[str]:
    """Return one line for each thing; none where everything is as it should be."""
    return [*_of_file(row), *_of_cells(row), *_of_notes(row)]


def _of_file(row: dict[str, Any]) -> Iterator[str]:
    for remark in row["remarks"]:
        if remark.startswith(intake.WRONG_LESSON):
            yield f"Your notebook {remark.removeprefix('it ')}. {_AGAIN}"
        elif remark.startswith(intake.NAMED):
            yield f"Your notebook {remark.removeprefix('it ')}."
        else:  # "handed in 2 notebooks: ..."
            yield f"You {remark}."


def _of_cells(row: dict[str, Any]) -> Iterator[str]:
    cells = [(mark["exercise"], mark["status"]) for mark in row["marks"]]
    cells += [(reading["name"], reading["status"]) for reading in row["manual"]]
    statuses = {status for _, status in cells}
    wrong = any(remark.startswith(intake.WRONG_LESSON) for remark in row["remarks"])
    missing = [name for name, status in cells if status == "missing"]
    if missing and statuses == {"missing"}:
        if not wrong:
            yield f"None of this lesson's answer cells is in your notebook. {_ONCE_MORE}"
    elif missing:
        yield f"{_cells('answer cell', missing)} missing from your notebook. {_ONCE_MORE}"
    tampered = [name for name, status in cells if status == "tampered"]
    if tampered:
        kind = "no code cell any more" if len(tampered) == 1 else "no code cells any more"
        yield f"{_cells('answer cell', tampered)} {kind}. {_CODE}"


def _cells(what: str, names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"The {what} of {names[0]} is"
    return f"The {what}s of {', '.join(names[:-1])} and {names[-1]} are"


def _of_notes(row: dict[str, Any]) -> Iterator[str]:
    whole = {mark["status"] for mark in row["marks"]} == {"malformed"}
    mend = f"To mend this, open it in Jupyter and save it. {_AGAIN}" if whole else _ONCE_MORE
    for note in row["notes"]:
        if note["kind"] in _HELPFUL:
            yield note["text"]
        elif note["kind"] == "malformed":
            yield f"{note['text']} {mend}"
