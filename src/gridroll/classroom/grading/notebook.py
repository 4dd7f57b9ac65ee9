"""Read the cells of a notebook that nobody vouches for. Nothing in it is run or followed."""

import codecs
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gridroll.classroom.grading.handed import FILE_LIMIT

MOST_CELLS = 10_000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class MalformedError(Exception):
    """The notebook can't be read; the message is one line that says why."""


@dataclass(frozen=True)
class Cell:
    """One cell, every part of it of the type that it should have."""

    kind: str  # "code", "markdown", "raw", or whatever the notebook says
    id: str
    source: str | None  # None where it isn't text
    gridroll: dict[str, Any] = field(default_factory=dict)
    nbgrader: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Notebook:
    """The cells of a notebook, and what was unusual about its file."""

    cells: tuple[Cell, ...]
    module: str = ""  # the lesson that its metadata names
    remarks: tuple[str, ...] = ()


def parse(data: bytes) -> Notebook:
    """Return the cells of a notebook in any format from 2 on. Raises MalformedError."""
    if len(data) > FILE_LIMIT:
        raise MalformedError(f"the file is larger than {FILE_LIMIT // 2**20} MB")
    if not data.strip():
        raise MalformedError("the file is empty")
    remarks = []
    coding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if coding != "utf-8":
        remarks.append("the file begins with a byte-order mark")
    try:
        content = json.loads(data.decode(coding))
    except UnicodeDecodeError:
        raise MalformedError("the file isn't text in UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"the file isn't whole JSON: {_short(error)}") from None
    if not isinstance(content, dict):
        raise MalformedError("the file is JSON, but not a notebook")
    if content.get("nbformat") != 4:
        shown = str(content.get("nbformat", "none"))[:20]
        remarks.append(f"the notebook's format is {shown}, not 4")
    found = list(itertools.islice(_cells(content), MOST_CELLS + 1))
    if not found:
        raise MalformedError("the notebook has no cells")
    if len(found) > MOST_CELLS:
        raise MalformedError(f"the notebook has more than {MOST_CELLS} cells")
    cells = [_cell(each) for each in found]
    return Notebook(tuple(cells), _module(content), tuple(remarks))


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__


def _cells(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of format 4, or those of the sheets of the formats before."""
    sheets = [content] if isinstance(content.get("cells"), list) else content.get("worksheets")
    for sheet in sheets if isinstance(sheets, list) else ():
        inside = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in inside or () if isinstance(cell, dict))


def _cell(cell: dict[str, Any]) -> Cell:
    metadata = _mapping(cell.get("metadata"))
    return Cell(
        _text(cell.get("cell_type")) or "",
        _text(cell.get("id")) or "",
        _text(cell.get("source", cell.get("input"))),
        _mapping(metadata.get("gridroll")),
        _mapping(metadata.get("nbgrader")),
    )


def _text(value: Any) -> str | None:
    """A text, whose lines may come apart; half a character, which JSON can hold, becomes a `?`."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        value = "".join(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _module(content: dict[str, Any]) -> str:
    return _text(_mapping(_mapping(content.get("metadata")).get("gridroll")).get("module")) or ""
