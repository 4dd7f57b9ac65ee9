"""What could be expected before each action."""

from typing import Any

import numpy as np

from gridroll import policy, reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._probes import constant_in_theta
from gridroll.exercises._shared import floats, source
from gridroll.exercises.reinforce import recordings, wrong_baselines
from gridroll.gridworld import corridor

CELL_AS_ROW = (
    "One index picks a row of the table, and the rows are times: this looks the cell up as a time. "
    "The table is value[time, cell], so each transition needs both."
)

SCAFFOLD = '''
def baseline(world, policy, theta, trajectory):
    """What could be expected before each action: the exact V[t, s] of theta, (T, B) float32.

    It is 0 in padding, and constant in theta: no gradient flows through.
    """
    # 1. The value of theta's own policy, for each time and cell (planning.policy_value).
    # 2. No gradient through it.
    # 3. The entry of every transition: its time, and the cell before its step.
    return ...
'''


def _case(
    rng: np.random.Generator,
    lengths: Any,
    endings: Any,
    horizon: int,
    size: recordings.Size = recordings.SIZE,
) -> Case:
    world = corridor(
        size[2],
        horizon=horizon,
        step_reward=float(rng.choice([-1.0, -0.25, 0.5])),
        goal_reward=float(rng.choice([2.0, 3.5])),
    )
    theta = floats(recordings.logits(rng, size[2]))
    record = recordings.recording(rng, lengths, endings, size=size)
    return Case((world, policy.bernoulli, theta, record))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    return (
        _case(drawn, recordings.LENGTHS, recordings.ENDINGS, 8),
        _case(drawn, (1, 5, 4), ("goal", "limit", "goal"), 5),
    )


def _generate(rng: np.random.Generator) -> Case:
    size = recordings.drawn_size(rng)
    horizon = size[0] + int(rng.integers(4))
    return _case(rng, *recordings.drawn_endings(rng), horizon, size)


BASELINE = Exercise(
    name="reinforce.baseline",
    title="what could be expected anyway",
    task=(
        "Write `baseline(world, policy, theta, trajectory)`, the value V(t, s) before each action, "
        "through which no gradient flows."
    ),
    points=3,
    difficulty=3,
    reference=reinforce.baseline,
    answer=source(reinforce.baseline),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    probe=constant_in_theta,
    outputs=("baseline", "gradient"),
    axes=("t", "b"),
    eager=0,  # what it costs is small programs, and jit runs every case
    rules={
        "baseline": "On an active transition t in cell s: the value of theta's policy in row t "
        "and column s. In the padding: 0.",
        "gradient": "The baseline is constant in theta, so its gradient is 0.",
    },
    misconceptions=(
        Misconception(
            "the value of where it leads",
            "This is the value of the cell behind the action. It looks at what the action did, so "
            "subtracting it changes the mean of the estimate. Take the cell before the step.",
            wrong_baselines.next_cell,
            also=(
                wrong_baselines.picks(wrong_baselines.next_row),
                wrong_baselines.picks(wrong_baselines.same_row_next_cell),
            ),
        ),
        Misconception(
            "one row late",
            "The cell is right and the time is t + 1: the value with one step less to go. Row t "
            "is before transition t.",
            wrong_baselines.picks(
                lambda value, trajectory, rows: value[rows + 1, trajectory.observation]
            ),
        ),
        Misconception(
            "of the action",
            "This is what could be expected after the action was chosen. Subtracting it takes "
            "away what the estimate should learn from: the gradient is biased.",
            wrong_baselines.of_the_action,
        ),
        Misconception(
            "differentiated through",
            "The values are right, and they move with theta, so a gradient flows through them. A "
            "baseline is constant: jax.lax.stop_gradient.",
            wrong_baselines.differentiable,
        ),
        Misconception(
            "another policy's value",
            "This is the value of the uniform policy, theta = 0. What could be expected under "
            "theta is the value of theta's own policy.",
            wrong_baselines.uniform,
        ),
        Misconception(
            "the best value",
            "This is the value of acting optimally, which theta doesn't.",
            wrong_baselines.best,
        ),
        Misconception(
            "time left out",
            "Row 0 is used throughout, as if no time had passed.",
            wrong_baselines.picks(lambda value, trajectory, rows: value[0, trajectory.observation]),
        ),
        Misconception(
            "time reversed",
            "The rows are counted by steps left. Row t of the table is for t transitions taken.",
            wrong_baselines.picks(
                lambda value, trajectory, rows: value[rows[::-1] + 1, trajectory.observation]
            ),
        ),
        Misconception(
            "padding",
            "There is a value on the padding too. After the end nothing can be expected: 0.",
            wrong_baselines.in_padding_too,
        ),
        Misconception(
            "the horizon for the number of rows",
            "The number of rows comes from the world's horizon. That is an array, whose value "
            "isn't known under jit, and a record may be shorter or longer. Take T from the "
            "record's shape: trajectory.observation.shape[0].",
            wrong_baselines.by_horizon,
            raises="num_steps is traced|problem arose with the `int` function",
        ),
        Misconception(
            "rows that don't line up with the cells",
            "The rows have shape (T,) and the cells (T, B). Shapes are lined up from the right, so "
            "the rows meet the environments. Make the rows a column, (T, 1), with [:, None].",
            wrong_baselines.flat_rows,
            raises=r"\[\((\d+),\), \(\1, \d+\)\]",
        ),
        Misconception(
            "the cell as a row",
            CELL_AS_ROW,
            wrong_baselines.cell_as_row_masked,
            raises=r"\[\((\d+), (\d+)\), \(\1, \2, \d+\)",
        ),
        Misconception("the cell as a row, no mask", CELL_AS_ROW, wrong_baselines.cell_as_row),
        Misconception(
            "every time for each transition",
            "Each cell is looked up in every row of the table. A transition has one time: index "
            "with its row and its cell together.",
            wrong_baselines.every_row,
            also=(wrong_baselines.every_row_unmasked, wrong_baselines.every_row_but_the_last),
        ),
        Misconception(
            "constant", "The baseline is 0 whatever could be expected.", wrong_baselines.nothing
        ),
    ),
    hints=(
        "planning.policy_value gives a table (T + 1, S). Each transition has a time and a cell.",
        "value[rows, trajectory.observation] with rows = jnp.arange(num_steps)[:, None] picks an "
        "entry for every (t, b).",
        "value = jax.lax.stop_gradient(planning.policy_value(world, policy.probabilities(theta), "
        "num_steps)), then pick, and jnp.where(trajectory.active, ..., 0.0).",
    ),
    why=(
        "The value of the next cell looks at what the action did, and subtracting it biases the "
        "gradient."
    ),
    gain="subtract what could be expected anyway, without moving the mean",
    explanation=(
        "Before the action nothing is known but the time and the cell, and V[t, s] is what theta's "
        "policy earns from there on average. Two index arrays, rows (T, 1) and observation "
        "(T, B), pick one entry for every transition. stop_gradient makes it a constant."
    ),
)
