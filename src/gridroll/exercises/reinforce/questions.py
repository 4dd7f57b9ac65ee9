"""Predictions and choices of lesson 06."""

import itertools
from functools import cache

import jax.numpy as jnp
import numpy as np

from gridroll import planning, policy
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.exercises._shared import is_whole_number
from gridroll.gridworld import corridor

STEPS, CELLS, GOAL = 8, 4, 3
NAMES = ("total", "to-go", "to-go minus V")


def _every_episode() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cell, action, reward and mask, (8, 512), of all episodes of the corridor.

    Under the uniform policy they are equally likely.
    """
    drawn = np.array(list(itertools.product((0, 1), repeat=STEPS + 1))).T
    cell, actions = [drawn[0]], drawn[1:]  # the first draw is the start
    for action in actions:
        moved = np.clip(cell[-1] + 2 * action - 1, 0, GOAL)
        cell.append(np.where(cell[-1] == GOAL, GOAL, moved))
    active = np.array(cell[:-1]) != GOAL
    reward = np.where(active, np.where(np.array(cell[1:]) == GOAL, 1.0, -0.01), 0.0)
    return np.array(cell[:-1]), actions, reward, active


@cache
def estimates() -> dict[str, np.ndarray]:
    """The estimate of every episode at theta = 0, (512, S), by the weights that it uses."""
    cell, action, reward, active = _every_episode()
    uniform = policy.bernoulli.probabilities(jnp.zeros(CELLS))
    table = np.asarray(planning.policy_value(corridor(), uniform, STEPS))
    to_go = np.cumsum(reward[::-1], axis=0)[::-1]
    total = np.broadcast_to(reward.sum(axis=0), reward.shape)
    weights = (total, to_go, to_go - table[np.arange(STEPS)[:, None], cell])
    score = (action - 0.5)[..., None] * (cell[..., None] == np.arange(CELLS))
    sums = [((w * active)[..., None] * score).sum(axis=0) for w in weights]
    return dict(zip(NAMES, sums, strict=True))


def variances() -> dict[str, float]:
    """The exact variance of one episode's estimate, summed over the logits."""
    return {name: float(each.var(axis=0).sum()) for name, each in estimates().items()}


def _which_logit() -> int:
    """The largest entry of the exact gradient: a mean over all episodes, equally likely."""
    return int(np.argmax(np.abs(estimates()["total"].mean(axis=0))))


def _visits() -> np.ndarray:
    """How often an episode acts on each cell but the goal, on average."""
    cell, _, _, active = _every_episode()
    here = (cell[..., None] == np.arange(GOAL)) & active[..., None]
    return np.asarray(here.sum(axis=0).mean(axis=0))


def _gains() -> np.ndarray:
    """How much better right is than left: the derivative is p (1 - p) times this for each visit."""
    slopes = estimates()["total"].mean(axis=0)[:GOAL]
    return np.asarray(slopes / (0.25 * _visits()))


def _listed(numbers: np.ndarray, digits: int) -> str:
    first, second, third = (f"{number:.{digits}f}" for number in numbers)
    return f"{first}, {second} and {third}"


def _in_order() -> list[str]:
    return sorted(NAMES, key=lambda name: variances()[name])


WHICH_LOGIT = Prediction(
    name="reinforce.which_logit",
    title="which logit matters most?",
    task=(
        "At θ = 0 each action is a coin toss. You may raise the logit of one cell by a little, so "
        "that it moves right more often: on which cell, 0, 1 or 2, does the expected return grow "
        "most?"
    ),
    form="one whole number",
    guess="2",
    accepts=is_whole_number,
    truth=_which_logit,
    explain=lambda truth: (
        f"Cell {truth}. A logit counts for how often an episode acts on its cell, times how much "
        f"better right is than left there. On cells 0, 1 and 2 it acts {_listed(_visits(), 1)} "
        f"times, and right is better by {_listed(_gains(), 2)}. Cell 0 is visited most, and left "
        "costs little there; on cell 2 left costs most, and few come by."
    ),
    leaks=("exact_gradient=",),
)

VARIANCE_ORDER = Prediction(
    name="reinforce.variance_order",
    title="which weights scatter least?",
    task=(
        "Three kinds of weights give estimates with the same mean: the total return, the "
        "returns-to-go, and the returns-to-go minus V(t, s). In the corridor at θ = 0, in which "
        "order are their variances, the smallest first?"
    ),
    form='the names "total", "to-go" and "to-go minus V" in a list',
    placeholder="[..., ..., ...]",
    guess='["to-go minus V", "to-go", "total"]',
    accepts=lambda guess: (
        isinstance(guess, list | tuple)
        and all(isinstance(name, str) for name in guess)
        and sorted(guess) == sorted(NAMES)
    ),
    truth=_in_order,
    explain=lambda truth: (
        "The variances, summed over the logits, are "
        + ", ".join(f"{variances()[name]:.3f} ({name})" for name in truth)
        + ". Textbooks often say that returns-to-go scatter less: they leave out rewards that the "
        "action had no part in. Here these rewards are the costs of earlier steps. A late "
        "success has paid for many, so its total return is a little below its return-to-go, and "
        "leaving the costs out makes the largest weights larger. A variance has to be measured."
    ),
    leaks=("0.307", "0.319"),
)

WHY_NOT_THROUGH = Choice(
    name="reinforce.why_not_through",
    title="Why not differentiate the rollout?",
    task=(
        "`jax.grad` went through lesson 05's recursion. What does it give for the mean return of a "
        "rollout, as a function of θ?"
    ),
    options={
        "a": Option(
            "the gradient of the recursion, with some noise",
            "It would be convenient. But an action is drawn as 0 or 1, and a small change of θ "
            "leaves every drawn action as it is, so the mean return doesn't change at all.",
        ),
        "b": Option(
            "0 for each logit",
            "Right: the drawn actions are whole numbers, and with a fixed key a small change of θ "
            "changes none of them. The derivative of what was drawn is 0; the derivative of how "
            "likely it was isn't.",
        ),
        "c": Option(
            "an error",
            "Nothing fails. JAX differentiates scans without trouble; lesson 05's recursion is "
            "one. What stops the gradient is the draw.",
        ),
    },
    right="b",
)

WHY_A_BASELINE = Choice(
    name="reinforce.why_a_baseline",
    title="Why does V(t, s) leave the mean alone?",
    task=(
        "V(t, s) is subtracted from every weight, and the mean of the estimate stays as it is. "
        "What makes that so?"
    ),
    options={
        "a": Option(
            "V(t, s) is small beside the returns",
            "It isn't: it is their mean from that cell on. And a number of any size may be "
            "subtracted, as long as it doesn't look at the action.",
        ),
        "b": Option(
            "the positive and the negative weights cancel over the batch",
            "In one batch they needn't. What cancels is the score, in the mean over actions, in "
            "each cell by itself.",
        ),
        "c": Option(
            "in each cell the score is 0 on average over the policy's actions, whatever number "
            "multiplies it",
            "Right: p · (1 − p) + (1 − p) · (−p) = 0. A factor that is known before the action is "
            "drawn comes out of this mean.",
        ),
        "d": Option(
            "V(t, s) is exact; with an estimate in its place the mean would move",
            "Any function of time and cell leaves the mean alone, a bad estimate too. A good one "
            "makes the variance smaller, and that is all that its quality decides.",
        ),
    },
    right="c",
)

LONGER_RECORD = Choice(
    name="reinforce.longer_record",
    title="Twice as many rows",
    task=(
        "A learner divides its sum of weighted log-probabilities by T · B, all cells of the "
        "record. Its author collects 16 rows in place of 8, in the corridor with its horizon of 8, "
        "and changes nothing else. What happens?"
    ),
    options={
        "a": Option(
            "nothing: the new rows are padding, and padding is masked",
            "The mask keeps their values out of the sum. It doesn't keep them out of T · B, which "
            "the sum is divided by.",
        ),
        "b": Option(
            "it learns half as fast",
            "Right: the same sum is divided by twice as many cells, so every step is half as "
            "long, as with half the learning rate. A mean over episodes wouldn't notice.",
        ),
        "c": Option(
            "it learns the same with less noise",
            "The number of episodes is what settles the noise, and it is the same.",
        ),
        "d": Option(
            "it learns something else, because the direction of the gradient changes",
            "One positive number for the whole batch leaves the direction alone. It would change "
            "if each episode were divided by its own length.",
        ),
    },
    right="b",
)

WHAT_MENDS = Choice(
    name="reinforce.what_mends_it",
    title="What mends the learner?",
    task="The learner of the diagnosis turns back on cell 2. Which change makes it learn?",
    options={
        "a": Option(
            "a learning rate a tenth as large",
            "It follows the same wrong direction, and takes ten times as long to get there.",
        ),
        "b": Option(
            "batches of 1024 episodes",
            "A larger batch has less noise around the mean of the estimate, and that mean is "
            "wrong. It unlearns more smoothly.",
        ),
        "c": Option(
            "V(t, s) subtracted from the weights",
            "That makes the noise smaller. The action that reaches the goal still has no part in "
            "the objective.",
        ),
        "d": Option(
            "`active` for the mask, as the collector recorded it",
            "Right: the transition that reaches the goal is active, and its action is the one to "
            "be credited.",
        ),
    },
    right="d",
)
