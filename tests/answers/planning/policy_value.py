"""Answers to `planning.policy_value`."""

from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import Row, gains, mean, rewards, values
from gridroll import planning
from gridroll.gridworld import Gridworld


def right_loop(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Loops in Python and stacks the rows."""
    return values(world, probabilities, num_steps)


def right_steps_left(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Scans forward over the steps left, and turns the rows round."""

    def one_more(later: Row, left: jax.Array) -> tuple[Row, Row]:
        taken = num_steps - left
        now = jnp.where(taken < world.horizon, planning.back_up(world, probabilities, later), 0.0)
        return now, now

    nothing = jnp.zeros(world.goal.shape)
    _, rows = jax.lax.scan(one_more, nothing, jnp.arange(1, num_steps + 1))
    return jnp.concatenate([rows[::-1], nothing[None]])


def right_row_t_scanned_too(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Emits the carry that goes in, over one row more, so that row T comes of itself."""

    def go_back(later: Row, t: jax.Array) -> tuple[Row, Row]:
        over = t - 1 >= world.horizon
        return jnp.where(over, 0.0, planning.back_up(world, probabilities, later)), later

    rows = jnp.arange(num_steps + 1)
    return jax.lax.scan(go_back, jnp.zeros(world.goal.shape), rows, reverse=True)[1]


def right_by_matrix(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Multiplies by the matrix of where a step leads, padded with zeros by jnp.pad."""
    leads = jax.nn.one_hot(world.next_position, world.goal.shape[0])
    going = ~world.goal
    matrix = jnp.einsum("sa,sab->sb", probabilities, leads) * going[:, None]
    earned = (probabilities * rewards(world)).sum(axis=1) * going

    def go_back(later: Row, t: jax.Array) -> tuple[Row, Row]:
        now = (earned + matrix @ later) * (t < world.horizon)
        return now, now

    start = jnp.zeros_like(earned)
    _, rows = jax.lax.scan(go_back, start, jnp.arange(num_steps), reverse=True)
    return jnp.pad(rows, ((0, 1), (0, 0)))


def right_filled_in(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Fills a table from below with fori_loop."""

    def fill(i: jax.Array, table: jax.Array) -> jax.Array:
        t = num_steps - 1 - i
        now = planning.back_up(world, probabilities, table[t + 1])
        return table.at[t].set(jnp.where(t < world.horizon, now, 0.0))

    table = jnp.zeros((num_steps + 1, world.goal.shape[0]))
    return jax.lax.fori_loop(0, num_steps, fill, table)


def wrong_discounted(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Discounts with 0.99."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        return mean(world, probabilities, 0.99 * later, t)

    return values(world, probabilities, num_steps, backup)


def wrong_settled(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Gives every row the value of row 0."""
    rows = values(world, probabilities, num_steps)
    return rows.at[:-1].set(rows[0])


def wrong_two_backups(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Backs up twice for every row."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        return mean(world, probabilities, mean(world, probabilities, later, t), t)

    return values(world, probabilities, num_steps, backup)


def wrong_running_sum(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Adds each row to the sum of those behind it."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        return later + mean(world, probabilities, later, t)

    return values(world, probabilities, num_steps, backup)


def wrong_walls_zero(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Sets one cell beside a goal to 0: the last of the world that is free."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        now = mean(world, probabilities, later, t)
        return now.at[jnp.argmin(world.goal)].set(0.0)

    return values(world, probabilities, num_steps, backup)


def wrong_horizon_at_the_end(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Makes all rows and cuts them at the horizon afterwards, so earlier rows saw too much."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        return mean(world, probabilities, later, t)

    rows = [jnp.zeros(world.goal.shape)]
    for t in reversed(range(num_steps)):
        rows.insert(0, backup(world, probabilities, rows[0], t))
    table = jnp.stack(rows)
    return jnp.where(jnp.arange(num_steps + 1)[:, None] < world.horizon, table, 0.0)


def wrong_mean_reward(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Averages the rewards of the actions as if they were equally likely."""

    def backup(world: Gridworld, probabilities: Any, later: Row, t: int) -> Row:
        coming = (probabilities * later[world.next_position]).sum(axis=1)
        return jnp.where(world.goal, 0.0, rewards(world).mean(axis=1) + coming)

    return values(world, probabilities, num_steps, backup)


def wrong_value_for_each_action(world: Gridworld, probabilities: Any, num_steps: int) -> Any:
    """Gives (T + 1, S, A)."""
    rows = values(world, probabilities, num_steps)
    return jnp.stack([gains(world, row) for row in rows])


def wrong_from_the_goal_backwards(
    world: Gridworld, probabilities: Any, num_steps: int
) -> jax.Array:
    """Begins with the step reward everywhere, as if one more step were left."""
    last = jnp.where(world.goal, 0.0, world.step_reward)
    return values(world, probabilities, num_steps, last=last)


def wrong_transposed(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Puts the cells first."""
    return values(world, probabilities, num_steps).T


def wrong_range_of_traced(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Loops up to the horizon in Python, which can't be traced."""
    rows = [jnp.zeros(world.goal.shape)]
    for t in range(min(num_steps, int(world.horizon))):
        rows.insert(0, mean(world, probabilities, rows[0], t))
    rows += [jnp.zeros(world.goal.shape)] * (num_steps + 1 - len(rows))
    return jnp.stack(rows)


def wrong_carry_of_integers(world: Gridworld, probabilities: Any, num_steps: int) -> jax.Array:
    """Begins with integers, and the carry changes its dtype."""

    def go_back(later: Row, t: jax.Array) -> tuple[Row, Row]:
        now = mean(world, probabilities, later, 0)
        return now, now

    nothing = jnp.zeros(world.goal.shape, jnp.int32)
    _, rows = jax.lax.scan(go_back, nothing, jnp.arange(num_steps), reverse=True)
    return jnp.concatenate([rows, nothing[None]])
