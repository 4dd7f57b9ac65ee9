"""Values as text that a student can read, and mostly paste back into a cell."""

from functools import singledispatch
from typing import Any

import numpy as np

MOST_ENTRIES = 40  # of an array that is shown whole
TOO_LONG = "an array of "  # how the text of one that isn't shown whole begins
MOST_KEYS = 6  # of an array of keys that is shown whole
MOST_CHARACTERS = 280  # of the arguments of a call that is shown whole


@singledispatch
def describe(value: Any) -> str:
    """A value in one line, whatever it is.

    The modules of exercises add forms for the course's own records.
    """
    try:
        return _described(value)
    except Exception:  # a text, an array or a part of it that its own class can't make
        return f"a {type(value).__name__} that can't be shown"


def _described(value: Any) -> str:
    if type(value).__name__ == "ShapeDtypeStruct":
        return repr(value)
    if is_key(value):
        return _describe_keys(value)
    if hasattr(value, "dtype") and isinstance(getattr(value, "shape", None), tuple):
        return _describe_array(np.asarray(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        inner = ", ".join(f"{n}={describe(v)}" for n, v in zip(value._fields, value, strict=True))
        return f"{type(value).__name__}({inner})"
    if isinstance(value, list | tuple):
        inner = ", ".join(describe(v) for v in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if callable(value):
        return getattr(value, "__name__", repr(value))
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def is_key(value: Any) -> bool:
    """Whether a value is an array of typed keys."""
    return str(getattr(value, "dtype", "")).startswith("key<")


def describe_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call as text."""
    parts = [describe(a) for a in args] + [f"{n}={describe(v)}" for n, v in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def brief_call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call as text that can be read at a glance.

    Where the whole call is too long, its longest arguments are shortened to what they are made of.
    """
    from gridroll.classroom.forms import outline

    values = [*args, *kwargs.values()]
    names = [""] * len(args) + [f"{name}=" for name in kwargs]
    texts = [describe(value) for value in values]
    shorter = {i: short for i, v in enumerate(values) if len(short := outline(v)) < len(texts[i])}
    for i in sorted(shorter, key=lambda i: -len(texts[i])):
        if sum(map(len, texts)) <= MOST_CHARACTERS:
            break
        texts[i] = shorter[i]
    return f"{name}({', '.join(map(str.__add__, names, texts))})"


def number(value: Any) -> str:
    """One entry of an array."""
    scalar = np.asarray(value)
    if scalar.dtype.kind == "f":
        return f"{float(scalar):.7g}"
    return str(scalar.item())


def _describe_array(value: np.ndarray) -> str:
    if value.ndim == 0:
        return number(value)
    if value.size <= MOST_ENTRIES and value.dtype.kind != "O":
        return f"array({_nested(value)})"
    return f"{TOO_LONG}{value.dtype} {value.shape}"


def _nested(value: np.ndarray) -> str:
    if value.ndim == 0:
        return number(value)
    return "[" + ", ".join(_nested(v) for v in value) + "]"


def _describe_keys(value: Any) -> str:
    import jax

    data = np.asarray(jax.random.key_data(value))
    if data.ndim > 1 and 0 < len(data) <= MOST_KEYS and data.size <= 2 * MOST_KEYS:
        return f"jax.random.wrap_key_data(jnp.uint32({_nested(data)}))"
    if data.shape != (2,):
        return f"keys of shape {tuple(value.shape)}"
    high, low = (int(word) for word in data)
    return f"key({low})" if high == 0 else f"a key with data [{high}, {low}]"
