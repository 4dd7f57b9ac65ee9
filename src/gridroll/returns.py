"""What a trajectory earned: returns-to-go, and one return and one length for each episode."""

import jax
import jax.numpy as jnp

from gridroll import validation
from gridroll.collector import Trajectory


@validation.returns_to_go
@jax.jit
def returns_to_go(reward: jax.Array, gamma: jax.Array | float = 1.0) -> jax.Array:
    """Sum the rewards from each transition on: G[t] = reward[t] + gamma * G[t + 1].

    Nothing is bootstrapped: after the last transition G is 0 (Sutton and Barto, 2nd edition,
    equation 3.9).

    Args:
        reward: (T, ...) float32, time first, 0 after the end of an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, ...) float32.

    Raises:
        TypeError, ValueError: rewards without a time axis, or a discount outside 0 to 1.
    """

    def accumulate(later: jax.Array, reward: jax.Array) -> tuple[jax.Array, jax.Array]:
        now = reward + gamma * later
        return now, now

    _, returns = jax.lax.scan(accumulate, jnp.zeros_like(reward[0]), reward, reverse=True)
    return returns


@validation.trajectory
def episode_return(trajectory: Trajectory) -> jax.Array:
    """The sum of the rewards of each environment's episode, (B,) float32."""
    earned = jnp.where(trajectory.active, trajectory.reward, 0.0)
    return earned.sum(axis=0)


@validation.trajectory
def episode_length(trajectory: Trajectory) -> jax.Array:
    """The number of transitions in each environment's episode, (B,) int32."""
    return trajectory.active.sum(axis=0, dtype=jnp.int32)
