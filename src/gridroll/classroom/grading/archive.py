"""What was handed in as plain files: a folder or a zip, of which only notebooks are taken.

Links are never followed. A zip is refused as a whole before anything is written when one of its
names leaves its folder, when it holds a link, or when it is too large. Its notebooks are written
under numbers into a private temporary folder, so that no name of the zip becomes a path here.
In a folder nobody stops the others: what can't be read, and the one folder that makes it too many
files, is left out with a remark.
"""

import errno
import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from gridroll.classroom.errors import UserError

FILE_LIMIT = 16 * 2**20  # bytes of one notebook
FILES = 50_000  # entries of a zip or files of a folder
TOTAL_LIMIT = 4 * 2**30  # bytes of a zip, unpacked
_NOISE = {"timestamp.txt", "thumbs.db", "desktop.ini"}  # nbgrader's and the systems' own files
_COPIES = (".ipynb_checkpoints", "__MACOSX")  # folders of what is there once more
_HALVES = ("._", ".~")  # a Mac's companion of a file, and what Jupyter was about to write
_PACKED = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
_SHOWN = 160  # letters of a name in a remark
_LEVELS = 2  # how deep a folder may lie that is left out alone: of a term or an assignment, in it
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


@dataclass
class _Tree:
    """What lies in one folder, and in those in it."""

    place: PurePosixPath
    count: int = 0  # of files and folders; more than FILES is as good as endless
    entries: list[Entry] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def _folder(root: Path) -> Contents:
    tree = _tree(root, PurePosixPath(), _LEVELS)
    if tree.count > FILES:
        raise UserError(f"{root} holds more than {FILES} files: give a smaller folder.")
    return _contents(tree.entries, tree.remarks)


def _contents(entries: list[Entry], remarks: list[str]) -> Contents:
    return Contents(tuple(sorted(entries, key=lambda each: each.name)), tuple(sorted(set(remarks))))


def _tree(folder: Path, place: PurePosixPath, levels: int) -> _Tree:
    tree = _Tree(place)
    below = _look(folder, place, tree)
    if levels:
        _add(tree, below, levels - 1)
        return tree
    while below and tree.count <= FILES:
        below += _look(*below.pop(), tree)
    return tree


def _add(tree: _Tree, below: Sequence[tuple[Path, PurePosixPath]], levels: int) -> None:
    """Add the folders in a folder, without those that make it too many files, if others don't."""
    kept: list[_Tree] = []
    rest = largest = 0  # the counts of all others, and of the largest one
    for folder, place in below:
        part = _tree(folder, place, levels)
        if part.count > FILES and len(below) > 1:
            tree.remarks.append(_too_many(part))
            continue
        kept.append(part)
        rest, largest = rest + min(largest, part.count), max(largest, part.count)
        if tree.count + rest > FILES:
            break
    others = tree.count + rest
    if others + largest > FILES >= others and largest > others and (rest or tree.entries):
        most = max(kept, key=lambda each: each.count)
        kept.remove(most)
        tree.remarks.append(_too_many(most))
    for part in kept:
        tree.count += part.count
        tree.entries += part.entries
        tree.remarks += part.remarks


def _too_many(tree: _Tree) -> str:
    return f"{_shown(tree.place)} holds too many of the files (at most {FILES} are read): left out"


def _look(folder: Path, place: PurePosixPath, tree: _Tree) -> list[tuple[Path, PurePosixPath]]:
    """Take the files of one folder, and return the folders in it."""
    try:
        with os.scandir(folder) as listed:
            found = sorted(islice(listed, FILES + 1), key=lambda each: each.name)
    except OSError as error:
        if not place.parts:
            raise UserError(f"{folder} can't be read: {error.strerror or error}.") from None
        tree.remarks.append(f"{_shown(place)} can't be read: {error.strerror or error}")
        return []
    tree.count += len(found)
    below = []
    for each in found:
        name = place / text(each.name)
        try:
            if _is_folder_to_read(each, name, tree):
                below.append((Path(each.path), name))
        except OSError as error:
            tree.remarks.append(f"{_shown(name)} can't be read: {error.strerror or error}")
    return below


def _is_folder_to_read(found: "os.DirEntry[str]", name: PurePosixPath, tree: _Tree) -> bool:
    """Whether it is one; a file is taken, and what is neither is noted. Raises OSError."""
    if found.is_symlink():
        tree.remarks.append(f"{_shown(name)} is a link: not followed")
    elif found.is_dir(follow_symlinks=False):
        if not _is_noise(name) and not _is_hidden(found.name):
            return True
        if not _is_noise(name) and _holds_notebook(found.path):
            tree.remarks.append(f"{_shown(name)} is hidden: left out")
    elif found.is_file(follow_symlinks=False):
        _take(Entry(name, Path(found.path)), tree.entries, tree.remarks)
    else:
        tree.remarks.append(f"{_shown(name)} is not a plain file: left out")
    return False


def _shown(name: PurePosixPath | str) -> str:
    """A name as it stands in a remark, cut to what can be read."""
    whole = str(name)
    return whole if len(whole) <= _SHOWN else f"{whole[: _SHOWN // 2]}...{whole[-_SHOWN // 4 :]}"


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
    return _contents(entries, remarks)


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
        most = _most_in(infos, [1] * len(infos))
        raise UserError(f"{source} holds {len(infos)} entries; at most {FILES} are allowed{most}.")
    total = sum(info.file_size for info in infos)
    if total > TOTAL_LIMIT:
        raise UserError(
            f"{source} would unpack to {total // 2**20} MB; at most {TOTAL_LIMIT // 2**20} MB are "
            f"allowed{_most_in(infos, [info.file_size for info in infos])}."
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


def _most_in(infos: list[zipfile.ZipInfo], weights: Sequence[int]) -> str:
    """The innermost of the outer folders that has more than half, as the end of a sentence."""
    places: Counter[PurePosixPath] = Counter()
    for info, weight in zip(infos, weights, strict=True):
        above = PurePosixPath(text(_name(info))).parts[:-1]
        for depth in range(1, min(len(above), _LEVELS + 1) + 1):
            places[PurePosixPath(*above[:depth])] += weight
    half = sum(weights) / 2
    most = [place for place, weight in places.items() if weight > half]
    return f"; most is in {_shown(max(most, key=lambda each: len(each.parts)))}" if most else ""


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
            remarks.append(f"{_shown(PurePosixPath(*name.parts[:hidden]))} is hidden: left out")
    elif notebook:
        entries.append(entry)
    elif name.suffix.lower() in _PACKED:
        folder = _shown(str(name).removesuffix(name.suffix))
        remarks.append(
            f"{_shown(name)} is packed: left out; unpack it into a folder {folder} and --resume "
            "grades it"
        )
    else:
        remarks.append(f"{_shown(name)} is not a notebook: left out")
    return notebook and not hidden


def _is_noise(name: PurePosixPath) -> bool:
    return (
        any(part in _COPIES or part.startswith(_HALVES) for part in name.parts)
        or name.name.lower() in _NOISE
    )


def _is_hidden(part: str) -> bool:
    return part.startswith(".")


def _holds_notebook(folder: str) -> bool:
    """Whether a hidden folder holds what may have been handed in; of a huge one it is supposed.

    Raises OSError where it can't be read.
    """
    seen = 0
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as listed:
            found = list(islice(listed, _LOOKED_AT + 1))
        seen += len(found)
        found = [each for each in found if not _is_noise(PurePosixPath(each.name))]
        waiting += [each.path for each in found if each.is_dir(follow_symlinks=False)]
        notebooks = [each for each in found if each.name.lower().endswith(".ipynb")]
        if seen > _LOOKED_AT or not all(each.is_dir(follow_symlinks=False) for each in notebooks):
            return True
    return False
