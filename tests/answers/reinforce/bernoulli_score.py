"""Answers to `reinforce.bernoulli_score`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def right_differentiated(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Differentiates a log-probability of its own, written for one action."""

    def log_prob(theta: Any) -> jax.Array:
        return jax.nn.log_sigmoid((2 * action - 1) * theta[observation])

    return jax.grad(log_prob)(theta)


def right_one_hot(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Multiplies with a row of the identity."""
    here = jnp.eye(len(theta))[observation]
    return here * (action - jax.nn.sigmoid(theta))


def right_where(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Two branches, and a comparison of positions."""
    probability = jax.nn.sigmoid(theta)
    slope = jnp.where(action == 1, 1 - probability, -probability)
    return jnp.where(jnp.arange(theta.shape[0]) == observation, slope, 0.0)


def right_by_quotient(theta: Any, observation: Any, action: Any) -> jax.Array:
    """The derivative of the probability over the probability."""
    right, left = jax.nn.sigmoid(theta), jax.nn.sigmoid(-theta)
    slope = jnp.where(action == 1, right * left / right, -right * left / left)
    return slope * jax.nn.one_hot(observation, theta.shape[0])


def right_added(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Adds two changes in place, the action first."""
    score = jnp.zeros(theta.shape).at[observation].add(jnp.float32(action))
    return score.at[observation].add(-jax.nn.sigmoid(theta[observation]))


def right_sigmoid_of_the_other(theta: Any, observation: Any, action: Any) -> jax.Array:
    """The chance of the other action, with a sign."""
    sign = 2 * action - 1
    other = jax.nn.sigmoid(-sign * theta[observation])
    return jnp.zeros_like(theta).at[observation].set(sign * other)


def wrong_half(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Knows the score of the uniform policy only."""
    return jnp.zeros_like(theta).at[observation].set(action - 0.5)


def wrong_logarithm_kept(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Gives the log-probability in place of its derivative."""
    value = jax.nn.log_sigmoid((2 * action - 1) * theta[observation])
    return jnp.zeros_like(theta).at[observation].set(value)


def wrong_absolute(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Takes the absolute value, and loses the sign."""
    gap = jnp.abs(action - jax.nn.sigmoid(theta[observation]))
    return jnp.zeros_like(theta).at[observation].set(gap)


def wrong_neighbour(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Puts it where the action leads."""
    there = jnp.clip(observation + 2 * action - 1, 0, len(theta) - 1)
    return jnp.zeros_like(theta).at[there].set(action - jax.nn.sigmoid(theta[observation]))


def wrong_ones_elsewhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Starts from ones in place of zeros."""
    return jnp.ones_like(theta).at[observation].set(action - jax.nn.sigmoid(theta[observation]))


def wrong_theta_elsewhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Writes the score into a copy of theta."""
    return theta.at[observation].set(action - jax.nn.sigmoid(theta[observation]))


def wrong_tanh(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Takes another squashing function."""
    return jnp.zeros_like(theta).at[observation].set(action - jnp.tanh(theta[observation]))


def wrong_squared(theta: Any, observation: Any, action: Any) -> jax.Array:
    """The derivative of a squared error."""
    probability = jax.nn.sigmoid(theta[observation])
    slope = (action - probability) * probability * (1 - probability)
    return jnp.zeros_like(theta).at[observation].set(slope)


def wrong_numpy(theta: Any, observation: Any, action: Any) -> Any:
    """Writes into a NumPy array, which jit can't follow."""
    score = np.zeros(theta.shape, np.float32)
    score[observation] = action - 1 / (1 + np.exp(-theta[observation]))
    return score


def wrong_python_branch(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Branches on the action in Python."""
    probability = jax.nn.sigmoid(theta[observation])
    slope = 1 - probability if action == 1 else -probability
    return jnp.zeros_like(theta).at[observation].set(slope)


def wrong_table(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Gives both actions a column."""
    probability = jax.nn.sigmoid(theta[observation])
    both = jnp.stack([-probability, 1 - probability])
    return jnp.zeros((len(theta), 2)).at[observation].set(both)
