"""Return-to-go without a discount: everything that is still to come."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, source
from gridroll.exercises.returns.recordings import primes


def sum_to_end(reward: jax.Array) -> jax.Array:
    """Sum the rewards from each transition to the end.

    Args:
        reward: (T, B) float32.

    Returns:
        (T, B) float32; row t is reward[t] + reward[t + 1] + ... + reward[T - 1].
    """
    return jnp.cumsum(reward[::-1], axis=0)[::-1]


SCAFFOLD = '''
def sum_to_end(reward):
    """Sum the rewards from each transition to the end.

    Args:
        reward: (T, B) float32.

    Returns:
        (T, B) float32; row t is reward[t] + reward[t + 1] + ... + reward[T - 1].
    """
    # 1. Turn time round: the last row comes first.
    # 2. Sum cumulatively along time.
    # 3. Turn time back.
    return ...
'''


def _forward(reward: Any) -> jax.Array:
    return jnp.cumsum(reward, axis=0)


def _not_turned_back(reward: Any) -> jax.Array:
    return jnp.cumsum(reward[::-1], axis=0)


def _other_axis(reward: Any) -> jax.Array:
    return jnp.cumsum(reward[:, ::-1], axis=1)[:, ::-1]


def _without_own(reward: Any) -> jax.Array:
    return jnp.cumsum(reward[::-1], axis=0)[::-1] - reward


def _total(reward: Any) -> jax.Array:
    return jnp.broadcast_to(reward.sum(axis=0), reward.shape)


def _one_total(reward: Any) -> jax.Array:
    return reward.sum(axis=0)


def _flattened(reward: Any) -> jax.Array:
    return jnp.cumsum(reward.ravel()[::-1])[::-1].reshape(reward.shape)


def _mean(reward: Any) -> jax.Array:
    left = jnp.arange(reward.shape[0], 0, -1, dtype=jnp.float32)[:, None]
    return jnp.cumsum(reward[::-1], axis=0)[::-1] / left


def _zeros(reward: Any) -> jax.Array:
    return jnp.zeros_like(reward)


def _visible() -> tuple[Case, ...]:
    walk = np.array([[-0.01, 1.0], [-0.01, 0.0], [1.0, 0.0], [0.0, 0.0]])
    return (Case((floats(primes(5, 3)),)), Case((floats(walk),)))


def _generate(rng: np.random.Generator) -> Case:
    shape = (5, 3) if rng.random() < 0.5 else _fresh.sizes(rng, 3, 4)
    return Case((floats(rng.integers(-80, 80, shape) / 8),))


def regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    """Rows that a mistake in going backwards may be confined to."""
    rows = np.arange(len(expected)).reshape(-1, *[1] * (np.ndim(expected) - 1))
    row = np.broadcast_to(rows, np.shape(expected))
    return {
        "the last row": row == len(expected) - 1,
        "the first row": row == 0,
        "the rows before the last": row < len(expected) - 1,
        "the rows after the first": row > 0,
    }


SUM_TO_END = Exercise(
    name="returns.sum_to_end",
    title="everything still to come",
    task="Write `sum_to_end(reward)`: on each row, the sum of its own reward and all later ones.",
    points=2,
    difficulty=1,
    reference=sum_to_end,
    parts=(returns.returns_to_go, returns.returns_by_matrix, returns.discount_matrix),
    answer=source(sum_to_end),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("t", "b"),
    regions=regions,
    rules={
        "": "Row t is the sum of the rewards of its own column, from row t to the last one, both "
        "included."
    },
    misconceptions=(
        Misconception(
            "summed forward",
            "Row t holds what was earned up to t. These rewards lie in the past: the action on "
            "row t can't change them. Sum from row t to the end: turn time round, and back.",
            _forward,
        ),
        Misconception(
            "not turned back",
            "The sums are right and stand upside down: row 0 holds the last one. Turn time back "
            "after summing.",
            _not_turned_back,
        ),
        Misconception(
            "the wrong axis",
            "The sums run across the environments, so rewards of one flow into another. Time is "
            "axis 0.",
            _other_axis,
        ),
        Misconception(
            "without its own reward",
            "Each row leaves out its own reward. The action on row t earns reward[t], so it "
            "belongs to the sum.",
            _without_own,
        ),
        Misconception(
            "the whole return on each row",
            "Every row holds the whole return of its episode. Row t may only hold what comes from "
            "row t on.",
            _total,
        ),
        Misconception(
            "one return for each episode",
            "This is one number for each environment. What is asked for is one for each "
            "transition, (T, B).",
            _one_total,
        ),
        Misconception(
            "flows from one row into the next environment",
            "The sum runs through the whole array as one line, so it goes on from the last "
            "environment of a row into the next row. Give cumsum an axis: axis=0.",
            _flattened,
        ),
        Misconception(
            "a mean of what is left",
            "This is the mean of the rewards that are left. A return-to-go is their sum.",
            _mean,
        ),
        Misconception("constant", "Every sum is 0 whatever was earned.", _zeros),
    ),
    hints=(
        "jnp.cumsum(x, axis=0) sums from the first row on. You need it from the last row on.",
        "reward[::-1] is the array with time turned round. What does cumsum give of that?",
        "jnp.cumsum(reward[::-1], axis=0)[::-1].",
    ),
    why="A cumsum without the two turns sums the past: its first row is the first reward alone.",
    gain="say what each action can still influence",
    explanation=(
        "Turned round, the end comes first, so a cumulative sum adds everything that comes later. "
        "Turning back puts each sum on its own row. Axis 0 is time, so columns stay apart."
    ),
)
