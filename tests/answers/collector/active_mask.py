"""Answers to `collector.active_mask`."""

from typing import Any

import jax
import jax.numpy as jnp


def until_the_end(ended: jax.Array) -> jax.Array:
    """The right mask of these endings, for answers that spoil it."""
    count = jnp.cumsum(ended, axis=0)
    return count - ended == 0


def right_scan(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Hands the flags of the running episodes down the rows."""

    def body(running: jax.Array, ended: jax.Array) -> tuple[jax.Array, jax.Array]:
        return running & ~ended, running

    return jax.lax.scan(body, jnp.ones(terminated.shape[1], bool), terminated | truncated)[1]


def right_column_by_column(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Scans one environment and maps that over the columns."""

    def column(ended: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda on, end: (on & ~end, on), jnp.bool_(True), ended)[1]

    return jax.vmap(column, in_axes=1, out_axes=1)(jnp.logical_or(terminated, truncated))


def right_product(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Multiplies "goes on" over time and pads with a row of ones."""
    goes_on = jnp.cumprod(~(terminated | truncated), axis=0)
    return jnp.pad(goes_on[:-1], ((1, 0), (0, 0)), constant_values=1).astype(bool)


def right_python_loop(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Writes the mask row by row in Python."""
    mask = jnp.ones_like(terminated)
    for t in range(1, terminated.shape[0]):
        mask = mask.at[t].set(mask[t - 1] & ~terminated[t - 1] & ~truncated[t - 1])
    return mask


def right_row_numbers(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Finds the row of the ending and compares row numbers with it."""
    ended = terminated | truncated
    last = jnp.where(ended.any(axis=0), ended.argmax(axis=0), ended.shape[0])
    return jnp.arange(ended.shape[0])[:, None] <= last


def right_exclusive_or(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Joins the events with ^, since they are never both True."""
    ended = terminated ^ truncated
    return jnp.roll(jnp.cumsum(ended, axis=0), 1, axis=0).at[0].set(0) == 0


def wrong_both_events(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Waits for both events at once, which never come, so nothing ends."""
    return until_the_end(terminated & truncated)


def wrong_wraps_around(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Shifts with roll, which brings the last row's endings to the top."""
    return jnp.cumsum(jnp.roll(terminated | truncated, 1, axis=0), axis=0) == 0


def wrong_shifted_by_two(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Counts one row of padding after the ending."""
    count = jnp.cumsum(terminated | truncated, axis=0)
    return jnp.pad(count[:-2], ((2, 0), (0, 0))) == 0


def wrong_cut_off_row_left_out(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Keeps the row that reaches a goal and drops the row that is cut off."""
    return until_the_end(terminated) & (jnp.cumsum(truncated, axis=0) == 0)


def wrong_one_ends_all(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Ends every episode where the first one ends."""
    ended = (terminated | truncated).any(axis=1, keepdims=True)
    return jnp.broadcast_to(until_the_end(ended), terminated.shape)


def wrong_endless_is_padding(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Takes an episode that never ends for padding from the first row on."""
    ended = terminated | truncated
    return until_the_end(ended) & ended.any(axis=0)


def wrong_endless_stops_at_once(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Lets argmax find an ending in a column without one: it gives 0 there."""
    ended = terminated | truncated
    return jnp.arange(ended.shape[0])[:, None] <= ended.argmax(axis=0)


def wrong_backwards(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Goes from the last row up."""
    return until_the_end((terminated | truncated)[::-1])[::-1]


def wrong_flattened(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Sums over the flattened array, so all environments share one count."""
    ended = (terminated | truncated).ravel()
    return until_the_end(ended).reshape(terminated.shape)


def wrong_last_row_always_off(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Switches the last row off, also where an episode ends there."""
    return until_the_end(terminated | truncated).at[-1].set(False)


def wrong_six_rows(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Never gives more than six rows."""
    return until_the_end(terminated | truncated)[:6]


def wrong_one_row_short(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Drops the last row instead of shifting."""
    return jnp.cumsum((terminated | truncated)[:-1], axis=0) == 0


def wrong_batch_major(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Exchanges the axes."""
    return until_the_end(terminated | truncated).T


def wrong_numbers(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Gives 0 and 1 as integers."""
    return until_the_end(terminated | truncated).astype(jnp.int32)


def wrong_python_or(terminated: jax.Array, truncated: jax.Array) -> Any:
    """Joins arrays with Python's `or`."""
    return until_the_end(terminated or truncated)
