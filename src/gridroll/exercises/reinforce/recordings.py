"""Small recordings with something to learn from, and with rubbish in the padding."""

from collections.abc import Sequence

import numpy as np

from gridroll.collector import Trajectory
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, integers
from gridroll.exercises.returns.recordings import (
    active_mask,
    drawn_lengths,
    primes,
    trajectory,
)

Size = tuple[int, int, int]  # T, B and S

SIZE: Size = (5, 3, 4)  # of the cases that students see
LENGTHS = (2, 5, 3)
ENDINGS = ("goal", "none", "limit")


def drawn_size(rng: np.random.Generator) -> Size:
    """The size of all fresh cases of a seed."""
    num_steps, num_envs, num_cells = _fresh.sizes(rng, *SIZE, least=3)
    return num_steps, num_envs, num_cells


def drawn_endings(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    """The lengths of the episodes of a fresh case, and how they end."""
    num_steps, num_envs, _ = drawn_size(rng)
    return drawn_lengths(rng, num_envs, num_steps)


def recording(
    rng: np.random.Generator,
    lengths: Sequence[int] = LENGTHS,
    endings: Sequence[str] = ENDINGS,
    num_actions: int = 2,
    rewards: np.ndarray | None = None,
    padding: float = 0.0,
    size: Size = SIZE,
) -> Trajectory:
    """A record in which cells and actions are drawn; `padding` stands after the end."""
    num_steps, _, num_cells = size
    shape = (num_steps, len(lengths))
    clean = trajectory(lengths, endings, num_steps, primes(*shape) if rewards is None else rewards)
    active = active_mask(lengths, num_steps)
    return clean._replace(
        observation=integers(rng.integers(0, num_cells - 1, shape)),
        action=integers(rng.integers(0, num_actions, shape)),
        reward=floats(np.where(active, clean.reward, padding)),
        log_prob=floats(np.where(active, -rng.integers(1, 8, shape) / 4, padding)),
    )


def weights(
    rng: np.random.Generator, lengths: Sequence[int], padding: float, num_steps: int
) -> np.ndarray:
    """(T, B) weights in quarters, none of them 0; `padding` stands after the end."""
    shape = (num_steps, len(lengths))
    drawn = rng.choice([-1, 1], shape) * rng.integers(1, 13, shape) / 4
    return np.where(active_mask(lengths, num_steps), drawn, padding)


def logits(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Logits of moderate size, none of them 0."""
    return np.asarray(rng.choice([-1, 1], shape) * rng.integers(1, 9, shape) / 4)
