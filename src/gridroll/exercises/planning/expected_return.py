"""What an episode earns on average: the second route to it, by occupancy."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Exercise, Misconception
from gridroll.exercises._shared import source
from gridroll.exercises.planning.cases import (
    backwards,
    best_action,
    drawn_case,
    forwards,
    policy_cases,
    rewards,
)

SCAFFOLD = '''
def expected_return(world, probabilities, num_steps):
    """The expected return of an episode: what each cell earns, as often as it is occupied.

    Args:
        world: the rules; each entry of `starts` is equally likely.
        probabilities: (S, A) float32, of each action in each cell.
        num_steps: T, the transitions that are collected.

    Returns:
        () float32.
    """
    # 1. What does a transition from each cell earn on average, (S,)?
    # 2. How often is that cell occupied? Sum over cells and rows.
    return ...
'''


def _values(world: Any, probabilities: Any, num_steps: int) -> np.ndarray:
    return backwards(world, probabilities, num_steps)


def _chances(world: Any, probabilities: Any, num_steps: int) -> np.ndarray:
    return np.asarray(forwards(world, probabilities, num_steps)[:-1])


def _earned(world: Any, probabilities: Any) -> np.ndarray:
    return np.asarray((np.asarray(probabilities, float) * rewards(world)).sum(axis=1))


def _over_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _values(world, probabilities, num_steps)[0].mean()


def _over_cells_to_stand_on(world: Any, probabilities: Any, num_steps: int) -> Any:
    standing = ~np.asarray(world.goal) & ~np.asarray(world.wall)
    return _values(world, probabilities, num_steps)[0][standing].mean()


def _one_row_late(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _values(world, probabilities, num_steps)[1][np.asarray(world.starts)].mean()


def _one_row_less(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance[1:] * _earned(world, probabilities)).sum()


def _without_last_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance[:-1] * _earned(world, probabilities)).sum()


def _sum_of_starts(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _values(world, probabilities, num_steps)[0][np.asarray(world.starts)].sum()


def _first_start(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _values(world, probabilities, num_steps)[0, int(world.starts[0])]


def _sum_of_cells(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _values(world, probabilities, num_steps)[0].sum()


def _of_a_transition(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance * _earned(world, probabilities)).sum() / chance.sum()


def _of_a_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance * _earned(world, probabilities)).sum(axis=1).mean()


def _by_row(world: Any, probabilities: Any, num_steps: int) -> Any:
    return (_chances(world, probabilities, num_steps) * _earned(world, probabilities)).sum(axis=1)


def _first_transition(world: Any, probabilities: Any, num_steps: int) -> Any:
    return (_chances(world, probabilities, num_steps)[0] * _earned(world, probabilities)).sum()


def _by_place(world: Any, probabilities: Any, num_steps: int) -> Any:
    goal = np.asarray(world.goal)
    reward = np.where(goal, float(world.goal_reward), float(world.step_reward))
    return (_chances(world, probabilities, num_steps) * reward).sum()


def _rewards_not_weighted(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance * rewards(world).sum(axis=1)).sum()


def _rewards_averaged(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance * rewards(world).mean(axis=1)).sum()


def _values_as_often(world: Any, probabilities: Any, num_steps: int) -> Any:
    chance = _chances(world, probabilities, num_steps)
    return (chance * _values(world, probabilities, num_steps)[:-1]).sum()


def _best(world: Any, probabilities: Any, num_steps: int) -> Any:
    value = backwards(world, probabilities, num_steps, choose=best_action)
    return value[0][np.asarray(world.starts)].mean()


def _length(world: Any, probabilities: Any, num_steps: int) -> Any:
    return _chances(world, probabilities, num_steps).sum()


def _zero(world: Any, probabilities: Any, num_steps: int) -> Any:
    return np.float32(0)


EXPECTED_RETURN = Exercise(
    name="planning.expected_return",
    title="the return, the other way",
    task="Write `expected_return(world, probabilities, num_steps)` from `planning.occupancy`.",
    points=2,
    difficulty=2,
    reference=planning.expected_return,
    answer=source(planning.expected_return),
    scaffold=SCAFFOLD.lstrip(),
    visible=policy_cases,
    generate=drawn_case,
    eager=2,  # the corridors: maps are compiled once, under jit
    rules={
        "": "The sum over t and s of occupancy[t, s] times the mean reward of a transition from s, "
        "which is the sum over a of probabilities[s, a] * reward[s, a]."
    },
    misconceptions=(
        Misconception(
            "mean over the cells",
            "This is the mean of the values over all cells, as if an episode could start "
            "anywhere. Episodes begin on the starts.",
            _over_cells,
            also=(_over_cells_to_stand_on,),
        ),
        Misconception(
            "one row late",
            "Row 0 is left out, so every episode is one transition short at its beginning.",
            _one_row_late,
            also=(_one_row_less,),
        ),
        Misconception(
            "the last row left out",
            "The transition with one step left is missing; it earns too.",
            _without_last_row,
        ),
        Misconception(
            "summed over the starts",
            "The values of the starts are added. An episode begins on one of them: take the mean.",
            _sum_of_starts,
        ),
        Misconception(
            "first start only", "This is the value of the first start alone.", _first_start
        ),
        Misconception(
            "summed over the cells",
            "The values of all cells are added, wherever episodes begin.",
            _sum_of_cells,
        ),
        Misconception(
            "what a transition earns",
            "This is the expected return divided by the expected length: what a live transition "
            "earns, the second of the three averages of lesson 04. The objective is the first.",
            _of_a_transition,
        ),
        Misconception(
            "mean over the rows",
            "This is the mean over the rows. The rewards of an episode are added up over time.",
            _of_a_row,
        ),
        Misconception(
            "a number for each row",
            "This is what each transition earns, (T,). Add the rows up.",
            _by_row,
        ),
        Misconception(
            "the first transition alone",
            "This is what the first transition earns. All rows count.",
            _first_transition,
        ),
        Misconception(
            "paid for standing",
            "The reward is asked of the cell before the move. Nobody who is active stands on a "
            "goal, so the goal's reward is never paid. Take planning.transition_reward.",
            _by_place,
        ),
        Misconception(
            "rewards not weighted",
            "The rewards of a cell's actions are added without their probabilities, as if all "
            "were taken at once.",
            _rewards_not_weighted,
        ),
        Misconception(
            "every action equally likely",
            "The rewards of a cell's actions are averaged as if all were equally likely. Weight "
            "them with `probabilities`.",
            _rewards_averaged,
        ),
        Misconception(
            "values in place of rewards",
            "A value holds everything that is still to come, so later rewards are counted once "
            "for each row before them. Weight the rewards of single transitions.",
            _values_as_often,
        ),
        Misconception(
            "the best policy", "This is what the best actions earn, not this policy.", _best
        ),
        Misconception(
            "the length",
            "This is the expected number of transitions. Weight each with what it earns.",
            _length,
        ),
        Misconception("constant", "The answer is 0 whatever is earned.", _zero),
    ),
    hints=(
        "An episode earns what its transitions earn. How often is a transition taken from cell s "
        "at time t, and what does it earn?",
        "reward = (probabilities * planning.transition_reward(world)).sum(axis=1) is (S,).",
        "(planning.occupancy(world, probabilities, num_steps) * reward).sum()",
    ),
    why="A mean over all cells looks like a mean over episodes, and episodes start on two cells.",
    gain="compute one number in two ways that share no line",
    explanation=(
        "By expectation, the return is a sum over all moments and all cells: the chance to take a "
        "transition there, times what it earns on average. It needs no values. That it equals "
        "the mean of V[0] over the starts checks both recursions against each other."
    ),
)
