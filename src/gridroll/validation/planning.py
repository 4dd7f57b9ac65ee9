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
def optimal(**given: Any) -> dict[str, Any]:
    """The arguments of `planning.optimal`."""
    return {"world": world(given["world"]), "num_steps": size("num_steps", given["num_steps"])}
