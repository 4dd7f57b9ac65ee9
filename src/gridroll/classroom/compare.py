"""An answer against what was expected: structure, then shape, then dtype, then values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridroll.classroom import forms
from gridroll.classroom.describe import number

RTOL, ATOL = 1e-4, 1e-5


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
    advice: str = ""  # what to do about a wrong structure, shape or dtype


def first_difference(
    got: Any, expected: Any, outputs: tuple[str, ...] = (), axes: tuple[str, ...] = ()
) -> Difference | None:
    """The first difference, or None: of values, the earliest along the first of `axes`, if any."""
    wrong = difference_in_form(got, expected, outputs)
    if wrong is not None:
        return wrong
    fields = leaves(expected, outputs)
    given = leaves(got, outputs, like=expected)
    masks = {name: differs(given[name], want) for name, want in fields.items()}
    wrong_fields = [name for name, mask in masks.items() if mask.any()]
    if not wrong_fields:
        return None
    ranks = [np.ndim(forms.numbers(want)) for want in fields.values()]

    def place(name: str) -> tuple[int, int]:
        mask = masks[name]
        timed = bool(axes) and mask.ndim == max(ranks) and mask.ndim > 0
        first = int(np.argwhere(mask)[0][0]) if timed else 10**9
        return first, wrong_fields.index(name)

    name = min(wrong_fields, key=place)
    index = tuple(int(i) for i in np.argwhere(masks[name])[0])
    return Difference(
        kind="value",
        field=name,
        where=name + _index(index, axes),
        got=number(forms.numbers(given[name])[index]),
        expected=number(forms.numbers(fields[name])[index]),
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
    parts = forms.parts(value, outputs)
    if parts is None:
        return {prefix: value}
    models = parts if like is None else forms.parts(like, outputs) or parts
    if isinstance(like, Mapping):
        parts = {name: parts[name] for name in models}
    found: dict[str, Any] = {}
    for (name, model), part in zip(models.items(), parts.values(), strict=True):
        path = f"{prefix}.{name}" if prefix else name
        found |= leaves(part, (), path, None if like is None else model)
    return found


def differs(got: Any, expected: Any) -> np.ndarray:
    """Where two arrays of one shape differ: floats beyond a tolerance, all else exactly."""
    a, b = forms.numbers(got), forms.numbers(expected)
    if b.dtype.kind == "f":
        a = a.astype(np.float64)
        return np.asarray(~np.isclose(a, b.astype(np.float64), RTOL, ATOL, equal_nan=True))
    return np.asarray(a != b)


def same(got: Any, expected: Any) -> bool:
    """Whether two results are equal in structure, shape, kind and values."""
    return first_difference(got, expected) is None


def _structure(
    got: Any, expected: Any, path: str, outputs: tuple[str, ...] = ()
) -> Difference | None:
    want = forms.parts(expected, outputs)
    have = forms.parts(got, outputs)
    if want is None:
        built_well = have is None and forms.is_array(got)
        return None if built_well else _built_wrongly(got, expected, path, outputs)
    named = not isinstance(expected, list | tuple) or hasattr(expected, "_fields")
    if isinstance(expected, Mapping) and have is not None and set(have) == set(want):
        have = {name: have[name] for name in want}
    elif isinstance(got, Mapping):
        return _built_wrongly(got, expected, path, outputs)
    if have is None or (named and tuple(have) != tuple(want)) or len(have) != len(want):
        return _built_wrongly(got, expected, path, outputs)
    for (name, part), wanted in zip(have.items(), want.values(), strict=True):
        wrong = _structure(part, wanted, f"{path}.{name}" if path else name)
        if wrong is not None:
            return wrong
    return None


def _built_wrongly(got: Any, expected: Any, path: str, outputs: tuple[str, ...]) -> Difference:
    return Difference(
        "structure",
        path,
        path or "the result",
        forms.kind(got),
        forms.kind(expected, outputs),
        advice=forms.structure_advice(got, expected, outputs),
    )


def _shape(got: Any, expected: Any, field: str) -> Difference | None:
    a, b = forms.shape_of(got), forms.shape_of(expected)
    if a == b:
        return None
    return Difference(
        "shape",
        field,
        field or "the result",
        f"shape {a}",
        f"shape {b}",
        advice=forms.shape_advice(a, b),
    )


def _dtype(got: Any, expected: Any, field: str) -> Difference | None:
    a, b = forms.dtype_of(got), forms.dtype_of(expected)
    if a == b:
        return None
    return Difference(
        "dtype",
        field,
        field or "the result",
        f"dtype {a}",
        f"dtype {b}",
        advice=forms.dtype_advice(a, b),
    )


def _index(index: tuple[int, ...], axes: tuple[str, ...]) -> str:
    if not index:
        return ""
    names = axes[len(axes) - len(index) :] if len(index) <= len(axes) else ()
    if names:
        return "[" + ", ".join(f"{n}={i}" for n, i in zip(names, index, strict=True)) + "]"
    return "[" + ", ".join(map(str, index)) + "]"
