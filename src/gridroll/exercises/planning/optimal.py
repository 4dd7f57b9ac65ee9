"""The best that can be done, and an action that does it."""

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import sparing
from gridroll.exercises._shared import random_world
from gridroll.exercises.planning import wrong_optima
from gridroll.exercises.planning.cases import from_library, short_corridor, two_goals

SCAFFOLD = '''
def optimal(world, num_steps):
    """The largest expected sum of rewards still to come, and an action that attains it.

    Args:
        world: the rules.
        num_steps: T, the transitions that are collected.

    Returns:
        The value (T + 1, S) float32, 0 on goals, from the world's horizon on and in row T; the
        action (T, S) int32, the lowest of those that are equally good, so 0 where nothing is left.
    """
    return ...
'''


def _visible() -> tuple[Case, ...]:
    return (
        Case((short_corridor(), 3)),
        Case((short_corridor(2), 3)),
        Case((two_goals(9), 5)),
        Case((two_goals(3), 5)),
        Case((two_goals(9, step_reward=0.5), 5)),
    )


def _generate(rng: np.random.Generator) -> Case:
    return Case((random_world(rng), *_fresh.sizes(rng, 5, least=3)))


OPTIMAL = Exercise(
    name="planning.optimal",
    title="the best that can be done",
    task="Write `optimal(world, num_steps)`, from its docstring alone.",
    points=3,
    difficulty=3,
    reference=planning.optimal,
    answer=from_library(planning.optimal),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    eager=2,  # the corridors: maps are compiled once, under jit
    outputs=("value", "action"),
    axes=("t", "s"),
    probe=sparing,
    rules={
        "value": "V[T] is 0; V[t, s] is the largest over a of reward[s, a] + "
        "V[t + 1, next_position[s, a]], and 0 on goals and from the horizon on.",
        "action": "The lowest action whose reward and following value add up to V[t, s]; 0 where "
        "nothing is left to earn.",
    },
    misconceptions=(
        Misconception(
            "averages the actions",
            "The values are means over the actions, those of the uniform policy. Whoever acts "
            "best takes the largest.",
            wrong_optima.averages_actions,
        ),
        Misconception(
            "the last of equal actions",
            "Where several actions are equally good, the last one is taken. The docstring asks "
            "for the lowest, which is what argmax gives.",
            wrong_optima.last_tie,
        ),
        Misconception("the worst action", "The smallest value is taken.", wrong_optima.worst),
        Misconception(
            "one plan for all times",
            "The actions of row 0 stand in every row. With few steps left another action may be "
            "best, or none may matter: each row has its own.",
            wrong_optima.one_plan,
        ),
        Misconception(
            "greedy actions",
            "The values are right. The actions are those with the largest reward of their own, "
            "and what comes after them isn't looked at.",
            wrong_optima.greedy_actions,
        ),
        Misconception(
            "looks one step ahead",
            "Every row is the best reward of the next transition alone. Add the value of where it "
            "leads.",
            wrong_optima.shortsighted,
        ),
        Misconception(
            "goal keeps a value",
            "A goal collects its reward again with every step that is left. It is worth 0.",
            wrong_optima.goal_keeps,
        ),
        Misconception(
            "goal reward missing",
            "Reaching a goal is paid the step reward. planning.action_value has the rewards in it.",
            wrong_optima.no_goal_reward,
        ),
        Misconception(
            "no horizon",
            "The rows from the world's horizon on have values. Nobody is active there.",
            wrong_optima.no_horizon,
        ),
        Misconception(
            "acts beyond the horizon",
            "The values are right, and the actions from the horizon on look ahead all the same. "
            "Nothing is left to earn there, so all actions are equal: the lowest, 0.",
            wrong_optima.acts_beyond,
        ),
        Misconception(
            "time reversed",
            "The rows stand by steps left. Row t is for t transitions taken.",
            wrong_optima.time_reversed,
        ),
        Misconception(
            "actions reversed",
            "The values stand by transitions taken, and the actions by steps left.",
            wrong_optima.actions_reversed,
        ),
        Misconception(
            "actions of the next row",
            "Each row holds the actions of the row behind it.",
            wrong_optima.of_the_next_row,
        ),
        Misconception(
            "an action with nothing left",
            "The actions have T + 1 rows. With nothing left there is nothing to do: T rows.",
            wrong_optima.action_row_more,
        ),
        Misconception(
            "row T of the values missing",
            "The values have T rows. The last one, with nothing left, belongs to the table.",
            wrong_optima.value_row_less,
        ),
        Misconception(
            "argmax over the cells",
            "argmax runs along the cells. The best action is one for each cell: axis 1.",
            wrong_optima.best_cell,
        ),
        Misconception(
            "values for actions",
            "In place of the actions stands what they earn. jnp.argmax says which one it is.",
            wrong_optima.best_reward,
        ),
        Misconception("constant", "Every value and every action is 0.", wrong_optima.zeros),
    ),
    hints=(
        "Start from policy_value. Which single line has to change if the actor may choose?",
        "planning.action_value(world, later) is (S, A); make it 0 from the horizon on. In each row "
        "the largest entry is the value, and its place is the action. What a scan's body emits may "
        "be a tuple: then two arrays come back.",
        "values = jnp.where(t < world.horizon, planning.action_value(world, later), 0.0); value = "
        "values.max(axis=1); action = jnp.argmax(values, axis=1).astype(jnp.int32); return value, "
        "(value, action). The scan and row T of the values are as in policy_value.",
    ),
    why="A plan for all times ignores the clock, and the best action depends on it.",
    gain="say how good any policy can get in a world that you know",
    explanation=(
        "Only one line differs from the value of a policy: the mean over the actions becomes the "
        "largest. argmax finds the first action that attains it. Row by row, so the best action "
        "may change as time runs out."
    ),
)
