"""Answers to `collector.bernoulli_log_prob`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll import policy

log_sigmoid = jax.nn.log_sigmoid


def of_action(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The logit of the action: the policy's for action 1, with its sign turned for action 0."""
    return (2 * action - 1) * theta[observation]


def right_softplus(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Goes through softplus: log σ(x) is minus softplus(−x)."""
    return -jax.nn.softplus(-of_action(theta, observation, action))


def right_logit_minus_softplus(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """The form of logistic regression, a·x − softplus(x)."""
    logit = theta[observation]
    return action * logit - jax.nn.softplus(logit)


def right_logaddexp(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Adds 1 and exp(−x) under the logarithm without forming either."""
    return -jnp.logaddexp(0.0, -of_action(theta, observation, action))


def right_two_class_softmax(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """Treats the two actions as classes with logits 0 and θ."""
    logits = jnp.stack([jnp.zeros(()), theta[observation]])
    return jax.nn.log_softmax(logits)[action]


def right_library_softmax(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Asks the course's other policy, with a table of two columns."""
    table = jnp.stack([jnp.zeros_like(theta), theta], axis=1)
    return policy.softmax.log_prob(table, observation, action)


def right_cond(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Chooses with lax.cond, which only looks like a Python branch."""
    logit = theta[observation]
    return jax.lax.cond(action == 1, log_sigmoid, lambda x: log_sigmoid(-x), logit)


def right_minimum_and_abs(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The stable form written out; abs has no derivative at a logit of exactly 0."""
    logit = of_action(theta, observation, action)
    return jnp.minimum(logit, 0) - jnp.log1p(jnp.exp(-jnp.abs(logit)))


def wrong_small_number_added(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """Adds 1e-8 before the logarithm, so nothing is below log 1e-8."""
    right = jax.nn.sigmoid(theta[observation])
    return jnp.log(jnp.where(action == 1, right, 1 - right) + 1e-8)


def wrong_clipped_below(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Calls nothing less likely than e⁻⁵⁰."""
    return jnp.maximum(log_sigmoid(of_action(theta, observation, action)), -50.0)


def wrong_logit_clipped(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Clips the logit where it is large, and the gradient vanishes there."""
    return log_sigmoid(jnp.clip(of_action(theta, observation, action), -100.0, 100.0))


def wrong_no_gradient(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Has the right value, and stops its gradient."""
    return jax.lax.stop_gradient(log_sigmoid(of_action(theta, observation, action)))


def wrong_nan_in_the_branch_not_taken(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """Chooses the form that is finite; the gradient goes through the other one too."""
    x = of_action(theta, observation, action)
    return jnp.where(x >= 0, -jnp.log1p(jnp.exp(-x)), x - jnp.log1p(jnp.exp(x)))


def wrong_gradient_everywhere(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """Has the right value and a gradient at every position."""
    total = theta.sum()
    nothing = total - jax.lax.stop_gradient(total)
    return log_sigmoid(of_action(theta, observation, action)) + nothing


def wrong_sign(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Returns a loss: minus the log-probability."""
    return -log_sigmoid(of_action(theta, observation, action))


def wrong_log_odds(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Subtracts the other action's log-probability, which gives the logit back."""
    x = of_action(theta, observation, action)
    return log_sigmoid(x) - log_sigmoid(-x)


def wrong_always_cell_zero(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    """Reads the logit of cell 0 wherever the walk is."""
    return log_sigmoid((2 * action - 1) * theta[0])


def wrong_every_cell(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Forgets the position and answers for all cells."""
    return log_sigmoid((2 * action - 1) * theta)


def wrong_python_branch(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """Branches in Python on a value that jit doesn't know."""
    if action == 1:
        return log_sigmoid(theta[observation])
    return log_sigmoid(-theta[observation])


def wrong_python_float(theta: jax.Array, observation: jax.Array, action: jax.Array) -> Any:
    """Turns the result into a Python number."""
    return float(log_sigmoid(of_action(theta, observation, action)))
