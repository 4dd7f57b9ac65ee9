"""Tabular policies: how an action is drawn, and how likely that action was."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from gridroll import validation
from gridroll.gridworld import Gridworld


@dataclass(frozen=True)
class Policy:
    """The functions of one kind of policy; its parameters theta stay with the caller.

    `sample` is for one environment; `log_prob` works element by element on arrays of one shape.
    """

    name: str
    sample: Callable[[jax.Array, jax.Array, jax.Array], jax.Array]  # theta, observation, key
    log_prob: Callable[[jax.Array, jax.Array, jax.Array], jax.Array]  # theta, observation, action
    probabilities: Callable[[jax.Array], jax.Array]  # theta -> (S, A) float32
    parameter_shape: Callable[[Gridworld], tuple[int, ...]]


@validation.policy_function(ndim=1, argument="key")
def bernoulli_sample(theta: jax.Array, observation: jax.Array, key: jax.Array) -> jax.Array:
    """Draw an action: 1 with probability sigmoid(theta[observation]), else 0.

    Args:
        theta: (S,) float32, a logit for each position.
        observation: () int32, the position.
        key: () typed key; it is used up here.

    Returns:
        The action, () int32.
    """
    return jax.random.bernoulli(key, jax.nn.sigmoid(theta[observation])).astype(jnp.int32)


@validation.policy_function(ndim=1, argument="action")
def bernoulli_log_prob(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The log-probability of an action, finite for every finite logit.

    log sigmoid(-x) is the log-probability of 0 because 1 - sigmoid(x) = sigmoid(-x).

    Args:
        theta: (S,) float32, a logit for each position.
        observation: int32, the position, of any shape.
        action: int32, 0 or 1, of the same shape. Inside jit it is clipped.

    Returns:
        float32 of the same shape, at most 0.
    """
    logit = theta[observation]
    action = jnp.clip(action, 0, 1)
    return jnp.where(action == 1, jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit))


@validation.policy_function(ndim=1)
def bernoulli_probabilities(theta: jax.Array) -> jax.Array:
    """The table of probabilities, (S, 2) float32, for logits theta (S,)."""
    return jnp.stack([jax.nn.sigmoid(-theta), jax.nn.sigmoid(theta)], axis=1)


def bernoulli_parameter_shape(world: Gridworld) -> tuple[int, ...]:
    """(S,), for a world with two actions; any other world is a ValueError."""
    num_positions, num_actions = world.next_position.shape[-2:]
    if num_actions != 2:
        raise ValueError(
            f"the bernoulli policy has two actions and this world has {num_actions}; "
            "softmax fits any number of actions"
        )
    return (num_positions,)


@validation.policy_function(ndim=2, argument="key")
def softmax_sample(theta: jax.Array, observation: jax.Array, key: jax.Array) -> jax.Array:
    """Draw an action with probabilities softmax(theta[observation]).

    Args:
        theta: (S, A) float32, a logit for each position and action.
        observation: () int32, the position.
        key: () typed key; it is used up here.

    Returns:
        The action, () int32.
    """
    return jax.random.categorical(key, theta[observation]).astype(jnp.int32)


@validation.policy_function(ndim=2, argument="action")
def softmax_log_prob(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The log-probability of an action, finite for all finite logits.

    Args:
        theta: (S, A) float32, a logit for each position and action.
        observation: int32, the position, of any shape.
        action: int32 in 0..A-1, of the same shape. Inside jit it is clipped.

    Returns:
        float32 of the same shape, at most 0.
    """
    log_probs = jax.nn.log_softmax(theta[observation], axis=-1)
    action = jnp.clip(action, 0, theta.shape[1] - 1)
    return jnp.take_along_axis(log_probs, action[..., None], axis=-1)[..., 0]


@validation.policy_function(ndim=2)
def softmax_probabilities(theta: jax.Array) -> jax.Array:
    """The table of probabilities, (S, A) float32, for logits theta (S, A)."""
    return jax.nn.softmax(theta, axis=-1)


def softmax_parameter_shape(world: Gridworld) -> tuple[int, ...]:
    """(S, A), for any world."""
    num_positions, num_actions = world.next_position.shape[-2:]
    return (num_positions, num_actions)


bernoulli = Policy(
    name="bernoulli",
    sample=bernoulli_sample,
    log_prob=bernoulli_log_prob,
    probabilities=bernoulli_probabilities,
    parameter_shape=bernoulli_parameter_shape,
)
softmax = Policy(
    name="softmax",
    sample=softmax_sample,
    log_prob=softmax_log_prob,
    probabilities=softmax_probabilities,
    parameter_shape=softmax_parameter_shape,
)
