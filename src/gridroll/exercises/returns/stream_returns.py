"""Make it yours: a record in which one episode follows the other."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import sparing
from gridroll.exercises._shared import array, floats, source
from gridroll.exercises.returns.recordings import primes


@jax.jit
def stream_returns(reward: jax.Array, ended: jax.Array, gamma: float) -> jax.Array:
    """Returns-to-go where the row after an ending belongs to a new episode.

    Args:
        reward: (T, B) float32.
        ended: (T, B) bool, True on the transition that ends an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, B) float32; no sum reaches beyond the end of its own episode.
    """

    def accumulate(
        later: jax.Array, row: tuple[jax.Array, jax.Array]
    ) -> tuple[jax.Array, jax.Array]:
        reward, ended = row
        now = reward + gamma * jnp.where(ended, 0.0, later)
        return now, now

    _, returns = jax.lax.scan(accumulate, jnp.zeros_like(reward[0]), (reward, ended), reverse=True)
    return returns


SCAFFOLD = '''
def stream_returns(reward, ended, gamma):
    """Returns-to-go where the row after an ending belongs to a new episode.

    Args:
        reward: (T, B) float32.
        ended: (T, B) bool, True on the transition that ends an episode.
        gamma: () the discount, between 0 and 1.

    Returns:
        (T, B) float32; no sum reaches beyond the end of its own episode.
    """
    return ...
'''


def _scan(reward: Any, ended: Any, body: Any) -> Any:
    """What a reverse scan emits, row by row in NumPy; the body gives what to hand on and emit."""
    rows, ends = np.asarray(reward), np.asarray(ended)
    later, emitted = np.zeros_like(rows[0]), np.zeros_like(rows)
    for t in reversed(range(len(rows))):
        later = emitted[t] = body(later, rows[t], ends[t])
    return emitted


def _cut(reward: Any, ended: Any, gamma: Any) -> Any:
    return _scan(reward, ended, lambda later, r, e: r + gamma * np.where(e, 0, later))


def _flows_on(reward: Any, ended: Any, gamma: Any) -> Any:
    return _scan(reward, ended, lambda later, r, e: r + gamma * later)


def _loses_the_ending(reward: Any, ended: Any, gamma: Any) -> Any:
    return _scan(reward, ended, lambda later, r, e: np.where(e, 0, r + gamma * later))


def _one_row_late(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    begins = jnp.concatenate([jnp.zeros_like(ended[:1]), ended[:-1]])
    return _cut(reward, begins, gamma)


def _one_row_early(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    begins = jnp.concatenate([ended[1:], jnp.zeros_like(ended[:1])])
    return _cut(reward, begins, gamma)


def _first_episode_only(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    first = jnp.cumsum(ended, axis=0) - ended == 0
    return _flows_on(jnp.where(first, reward, 0.0), ended, gamma)


def _stops_everybody(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    anybody = jnp.broadcast_to(ended.any(axis=1, keepdims=True), ended.shape)
    return _cut(reward, anybody, gamma)


def _inverted(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    return _cut(reward, ~ended, gamma)


def _undiscounted(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    return _cut(reward, ended, 1.0)


def _zeros(reward: Any, ended: Any, gamma: Any) -> jax.Array:
    return jnp.zeros_like(reward)


def _visible() -> tuple[Case, ...]:
    ended = [[0, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]]
    late = [[0, 0, 1], [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]]
    return (
        Case((floats(primes(5, 3)), array(ended, jnp.bool_), 1.0)),
        Case((floats(-primes(5, 3) / 4), array(late, jnp.bool_), 0.5)),
        Case((floats(primes(5, 3)), array(late, jnp.bool_), 0.0)),
        Case((floats(primes(2, 4)), array([[1, 0, 0, 1], [0, 1, 0, 1]], jnp.bool_), 0.5)),
    )


def _generate(rng: np.random.Generator) -> Case:
    shape = _fresh.sizes(rng, 5, 3)
    ended = rng.random(shape) < 0.3
    gamma = float(rng.choice([0.0, 1.0, *rng.random(4)]))
    return Case((floats(rng.integers(-80, 80, shape) / 8), array(ended, jnp.bool_), gamma))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    ended = np.asarray(case.args[1])
    later = np.cumsum(ended[::-1], axis=0)[::-1]
    return {
        "transitions that end an episode": ended,
        "rows before an ending": (later > 0) & ~ended,
        "rows up to an ending": later > 0,
        "rows of an episode that doesn't end": later == 0,
    }


STREAM_RETURNS = Exercise(
    name="returns.stream_returns",
    title="make it yours",
    task=(
        "Write `stream_returns(reward, ended, gamma)` for records in which the next episode "
        "begins on the row after an ending."
    ),
    points=3,
    difficulty=3,
    reference=stream_returns,
    answer=source(stream_returns),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("t", "b"),
    probe=sparing,
    regions=_regions,
    stretch=True,
    rules={
        "": "G[t] is reward[t] where row t ends an episode, and reward[t] + gamma * G[t + 1] "
        "everywhere else."
    },
    misconceptions=(
        Misconception(
            "flows into the next episode",
            "The sum runs on over the ending, so an episode is credited with what the next one "
            "earned. Behind an ending nothing comes: cut `later` off there.",
            _flows_on,
        ),
        Misconception(
            "loses the reward of the ending",
            "The ending row is set to 0 altogether. It belongs to its episode and keeps its "
            "reward; only what comes later is cut off.",
            _loses_the_ending,
        ),
        Misconception(
            "cut one row too late",
            "The cut lies behind the first row of the next episode, one row too late.",
            _one_row_late,
        ),
        Misconception(
            "cut one row too early",
            "The cut lies before the ending row, so the last reward never reaches the rows before "
            "it.",
            _one_row_early,
        ),
        Misconception(
            "the first episode only",
            "Everything behind the first ending is taken for padding. Here it is the next episode.",
            _first_episode_only,
        ),
        Misconception(
            "one ending stops all",
            "An ending in one environment cuts all of them. Each column has endings of its own.",
            _stops_everybody,
        ),
        Misconception("inverted", "It is cut everywhere except at the endings.", _inverted),
        Misconception(
            "no discount", "gamma isn't used: later rewards count in full.", _undiscounted
        ),
        Misconception("constant", "Every return is 0 whatever was earned.", _zeros),
    ),
    hints=(
        "It is your returns_to_go, with one question more on each row: does anything come later?",
        "Give scan a pair, (reward, ended); the body gets one row of each.",
        "now = reward + gamma * jnp.where(ended, 0.0, later).",
    ),
    why="Without the cut, an episode is credited with the rewards of those that follow it.",
    gain="credit rewards to their own episode, wherever it ends",
    explanation=(
        "Where a row ends its episode, nothing comes later, so `later` is replaced by 0 there and "
        "nowhere else. The ending row keeps its reward, and the row behind it begins anew."
    ),
)
