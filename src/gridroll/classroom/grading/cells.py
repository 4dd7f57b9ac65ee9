"""Read the text of cells: what a notebook would run, and what an answer needs of the cells above.

Nobody vouches for these texts. Nothing of them is run here, and one that can't be read as Python,
or is nested too deeply for that, is told like an empty one.
"""

import ast
import functools
import re
import symtable
from collections.abc import Iterable, Sequence

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
# Methods that change what they are called on.
CHANGES = ("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popleft",
           "register", "remove", "reverse", "setdefault", "sort", "update")  # fmt: skip
# Statements that give their names a value whatever happens; the others may leave the older one.
SURE = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
# Cell magics that run the rest of the cell in the notebook's own names.
_RUNS_IN_PLACE = re.compile(r"\s*%%(time|capture|prun)\b[^\n]*")
# What IPython makes of `%time statement`, which the notebook runs like the statement alone.
_TIMED = re.compile(
    r"""get_ipython\(\)\.run_line_magic\('time', ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\)"""
)


def plain(source: str) -> str:
    """A cell as Python alone: IPython's magics, `!` and `?` become calls of `get_ipython()`.

    What `%time` is given stands for itself. Lines keep their numbers. Where that can't be done,
    the text comes back as it is.
    """
    text = _RUNS_IN_PLACE.sub("", source, count=1) if _RUNS_IN_PLACE.match(source) else source
    if _parsed(text) is not None:
        return text
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        made = TransformerManager().transform_cell(text)
        made = _TIMED.sub(lambda found: str(ast.literal_eval(found[1])), made)
    except UNREADABLE:
        return source
    return source if _parsed(made) is None else made


def needed(sources: Iterable[str], before: Iterable[str]) -> list[str]:
    """The statements of earlier cells that define what these cells use, in their order.

    A lesson's cells draw and measure, and a class is large: only what an answer's names come from
    is run. Of several statements that define a name, the last one counts.
    """
    statements = [found for text in before for found in _statements(text)]
    names = {name for source in sources for name in _free(source)}
    while True:
        kept = _definitions(statements, names)
        # A function that was kept may use what is defined below it.
        late = [text for node, text in kept if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        more = {name for text in late for name in _free(text)} - names
        if not more:
            return [text for _, text in kept]
        names |= more


def _definitions(
    statements: Sequence[tuple[ast.stmt, str]], names: Iterable[str]
) -> Sequence[tuple[ast.stmt, str]]:
    wanted, kept = set(names), []
    for node, text in reversed(statements):
        defined = _defined(node)
        if defined & wanted or "*" in defined:
            kept.append((node, text))
            if _is_sure(node):
                wanted -= defined
            wanted |= _free(text)
    return kept[::-1]


def _is_sure(node: ast.stmt) -> bool:
    """Whether a statement gives the names that it defines a value in any case."""
    annotated = isinstance(node, ast.AnnAssign) and node.value is not None
    return annotated or isinstance(node, SURE | ast.Assign)


def function_text(texts: Iterable[str], name: str) -> str:
    """The text of the last function of this name at the top of these cells, or ""."""
    found = [
        ast.get_source_segment(text, node) or ""
        for text in texts
        for node in getattr(_parsed(text), "body", ())
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return found[-1] if found else ""


def defines(text: str, name: str) -> bool:
    """Whether a cell gives a name a value."""
    return any(name in _defined(node) for node, _ in _statements(text))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except UNREADABLE:
        return None


@functools.lru_cache(maxsize=1024)
def _statements(text: str) -> Sequence[tuple[ast.stmt, str]]:
    tree = _parsed(text)
    try:
        return [(node, ast.unparse(node)) for node in (tree.body if tree else ())]
    except UNREADABLE:
        return []


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


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement binds or changes; a little too many cost only time."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        around = [part for decorator in node.decorator_list for part in ast.walk(decorator)]
        return {node.name, *(name for part in around for name in _touched(part, True))}
    return {name for part in ast.walk(node) for name in _touched(part, isinstance(node, ast.Expr))}


def _touched(part: ast.AST, in_expression: bool) -> list[str]:
    if isinstance(part, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in part.names]
    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [part.name]
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
