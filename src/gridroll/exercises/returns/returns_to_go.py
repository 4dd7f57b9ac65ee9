"""Returns-to-go with a discount."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import sparing
from gridroll.exercises._shared import floats, source
from gridroll.exercises.returns.recordings import primes
from gridroll.exercises.returns.sum_to_end import regions

SCAFFOLD = '''
def returns_to_go(reward, gamma=1.0):
    """Sum the rewards from each transition on: G[t] = reward[t] + gamma * G[t + 1].

    After the last transition G is 0.

    Args:
        reward: (T, ...) float32, time first, 0 after the end of an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, ...) float32.
    """

    def accumulate(later, reward):
        # 1. `later` is G[t + 1]. What is G[t]?
        now = ...
        # 2. Hand it on to the row before, and emit it.
        return ...

    # 3. scan from the last row to the first: reverse=True. The carry has the shape of one row.
    _, returns = ...
    return returns
'''


def _scan(reward: Any, body: Any, first: Any = 0.0, forward: bool = False) -> tuple[Any, Any]:
    """What scan gives, row by row in NumPy: the last carry, and what the body emitted."""
    rows = np.asarray(reward)
    carry, emitted = first + np.zeros_like(rows[0]), np.zeros_like(rows)
    for t in range(len(rows)) if forward else reversed(range(len(rows))):
        carry, emitted[t] = body(carry, rows[t])
    return carry, emitted


def _one_too_many(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (gamma * (r + later),) * 2)[1]


def _from_the_start(reward: Any, gamma: Any = 1.0) -> Any:
    row = jnp.arange(reward.shape[0]).reshape(-1, *[1] * (reward.ndim - 1))
    return jnp.cumsum((gamma**row * reward)[::-1], axis=0)[::-1]


def _divided(reward: Any, gamma: Any = 1.0) -> Any:
    row = jnp.arange(reward.shape[0]).reshape(-1, *[1] * (reward.ndim - 1))
    return _from_the_start(reward, gamma) / gamma**row


def _forward(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda before, r: (r + gamma * before,) * 2, forward=True)[1]


def _undiscounted(reward: Any, gamma: Any = 1.0) -> Any:
    return jnp.cumsum(reward[::-1], axis=0)[::-1]


def _discounts_reward(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (gamma * r + later,) * 2)[1]


def _emits_later(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (r + gamma * later, later))[1]


def _hands_on_reward(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (r, r + gamma * later))[1]


def _one_minus(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: ((1 - gamma) * r + gamma * later,) * 2)[1]


def _begins_with_last(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (r + gamma * later,) * 2, first=np.asarray(reward)[-1])[1]


def _returns_carry(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (r + gamma * later,) * 2)[0]


def _other_axis(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward.T, lambda later, r: (r + gamma * later,) * 2)[1].T


def _fixed(reward: Any, gamma: Any = 1.0) -> Any:
    return _scan(reward, lambda later, r: (r + 0.9 * later,) * 2)[1]


def _zeros(reward: Any, gamma: Any = 1.0) -> Any:
    return jnp.zeros_like(reward)


def _visible() -> tuple[Case, ...]:
    table, walk = floats(primes(5, 3)), floats([-0.01, -0.01, 1, 0])
    long = floats(1 + np.arange(45)[:, None] % 7)
    return (
        Case((table, 0.9)),
        Case((table, 0.0)),
        Case((table, 1.0)),
        Case((table,)),
        Case((long, 0.1)),  # 0.1 ** 44 is 0 in float32
        Case((walk, 0.5)),
    )


def _generate(rng: np.random.Generator) -> Case:
    gamma = float(rng.choice([0.0, 0.99, 1.0, *rng.random(4)]))
    return Case((floats(rng.integers(-80, 80, _fresh.sizes(rng, 5, 3)) / 8), gamma))


RETURNS_TO_GO = Exercise(
    name="returns.returns_to_go",
    title="with a discount",
    task="Write `returns_to_go(reward, gamma)` with a scan that runs backwards.",
    points=3,
    difficulty=2,
    reference=returns.returns_to_go,
    parts=(returns.returns_by_matrix, returns.discount_matrix),
    answer=source(returns.returns_to_go),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("t", "b"),
    probe=sparing,
    regions=regions,
    rules={
        "": "G[t] = reward[t] + gamma * G[t + 1], and 0 after the last row: a reward k rows ahead "
        "counts gamma ** k times, the row's own reward once."
    },
    misconceptions=(
        Misconception(
            "one gamma too many",
            "The reward of the row itself is discounted as well, so every weight has one factor "
            "of gamma too many. Only what comes later is multiplied: reward + gamma * later.",
            _one_too_many,
        ),
        Misconception(
            "discounted from the start of the record",
            "The weights are gamma ** u, counted from row 0. They must be gamma ** (u - t), "
            "counted from the row that looks ahead: every row discounts anew.",
            _from_the_start,
        ),
        Misconception(
            "divided by gamma ** t",
            "On paper this is right. But gamma ** t is 0 for gamma = 0, and rounds to 0 on a long "
            "horizon, and then it divides 0 by 0. Go backwards and never divide.",
            _divided,
        ),
        Misconception(
            "summed forward",
            "The sum runs from the first row on, so it holds the past. Go from the last row to "
            "the first: reverse=True.",
            _forward,
        ),
        Misconception(
            "no discount",
            "gamma isn't used: every later reward counts in full.",
            _undiscounted,
        ),
        Misconception(
            "gamma on the wrong term",
            "gamma multiplies the reward of the row and not what comes later. A reward 3 rows "
            "ahead must be multiplied 3 times, the row's own reward never.",
            _discounts_reward,
        ),
        Misconception(
            "emits what comes later",
            "Each row emits G[t + 1], so its own reward is missing. The body hands on and emits "
            "the same number: G[t].",
            _emits_later,
        ),
        Misconception(
            "hands on the reward alone",
            "The carry is only the reward of the next row, so each row sees one row ahead. Hand "
            "on G[t], which holds everything behind it.",
            _hands_on_reward,
        ),
        Misconception(
            "a moving average",
            "The reward is weighted with 1 - gamma. That is a moving average; a return counts its "
            "own reward in full.",
            _one_minus,
        ),
        Misconception(
            "begins with the last reward",
            "The last reward counts twice: it is the first carry and is added again. After the "
            "last row nothing comes, so the carry begins with 0.",
            _begins_with_last,
        ),
        Misconception(
            "returns the carry",
            "scan returns two things, the last carry and what was emitted. This is the carry, "
            "G[0] alone; the returns-to-go of all rows are the second.",
            _returns_carry,
        ),
        Misconception(
            "the wrong axis",
            "The sums run across the environments. Time is the first axis, and scan goes along it.",
            _other_axis,
        ),
        Misconception(
            "a gamma of its own",
            "The discount is fixed at 0.9. It has to be the one that is passed in.",
            _fixed,
        ),
        Misconception("constant", "Every return is 0 whatever was earned.", _zeros),
    ),
    hints=(
        "If you knew G of the next row, how would you get G of this one? And of the last row?",
        "scan(..., reverse=True) takes the rows from the last to the first and still puts each "
        "result on its own row.",
        "now = reward + gamma * later; return now, now. The carry begins with "
        "jnp.zeros_like(reward[0]), and the emitted array is the second result.",
    ),
    why="gamma * (reward + later) also runs, and is off by one factor of gamma everywhere.",
    gain="discount on any horizon, with any gamma from 0 to 1",
    explanation=(
        "Each row needs only the sum of the row behind it, so one number for each environment is "
        "handed backwards. Nothing is divided, so gamma = 0 and long horizons are ordinary cases."
    ),
)
