"""Answers to `planning.return_variance`."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import Row, chances, rewards, values
from gridroll import planning
from gridroll.gridworld import Gridworld


def squares(
    world: Gridworld,
    probabilities: Any,
    num_steps: int,
    square: Callable[[jax.Array, jax.Array, jax.Array], jax.Array] = lambda r, v, m: (
        r**2 + 2 * r * v + m
    ),
) -> Row:
    """The mean square of what is earned from each cell, from row 0 on."""
    value = planning.policy_value(world, probabilities, num_steps)
    later = jnp.zeros(world.goal.shape)
    for t in reversed(range(num_steps)):
        there = world.next_position
        now = (probabilities * square(rewards(world), value[t + 1][there], later[there])).sum(1)
        later = jnp.where(world.goal | (t >= world.horizon), 0.0, now)
    return later


def centre(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """The expected return."""
    return values(world, probabilities, num_steps)[0, world.starts].mean()


def right_mean_squares(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the mean square minus the squared mean."""
    found = squares(world, probabilities, num_steps)[world.starts].mean()
    return found - centre(world, probabilities, num_steps) ** 2


def right_surprises(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds up, over all visits, how far a transition moves what is expected, squared."""
    value = planning.policy_value(world, probabilities, num_steps)
    chance = planning.occupancy(world, probabilities, num_steps)
    moved = rewards(world) + value[1:][:, world.next_position] - value[:-1][:, :, None]
    within = (chance[:, :, None] * probabilities * moved**2).sum()
    return within + value[0, world.starts].var()


def right_carried_pair(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Hands the mean and the mean square on together."""

    def go_back(later: tuple[Row, Row], t: jax.Array) -> tuple[tuple[Row, Row], None]:
        r, v, m = rewards(world), later[0][world.next_position], later[1][world.next_position]
        on = ~world.goal & (t < world.horizon)
        first = (probabilities * (r + v)).sum(axis=1) * on
        second = (probabilities * (r**2 + 2 * r * v + m)).sum(axis=1) * on
        return (first, second), None

    nothing = jnp.zeros(world.goal.shape)
    steps = jnp.arange(num_steps)
    (v, m), _ = jax.lax.scan(go_back, (nothing, nothing), steps, reverse=True)
    return m[world.starts].mean() - v[world.starts].mean() ** 2


def right_around_the_mean(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the mean square distance from the expected return at each start, then their mean."""
    value = values(world, probabilities, num_steps)[0, world.starts]
    spread = squares(world, probabilities, num_steps)[world.starts] - value**2
    return (spread + (value - value.mean()) ** 2).mean()


def right_pairs_of_rewards(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds each reward's square and twice its product with what it leads to, by occupancy."""
    value = planning.policy_value(world, probabilities, num_steps)
    chance = planning.occupancy(world, probabilities, num_steps)
    r, later = rewards(world), value[1:][:, world.next_position]
    found = (chance[:, :, None] * probabilities * (r**2 + 2 * r * later)).sum()
    return found - (chance[:, :, None] * probabilities * r).sum() ** 2


def wrong_one_cross_term(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Counts the product of reward and later once in place of twice."""
    found = squares(world, probabilities, num_steps, lambda r, v, m: r**2 + r * v + m)
    return found[world.starts].mean() - centre(world, probabilities, num_steps) ** 2


def wrong_mean_subtracted(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Forgets to square the mean."""
    found = squares(world, probabilities, num_steps)[world.starts].mean()
    return found - centre(world, probabilities, num_steps)


def wrong_sample(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Corrects for a sample of starts, though the starts are all there are."""
    value = values(world, probabilities, num_steps)[0, world.starts]
    within = (squares(world, probabilities, num_steps)[world.starts] - value**2).mean()
    return within + value.var(ddof=1)


def wrong_starts_summed(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds the starts up in place of averaging them."""
    found = squares(world, probabilities, num_steps)[world.starts].sum()
    return found - centre(world, probabilities, num_steps) ** 2


def wrong_all_cells(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages the mean squares over all cells."""
    found = squares(world, probabilities, num_steps).mean()
    return found - values(world, probabilities, num_steps)[0].mean() ** 2


def wrong_success_alone(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes the return for a coin: p (1 - p) times the goal's reward squared."""
    arrives = (probabilities * world.goal[world.next_position]).sum(axis=1)
    p = (chances(world, probabilities, num_steps) * arrives).sum()
    return p * (1 - p) * world.goal_reward**2


def wrong_absolute(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds distances without squaring them."""
    value = planning.policy_value(world, probabilities, num_steps)
    chance = planning.occupancy(world, probabilities, num_steps)
    moved = rewards(world) + value[1:][:, world.next_position] - value[:-1][:, :, None]
    return (chance[:, :, None] * probabilities * jnp.abs(moved)).sum()


def wrong_last_row_left_out(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Takes one step less than there are."""
    fewer = max(num_steps - 1, 1)
    found = squares(world, probabilities, fewer)[world.starts].mean()
    return found - centre(world, probabilities, fewer) ** 2


def wrong_per_start(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Gives a variance for each start."""
    value = values(world, probabilities, num_steps)[0, world.starts]
    return squares(world, probabilities, num_steps)[world.starts] - value**2


def wrong_sixty_four(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Gives the variance of the mean of 64 episodes."""
    found = squares(world, probabilities, num_steps)[world.starts].mean()
    return (found - centre(world, probabilities, num_steps) ** 2) / 64


def wrong_rewards_of_cells(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages the reward of a cell's actions first, so that their own spread is lost."""
    value = planning.policy_value(world, probabilities, num_steps)
    chance = planning.occupancy(world, probabilities, num_steps)
    r = (probabilities * rewards(world)).sum(axis=1, keepdims=True)
    moved = r + value[1:][:, world.next_position] - value[:-1][:, :, None]
    within = (chance[:, :, None] * probabilities * moved**2).sum()
    return within + value[0, world.starts].var()


def wrong_python_if(world: Gridworld, probabilities: Any, num_steps: int) -> Any:
    """Asks a traced number with a Python if."""
    found = squares(world, probabilities, num_steps)[world.starts].mean()
    spread = found - centre(world, probabilities, num_steps) ** 2
    return spread if spread > 0 else 0.0
