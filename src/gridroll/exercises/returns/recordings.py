"""Small recordings whose episodes have given lengths, for the cases of this lesson."""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np

from gridroll.collector import Trajectory
from gridroll.exercises._shared import array, floats, integers

PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73])


def primes(num_steps: int, num_envs: int) -> np.ndarray:
    """Distinct rewards, (T, B), none of them 1."""
    return np.resize(PRIMES, (num_steps, num_envs)).astype(float)


def active_mask(lengths: Sequence[int], num_steps: int) -> np.ndarray:
    """(T, B) bool: True on the first `lengths[b]` rows of column b."""
    return np.arange(num_steps)[:, None] < np.array(lengths)


def ending_mask(lengths: Sequence[int], num_steps: int, which: Sequence[bool]) -> np.ndarray:
    """(T, B) bool: True on the last row of each episode b of which `which[b]` holds."""
    last = np.arange(num_steps)[:, None] == np.array(lengths) - 1
    return last & np.array(which)


def trajectory(
    lengths: Sequence[int], endings: Sequence[str], num_steps: int, rewards: np.ndarray
) -> Trajectory:
    """A record of episodes that end by "goal" or "limit", or go on beyond the last row ("none")."""
    active = active_mask(lengths, num_steps)
    row = np.arange(num_steps)[:, None] + np.zeros(len(lengths), int)
    return Trajectory(
        observation=integers(np.zeros(active.shape)),
        action=integers(row % 2),
        reward=floats(np.where(active, rewards, 0)),
        active=array(active, jnp.bool_),
        terminated=array(
            ending_mask(lengths, num_steps, [e == "goal" for e in endings]), jnp.bool_
        ),
        truncated=array(
            ending_mask(lengths, num_steps, [e == "limit" for e in endings]), jnp.bool_
        ),
        log_prob=floats(np.where(active, -0.7, 0)),
    )


def drawn_lengths(
    rng: np.random.Generator, num_envs: int, num_steps: int
) -> tuple[list[int], list[str]]:
    """Lengths of 1 to T, and how each ends; only an episode of length T may not have ended."""
    lengths = [int(n) for n in rng.integers(1, num_steps + 1, num_envs)]
    ways = [("goal", "limit", "none") if n == num_steps else ("goal", "limit") for n in lengths]
    return lengths, [str(rng.choice(way)) for way in ways]
