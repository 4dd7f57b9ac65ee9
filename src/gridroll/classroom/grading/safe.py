"""Texts of students, made harmless for the kinds of file that reports are."""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence

# What spreadsheets take for the start of a formula; the last four are =+-@ at full width.
_FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)  # names of Windows
_LONGEST = 80


def text(value: object) -> str:
    """Return a text without what no file of text may hold: control signs and half characters."""
    shown = str(value).encode("utf-8", "replace").decode().replace("\r\n", "\n")
    return "".join(letter if _is_text(letter) else "\ufffd" for letter in shown)


def _is_text(letter: str) -> bool:
    return letter in "\n\t" or (letter >= " " and letter not in "\x7f\ufffe\uffff")


def cell(value: object) -> object:
    """Return a cell that no spreadsheet runs. Numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    shown = text(value)
    return f"'{shown}" if str(value).startswith(_FORMULA) else shown


def table(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, every text quoted and neutralised."""
    made = io.StringIO()
    writer = csv.writer(made, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    return made.getvalue()


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a stem for each name that is safe and unique on every system."""
    names = list(names)
    taken = Counter(name.casefold() for name in set(names))
    return {name: _stem(name, alone=taken[name.casefold()] == 1) for name in names}


def _stem(name: str, alone: bool) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:_LONGEST].strip(".")
    harmless = plain == name and plain[:1] not in ("", "-") and not _RESERVED.fullmatch(name)
    if harmless and alone:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"student_{plain}_{digest}"
