"""What a result is built of, in words, and what to do where that is wrong."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from gridroll.classroom.describe import describe, is_key, number

MOST_FIELDS = 7  # of a record whose making is spelt out

# (what came, what is wanted) -> what usually did it, and what to write.
DTYPES = {
    ("float32", "int32"): "A float came in: a division, a constant such as 1.0, or the result of "
    "jnp.zeros, jnp.ones or jnp.linspace without a dtype. Compute with whole numbers, or cast "
    "with `.astype(jnp.int32)`.",
    ("bool", "int32"): "True and False are no numbers here: `.astype(jnp.int32)` makes 1 and 0 of "
    "them.",
    ("int32", "float32"): "Only whole numbers were combined. Write a constant such as 0 as 0.0, "
    "or cast with `.astype(jnp.float32)`.",
    ("bool", "float32"): "True and False are no numbers here: `.astype(jnp.float32)` makes 1.0 "
    "and 0.0 of them.",
    ("int32", "bool"): "A flag is True or False: a comparison makes one, `&`, `|` and `~` combine "
    "them; products, sums and 0 or 1 are whole numbers.",
    ("float32", "bool"): "A flag is True or False: a comparison makes one, `&`, `|` and `~` "
    "combine them; products, sums and 0.0 or 1.0 are numbers.",
}


def parts(value: Any, outputs: tuple[str, ...] = ()) -> dict[str, Any] | None:
    """What a result holds, by name; None for what is not made of parts."""
    if is_record(value) and hasattr(value, "_fields"):
        return dict(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        named = outputs if len(outputs) == len(value) else tuple(map(str, range(len(value))))
        return dict(zip(named, value, strict=True))
    if isinstance(value, Mapping):
        return {str(k): v for k, v in value.items()}
    if is_record(value):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    return None


def is_record(value: Any) -> bool:
    """Whether a value has named fields: a named tuple or a dataclass."""
    if isinstance(value, type):
        return False
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return named or dataclasses.is_dataclass(value)


def _has_values(value: Any) -> bool:
    """Whether an array is more than a shape and a dtype."""
    return not hasattr(value, "shape") or hasattr(value, "__array__")


def is_array(value: Any) -> bool:
    """Whether a value is an array or one number."""
    return isinstance(value, bool | int | float | np.generic | np.ndarray) or (
        hasattr(value, "dtype") and isinstance(getattr(value, "shape", None), tuple)
    )


def has_numbers(value: Any) -> bool:
    """Whether what counts as an array holds entries: a shape and a dtype alone don't."""
    import jax

    plain = bool | int | float | np.generic | np.ndarray | jax.Array
    return isinstance(value, plain) or hasattr(value, "__array__")


def numbers(value: Any) -> np.ndarray:
    """The numbers of an array; of keys, their data."""
    if is_key(value):
        import jax

        value = jax.random.key_data(value)
    return np.asarray(value)


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array or of one number."""
    shape: tuple[int, ...] = value.shape if hasattr(value, "shape") else numbers(value).shape
    return shape


def dtype_of(value: Any) -> str:
    """The dtype as JAX would hold it: NumPy's 64 bits count as 32."""
    name = str(value.dtype if hasattr(value, "dtype") else numbers(value).dtype)
    return {"float64": "float32", "int64": "int32", "uint64": "uint32"}.get(name, name)


def kind(value: Any, outputs: tuple[str, ...] = ()) -> str:
    """What a result is: `one array of shape (4,)`, `a tuple of 2: count, total`."""
    held = parts(value, outputs)
    if value is None or value is ...:
        return "nothing (None)" if value is None else "..."
    if is_record(value) and held is not None:
        return f"{type(value).__name__}({', '.join(held)})"
    if isinstance(value, list | tuple) and held is not None:
        names = f": {', '.join(held)}" if outputs and tuple(held) == outputs else ""
        return f"a {type(value).__name__} of {len(held)}{names}"
    if isinstance(value, Mapping):
        return f"a dict with the keys {', '.join(held or {})}"
    if is_array(value):
        one, many = ("key", "keys") if is_key(value) else ("number", "one array")
        shape = shape_of(value)
        return f"{many} of shape {shape}" if shape else f"one {one}, of shape ()"
    text = describe(value)
    return f"{type(value).__name__}: {text}" if " at 0x" not in text else type(value).__name__


def structure_advice(got: Any, expected: Any, outputs: tuple[str, ...] = ()) -> str:
    """What to do about a result that is built of other parts; "" where nothing is known."""
    want, have = parts(expected, outputs), parts(got)
    if got is None:
        return (
            "Python returns None where a function ends without a `return`, or with a `return` "
            "that stands alone. Every way through it has to end with `return` and the result."
        )
    if got is ...:
        return "A `...` of the scaffold is still there: write the value in its place."
    if callable(got) and not is_array(got):
        return f"{describe(got)} was not called: write parentheses with its arguments behind it."
    if hasattr(got, "__next__"):
        return "A `yield` makes a generator of the function: write `return` in its place."
    if isinstance(got, str):
        return "A text came: return the value itself, without quotes."
    if isinstance(got, set):
        return "Braces without a colon make a set, which has no order: use (...) or a record."
    if want is None:
        return _one_array_advice(got)
    if is_record(expected):
        return _record_advice(got, expected, want)
    if have is not None and isinstance(got, list | tuple) and not is_record(got):
        return (
            f"{len(have)} {'value' if len(have) == 1 else 'values'} came and {len(want)} are "
            f"wanted, in this order{_order(outputs)}"
        )
    if isinstance(expected, list | tuple):
        return f"Return {len(want)} values with commas between them, in this order{_order(outputs)}"
    return ""


def _order(outputs: tuple[str, ...]) -> str:
    names = ", ".join(outputs)
    return f": {names}." if names else "."


def _one_array_advice(got: Any) -> str:
    if isinstance(got, list):
        return "`jnp.stack` or `jnp.array` makes one array of a list."
    if isinstance(got, tuple) and len(got) == 1:
        return "A comma after one value makes a tuple of it: leave the comma out."
    if isinstance(got, Mapping):
        return "One array is wanted, not a dict: stack its values, in their order."
    if parts(got) is not None:
        return "One array is wanted: return that part alone."
    return ""


def _record_advice(got: Any, expected: Any, want: dict[str, Any]) -> str:
    """How to make the record that is wanted."""
    name = type(expected).__name__
    rule = f"A record is wanted, a {name} with its fields in their order"
    if len(want) > MOST_FIELDS:
        return f"{rule}."
    made = ", ".join(f"{field}=..." for field in want)
    if isinstance(got, Mapping):
        return f"{rule}, and a dict came: write `{name}({made})`."
    if isinstance(got, list | tuple) and not is_record(got) and len(got) == len(want):
        return f"{rule}. Your values have no names: write `{name}(...)` around them."
    return f"{rule}: `{name}({made})`."


def shape_advice(got: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """What usually makes the one shape of the other."""
    if len(got) == 2 and got == expected[::-1]:
        return "The two axes are exchanged: `.T` exchanges them back, or give `stack` another axis."
    if expected == () and got == (1,):
        return "An array with one entry is no single number: draw or index with shape (), not (1,)."
    if expected == ():
        return "One number is wanted, of shape (): is an index missing, or a sum?"
    if got == ():
        return "One number came, and an array is wanted: was everything summed, or one entry taken?"
    if int(np.prod(got)) == int(np.prod(expected)):
        return "The entries are as many as wanted, along other axes: was an `axis` left out?"
    return ""


def dtype_advice(got: str, expected: str) -> str:
    """What usually makes the one dtype of the other."""
    if expected not in ("int32", "float32"):
        return DTYPES.get((got, expected), "")
    cast = f"Cast it with `.astype(jnp.{expected})`, or make it so from the start."
    return DTYPES.get((got, expected), "" if got.startswith("key<") else cast)


def outline(value: Any) -> str:
    """A value in short: of what it is made, without its entries."""
    if is_array(value) and (shape_of(value) or not _has_values(value)):
        return f"{'keys' if is_key(value) else dtype_of(value)} {shape_of(value)}"
    if is_array(value) and not is_key(value):
        return number(value)
    held = parts(value)
    if held is None or isinstance(value, Mapping):
        return describe(value)
    name = type(value).__name__ if is_record(value) else ""
    shapes = {shape_of(part) if is_array(part) else () for part in held.values()}
    if name and len(shapes) == 1 and shapes != {()}:
        return f"{name}({', '.join(held)}: each of shape {shapes.pop()})"
    inner = [f"{n}={outline(v)}" if name else outline(v) for n, v in held.items()]
    return f"{name}({', '.join(inner)})"
