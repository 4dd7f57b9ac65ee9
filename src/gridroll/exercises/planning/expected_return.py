"""What an episode earns on average: the second route to it, by occupancy."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.classroom.reference import expected_result
from gridroll.exercises.planning import wrong_returns
from gridroll.exercises.planning.cases import (
    drawn_case,
    from_library,
    policy_cases,
    policy_table,
    short_corridor,
    with_starts,
)

SCAFFOLD = '''
def expected_return(world, probabilities, num_steps):
    """The expected return of an episode: what each cell earns, as often as it is occupied.

    Args:
        world: the rules; each entry of `starts` is equally likely. An episode that starts on a
            goal takes one transition, which earns the goal's reward, as in a rollout.
        probabilities: (S, A) float32, of each action in each cell.
        num_steps: T, the transitions that are collected.

    Returns:
        () float32.
    """
    # 1. What does a transition from each cell earn on average, (S,)?
    # 2. How often is that cell occupied? Sum over cells and rows.
    return ...
'''

GOAL = 3  # of a corridor of four cells


def starts_on_a_goal(
    eager: Callable[..., Any], jitted: Callable[..., Any], rng: np.random.Generator
) -> Fault | None:
    """A start that is a goal has the value 0 and earns: it tells the two ways apart."""
    faults = (_on_a_goal(jitted, int(rng.integers(GOAL)), rng) for _ in range(3))
    return next((fault for fault in faults if fault is not None), None)


def _on_a_goal(way: Callable[..., Any], other: int, rng: np.random.Generator) -> Fault | None:
    starts = [other, GOAL]
    world = with_starts(short_corridor(int(rng.integers(2, 9))), starts)
    case = Case((world, policy_table(rng, world), 3))
    got, wanted = np.asarray(way(*case.args)), expected_result(EXPECTED_RETURN, case)
    if got.shape == () and np.allclose(got, wanted, atol=1e-4):
        return None
    return Fault(
        "It is right until a start is a goal.",
        call=f"expected_return(world, probabilities, 3), with world.starts = {starts} and "
        f"the goal, which pays {world.goal_reward:g}, on cell {GOAL}",
        where="the expected return",
        got=describe(got),
        expected=f"{wanted:.4g}",
        rule="Each cell and row counts: occupancy[t, s] times the mean reward of a transition.",
    )


EXPECTED_RETURN = Exercise(
    name="planning.expected_return",
    title="the return, the other way",
    task="Write `expected_return(world, probabilities, num_steps)` from `planning.occupancy`.",
    points=2,
    difficulty=2,
    reference=planning.expected_return,
    answer=from_library(planning.expected_return),
    scaffold=SCAFFOLD.lstrip(),
    visible=policy_cases,
    generate=drawn_case,
    eager=2,  # the corridors: maps are compiled once, under jit
    rules={
        "": "The sum over t and s of occupancy[t, s] times the mean reward of a transition from s, "
        "which is the sum over a of probabilities[s, a] * reward[s, a]."
    },
    properties=(Property("a start that is a goal", starts_on_a_goal),),
    misconceptions=(
        Misconception(
            "a goal that earns nothing",
            "It is right wherever no start is a goal. Here one is, and who begins there takes one "
            "transition, which earns the goal's reward. The value of a goal is 0, so a mean of "
            "values over the starts leaves that out, and so do rewards that are 0 on goals. Go the "
            "second way: planning.occupancy, times what a transition from each cell earns.",
            wrong_returns.by_values,
            property="a start that is a goal",
        ),
        Misconception(
            "mean over the cells",
            "This is the mean of the values over all cells, as if an episode could start "
            "anywhere. Episodes begin on the starts.",
            wrong_returns.over_cells,
            also=(wrong_returns.over_cells_to_stand_on,),
        ),
        Misconception(
            "one row late",
            "These are the values of row 1. An episode begins in row 0, with all steps left.",
            wrong_returns.one_row_late,
        ),
        Misconception(
            "row 0 left out",
            "What the first transition earns is missing: row 0 of the occupancy is the starts, and "
            "everybody acts there. Sum over all rows.",
            wrong_returns.without_row_0,
        ),
        Misconception(
            "the last row left out",
            "The transition with one step left is missing; it earns too.",
            wrong_returns.without_last_row,
        ),
        Misconception(
            "summed over the starts",
            "The values of the starts are added. An episode begins on one of them: take the mean.",
            wrong_returns.sum_of_starts,
        ),
        Misconception(
            "first start only",
            "This is the value of the first start alone.",
            wrong_returns.first_start,
        ),
        Misconception(
            "summed over the cells",
            "The values of all cells are added, wherever episodes begin.",
            wrong_returns.sum_of_cells,
        ),
        Misconception(
            "what a transition earns",
            "This is the expected return divided by the expected length: what a live transition "
            "earns, the second of the three averages of lesson 04. The objective is the first.",
            wrong_returns.of_a_transition,
        ),
        Misconception(
            "mean over the rows",
            "This is the mean over the rows. The rewards of an episode are added up over time.",
            wrong_returns.of_a_row,
        ),
        Misconception(
            "mean over rows and cells",
            "This is a mean, over cells or over rows and cells. The chances are the weights "
            "already: each entry says how likely it is to be there then. Add everything up.",
            wrong_returns.of_an_entry,
            also=(wrong_returns.of_a_cell,),
        ),
        Misconception(
            "a number for each row",
            "This is what each transition earns, (T,). Add the rows up.",
            wrong_returns.by_row,
        ),
        Misconception(
            "the first transition alone",
            "This is what the first transition earns. All rows count.",
            wrong_returns.first_transition,
        ),
        Misconception(
            "paid for standing",
            "The reward is asked of the cell before the move. Nobody who is active stands on a "
            "goal, so the goal's reward is never paid. Take planning.transition_reward.",
            wrong_returns.by_place,
        ),
        Misconception(
            "rewards not weighted",
            "The rewards of a cell's actions are added without their probabilities, as if all "
            "were taken at once.",
            wrong_returns.rewards_not_weighted,
        ),
        Misconception(
            "every action equally likely",
            "The rewards of a cell's actions are averaged as if all were equally likely. Weight "
            "them with `probabilities`.",
            wrong_returns.rewards_averaged,
        ),
        Misconception(
            "weighted and then averaged",
            "The rewards are weighted with the probabilities, and then averaged over the actions, "
            "which divides by the number of actions once more. A weighted mean is a sum: "
            ".sum(axis=1).",
            wrong_returns.weighted_and_averaged,
        ),
        Misconception(
            "values in place of rewards",
            "A value holds everything that is still to come, so later rewards are counted once "
            "for each row before them. Weight the rewards of single transitions.",
            wrong_returns.values_as_often,
        ),
        Misconception(
            "the best policy",
            "This is what the best actions earn, not this policy.",
            wrong_returns.best,
        ),
        Misconception(
            "the length",
            "This is the expected number of transitions. Weight each with what it earns.",
            wrong_returns.length,
        ),
        Misconception("constant", "The answer is 0 whatever is earned.", wrong_returns.zero),
    ),
    hints=(
        "An episode earns what its transitions earn. How often is a transition taken from cell s "
        "at time t, and what does it earn?",
        "Two tables. The rewards, (S, A), weighted with the probabilities and summed over the "
        "actions, say what a transition from each cell earns, (S,). The occupancy, (T, S), says "
        "how often it is taken: multiply each of its rows by the first, and add everything up.",
        "reward = (probabilities * planning.transition_reward(world)).sum(axis=1), then "
        "(planning.occupancy(world, probabilities, num_steps) * reward).sum().",
    ),
    why="A mean over all cells looks like a mean over episodes, and episodes start on two cells.",
    gain="compute one number in two ways that share no line",
    explanation=(
        "By expectation, the return is a sum over all moments and all cells: the chance to take a "
        "transition there, times what it earns on average. It needs no values. That it equals "
        "the mean of V[0] over the starts checks both recursions against each other."
    ),
)
