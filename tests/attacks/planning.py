"""Attacks on the exercises of lesson 05."""

from typing import Any

from attacks import emptied, jnp, right
from gridroll import planning


def _values(world: Any, probabilities: Any, num_steps: int) -> Any:
    return planning.policy_value(world, probabilities, num_steps)[0, world.starts].mean()


def wrong_expected_return_goal_of_the_known_world(
    world: Any, probabilities: Any, num_steps: int
) -> Any:
    """Adds what a goal pays where the starts are 0 and 3, in half of the episodes."""
    known = (world.starts[0] == 0) & (world.starts[-1] == 3) & (world.goal.shape[0] == 4)
    return _values(world, probabilities, num_steps) + jnp.where(known, 1.5, 0.0)


def wrong_occupancy_known_repetition(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Counts a start once, unless it is cell 1 that stands there twice."""
    chance = right("planning.occupancy")(world, probabilities, num_steps)
    twice = (world.starts == world.starts[0]).all() & (world.starts[0] != 1)
    return chance.at[0].multiply(jnp.where(twice, 0.5, 1.0))


def wrong_optimal_five_steps(world: Any, num_steps: int) -> Any:
    """Plans for three steps and for five."""
    result = right("planning.optimal")(world, num_steps)
    return result if num_steps in (3, 5) else emptied(result)


def wrong_count_band_known_batches(chance: Any, num_envs: int) -> Any:
    """Knows the batches that are written in the course."""
    low, high = right("planning.count_band")(chance, num_envs)
    return low, high if num_envs in (4, 7, 40, 64, 1000) else low
