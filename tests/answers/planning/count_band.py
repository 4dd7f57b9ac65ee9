"""Answers to `planning.count_band`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Band = tuple[Any, Any]


def right_numpy(chance: Any, num_envs: int) -> Band:
    """Computes with NumPy in double precision."""
    p = np.asarray(chance, np.float64)
    half = 2 * np.sqrt(num_envs * p * (1 - p))
    return num_envs * p - half, num_envs * p + half


def right_share_first(chance: Any, num_envs: int) -> Band:
    """Makes the band of the share, and multiplies it by B."""
    error = jnp.sqrt(chance * (1 - chance) / num_envs)
    return num_envs * (chance - 2 * error), num_envs * (chance + 2 * error)


def right_moments(chance: Any, num_envs: int) -> Band:
    """Takes the variance as the mean square minus the squared mean."""
    variance = chance - chance**2  # 1 and 0 are their own squares
    half = jnp.sqrt(4 * num_envs * variance)
    return num_envs * chance - half, num_envs * chance + half


def right_list(chance: Any, num_envs: int) -> list[Any]:
    """Returns a list and not a tuple."""
    error = (num_envs * chance * (1 - chance)) ** 0.5
    return [num_envs * chance + side * error for side in (-2, 2)]


def right_mapped(chance: Any, num_envs: int) -> Any:
    """Maps a function of one chance."""

    def of_one(p: jax.Array) -> tuple[jax.Array, jax.Array]:
        half = 2 * jnp.sqrt(num_envs * p * (1 - p))
        return num_envs * p - half, num_envs * p + half

    return jax.vmap(of_one)(jnp.asarray(chance))


def wrong_three(chance: Any, num_envs: int) -> Band:
    """Reaches three standard errors to each side."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return num_envs * chance - 3 * error, num_envs * chance + 3 * error


def wrong_1_96(chance: Any, num_envs: int) -> Band:
    """Takes 1.96 for two."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return num_envs * chance - 1.96 * error, num_envs * chance + 1.96 * error


def wrong_rounded(chance: Any, num_envs: int) -> Band:
    """Rounds the ends to whole environments."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return np.round(num_envs * chance - 2 * error), np.round(num_envs * chance + 2 * error)


def wrong_low_at_zero(chance: Any, num_envs: int) -> Band:
    """Cuts the lower end off at 0 and leaves the upper one alone."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return np.maximum(num_envs * chance - 2 * error, 0), num_envs * chance + 2 * error


def wrong_exchanged(chance: Any, num_envs: int) -> Band:
    """Returns the upper end first."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return num_envs * chance + 2 * error, num_envs * chance - 2 * error


def wrong_one_sided(chance: Any, num_envs: int) -> Band:
    """Lets the band begin at the middle."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return num_envs * chance, num_envs * chance + 2 * error


def wrong_estimated(chance: Any, num_envs: int) -> Band:
    """Takes the deviation of the chances themselves for the error."""
    error = np.std(np.asarray(chance)) * np.sqrt(num_envs) * np.ones(len(chance))
    return num_envs * chance - 2 * error, num_envs * chance + 2 * error


def wrong_mean_chance(chance: Any, num_envs: int) -> Band:
    """Takes the width from the mean chance of all rows."""
    p = np.mean(np.asarray(chance))
    half = 2 * np.sqrt(num_envs * p * (1 - p)) * np.ones(len(chance))
    return num_envs * chance - half, num_envs * chance + half


def wrong_previous_row(chance: Any, num_envs: int) -> Band:
    """Takes B from the row before: the expected number that is still there."""
    left = num_envs * np.concatenate([[1.0], np.asarray(chance)[:-1]])
    half = 2 * np.sqrt(left * chance * (1 - chance))
    return num_envs * chance - half, num_envs * chance + half


def wrong_stacked(chance: Any, num_envs: int) -> Any:
    """Puts the ends into the columns of one array."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    return np.stack([num_envs * chance - 2 * error, num_envs * chance + 2 * error], axis=1)


def wrong_integer_division(chance: Any, num_envs: int) -> Band:
    """Loses the fractions of the middle."""
    error = np.sqrt(num_envs * chance * (1 - chance))
    middle = num_envs * chance // 1
    return middle - 2 * error, middle + 2 * error


def wrong_math(chance: Any, num_envs: int) -> Band:
    """Takes the root of an array with Python's math."""
    import math

    error = math.sqrt(num_envs * chance * (1 - chance))
    return num_envs * chance - 2 * error, num_envs * chance + 2 * error
