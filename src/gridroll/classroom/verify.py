"""Compare what is committed with what the sources make: bytes, or the numbers elsewhere."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from gridroll.classroom import values
from gridroll.classroom.build import Products
from gridroll.classroom.publish import ownerless, read
from gridroll.classroom.readable import difference, lines
from gridroll.classroom.record import RECORD_MIME

TOLERANCE = 1e-5  # relative, for recorded floats off the declared platform
NEAR_ZERO = 1e-7  # absolute, where the expected float is 0 or nearly


def verify(
    root: Path, made: Mapping[str, Products], sources: Iterable[Path], exact: bool
) -> list[str]:
    """Return one text for each committed file that isn't what its source makes.

    ``made`` holds the products of each lesson that was built, ``sources`` all lessons. ``exact``
    compares bytes. Otherwise text and integers must be equal, floats agree within ``TOLERANCE``,
    and the bytes of pictures are not compared, for the numbers that they draw are.
    """
    found = []
    for products in made.values():
        for path, built in products.items():
            committed = read(root / path)
            if committed is None:
                found.append(f"{path}: missing; run `gridroll build`")
            elif not (committed == built if exact else same_results(path, committed, built)):
                found.append(difference(path, committed, built))
    found += [
        f"{path}: no lesson makes this file; delete it" for path in ownerless(root, made, sources)
    ]
    return found


def same_results(path: str, committed: bytes, built: bytes) -> bool:
    """Tell whether two versions of a file hold the same text and, nearly, the same numbers."""
    kinds: dict[str, Callable[[bytes, bytes], bool]] = {
        "ipynb": _same_notebooks,
        "json": _same_numbers,
        "svg": _same_pictures,
    }
    try:
        return kinds[path.rpartition(".")[2]](committed, built)
    except (ValueError, KeyError, TypeError, AttributeError):  # a damaged file
        return False


def close(one: Any, other: Any) -> bool:
    """Compare two JSON values: everything exactly, except floats."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(close(one[key], other[key]) for key in one)
    one, other = values.from_json(one), values.from_json(other)
    if isinstance(one, float) and isinstance(other, float):
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=NEAR_ZERO)
    return type(one) is type(other) and bool(one == other)


def _same_numbers(committed: bytes, built: bytes) -> bool:
    return close(json.loads(committed), json.loads(built))


def _same_pictures(committed: bytes, built: bytes) -> bool:
    """Compare the titles alone; the numbers beside the picture are compared on their own."""

    def title(content: bytes) -> bytes:
        return content.partition(b"<title>")[2].partition(b"</title>")[0]

    return bool(title(committed)) and title(committed) == title(built)


def _same_notebooks(committed: bytes, built: bytes) -> bool:
    one, one_records = _apart(json.loads(committed))
    other, other_records = _apart(json.loads(built))
    as_lines = [lines("x.ipynb", json.dumps(each).encode()) for each in (one, other)]
    return as_lines[0] == as_lines[1] and close(one_records, other_records)


def _apart(notebook: Any) -> tuple[Any, list[Any]]:
    """Take the records and the bytes of pictures out of a notebook; return both parts."""
    records = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            records.append(data.pop(RECORD_MIME, None))
            for mime in [mime for mime in data if mime.startswith("image/")]:
                data[mime] = ""
    return notebook, records
