"""Read the text of cells: what a notebook would run, and what an answer needs of the cells above.

Nobody vouches for these texts. Nothing of them is run here, and one that can't be read as Python,
or is nested too deeply for that, is told like an empty one.
"""

import ast
import functools
import re
from collections.abc import Iterable, Sequence

from gridroll.classroom.grading import statements
from gridroll.classroom.grading.statements import Statement

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


@functools.lru_cache(maxsize=256)
def plain(source: str) -> str:
    """A cell as Python alone: IPython's magics, `!` and `?` become calls of `get_ipython()`.

    What `%time` is given stands for itself. Lines keep their numbers. Where that can't be done,
    the text comes back as it is.
    """
    text = _RUNS_IN_PLACE.sub("", source, count=1) if _RUNS_IN_PLACE.match(source) else source
    if statements.parsed(text) is not None or not _is_for_ipython(text):
        return text
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        made = TransformerManager().transform_cell(text)
        made = _TIMED.sub(lambda found: str(ast.literal_eval(found[1])), made)
    except Exception:  # it gives up in ways of its own
        return source
    return source if statements.parsed(made) is None else made


def _is_for_ipython(text: str) -> bool:
    """Whether IPython reads a text in a moment."""
    short = len(text) <= MOST_FOR_IPYTHON
    return (
        short
        and max(map(len, text.splitlines()), default=0) <= LONGEST_LINE
        and len(_MAGIC.findall(text)) <= MOST_MAGICS
    )


def needed(sources: Iterable[str], before: Iterable[str]) -> list[str]:
    """The statements of earlier cells that define what these cells use, in their order.

    A lesson's cells draw and measure, and a class is large: only what an answer's names come from
    is run. Of several statements that define a name, the last one counts.
    """
    every = [found for text in before for found in statements.of(text)]
    names = {name for source in sources for name in statements.free_names(source)}
    changes = _changes(every)
    for _ in range(MOST_PASSES):
        kept = _definitions(every, changes, names)
        # A function that was kept may use what is defined below it.
        more = {name for each in kept if each.late for name in each.free} - names
        if not more:
            return [each.text for each in kept]
        names |= more
    everything = names.union(*(each.free for each in every))
    return [each.text for each in _definitions(every, changes, everything)]


def _changes(every: Sequence[Statement]) -> list[frozenset[str]]:
    """What each statement changes beside what it defines: through what it calls, or a method."""
    effects: dict[str, set[str]] = {}
    for each in every:
        for name in each.defines if each.effects else ():
            effects.setdefault(name, set()).update(each.effects)
    modules = frozenset(name for each in every if each.imports for name in each.defines)
    return [
        (each.receivers - modules).union(*(effects.get(name, ()) for name in each.calls))
        for each in every
    ]


def _definitions(
    every: Sequence[Statement], changes: Sequence[frozenset[str]], names: Iterable[str]
) -> list[Statement]:
    wanted, kept = set(names), []
    for each, changed in zip(reversed(every), reversed(changes), strict=True):
        if not wanted.isdisjoint(each.defines | changed) or "*" in each.defines:
            kept.append(each)
            if each.sure:
                wanted -= each.defines
            wanted |= each.free
    return kept[::-1]


def function_text(texts: Iterable[str], name: str) -> str:
    """The text of the last function of this name at the top of these cells, or ""."""
    for text in reversed(list(texts)):
        for node in reversed(getattr(statements.parsed(text), "body", ())):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return ast.get_source_segment(text, node) or ""
    return ""


def defines(text: str, names: Iterable[str]) -> bool:
    """Whether a cell gives one of these names a value."""
    wanted = set(names)
    return any(not wanted.isdisjoint(each.defines) for each in statements.of(text))


def answers(text: str, exercise: str) -> bool:
    """Whether a cell calls `check` or `predict` for an exercise."""
    return exercise in text and ("check(" in text or "predict(" in text)


def looked_up(texts: Iterable[str]) -> set[str]:
    """The names that cells look up outside their functions."""
    return {name for text in texts for name in statements.free_names(text)}
