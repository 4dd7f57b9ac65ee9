"""Wrong expected returns, one for each mistake."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.exercises.planning.cases import backwards, best_action, forwards, rewards

Table = np.ndarray


def values(world: Any, probabilities: Any, num_steps: int) -> Table:
    """Right values, (T + 1, S)."""
    return backwards(world, probabilities, num_steps)


def chances(world: Any, probabilities: Any, num_steps: int) -> Table:
    """The right occupancy, (T, S)."""
    return np.asarray(forwards(world, probabilities, num_steps)[:-1])


def earned(world: Any, probabilities: Any) -> Table:
    """What a transition from each cell earns on average, (S,)."""
    return np.asarray((np.asarray(probabilities, float) * rewards(world)).sum(axis=1))


def by_cell(world: Any, probabilities: Any, num_steps: int) -> Table:
    """Right parts of the sum, (T, S)."""
    return np.asarray(chances(world, probabilities, num_steps) * earned(world, probabilities))


def by_values(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The first way: right wherever no start is a goal, under jit too."""
    return planning.policy_value(world, probabilities, num_steps)[0, world.starts].mean()


def over_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    """All cells for starts."""
    return values(world, probabilities, num_steps)[0].mean()


def over_cells_to_stand_on(world: Any, probabilities: Any, num_steps: int) -> Any:
    """All cells that are neither goal nor wall for starts."""
    standing = ~np.asarray(world.goal) & ~np.asarray(world.wall)
    return values(world, probabilities, num_steps)[0][standing].mean()


def one_row_late(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The values of row 1."""
    return values(world, probabilities, num_steps)[1][np.asarray(world.starts)].mean()


def without_row_0(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The first transition is left out."""
    return by_cell(world, probabilities, num_steps)[1:].sum()


def without_last_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The last transition is left out."""
    return by_cell(world, probabilities, num_steps)[:-1].sum()


def sum_of_starts(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The starts are added."""
    return values(world, probabilities, num_steps)[0][np.asarray(world.starts)].sum()


def first_start(world: Any, probabilities: Any, num_steps: int) -> Any:
    """One start for all."""
    return values(world, probabilities, num_steps)[0, int(world.starts[0])]


def sum_of_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    """All cells are added."""
    return values(world, probabilities, num_steps)[0].sum()


def of_a_transition(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Divided by the expected length."""
    total = by_cell(world, probabilities, num_steps).sum()
    return total / chances(world, probabilities, num_steps).sum()


def of_a_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Divided by the number of rows."""
    return by_cell(world, probabilities, num_steps).sum(axis=1).mean()


def of_an_entry(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Divided by the number of rows and cells."""
    return by_cell(world, probabilities, num_steps).mean()


def of_a_cell(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Divided by the number of cells."""
    return by_cell(world, probabilities, num_steps).sum(axis=0).mean()


def by_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    """A number for each row."""
    return by_cell(world, probabilities, num_steps).sum(axis=1)


def first_transition(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row 0 alone."""
    return by_cell(world, probabilities, num_steps)[0].sum()


def by_place(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Paid for the cell before the move."""
    goal = np.asarray(world.goal)
    reward = np.where(goal, float(world.goal_reward), float(world.step_reward))
    return (chances(world, probabilities, num_steps) * reward).sum()


def rewards_not_weighted(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The rewards of the actions added."""
    return (chances(world, probabilities, num_steps) * rewards(world).sum(axis=1)).sum()


def rewards_averaged(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The rewards of the actions averaged without the policy."""
    return (chances(world, probabilities, num_steps) * rewards(world).mean(axis=1)).sum()


def weighted_and_averaged(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The weighted rewards averaged, which divides by the number of actions."""
    return by_cell(world, probabilities, num_steps).sum() / np.shape(probabilities)[1]


def values_as_often(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Values weighted in place of rewards."""
    chance = chances(world, probabilities, num_steps)
    return (chance * values(world, probabilities, num_steps)[:-1]).sum()


def best(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The best policy."""
    value = backwards(world, probabilities, num_steps, choose=best_action)
    return value[0][np.asarray(world.starts)].mean()


def length(world: Any, probabilities: Any, num_steps: int) -> Any:
    """No reward at all."""
    return chances(world, probabilities, num_steps).sum()


def zero(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The same for every input."""
    return np.float32(0)
