"""Answers to `collector.running_sum`."""

from typing import Any

import jax
import jax.numpy as jnp


def right_cumsum(values: jax.Array) -> jax.Array:
    """One call of NumPy's own name for it, and no scan at all."""
    return jnp.cumsum(values)


def right_associative_scan(values: jax.Array) -> jax.Array:
    """Sums neighbours in a tree, so the rounding differs in the last bits."""
    return jax.lax.associative_scan(jnp.add, values)


def right_fori_loop(values: jax.Array) -> jax.Array:
    """Writes each total into an array that the loop carries."""

    def body(t: jax.Array, carry: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        total, sums = carry
        total = total + values[t]
        return total, sums.at[t].set(total)

    start = (jnp.float32(0), jnp.zeros_like(values))
    return jax.lax.fori_loop(0, values.shape[0], body, start)[1]


def right_python_loop(values: jax.Array) -> jax.Array:
    """Loops in Python and begins with a Python number."""
    total: Any = 0.0
    sums = []
    for value in values:
        total = total + value
        sums.append(total)
    return jnp.stack(sums)


def right_triangle(values: jax.Array) -> jax.Array:
    """A product with a triangle of ones."""
    return jnp.tri(values.shape[0]) @ values


def right_carry_in_a_dict(values: jax.Array) -> jax.Array:
    """Scans with a dict as carry and emits a tuple of one."""

    def body(carry: dict[str, jax.Array], value: jax.Array) -> Any:
        total = carry["total"] + value
        return {"total": total}, (total,)

    return jax.lax.scan(body, {"total": jnp.float32(0)}, values)[1][0]


def wrong_from_the_end(values: jax.Array) -> jax.Array:
    """Sums what is still to come instead of what was."""
    return jnp.cumsum(values[::-1])[::-1]


def wrong_first_value_twice(values: jax.Array) -> jax.Array:
    """Begins the carry with the first value, which the scan then adds again."""
    return jax.lax.scan(lambda total, value: (total + value,) * 2, values[0], values)[1]


def wrong_first_value_left_out(values: jax.Array) -> jax.Array:
    """Begins with the first value and scans the rest, so one sum too few comes back."""
    return jax.lax.scan(lambda total, value: (total + value,) * 2, values[0], values[1:])[1]


def wrong_never_below_zero(values: jax.Array) -> jax.Array:
    """Is right as long as no sum is negative."""
    return jnp.maximum(jnp.cumsum(values), 0)


def wrong_clipped(values: jax.Array) -> jax.Array:
    """Is right as long as no sum is beyond 100."""
    return jnp.clip(jnp.cumsum(values), -100, 100)


def wrong_in_half_precision(values: jax.Array) -> jax.Array:
    """Sums in 16 bits and gives the result the dtype that was asked for."""
    return jnp.cumsum(values.astype(jnp.bfloat16)).astype(jnp.float32)


def wrong_not_for_one_value(values: jax.Array) -> jax.Array:
    """Gives 0 where there is only one value."""
    sums = jnp.cumsum(values)
    return sums if values.shape[0] > 1 else 0 * sums


def wrong_the_example(values: jax.Array) -> jax.Array:
    """Returns the sums of the first case, whatever comes."""
    return jnp.array([2.0, 7.0, 18.0])


def wrong_both_results(values: jax.Array) -> Any:
    """Returns all that scan gives: the last carry too."""
    return jax.lax.scan(lambda total, value: (total + value,) * 2, jnp.float32(0), values)


def wrong_body_gives_one(values: jax.Array) -> jax.Array:
    """The body returns the total alone, and scan wants a pair."""

    def body(total: jax.Array, value: jax.Array) -> Any:
        return total + value

    return jax.lax.scan(body, jnp.float32(0), values)[1]


def wrong_no_return(values: jax.Array) -> None:
    """Computes the sums and forgets to return them."""
    jnp.cumsum(values)
