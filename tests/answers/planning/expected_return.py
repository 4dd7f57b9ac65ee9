"""Answers to `planning.expected_return`."""

from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import chances, rewards, values
from gridroll import planning
from gridroll.gridworld import Gridworld


def right_row_by_row(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Multiplies the occupancy by the mean rewards as a matrix by a vector, and adds the rows."""
    earned = jnp.einsum("sa,sa->s", probabilities, rewards(world))
    return jnp.sum(planning.occupancy(world, probabilities, num_steps) @ earned)


def right_einsum(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Sums over rows, cells and actions in one call."""
    chance = planning.occupancy(world, probabilities, num_steps)
    return jnp.einsum("ts,sa,sa->", chance, probabilities, planning.transition_reward(world))


def right_visits(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds the rows up first: how often each cell is visited."""
    visits = planning.occupancy(world, probabilities, num_steps).sum(axis=0)
    return visits @ (probabilities * planning.transition_reward(world)).sum(axis=1)


def right_events(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Counts the goals and the steps that reach none, and pays for each."""
    chance = planning.occupancy(world, probabilities, num_steps)
    arrives = (probabilities * world.goal[world.next_position]).sum(axis=1)
    goals = (chance * arrives).sum()
    return goals * world.goal_reward + (chance.sum() - goals) * world.step_reward


def right_by_hand(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Makes the occupancy in a loop of its own."""
    chance = chances(world, probabilities, num_steps)
    return jnp.sum(chance[:, :, None] * probabilities * rewards(world))


def right_action_by_action(world: Gridworld, probabilities: Any, num_steps: int) -> Any:
    """Adds the actions in Python."""
    chance = planning.occupancy(world, probabilities, num_steps).sum(axis=0)
    reward = planning.transition_reward(world)
    actions = range(probabilities.shape[1])
    return sum(jnp.vdot(chance, probabilities[:, a] * reward[:, a]) for a in actions)


def wrong_by_values(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the first way: the mean of row 0 over the starts."""
    return planning.policy_value(world, probabilities, num_steps)[0, world.starts].mean()


def wrong_own_values(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the first way with a recursion of its own."""
    return values(world, probabilities, num_steps)[0, world.starts].mean()


def wrong_one_backup(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the backup of zeros for the rewards, which pays nothing on goals."""
    earned = planning.back_up(world, probabilities, jnp.zeros(world.goal.shape))
    return (planning.occupancy(world, probabilities, num_steps) * earned).sum()


def wrong_mean_of_actions(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages the weighted rewards over the actions."""
    earned = (probabilities * planning.transition_reward(world)).mean(axis=1)
    return (planning.occupancy(world, probabilities, num_steps) * earned).sum()


def wrong_mean_at_the_end(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages over rows and cells."""
    earned = (probabilities * planning.transition_reward(world)).sum(axis=1)
    return (planning.occupancy(world, probabilities, num_steps) * earned).mean()


def wrong_discounted(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Discounts the rows with 0.9."""
    earned = (probabilities * rewards(world)).sum(axis=1)
    by_row = (chances(world, probabilities, num_steps) * earned).sum(axis=1)
    return by_row @ 0.9 ** jnp.arange(num_steps)


def wrong_best_start(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the start that is worth most."""
    return values(world, probabilities, num_steps)[0, world.starts].max()


def wrong_last_start(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the last start alone."""
    return values(world, probabilities, num_steps)[0, world.starts[-1]]


def wrong_all_rows_averaged(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages the values of the starts over all rows."""
    return values(world, probabilities, num_steps)[:, world.starts].mean()


def wrong_goals_alone(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Pays for goals and forgets what steps cost."""
    arrives = (probabilities * world.goal[world.next_position]).sum(axis=1)
    return (chances(world, probabilities, num_steps) * arrives).sum() * world.goal_reward


def wrong_every_step_costs(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Pays the step reward on the way to a goal too."""
    chance = chances(world, probabilities, num_steps)
    arrives = (probabilities * world.goal[world.next_position]).sum(axis=1)
    return (chance * arrives).sum() * world.goal_reward + chance.sum() * world.step_reward


def wrong_per_cell(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Gives what each cell contributes."""
    earned = (probabilities * rewards(world)).sum(axis=1)
    return (chances(world, probabilities, num_steps) * earned).sum(axis=0)


def wrong_per_environment(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Gives the value of each start."""
    return values(world, probabilities, num_steps)[0, world.starts]


def wrong_normalised(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Makes every row of the occupancy sum to 1."""
    chance = chances(world, probabilities, num_steps)
    chance = chance / jnp.maximum(chance.sum(axis=1, keepdims=True), 1e-9)
    return (chance * (probabilities * rewards(world)).sum(axis=1)).sum()


def wrong_last_row(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the last row alone."""
    earned = (probabilities * rewards(world)).sum(axis=1)
    return chances(world, probabilities, num_steps)[-1] @ earned


def wrong_occupancy_of_values(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Weights the values of the cells by how likely an episode is to start there, all rows."""
    return (shared(world) * values(world, probabilities, num_steps)).sum()


def shared(world: Gridworld) -> jax.Array:
    """The chance of each start."""
    return jnp.zeros(world.goal.shape).at[world.starts].add(1 / world.starts.shape[0])


def wrong_key_wanted(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Reads a field that the world doesn't have."""
    unknown: Any = world
    return values(world, probabilities, num_steps)[0, unknown.start].mean()
