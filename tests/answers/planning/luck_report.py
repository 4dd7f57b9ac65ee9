"""Answers to `planning.luck_report`."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from answers.planning._parts import chances, rewards, values
from gridroll import planning, returns
from gridroll.gridworld import Gridworld

Report = tuple[Any, Any, Any]


def report(
    world: Gridworld,
    probabilities: Any,
    reward: Any,
    active: Any,
    exact_of: Callable[..., Any] | None = None,
    error_of: Callable[[jax.Array], Any] | None = None,
) -> Report:
    """The right report, with an exact value or an error of one's own."""
    exact = (exact_of or planning.expected_return)(world, probabilities, reward.shape[0])
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    usual = earned.std(ddof=1) / jnp.sqrt(earned.size)
    error = usual if error_of is None else error_of(earned)
    return exact, earned.mean(), (earned.mean() - exact) / error


def right_library(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Takes the library's functions of lessons 04 and 05."""
    exact = planning.policy_value(world, probabilities, len(reward))[0, world.starts].mean()
    mean = returns.averages(reward, active).episode
    return exact, mean, (mean - exact) / returns.standard_error(reward, active)


def right_sweeps(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Keeps the sweeps, as many as there are steps and the horizon allows."""

    def sweep(_: Any, value: jax.Array) -> jax.Array:
        return planning.back_up(world, probabilities, value)

    steps = jnp.minimum(reward.shape[0], world.horizon)
    value = jax.lax.fori_loop(0, steps, sweep, jnp.zeros(world.goal.shape))
    return report(world, probabilities, reward, active, lambda *_: value[world.starts].mean())


def right_sweeps_masked(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Sweeps once for each row, and keeps 0 beyond the horizon."""

    def sweep(i: Any, value: jax.Array) -> jax.Array:
        t = reward.shape[0] - 1 - i
        return jnp.where(t < world.horizon, planning.back_up(world, probabilities, value), 0.0)

    value = jax.lax.fori_loop(0, reward.shape[0], sweep, jnp.zeros(world.goal.shape))
    return report(world, probabilities, reward, active, lambda *_: value[world.starts].mean())


def right_occupancy(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Any:
    """Takes the other way to the expected return, and returns a list."""
    chance = planning.occupancy(world, probabilities, reward.shape[0])
    exact = jnp.einsum("ts,sa,sa->", chance, probabilities, rewards(world))
    return list(report(world, probabilities, reward, active, lambda *_: exact))


def right_by_hand(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Writes the deviation out."""
    exact = planning.expected_return(world, probabilities, reward.shape[0])
    earned = reward.sum(axis=0)
    count = active.shape[1]
    mean = earned.sum() / count
    variance = ((earned - mean) ** 2).sum() / (count - 1)
    return exact, mean, (mean - exact) * jnp.sqrt(count / variance)


def wrong_best_policy(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Holds the batch against the best that can be done."""
    best, _ = planning.optimal(world, reward.shape[0])
    return report(world, probabilities, reward, active, lambda *_: best[0, world.starts].mean())


def wrong_uniform(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Holds the batch against the uniform policy."""
    uniform = jnp.full_like(probabilities, 1 / probabilities.shape[1])
    return report(world, uniform, reward, active)


def wrong_one_step_less(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Leaves out the last step."""
    return report(
        world,
        probabilities,
        reward,
        active,
        lambda w, p, steps: values(w, p, steps)[1, w.starts].mean(),
    )


def wrong_length_as_steps(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Weights each row by how many were active in the batch."""
    chance = chances(world, probabilities, reward.shape[0])
    share = active.mean(axis=1, keepdims=True)
    earned = (probabilities * rewards(world)).sum(axis=1)
    return report(world, probabilities, reward, active, lambda *_: (chance * share * earned).sum())


def wrong_first_start(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Takes the value of the first start."""
    return report(
        world,
        probabilities,
        reward,
        active,
        lambda w, p, steps: values(w, p, steps)[0, w.starts[0]],
    )


def wrong_no_root(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Divides the deviation by B and not by its root."""
    return report(world, probabilities, reward, active, None, lambda e: e.std(ddof=1) / e.size)


def wrong_variance(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Takes the variance for the deviation."""
    return report(
        world, probabilities, reward, active, None, lambda e: e.var(ddof=1) / jnp.sqrt(e.size)
    )


def wrong_rows(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Takes the number of rows for the number of episodes."""
    rows = reward.shape[0]
    return report(
        world, probabilities, reward, active, None, lambda e: e.std(ddof=1) / jnp.sqrt(rows)
    )


def wrong_distance(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Gives the distance without its sign."""
    exact, mean, errors = report(world, probabilities, reward, active)
    return exact, mean, jnp.abs(errors)


def wrong_not_in_errors(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Gives the distance in reward, not in standard errors."""
    exact, mean, _ = report(world, probabilities, reward, active)
    return exact, mean, mean - exact


def wrong_relative(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Gives the distance as a share of the exact value."""
    exact, mean, _ = report(world, probabilities, reward, active)
    return exact, mean, (mean - exact) / exact


def wrong_order(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Returns the mean before the exact value."""
    exact, mean, errors = report(world, probabilities, reward, active)
    return mean, exact, errors


def wrong_horizon_as_size(world: Gridworld, probabilities: Any, reward: Any, active: Any) -> Report:
    """Passes the horizon, which is an array, as a size."""
    steps: Any = min(reward.shape[0], int(world.horizon))
    return report(
        world, probabilities, reward, active, lambda w, p, _: planning.expected_return(w, p, steps)
    )
