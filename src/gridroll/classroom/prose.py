"""Numbers in a lesson's prose: taken from what the run recorded, never written by hand."""

import io
import re
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridroll.classroom import values

# {{ name }}, {{ name[2] }}, {{ name[0][1]:.3f }}, {{ name[:3] }}
PLACE = re.compile(
    r"\{\{\s*(?P<name>[A-Za-z_]\w*)(?P<index>(?:\[[-\d:]+\])*)\s*(?::(?P<format>[^{}]*?))?\s*\}\}"
)
_MINUS = re.compile(r"(?<!\S)-(?=[\d.i])")  # of a number, not of an exponent or a word
_INDEX = re.compile(r"\[([-\d:]+)\]")
_NUMBER = re.compile(r"(?<![\w.])(\d+\.\d+|\d+)(?!\w|\.\d)")
_LINK_TARGET = re.compile(r"\]\([^)]*\)|<https?:[^>]*>")
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_LEAST_INT = 10  # smaller integers are words of the language, not results
_LEAST_DIGITS = 3  # a float with fewer is a round number


class ProseError(Exception):
    """The prose names what the run didn't record, or holds a result that was typed in."""


def fill(prose: str, recorded: Mapping[str, Any]) -> str:
    """Return ``prose`` with every ``{{ name }}`` replaced by the recorded value.

    A negative number gets the minus sign of prose (−), except in code and in formulas.
    Raises ProseError for an unknown name, an index that isn't there, a format that doesn't fit, and
    braces that are left over.
    """
    filled = PLACE.sub(lambda match: _value_text(match, recorded), prose)
    bare = _FORMULA.sub("", filled)  # LaTeX has }} of its own
    left = re.search(r".{0,30}(\{\{|\}\}).{0,30}", bare)
    if left:
        raise ProseError(f"braces left over in {left[0].strip()!r}; write {{{{ name[i]:format }}}}")
    return filled


def _value_text(match: re.Match[str], recorded: Mapping[str, Any]) -> str:
    name, place = match["name"], match[0]
    if name not in recorded:
        known = ", ".join(sorted(recorded)) or "nothing"
        raise ProseError(f"{place}: the run records no {name!r}; it records {known}")
    try:
        value = recorded[name]
        for index in _INDEX.findall(match["index"]):
            parts = [int(part) if part else None for part in index.split(":")]
            value = value[slice(*parts) if len(parts) > 1 else parts[0]]
        items = value if isinstance(value, list) else [value]
        shown = ", ".join(_formatted(item, match["format"]) for item in items)
        return _MINUS.sub("−", shown) if _is_text(match.string[: match.start()]) else shown
    except (IndexError, TypeError, ValueError) as error:
        raise ProseError(f"{place}: {error}") from None


def _is_text(before: str) -> bool:
    """Tell from what stands before a place that it is neither in code nor in a formula."""
    fences, line = f"\n{before}".count("\n```"), before.rpartition("\n")[2]
    return not (fences % 2 or line.count("`") % 2 or before.count("$") % 2)


def _formatted(value: Any, specification: str | None) -> str:
    if isinstance(value, list):
        raise TypeError("a table of numbers doesn't fit into a sentence; give one index more")
    return format(value, specification) if specification else values.scalar_text(value)


def settings(codes: Iterable[str]) -> frozenset[str]:
    """Return the number literals of code cells: what the author set, which prose may repeat."""
    found = set()
    for code in codes:
        tokens = tokenize.generate_tokens(io.StringIO(code).readline)
        try:
            found |= {token.string for token in tokens if token.type == tokenize.NUMBER}
        except (tokenize.TokenError, SyntaxError):  # a magic line: nothing that prose may quote
            continue
    return frozenset(found)


def refuse_typed_results(prose: str, recorded: Mapping[str, Any], allowed: frozenset[str]) -> None:
    """Raise ProseError where ``prose`` holds a recorded result as a literal.

    A literal counts when it is an integer of at least 10 or a float of at least three significant
    digits, equals a recorded number to the digits that it shows, and isn't in ``allowed``.
    """
    bare = _LINK_TARGET.sub("", PLACE.sub("", prose))
    for literal in _NUMBER.findall(bare):
        if literal in allowed:
            continue
        name = _source_of(literal, recorded)
        if name is not None:
            raise ProseError(
                f"{literal} is a recorded result ({name}) written by hand; take it from the run "
                f"with {{{{ {name} }}}}"
            )


def _source_of(literal: str, recorded: Mapping[str, Any]) -> str | None:
    """Return the place of the recorded number that ``literal`` repeats, or None."""
    decimals = len(literal.partition(".")[2])
    if decimals and len(literal.replace(".", "").lstrip("0")) < _LEAST_DIGITS:
        return None
    if not decimals and int(literal) < _LEAST_INT:
        return None
    for name, value in recorded.items():
        for place, number in _places(name, value):
            shown = format(abs(number), f".{decimals}f") if decimals else str(abs(number))
            if shown == literal:
                return place
    return None


def _places(name: str, value: Any) -> Sequence[tuple[str, Any]]:
    """Return (place, number) for every number inside a recorded value."""
    if isinstance(value, list):
        nested = (_places(f"{name}[{i}]", item) for i, item in enumerate(value))
        return [place for places in nested for place in places]
    return [] if isinstance(value, bool | str) else [(name, value)]
