"""Which folders stand around everything, which are students, and which hold nothing handed in.

| what was handed in | what is done | in the remarks |
| --- | --- | --- |
| `term/ada.ipynb`, `term/bob.ipynb` | `term` is dropped | unless the zip is named so |
| `ada/ps1/03_collector.ipynb`, `ada/ps2/04_returns.ipynb` | `ada` is the student | yes |
| `ps1/ada/03_collector.ipynb`, `ps2/ada/04_returns.ipynb`, `bob` too | `ada` is the student | yes |
| `submitted/ada/...` beside `autograded/ada/...` | `autograded` is left out | yes |

Of two folders above a notebook, the first is the student: whoever hands in a folder chooses the
names below it, and these say nothing of other people. The second is the student only where every
notebook lies in two folders and the roster knows no first one, and either it knows a second one in
each of the first; or each of the first holds several of the second and a lesson that no other of
them holds, and most of the second stand in several of the first. So `ps1/ada`, `ps2/ada` alone is
turned by a roster only: without one it can't be told from `ada/work`, `eve/work`.
One folder that holds a folder for each lesson is a student, not a term.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gridroll.classroom.grading import names

SUBMITTED = "submitted"
NBGRADERS = ("autograded", "feedback", "source", "release", "downloaded")  # beside it

Known = Callable[[str], bool]  # whether the roster has a student


@dataclass(frozen=True)
class Layout:
    """The names of all notebooks, the student in front, and what was decided."""

    paths: tuple[PurePosixPath | None, ...]  # in the order they came; None is left out
    remarks: tuple[str, ...] = ()
    downloaded: bool = False  # whether all of them are named as Moodle or Canvas does


def arrange(
    paths: Iterable[PurePosixPath],
    stems: Sequence[str],
    around: str = "",
    known: Known = lambda name: False,
) -> Layout:
    """Bring the names of notebooks into the shapes that `names.tell` reads.

    Args:
        paths: the names of all notebooks.
        stems: the lessons of the course.
        around: the name of the folder or of the zip.
        known: whether the roster has a student of this name; without a roster nobody.
    """
    whole = [_lowered(path) for path in paths]
    if around.lower() == SUBMITTED and not any(SUBMITTED in path.parts[:-1] for path in whole):
        return Layout(tuple(PurePosixPath(SUBMITTED, path) for path in whole))
    others = _beside_submitted(whole)
    whole = _from_submitted(whole)
    remarks = [
        f"{folder} is nbgrader's own folder beside submitted: its notebooks ({n}) are left out"
        for folder, n in Counter(filter(None, others)).items()
    ]
    kept = [path for path, other in zip(whole, others, strict=True) if not other]
    kept, wrapper = _without_wrappers(kept, stems, around, known)
    if wrapper:
        remarks.append(f"{wrapper} holds everything: it is read as no student")
    downloaded = all(map(names.is_downloaded, kept))
    deep = [path for path in kept if not downloaded and _has_two_folders(path, stems)]
    turn = len(deep) == len(kept) and _second_is_student(deep, stems, known)
    turned = set(deep) if turn else set()
    if deep:
        remarks.append(_told(deep, bool(turned)))
    arranged = iter([_swapped(path) if path in turned else path for path in kept])
    found = tuple(None if other else next(arranged) for other in others)
    return Layout(found, tuple(remarks), downloaded)


def _lowered(path: PurePosixPath) -> PurePosixPath:
    """A name in which nbgrader's folder is written as nbgrader does."""
    *above, name = path.parts
    return PurePosixPath(*(SUBMITTED if p.lower() == SUBMITTED else p for p in above), name)


def _from_submitted(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    """The names without what stands around nbgrader's folder, where it is nbgrader's.

    It is, where there is one of this name and everything else lies beside it. A student's own
    folder may be called so too.
    """
    places = {p.parts[: p.parts.index(SUBMITTED)] for p in paths if SUBMITTED in p.parts[:-1]}
    if len(places) != 1:
        return paths
    (place,) = places
    depth = len(place)
    beside = all(path.parts[:depth] == place for path in paths)
    return [PurePosixPath(*path.parts[depth:]) for path in paths] if beside else paths


def _beside_submitted(paths: Sequence[PurePosixPath]) -> list[str]:
    """For each name nbgrader's other folder that it lies in, or ""."""
    places = {
        path.parts[: path.parts.index(SUBMITTED)] for path in paths if SUBMITTED in path.parts[:-1]
    }
    found = []
    for path in paths:
        depth = next((len(p) for p in places if path.parts[: len(p)] == p), None)
        part = "" if depth is None else path.parts[depth]
        inside = part.lower() in NBGRADERS and len(path.parts) > (depth or 0) + 1
        found.append("/".join(path.parts[: (depth or 0) + 1]) if inside else "")
    return found


def _without_wrappers(
    paths: list[PurePosixPath], stems: Sequence[str], around: str, known: Known
) -> tuple[list[PurePosixPath], str]:
    """Drop the folders that stand around everything and aren't a student, and name what isn't sure.

    The outermost folder is one when everything lies in it, nothing directly in it is named after a
    lesson, and it is named as the zip is or holds several things that aren't one for each lesson.
    """
    dropped: list[str] = []
    sure = True
    while len({path.parts[0] for path in paths}) == 1 and _is_wrapper(paths, stems, around, known):
        dropped.append(paths[0].parts[0])
        sure = sure and dropped[-1] == around
        paths = [PurePosixPath(*path.parts[1:]) for path in paths]
    return paths, "" if sure else "/".join(dropped)


def _is_wrapper(
    paths: list[PurePosixPath], stems: Sequence[str], around: str, known: Known
) -> bool:
    first = paths[0].parts[0]
    if min(len(path.parts) for path in paths) < 2 or first == SUBMITTED or known(first):
        return False
    inside = {path.parts[1] for path in paths}
    if names.is_moodles(first) or any(names.lesson_of(part, stems) for part in inside):
        return False
    if first == around or any(map(known, inside)):
        return True
    return len(inside) > 1 and not _is_one_for_each_lesson(paths, stems)


def _is_one_for_each_lesson(paths: list[PurePosixPath], stems: Sequence[str]) -> bool:
    """Whether each folder in the outermost one holds a lesson that no other of them holds."""
    places: dict[str | None, set[str]] = defaultdict(set)
    for path in paths:
        places[_lesson(path, stems)].add(path.parts[1])
    alone = all(len(each) == 1 for each in places.values())
    deep = all(len(path.parts) > 2 for path in paths)
    return deep and alone and None not in places and len(places) > 1


def _has_two_folders(path: PurePosixPath, stems: Sequence[str]) -> bool:
    """Whether either of two folders may be the student."""
    if len(path.parts) < 3 or path.parts[0] == SUBMITTED or names.is_moodles(path.parts[0]):
        return False
    return not any(names.lesson_of(part, stems) for part in path.parts[:2])


def _second_is_student(paths: Sequence[PurePosixPath], stems: Sequence[str], known: Known) -> bool:
    """Whether it is, so that no one of the first folders can bring it about by what is in it."""
    inside: dict[str, set[str]] = defaultdict(set)  # the second folders in each of the first
    lessons: dict[str, set[str | None]] = defaultdict(set)
    for path in paths:
        inside[path.parts[0]].add(path.parts[1])
        lessons[path.parts[0]].add(_lesson(path, stems))
    if not inside or any(map(known, inside)):
        return False
    if all(any(map(known, each)) for each in inside.values()):
        return True
    places = Counter(second for each in inside.values() for second in each)
    in_several = sum(n > 1 for n in places.values())
    return (
        all(len(each) > 1 for each in inside.values())
        and _has_each_its_own(lessons.values())
        and in_several * 2 > len(places)
    )


def _has_each_its_own(lessons: Collection[set[str | None]]) -> bool:
    """Whether there is one lesson in each folder, and another one in each."""
    different = {lesson for each in lessons for lesson in each}
    one_each = all(len(each) == 1 for each in lessons)
    return one_each and None not in different and len(different) == len(lessons)


def _lesson(path: PurePosixPath, stems: Sequence[str]) -> str | None:
    return names.lesson_of(path.name, stems)


def _swapped(path: PurePosixPath) -> PurePosixPath:
    first, second, *rest = path.parts
    return PurePosixPath(second, first, *rest)


def _told(paths: Sequence[PurePosixPath], swapped: bool) -> str:
    first, second = paths[0].parts[:2]
    student, other = (second, first) if swapped else (first, second)
    rest = len({path.parts[:2] for path in paths}) - 1
    more = f", and {rest} more folders alike" if rest else ""
    return f"{first}/{second} is read as {other} of the student {student}{more}"
