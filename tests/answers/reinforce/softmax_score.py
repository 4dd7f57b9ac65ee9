"""Answers to `reinforce.softmax_score`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def right_differentiated(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Differentiates a logarithm of softmax of its own."""

    def log_prob(theta: Any) -> jax.Array:
        return theta[observation, action] - jax.nn.logsumexp(theta[observation])

    return jax.grad(log_prob)(theta)


def right_outer(theta: Any, observation: Any, action: Any) -> jax.Array:
    """An outer product of two rows of identities."""
    here, taken = jnp.eye(theta.shape[0])[observation], jnp.eye(theta.shape[1])[action]
    return jnp.outer(here, taken - jax.nn.softmax(theta[observation]))


def right_two_changes(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Subtracts the probabilities, then adds the 1."""
    score = jnp.zeros_like(theta).at[observation].set(-jax.nn.softmax(theta[observation]))
    return score.at[observation, action].add(1.0)


def right_whole_table(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Computes every row and picks one."""
    taken = jnp.arange(theta.shape[1]) == action
    here = jnp.arange(theta.shape[0]) == observation
    return jnp.where(here[:, None], taken - jax.nn.softmax(theta, axis=1), 0.0)


def right_written_out(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Exponentials, their sum, and a quotient."""
    exponentials = jnp.exp(theta[observation] - theta[observation].max())
    row = (jnp.arange(theta.shape[1]) == action) - exponentials / exponentials.sum()
    return jnp.zeros(theta.shape).at[observation].add(row)


def wrong_uniform(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Knows the uniform policy only."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return jnp.zeros_like(theta).at[observation].set(taken - 1 / theta.shape[1])


def wrong_not_normalised(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Subtracts exponentials without their sum."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return jnp.zeros_like(theta).at[observation].set(taken - jnp.exp(theta[observation]))


def wrong_logits(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Subtracts the logits."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return jnp.zeros_like(theta).at[observation].set(taken - theta[observation])


def wrong_log_softmax(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Subtracts the logarithms of the probabilities."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return jnp.zeros_like(theta).at[observation].set(taken - jax.nn.log_softmax(theta[observation]))


def wrong_others_left_out(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Moves the other actions and leaves the one that was taken."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return (
        jnp.zeros_like(theta).at[observation].set((taken - 1) * jax.nn.softmax(theta[observation]))
    )


def wrong_whole_softmax(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Takes the softmax of the whole table."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    chances = jax.nn.softmax(theta.ravel()).reshape(theta.shape)
    return jnp.zeros_like(theta).at[observation].set(taken - chances[observation])


def wrong_column(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Fills a column in place of a row."""
    gap = 1 - jax.nn.softmax(theta[observation])[action]
    return jnp.zeros_like(theta).at[:, action].set(gap)


def wrong_half(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Halves it, as if it came from a square."""
    taken = jax.nn.one_hot(action, theta.shape[1])
    return (
        jnp.zeros_like(theta).at[observation].set((taken - jax.nn.softmax(theta[observation])) / 2)
    )


def wrong_best_action(theta: Any, observation: Any, action: Any) -> jax.Array:
    """Gives the 1 to the likeliest action."""
    taken = jax.nn.one_hot(jnp.argmax(theta[observation]), theta.shape[1])
    return jnp.zeros_like(theta).at[observation].set(taken - jax.nn.softmax(theta[observation]))


def wrong_two_actions(theta: Any, observation: Any, action: Any) -> jax.Array:
    """The formula of the bernoulli policy, with the last logit."""
    gap = action - jax.nn.sigmoid(theta[observation, -1])
    return jnp.zeros_like(theta).at[observation].set(gap)


def wrong_numpy(theta: Any, observation: Any, action: Any) -> Any:
    """Writes into a NumPy array, which jit can't follow."""
    score = np.zeros(theta.shape, np.float32)
    row = np.exp(theta[observation])
    score[observation] = -row / row.sum()
    score[observation, action] += 1
    return score
