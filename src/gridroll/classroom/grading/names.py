"""What the name of a file tells: whose it is, which lesson, and which copy.

| shape | example | student |
| --- | --- | --- |
| plain | `ada.ipynb`, `ada_03_collector.ipynb` | `ada` |
| folders | `ada/03_collector.ipynb` | `ada` |
| nbgrader | `submitted/ada/ps1/03_collector.ipynb` | `ada` |
| Moodle | `Ada Byron_12345_assignsubmission_file_/...` | `Participant 12345` |
| Canvas | `byronada_LATE_12345_67890_03_collector-1.ipynb` | `byronada_12345` |

Which folders stand in front of these, as a zip or a term has them, `layout` decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_(?P<rest>.*))?", re.S)
_CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)", re.I | re.S)
_COPY = re.compile(
    r"[ _-]*(?:\((?P<in_brackets>\d{1,6})\)|[_-](?P<after_dash>\d{1,6})"
    r"|\bcopy[ _-]?\(?(?P<after_word>\d{0,6})\)?)$",
    re.I,
)
_COPY_OF = re.compile(r"^copy of ", re.I)
_SET_ASIDE = re.compile(
    r"(?:^|[^a-z])(?:old|older|backup|back|bak|draft|orig|original|previous|test|scratch)(?![a-z])",
    re.I,
)
_BRACKETS = re.compile(r" ?\((\d{1,6})\)$")


@dataclass(frozen=True)
class Told:
    """What the name of one notebook tells."""

    student: str
    lesson: str | None = None  # the module, where the name tells one
    name: str = ""  # the full name, where the name of the file has it
    moodle: str = ""  # "Participant 12345"
    canvas: str = ""  # "12345"
    late: bool = False
    copy: int = 0  # the number that a browser or an LMS added: the larger, the later


def tell(path: PurePosixPath, stems: Sequence[str], downloaded: bool = False) -> Told:
    """Read the name of one notebook, without the folders around everything.

    Below a folder of their own, students choose the names: there Moodle's and Canvas's count only
    where everything that was handed in has them.

    Args:
        path: the name.
        stems: the lessons of the course, such as "03_collector".
        downloaded: whether everything that was handed in is named as Moodle or Canvas does.
    """
    whole = path
    if not downloaded:
        while len(path.parts) > 1 and _lesson_of(path.parts[0], stems)[0]:
            path = PurePosixPath(*path.parts[1:])  # a folder for each lesson, downloads in it
        if not is_downloaded(PurePosixPath(path.parts[0])):
            return _plain(whole, stems)
    for depth, part in enumerate(path.parts):
        found = _MOODLE.fullmatch(part)
        if found:
            inside = [found["rest"] or "", *path.parts[depth + 1 :]][-1]
            lesson, copy = _lesson_of(inside, stems)
            number = f"Participant {found['id']}"
            name = "" if found["name"] == number else found["name"]
            return Told(number, lesson, name, moodle=number, copy=copy)
    found = _CANVAS.fullmatch(path.name)
    if found:
        lesson, copy = _lesson_of(found["rest"], stems)
        student = f"{found['name']}_{found['id']}"
        late = bool(found["late"])
        return Told(student, lesson, found["name"], canvas=found["id"], late=late, copy=copy)
    return _plain(path, stems)


def _plain(path: PurePosixPath, stems: Sequence[str]) -> Told:
    if path.parts[0] == "submitted":
        path = PurePosixPath(*path.parts[1:])
    lesson, copy = _lesson_of(path.name, stems)
    above = [_lesson_of(part, stems)[0] for part in path.parts[:-1]]
    lesson = lesson or next(filter(None, above), None)
    if above and above[0]:  # a folder for each lesson, students in it
        path, above = PurePosixPath(*path.parts[1:]), above[1:]
    if above:
        return Told(path.parts[0], lesson, copy=copy)
    return _flat(path.stem, lesson, stems, copy)


def _flat(stem: str, lesson: str | None, stems: Sequence[str], copy: int) -> Told:
    brackets = _BRACKETS.search(stem)  # `ada-1` and `ada-2` may be two people; `ada (1)` is ada
    if brackets and brackets.start():
        stem, copy = stem[: brackets.start()], int(brackets[1])
    for known in stems:
        rest = stem.removesuffix(f"_{known}")
        if rest not in ("", stem):
            return Told(rest, known.partition("_")[2], copy=copy)
    return Told(stem, lesson, copy=copy)


def _lesson_of(name: str, stems: Sequence[str]) -> tuple[str | None, int]:
    """The lesson that a file or a folder is named after, and the number of the copy."""
    stem = _COPY_OF.sub("", re.sub(r"\.ipynb$", "", name, flags=re.I))
    copy = 0
    while True:
        wanted = re.sub(r"[ _-]+", "_", stem).lower().strip("_")
        for known in stems:
            number, _, module = known.partition("_")
            if wanted in (known, module, number, f"lesson_{number}"):
                return module, copy
        mark = _COPY.search(stem)
        if mark is None:
            return None, 0
        copy = max(copy, int(next(filter(None, mark.groups()), "1")))
        stem = stem[: mark.start()]


def likelihood(path: PurePosixPath, told: Told, stem: str) -> tuple[bool, bool, int]:
    """How likely a notebook is the one that its student means: the larger, the likelier.

    `03_collector_old.ipynb` was set aside, and `Untitled.ipynb` isn't named after the lesson.
    """
    name = re.sub(r"[ _-]+", "_", path.stem).lower()
    return not _SET_ASIDE.search(str(path)), bool(told.lesson) or stem in name, told.copy


def lesson_of(name: str, stems: Sequence[str]) -> str | None:
    """The module of the lesson that a file or a folder is named after."""
    return _lesson_of(name, stems)[0]


def is_moodles(folder: str) -> bool:
    """Whether a folder is named as Moodle names that of a student."""
    return _MOODLE.fullmatch(folder) is not None


def is_downloaded(path: PurePosixPath) -> bool:
    """Whether a part of the name is Moodle's or Canvas's, which tells the student."""
    return any(map(is_moodles, path.parts)) or _CANVAS.fullmatch(path.name) is not None
