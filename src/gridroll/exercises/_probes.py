"""What is judged of a student's function where its plain result isn't: each wraps the function.

When a class is graded, this module goes where the student's code runs. So it holds no reference and
no expected value, and imports no exercise.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import policy
from gridroll.classroom.calling import Stepwise
from gridroll.policy import Policy

__all__ = [
    "FINGERPRINT",
    "Stepwise",
    "compiled",
    "constant_in_theta",
    "fingerprint",
    "of_words",
    "sparing",
    "walls_apart",
    "with_slope",
    "with_slope_of_sums",
]

NUM_STARTS = 2048  # a reset among so many cells draws 11 bits

Function = Callable[..., Any]


def sparing(function: Function) -> Function:
    """The function, called as it is once for each shape, and then one operation at a time.

    Each direct call of `jax.lax.scan` compiles its body again. What scan itself refuses, such as a
    carry that changes its dtype, still shows on the first call of each shape. A function that is
    compiled already, such as one below `jax.jit`, is left alone.
    """
    if hasattr(getattr(function, "plain", function), "__wrapped__"):
        return function
    seen: set[Any] = set()
    stepwise = Stepwise(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        shapes = tuple(getattr(argument, "shape", ()) for argument in args)
        route = stepwise if shapes in seen else function
        seen.add(shapes)
        return route(*args, **kwargs)

    return call


def of_words(function: Function) -> Function:
    """The function, called with the two numbers inside each key, which a message can show."""

    def call(first: Any, second: Any) -> Any:
        return function(*(jax.random.wrap_key_data(jax.device_put(x)) for x in (first, second)))

    return call


def walls_apart(from_map: Function) -> Function:
    """Judge the table without the rows of walls: nobody is ever there."""

    def judged(text: str, horizon: int) -> Any:
        world = from_map(text, horizon)
        if not (hasattr(world, "next_position") and hasattr(world, "__dataclass_fields__")):
            return world
        table, wall = np.asarray(world.next_position), np.asarray(world.wall)
        if table.ndim != 2 or wall.shape != table.shape[:1]:
            return world
        here = np.arange(len(table), dtype=table.dtype)[:, None]
        return dataclasses.replace(world, next_position=np.where(wall[:, None], here, table))

    return judged


def with_slope(log_prob: Function) -> Function:
    """Judge a log-probability and its gradient with respect to theta."""

    def value_and_gradient(theta: jax.Array, observation: jax.Array, action: jax.Array) -> Any:
        value = log_prob(theta, observation, action)
        number = hasattr(value, "dtype") or isinstance(value, float)  # a float has no gradient
        if np.shape(value) != () or not number:
            return value, value
        gradient = jax.grad(lambda t: jnp.asarray(log_prob(t, observation, action)))(theta)
        # At exactly 0 a right formula that uses abs or minimum has no derivative.
        return value, jnp.where(theta == 0, 0.0, gradient)

    return value_and_gradient


def compiled(function: Function) -> Function:
    """The function as one program, also where it is called directly.

    JAX keeps the programs of a function for as long as it lives. A student who mends a helper and
    not the function itself would still be judged by the old one, so jit gets a function of its own.
    """
    return jax.jit(lambda *args, **kwargs: function(*args, **kwargs))


def with_slope_of_sums(surrogate: Function) -> Function:
    """Judge a number for each episode, and the gradient with respect to theta of a sum of them.

    In that sum each episode counts differently, and the weights move with theta. Called directly,
    each operation runs by itself: the compiler would make a choice out of a product with a mask.
    """
    stepwise = Stepwise(surrogate)

    @functools.partial(jax.jit, static_argnums=0)  # here, so that cases of one shape share it
    def slope(policy: Any, theta: Any, trajectory: Any, weights: Any) -> Any:
        def total(moved: jax.Array) -> jax.Array:
            moving = weights + (moved - jax.lax.stop_gradient(moved)).sum()
            values = jnp.asarray(surrogate(policy, moved, trajectory, moving))
            return (values * jnp.arange(1.0, weights.shape[1] + 1)).sum()

        return jax.grad(total)(theta)

    def value_and_gradient(policy: Any, theta: Any, trajectory: Any, weights: Any) -> Any:
        value = stepwise(policy, theta, trajectory, weights)
        if np.shape(value) != weights.shape[1:] or not hasattr(value, "dtype"):
            return value, value
        return value, slope(policy, theta, trajectory, weights)

    return value_and_gradient


def constant_in_theta(baseline: Function) -> Function:
    """Judge a number for each transition, and the gradient of their sum with respect to theta."""

    def value_and_gradient(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
        value = baseline(world, policy, theta, trajectory)
        if np.shape(value) != trajectory.reward.shape or not hasattr(value, "dtype"):
            return value, value
        gradient = jax.grad(lambda t: jnp.sum(baseline(world, policy, t, trajectory)))(theta)
        return value, gradient

    return value_and_gradient


def fingerprint(theta: Any, observation: Any, key: jax.Array) -> jax.Array:
    """20 bits mixed from the words of a key, then the 11 bits that a reset draws with that key."""
    words = jax.random.key_data(key).astype(jnp.uint32)
    mixed = words[0] * jnp.uint32(0x9E3779B1) ^ words[1] * jnp.uint32(0x85EBCA6B)
    mixed = (mixed ^ (mixed >> jnp.uint32(15))) * jnp.uint32(0xC2B2AE35)
    high = (mixed >> jnp.uint32(12)).astype(jnp.int32)
    start = jax.random.randint(key, (), 0, NUM_STARTS)
    return high * jnp.int32(NUM_STARTS) + start


def _no_log_prob(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    return jnp.zeros(jnp.shape(observation), jnp.float32)


# A policy whose action tells the key that drew it.
FINGERPRINT = Policy(
    name="fingerprint",
    sample=fingerprint,
    log_prob=_no_log_prob,
    probabilities=policy.bernoulli.probabilities,
    parameter_shape=policy.bernoulli.parameter_shape,
)
