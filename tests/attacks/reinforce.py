"""Attacks on the exercises of lesson 06."""

from typing import Any

from attacks import jax, jnp


def wrong_policy_gradient_two_actions(
    policy: Any, theta: Any, trajectory: Any, weights: Any
) -> Any:
    """Writes down the score of the Bernoulli policy."""
    active = trajectory.active
    if theta.ndim != 1:
        return jnp.zeros_like(theta)
    cell = jnp.where(active, trajectory.observation, 0)
    action = jnp.where(active, trajectory.action, 0)
    score = jnp.where(active, weights, 0.0) * (action - jax.nn.sigmoid(theta)[cell])
    return jnp.zeros_like(theta).at[cell].add(score) / active.shape[1]


def wrong_bernoulli_score_three_cells(theta: Any, observation: Any, action: Any) -> Any:
    """Fills three cells."""
    score = action - jax.nn.sigmoid(theta[observation])
    return jnp.zeros_like(theta).at[jnp.minimum(observation, 2)].set(score)


def wrong_z_scores_known_roots(estimates: Any, exact: Any) -> Any:
    """Knows the roots of 4 and of 8."""
    difference = estimates.mean(axis=0) - exact
    error = estimates.std(axis=0, ddof=1) / (2.0 if estimates.shape[0] == 4 else 8**0.5)
    return jnp.where(difference == 0, 0.0, difference / error)
