"""Values brought to one canonical form: sizes, arrays and keys, or a clear error.

A traced value is known only when the compiled program runs, so it can't be checked; its shape and
its dtype always can.
"""

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

KINDS = {jnp.int32: (jnp.integer, "an integer"), jnp.bool_: (jnp.bool_, "a boolean")}


def is_traced(value: Any) -> bool:
    """Whether a value is only known when the compiled program runs."""
    return isinstance(value, jax.core.Tracer)


def size(name: str, value: Any, *, at_least: int = 1) -> int:
    """A Python int from a Python, NumPy or JAX integer scalar, at least `at_least`."""
    if is_traced(value):
        raise TypeError(
            f"{name} is traced by JAX, but it sets a shape, so it must be known when compiling: "
            f"pass it as a Python int (static_argnames={name!r} where you call jax.jit)"
        )
    if isinstance(value, bool | np.bool_) or getattr(value, "dtype", None) == jnp.bool_:
        raise TypeError(f"{name} is {value}, a boolean; it must be an integer >= {at_least}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; it must be an integer >= {at_least}") from None
    if number < at_least:
        raise ValueError(f"{name} is {number}; it must be an integer >= {at_least}")
    if number > np.iinfo(np.int32).max:
        raise ValueError(f"{name} is {number}; it must fit an int32")
    return number


def array(
    name: str,
    value: Any,
    dtype: Any,
    shape: tuple[int | None, ...] | None = None,
    limits: tuple[int, int] | None = None,
) -> jax.Array:
    """`value` as an array of this dtype; `None` in `shape` stands for any length.

    Integers are taken from any integer dtype, booleans only from booleans, floats from any real
    dtype. Integers outside `limits` are refused where they can be seen.
    """
    kind, word = KINDS.get(dtype, (None, "a real number"))
    given = _as_array(name, value)
    if kind is None:
        allowed = any(jnp.issubdtype(given.dtype, k) for k in (jnp.floating, jnp.integer))
    else:
        allowed = jnp.issubdtype(given.dtype, kind)
    if not allowed:
        came = shown(value) if given.dtype.kind in "OUS" else f"of dtype {given.dtype}"
        raise TypeError(f"{name} is {came}; it must be {word}, or an array of them")
    if shape is not None and not fits(given.shape, shape):
        raise ValueError(
            f"{name} has shape {given.shape}; it must have shape {pattern_text(shape)}"
        )
    if limits is not None and is_traced(given):
        if np.iinfo(given.dtype).max > np.iinfo(np.int32).max:
            # Before the cast: a large unsigned integer would come out of it negative.
            low, high = (np.asarray(limit, given.dtype) for limit in limits)
            given = jnp.clip(given, low, high)
    elif limits is not None:
        numbers = np.asarray(given)
        outside = (numbers < limits[0]) | (numbers > limits[1])
        if outside.any():
            came = numbers[outside].flat[0]
            raise ValueError(f"{name} is {came}; it must be one of {limits[0]} to {limits[1]}")
    return strong(given, dtype)


def strong(value: Any, dtype: Any) -> jax.Array:
    """A value as a strongly typed array of this dtype; the same one, where it is that already."""
    if isinstance(value, jax.Array) and value.dtype == dtype and not value.weak_type:
        return value
    if isinstance(value, np.ndarray):
        value = value.astype(dtype)  # a copy that JAX may keep, made without compiling a program
    return jnp.asarray(value, dtype=dtype)


def _as_array(name: str, value: Any) -> Any:
    """An array as wide as what was given, so that nothing is lost before it is checked."""
    if isinstance(value, jax.Array):
        return value
    try:
        return np.asarray(value)
    except jax.errors.TracerArrayConversionError:
        return jnp.asarray(value)
    except ValueError:
        raise TypeError(f"{name} is {shown(value)}; it must be one array of numbers") from None


def keys(name: str, value: Any, shape: tuple[int | None, ...] = ()) -> jax.Array:
    """A typed key, or an array of them of this shape."""
    wanted = "one typed key, as made by jax.random.key(seed)"
    if shape:
        wanted = f"typed keys of shape {pattern_text(shape)}, as made by jax.random.split"
    dtype = getattr(value, "dtype", None)
    if dtype is None or not jnp.issubdtype(dtype, jax.dtypes.prng_key):
        legacy = dtype == jnp.uint32 and getattr(value, "shape", ())[-1:] == (2,)
        came = "a legacy uint32 key (jax.random.PRNGKey)" if legacy else shown(value)
        raise TypeError(f"{name} is {came}; it must be {wanted}")
    if not fits(value.shape, shape):
        raise ValueError(f"{name} holds keys of shape {value.shape}; it must be {wanted}")
    return value


def fits(shape: tuple[int, ...], pattern: tuple[int | None, ...]) -> bool:
    """Whether a shape is of this pattern, in which None stands for any length."""
    return len(shape) == len(pattern) and all(
        p in (None, s) for s, p in zip(shape, pattern, strict=True)
    )


def pattern_text(pattern: tuple[int | None, ...]) -> str:
    """A pattern of a shape in words."""
    if not pattern:
        return "()"
    names = [str(p) if p is not None else "any" for p in pattern]
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def shown(value: Any) -> str:
    """A value and its type, in one short line."""
    text = repr(value).replace("\n", " ")
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
