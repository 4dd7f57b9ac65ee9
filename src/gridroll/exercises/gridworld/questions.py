"""Predictions and choices of lesson 01."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.exercises._shared import integers, is_whole_number, state


def _two_flags(guess: Any) -> bool:
    return (
        isinstance(guess, list | tuple)
        and len(guess) == 2
        and all(isinstance(flag, bool | np.bool_) for flag in guess)
    )


def _times_printed() -> int:
    """How often a function that is called three times under jit runs its Python lines."""
    times = 0

    @jax.jit
    def counted(position: jax.Array) -> jax.Array:
        nonlocal times
        times += 1
        return jnp.clip(position + 1, 0, 3)

    for position in (0, 1, 2):
        counted(integers(position))
    return times


def _last_step_flags() -> list[bool]:
    outcome = gridworld.step(gridworld.corridor(), state(2, 7), integers(1))
    return [bool(outcome[2]), bool(outcome[3])]


def _right_from_row_end() -> int:
    world = gridworld.from_map("S..\n.#G", horizon=20)
    return int(gridworld.step(world, state(2), integers(1))[0].position)


TIMES_PRINTED = Prediction(
    name="gridworld.times_printed",
    title="how often does it print?",
    task=(
        "A function with a `print` in it is compiled with `jax.jit` and called three times, with "
        "the positions 0, 1 and 2. How many lines are printed?"
    ),
    form="one whole number",
    guess="3",
    accepts=is_whole_number,
    truth=_times_printed,
    explain=lambda truth: (
        f"{truth}: the Python lines run while the function is traced, on the first call. The two "
        "later calls run the compiled program, which holds no print."
    ),
)

GOAL_ON_LAST_STEP = Prediction(
    name="gridworld.goal_on_last_step",
    title="a goal on step 8",
    task=(
        "An episode may have 8 steps. After 7 of them it stands on cell 2, and step number 8 "
        "moves right, onto the goal. Which flags does this step set: `[terminated, truncated]`?"
    ),
    form="True or False twice",
    placeholder="[..., ...]",
    guess="[True, True]",
    accepts=_two_flags,
    truth=_last_step_flags,
    explain=lambda truth: (
        f"terminated is {truth[0]} and truncated is {truth[1]}. The step used up the horizon too, "
        "but there was nothing left to cut off: the task was done. So the goal is asked about "
        "first, and the limit only if there was none."
    ),
)

RIGHT_FROM_ROW_END = Prediction(
    name="gridworld.right_from_row_end",
    title="right from the end of a row",
    task=(
        "On the map above, cell 2 is the last one of row 0. Which cell does the action right lead "
        "to from there?"
    ),
    form="the number of a cell",
    guess="3",
    accepts=is_whole_number,
    truth=_right_from_row_end,
    explain=lambda truth: (
        f"Cell {truth}: it bumps into the edge and stays. Cell 3 has the next number, but it lies "
        "at the other end of the next row; numbers that follow one another needn't be neighbours."
    ),
)

BOTH_BRANCHES = Choice(
    name="gridworld.both_branches",
    title="What does jnp.where compute?",
    task="`jnp.where(done, old, new(old))` is called under jit. Is `new(old)` computed?",
    options={
        "a": Option(
            "only where done is False",
            "That is how `if` works. `jnp.where` is an ordinary function: its three arguments are "
            "computed before it is called, and then it picks, entry by entry.",
        ),
        "b": Option(
            "always; where picks afterwards",
            "Right: both are computed and one is thrown away. So both have to be safe to compute, "
            "and a finished environment costs as much as a running one.",
        ),
        "c": Option(
            "only if done is a Python bool",
            "The condition may be an array or a bool; in both cases all three arguments are "
            "computed before `where` sees them.",
        ),
    },
    right="b",
)

WHAT_TRUNCATED_SAYS = Choice(
    name="gridworld.what_truncated_says",
    title="What does truncated say?",
    task="A step returns truncated = True. What do you know?",
    options={
        "a": Option(
            "the walk failed: from its last cell the goal can't be reached any more",
            "The cell may be next to the goal. It was the time that ran out, not the way.",
        ),
        "b": Option(
            "the step used up the horizon and reached no goal, and the episode is over",
            "Right: the limit is part of this task, so the episode ends there, done is True, and "
            "nothing is added for what might have come.",
        ),
        "c": Option(
            "the episode goes on, and this record of it was cut short",
            "In this course truncated ends the episode: done is True. A record that stops earlier "
            "than its episode sets no flag at all; lesson 03 collects such records.",
        ),
    },
    right="b",
)

WHY_ABSORB = Choice(
    name="gridworld.why_absorb",
    title="Why step a finished state?",
    task="`step` defines what happens to a finished state. Why would anyone step one?",
    options={
        "a": Option(
            "because in a batch all environments are stepped together, and some end earlier",
            "Right: the arrays of a batch keep their shape. A finished environment goes on being "
            "stepped, and absorbing makes those steps do nothing.",
        ),
        "b": Option(
            "to begin the next episode",
            "step never begins anything: it returns the final state and keeps it. A new episode "
            "takes a reset, with a key.",
        ),
        "c": Option(
            "to collect the goal's reward once more",
            "A finished state earns 0. If it earned anything, returns would depend on how long "
            "one goes on.",
        ),
    },
    right="a",
)

WHICH_NUMBER = Choice(
    name="gridworld.which_number",
    title="The number of a cell",
    task=(
        "A map has 3 rows and 5 columns. Which number has the cell in row 2, column 1, both "
        "counted from 0?"
    ),
    options={
        "a": Option(
            "7",
            "That is 2 · 3 + 1, with the number of rows. The cells before row 2 are two whole rows "
            "of 5.",
        ),
        "b": Option(
            "5",
            "That is 1 · 3 + 2: it counts down the columns. Cells are numbered along the rows.",
        ),
        "c": Option(
            "11",
            "Right: 2 · 5 + 1. Two whole rows of 5 cells lie before it, then one cell in its own.",
        ),
    },
    right="c",
)
