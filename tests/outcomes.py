"""States by hand, and the outcome of a step as plain Python values."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll.gridworld import State


def state_of(position: Any, elapsed: Any = 0, done: Any = False) -> State:
    return State(jnp.int32(position), jnp.int32(elapsed), jnp.bool_(done))


def plain(outcome: Any) -> tuple[int, int, bool, float, bool, bool]:
    """Return position, elapsed, done, reward, terminated, truncated as Python values."""
    state, reward, terminated, truncated = outcome
    return (
        int(state.position),
        int(state.elapsed),
        bool(state.done),
        float(reward),
        bool(terminated),
        bool(truncated),
    )


def hand(
    position: int, elapsed: int, done: bool, reward: float, terminated: bool, truncated: bool
) -> tuple[int, int, bool, float, bool, bool]:
    """Return what `plain` gives, with the reward as the float32 that it must be."""
    return position, elapsed, done, float(np.float32(reward)), terminated, truncated
