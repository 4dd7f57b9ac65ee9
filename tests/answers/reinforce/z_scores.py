"""Answers to `reinforce.z_scores`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def right_ratio_of_sums(estimates: Any, exact: Any) -> jax.Array:
    """Differences first, then their mean over the error of that mean."""
    differences = estimates - exact
    count = differences.shape[0]
    error = jnp.std(differences, axis=0, ddof=1) / count**0.5
    mean = differences.mean(axis=0)
    return jnp.where(mean == 0, 0.0, mean / error)


def wrong_safe_division(estimates: Any, exact: Any) -> jax.Array:
    """Divides by 1 where the error is 0, so a stuck estimator looks harmless."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / jnp.sqrt(len(estimates))
    return difference / jnp.where(error == 0, 1.0, error)


def right_nan_to_num(estimates: Any, exact: Any) -> jax.Array:
    """Divides 0 by 0 and calls it 0 afterwards."""
    difference = estimates.mean(axis=0) - exact
    ratio = difference / (estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5)
    return jnp.nan_to_num(ratio, posinf=jnp.inf, neginf=-jnp.inf)


def right_three_cases(estimates: Any, exact: Any) -> jax.Array:
    """Says what happens without spread: 0 or infinity, with the sign of the difference."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / jnp.sqrt(estimates.shape[0])
    stuck = jnp.where(difference == 0, 0.0, jnp.sign(difference) * jnp.inf)
    return jnp.where(error > 0, difference / jnp.where(error > 0, error, 1.0), stuck)


def wrong_largest_float(estimates: Any, exact: Any) -> jax.Array:
    """Replaces infinity by the largest number, as nan_to_num does on its own."""
    difference = estimates.mean(axis=0) - exact
    return jnp.nan_to_num(difference / (estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5))


def wrong_stuck_by_hand(estimates: Any, exact: Any) -> jax.Array:
    """Asks whether the error is positive, not whether the mean is exact."""
    mean = estimates.mean(axis=0)
    squares = ((estimates - mean) ** 2).sum(axis=0)
    error = jnp.sqrt(squares / (len(estimates) - 1) / len(estimates))
    return jnp.where(error > 0, (mean - exact) / error, 0.0)


def right_by_hand(estimates: Any, exact: Any) -> jax.Array:
    """Writes the sum of squares out."""
    count = estimates.shape[0]
    mean = estimates.sum(axis=0) / count
    squares = ((estimates - mean) ** 2).sum(axis=0)
    error = jnp.sqrt(squares / (count - 1) / count)
    return jnp.where(mean == exact, 0.0, (mean - exact) / error)


def right_mapped(estimates: Any, exact: Any) -> jax.Array:
    """One component at a time, mapped over the others."""

    def z(column: Any, value: Any) -> jax.Array:
        error = jnp.sqrt(jnp.var(column, ddof=1) / column.size)
        return jnp.where(column.mean() == value, 0.0, (column.mean() - value) / error)

    flat = jax.vmap(z, in_axes=(1, 0))(estimates.reshape(len(estimates), -1), exact.ravel())
    return flat.reshape(exact.shape)


def wrong_median(estimates: Any, exact: Any) -> jax.Array:
    """Holds the median against the exact value."""
    difference = jnp.median(estimates, axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5
    return jnp.where(difference == 0, 0.0, difference / error)


def wrong_one_less_twice(estimates: Any, exact: Any) -> jax.Array:
    """N - 1 below the root too."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / (len(estimates) - 1) ** 0.5
    return jnp.where(difference == 0, 0.0, difference / error)


def wrong_around_exact(estimates: Any, exact: Any) -> jax.Array:
    """Takes the deviations from the exact value."""
    difference = estimates.mean(axis=0) - exact
    squares = ((estimates - exact) ** 2).sum(axis=0) / (len(estimates) - 1)
    error = jnp.sqrt(squares / len(estimates))
    return jnp.where(difference == 0, 0.0, difference / error)


def wrong_small_number(estimates: Any, exact: Any) -> jax.Array:
    """Adds a tenth below the line against a division by 0."""
    difference = estimates.mean(axis=0) - exact
    return difference / (estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5 + 0.1)


def wrong_last_axis(estimates: Any, exact: Any) -> jax.Array:
    """Averages over the last axis."""
    return (estimates.mean(axis=-1) - exact.mean()) / estimates.std(axis=-1, ddof=1)


def wrong_squared(estimates: Any, exact: Any) -> jax.Array:
    """Squares z, as a chi-squared test would."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5
    return jnp.where(difference == 0, 0.0, (difference / error) ** 2)


def wrong_verdict(estimates: Any, exact: Any) -> jax.Array:
    """Says whether it is below 4, not how large it is."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5
    return jnp.abs(difference) < 4 * error


def wrong_size_of_everything(estimates: Any, exact: Any) -> jax.Array:
    """Counts all numbers below the root."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / estimates.size**0.5
    return jnp.where(difference == 0, 0.0, difference / error)


def wrong_mean_absolute(estimates: Any, exact: Any) -> jax.Array:
    """Takes the mean distance for the deviation."""
    difference = estimates.mean(axis=0) - exact
    spread = jnp.abs(estimates - estimates.mean(axis=0)).mean(axis=0)
    return jnp.where(difference == 0, 0.0, difference / (spread / len(estimates) ** 0.5))


def wrong_one_where_exact(estimates: Any, exact: Any) -> jax.Array:
    """Gives 1 where nothing varies."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / len(estimates) ** 0.5
    return jnp.where(error == 0, 1.0, difference / error)


def wrong_largest(estimates: Any, exact: Any) -> jax.Array:
    """Gives the largest distance alone."""
    difference = np.asarray(estimates).mean(axis=0) - np.asarray(exact)
    return jnp.float32(np.abs(difference).max())
