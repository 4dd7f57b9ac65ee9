"""A student's notebook as tests see it: cells that are executed as a kernel executes them."""

import ast
import linecache
from functools import cache
from itertools import count
from typing import Any

import pytest

from gridroll.classroom import check, checking, hints, predict, progress
from gridroll.classroom.progress_file import Progress
from lessons import STEMS, notebook, role

# A right answer to the smallest exercise.
MOVE = "gridworld.move"
RIGHT = (
    "def move(position, action, length):",
    "    return jnp.clip(position + 2 * action - 1, 0, length - 1)",
)

_numbers = count(1)


def run(source: str, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
    """Execute one cell; `inspect.getsource` finds its lines afterwards, as it does in a kernel."""
    name = f"<cell {next(_numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {"__name__": "__main__"} if namespace is None else namespace
    exec(compile(source, name, "exec"), names)
    return names


@cache
def _preparation(module: str) -> str:
    """The imports and the records of a lesson's notebook, which stand above its exercises."""
    (stem,) = [stem for stem in STEMS if stem.partition("_")[2] == module]
    found: list[str] = []
    for cell in notebook("lessons", stem).cells:
        if cell.cell_type == "code" and not role(cell)[0]:
            nodes = ast.parse(cell.source).body
            kept = [n for n in nodes if isinstance(n, ast.Import | ast.ImportFrom | ast.ClassDef)]
            found += [ast.unparse(node) for node in kept]
    return "\n".join(found)


def fresh(module: str) -> dict[str, Any]:
    """The names that a notebook of this lesson has before its first exercise."""
    return run(_preparation(module)) | {"check": check, "predict": predict}


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin as a fresh kernel does: nothing passed, no guess committed, no hint given."""
    monkeypatch.setattr(progress, "_session", Progress())
    monkeypatch.setattr(checking, "_passed", {})
    monkeypatch.setattr(checking, "_last", {})
    monkeypatch.setattr(hints, "_given", {})


def written(name: str, *lines: str) -> Any:
    """The function that a student wrote for the exercise `name`, from the lines of its cell."""
    module, _, function = name.partition(".")
    return run("\n".join(lines) + "\n", fresh(module))[function]
