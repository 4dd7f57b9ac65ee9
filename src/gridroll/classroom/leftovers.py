"""What is left of the scaffold in a student's cell."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from gridroll.classroom.calling import Elsewhere, unwrapped

TOO_DEEP = (RecursionError, MemoryError)  # what a very long chain of `elif` costs, right or not


def source_text(function: Callable[..., Any]) -> str:
    """A function's source, "" where there is none."""
    if isinstance(function, Elsewhere):
        return function.source
    try:
        return textwrap.dedent(inspect.getsource(unwrapped(function)))
    except (OSError, TypeError):
        return ""


def source_tree(function: Callable[..., Any]) -> ast.Module | None:
    """The syntax tree of a function's source, or None where none can be read."""
    try:
        return ast.parse(source_text(function))
    except (SyntaxError, *TOO_DEEP):
        return None


def is_untouched(function: Callable[..., Any], scaffold: str) -> bool:
    """Whether a function is the scaffold's function as it was handed out."""
    tree = source_tree(function)
    if tree is None or not tree.body:
        return False
    handed_out = {
        node.name: _normal(node)
        for node in ast.parse(scaffold).body
        if isinstance(node, ast.FunctionDef)
    }
    node = tree.body[0]
    try:
        return isinstance(node, ast.FunctionDef) and handed_out.get(node.name) == _normal(node)
    except TOO_DEEP:
        return False


def leftover_lines(function: Callable[..., Any]) -> tuple[str, ...]:
    """The lines that still hold a `...` of the scaffold or a `raise NotImplementedError`."""
    tree = source_tree(function)
    if tree is None:
        return ()
    lines = source_text(function).splitlines()
    allowed = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        for part in ast.walk(node.slice)
    }
    found = []
    for node in ast.walk(tree):
        ellipsis = isinstance(node, ast.Constant) and node.value is ... and id(node) not in allowed
        refusal = isinstance(node, ast.Raise) and _is_refusal(node)
        if (ellipsis or refusal) and isinstance(node, ast.Constant | ast.Raise):
            found.append(node.lineno)
    return tuple(f"line {n}: {lines[n - 1].strip()}" for n in sorted(set(found)))


def _is_refusal(node: ast.Raise) -> bool:
    try:
        return "NotImplementedError" in ast.dump(node)
    except TOO_DEEP:
        return False


def _normal(function: ast.FunctionDef) -> str:
    """A function's code without its docstring, comments and layout."""
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:] if isinstance(body[0].value.value, str) else body
    return "\n".join(ast.dump(node) for node in [function.args, *body])
