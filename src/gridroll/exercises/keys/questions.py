"""Predictions and choices of lesson 02."""

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld, keys
from gridroll.classroom.exercise import Choice, Option, Prediction
from gridroll.exercises._shared import is_whole_number


def _three_counts(guess: Any) -> bool:
    return isinstance(guess, list | tuple) and len(guess) == 3 and all(map(is_whole_number, guess))


def _distinct_starts() -> int:
    """How many start cells 64 environments stand on after a reset with one key for all."""
    shared = jnp.broadcast_to(jax.random.key(0), (64,))
    start = jax.vmap(gridworld.reset, in_axes=(None, 0))(gridworld.corridor(), shared)
    return len(np.unique(start.position))


@cache
def survivors() -> list[int]:
    """How many of the 12 keys of 4 steps and 3 environments stay with 4 environments."""
    kept = []
    for protocol in (keys.key_table, chain_table, other_table):
        three, four = (protocol(jax.random.key(0), num_envs, 4) for num_envs in (3, 4))
        kept.append(int((three == four[:, :3]).sum()))
    return kept


def chain_table(key: jax.Array, num_envs: int, num_steps: int) -> jax.Array:
    """Each step splits once, hands the first key on and splits the second for the environments."""
    rows = []
    for _ in range(num_steps):
        key, step_key = jax.random.split(key)
        rows.append(jax.random.split(step_key, num_envs))
    return jnp.stack(rows)


def other_table(key: jax.Array, num_envs: int, num_steps: int) -> jax.Array:
    """Each step makes one split into B + 1, and hands the last key on."""
    rows = []
    for _ in range(num_steps):
        row = jax.random.split(key, num_envs + 1)
        rows.append(row[:-1])
        key = row[-1]
    return jnp.stack(rows)


DISTINCT_STARTS = Prediction(
    name="keys.distinct_starts",
    title="one key for everybody",
    task=(
        "64 environments of the corridor are reset, all of them with one and the same key. On how "
        "many different cells do they start?"
    ),
    form="one whole number",
    guess="2",
    accepts=is_whole_number,
    truth=_distinct_starts,
    explain=lambda truth: (
        f"{truth}: a draw is a function of its key, so equal keys give equal draws, however many "
        "environments there are. 64 episodes from one start tell you about one start."
    ),
)

SURVIVORS = Prediction(
    name="keys.survivors",
    title="one environment more",
    task=(
        "A table of keys for 4 steps and 3 environments is made again for 4 environments, from the "
        "same key. How many of the 12 old keys are still in their places: for the tree, for the "
        "chain, and for the chain that hands on the last key?"
    ),
    form="three whole numbers in a list",
    placeholder="[..., ..., ...]",
    guess="[12, 0, 0]",
    accepts=_three_counts,
    truth=survivors,
    explain=lambda truth: (
        f"Tree and chain keep all {truth[0]}: a longer split begins with the keys of a shorter "
        f"one. The third keeps {truth[2]}, its first row. Its last key has another place in a "
        "longer split, so from the second step on everything is drawn anew. Hand on the first key "
        "of a split, never the last."
    ),
    leaks=("12 12 3", "12, 12, 3"),
)

WHO_MAY_DRAW = Choice(
    name="keys.who_may_draw",
    title="Which key may still draw?",
    task=(
        "A program runs `key, noise_key = jax.random.split(key)`, then draws with `noise_key`. "
        "What may it still use?"
    ),
    options={
        "a": Option(
            "the old key, the one that was split",
            "The split used it up. Here its name holds a new key, so you couldn't reach it any "
            "more; that is why people write the split in this way.",
        ),
        "b": Option(
            "noise_key once more, with another function",
            "noise_key has drawn. A second draw is tied to the first, and how closely depends on "
            "the two functions. Split for another key.",
        ),
        "c": Option(
            "key, which is now a child of the old one",
            "Right: the name is old, the key is new, and nothing has been done with it.",
        ),
    },
    right="c",
)

WHICH_DETECTOR = Choice(
    name="keys.which_detector",
    title="Which detector?",
    task=(
        "A program copies one key to 1000 environments with `jnp.broadcast_to`. Under "
        "`jax.debug_key_reuse(True)` it runs without an error. What do you conclude?"
    ),
    options={
        "a": Option(
            "The keys are fine: the flag would have raised.",
            "The flag follows which arrays of keys are used up, not whether two entries of an "
            "array are equal. It can't see a copy inside one array.",
        ),
        "b": Option(
            "Nothing about copies. Count the different keys.",
            "Right: 1 of 1000 says it at once. Each detector sees some faults and misses others; "
            "for this one, count or look at the draws.",
        ),
        "c": Option(
            "Measure the correlation of neighbours; the flag can't be used with vmap.",
            "The correlation would show this fault, but the reason is wrong: the flag works with "
            "vmap, and misses this fault with and without it.",
        ),
    },
    right="b",
)

NO_CORRELATION = Choice(
    name="keys.no_correlation",
    title="No correlation",
    task=(
        "Two draws of a program have a correlation of 0.00 over 20 000 keys. Are their keys well "
        "kept apart?"
    ),
    options={
        "a": Option(
            "Yes: uncorrelated draws come from different keys.",
            "One key, drawn from by two functions, may show no correlation at all; you have seen "
            "such a pair. Neither does a parent beside its child.",
        ),
        "b": Option(
            "No: the correlation should be exactly 0.",
            "Independent draws have a correlation near 0 in a sample, not exactly 0. A few "
            "thousandths are what chance gives for 20 000 pairs.",
        ),
        "c": Option(
            "That can't be said from this number.",
            "Right: a large correlation proves a fault, and a small one proves nothing. Look at "
            "the keys: count them, and ask who was split from whom.",
        ),
    },
    right="c",
)

WHAT_A_REPLAY_PROMISES = Choice(
    name="keys.what_a_replay_promises",
    title="The same numbers, for ever?",
    task=(
        "A paper says: seed 5, protocol as in its appendix. You run its code with a newer JAX and "
        "get other numbers. What follows?"
    ),
    options={
        "a": Option(
            "The authors made a mistake, or changed their numbers.",
            "Not from this. A key gives the same draws within one version and one setting of the "
            "library; another version may draw otherwise.",
        ),
        "b": Option(
            "Seed and protocol name a run only together with versions and settings.",
            "Right: so record these too. What should survive a new version is the conclusion, and "
            "that takes more than one seed.",
        ),
        "c": Option(
            "The protocol was not frozen.",
            "It may well have been. A frozen protocol fixes who gets which key. What a key draws "
            "is up to the library.",
        ),
    },
    right="b",
)
