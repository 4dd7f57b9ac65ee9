"""What an exercise's process gets to read: the course's package without the answer, as texts."""

import ast
import functools
from collections.abc import Iterable
from typing import Any

from gridroll.classroom.calling import unwrapped
from gridroll.classroom.exercise import Exercise, Task
from gridroll.classroom.grading.bootstrap import PACKAGES, text_of

PACKAGE = "gridroll"
# Beside what the lesson imports: how a function is called, and what is judged of it.
SUPPORT = (
    "gridroll.classroom.exercise",
    "gridroll.classroom.calling",
    "gridroll.exercises._probes",
)
# Pictures are for people.
DRAWING = """
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *values, **named: None
"""
REFUSAL = "{0} isn't there: this exercise asks you to write it."


def package(task: Task, lesson_cells: Iterable[str]) -> dict[str, str]:
    """The modules that the lesson imports, and those that they import, without the answer.

    A function that the exercise asks for is left out: whoever calls it gets an error that says so.
    """
    names = {*SUPPORT, *(n for text in lesson_cells for n in imported(text))}
    texts = dict(_closure(tuple(sorted(names))))
    for function in _asked(task):
        module, name = function.__module__, function.__name__
        if module in texts and ".exercises" not in module:
            texts[module] = without(texts[module], name, f"{module.rpartition('.')[2]}.{name}")
    return texts


def _asked(task: Task) -> list[Any]:
    if not isinstance(task, Exercise):
        return []
    return [unwrapped(function) for function in (task.reference, *task.parts)]


@functools.cache
def _closure(names: tuple[str, ...]) -> dict[str, str]:
    texts: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in texts or name in PACKAGES or not name.startswith(f"{PACKAGE}."):
            continue
        if name.startswith("gridroll.drawing"):
            texts[name] = DRAWING
        elif name in SUPPORT or not name.startswith(("gridroll.classroom", "gridroll.exercises")):
            try:
                texts[name] = text_of(name)
            except ModuleNotFoundError:  # a name out of a module
                continue
            waiting += imported(texts[name])
    return texts


def imported(text: str) -> list[str]:
    """The modules that a text may import: for `from a import b`, both a and a.b."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def without(text: str, name: str, called: str) -> str:
    """A module's text in which one function only says that it isn't there."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            message = REFUSAL.format(called)
            stub = [
                f"def {name}(*values, **named):",
                f"    raise NotImplementedError({message!r})",
            ]
            lines[first : node.end_lineno] = stub
            return "\n".join(lines) + "\n"
    return text


def needed(source: str, before: Iterable[str]) -> list[str]:
    """The statements of earlier cells that define what a cell uses, in their order.

    A lesson's cells draw and measure, and a class is large: only what an answer's names come from
    is run. Of several statements that define a name, the last one counts.
    """
    statements = [node for text in before for node in _statements(text)]
    wanted = _names(source)
    kept = []
    for node in reversed(statements):
        defined = _defined(node)
        if defined & wanted:
            kept.append(node)
            if not isinstance(node, ast.AugAssign):
                wanted -= defined
            wanted |= _loaded(node)
    return [ast.unparse(node) for node in reversed(kept)]


def _statements(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError:
        return []


def _names(source: str) -> set[str]:
    return {name for node in _statements(source) for name in _loaded(node)}


def _loaded(node: ast.AST) -> set[str]:
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Expr):
        return set()
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def function_text(source: str, name: str) -> str:
    """The text of the last function of this name at the top of a cell, or ""."""
    texts = [
        ast.get_source_segment(source, node) or ""
        for node in _statements(source)
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return texts[-1] if texts else ""
