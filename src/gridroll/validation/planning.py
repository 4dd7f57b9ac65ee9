"""What the functions of `planning` take: a world, a table of probabilities, a horizon."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.canonical import array, is_traced, size
from gridroll.validation.checked import checked
from gridroll.validation.gridworld import world


def action_probabilities(value: Any, checked_world: Any) -> jax.Array:
    """A table of action probabilities for this world; its numbers are checked if they are known."""
    shape = checked_world.next_position.shape
    table = array("probabilities", value, jnp.float32, shape)
    if is_traced(table):
        return table
    numbers = np.asarray(table, np.float64)
    negative = np.argwhere(~(numbers >= 0))  # NaN too
    if negative.size:
        cell, action = negative[0]
        raise ValueError(
            f"probabilities[{cell}, {action}] is {numbers[cell, action]:g}; "
            "a probability must be between 0 and 1"
        )
    total = numbers.sum(axis=1)
    unequal = np.flatnonzero(np.abs(total - 1) > 1e-5)
    if unequal.size:
        raise ValueError(
            f"row {unequal[0]} of probabilities sums to {total[unequal[0]]:g}; "
            "the actions of each cell must sum to 1"
        )
    return table


@checked
def policy_planning(**given: Any) -> dict[str, Any]:
    """The arguments of the functions of `planning` that take a policy's probabilities."""
    checked_world = world(given["world"])
    return {
        "world": checked_world,
        "probabilities": action_probabilities(given["probabilities"], checked_world),
        "num_steps": size("num_steps", given["num_steps"]),
    }


@checked
def back_up(**given: Any) -> dict[str, Any]:
    """The arguments of `planning.back_up`."""
    checked_world = world(given["world"])
    return {
        "world": checked_world,
        "probabilities": action_probabilities(given["probabilities"], checked_world),
        "next_value": array(
            "next_value", given["next_value"], jnp.float32, checked_world.goal.shape
        ),
    }


@checked
def count_band(**given: Any) -> dict[str, Any]:
    """The arguments of `planning.count_band`; a chance that rounding put beyond 1 is brought back.

    A sum of rounded chances may be a little above 1, and has no root of 1 - p then.
    """
    chance = array("chance", given["chance"], jnp.float32, (None,))
    if not is_traced(chance):
        numbers = np.asarray(chance, np.float64)
        outside = ~((numbers >= -1e-5) & (numbers <= 1 + 1e-5))  # NaN too
        if outside.any():
            raise ValueError(f"chance holds {numbers[outside][0]:g}; it must be between 0 and 1")
    return {
        "chance": jnp.clip(chance, 0.0, 1.0),
        "num_envs": size("num_envs", given["num_envs"]),
    }


@checked
def optimal(**given: Any) -> dict[str, Any]:
    """The arguments of `planning.optimal`."""
    return {"world": world(given["world"]), "num_steps": size("num_steps", given["num_steps"])}
