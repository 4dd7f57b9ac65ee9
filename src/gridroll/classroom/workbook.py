"""The student's own copies of the lessons: made, brought up to date, and started afresh.

A copy that nobody has worked in follows the course. A student's work is never written over.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from gridroll.classroom import files, progress_file
from gridroll.classroom.errors import UserError
from gridroll.classroom.progress_file import Progress


@dataclass
class Prepared:
    """What `prepare` did, as names of notebooks.

    Attributes:
        copied: lessons that the workbook didn't have.
        updated: copies that nobody had worked in, replaced by the course's newer version.
        kept: copies with the student's work, of a lesson that has a newer version.
        current: all the rest; nothing was to be done.
    """

    copied: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    current: list[str] = field(default_factory=list)


def find_root(start: Path | None = None) -> Path:
    """The repository that `start` (by default the current folder) lies in.

    It is the nearest folder upward that holds pyproject.toml and lessons/. Raises UserError.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "pyproject.toml").is_file() and (folder / "lessons").is_dir():
            return folder
    raise UserError(
        f"No course found at {here} or above it: go to the folder with pyproject.toml and "
        "lessons/, or name it with --root."
    )


def lesson_files(folder: Path) -> list[Path]:
    """The lesson notebooks in `folder` (`NN_name.ipynb`), in the order of the course."""
    return sorted(path for path in folder.glob("*.ipynb") if re.fullmatch(r"\d+_\w+", path.stem))


def find_lesson(text: str, folder: Path) -> Path:
    """The notebook in `folder` that `text` names: 3, 03, collector, 03_collector, or its file name.

    Raises UserError with the names that exist.
    """
    wanted = text.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].removesuffix(".ipynb").lower()
    found = lesson_files(folder)
    for path in found:
        number, _, module = path.stem.partition("_")
        if wanted in (path.stem, module) or (wanted.isdecimal() and int(wanted) == int(number)):
            return path
    names = ", ".join(path.stem for path in found) or "none"
    raise UserError(f"There is no lesson {text!r}. Lessons: {names}.")


def prepare(root: Path) -> Prepared:
    """Copy the lessons of `root` into its workbook, never over a student's work.

    Creates `workbook/` and its progress file when missing. A copy that equals what was once copied
    is replaced when the course has a newer version of the lesson. Raises UserError where there are
    no lessons, and OSError where the folder can't be written.
    """
    lessons = lesson_files(root / "lessons")
    if not lessons:
        raise UserError(f"No lessons in {root / 'lessons'}: build them with `gridroll build`.")
    workbook = root / "workbook"
    workbook.mkdir(exist_ok=True)
    done = Prepared()

    def edit(progress: Progress) -> None:
        for lesson in lessons:
            _bring(lesson, workbook / lesson.name, progress, done)

    progress_file.update(workbook, edit)
    return done


def _bring(lesson: Path, copy: Path, progress: Progress, done: Prepared) -> None:
    """Copy or update one lesson where nothing of the student's is lost; note it in `done`."""
    offered, present = _offered(lesson), fingerprint(copy)
    copied_from = progress.copies.get(copy.name)
    if not copy.exists():
        done.copied.append(copy.name)
    elif present == offered:
        done.current.append(copy.name)
        progress.copies[copy.name] = offered
        return
    elif present == copied_from:
        done.updated.append(copy.name)
    else:
        newer = copied_from != offered
        (done.kept if newer else done.current).append(copy.name)
        return
    files.write_whole(copy, lesson.read_bytes())
    progress.copies[copy.name] = offered


def reset(root: Path, lesson: str) -> Path | None:
    """Put a pristine notebook of `lesson` into the workbook, the student's own kept beside it.

    Returns where the student's own is now (`03_collector.mine-1.ipynb`, ...), or None when there
    was none or it held nothing of theirs. Raises UserError for an unknown lesson, and OSError.
    """
    source = find_lesson(lesson, root / "lessons")
    workbook = root / "workbook"
    workbook.mkdir(exist_ok=True)
    copy = workbook / source.name
    offered = _offered(source)
    kept: Path | None = None

    def edit(progress: Progress) -> None:
        nonlocal kept
        if copy.exists() and fingerprint(copy) not in (offered, progress.copies.get(copy.name)):
            kept = files.free_name(copy, "mine")
            files.write_whole(kept, copy.read_bytes())
        files.write_whole(copy, source.read_bytes())
        progress.copies[copy.name] = offered

    progress_file.update(workbook, edit)
    return kept


def _offered(lesson: Path) -> str:
    """The fingerprint of a lesson of the course, which must be a notebook."""
    found = fingerprint(lesson)
    if not found:
        raise UserError(f"{lesson} is not a notebook: get the file again, or `gridroll build` it.")
    return found


def fingerprint(path: Path) -> str:
    """A hash of what a notebook says: its cells' kinds, names, text and outputs.

    What a program adds when it opens and saves a notebook doesn't count. "" when the file is
    missing or isn't a notebook, which equals no lesson.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = [
            (
                cell["cell_type"],
                cell.get("id"),
                "".join(cell["source"]),
                cell.get("metadata", {}).get("nbgrader"),
                cell.get("outputs", []),
            )
            for cell in cells
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
