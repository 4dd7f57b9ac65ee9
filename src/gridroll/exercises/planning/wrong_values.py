"""Wrong values of a policy, one for each mistake."""

from typing import Any

import numpy as np

from gridroll.exercises.planning.cases import (
    backwards,
    best_action,
    gains,
    mean_action,
    rewards,
)


def time_reversed(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row 0 is the end."""
    return backwards(world, probabilities, num_steps)[::-1]


def forwards(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Scanned from t = 0 on."""
    rows = [np.zeros(world.goal.shape[0])]
    for t in range(num_steps):
        value = mean_action(probabilities, gains(world, rows[-1]))
        rows.append(value * (t < int(world.horizon)))
    return np.array([*rows[1:], rows[0]])


def steps_left_order(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row 0 is the end, with the rows of a loop that goes forward."""
    rows = forwards(world, probabilities, num_steps)
    return np.concatenate([rows[-1:], rows[:-1]])


def no_goal_reward(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Reaching a goal earns the step reward."""

    def gain(world: Any, later: np.ndarray) -> np.ndarray:
        value = float(world.step_reward) + later[np.asarray(world.next_position)]
        return np.where(np.asarray(world.goal)[:, None], 0.0, value)

    return backwards(world, probabilities, num_steps, gain=gain)


def goal_keeps(world: Any, probabilities: Any, num_steps: int) -> Any:
    """A goal pays once for each step that is left."""

    def gain(world: Any, later: np.ndarray) -> np.ndarray:
        return rewards(world) + later[np.asarray(world.next_position)]

    return backwards(world, probabilities, num_steps, gain=gain)


def no_horizon(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Values beyond the horizon."""
    return backwards(world, probabilities, num_steps, over=lambda t, horizon, steps: False)


def horizon_late(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row `horizon` has values."""
    return backwards(world, probabilities, num_steps, over=lambda t, horizon, steps: t > horizon)


def horizon_early(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row `horizon - 1` has none."""
    over = lambda t, horizon, steps: t + 1 >= horizon  # noqa: E731
    return backwards(world, probabilities, num_steps, over=over)


def horizon_from_the_end(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The horizon is compared with the steps that are left."""
    over = lambda t, horizon, steps: steps - t > horizon  # noqa: E731
    return backwards(world, probabilities, num_steps, over=over)


def best(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The best action everywhere."""
    return backwards(world, probabilities, num_steps, choose=best_action)


def uniform(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The uniform policy, whatever the policy is."""
    return backwards(world, probabilities, num_steps, choose=lambda _, gain: gain.mean(axis=1))


def row_t_missing(world: Any, probabilities: Any, num_steps: int) -> Any:
    """(T, S)."""
    return backwards(world, probabilities, num_steps)[:-1]


def zeros_on_top(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The last row stands first."""
    return np.roll(backwards(world, probabilities, num_steps), 1, axis=0)


def emits_later(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Each row holds the next one."""
    rows = backwards(world, probabilities, num_steps)
    return np.concatenate([rows[1:], rows[-1:]])


def goal_reward_at_the_end(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Goals are worth their reward at the end."""
    last = np.where(np.asarray(world.goal), float(world.goal_reward), 0.0)
    rows = backwards(world, probabilities, num_steps, last=last)
    rows[-1] = 0.0
    return rows


def goal_reward_kept_at_the_end(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The same, and row T shows it."""
    last = np.where(np.asarray(world.goal), float(world.goal_reward), 0.0)
    return backwards(world, probabilities, num_steps, last=last)


def carry(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row 0 alone."""
    return backwards(world, probabilities, num_steps)[0]


def next_reward(world: Any, probabilities: Any, num_steps: int) -> Any:
    """What the next transition earns."""

    def gain(world: Any, later: np.ndarray) -> np.ndarray:
        return gains(world, np.zeros(len(later)))

    return backwards(world, probabilities, num_steps, gain=gain)


def zeros(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The same for every input."""
    return np.zeros((num_steps + 1, world.goal.shape[0]))
