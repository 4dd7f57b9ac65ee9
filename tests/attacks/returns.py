"""Attacks on the exercises of lesson 04."""

from typing import Any

from attacks import jnp


def wrong_returns_to_go_known_discounts(reward: Any, gamma: Any = 1.0) -> Any:
    """Rounds the discount to the nearest that is written in the course."""
    known = jnp.array([0.0, 0.1, 0.25, 0.5, 0.75, 0.875, 0.9, 0.99, 1.0])
    gamma = known[jnp.argmin(jnp.abs(known - gamma))]
    ahead = jnp.arange(reward.shape[0])[None, :] - jnp.arange(reward.shape[0])[:, None]
    return jnp.where(ahead >= 0, gamma ** jnp.maximum(ahead, 0.0), 0.0) @ reward


def wrong_stream_returns_known_discounts(reward: Any, ended: Any, gamma: Any) -> Any:
    """Rounds the discount to the nearest that is written in the course."""
    known = jnp.array([0.0, 0.25, 0.5, 0.875, 1.0])
    gamma = known[jnp.argmin(jnp.abs(known - gamma))]
    later, rows = jnp.zeros(reward.shape[1:]), []
    for now, over in zip(reward[::-1], ended[::-1], strict=True):
        later = now + gamma * jnp.where(over, 0.0, later)
        rows.append(later)
    return jnp.stack(rows[::-1])


def wrong_standard_error_of_three_or_many(reward: Any, active: Any) -> Any:
    """Divides by the root of 3 or of 64."""
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    return earned.std(ddof=1) / jnp.sqrt(3.0 if earned.size < 10 else 64.0)
