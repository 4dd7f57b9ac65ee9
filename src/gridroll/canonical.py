"""Values brought to one canonical form: sizes, arrays and keys, or a clear error.

A traced value is known only when the compiled program runs, so it can't be checked; its shape and
its dtype always can.
"""

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

KINDS = {jnp.int32: (jnp.integer, "integers"), jnp.bool_: (jnp.bool_, "booleans")}


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
    name: str, value: Any, dtype: Any, shape: tuple[int | None, ...] | None = None
) -> jax.Array:
    """`value` as an array of this dtype; `None` in `shape` stands for any length.

    Integers are taken from any integer dtype, booleans only from booleans, floats from any real
    dtype.
    """
    try:
        given = jnp.asarray(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {shown(value)}; it must be an array of numbers") from None
    kind, word = KINDS.get(dtype, (None, "real numbers"))
    if kind is None:
        allowed = jnp.issubdtype(given.dtype, jnp.floating) or jnp.issubdtype(
            given.dtype, jnp.integer
        )
    else:
        allowed = jnp.issubdtype(given.dtype, kind)
    if not allowed:
        raise TypeError(f"{name} has dtype {given.dtype}; it must hold {word}")
    if shape is not None and not fits(given.shape, shape):
        raise ValueError(
            f"{name} has shape {given.shape}; it must have shape {pattern_text(shape)}"
        )
    return jnp.asarray(given, dtype=dtype)


def in_range(name: str, value: jax.Array, low: int, high: int) -> None:
    """Refuse integers outside low..high where they can be seen."""
    if is_traced(value):
        return
    outside = (np.asarray(value) < low) | (np.asarray(value) > high)
    if outside.any():
        raise ValueError(
            f"{name} is {np.asarray(value)[outside].flat[0]}; it must be one of {low} to {high}"
        )


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
    return len(shape) == len(pattern) and all(
        p in (None, s) for s, p in zip(shape, pattern, strict=True)
    )


def pattern_text(pattern: tuple[int | None, ...]) -> str:
    if not pattern:
        return "()"
    names = [str(p) if p is not None else "any" for p in pattern]
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def shown(value: Any) -> str:
    text = repr(value).replace("\n", " ")
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
