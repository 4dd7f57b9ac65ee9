"""The mask: which transitions belong to an episode."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, source


def active_mask(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    """Say which transitions belong to an episode, from its ending events.

    Args:
        terminated: (T, B) bool, True on the transition that reached a goal.
        truncated: (T, B) bool, True on the last transition allowed.

    Returns:
        (T, B) bool: True up to and including the transition that ends the episode.
    """
    ended = terminated | truncated
    earlier = jnp.concatenate([jnp.zeros_like(ended[:1]), ended[:-1]])
    return jnp.cumsum(earlier, axis=0) == 0


SCAFFOLD = '''
def active_mask(terminated, truncated):
    """Say which transitions belong to an episode, from its ending events.

    Args:
        terminated: (T, B) bool, True on the transition that reached a goal.
        truncated: (T, B) bool, True on the last transition allowed.

    Returns:
        (T, B) bool: True up to and including the transition that ends the episode.
    """
    # 1. Where did an episode end, for either reason?
    # 2. A transition is active if its episode ended on no EARLIER row.
    return ...
'''


def _until(ended: jax.Array, axis: int = 0) -> jax.Array:
    """True until an event, that event included; the shift by one, written as a difference."""
    counts = ended.astype(jnp.int32)
    return jnp.cumsum(counts, axis=axis) - counts == 0


def _after_step(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return jnp.cumsum(terminated | truncated, axis=0) == 0


def _goal_only(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return _until(terminated)


def _limit_only(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return _until(truncated)


def _one_row(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    ended = terminated | truncated
    return ~jnp.concatenate([jnp.zeros_like(ended[:1]), ended[:-1]])


def _ending_row_only(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return ~(terminated | truncated)


def _other_axis(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return _until(terminated | truncated, axis=1)


def _inverted(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return ~_until(terminated | truncated)


def _all_true(terminated: jax.Array, truncated: jax.Array) -> jax.Array:
    return jnp.ones_like(terminated)


def _events(num_steps: int, endings: list[tuple[int | None, bool]]) -> tuple[jax.Array, jax.Array]:
    """Event masks from one (row of the ending or None, by the limit) for each environment."""
    terminated = np.zeros((num_steps, len(endings)), bool)
    truncated = np.zeros((num_steps, len(endings)), bool)
    for b, (row, limit) in enumerate(endings):
        if row is not None:
            (truncated if limit else terminated)[row, b] = True
    return array(terminated, jnp.bool_), array(truncated, jnp.bool_)


def _visible() -> tuple[Case, ...]:
    every_kind = [(0, False), (2, False), (4, True), (None, False), (1, True), (3, False)]
    return (Case(_events(3, [(1, False), (None, False)])), Case(_events(5, every_kind)))


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = (5, 6) if rng.random() < 0.5 else _fresh.sizes(rng, 9, 4)
    rows = [None, *range(num_steps)]
    endings = [(rows[int(rng.integers(len(rows)))], bool(rng.integers(2))) for _ in range(num_envs)]
    return Case(_events(num_steps, endings))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    terminated, truncated = (np.asarray(a) for a in case.args)
    active = np.asarray(expected)
    return {
        "transitions that reach a goal": terminated,
        "transitions that are cut off": truncated,
        "transitions that end an episode": terminated | truncated,
        "padding, the rows after the end": ~active,
        "the first row": np.arange(len(active))[:, None] + np.zeros_like(active, int) == 0,
        "active transitions": active,
    }


ACTIVE_MASK = Exercise(
    name="collector.active_mask",
    title="which transitions count?",
    task=(
        "Write `active_mask(terminated, truncated)`: from the ending events of a batch, say which "
        "transitions belong to an episode."
    ),
    points=3,
    difficulty=3,
    reference=active_mask,
    answer=source(active_mask),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("t", "b"),
    eager=2,
    jit_from=1,
    regions=_regions,
    rules={
        "": "A transition is active if its episode had not ended BEFORE it: the ending one counts."
    },
    misconceptions=(
        Misconception(
            "mask taken after the step",
            "The transition that ends the episode is marked as padding, so the reward for reaching "
            "the goal would be thrown away. Look at the rows before this one only.",
            _after_step,
        ),
        Misconception(
            "goals only",
            "Episodes that were cut off by the limit never end here. An ending is "
            "terminated | truncated.",
            _goal_only,
        ),
        Misconception(
            "limits only",
            "Episodes that reached a goal never end here. An ending is terminated | truncated.",
            _limit_only,
        ),
        Misconception(
            "forgets the end",
            "Only the one row after the ending is padding; the rows below it count again. An "
            "episode that has ended stays ended: accumulate the events over time.",
            _one_row,
        ),
        Misconception(
            "only the ending row",
            "The ending row is switched off and everything after it counts. It is the other way "
            "round: the ending row counts, and nothing after it does.",
            _ending_row_only,
        ),
        Misconception(
            "the other axis",
            "The events are accumulated over the environments, so one episode's end switches off "
            "its neighbours. Time is axis 0.",
            _other_axis,
        ),
        Misconception("inverted", "True and False are exchanged: this is the padding.", _inverted),
        Misconception("constant", "Every transition counts here, padding included.", _all_true),
    ),
    hints=(
        "Write down one column by hand: an ending on row 2 of 5. Which rows are True?",
        "Shift the endings one row down, so that each row sees the endings before it.",
        "Concatenate a row of False with ended[:-1], take jnp.cumsum over axis 0, compare with 0.",
    ),
    why="A mask taken after the step drops the very transition that reached the goal.",
    gain="tell an episode's transitions from padding",
    explanation=(
        "The endings, shifted down by one row, say on each row what had ended before it. Their "
        "cumulative sum over time is 0 until then and at least 1 ever after."
    ),
)
