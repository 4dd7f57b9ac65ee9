"""An answer against what was expected: structure, then shape, then dtype, then values."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridroll.classroom.describe import describe, is_key, number

RTOL, ATOL = 1e-4, 1e-5
KINDS = {"b": "boolean", "i": "integer", "u": "integer", "f": "floating-point"}


@dataclass(frozen=True)
class Difference:
    """The first place where two results differ."""

    kind: str  # "structure", "shape", "dtype" or "value"
    field: str  # "state.position", or "" where the result is one array
    where: str  # "state.position[t=2, b=1]"
    got: str
    expected: str
    mask: np.ndarray | None = None  # where the values of the field differ
    others: tuple[str, ...] = ()  # other fields that differ in value


def first_difference(
    got: Any, expected: Any, outputs: tuple[str, ...] = (), axes: tuple[str, ...] = ()
) -> Difference | None:
    """The first difference, or None. Of values, the earliest along the first axis is the first."""
    wrong = difference_in_form(got, expected, outputs)
    if wrong is not None:
        return wrong
    fields = leaves(expected, outputs)
    given = leaves(got, outputs, like=expected)
    masks = {name: differs(given[name], want) for name, want in fields.items()}
    wrong_fields = [name for name, mask in masks.items() if mask.any()]
    if not wrong_fields:
        return None
    ranks = [np.ndim(_numbers(want)) for want in fields.values()]

    def place(name: str) -> tuple[int, int]:
        mask = masks[name]
        timed = mask.ndim == max(ranks) and mask.ndim > 0
        first = int(np.argwhere(mask)[0][0]) if timed else 10**9
        return first, wrong_fields.index(name)

    name = min(wrong_fields, key=place)
    index = tuple(int(i) for i in np.argwhere(masks[name])[0])
    return Difference(
        kind="value",
        field=name,
        where=name + _index(index, axes),
        got=number(_numbers(given[name])[index]),
        expected=number(_numbers(fields[name])[index]),
        mask=masks[name],
        others=tuple(n for n in wrong_fields if n != name),
    )


def difference_in_form(got: Any, expected: Any, outputs: tuple[str, ...] = ()) -> Difference | None:
    """The first difference in structure, shape or dtype; `expected` may be shapes alone."""
    wrong = _structure(got, expected, "", outputs)
    if wrong is not None:
        return wrong
    given = leaves(got, outputs, like=expected)
    for test in (_shape, _dtype):
        for name, want in leaves(expected, outputs).items():
            wrong = test(given[name], want, name)
            if wrong is not None:
                return wrong
    return None


def leaves(
    value: Any, outputs: tuple[str, ...] = (), prefix: str = "", like: Any = None
) -> dict[str, Any]:
    """The arrays of a result by name: {"state.position": ..., "reward": ...}.

    With `like`, a result that is built the same, the names are those of that one.
    """
    parts = _parts(value, outputs)
    if parts is None:
        return {prefix: value}
    models = parts if like is None else _parts(like, outputs) or parts
    if isinstance(like, Mapping):
        parts = {name: parts[name] for name in models}
    found: dict[str, Any] = {}
    for (name, model), part in zip(models.items(), parts.values(), strict=True):
        path = f"{prefix}.{name}" if prefix else name
        found |= leaves(part, (), path, None if like is None else model)
    return found


def differs(got: Any, expected: Any) -> np.ndarray:
    """Where two arrays of one shape differ: floats beyond a tolerance, all else exactly."""
    a, b = _numbers(got), _numbers(expected)
    if b.dtype.kind == "f":
        a = a.astype(np.float64)
        return np.asarray(~np.isclose(a, b.astype(np.float64), RTOL, ATOL, equal_nan=True))
    return np.asarray(a != b)


def same(got: Any, expected: Any) -> bool:
    """Whether two results are equal in structure, shape, kind and values."""
    return first_difference(got, expected) is None


def _parts(value: Any, outputs: tuple[str, ...] = ()) -> dict[str, Any] | None:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        named = outputs if len(outputs) == len(value) else tuple(map(str, range(len(value))))
        return dict(zip(named, value, strict=True))
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return None


def _structure(
    got: Any, expected: Any, path: str, outputs: tuple[str, ...] = ()
) -> Difference | None:
    want = _parts(expected, outputs)
    have = _parts(got, outputs)
    place = path or "the result"
    if want is None:
        if have is None and _is_array(got):
            return None
        return Difference("structure", path, place, _kind(got), _kind(expected))
    named = not isinstance(expected, list | tuple) or hasattr(expected, "_fields")
    if isinstance(expected, Mapping) and have is not None and set(have) == set(want):
        have = {name: have[name] for name in want}
    elif isinstance(got, Mapping):
        return Difference("structure", path, place, _kind(got, have), _kind(expected, want))
    if have is None or (named and tuple(have) != tuple(want)) or len(have) != len(want):
        return Difference("structure", path, place, _kind(got, have), _kind(expected, want))
    for (name, part), wanted in zip(have.items(), want.values(), strict=True):
        wrong = _structure(part, wanted, f"{path}.{name}" if path else name)
        if wrong is not None:
            return wrong
    return None


def _shape(got: Any, expected: Any, field: str) -> Difference | None:
    a, b = _shape_of(got), _shape_of(expected)
    if a == b:
        return None
    return Difference("shape", field, field or "the result", f"shape {a}", f"shape {b}")


def _dtype(got: Any, expected: Any, field: str) -> Difference | None:
    a, b = _dtype_name(got), _dtype_name(expected)
    if a == b:
        return None
    return Difference("dtype", field, field or "the result", f"dtype {a}", f"dtype {b}")


def _is_array(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.generic | np.ndarray) or (
        hasattr(value, "dtype") and hasattr(value, "shape")
    )


def _numbers(value: Any) -> np.ndarray:
    """The numbers of an array; of keys, their data."""
    if is_key(value):
        import jax

        value = jax.random.key_data(value)
    return np.asarray(value)


def _shape_of(value: Any) -> tuple[int, ...]:
    shape: tuple[int, ...] = value.shape if hasattr(value, "shape") else _numbers(value).shape
    return shape


def _dtype_name(value: Any) -> str:
    """The dtype as JAX would hold it: NumPy's 64 bits count as 32."""
    name = str(value.dtype if hasattr(value, "dtype") else _numbers(value).dtype)
    return {"float64": "float32", "int64": "int32", "uint64": "uint32"}.get(name, name)


def _kind(value: Any, parts: dict[str, Any] | None = None) -> str:
    if value is None:
        return "nothing (None): is there a `return`?"
    if isinstance(value, list):
        return f"a list of {len(value)}: jnp.stack or jnp.array makes an array of it"
    if parts is None and _is_array(value):
        return f"one array of shape {_shape_of(value)}"
    if parts is not None and not hasattr(value, "_fields") and isinstance(value, list | tuple):
        return f"{type(value).__name__} of {len(parts)}"
    if parts is not None:
        return f"{type(value).__name__}({', '.join(parts)})"
    return f"{type(value).__name__}: {describe(value)}"


def _index(index: tuple[int, ...], axes: tuple[str, ...]) -> str:
    if not index:
        return ""
    names = axes[len(axes) - len(index) :] if len(index) <= len(axes) else ()
    if names:
        return "[" + ", ".join(f"{n}={i}" for n, i in zip(names, index, strict=True)) + "]"
    return "[" + ", ".join(map(str, index)) + "]"
