"""Make it yours: how much the return of an episode varies, exactly."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Exercise, Misconception
from gridroll.exercises._probes import sparing
from gridroll.exercises.planning.cases import (
    Table,
    backwards,
    drawn_case,
    forwards,
    from_library,
    moments,
    policy_cases,
    rewards,
)

SCAFFOLD = '''
def return_variance(world, probabilities, num_steps):
    """The variance of the return of an episode; its root is how far one return is from the mean.

    Args:
        world: the rules; each entry of `starts` is equally likely.
        probabilities: (S, A) float32, of each action in each cell.
        num_steps: T, the transitions that are collected.

    Returns:
        () float32, at least 0.
    """
    # 1. Which numbers does a row need of the next one, besides the value?
    # 2. What are they with nothing left, on a goal, and from the horizon on?
    # 3. What do the starts add?
    return ...
'''


def _right(world: Any, probabilities: Any, num_steps: int) -> tuple[Table, Table]:
    mean, squared = moments(world, probabilities, num_steps, lambda r, v, m: r**2 + 2 * r * v + m)
    starts = np.asarray(world.starts)
    return mean[starts], squared[starts]


def _deviation(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = _right(world, probabilities, num_steps)
    return np.sqrt(squared.mean() - mean.mean() ** 2)


def _mean_square(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _right(world, probabilities, num_steps)[1].mean()


def _within_starts(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = _right(world, probabilities, num_steps)
    return (squared - mean**2).mean()


def _between_starts(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _right(world, probabilities, num_steps)[0].var()


def _first_start(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = _right(world, probabilities, num_steps)
    return squared[0] - mean[0] ** 2


def _no_cross_term(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = moments(world, probabilities, num_steps, lambda r, v, m: r**2 + m)
    starts = np.asarray(world.starts)
    return squared[starts].mean() - mean[starts].mean() ** 2


def _square_of_the_sum(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = moments(world, probabilities, num_steps, lambda r, v, m: (r + v) ** 2)
    starts = np.asarray(world.starts)
    return squared[starts].mean() - mean[starts].mean() ** 2


def _independent_rewards(world: Any, probabilities: Any, num_steps: int) -> Any:
    table = np.asarray(probabilities, float)
    chance = forwards(world, probabilities, num_steps)[:-1]
    mean = (chance * (table * rewards(world)).sum(axis=1)).sum(axis=1)
    squared = (chance * (table * rewards(world) ** 2).sum(axis=1)).sum(axis=1)
    return (squared - mean**2).sum()


def _of_a_mean(world: Any, probabilities: Any, num_steps: int) -> Any:
    mean, squared = _right(world, probabilities, num_steps)
    return (squared.mean() - mean.mean() ** 2) / num_steps


def _over_the_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    return backwards(world, probabilities, num_steps)[0].var()


def _the_mean(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _right(world, probabilities, num_steps)[0].mean()


def _zero(world: Any, probabilities: Any, num_steps: int) -> Any:
    return np.float32(0)


RETURN_VARIANCE = Exercise(
    name="planning.return_variance",
    title="make it yours: the spread, exactly",
    task=(
        "Write `return_variance(world, probabilities, num_steps)`, by whatever route you find, "
        "without drawing an episode."
    ),
    points=3,
    difficulty=4,
    reference=planning.return_variance,
    answer=from_library(planning.return_variance),
    scaffold=SCAFFOLD.lstrip(),
    visible=policy_cases,
    generate=drawn_case,
    eager=2,  # the corridors: maps are compiled once, under jit
    probe=sparing,
    stretch=True,
    rules={
        "": "The mean over all episodes of (return - expected return) squared, with the starts "
        "equally likely."
    },
    misconceptions=(
        Misconception(
            "the deviation", "This is the root of the variance: the deviation.", _deviation
        ),
        Misconception(
            "the mean square",
            "This is the mean of the squared return. Take the square of the mean away.",
            _mean_square,
        ),
        Misconception(
            "the starts forgotten",
            "This is the mean of the variances from each start. Episodes differ in where they "
            "begin as well: the spread of the starts' values is missing.",
            _within_starts,
        ),
        Misconception(
            "only the starts",
            "This is how much the values of the starts differ. From one start returns differ too.",
            _between_starts,
        ),
        Misconception(
            "first start only", "This is the variance from the first start alone.", _first_start
        ),
        Misconception(
            "the cross term is missing",
            "The square of reward + later is reward**2 + 2 * reward * later + later**2. The "
            "middle term is missing.",
            _no_cross_term,
        ),
        Misconception(
            "the square of the mean",
            "What is still to come is squared after its mean was taken, so its own spread is lost "
            "with every row. Carry the mean square, or the variance, beside the value.",
            _square_of_the_sum,
        ),
        Misconception(
            "rewards taken for independent",
            "The variances of single transitions are added up. The rewards of one episode depend "
            "on one another: after the goal there are none.",
            _independent_rewards,
        ),
        Misconception("divided by T", "The variance is divided by the number of rows.", _of_a_mean),
        Misconception(
            "spread over the cells",
            "This is how much the values of the cells differ, and not how much returns do.",
            _over_the_cells,
        ),
        Misconception("the mean", "This is the expected return.", _the_mean),
        Misconception("constant", "The answer is 0, as if all returns were equal.", _zero),
    ),
    hints=(
        "A variance is the mean square minus the square of the mean. The mean of what is still to "
        "come is made backwards. Can its mean square be made in the same way?",
        "Carry two numbers for each cell: the mean V and the mean square M. Write the square of "
        "reward + later out, and take its mean term by term: where do V and M of the next row "
        "come in? At the end, take both means over the starts before you subtract.",
        "M = (probabilities * (r**2 + 2 * r * V[next] + M[next])).sum(axis=1), with V as before; "
        "both are 0 on goals and from the horizon on. With row 0: M[world.starts].mean() - "
        "V[world.starts].mean() ** 2.",
    ),
    why="The mean of the starts' variances leaves out that episodes begin in different cells.",
    gain="say exactly how far one return is from the mean",
    explanation=(
        "The variance is made backwards as the value is. Each transition adds the spread of what "
        "its action earns and leads to, (reward + V[next] - V) squared, and what comes later adds "
        "its own variance. At the starts the spread of their values is added."
    ),
)
