"""Predictions and choices of lesson 05."""

from functools import cache, reduce

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, planning, policy, returns
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.exercises._shared import is_whole_number
from gridroll.gridworld import corridor

UNIFORM = np.full((4, 2), 0.5, np.float32)
WORDS = ("more", "less", "the same")


@cache
def _values_at_2() -> tuple[float, float]:
    """The value of cell 2 with one and with two steps left, uniform policy."""
    value = np.asarray(planning.policy_value(corridor(), UNIFORM, 8))
    return float(value[7, 2]), float(value[6, 2])


def _two_steps_left() -> str:
    one, two = _values_at_2()
    return "the same" if abs(one - two) < 1e-6 else "more" if two > one else "less"


@cache
def _as_far_off() -> int:
    """How many means of 64 returns in 100 are at least as far off as that of lesson 03's batch.

    Every return is a whole number of hundredths, so the chances of their sum are a product of 64
    polynomials.
    """
    _, record = collector.rollout(
        corridor(), policy.bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )
    arrives = np.asarray(planning.occupancy(corridor(), UNIFORM, 8), float)[:, 2] / 2
    lowest, highest = -8, 100  # in hundredths: cut off by the limit, or there at once
    one = np.zeros(highest - lowest + 1)
    one[highest - np.arange(8) - lowest] = arrives
    one[0] = 1 - arrives.sum()
    of_sum = reduce(np.convolve, [one] * 64)
    mean = np.arange(len(of_sum)) / 6400 + lowest / 100
    exact = (of_sum * mean).sum()
    off = abs(float(np.asarray(returns.episode_return(record)).mean()) - exact)
    return round(100 * of_sum[abs(mean - exact) >= off - 1e-5].sum())


TWO_STEPS_LEFT = Prediction(
    name="planning.two_steps_left",
    title="is more time worth more?",
    task=(
        "Under the uniform policy, with one step left, cell 2 is worth 0.495. What is cell 2 "
        "worth with two steps left: more, less, or the same?"
    ),
    form='one of the words "more", "less" and "the same"',
    guess='"more"',
    accepts=lambda guess: isinstance(guess, str) and guess in WORDS,
    truth=_two_steps_left,
    explain=lambda truth: (
        f"{truth.capitalize()}: {_values_at_2()[1]:.3f} against {_values_at_2()[0]:.3f}. With one "
        "step left, half of the time it reaches the goal. With two, half of the time it goes left "
        "first, and from cell 1 the goal is two moves away and one is left. So the second step "
        "brings no second chance. It only costs."
    ),
    leaks=("0.490", "the dip", "worth less"),
)

AS_FAR_OFF = Prediction(
    name="planning.as_far_off",
    title="good, or luck?",
    task=(
        "Think of 100 right collectors, each with a key of its own and 64 episodes: how many of "
        "them have a mean return that is at least as far from 0.467 as lesson 03's 0.585 is, above "
        "or below?"
    ),
    form="a whole number from 0 to 100",
    guess="30",
    accepts=lambda guess: is_whole_number(guess) and 0 <= guess <= 100,
    truth=_as_far_off,
    explain=lambda truth: (
        f"About {truth} of 100, half of them on the lucky side. About 5 of 100 are beyond two "
        "standard errors, and 1.8 is a little less than two. Who guessed many more took the "
        "spread of single returns for that of their mean; who guessed none took luck for a fault."
    ),
    leaks=("two_errors_above", "errors_off", "in_100_as_far_off", "plausible"),
)

GOAL_AMONG_STARTS = Choice(
    name="planning.goal_among_starts",
    title="A goal among the starts",
    task=(
        "A world has four starts. One of them is its goal, which pays 1. What do the two ways of "
        "Build 4 give?"
    ),
    options={
        "a": Option(
            "the same: they are two ways to one number",
            "They are where no start is a goal. Who begins on the goal is active in row 0, takes "
            "one transition and is paid 1. The occupancy counts that, and the goal's value is 0.",
        ),
        "b": Option(
            "the occupancy gives 0.25 more",
            "Right. One episode in four begins on the goal and is paid 1 by its first transition. "
            "A collector records that too, so the second way is the expected return.",
        ),
        "c": Option(
            "the occupancy gives 1 more",
            "An episode begins there with a chance of one in four, so the 1 counts a quarter.",
        ),
        "d": Option(
            "the values give 0.25 more",
            "The value of a goal is 0, whoever stands there. It is the mean over the starts that "
            "misses what the first transition earns.",
        ),
    },
    right="b",
)

WHAT_ROW_SUMS_TO = Choice(
    name="planning.what_row_sums_to",
    title="A row that doesn't sum to 1",
    task="With a horizon of 8, row 7 of an occupancy sums to 0.53. What does that say?",
    options={
        "a": Option(
            "chance got lost on the way: a probability distribution sums to 1",
            "It isn't the distribution of where somebody is, but the chance to be active in a "
            "cell. Who is finished is in no cell.",
        ),
        "b": Option(
            "53 of 100 episodes reach the goal",
            "Those are still running before transition 7. The other 47 are at the goal: before "
            "the limit there is no other end. How the 53 will end isn't in this row.",
        ),
        "c": Option(
            "before transition 7, an episode is still active with a chance of 0.53",
            "Right, and of 64 environments about 34 are expected to be active then.",
        ),
        "d": Option(
            "the mean length of an episode is 0.53 of the horizon",
            "The mean length is the sum over all rows. One row is about one moment.",
        ),
    },
    right="c",
)

WHAT_1_8_SAYS = Choice(
    name="planning.what_1_8_says",
    title="What 1.8 standard errors say",
    task=(
        "A new collector's batch of 64 has a mean return 1.8 standard errors above the exact "
        "value. What do you do?"
    ),
    options={
        "a": Option(
            "accept the collector: its mean is inside two standard errors",
            "Many wrong collectors would be inside this interval too: it is wide. That nothing "
            "speaks against it is no proof.",
        ),
        "b": Option(
            "reject it: 1.8 is close to 2",
            "A right collector is as far off once in thirteen batches. You would throw away many "
            "right ones.",
        ),
        "c": Option(
            "collect many more episodes and look again",
            "Right: with 10 000 times the episodes the interval is 100 times as narrow. A fault "
            "stays where it is and comes to lie far outside; luck doesn't.",
        ),
        "d": Option(
            "try other keys until the mean is close to the exact value",
            "Then the result chooses the sample, as in the report on the first to finish. A "
            "fault of the collector would pass with a lucky key as well.",
        ),
    },
    right="c",
)

T_IS_SHORTENED = Choice(
    name="planning.t_is_shortened",
    title="Fewer steps",
    task=(
        "In a world with a horizon of 8 somebody collects 5 transitions in place of 8. Which "
        "tables have the same first five rows for T = 5 as for T = 8?"
    ),
    options={
        "a": Option(
            "the values and the occupancy",
            "In row 0 of the values all steps are left: 8 before, and now 5. What can't be earned "
            "in time any more is missing from every row.",
        ),
        "b": Option(
            "only the values",
            "A value is made from the end, and the end has moved. Row 0 for T = 5 is row 3 for "
            "T = 8: five steps left in both.",
        ),
        "c": Option(
            "only the occupancy",
            "Right. It is made from the starts on and doesn't know when the collecting stops. The "
            "values are made from the end: row 0 for T = 5 is row 3 for T = 8.",
        ),
        "d": Option(
            "neither",
            "Where an episode is before transition 3 doesn't depend on how many transitions "
            "follow. So the rows of the occupancy stay.",
        ),
    },
    right="c",
)
