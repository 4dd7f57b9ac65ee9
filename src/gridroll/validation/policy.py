"""What the functions of a policy take, and which parameters fit a policy and a world."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.canonical import array, keys, shown
from gridroll.validation.checked import P, R, checked


def parameters(value: Any, policy: Any, checked_world: Any) -> jax.Array:
    """Parameters of the shape that this policy has in this world."""
    shape = policy.parameter_shape(checked_world)
    given = array("theta", value, jnp.float32)
    if given.shape != shape:
        raise ValueError(
            f"theta has shape {given.shape}; the {policy.name} policy in this world has "
            f"parameters of shape {shape}"
        )
    return given


def policy(value: Any) -> Any:
    """A policy record."""
    if not all(hasattr(value, name) for name in ("sample", "log_prob", "parameter_shape")):
        raise TypeError(
            f"policy is {shown(value)}; it must be a Policy, such as policy.bernoulli or "
            "policy.softmax"
        )
    return value


def policy_function(
    ndim: int, argument: str | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function of one policy, whose theta has `ndim` axes.

    `argument` is what comes after theta and observation: "key", "action", or nothing at all.
    """

    @checked
    def prepare(**given: Any) -> dict[str, Any]:
        theta = array("theta", given["theta"], jnp.float32, (None,) * ndim)
        if argument is None:
            return {"theta": theta}
        shape = () if argument == "key" else np.shape(given["observation"])
        limits = (0, theta.shape[0] - 1)
        observation = array("observation", given["observation"], jnp.int32, shape, limits)
        if argument == "key":
            return {"theta": theta, "observation": observation, "key": keys("key", given["key"])}
        most = theta.shape[1] - 1 if ndim == 2 else 1
        action = array("action", given["action"], jnp.int32, shape, (0, most))
        return {"theta": theta, "observation": observation, "action": action}

    return prepare
