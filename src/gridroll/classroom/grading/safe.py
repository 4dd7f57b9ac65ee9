"""Texts of students, made harmless for the kinds of file that reports are."""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

# What spreadsheets take for the start of a formula; the last four are =+-@ at full width. With the
# apostrophes in front, so that no two texts become one.
_FORMULA = re.compile("'*[=+@\t\r\uff1d\uff0b\uff0d\uff20-]")
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
    return f"'{shown}" if _FORMULA.match(str(value)) else shown


def table(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, every text quoted and neutralised."""
    made = io.StringIO()
    writer = csv.writer(made, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    return made.getvalue()


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Return a stem for each name that is safe, and that no other has on any system."""
    different = sorted(set(names))
    count = Counter(name.casefold() for name in different)
    made = {name: name for name in different if _is_safe(name) and count[name.casefold()] == 1}
    taken = {stem.casefold() for stem in made.values()}
    for name in different:
        if name not in made:
            made[name] = next(stem for stem in _stems(name) if stem.casefold() not in taken)
            taken.add(made[name].casefold())
    return made


def _is_safe(name: str) -> bool:
    harmless = _plain(name) == name and name[:1] not in ("", "-")
    return harmless and not _RESERVED.fullmatch(name)


def _stems(name: str) -> Iterator[str]:
    """Stems with ever more of the name's hash: somebody may be called as another's shorter one."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return (f"student_{_plain(name)}_{digest[:length]}" for length in range(8, len(digest) + 1))


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:_LONGEST].strip(".")
