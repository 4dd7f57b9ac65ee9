"""Comparisons with a part mended and others not: what is wrong with `luck_report` answers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gridroll.classroom.exercise import Misconception
from gridroll.exercises.planning.cases import Table, backwards, gains, mean_action, moments

Report = tuple[Any, Any, Any]
SWEEPS = 500  # of the broken program


def with_steps(world: Any, probabilities: Any, num_steps: int) -> Any:
    """Right: as many steps back as there are steps, and the world's horizon."""
    return backwards(world, probabilities, num_steps)[0][np.asarray(world.starts)].mean()


def swept(sweeps: int | None = SWEEPS, discount: float = 1.0, horizon: bool = False) -> Any:
    """A value after a number of sweeps; None for as many as there are rows."""

    def exact(world: Any, probabilities: Any, num_steps: int) -> Any:
        many = num_steps if sweeps is None else sweeps
        value = np.zeros(world.goal.shape[0])
        for _ in range(int(world.horizon) if horizon else many):
            value = mean_action(probabilities, gains(world, discount * value))
        return value[np.asarray(world.starts)].mean()

    return exact


def over_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    """The values of all cells averaged."""
    return backwards(world, probabilities, num_steps)[0].mean()


def of_episodes(earned: Table, active: Table) -> Any:
    """Right: the deviation of the returns over the root of their number."""
    return earned.std(ddof=1) / np.sqrt(len(earned))


def of_transitions(earned: Table, active: Table) -> Any:
    """The number of transitions below the root."""
    return earned.std(ddof=1) / np.sqrt(active.sum())


def of_cells(earned: Table, active: Table) -> Any:
    """The number of cells below the root."""
    return earned.std(ddof=1) / np.sqrt(active.size)


def of_one(earned: Table, active: Table) -> Any:
    """No root at all: the deviation."""
    return earned.std(ddof=1)


def divided_by_all(earned: Table, active: Table) -> Any:
    """B below the sum of squares."""
    return earned.std() / np.sqrt(len(earned))


Implementation = Callable[..., Report]


def compared(
    exact_of: Any = with_steps,
    error_of: Any = of_episodes,
    sign: int = 1,
    transitions: bool = False,
) -> Implementation:
    """The comparison with some of its parts mended and others not."""

    def report(world: Any, probabilities: Any, reward: Any, active: Any) -> Report:
        mask = np.asarray(active)
        earned = np.where(mask, np.asarray(reward, float), 0.0).sum(axis=0)
        exact = exact_of(world, probabilities, len(mask))
        mean = earned.sum() / mask.sum() if transitions else earned.mean()
        return exact, mean, sign * (mean - exact) / error_of(earned, mask)

    return report


def in_exact_errors(world: Any, probabilities: Any, reward: Any, active: Any) -> Report:
    """The distance in exact standard errors, where the batch's own were asked for."""
    exact, mean, _ = compared()(world, probabilities, reward, active)
    _, squared = moments(world, probabilities, len(active), lambda r, v, m: r**2 + 2 * r * v + m)
    variance = max(squared[np.asarray(world.starts)].mean() - exact**2, 1e-12)
    return exact, mean, (mean - exact) / np.sqrt(variance / np.shape(active)[1])


def nothing(world: Any, probabilities: Any, reward: Any, active: Any) -> Report:
    """The same for every input."""
    return np.float32(0), np.float32(0), np.float32(0)


DISCOUNTS = (0.9, 0.95, 0.99, 0.5)
MORE = (50, 100, 200, 1000, 10)
MISCONCEPTIONS = (
    Misconception(
        "still broken",
        "The program does what it did before. With how many steps left is a value made, and "
        "how many does an episode have?",
        compared(swept(), of_transitions),
    ),
    Misconception(
        "still without a horizon",
        "The error is mended. The value still has all the time in the world: each sweep adds a "
        "step, and an episode has T of them at most. One sweep for each step that is left.",
        compared(swept()),
    ),
    Misconception(
        "another number of sweeps",
        "Each sweep adds one step to every episode. Neither more nor fewer sweeps are right, "
        "only as many as there are steps: T, or the horizon where it is shorter.",
        compared(swept(MORE[0])),
        also=tuple(
            compared(swept(sweeps), error)
            for sweeps in MORE
            for error in (of_episodes, of_transitions)
        ),
    ),
    Misconception(
        "discounted",
        "A discount lets the sweeps settle, and answers another question: what is earned "
        "later counts less. The batch wasn't discounted. What is missing is the number of "
        "steps.",
        compared(swept(discount=DISCOUNTS[0])),
        also=tuple(
            compared(swept(sweeps, discount), error)
            for sweeps in (SWEEPS, None)
            for discount in DISCOUNTS
            for error in (of_episodes, of_transitions)
        ),
    ),
    Misconception(
        "the error of transitions",
        "The expected return is mended. The error is still divided by the root of the number "
        "of transitions, and you have met this in lesson 04: the episodes are the sample.",
        compared(error_of=of_transitions),
        also=(compared(swept(None), of_transitions),),
    ),
    Misconception(
        "the world's horizon forgotten",
        "There are as many sweeps as rows. Where the world's horizon is shorter, episodes end "
        "earlier: planning.expected_return sees to both.",
        compared(swept(None)),
    ),
    Misconception(
        "only the world's horizon",
        "There are as many sweeps as the world's horizon. The batch was collected for T steps, "
        "which may be fewer.",
        compared(swept(horizon=True)),
        also=(compared(swept(horizon=True), of_transitions),),
    ),
    Misconception(
        "mean over the cells",
        "The expected return is the mean over all cells. Episodes begin on the starts.",
        compared(over_cells),
    ),
    Misconception(
        "the error of cells",
        "The error is divided by the root of T * B. The B episodes are the sample.",
        compared(error_of=of_cells),
    ),
    Misconception(
        "the deviation",
        "The distance is measured in deviations of one episode. The mean of B episodes is "
        "closer to its expected value by a factor of sqrt(B).",
        compared(error_of=of_one),
    ),
    Misconception(
        "B below the sum of squares",
        "The sum of squares is divided by B. For a sample it is B - 1: std(ddof=1).",
        compared(error_of=divided_by_all),
    ),
    Misconception(
        "the sign",
        "The distance has the wrong sign: it is positive where the batch was lucky.",
        compared(sign=-1),
    ),
    Misconception(
        "what a transition earns",
        "The mean return is divided by the number of transitions. It is a mean over episodes.",
        compared(transitions=True),
    ),
    Misconception(
        "the exact error",
        "The distance is measured in exact standard errors, from the variance of a return. That is "
        "a sound way. The docstring asks for those of the batch: the sample deviation of its "
        "returns over the root of B.",
        in_exact_errors,
    ),
    Misconception("constant", "The report is 0 whatever happened.", nothing),
)
