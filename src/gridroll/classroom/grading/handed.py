"""One notebook that was handed in, as a plain file, and what is left out beside it."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

FILE_LIMIT = 16 * 2**20  # bytes of one notebook
FILES = 50_000  # entries of a zip or files of a folder
_NOISE = {"timestamp.txt", "thumbs.db", "desktop.ini"}  # nbgrader's and the systems' own files
_COPIES = (".ipynb_checkpoints", "__MACOSX")  # folders of what is there once more
_HALVES = ("._", ".~")  # a Mac's companion of a file, and what Jupyter was about to write
_PACKED = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_SHOWN = 160  # letters of a name in a remark
LEVELS = 2  # how deep a folder may lie that is left out alone: of a term or an assignment, in it


@dataclass(frozen=True)
class Entry:
    """One notebook that was handed in."""

    name: PurePosixPath  # as it was handed in, relative to the folder or the zip
    file: Path  # where its bytes are now


@dataclass(frozen=True)
class Contents:
    """The notebooks of a folder or a zip, and a line for each file that was left out."""

    entries: tuple[Entry, ...]
    remarks: tuple[str, ...] = ()


def read(file: Path) -> bytes:
    """Return the bytes of a notebook, one more than FILE_LIMIT where it is larger.

    Raises OSError, also where a link has taken the file's place.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with open(os.open(file, flags | getattr(os, "O_BINARY", 0)), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(f"{file} is not a plain file")
        return stream.read(FILE_LIMIT + 1)


def text(name: str) -> str:
    """Return a file's name as text that can be shown and written anywhere, on one line."""
    decoded = name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in decoded)


def contents(entries: list[Entry], remarks: list[str]) -> Contents:
    """Both in order, each remark once."""
    return Contents(tuple(sorted(entries, key=lambda each: each.name)), tuple(sorted(set(remarks))))


def shown(name: PurePosixPath | str) -> str:
    """A name as it stands in a remark, cut to what can be read."""
    whole = str(name)
    return whole if len(whole) <= _SHOWN else f"{whole[: _SHOWN // 2]}...{whole[-_SHOWN // 4 :]}"


def take(entry: Entry, entries: list[Entry], remarks: list[str]) -> bool:
    """Keep a notebook; note any other file, except those that every system leaves behind."""
    name = entry.name
    if is_noise(name):
        return False
    hidden = next((n for n, part in enumerate(name.parts, start=1) if is_hidden(part)), 0)
    notebook = name.suffix.lower() == ".ipynb"
    if hidden:
        if notebook:
            remarks.append(f"{shown(PurePosixPath(*name.parts[:hidden]))} is hidden: left out")
    elif notebook:
        entries.append(entry)
    elif name.suffix.lower() in _PACKED:
        folder = shown(str(name).removesuffix(name.suffix))
        remarks.append(
            f"{shown(name)} is packed: left out; unpack it into a folder {folder} and --resume "
            "grades it"
        )
    else:
        remarks.append(f"{shown(name)} is not a notebook: left out")
    return notebook and not hidden


def is_noise(name: PurePosixPath) -> bool:
    """Whether a name is one that a system or a program leaves behind."""
    return (
        any(part in _COPIES or part.startswith(_HALVES) for part in name.parts)
        or name.name.lower() in _NOISE
    )


def is_hidden(part: str) -> bool:
    """Whether a part of a name hides what lies below it."""
    return part.startswith(".")
