"""The length of each episode."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.returns.recordings import drawn_lengths, primes, trajectory

SCAFFOLD = '''
def episode_length(trajectory):
    """The number of transitions in each environment's episode.

    Args:
        trajectory: a Trajectory, leaves (T, B). An episode may go on beyond the last row.

    Returns:
        (B,) int32.
    """
    return ...
'''


def _ended(trajectory: Any) -> jax.Array:
    return trajectory.terminated | trajectory.truncated


def _argmax(trajectory: Any) -> jax.Array:
    return jnp.argmax(_ended(trajectory), axis=0).astype(jnp.int32)


def _argmax_plus_one(trajectory: Any) -> jax.Array:
    return _argmax(trajectory) + 1


def _one_short(trajectory: Any) -> jax.Array:
    running = jnp.cumsum(_ended(trajectory), axis=0) == 0
    return running.sum(axis=0, dtype=jnp.int32)


def _minus_one(trajectory: Any) -> jax.Array:
    return trajectory.active.sum(axis=0, dtype=jnp.int32) - 1


def _all_rows(trajectory: Any) -> jax.Array:
    return jnp.full(trajectory.active.shape[1], trajectory.active.shape[0], jnp.int32)


def _each_row(trajectory: Any) -> jax.Array:
    return trajectory.active.sum(axis=1, dtype=jnp.int32)


def _goals_only(trajectory: Any) -> jax.Array:
    reached = trajectory.terminated
    length = jnp.argmax(reached, axis=0) + 1
    return jnp.where(reached.any(axis=0), length, reached.shape[0]).astype(jnp.int32)


def _finished_only(trajectory: Any) -> jax.Array:
    length = trajectory.active.sum(axis=0, dtype=jnp.int32)
    return jnp.where(_ended(trajectory).any(axis=0), length, 0)


def _paid_rows(trajectory: Any) -> jax.Array:
    return (trajectory.reward != 0).sum(axis=0, dtype=jnp.int32)


def _padding(trajectory: Any) -> jax.Array:
    return (~trajectory.active).sum(axis=0, dtype=jnp.int32)


def _ones(trajectory: Any) -> jax.Array:
    return jnp.ones(trajectory.active.shape[1], jnp.int32)


def _rewards(num_steps: int, num_envs: int) -> np.ndarray:
    """Distinct rewards, some of them 0, so that a reward says nothing about the length."""
    rewards = primes(num_steps, num_envs)
    rewards[1::2, ::2] = 0
    return rewards


def _visible() -> tuple[Case, ...]:
    kinds = ["goal", "goal", "limit", "none"]
    return (
        Case((trajectory([1, 3, 5, 5], kinds, 5, _rewards(5, 4)),)),
        Case((trajectory([2, 1, 4], ["limit", "limit", "goal"], 5, -_rewards(5, 3)),)),
    )


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = (5, 4) if rng.random() < 0.5 else _fresh.sizes(rng, 4, 6)
    lengths, endings = drawn_lengths(rng, num_envs, num_steps)
    return Case((trajectory(lengths, endings, num_steps, _rewards(num_steps, num_envs)),))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    record: Any = case.args[0]
    reached = np.asarray(record.terminated).any(axis=0)
    cut_off = np.asarray(record.truncated).any(axis=0)
    return {
        "episodes that reach a goal": reached,
        "episodes that are cut off": cut_off,
        "episodes that don't end within the record": ~reached & ~cut_off,
        "episodes that end": reached | cut_off,
        "episodes that end on the first row": np.asarray(expected) == 1,
        "episodes that fill every row": np.asarray(expected) == len(record.active),
    }


EPISODE_LENGTH = Exercise(
    name="returns.episode_length",
    title="how long is an episode?",
    task="Write `episode_length(trajectory)`, from its docstring alone.",
    points=2,
    difficulty=1,
    reference=returns.episode_length,
    answer=source(returns.episode_length),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("b",),
    regions=_regions,
    rules={
        "": "The length of episode b is the number of active rows in column b: the one that ends "
        "it counts, and where nothing ends it, all rows count."
    },
    misconceptions=(
        Misconception(
            "argmax of done",
            "The row on which an episode ends is not its length: rows are counted from 0, so it "
            "is one short. And where nothing ends, argmax finds no True and says 0.",
            _argmax,
        ),
        Misconception(
            "argmax, plus one",
            "Right where an episode ends. Where it doesn't end within the record, argmax finds no "
            "True and says 0, so the longest episodes get a length of 1.",
            _argmax_plus_one,
        ),
        Misconception(
            "one short",
            "The transition that ends the episode isn't counted. It belongs to the episode: "
            "`active` says so.",
            _one_short,
        ),
        Misconception(
            "one less everywhere",
            "Every length is one short, also where nothing ended. The active rows are the "
            "transitions; nothing has to be taken off.",
            _minus_one,
        ),
        Misconception(
            "counts the padding",
            "This is the number of rows, the same for every episode. Rows after the end are "
            "padding.",
            _all_rows,
        ),
        Misconception(
            "counts environments",
            "This is one number for each row: how many environments were active. The length goes "
            "down the column: sum over axis 0.",
            _each_row,
        ),
        Misconception(
            "goals only",
            "Episodes that were cut off get the number of rows here. An episode ends with "
            "terminated or truncated.",
            _goals_only,
        ),
        Misconception(
            "unfinished episodes left out",
            "An episode that doesn't end within the record gets 0. Its transitions happened all "
            "the same.",
            _finished_only,
        ),
        Misconception(
            "rows with a reward",
            "Rows whose reward isn't 0 are counted. A transition may earn 0 and is one.",
            _paid_rows,
        ),
        Misconception("the padding itself", "This counts the rows that are not active.", _padding),
        Misconception("constant", "Every length is 1 whatever happened.", _ones),
    ),
    hints=(
        "Which field of the trajectory has exactly one True for each transition of the episode?",
        "True counts as 1 in a sum. Along which axis does an episode run?",
        "trajectory.active.sum(axis=0).",
    ),
    why="argmax of the ending row is one short, and 0 for an episode that never ends.",
    gain="say how long an episode was, also when it didn't end",
    explanation=(
        "active is True on every transition of an episode and nowhere else, so its sum over time "
        "is the length. It needs no ending, so it also holds for a record that stops early."
    ),
)
