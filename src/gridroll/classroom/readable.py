"""A notebook, a figure or its numbers as lines of text, for a diff that a person can read."""

import difflib
import hashlib
import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

_CELL = "== cell "
_CONTEXT = 2  # unchanged lines around a change
_MOST_LINES = 80  # of a diff; what follows is counted
_WIDEST = 600  # characters of a line: a long sentence fits, the path of a drawing need not


def difference(path: str, committed: bytes, built: bytes) -> str:
    """Return a unified diff of two versions of one file; a notebook's diff names the cells.

    Equal text with different bytes gives one line that says where the bytes part.
    """
    old, new = lines(path, committed), lines(path, built)
    diff = list(
        difflib.unified_diff(
            old, new, f"{path} (committed)", f"{path} (built)", n=_CONTEXT, lineterm=""
        )
    )
    if not diff:
        at = _first_difference(committed, built)
        return f"{path}: the same content, other bytes, from byte {at}; run `gridroll build`"
    named = [_with_cell(line, old) if line.startswith("@@") else line for line in diff]
    shown = [_clipped(line) for line in named[:_MOST_LINES]]
    if len(named) > _MOST_LINES:
        shown.append(f"... and {len(named) - _MOST_LINES} lines more")
    return "\n".join(shown)


def lines(path: str, content: bytes) -> list[str]:
    """Return a file as lines of text."""
    text = content.decode("utf-8", errors="replace")
    if PurePosixPath(path).suffix != ".ipynb":
        return text.splitlines()
    try:
        notebook = json.loads(text)
        return list(_notebook_lines(notebook))
    except (ValueError, KeyError, TypeError, AttributeError):  # not a notebook any more
        return text.splitlines()


def _notebook_lines(notebook: dict[str, Any]) -> Iterator[str]:
    rest = {key: value for key, value in notebook.items() if key != "cells"}
    yield from json.dumps(rest, indent=1, sort_keys=True, ensure_ascii=False).splitlines()
    for number, cell in enumerate(notebook["cells"], 1):
        yield f"{_CELL}{number}, {cell['cell_type']}, {cell.get('id')}"
        known = ("cell_type", "id", "source", "outputs")
        for key in sorted(set(cell) - set(known)):
            yield f"   {key}: {json.dumps(cell[key], sort_keys=True, ensure_ascii=False)}"
        yield from "".join(cell["source"]).split("\n")
        for output in cell.get("outputs", []):
            yield from _output_lines(output)


def _output_lines(output: dict[str, Any]) -> Iterator[str]:
    rest = {key: value for key, value in output.items() if key not in ("data", "text")}
    yield f"-> {json.dumps(rest, sort_keys=True, ensure_ascii=False)}"
    if "text" in output:
        yield from "".join(output["text"]).split("\n")
    for mime, content in sorted(output.get("data", {}).items()):
        yield f"   {mime}:"
        if mime.startswith("image/"):
            raw = "".join(content).encode()
            yield f"{len(raw)} characters, sha256 {hashlib.sha256(raw).hexdigest()}"
        elif isinstance(content, dict):
            for name, value in content.items():
                yield f"{name} = {json.dumps(value, ensure_ascii=False)}"
        else:
            yield from "".join(content).split("\n")


def _with_cell(hunk: str, old: list[str]) -> str:
    """Add to a diff's ``@@`` line the committed cell that its first change lies in."""
    start = int(hunk.split()[1].lstrip("-").split(",")[0]) + _CONTEXT
    headers = [line for line in old[: max(start, 1)] if line.startswith(_CELL)]
    return f"{hunk} {headers[-1].removeprefix('== ')}" if headers else hunk


def _clipped(line: str) -> str:
    return line if len(line) <= _WIDEST else f"{line[:_WIDEST]}... ({len(line)} characters)"


def _first_difference(committed: bytes, built: bytes) -> int:
    pairs = enumerate(zip(committed, built, strict=False))
    shorter = min(len(committed), len(built))
    return next((index for index, (one, other) in pairs if one != other), shorter)
