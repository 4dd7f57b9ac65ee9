"""Answers to `reinforce.learning_report`."""

from typing import Any

import jax
import jax.numpy as jnp

from gridroll import planning, returns
from gridroll.collector import Trajectory


def parts(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> list[Any]:
    """The right report as a list, whose entries can be replaced."""
    statistics = returns.episode_statistics(trajectory)
    steps = len(trajectory.reward)
    exact = planning.expected_return(world, policy.probabilities(theta), steps)
    best = planning.optimal(world, steps)[0][0][world.starts].mean()
    mean, error = statistics.mean_return, statistics.standard_error
    return [mean, error, exact, best, (mean - exact) / error]


def right_statistics(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Lesson 04's record of statistics has the first two numbers."""
    return tuple(parts(world, policy, theta, trajectory))


def right_list(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """A list in place of a tuple."""
    return parts(world, policy, theta, trajectory)


def right_value_at_starts(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The exact return from lesson 05's values."""
    mean, error, _, best, _ = parts(world, policy, theta, trajectory)
    value = planning.policy_value(world, policy.probabilities(theta), len(trajectory.reward))
    exact = value[0][world.starts].mean()
    return mean, error, exact, best, (mean - exact) / error


def right_by_occupancy(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The exact return from lesson 05's occupancy."""
    mean, error, _, best, _ = parts(world, policy, theta, trajectory)
    chances = policy.probabilities(theta)
    often = planning.occupancy(world, chances, len(trajectory.reward)).sum(axis=0)
    exact = often @ (chances * planning.transition_reward(world)).sum(axis=1)
    return mean, error, exact, best, (mean - exact) / error


def right_sum_over_starts(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Adds the optimal values of the starts, one by one."""
    mean, error, exact, _, z = parts(world, policy, theta, trajectory)
    value = planning.optimal(world, trajectory.active.shape[0])[0]
    best = sum(value[0, start] for start in world.starts) / len(world.starts)
    return mean, error, exact, best, z


def wrong_median(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The median return."""
    _, error, exact, best, _ = parts(world, policy, theta, trajectory)
    median = jnp.median(trajectory.reward.sum(axis=0))
    return median, error, exact, best, (median - exact) / error


def wrong_finished_only(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The mean over episodes that reached a goal."""
    _, error, exact, best, _ = parts(world, policy, theta, trajectory)
    reached = trajectory.terminated.any(axis=0)
    mean = jnp.where(reached, trajectory.reward.sum(axis=0), 0.0).sum()
    mean = mean / jnp.maximum(reached.sum(), 1)
    return mean, error, exact, best, (mean - exact) / error


def wrong_worst_start(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The best possible from the worst start."""
    report = parts(world, policy, theta, trajectory)
    value = planning.optimal(world, len(trajectory.reward))[0]
    report[3] = value[0, world.starts].min()
    return tuple(report)


def wrong_one_step(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Plans for one step, whatever the record has."""
    report = parts(world, policy, theta, trajectory)
    report[3] = planning.optimal(world, 1)[0][0, world.starts].mean()
    return tuple(report)


def wrong_goal_reward(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Takes the goal's reward for the best possible, as if the way were free."""
    report = parts(world, policy, theta, trajectory)
    report[3] = jnp.float32(world.goal_reward)
    return tuple(report)


def wrong_gap(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The gap to the optimum in place of the optimum."""
    report = parts(world, policy, theta, trajectory)
    report[3] = report[3] - report[2]
    return tuple(report)


def wrong_divides_by_b(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The deviation with B below the sum of squares."""
    mean, _, exact, best, _ = parts(world, policy, theta, trajectory)
    earned = trajectory.reward.sum(axis=0)
    error = earned.std() / jnp.sqrt(earned.size)
    return mean, error, exact, best, (mean - exact) / error


def wrong_absolute(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """A distance without a sign."""
    report = parts(world, policy, theta, trajectory)
    report[4] = jnp.abs(report[4])
    return tuple(report)


def wrong_not_counted_in_errors(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The difference itself as the last number."""
    report = parts(world, policy, theta, trajectory)
    report[4] = report[0] - report[2]
    return tuple(report)


def wrong_greedy(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """The exact return of the likeliest actions."""
    mean, error, _, best, _ = parts(world, policy, theta, trajectory)
    chances = policy.probabilities(theta)
    likeliest = jax.nn.one_hot(chances.argmax(axis=1), chances.shape[1])
    exact = planning.expected_return(world, likeliest, len(trajectory.reward))
    return mean, error, exact, best, (mean - exact) / error


def wrong_four_numbers(world: Any, policy: Any, theta: Any, trajectory: Trajectory) -> Any:
    """Leaves the last number out."""
    return tuple(parts(world, policy, theta, trajectory)[:4])
