"""What was handed in as plain files: a folder or a zip, of which only notebooks are taken.

Links are never followed. A zip is refused as a whole before anything is written when one of its
names leaves its folder, when it holds a link, or when it is too large. Its notebooks are written
under numbers into a private temporary folder, so that no name of the zip becomes a path here.
"""

import errno
import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gridroll.classroom.errors import UserError

FILE_LIMIT = 16 * 2**20  # bytes of one notebook
FILES = 50_000  # entries of a zip or files of a folder
TOTAL_LIMIT = 4 * 2**30  # bytes of a zip, unpacked
_NOISE = {"timestamp.txt", "thumbs.db", "desktop.ini"}  # nbgrader's and the systems' own files
_COPIES = (".ipynb_checkpoints", "__MACOSX")  # folders of what is there once more
_HALVES = ("._", ".~")  # a Mac's companion of a file, and what Jupyter was about to write
_PACKED = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_LOOKED_AT = 10_000  # entries of a hidden folder
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError)


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


@contextmanager
def opened(source: Path) -> Iterator[Contents]:
    """Give the notebooks in a folder, in a zip, or the one notebook that `source` is.

    Those of a zip exist until the end of the block. Raises UserError for anything else, for a zip
    that is unsafe, damaged or too large, and where there is no room to unpack it.
    """
    if source.is_dir():
        yield _folder(source)
    elif not source.exists():
        raise UserError(f"There is no {source}: give a folder or a zip of notebooks.")
    elif source.suffix.lower() == ".ipynb" and source.is_file():
        yield Contents((Entry(PurePosixPath(text(source.name)), source),))
    elif source.is_file() and zipfile.is_zipfile(source):
        with tempfile.TemporaryDirectory(prefix="gridroll-submissions-") as private:
            yield _zip(source, Path(private))
    else:
        raise UserError(f"{source} is neither a folder nor a zip of notebooks.")


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


def _folder(root: Path) -> Contents:
    entries: list[Entry] = []
    remarks: list[str] = []
    waiting = [(root, PurePosixPath())]
    seen = 0
    while waiting:
        folder, place = waiting.pop()
        for found in sorted(os.scandir(folder), key=lambda each: each.name):
            name = place / text(found.name)
            seen += 1
            if seen > FILES:
                raise UserError(f"{root} holds more than {FILES} files: give a smaller folder.")
            if found.is_symlink():
                remarks.append(f"{name} is a link: not followed")
            elif found.is_dir(follow_symlinks=False):
                if _is_noise(name):
                    continue
                if not _is_hidden(found.name):
                    waiting.append((Path(found.path), name))
                elif _holds_notebook(found.path):
                    remarks.append(f"{name} is hidden: left out")
            elif found.is_file(follow_symlinks=False):
                _take(Entry(name, Path(found.path)), entries, remarks)
            else:
                remarks.append(f"{name} is not a plain file: left out")
    return Contents(tuple(sorted(entries, key=lambda each: each.name)), tuple(sorted(set(remarks))))


def _zip(source: Path, private: Path) -> Contents:
    entries: list[Entry] = []
    remarks: list[str] = []
    try:
        with zipfile.ZipFile(source) as archive:
            infos = archive.infolist()
            _refuse_unsafe(source, infos)
            for number, info in enumerate(infos):
                entry = Entry(PurePosixPath(text(_name(info))), private / f"{number:05}.ipynb")
                if not info.is_dir() and _take(entry, entries, remarks):
                    entry.file.write_bytes(_unpacked(archive, info))
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # such as a full disk
            raise UserError(
                f"{source} can't be unpacked into {private} ({error.strerror or error}): make room "
                "there, or set TMPDIR to another folder."
            ) from None
        raise UserError(f"{source} can't be read as a zip: {_reason(error)}") from None
    return Contents(tuple(sorted(entries, key=lambda each: each.name)), tuple(sorted(set(remarks))))


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry, one more than FILE_LIMIT where it is larger. Raises BadZipFile."""
    try:
        with archive.open(info) as packed:  # the size that it claims is no promise
            return packed.read(FILE_LIMIT + 1)
    except Exception as error:  # each way to pack has errors of its own; a password is one too
        name = text(_name(info))[:120]
        raise zipfile.BadZipFile(f"its entry {name!r}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def _refuse_unsafe(source: Path, infos: list[zipfile.ZipInfo]) -> None:
    if len(infos) > FILES:
        raise UserError(f"{source} holds {len(infos)} entries; at most {FILES} are allowed.")
    total = sum(info.file_size for info in infos)
    if total > TOTAL_LIMIT:
        raise UserError(
            f"{source} would unpack to {total // 2**20} MB; at most {TOTAL_LIMIT // 2**20} MB are "
            "allowed."
        )
    names: set[str] = set()
    for info in infos:
        name = _name(info)
        shown = name.encode("unicode_escape").decode()[:120]
        kind = stat.S_IFMT(info.external_attr >> 16)
        if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/") or "\0" in name:
            raise UserError(
                f"{source} is refused: its entry {shown!r} leaves the archive's folder."
            )
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise UserError(f"{source} is refused: its entry {shown!r} is a link or a device.")
        if name in names:
            raise UserError(f"{source} is refused: its entry {shown!r} stands twice.")
        names.add(name)


def _name(info: zipfile.ZipInfo) -> str:
    """The name of an entry; `orig_filename` still has what ZipInfo cuts off after a NUL."""
    return info.orig_filename.replace("\\", "/")


def _take(entry: Entry, entries: list[Entry], remarks: list[str]) -> bool:
    """Keep a notebook; note any other file, except those that every system leaves behind."""
    name = entry.name
    if _is_noise(name):
        return False
    hidden = next((n for n, part in enumerate(name.parts, start=1) if _is_hidden(part)), 0)
    notebook = name.suffix.lower() == ".ipynb"
    if hidden:
        if notebook:
            remarks.append(f"{PurePosixPath(*name.parts[:hidden])} is hidden: left out")
    elif notebook:
        entries.append(entry)
    elif name.suffix.lower() in _PACKED:
        folder = str(name).removesuffix(name.suffix)
        remarks.append(
            f"{name} is packed: left out; unpack it into a folder {folder} and --resume grades it"
        )
    else:
        remarks.append(f"{name} is not a notebook: left out")
    return notebook and not hidden


def _is_noise(name: PurePosixPath) -> bool:
    return (
        any(part in _COPIES or part.startswith(_HALVES) for part in name.parts)
        or name.name.lower() in _NOISE
    )


def _is_hidden(part: str) -> bool:
    return part.startswith(".")


def _holds_notebook(folder: str) -> bool:
    """Whether a hidden folder holds what may have been handed in; of a huge one it is supposed."""
    seen = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _is_noise(PurePosixPath(name))]
        seen += len(folders) + len(files)
        names = [name for name in files if not _is_noise(PurePosixPath(name))]
        if seen > _LOOKED_AT or any(name.lower().endswith(".ipynb") for name in names):
            return True
    return False
