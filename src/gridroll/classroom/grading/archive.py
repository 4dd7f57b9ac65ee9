"""What was handed in as plain files: a folder or a zip, of which only notebooks are taken.

Links are never followed. A zip is refused as a whole before anything is written when one of its
names leaves its folder, when it holds a link, or when it is too large. Its notebooks are written
under numbers into a private temporary folder, so that no name of the zip becomes a path here.
"""

import errno
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import folder, handed

TOTAL_LIMIT = 4 * 2**30  # bytes of a zip, unpacked
_DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError)


@contextmanager
def opened(source: Path) -> Iterator[handed.Contents]:
    """Give the notebooks in a folder, in a zip, or the one notebook that `source` is.

    Those of a zip exist until the end of the block. Raises UserError for anything else, for a zip
    that is unsafe, damaged or too large, and where there is no room to unpack it.
    """
    if source.is_dir():
        yield folder.read(source)
    elif not source.exists():
        raise UserError(f"There is no {source}: give a folder or a zip of notebooks.")
    elif source.suffix.lower() == ".ipynb" and source.is_file():
        yield handed.Contents((handed.Entry(PurePosixPath(handed.text(source.name)), source),))
    elif source.is_file() and zipfile.is_zipfile(source):
        with tempfile.TemporaryDirectory(prefix="gridroll-submissions-") as private:
            yield _zip(source, Path(private))
    else:
        raise UserError(f"{source} is neither a folder nor a zip of notebooks.")


def _zip(source: Path, private: Path) -> handed.Contents:
    entries: list[handed.Entry] = []
    remarks: list[str] = []
    try:
        with zipfile.ZipFile(source) as archive:
            infos = archive.infolist()
            _refuse_unsafe(source, infos)
            for number, info in enumerate(infos):
                entry = handed.Entry(
                    PurePosixPath(handed.text(_name(info))), private / f"{number:05}.ipynb"
                )
                if not info.is_dir() and handed.take(entry, entries, remarks):
                    entry.file.write_bytes(_unpacked(archive, info))
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # such as a full disk
            raise UserError(
                f"{source} can't be unpacked into {private} ({error.strerror or error}): make room "
                "there, or set TMPDIR to another folder."
            ) from None
        raise UserError(f"{source} can't be read as a zip: {_reason(error)}") from None
    return handed.contents(entries, remarks)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of an entry, one more than FILE_LIMIT where it is larger. Raises BadZipFile."""
    try:
        with archive.open(info) as packed:  # the size that it claims is no promise
            return packed.read(handed.FILE_LIMIT + 1)
    except Exception as error:  # each way to pack has errors of its own; a password is one too
        name = handed.text(_name(info))[:120]
        raise zipfile.BadZipFile(f"its entry {name!r}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def _refuse_unsafe(source: Path, infos: list[zipfile.ZipInfo]) -> None:
    if len(infos) > handed.FILES:
        most = _most_in(infos, [1] * len(infos))
        raise UserError(
            f"{source} holds {len(infos)} entries; at most {handed.FILES} are allowed{most}."
        )
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
        above = PurePosixPath(handed.text(_name(info))).parts[:-1]
        for depth in range(1, min(len(above), handed.LEVELS + 1) + 1):
            places[PurePosixPath(*above[:depth])] += weight
    half = sum(weights) / 2
    most = [place for place, weight in places.items() if weight > half]
    return (
        f"; most is in {handed.shown(max(most, key=lambda each: len(each.parts)))}" if most else ""
    )


def _name(info: zipfile.ZipInfo) -> str:
    """The name of an entry; `orig_filename` still has what ZipInfo cuts off after a NUL."""
    return info.orig_filename.replace("\\", "/")
