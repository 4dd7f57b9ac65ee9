"""Wrong occupancies, one for each mistake."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll.exercises.planning.cases import Table, arrive, forwards


def goal_keeps_mass(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Whoever reached a goal is counted there for ever."""
    return forwards(world, probabilities, num_steps, keeps_goal=True)[:-1]


def renormalised(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Each row is divided by its sum."""

    def move(world: Any, table: Table, chance: Table) -> Table:
        arriving = np.where(np.asarray(world.goal), 0.0, arrive(world, table, chance))
        return arriving / max(arriving.sum(), 1e-9)

    return forwards(world, probabilities, num_steps, move=move)[:-1]


def renormalised_at_the_end(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The table is made rightly, and then each row is divided by its sum."""
    rows = forwards(world, probabilities, num_steps)[:-1]
    return rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9)


def overwritten(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Of two actions that lead to one cell only the last counts."""

    def move(world: Any, table: Table, chance: Table) -> Table:
        arriving = np.zeros(len(chance))
        there = np.asarray(world.next_position)
        arriving[there.ravel()] = (chance[:, None] * table).ravel()
        return arriving

    return forwards(world, probabilities, num_steps, move=move)[:-1]


def gathered(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Each cell looks where its own actions lead, as a value does."""

    def move(world: Any, table: Table, chance: Table) -> Table:
        return np.asarray((table * chance[np.asarray(world.next_position)]).sum(axis=1))

    return forwards(world, probabilities, num_steps, move=move)[:-1]


def after_the_step(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row t is the chance after transition t."""
    return forwards(world, probabilities, num_steps)[1:]


def no_horizon(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Somebody is active beyond the horizon."""
    return forwards(world, probabilities, num_steps, over=lambda t, horizon: False)[:-1]


def horizon_late(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row `horizon` has chances."""
    return forwards(world, probabilities, num_steps, over=lambda t, horizon: t > horizon)[:-1]


def horizon_early(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Row `horizon - 1` has none."""
    return forwards(world, probabilities, num_steps, over=lambda t, horizon: t + 1 >= horizon)[:-1]


def _begun(world: Any, probabilities: Any, num_steps: int, first: Table) -> Any:
    return forwards(world, probabilities, num_steps, first=first)[:-1]


def starts_not_shared(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Each start has the chance 1."""
    first = np.zeros(world.goal.shape[0])
    first[np.asarray(world.starts)] = 1.0
    return _begun(world, probabilities, num_steps, first)


def first_start_only(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Everybody begins on the first start."""
    first = np.zeros(world.goal.shape[0])
    first[int(world.starts[0])] = 1.0
    return _begun(world, probabilities, num_steps, first)


def entry_overwritten(world: Any, probabilities: Any, num_steps: int) -> Any:
    """A start that stands there twice counts once; all else is right, under jit too."""
    nowhere = jnp.zeros(world.goal.shape)
    rows = [nowhere.at[world.starts].set(1 / world.starts.shape[0])]
    for t in range(1, num_steps):
        arriving = nowhere.at[world.next_position].add(rows[-1][:, None] * probabilities)
        rows.append(jnp.where(world.goal | (t >= world.horizon), 0.0, arriving))
    return jnp.stack(rows)


def anywhere(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Every cell is a start."""
    size = world.goal.shape[0]
    return _begun(world, probabilities, num_steps, np.full(size, 1 / size))


def uniform(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The uniform policy, whatever the policy is."""
    table = np.full(np.shape(probabilities), 1 / np.shape(probabilities)[1])
    return forwards(world, table, num_steps)[:-1]


def sums(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The chance to be active anywhere, (T,)."""
    return forwards(world, probabilities, num_steps)[:-1].sum(axis=1)


def one_row_more(world: Any, probabilities: Any, num_steps: int) -> Any:
    """(T + 1, S)."""
    return forwards(world, probabilities, num_steps)


def running_sums(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The expected number of visits so far."""
    return np.cumsum(forwards(world, probabilities, num_steps)[:-1], axis=0)


def zeros(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The same for every input."""
    return np.zeros((num_steps, world.goal.shape[0]))
