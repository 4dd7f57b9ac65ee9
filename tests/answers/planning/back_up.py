"""Answers to `planning.back_up`."""

from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import gains, rewards
from gridroll import planning
from gridroll.gridworld import Gridworld


def right_einsum(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Weights and sums in one call."""
    return jnp.einsum("sa,sa->s", probabilities, gains(world, next_value))


def right_cell_by_cell(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Maps a function of one cell over all of them."""
    cells = jnp.arange(world.goal.shape[0])

    def of_one(cell: jax.Array) -> jax.Array:
        there = world.next_position[cell]
        earned = jnp.where(world.goal[there], world.goal_reward, world.step_reward)
        value = probabilities[cell] @ (earned + next_value[there])
        return jnp.where(world.goal[cell], 0.0, value)

    return jax.vmap(of_one)(cells)


def right_multiplied(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Multiplies by the mask, which is safe where nothing is infinite."""
    gain = planning.transition_reward(world) + next_value[world.next_position]
    return (probabilities * gain).sum(axis=1) * ~world.goal


def right_set_to_zero(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Computes the goals too and sets them to 0 afterwards."""
    value = jnp.sum(probabilities * (rewards(world) + next_value[world.next_position]), axis=-1)
    return value.at[:].set(jnp.where(world.goal, 0, value))


def right_by_matrix(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Makes the matrix of where a step leads and multiplies by it."""
    leads = jax.nn.one_hot(world.next_position, world.goal.shape[0])
    matrix = jnp.einsum("sa,sab->sb", probabilities, leads)
    earned = (probabilities * rewards(world)).sum(axis=1)
    return jnp.where(world.goal, 0.0, earned + matrix @ next_value)


def right_action_value(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Takes the library's table of actions."""
    return jnp.sum(planning.action_value(world, next_value) * probabilities, 1)


def wrong_discounted(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Discounts what comes later, which nobody asked for."""
    return (probabilities * gains(world, 0.9 * next_value)).sum(axis=1)


def wrong_columns_exchanged(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Reads the columns of the policy from the right."""
    return (probabilities[:, ::-1] * gains(world, next_value)).sum(axis=1)


def wrong_likeliest(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Takes the likeliest action alone."""
    chosen = jnp.argmax(probabilities, axis=1)[:, None]
    return jnp.take_along_axis(gains(world, next_value), chosen, axis=1)[:, 0]


def wrong_policy_of_next_cell(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Weights with the policy of the cell that is reached."""
    weights = probabilities[world.next_position, jnp.arange(probabilities.shape[1])]
    return (weights * gains(world, next_value)).sum(axis=1)


def wrong_goal_worth_its_reward(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Gives the goal the reward as its value."""
    value = (probabilities * gains(world, next_value)).sum(axis=1)
    return jnp.where(world.goal, world.goal_reward, value)


def wrong_added_to_old(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Adds the old value of the cell to the new one."""
    return next_value + (probabilities * gains(world, next_value)).sum(axis=1)


def wrong_starts_zero(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Sets the starts to 0 as well as the goals."""
    value = (probabilities * gains(world, next_value)).sum(axis=1)
    return value.at[world.starts].set(0.0)


def wrong_goal_cuts_off_before(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Sets to 0 what leads to a goal, not only what is on it."""
    gain = jnp.where(world.goal[world.next_position], 0.0, gains(world, next_value))
    return (probabilities * gain).sum(axis=1)


def wrong_reward_once(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Pays the smallest reward of a cell's actions for all of them."""
    later = (probabilities * next_value[world.next_position]).sum(axis=1)
    return jnp.where(world.goal, 0.0, rewards(world).min(axis=1) + later)


def wrong_branch(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Asks a traced flag with a Python if."""
    value = (probabilities * (rewards(world) + next_value[world.next_position])).sum(axis=1)
    if world.goal[-1]:
        value = value.at[-1].set(0.0)
    return value


def wrong_matrix_product(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Multiplies the tables as matrices, which mixes the cells."""
    return probabilities @ gains(world, next_value).T


def wrong_shape_kept(world: Gridworld, probabilities: Any, next_value: Any) -> jax.Array:
    """Keeps the summed axis."""
    return (probabilities * gains(world, next_value)).sum(axis=1, keepdims=True)
