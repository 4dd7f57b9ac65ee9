"""Read the statements of a cell: what each defines, what it needs, and what it changes.

Nothing of a cell is run here. Names are compared as texts: a value that has a second name, and what
`exec` does, aren't seen.
"""

import ast
import functools
import symtable
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
# Methods that change what they are called on, wherever the call stands.
CHANGES = ("add", "append", "appendleft", "clear", "defjvp", "defjvps", "defvjp", "discard",
           "extend", "extendleft", "fill", "insert", "pop", "popitem", "popleft", "put", "register",
           "remove", "reverse", "rotate", "setdefault", "sort", "subtract", "update")  # fmt: skip
# Statements that give their names a value whatever happens; the others may leave the older one.
SURE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign)
# What looks names up later than where it stands.
LATE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
# What shows what it is given, and changes nothing.
QUIET = frozenset(("check", "display", "drawing", "help", "hint", "len", "plt", "pprint", "predict",
                   "print", "record", "repr", "show", "standing", "type"))  # fmt: skip


@dataclass(frozen=True)
class Statement:
    """A statement of a cell above an answer."""

    text: str
    free: frozenset[str]  # the names that it looks up
    defines: frozenset[str]  # the names that it binds, or whose value it changes itself
    sure: bool  # whether it gives them a value in any case
    late: bool  # whether it holds what looks names up later
    imports: bool
    effects: frozenset[str]  # what a call of what it defines changes
    calls: frozenset[str]  # what it calls
    receivers: frozenset[str]  # what it calls a method of and drops the result


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a cell, or None where it can't be read as Python."""
    try:
        return ast.parse(text)
    except UNREADABLE:
        return None


@functools.lru_cache(maxsize=1024)
def of(text: str) -> Sequence[Statement]:
    """The statements at the top of a cell; none of one that can't be read."""
    tree = parsed(text)
    found = (_statement(text, node) for node in (tree.body if tree else ()))
    return [each for each in found if each is not None]


def _statement(cell: str, node: ast.stmt) -> Statement | None:
    try:
        text = ast.unparse(node)
    except UNREADABLE:  # a number of thousands of digits, say
        text = ast.get_source_segment(cell, node) or ""
    try:
        parts = list(ast.walk(node))
        free = free_names(text)
        return Statement(
            text,
            free,
            frozenset(_defined(node)),
            sure=_is_sure(node),
            late=any(isinstance(part, LATE) for part in parts),
            imports=isinstance(node, ast.Import | ast.ImportFrom),
            effects=_effects(node, parts, free),
            calls=_calls(node, parts),
            receivers=frozenset(_receiver(node)),
        )
    except UNREADABLE:
        return None


def _receiver(node: ast.stmt) -> list[str]:
    call = node.value if isinstance(node, ast.Expr) else None
    method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return _root(call.func) if isinstance(call, ast.Call) and method else []


def _effects(node: ast.stmt, parts: Iterable[ast.AST], free: frozenset[str]) -> frozenset[str]:
    """What a call of what is defined here changes outside of it."""
    if not isinstance(node, LATE):
        return frozenset()
    parts = list(parts)
    declared = {name for part in parts if isinstance(part, ast.Global) for name in part.names}
    inside = (part for part in parts if isinstance(part, ast.Attribute | ast.Subscript))
    return frozenset(declared | ({name for p in inside for name in _touched(p, True)} & free))


def _calls(node: ast.stmt, parts: Iterable[ast.AST]) -> frozenset[str]:
    """The functions that are called where this is run; a decorator and a base class are called."""
    around: Iterable[ast.AST] = parts
    if isinstance(node, LATE):
        outside = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
        around = [part for each in outside for part in ast.walk(each)]
        return frozenset(part.id for part in around if isinstance(part, ast.Name))
    called = (part.func for part in around if isinstance(part, ast.Call))
    return frozenset(name for func in called for name in _root(func))


@functools.lru_cache(maxsize=1024)
def free_names(text: str) -> frozenset[str]:
    """The names that a text looks up outside its functions: what a parameter is called is none."""
    try:
        tables = [symtable.symtable(text, "<cell>", "exec")]
    except UNREADABLE:  # also what only a notebook takes, such as `await` at the top
        tree = parsed(text)
        parts = ast.walk(tree) if tree else ()
        return frozenset(part.id for part in parts if isinstance(part, ast.Name))
    found: set[str] = set()
    for table in tables:  # it grows while it is read
        tables += table.get_children()
        top = table.get_type() == "module"
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_referenced() and (top or symbol.is_global())
        }
    return frozenset(found)


def _is_sure(node: ast.stmt) -> bool:
    """Whether a statement gives the names that it defines a value in any case."""
    annotated = isinstance(node, ast.AnnAssign) and node.value is not None
    return annotated or isinstance(node, SURE)


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement binds or changes; a little too many cost only time."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        around = [part for decorator in node.decorator_list for part in ast.walk(decorator)]
        return {node.name, *(name for part in around for name in _touched(part, True))}
    plain = isinstance(node, ast.Expr)
    return {*_given(node), *(name for part in ast.walk(node) for name in _touched(part, plain))}


def _given(node: ast.stmt) -> list[str]:
    """What a bare call may change because it is given it, such as `np.copyto(table, row)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not QUIET.isdisjoint(_root(call.func)):
        return []
    return [part.id for part in call.args if isinstance(part, ast.Name)]


def _touched(part: ast.AST, in_expression: bool) -> list[str]:
    if isinstance(part, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in part.names]
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [part.name]
    if isinstance(part, ast.MatchAs | ast.MatchStar):
        return [part.name] if part.name else []
    if isinstance(part, ast.NamedExpr):
        return [part.target.id]
    if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
        return [] if in_expression else [part.id]  # a comprehension's own
    if isinstance(part, ast.Attribute | ast.Subscript):
        changes = isinstance(part, ast.Attribute) and part.attr in CHANGES
        return _root(part) if changes or isinstance(part.ctx, ast.Store) else []
    return []


def _root(part: ast.AST) -> list[str]:
    """The name at the left end of `a.b[c].d`."""
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    return [part.id] if isinstance(part, ast.Name) else []
