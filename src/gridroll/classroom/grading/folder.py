"""The notebooks of a folder, in which nobody stops the others.

What can't be read, and the one folder that makes it too many files, is left out with a remark.
Links are never followed.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import handed

_LOOKED_AT = 10_000  # entries of a hidden folder


@dataclass
class _Tree:
    """What lies in one folder, and in those in it."""

    place: PurePosixPath
    count: int = 0  # of files and folders; more than handed.FILES is as good as endless
    entries: list[handed.Entry] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read(root: Path) -> handed.Contents:
    """The notebooks below `root`.

    Raises UserError where it can't be read, or holds too many files and no one folder has them.
    """
    tree = _tree(root, PurePosixPath(), handed.LEVELS)
    if tree.count > handed.FILES:
        raise UserError(f"{root} holds more than {handed.FILES} files: give a smaller folder.")
    return handed.contents(tree.entries, tree.remarks)


def _tree(folder: Path, place: PurePosixPath, levels: int) -> _Tree:
    tree = _Tree(place)
    below = _look(folder, place, tree)
    if levels:
        _add(tree, below, levels - 1)
        return tree
    while below and tree.count <= handed.FILES:
        below += _look(*below.pop(), tree)
    return tree


def _add(tree: _Tree, below: Sequence[tuple[Path, PurePosixPath]], levels: int) -> None:
    """Add the folders in a folder, without those that make it too many files, if others don't."""
    kept: list[_Tree] = []
    rest = largest = 0  # the counts of all others, and of the largest one
    for folder, place in below:
        part = _tree(folder, place, levels)
        if part.count > handed.FILES and len(below) > 1:
            tree.remarks.append(_too_many(part))
            continue
        kept.append(part)
        rest, largest = rest + min(largest, part.count), max(largest, part.count)
        if tree.count + rest > handed.FILES:
            break
    others = tree.count + rest
    if others + largest > handed.FILES >= others and largest > others and (rest or tree.entries):
        most = max(kept, key=lambda each: each.count)
        kept.remove(most)
        tree.remarks.append(_too_many(most))
    for part in kept:
        tree.count += part.count
        tree.entries += part.entries
        tree.remarks += part.remarks


def _too_many(tree: _Tree) -> str:
    place, most = handed.shown(tree.place), handed.FILES
    return f"{place} holds too many of the files (at most {most} are read): left out"


def _look(folder: Path, place: PurePosixPath, tree: _Tree) -> list[tuple[Path, PurePosixPath]]:
    """Take the files of one folder, and return the folders in it."""
    try:
        with os.scandir(folder) as listed:
            found = sorted(islice(listed, handed.FILES + 1), key=lambda each: each.name)
    except OSError as error:
        if not place.parts:
            raise UserError(f"{folder} can't be read: {error.strerror or error}.") from None
        tree.remarks.append(f"{handed.shown(place)} can't be read: {error.strerror or error}")
        return []
    tree.count += len(found)
    below = []
    for each in found:
        name = place / handed.text(each.name)
        try:
            if _is_folder_to_read(each, name, tree):
                below.append((Path(each.path), name))
        except OSError as error:
            tree.remarks.append(f"{handed.shown(name)} can't be read: {error.strerror or error}")
    return below


def _is_folder_to_read(found: "os.DirEntry[str]", name: PurePosixPath, tree: _Tree) -> bool:
    """Whether it is one; a file is taken, and what is neither is noted. Raises OSError."""
    if found.is_symlink():
        tree.remarks.append(f"{handed.shown(name)} is a link: not followed")
    elif found.is_dir(follow_symlinks=False):
        if not handed.is_noise(name) and not handed.is_hidden(found.name):
            return True
        if not handed.is_noise(name) and _holds_notebook(found.path):
            tree.remarks.append(f"{handed.shown(name)} is hidden: left out")
    elif found.is_file(follow_symlinks=False):
        handed.take(handed.Entry(name, Path(found.path)), tree.entries, tree.remarks)
    else:
        tree.remarks.append(f"{handed.shown(name)} is not a plain file: left out")
    return False


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
        found = [each for each in found if not handed.is_noise(PurePosixPath(each.name))]
        waiting += [each.path for each in found if each.is_dir(follow_symlinks=False)]
        notebooks = [each for each in found if each.name.lower().endswith(".ipynb")]
        if seen > _LOOKED_AT or not all(each.is_dir(follow_symlinks=False) for each in notebooks):
            return True
    return False
