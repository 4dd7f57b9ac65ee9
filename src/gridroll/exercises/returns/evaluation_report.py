"""A report of 0.981: find out what it reports on, and mend it."""

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, entries, floats
from gridroll.exercises.returns import wrong_reports
from gridroll.exercises.returns.recordings import (
    active_mask,
    drawn_lengths,
    ending_mask,
    primes,
    trajectory,
)

Report = tuple[jax.Array, jax.Array, jax.Array]
LIMIT = 8  # the corridor's horizon, in a witness


def evaluation_report(
    reward: jax.Array, terminated: jax.Array, truncated: jax.Array, num_episodes: int
) -> Report:
    """Report on the episodes of the first `num_episodes` environments.

    Args:
        reward: (T, B) float32, 0 in the padding.
        terminated: (T, B) bool, True on the transition that reached a goal.
        truncated: (T, B) bool, True on the last transition allowed.
        num_episodes: how many episodes to report on, at most B.

    Returns:
        The mean return, the mean length and the mean reward of a transition, each () float32.
    """
    chosen = jnp.arange(num_episodes)
    earned = reward[:, chosen].sum(axis=0)
    ended = (terminated | truncated)[:, chosen]
    ended_before = jnp.cumsum(ended, axis=0) - ended
    length = (ended_before == 0).sum(axis=0)
    return earned.mean(), length.mean(), earned.sum() / length.sum()


def broken_report(
    reward: jax.Array, terminated: jax.Array, truncated: jax.Array, num_episodes: int
) -> Report:
    """The program as the student finds it."""
    last_row = jnp.argmax(terminated | truncated, axis=0)
    chosen = jnp.argsort(last_row)[:num_episodes]
    earned = reward[:, chosen].sum(axis=0)
    ended = (terminated | truncated)[:, chosen]
    length = (jnp.cumsum(ended, axis=0) == 0).sum(axis=0)
    return earned.mean(), length.mean(), reward[:, chosen].mean()


SCAFFOLD = '''
def evaluation_report(reward, terminated, truncated, num_episodes):
    """Report on the episodes of the first `num_episodes` environments.

    Args:
        reward: (T, B) float32, 0 in the padding.
        terminated: (T, B) bool, True on the transition that reached a goal.
        truncated: (T, B) bool, True on the last transition allowed.
        num_episodes: how many episodes to report on, at most B.

    Returns:
        The mean return, the mean length and the mean reward of a transition, each () float32.
    """
    last_row = jnp.argmax(terminated | truncated, axis=0)
    chosen = jnp.argsort(last_row)[:num_episodes]
    earned = reward[:, chosen].sum(axis=0)
    ended = (terminated | truncated)[:, chosen]
    length = (jnp.cumsum(ended, axis=0) == 0).sum(axis=0)
    return earned.mean(), length.mean(), reward[:, chosen].mean()


# The lengths of a few corridor episodes (8: cut off), and how many of them to report on,
# such as ([2, 3], 1). The mean return of the report has to be wrong.
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(evaluation_report)
    start, end = text.index("("), text.index(':\n    """')
    head = "(reward, terminated, truncated, num_episodes)"
    return text[:start] + head + text[end:] + "\n\nwitness = ([8, 2], 1)\n"


def _case(lengths: list[int], endings: list[str], rewards: np.ndarray, num_episodes: int) -> Case:
    record = trajectory(lengths, endings, len(rewards), rewards)
    return Case((record.reward, record.terminated, record.truncated, num_episodes))


def witness_case(witness: Any) -> Case:
    """(lengths, num_episodes) in the corridor: all but those of length 8 reach the goal."""
    if not isinstance(witness, list | tuple) or len(witness) != 2:
        raise ValueError("A witness is a pair: a list of lengths, and a number of episodes.")
    lengths, num_episodes = entries("The lengths", witness[0]), witness[1]
    if not lengths or any(type(n) is not int or not 2 <= n <= LIMIT for n in lengths):
        raise ValueError("The lengths are whole numbers from 2 to 8, in a list.")
    if type(num_episodes) is not int or not 1 <= num_episodes <= len(lengths):
        raise ValueError(f"The number of episodes is 1 to {len(lengths)}, one for each length.")
    reached = [n < LIMIT for n in lengths]
    last = ending_mask(lengths, LIMIT, reached)
    active = active_mask(lengths, LIMIT)
    cut_off = ending_mask(lengths, LIMIT, [not r for r in reached])
    case = Case(
        (
            floats(np.where(last, 1.0, np.where(active, -0.01, 0.0))),
            array(last, jnp.bool_),
            array(cut_off, jnp.bool_),
            num_episodes,
        )
    )
    got, wanted = broken_report(*case.args)[0], evaluation_report(*case.args)[0]
    if abs(float(got) - float(wanted)) < 1e-4:
        raise ValueError(
            f"Here the mean return of the old report is right, {float(wanted):.3g}. Find lengths "
            "for which it matters which episodes are chosen."
        )
    return case


def _visible() -> tuple[Case, ...]:
    kinds = ["limit", "goal", "goal", "none", "goal"]
    return (
        _case([6, 2, 4, 6, 1], kinds, primes(6, 5), 3),
        _case([5, 3, 1, 2], ["goal", "limit", "goal", "goal"], -primes(7, 4) / 4, 2),
        _case([4, 6, 3, 1, 2], ["limit", "none", "goal", "goal", "goal"], primes(6, 5) - 20, 3),
    )


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = (6, 5) if rng.random() < 0.5 else _fresh.sizes(rng, 7, 4, least=4)
    num_episodes = num_envs - 2
    lengths, endings = drawn_lengths(rng, num_envs, num_steps)
    rewards = rng.integers(-40, 80, (num_steps, num_envs)) / 4
    return _case(lengths, endings, rewards, num_episodes)


EVALUATION_REPORT = Exercise(
    name="returns.evaluation_report",
    title="diagnose a report of 0.981",
    task=(
        "Mend all three numbers of the broken `evaluation_report` so that they keep the promise of "
        "its docstring, and give a `witness`: episodes for which its mean return was wrong."
    ),
    points=4,
    difficulty=3,
    reference=evaluation_report,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("mean return", "mean length", "reward of a transition"),
    jit=False,  # num_episodes sets a shape, and an answer in NumPy is as right
    rules={
        "mean return": "The mean over the returns of environments 0 to num_episodes - 1, however "
        "their episodes went.",
        "mean length": "The mean number of transitions of those episodes, each counted up to and "
        "including the one that ends it; all rows where none does.",
        "reward of a transition": "The sum of the rewards of those episodes, divided by the "
        "number of their transitions.",
    },
    misconceptions=(
        Misconception(
            "still broken",
            "The program does what it did before. Which episodes does `chosen` hold?",
            broken_report,
        ),
        Misconception(
            "still the first to finish",
            "The report still picks the episodes that finish first. Who finishes first has reached "
            "the goal: the choice looks at the result. Take the first environments instead.",
            wrong_reports.QUICK_MENDED[0],
            also=wrong_reports.QUICK_MENDED[1:],
        ),
        Misconception(
            "the length is one short",
            "The sample is mended. The length still leaves out the transition that ends the "
            "episode, and you have met this mask in lesson 03: it was taken after the step.",
            wrong_reports.SHORT_MENDED[0],
            also=wrong_reports.SHORT_MENDED[1:],
        ),
        Misconception(
            "reward of a cell",
            "The sample is mended. The reward of a transition is still the mean over all cells, "
            "padding included: divide by the number of transitions.",
            wrong_reports.mended(average=wrong_reports.over_cells),
        ),
        Misconception(
            "a mean of means",
            "The reward of a transition averages within each episode first, so transitions of "
            "short episodes count more. Divide the sum of all rewards by the number of all "
            "transitions.",
            wrong_reports.mended(average=wrong_reports.mean_of_rates),
        ),
        Misconception(
            "argmax, plus one",
            "The length is right where an episode ends. Where none of the rows ends it, argmax "
            "says 0, so the length comes out as 1 in place of all rows.",
            wrong_reports.mended(measure=wrong_reports.argmax_plus_one),
            also=(
                wrong_reports.mended(
                    measure=wrong_reports.argmax_plus_one, average=wrong_reports.by_active_rows
                ),
            ),
        ),
        Misconception(
            "all rows counted",
            "The length is the number of rows, padding included.",
            wrong_reports.mended(measure=wrong_reports.all_rows),
            also=(
                wrong_reports.mended(
                    measure=wrong_reports.all_rows, average=wrong_reports.by_active_rows
                ),
            ),
        ),
        Misconception(
            "finished episodes only",
            "Episodes that don't end within the record are passed over, so the choice still looks "
            "at how an episode went. Take the first environments, whatever happened in them.",
            wrong_reports.mended(wrong_reports.finished_first),
        ),
        Misconception(
            "every environment",
            "The report is on all environments. More episodes are no harm, but it was asked for "
            "the first num_episodes.",
            wrong_reports.mended(wrong_reports.everybody),
        ),
        Misconception(
            "the last to finish",
            "Now the episodes that finish last are picked: the choice still looks at the result, "
            "only the other way round.",
            wrong_reports.mended(wrong_reports.slowest),
        ),
        Misconception(
            "goals only",
            "Episodes that were cut off don't end here, so their padding is counted. An ending is "
            "terminated | truncated.",
            wrong_reports.only_goals,
        ),
        Misconception("constant", "The report is 0 whatever happened.", wrong_reports.nothing),
    ),
    hints=(
        "Take two episodes, of lengths 8 and 2, and report on one. Which one should it be, and "
        "which one is it?",
        "jnp.argsort(last_row) puts the quick episodes first. The sample must not depend on how "
        "the episodes went: environments 0, 1, 2 and so on.",
        "chosen = jnp.arange(num_episodes); the length counts rows where no EARLIER row ended: "
        "jnp.cumsum(ended, axis=0) - ended == 0; the last number is earned.sum() / length.sum().",
    ),
    why="More environments or a longer horizon leave the first to finish as lucky as before.",
    gain="ask of any mean which episodes stand behind it",
    explanation=(
        "The first to finish are the quick ones, and in this world the quick ones reached the "
        "goal. A sample is fair if the episodes are named before they run. The length is lesson "
        "03's mask: a row counts if no earlier row ended the episode. And the reward of a "
        "transition divides by transitions."
    ),
    broken=broken_report,
    witness=witness_case,
)
