"""Predictions and choices of lesson 03."""

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, policy
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.collector import Trajectory
from gridroll.exercises._shared import is_whole_number
from gridroll.gridworld import corridor


@cache
def recorded_run() -> Trajectory:
    """The run that the lesson records: uniform policy, key(5), 64 environments, 8 steps."""
    return collector.rollout(
        corridor(), policy.bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )[1]


def _counts() -> list[int]:
    return [int(n) for n in np.asarray(recorded_run().active).sum(axis=1)]


def _three_counts(guess: Any) -> bool:
    return isinstance(guess, list | tuple) and len(guess) == 3 and all(map(is_whole_number, guess))


FIRST_COUNTS = Prediction(
    name="collector.first_counts",
    title="the first three counts",
    task=(
        "64 environments start on cell 0 or 1 of the corridor, and the uniform policy moves them. "
        "How many are active before transitions 0, 1 and 2?"
    ),
    form="three whole numbers in a list",
    placeholder="[..., ..., ...]",
    guess="[64, 64, 56]",
    accepts=_three_counts,
    truth=lambda: _counts()[:3],
    explain=lambda truth: (
        f"Before transition 0 every environment is active. Before transition 1 still {truth[1]}: "
        "even from cell 1 the goal needs two moves. Then the first episodes end: those that "
        f"started on cell 1 and moved right twice. Here {truth[1] - truth[2]} did; half of the "
        "starts times a quarter would be 8 on average."
    ),
    leaks=("64 64 58", "64, 64, 58"),
)

CUT_OFF = Prediction(
    name="collector.cut_off",
    title="how the last ones end",
    task=(
        "How many of the environments that are active before the last transition are cut off by "
        "the limit, and don't reach the goal on it?"
    ),
    form="one whole number",
    guess="20",
    accepts=is_whole_number,
    truth=lambda: int(recorded_run().truncated.sum()),
    explain=lambda truth: (
        f"{_counts()[-1]} are active before the last transition, and it ends every one of them: "
        f"{_counts()[-1] - truth} step onto the goal, {truth} are cut off. The active count alone "
        "can't tell the two apart; that is why both events are recorded."
    ),
    leaks=("cut off: 23", "23 are cut off"),
)

FIRST_RETURN_TO_GO = Prediction(
    name="collector.first_return_to_go",
    title="what follows the first action",
    task=(
        "An episode earns −0.01, −0.01 and 1, and its last row is padding: (−0.01, −0.01, 1, 0). "
        "Which rewards can the first action still influence, and what is their sum?"
    ),
    form="one number",
    guess="0.98",
    accepts=lambda guess: is_whole_number(guess) or isinstance(guess, float | np.floating),
    truth=lambda: round(float(np.array([-0.01, -0.01, 1, 0]).sum()), 4),
    explain=lambda truth: (
        f"All of them: {truth:g}. The sum of the rewards from a transition on is called its "
        "return-to-go. The third action can no longer change the two rewards before it, so its "
        "return-to-go is 1. Lesson 04 is about these sums."
    ),
    leaks=("0.98, 0.99, 1",),
)

WHICH_AXIS = Choice(
    name="collector.which_axis",
    title="Which axis?",
    task=(
        "`trajectory.reward` has the shape (8, 64). What does `trajectory.reward.sum(axis=1)` hold?"
    ),
    options={
        "a": Option(
            "the return of each of the 64 episodes",
            "axis=1 is the one that disappears, and it is the axis of environments. What is left "
            "has 8 entries, one for each transition. The returns are sum(axis=0).",
        ),
        "b": Option(
            "what all environments together earned in each of the 8 transitions",
            "Right: axis 1, the environments, is summed away, and 8 entries are left.",
        ),
        "c": Option(
            "the mean return",
            "A mean return first needs one return for each episode, sum(axis=0), and then the "
            "mean over the 64 episodes. This sum runs over environments.",
        ),
    },
    right="b",
)

WHAT_CURVE_SHOWS = Choice(
    name="collector.what_curve_shows",
    title="What does the curve show?",
    task="Policy Q's active counts fall faster than policy P's. What follows?",
    options={
        "a": Option(
            "Q earns more than P",
            "Not in general: the curve counts endings and doesn't ask what they earned. Where "
            "episodes also end in a pit, a policy that jumps in has the steepest curve.",
        ),
        "b": Option(
            "Q's program runs faster than P's",
            "No: the arrays keep the shape (T, B), and finished environments are stepped along "
            "with the others. Fewer active environments save no work here.",
        ),
        "c": Option(
            "Q's episodes are shorter on average",
            "Right: the counts add up to the number of active transitions, the sum of all "
            "lengths. Whether they ended well is another question.",
        ),
    },
    right="c",
)

WHEN_STORED = Choice(
    name="collector.when_stored",
    title="Why store the log-probability now?",
    task=(
        "The collector stores log π(a|s) while it collects. A learner could compute it again "
        "later. Why is it stored?"
    ),
    options={
        "a": Option(
            "because theta will have changed by then, and the stored one belongs to the policy "
            "that drew the action",
            "Right: that policy is called the behaviour policy. A ratio of new to old "
            "probabilities needs the old ones, and they can't be got back from the new theta.",
        ),
        "b": Option(
            "because computing it is slow",
            "It costs little. Even if it cost nothing, it would have to be computed with the old "
            "theta, which a learner has overwritten.",
        ),
        "c": Option(
            "because sampling can't be differentiated",
            "That is true, but the log-probability of an action that was drawn can be computed "
            "and differentiated at any time, for any theta. The question is: for which theta?",
        ),
    },
    right="a",
)

LAST_ROWS = Choice(
    name="collector.last_rows",
    title="More steps than the horizon",
    task=(
        "You collect `num_steps=16` in a corridor with a horizon of 8, with the same key. What "
        "happens to the mean of `trajectory.reward` over all entries?"
    ),
    options={
        "a": Option(
            "It stays the same, because padding earns 0",
            "The sum stays the same for that reason. The mean divides by twice as many entries.",
        ),
        "b": Option(
            "It halves",
            "Right: the sum is the same and there are twice as many entries. A number that depends "
            "on the padding answers no question about the policy.",
        ),
        "c": Option(
            "It changes, because the actions change",
            "The first 8 rows are the same: each step has a key of its own, whatever num_steps is.",
        ),
    },
    right="b",
)
