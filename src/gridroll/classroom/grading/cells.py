"""Read the text of cells: what a notebook would run, and what an answer needs of the cells above.

Nobody vouches for these texts. Nothing of them is run here, and one that can't be read as Python,
or is nested too deeply for that, is told like an empty one.
"""

import ast
import functools
import re
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
MOST_PASSES = 10  # through the cells above; then everything that may matter is run
# IPython reads a cell anew for each magic, and a long line anew for each of its letters.
MOST_FOR_IPYTHON, LONGEST_LINE, MOST_MAGICS = 10_000, 1_000, 40
_MAGIC = re.compile(r"^\s*[%!?]|\?\s*$|=\s*[%!]", re.MULTILINE)
# Cell magics that run the rest of the cell in the notebook's own names.
_RUNS_IN_PLACE = re.compile(r"\s*%%(time|capture|prun)\b[^\n]*")
# What IPython makes of `%time statement`, which the notebook runs like the statement alone.
_TIMED = re.compile(
    r"""get_ipython\(\)\.run_line_magic\('time', ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)"""
)


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


def _is_for_ipython(text: str) -> bool:
    """Whether IPython reads a text in a moment."""
    short = len(text) <= MOST_FOR_IPYTHON
    return (
        short
        and max(map(len, text.splitlines()), default=0) <= LONGEST_LINE
        and len(_MAGIC.findall(text)) <= MOST_MAGICS
    )


@functools.lru_cache(maxsize=256)
def plain(source: str) -> str:
    """A cell as Python alone: IPython's magics, `!` and `?` become calls of `get_ipython()`.

    What `%time` is given stands for itself. Lines keep their numbers. Where that can't be done,
    the text comes back as it is.
    """
    text = _RUNS_IN_PLACE.sub("", source, count=1) if _RUNS_IN_PLACE.match(source) else source
    if _parsed(text) is not None or not _is_for_ipython(text):
        return text
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        made = TransformerManager().transform_cell(text)
        made = _TIMED.sub(lambda found: str(ast.literal_eval(found[1])), made)
    except Exception:  # it gives up in ways of its own
        return source
    return source if _parsed(made) is None else made


def needed(sources: Iterable[str], before: Iterable[str]) -> list[str]:
    """The statements of earlier cells that define what these cells use, in their order.

    A lesson's cells draw and measure, and a class is large: only what an answer's names come from
    is run. Of several statements that define a name, the last one counts.
    """
    statements = [found for text in before for found in _statements(text)]
    names = {name for source in sources for name in _free(source)}
    changes = _changes(statements)
    for _ in range(MOST_PASSES):
        kept = _definitions(statements, changes, names)
        # A function that was kept may use what is defined below it.
        more = {name for each in kept if each.late for name in each.free} - names
        if not more:
            return [each.text for each in kept]
        names |= more
    everything = names.union(*(each.free for each in statements))
    return [each.text for each in _definitions(statements, changes, everything)]


def _changes(statements: Sequence[Statement]) -> list[frozenset[str]]:
    """What each statement changes beside what it defines: through what it calls, or a method."""
    effects: dict[str, set[str]] = {}
    for each in statements:
        for name in each.defines if each.effects else ():
            effects.setdefault(name, set()).update(each.effects)
    modules = frozenset(name for each in statements if each.imports for name in each.defines)
    return [
        (each.receivers - modules).union(*(effects.get(name, ()) for name in each.calls))
        for each in statements
    ]


def _definitions(
    statements: Sequence[Statement], changes: Sequence[frozenset[str]], names: Iterable[str]
) -> list[Statement]:
    wanted, kept = set(names), []
    for each, changed in zip(reversed(statements), reversed(changes), strict=True):
        if not wanted.isdisjoint(each.defines | changed) or "*" in each.defines:
            kept.append(each)
            if each.sure:
                wanted -= each.defines
            wanted |= each.free
    return kept[::-1]


def function_text(texts: Iterable[str], name: str) -> str:
    """The text of the last function of this name at the top of these cells, or ""."""
    for text in reversed(list(texts)):
        for node in reversed(getattr(_parsed(text), "body", ())):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return ast.get_source_segment(text, node) or ""
    return ""


def defines(text: str, names: Iterable[str]) -> bool:
    """Whether a cell gives one of these names a value."""
    wanted = set(names)
    return any(not wanted.isdisjoint(each.defines) for each in _statements(text))


def answers(text: str, exercise: str) -> bool:
    """Whether a cell calls `check` or `predict` for an exercise."""
    return exercise in text and ("check(" in text or "predict(" in text)


def looked_up(texts: Iterable[str]) -> set[str]:
    """The names that cells look up outside their functions."""
    return {name for text in texts for name in _free(text)}


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except UNREADABLE:
        return None


@functools.lru_cache(maxsize=1024)
def _statements(text: str) -> Sequence[Statement]:
    tree = _parsed(text)
    found = (_statement(text, node) for node in (tree.body if tree else ()))
    return [each for each in found if each is not None]


def _statement(cell: str, node: ast.stmt) -> Statement | None:
    try:
        text = ast.unparse(node)
    except UNREADABLE:  # a number of thousands of digits, say
        text = ast.get_source_segment(cell, node) or ""
    try:
        parts = list(ast.walk(node))
        free = _free(text)
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
def _free(text: str) -> frozenset[str]:
    """The names that a text looks up outside its functions: what a parameter is called is none."""
    try:
        tables = [symtable.symtable(text, "<cell>", "exec")]
    except UNREADABLE:  # also what only a notebook takes, such as `await` at the top
        tree = _parsed(text)
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
