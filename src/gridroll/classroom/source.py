"""Read a lesson's source, ``solutions/NN_name.md``: a MyST notebook with directives.

A code cell whose only line is ``# listing: module.name`` or ``# exercise: module.name`` stands for
what the build puts there. Everything else is prose and plain code.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gridroll.classroom.errors import UserError

STEM = re.compile(r"(?P<number>\d{2})_(?P<module>[a-z][a-z0-9_]*)")
DIRECTIVE = re.compile(r"^#\s*(listing|exercise):\s*(\S+)\s*$")
DIRECTIVE_INSIDE = re.compile(r"^#\s*(listing|exercise):", re.MULTILINE)
CODE_FENCE = re.compile(r"^(`{3,}|:{3,}|~{3,})\{code-cell\}")

SOLUTION_ONLY = "solution-only"  # the cell is left out of the lesson
NO_RECORDED_OUTPUT = "no-recorded-output"  # the lesson shows the cell without what it printed
TAGS = (SOLUTION_ONLY, NO_RECORDED_OUTPUT)


class BuildError(UserError):
    """A lesson can't be built; the message is one line that says where and why."""


@dataclass(frozen=True)
class SourceCell:
    """One cell of a source: prose, code, or the name that a directive gives."""

    kind: Literal["markdown", "code", "listing", "exercise"]
    text: str  # the prose, the code, or the name
    tags: frozenset[str]
    line: int  # where it stands in the file, counted from 1; 0 for prose


@dataclass(frozen=True)
class Lesson:
    """A lesson's source and what its front matter says."""

    stem: str  # "03_collector"
    number: str  # "03"
    module: str  # "collector"
    title: str
    minutes: int
    builds: str  # what the student builds, one phrase
    needs: str  # what the student should know
    cells: tuple[SourceCell, ...]


def lesson_paths(root: Path) -> list[Path]:
    """Return the sources of all lessons, in order."""
    return sorted(path for path in (root / "solutions").glob("*.md") if STEM.fullmatch(path.stem))


def read_lesson(path: Path) -> Lesson:
    """Parse one source. Raises BuildError when it breaks a rule of the format."""
    stem = path.stem
    match = STEM.fullmatch(stem)
    if match is None:
        raise BuildError(f"{path.name}: a lesson's file is named like 03_collector.md")
    text = path.read_text(encoding="utf-8")
    import jupytext

    try:
        notebook = jupytext.reads(text, fmt="md:myst")
    except Exception as error:  # whatever jupytext and its parsers raise
        raise BuildError(f"{stem}: the source is not a MyST notebook: {_one_line(error)}") from None
    head = _front_matter(stem, notebook.metadata.get("gridroll"), match.groupdict())
    return Lesson(stem=stem, cells=tuple(_cells(stem, notebook.cells, text)), **head)


def _front_matter(stem: str, given: Any, names: Mapping[str, str]) -> dict[str, Any]:
    expected = {"title": str, "minutes": int, "builds": str, "needs": str}
    if not isinstance(given, Mapping):
        raise BuildError(f"{stem}: the front matter needs a mapping 'gridroll:'")
    for key, value in names.items():
        if given.get(key) != value:
            raise BuildError(
                f"{stem}: front matter gridroll.{key} must be {value!r} like the file's name; "
                f"got {given.get(key)!r}"
            )
    for key, kind in expected.items():
        if not isinstance(given.get(key), kind) or not given[key]:
            raise BuildError(
                f"{stem}: front matter gridroll.{key} must be a {kind.__name__}; "
                f"got {given.get(key)!r}"
            )
    unknown = sorted(set(given) - set(expected) - set(names))
    if unknown:
        raise BuildError(f"{stem}: front matter gridroll has unknown keys: {', '.join(unknown)}")
    return dict(names) | {key: given[key] for key in expected}


def _cells(stem: str, cells: list[Any], text: str) -> Iterator[SourceCell]:
    lines = text.splitlines()
    fences = iter([number for number, line in enumerate(lines) if CODE_FENCE.match(line)])
    for cell in cells:
        source = cell.source.strip("\n")
        tags = frozenset(cell.metadata.get("tags", ()))
        unknown = sorted(tags - set(TAGS))
        if unknown:
            raise BuildError(f"{stem}: unknown tag {unknown[0]!r}; there are {', '.join(TAGS)}")
        if cell.cell_type == "markdown":
            if source.strip():
                yield SourceCell("markdown", source, tags, 0)
            continue
        if cell.cell_type != "code":
            raise BuildError(f"{stem}: a lesson has prose and code cells, no {cell.cell_type} cell")
        line = _line_of(source, lines, next(fences))
        where = f"{stem}: solutions/{stem}.md line {line}"
        if not source.strip():
            raise BuildError(f"{where}: a code cell without code")
        directive = DIRECTIVE.match(source)
        if directive and "\n" not in source:
            kind: Any = directive[1]
            yield SourceCell(kind, directive[2], tags, line)
        elif DIRECTIVE_INSIDE.search(source):
            raise BuildError(f"{where}: a directive stands alone in its cell, on one line")
        else:
            yield SourceCell("code", source, tags, line)


def _line_of(source: str, lines: list[str], fence: int) -> int:
    """Return the number of the line on which a cell's code starts, after its fence."""
    first = source.split("\n", 1)[0].rstrip()
    after = range(fence + 1, len(lines))
    return next((i for i in after if lines[i].rstrip() == first), fence) + 1


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
