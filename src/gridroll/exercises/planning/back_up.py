"""One step back: the values with one step more left."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._shared import floats, random_world
from gridroll.exercises.planning.cases import (
    best_action,
    from_library,
    gains,
    mean_action,
    policy_table,
    rewards,
    short_corridor,
    two_goals,
)

SCAFFOLD = '''
def back_up(world, probabilities, next_value):
    """The value of each cell, from the values of the cells with one step less left.

    Args:
        world: the rules.
        probabilities: (S, A) float32, of each action in each cell.
        next_value: (S,) float32, the values one transition later; 0 on goals.

    Returns:
        (S,) float32, 0 on goals.
    """
    # 1. For each action (S, A): its reward, and the value of the cell that it leads to.
    # 2. The mean over the actions, each as likely as the policy makes it.
    # 3. On a goal the episode is over. What is left to earn there?
    return ...
'''


def _unmasked(world: Any, later: Any) -> np.ndarray:
    return rewards(world) + np.asarray(later)[np.asarray(world.next_position)]


def _goal_keeps(world: Any, probabilities: Any, next_value: Any) -> Any:
    return mean_action(probabilities, _unmasked(world, next_value))


def _in_place(world: Any, probabilities: Any, next_value: Any) -> Any:
    value = np.array(next_value, float)
    for cell in range(len(value)):
        value[cell] = mean_action(probabilities, gains(world, value))[cell]
    return value


def _rewards_of_leaving(world: Any, probabilities: Any, next_value: Any) -> Any:
    goal = np.asarray(world.goal)[:, None]
    reward = np.where(goal, float(world.goal_reward), float(world.step_reward))
    return mean_action(
        probabilities, reward + np.asarray(next_value)[np.asarray(world.next_position)]
    )


def _no_goal_reward(world: Any, probabilities: Any, next_value: Any) -> Any:
    gain = float(world.step_reward) + np.asarray(next_value)[np.asarray(world.next_position)]
    return mean_action(probabilities, np.where(np.asarray(world.goal)[:, None], 0.0, gain))


def _both_rewards(world: Any, probabilities: Any, next_value: Any) -> Any:
    arrives = np.asarray(world.goal)[np.asarray(world.next_position)]
    extra = np.where(arrives, float(world.step_reward), 0.0) + gains(world, np.asarray(next_value))
    return mean_action(probabilities, np.where(np.asarray(world.goal)[:, None], 0.0, extra))


def _no_reward(world: Any, probabilities: Any, next_value: Any) -> Any:
    gain = np.asarray(next_value)[np.asarray(world.next_position)]
    return mean_action(probabilities, np.where(np.asarray(world.goal)[:, None], 0.0, gain))


def _reward_alone(world: Any, probabilities: Any, next_value: Any) -> Any:
    return mean_action(probabilities, gains(world, np.zeros(len(next_value))))


def _stays(world: Any, probabilities: Any, next_value: Any) -> Any:
    gain = rewards(world) + np.asarray(next_value)[:, None]
    return mean_action(probabilities, np.where(np.asarray(world.goal)[:, None], 0.0, gain))


def _uniform(world: Any, probabilities: Any, next_value: Any) -> Any:
    return gains(world, np.asarray(next_value)).mean(axis=1)


def _best(world: Any, probabilities: Any, next_value: Any) -> Any:
    return best_action(probabilities, gains(world, np.asarray(next_value)))


def _unweighted(world: Any, probabilities: Any, next_value: Any) -> Any:
    return gains(world, np.asarray(next_value)).sum(axis=1)


def _reward_unweighted(world: Any, probabilities: Any, next_value: Any) -> Any:
    later = np.asarray(next_value)[np.asarray(world.next_position)]
    value = rewards(world).sum(axis=1) + mean_action(probabilities, later)
    return np.where(np.asarray(world.goal), 0.0, value)


def _over_cells(world: Any, probabilities: Any, next_value: Any) -> Any:
    return (np.asarray(probabilities) * gains(world, np.asarray(next_value))).sum(axis=0)


def _each_action(world: Any, probabilities: Any, next_value: Any) -> Any:
    return gains(world, np.asarray(next_value))


def _zeros(world: Any, probabilities: Any, next_value: Any) -> Any:
    return np.zeros(len(next_value))


def _case(world: Any, rng: np.random.Generator) -> Case:
    value = np.where(np.asarray(world.goal), 0, rng.integers(-24, 40, world.goal.shape[0]) / 8)
    return Case((world, policy_table(rng, world), floats(value)))


def _visible() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    corridor = short_corridor()
    nothing = Case((corridor, policy_table(rng, corridor), floats([0, 0, 0, 0])))
    return (_case(corridor, rng), nothing, _case(two_goals(9), rng))


BACK_UP = Exercise(
    name="planning.back_up",
    title="one step back",
    task="Write `back_up(world, probabilities, next_value)`: the values with one step more left.",
    points=2,
    difficulty=2,
    reference=planning.back_up,
    answer=from_library(planning.action_value, planning.back_up),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=lambda rng: _case(random_world(rng), rng),
    eager=2,  # the corridors
    axes=("s",),
    regions=lambda case, expected: {
        "the goals": np.asarray(case.args[0].goal),
        "cells other than goals": ~np.asarray(case.args[0].goal),
    },
    rules={
        "": "V[s] is the sum over a of probabilities[s, a] * (reward[s, a] + "
        "next_value[next_position[s, a]]), and 0 on goals."
    },
    misconceptions=(
        Misconception(
            "goal keeps a value",
            "Both actions of a goal lead to itself, so its row collects the goal's reward again. "
            "The episode is over there, and its value is 0. The reward belongs to the transition "
            "that gets there.",
            _goal_keeps,
        ),
        Misconception(
            "updated in place",
            "The cells are changed one after the other, and later cells already see the new "
            "values of earlier ones. They mix numbers for different steps left. Every new value is "
            "made from the old ones alone.",
            _in_place,
        ),
        Misconception(
            "reward of the cell that is left",
            "Whether the goal's reward is paid is asked of the cell before the move. It is paid "
            "for where the move leads: world.goal[world.next_position].",
            _rewards_of_leaving,
        ),
        Misconception(
            "goal reward missing",
            "Every transition is paid the step reward, also the one that reaches a goal. Ask "
            "where a move leads: planning.transition_reward has the reward of each action.",
            _no_goal_reward,
        ),
        Misconception(
            "both rewards for reaching a goal",
            "The transition that reaches a goal is paid the goal's reward and the step reward. It "
            "gets the goal's reward in place of the other.",
            _both_rewards,
        ),
        Misconception(
            "no reward",
            "These are the values of where the actions lead. The reward of the transition itself "
            "is missing.",
            _no_reward,
        ),
        Misconception(
            "only the reward",
            "This is what the next transition earns. What comes after it is missing: the value "
            "of the cell that the action leads to.",
            _reward_alone,
        ),
        Misconception(
            "value of the cell itself",
            "next_value is taken for the cell before the move. The action leads elsewhere: "
            "next_value[world.next_position].",
            _stays,
        ),
        Misconception(
            "every action equally likely",
            "The actions are averaged as if the policy were uniform. Weight each with its "
            "probability.",
            _uniform,
        ),
        Misconception(
            "the best action",
            "This takes the best action of each cell. The value of a policy averages over what "
            "the policy does; the best comes later.",
            _best,
        ),
        Misconception(
            "not weighted",
            "The actions are added up without their probabilities, as if all were taken at once.",
            _unweighted,
        ),
        Misconception(
            "rewards not weighted",
            "The values of the next cells are weighted with the probabilities, and the rewards "
            "aren't. Each action has its own reward: add first, then weight.",
            _reward_unweighted,
        ),
        Misconception(
            "summed over the cells",
            "The sum runs over axis 0, the cells, and leaves a number for each action. Sum over "
            "the actions: axis 1.",
            _over_cells,
        ),
        Misconception(
            "a value for each action",
            "This is (S, A), a value for each action. Take the mean over the actions, weighted "
            "with the probabilities: one value for each cell.",
            _each_action,
        ),
        Misconception("constant", "Every value is 0, whatever comes next.", _zeros),
    ),
    hints=(
        "Take one cell and both of its actions. What does each earn at once, and which entry of "
        "next_value does it lead to?",
        "gain = planning.transition_reward(world) + next_value[world.next_position] is (S, A), "
        "for all cells and actions at once.",
        "value = (probabilities * gain).sum(axis=1), then jnp.where(world.goal, 0.0, value).",
    ),
    why="If goals weren't set to 0, they would go on paying, once for each step that is left.",
    gain="say what one step more is worth",
    explanation=(
        "next_value[next_position] looks up, for every action of every cell, what comes after it. "
        "The reward is added, the policy's probabilities weight the sum, and goals are set to 0, "
        "because an episode that is over earns nothing."
    ),
)
