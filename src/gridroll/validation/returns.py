"""What the functions of `returns` take: rewards, masks, discounts and trajectories."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll.canonical import array, is_traced, shown, size
from gridroll.validation.checked import P, R, checked


def discount(value: Any) -> jax.Array:
    """A discount between 0 and 1."""
    gamma = array("gamma", value, jnp.float32, ())
    if not is_traced(gamma) and not 0 <= float(gamma) <= 1:
        raise ValueError(f"gamma is {float(gamma):g}; it must be between 0 and 1")
    return gamma


@checked
def returns_to_go(**given: Any) -> dict[str, Any]:
    """The arguments of `returns.returns_to_go`."""
    rewards = array("reward", given["reward"], jnp.float32)
    if rewards.ndim == 0 or rewards.shape[0] == 0:
        raise ValueError(
            f"reward has shape {rewards.shape}; it must have shape (T, ...), time first, T >= 1"
        )
    return {"reward": rewards, "gamma": discount(given["gamma"])}


@checked
def discount_matrix(**given: Any) -> dict[str, Any]:
    """The arguments of `returns.discount_matrix`."""
    num_steps = size("num_steps", given["num_steps"])
    return {"num_steps": num_steps, "gamma": discount(given["gamma"])}


def masked(
    numbers: str, mask: str, ndim: int | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function of numbers and a mask of one shape, with `ndim` axes if given."""

    @checked
    def prepare(**given: Any) -> dict[str, Any]:
        value = array(numbers, given[numbers], jnp.float32)
        flags = array(mask, given[mask], jnp.bool_)
        if value.ndim == 0 or ndim not in (None, value.ndim):
            wanted = "at least one axis" if ndim is None else "shape (T, B)"
            raise ValueError(f"{numbers} has shape {value.shape}; it must have {wanted}")
        if value.shape != flags.shape:
            raise ValueError(
                f"{mask} has shape {flags.shape} and {numbers} {value.shape}; they must be the same"
            )
        return {numbers: value, mask: flags}

    return prepare


recording = masked("reward", "active", ndim=2)


@checked
def trajectory(**given: Any) -> dict[str, Any]:
    """The argument of the functions that sum up a trajectory."""
    value = given["trajectory"]
    if not all(hasattr(value, name) for name in ("reward", "active")):
        raise TypeError(f"trajectory is {shown(value)}; it must be a Trajectory")
    return {}
