"""What an exercise's process gets to run: the course's package without the answer."""

import ast
import base64
import functools
import marshal
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
REFUSAL = (
    "{0} is left out while this exercise is judged: write it yourself, or use what you wrote for "
    "an earlier one."
)


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


@functools.cache
def code(text: str) -> str:
    """A module's text, compiled: the Python inside is the one out here, and compiles it no more."""
    made = compile(text, "<course>", "exec", dont_inherit=True)
    return base64.b64encode(marshal.dumps(made)).decode("ascii")


@functools.cache
def imported(text: str) -> tuple[str, ...]:
    """The modules that a text of the course may import: for `from a import b`, both a and a.b."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(found)


@functools.cache
def without(text: str, name: str, called: str) -> str:
    """A module's text in which one function only says that it isn't there."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
            message = REFUSAL.format(called)
            stub = [
                f"def {name}(*values, **named):",
                f"    raise ImportError({message!r})",
            ]
            lines[first : node.end_lineno] = stub
            return "\n".join(lines) + "\n"
    return text
