"""The value of a policy, by backward induction."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._probes import sparing
from gridroll.exercises.planning import wrong_values
from gridroll.exercises.planning.cases import drawn_case, from_library, policy_cases

SCAFFOLD = '''
def policy_value(world, probabilities, num_steps):
    """The expected sum of rewards still to come, by backward induction.

    Args:
        world: the rules.
        probabilities: (S, A) float32, of each action in each cell.
        num_steps: T, the transitions that are collected.

    Returns:
        (T + 1, S) float32. Entry [t, s] is for an environment that is active in s after t
        transitions; 0 on goals, from the world's horizon on, and in row T.
    """

    def go_back(later, t):
        # 1. `later` holds the values of row t + 1. planning.back_up makes those of row t from them.
        # 2. From the horizon on (t >= world.horizon) nothing is left.
        now = ...
        # 3. Hand them on to the row before, and emit them.
        return ...

    nothing = jnp.zeros(world.goal.shape, jnp.float32)
    # 4. scan over t = 0 to T - 1, from the last to the first. The carry begins with `nothing`.
    _, value = ...
    # 5. Add row T below the others: jnp.concatenate([..., ...[None]]) makes one row of (S,).
    return ...
'''


def regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    """Places of a (T or T + 1, S) table that a mistake may keep to."""
    world = case.args[0]
    t, cell = np.indices(expected.shape)
    horizon = int(world.horizon)
    return {
        "the goals": np.asarray(world.goal)[cell],
        "rows from the horizon on": t >= horizon,
        "the row before the horizon": t == horizon - 1,
        "row 0": t == 0,
        "the last row": t == expected.shape[0] - 1,
    }


POLICY_VALUE = Exercise(
    name="planning.policy_value",
    title="all the way back",
    task="Write `policy_value(world, probabilities, num_steps)` with a scan from the end.",
    points=3,
    difficulty=3,
    reference=planning.policy_value,
    answer=from_library(planning.policy_value),
    scaffold=SCAFFOLD.lstrip(),
    visible=policy_cases,
    generate=drawn_case,
    eager=2,  # the corridors: maps are compiled once, under jit
    axes=("t", "s"),
    probe=sparing,
    regions=regions,
    rules={
        "": "V[T] is 0; V[t] is back_up(world, probabilities, V[t + 1]) for t below the horizon "
        "and 0 from it on."
    },
    misconceptions=(
        Misconception(
            "time reversed",
            "The rows stand by steps left, so row 0 is the end. Row t is for t transitions taken: "
            "row 0 is the beginning and row T the end.",
            wrong_values.time_reversed,
            also=(wrong_values.steps_left_order,),
        ),
        Misconception(
            "scanned forward",
            "The scan runs from t = 0 on, so the values that need the end are made first. Only "
            "the end is known: scan with reverse=True.",
            wrong_values.forwards,
        ),
        Misconception(
            "goal reward missing",
            "The transition that reaches a goal is paid the step reward. Its own reward is the "
            "goal's.",
            wrong_values.no_goal_reward,
        ),
        Misconception(
            "goal keeps a value",
            "A goal collects its reward again with every step that is left. The episode is over "
            "there, so its value is 0 in every row.",
            wrong_values.goal_keeps,
        ),
        Misconception(
            "no horizon",
            "The rows from the world's horizon on have values. No episode is active there, "
            "however many rows are collected: they are 0, and the rows before them are made from "
            "0.",
            wrong_values.no_horizon,
        ),
        Misconception(
            "horizon one late",
            "Row t = horizon has values. After `horizon` transitions an episode is over, so this "
            "row is the first one of 0: t >= world.horizon.",
            wrong_values.horizon_late,
        ),
        Misconception(
            "horizon one early",
            "Row horizon - 1 is 0. One transition is left there, and it earns its reward.",
            wrong_values.horizon_early,
        ),
        Misconception(
            "horizon counted from the end",
            "The horizon is compared with the steps that are left. It counts the transitions that "
            "were taken: t.",
            wrong_values.horizon_from_the_end,
        ),
        Misconception(
            "the best action",
            "This takes the best action everywhere. Asked for is what this policy earns.",
            wrong_values.best,
        ),
        Misconception(
            "every action equally likely",
            "The values are those of the uniform policy, whatever `probabilities` says.",
            wrong_values.uniform,
        ),
        Misconception(
            "row T missing",
            "There are T rows. The last one, with nothing left, belongs to the table: T + 1 rows.",
            wrong_values.row_t_missing,
        ),
        Misconception(
            "the row of zeros on top",
            "The row of zeros stands above the others. It is row T, when nothing is left: put it "
            "below.",
            wrong_values.zeros_on_top,
        ),
        Misconception(
            "emits what comes later",
            "Each row holds the values of the row behind it. The body hands on and emits the same "
            "values: those of row t.",
            wrong_values.emits_later,
        ),
        Misconception(
            "the end pays the goal's reward",
            "The values begin with the goal's reward on the goals, and it is paid once more for "
            "getting there. The transition is paid; the goal itself is worth 0.",
            wrong_values.goal_reward_at_the_end,
            also=(wrong_values.goal_reward_kept_at_the_end,),
        ),
        Misconception(
            "returns the carry",
            "scan returns two things, the last carry and what was emitted. This is the carry, row "
            "0 alone.",
            wrong_values.carry,
        ),
        Misconception(
            "one step only",
            "Every row is what the next transition earns. `later` isn't used: hand each row on to "
            "the one before.",
            wrong_values.next_reward,
        ),
        Misconception("constant", "Every value is 0 whatever is earned.", wrong_values.zeros),
    ),
    hints=(
        "What do you know about row T without any computation? And which row can you make then?",
        "go_back gets row t + 1 and makes row t: a backup, or 0 from the horizon on. It returns "
        "the row twice, to hand it on and to keep it. With reverse=True scan begins with the last "
        "t, and what it keeps still stands in the order of t.",
        "now = jnp.where(t < world.horizon, planning.back_up(world, probabilities, later), 0.0); "
        "return now, now. Below: _, value = jax.lax.scan(go_back, nothing, jnp.arange(num_steps), "
        "reverse=True), and jnp.concatenate([value, nothing[None]]).",
    ),
    why="Rows that stand by steps left look alike, and give row 0 the values of the end.",
    gain="know what a policy is worth from every cell at every time, without drawing anything",
    explanation=(
        "Only the end is known: with nothing left the value is 0. Each row is one backup of the "
        "next row, so a scan from the last row to the first makes them all. From the horizon "
        "on no episode is active, and the value is 0 there too."
    ),
)
