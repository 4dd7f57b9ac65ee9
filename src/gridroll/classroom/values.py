"""Values that a lesson records: plain Python numbers, their text and their JSON form.

A recorded value is a bool, an int, a float, a string or a (nested) list of these. Floats have
``KEPT_DIGITS`` in JSON and fewer in text. JSON has no NaN and no infinity: such a float
is written as one of the three strings in ``NON_FINITE``, and reads back as the float.
"""

import math
from collections.abc import Mapping
from typing import Any

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
SIGNIFICANT_DIGITS = 6  # what float32 reproduces on every supported machine
KEPT_DIGITS = 12  # more than float32 has; the last ones of a float64 sum are the processor's
LINE_WIDTH = 88


def plain(name: str, value: Any) -> Any:
    """Return ``value`` as plain Python: bool, int, float, str or nested lists of them.

    Accepts Python, NumPy and JAX scalars and arrays, strings, lists and tuples.
    Raises TypeError, naming ``name``, for anything else.
    """
    if isinstance(value, str) and value in NON_FINITE:
        raise ValueError(f"{name}: the text {value!r} stands for a float; record the float instead")
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)  # a plain one also where NumPy's own is a subclass
    if isinstance(value, list | tuple):
        return [plain(name, item) for item in value]
    if value is None or isinstance(value, Mapping | set):
        raise TypeError(_refusal(name, type(value).__name__))

    import numpy

    try:
        array = numpy.asarray(value)
    except Exception as error:  # a typed key, a tracer: whatever says no to NumPy
        raise TypeError(_refusal(name, type(value).__name__)) from error
    if array.dtype.kind not in "biufU":
        came = type(value).__name__
        detail = came if array.dtype.kind == "O" else f"{came} of dtype {array.dtype}"
        raise TypeError(_refusal(name, detail))
    return array.tolist()


def _refusal(name: str, came: str) -> str:
    return (
        f"{name}: a recorded value is a number, a string, or an array or list of them; got {came}"
    )


def to_json(value: Any) -> Any:
    """Return a plain value with floats rounded, and NaN and infinities written as strings."""
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, float):
        return float(format(value, f".{KEPT_DIGITS}g"))
    return value


def from_json(value: Any) -> Any:
    """Undo ``to_json``."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    return NON_FINITE.get(value, value) if isinstance(value, str) else value


def scalar_text(value: Any, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return one scalar as text; a float is rounded to ``digits`` significant digits."""
    if not isinstance(value, float):
        return str(value)
    text = format(value, f".{digits}g")
    looks_whole = all(character.isdigit() or character == "-" for character in text)
    return text + ".0" if looks_whole else text


def text(value: Any, digits: int = SIGNIFICANT_DIGITS, indent: int = 0) -> str:
    """Return a plain value as text; lines after the first are indented by ``indent``."""
    if not isinstance(value, list):
        return scalar_text(value, digits)
    width = max((len(scalar_text(item, digits)) for item in _leaves(value)), default=0)
    return _list_text(value, digits, width, indent, is_row=False)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


def _list_text(value: list[Any], digits: int, width: int, indent: int, is_row: bool) -> str:
    pad = " " * (indent + 1)
    if any(isinstance(item, list) for item in value):
        rows = [
            _list_text(item, digits, width, indent + 1, is_row=True)
            if isinstance(item, list)
            else scalar_text(item, digits)
            for item in value
        ]
        return "[" + f",\n{pad}".join(rows) + "]"
    items = [scalar_text(item, digits) for item in value]
    if is_row:  # rows of one table stand in columns
        items = [item.rjust(width) for item in items]
    lines, line = [], ""
    for item in items:
        if line and indent + len(line) + len(item) + 3 > LINE_WIDTH:
            lines.append(line + ",")
            line = item
        else:
            line = f"{line}, {item}" if line else item
    return "[" + f"\n{pad}".join([*lines, line]) + "]"
