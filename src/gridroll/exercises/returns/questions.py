"""Predictions and choices of lesson 04."""

import math
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, policy, returns
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.collector import Trajectory
from gridroll.exercises._shared import is_whole_number
from gridroll.gridworld import corridor


@cache
def recorded_run() -> Trajectory:
    """The run of lesson 03: uniform policy, key(5), 64 environments, 8 steps."""
    return collector.rollout(
        corridor(), policy.bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )[1]


def _returns() -> np.ndarray:
    return np.asarray(returns.episode_return(recorded_run()))


def _near_the_mean() -> int:
    earned = _returns()
    return int((np.abs(earned - earned.mean()) < 0.1).sum())


def _padding_factors() -> list[float]:
    """What doubling the rows with padding multiplies each average by."""
    record = recorded_run()
    empty = jnp.zeros_like(record.active)
    reward = jnp.concatenate([record.reward, jnp.zeros_like(record.reward)])
    longer = returns.averages(reward, jnp.concatenate([record.active, empty]))
    shorter = returns.averages(record.reward, record.active)
    return [round(float(new / old), 3) for new, old in zip(longer, shorter, strict=True)]


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


NEAR_THE_MEAN = Prediction(
    name="returns.near_the_mean",
    title="how many are average?",
    task=(
        "The mean return of the 64 episodes of lesson 03 is 0.585. How many of them have a return "
        "within 0.1 of it?"
    ),
    form="one whole number",
    guess="12",
    accepts=is_whole_number,
    truth=_near_the_mean,
    explain=lambda truth: (
        f"{truth or 'None'}. An episode that is cut off earns {_returns().min():.2f}, one that "
        f"reaches the goal {_returns()[_returns() > 0].min():.2f} or more, and there is nothing "
        "in between. The mean lies where no episode is: it says what an episode earns on average, "
        "and not what a typical one earns."
    ),
    leaks=("within_a_tenth", "within a tenth of"),
)

PADDING_FACTORS = Prediction(
    name="returns.padding_factors",
    title="twice the rows",
    task=(
        "The same 64 episodes are recorded with num_steps=16; the horizon stays 8. By what factor "
        "does each average change: over episodes, over live transitions, over cells? A 1 says "
        "that it stays."
    ),
    form="three numbers in a list",
    placeholder="[..., ..., ...]",
    guess="[1, 0.5, 0.5]",
    accepts=lambda guess: (
        isinstance(guess, list | tuple) and len(guess) == 3 and all(map(_is_number, guess))
    ),
    truth=_padding_factors,
    explain=lambda truth: (
        "The 8 rows more are padding for everybody, and padding earns 0, so the sum above the "
        "line stays. Neither the number of episodes nor that of live transitions changes. The "
        f"number of cells doubles, so the third average is multiplied by {truth[2]:g}: it depends "
        "on how long you went on recording."
    ),
    leaks=("halves when",),
)

WHICH_REPORT = Choice(
    name="returns.which_report",
    title="Which average is it?",
    task=(
        "The report says that the policy that always moves right has a mean return of 0.382. "
        "Which number did its author compute?"
    ),
    options={
        "a": Option(
            "the mean over episodes, of an unlucky batch",
            "No batch is that unlucky: every episode of this policy earns 0.98 or 0.99, so a mean "
            "over episodes lies between the two.",
        ),
        "b": Option(
            "the mean over live transitions",
            "Right: a return of about 0.98 is spread over two or three transitions. The label "
            "says return, and the number is what one transition earns.",
        ),
        "c": Option(
            "the mean over all cells",
            "That one is smaller still: each column has eight cells, and the sum of about 0.98 is "
            "divided by all of them.",
        ),
        "d": Option(
            "none of them: the recording was made with another θ",
            "The recording is the right one: you found the number in it. What is divided by is not "
            "the number of episodes.",
        ),
    },
    right="b",
)

WHICH_QUESTION = Choice(
    name="returns.which_question",
    title="Which one is the objective?",
    task=(
        "You compare two policies by what an episode earns. Which average answers your question?"
    ),
    options={
        "a": Option(
            "the one over live transitions, because it doesn't depend on padding",
            "It doesn't, and still it answers another question: long episodes count more often. "
            "With the limit raised to 16, the uniform policy earned more in an episode and less "
            "in a transition.",
        ),
        "b": Option(
            "the one over episodes, because each episode counts once, however long it is",
            "Right. The objective is the expected return of an episode, and this is its estimate.",
        ),
        "c": Option(
            "any of them, because they order policies alike",
            "They don't: raising the limit to 16 moved the first average up and the second one "
            "down. The third moves even when the policy and its episodes stay the same.",
        ),
    },
    right="b",
)

WHY_WHERE = Choice(
    name="returns.why_where",
    title="Why where?",
    task=(
        "The padding of a record holds NaN. What is `(value * mask).sum()`, where mask is 0.0 on "
        "the padding and 1.0 on the rest?"
    ),
    options={
        "a": Option(
            "the sum of the live values, because the padding is multiplied by 0",
            "0 * nan is nan: NaN survives every multiplication, and one of them makes the whole "
            "sum NaN.",
        ),
        "b": Option(
            "NaN",
            "Right: 0 * nan is nan. jnp.where(mask, value, 0) picks the 0 and leaves the NaN out.",
        ),
        "c": Option(
            "an error",
            "NaN raises no error. It spreads in silence, which is why it is worth keeping out.",
        ),
    },
    right="b",
)

WHAT_MENDS = Choice(
    name="returns.what_mends",
    title="What mends the sample?",
    task=(
        "A report is on the first sixteen episodes that finish. Which change makes its mean return "
        "a fair estimate?"
    ),
    options={
        "a": Option(
            "collect 1024 environments, and take the first sixteen that finish",
            "Then there are more quick successes to pick from, and all sixteen are as short as an "
            "episode can be. More data makes a choice by result worse.",
        ),
        "b": Option(
            "raise the horizon to 16, so that more episodes reach the goal",
            "The first sixteen to finish are the same ones as before: they ended long before the "
            "limit.",
        ),
        "c": Option(
            "take environments 0 to 15, and wait until each has ended",
            "Right: which episodes count is settled before any of them runs, so their results "
            "can't influence the choice.",
        ),
        "d": Option(
            "leave the sixteen as they are, and report the standard error beside the mean",
            "A standard error says how far chance moves the mean of a fair sample. It can't see "
            "that the sample was chosen by its results; here it would be tiny.",
        ),
    },
    right="c",
)

HALF_THE_ERROR = Choice(
    name="returns.half_the_error",
    title="Half the error",
    task="64 episodes give a standard error of 0.063. How do you get about half of it?",
    options={
        "a": Option(
            "collect 128 episodes",
            "The error falls with the root of the number: sqrt(2) = 1.41, so about 0.044 is left.",
        ),
        "b": Option(
            "collect 256 episodes",
            "Right: four times the episodes, and the root of 4 is 2.",
        ),
        "c": Option(
            "record twice as many rows of each episode",
            "More rows are padding, and the number of episodes stays 64. Nothing new is learnt.",
        ),
    },
    right="b",
)
