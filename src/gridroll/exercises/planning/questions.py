"""Predictions and choices of lesson 05."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, planning, policy, returns
from gridroll.classroom.exercise import Choice, Option, Prediction
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
def _interval() -> tuple[float, float, float]:
    """The mean return of lesson 03's batch, and two standard errors around the exact value."""
    _, record = collector.rollout(
        corridor(), policy.bernoulli, jnp.zeros(4), jax.random.key(5), num_envs=64, num_steps=8
    )
    exact = float(planning.expected_return(corridor(), UNIFORM, 8))
    error = float(planning.return_variance(corridor(), UNIFORM, 8)) ** 0.5 / 8
    mean = float(np.asarray(returns.episode_return(record)).mean())
    return mean, exact - 2 * error, exact + 2 * error


def _inside() -> bool:
    mean, low, high = _interval()
    return low <= mean <= high


def _explained(mean: float, low: float, high: float, where: str) -> str:
    return (
        f"The interval goes from {low:.3f} to {high:.3f}, so {mean:.3f} is {where}, not far from "
        "its end. A right collector is as far off as this about once in fourteen batches, and on "
        "the lucky side in half of those."
    )


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

INSIDE = Prediction(
    name="planning.inside",
    title="good, or luck?",
    task=(
        "Draw an interval of two standard errors of 64 episodes to either side of the exact value. "
        "Is the 0.585 of lesson 03 inside?"
    ),
    form="True or False",
    guess="False",
    accepts=lambda guess: isinstance(guess, bool | np.bool_),
    truth=_inside,
    explain=lambda truth: _explained(*_interval(), "inside" if truth else "outside"),
    leaks=("two_errors_above", "errors_off", "plausible"),
)

WHY_GOAL_IS_ZERO = Choice(
    name="planning.why_goal_is_zero",
    title="The value of a goal",
    task="Reaching the goal pays 1. Why is the value of the goal 0?",
    options={
        "a": Option(
            "because nobody ever stands there",
            "Episodes end there, so there is somebody to see. The value says what is still to "
            "come, and for them that is nothing.",
        ),
        "b": Option(
            "because the 1 is paid for the transition that gets there, and nothing follows",
            "Right. The 1 is in the value of the cell before. Counted on the goal as well it would "
            "be paid twice, or with every step that is left.",
        ),
        "c": Option(
            "because the policy has no action there",
            "The table of probabilities has a row for every cell, goals too. The episode is over, "
            "so whatever stands there earns nothing.",
        ),
    },
    right="b",
)

WHAT_ROW_SUMS_TO = Choice(
    name="planning.what_row_sums_to",
    title="A row that doesn't sum to 1",
    task="Row 7 of an occupancy sums to 0.53. What does that say?",
    options={
        "a": Option(
            "chance got lost on the way: a probability distribution sums to 1",
            "It isn't the distribution of where somebody is, but the chance to be active in a "
            "cell. Who is finished is in no cell.",
        ),
        "b": Option(
            "53 of 100 episodes reach the goal",
            "Those are still running before transition 7. The others have ended, at the goal or "
            "otherwise; how the 53 will end isn't in this row.",
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
            "A right collector does this once in fourteen batches. You would throw away many "
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

WHY_LEFT = Choice(
    name="planning.why_left",
    title="Why left?",
    task=(
        "With two steps left, `optimal` says left (0) for cell 0 of the corridor. The goal is on "
        "cell 3. Why?"
    ),
    options={
        "a": Option(
            "left is better: it saves the cost of a move",
            "A bump costs as much as a move. Both actions earn -0.02 in all.",
        ),
        "b": Option(
            "the goal is out of reach, both actions are equally good, and the lowest is taken",
            "Right. A tie says that the choice doesn't matter, and a rule settles it so that the "
            "answer is always the same.",
        ),
        "c": Option(
            "the recursion found a mistake of the policy",
            "No policy goes in: it looks at all actions and takes the best.",
        ),
    },
    right="b",
)
