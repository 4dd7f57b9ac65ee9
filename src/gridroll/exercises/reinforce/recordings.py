"""Small recordings with something to learn from, and with rubbish in the padding."""

from collections.abc import Sequence

import numpy as np

from gridroll.collector import Trajectory
from gridroll.exercises._shared import floats, integers
from gridroll.exercises.returns.recordings import active_mask, primes, trajectory

NUM_STEPS, NUM_ENVS, NUM_CELLS = 5, 3, 4
LENGTHS = (2, 5, 3)
ENDINGS = ("goal", "none", "limit")


def recording(
    rng: np.random.Generator,
    lengths: Sequence[int] = LENGTHS,
    endings: Sequence[str] = ENDINGS,
    num_actions: int = 2,
    rewards: np.ndarray | None = None,
    padding: float = 0.0,
) -> Trajectory:
    """A record of 5 rows in which cells and actions are drawn; `padding` stands after the end."""
    shape = (NUM_STEPS, len(lengths))
    clean = trajectory(lengths, endings, NUM_STEPS, primes(*shape) if rewards is None else rewards)
    active = active_mask(lengths, NUM_STEPS)
    return clean._replace(
        observation=integers(rng.integers(0, NUM_CELLS - 1, shape)),
        action=integers(rng.integers(0, num_actions, shape)),
        reward=floats(np.where(active, clean.reward, padding)),
        log_prob=floats(np.where(active, -rng.integers(1, 8, shape) / 4, padding)),
    )


def weights(rng: np.random.Generator, lengths: Sequence[int], padding: float) -> np.ndarray:
    """(T, B) weights in quarters, none of them 0; `padding` stands after the end."""
    shape = (NUM_STEPS, len(lengths))
    drawn = rng.choice([-1, 1], shape) * rng.integers(1, 13, shape) / 4
    return np.where(active_mask(lengths, NUM_STEPS), drawn, padding)


def logits(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Logits of moderate size, none of them 0."""
    return np.asarray(rng.choice([-1, 1], shape) * rng.integers(1, 9, shape) / 4)
