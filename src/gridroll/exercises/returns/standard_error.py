"""How far off the mean return may be."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, floats, source
from gridroll.exercises.returns.recordings import active_mask, primes

SCAFFOLD = '''
def standard_error(reward, active):
    """The standard error of the mean return: the sample deviation of the returns over sqrt(B).

    The sample deviation divides the sum of squares by B - 1.

    Args:
        reward: (T, B) float32, a column for each episode, 0 in the padding.
        active: (T, B) bool, True on the transitions of the episode.

    Returns:
        () float32.
    """
    return ...
'''


def _earned(reward: Any, active: Any) -> Any:
    return jnp.where(active, reward, 0.0).sum(axis=0)


def _by_transitions(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1) / jnp.sqrt(active.sum())


def _of_transitions(reward: Any, active: Any) -> jax.Array:
    live = jnp.asarray(np.asarray(reward)[np.asarray(active)])
    return live.std(ddof=1) / jnp.sqrt(live.size)


def _by_cells(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1) / jnp.sqrt(reward.size)


def _by_rows(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1) / jnp.sqrt(reward.shape[0])


def _deviation(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1)


def _no_root(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1) / reward.shape[1]


def _variance(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).var(ddof=1) / reward.shape[1]


def _variance_over_root(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).var(ddof=1) / jnp.sqrt(reward.shape[1])


def _divides_by_all(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std() / jnp.sqrt(reward.shape[1])


def _less_one_twice(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).std(ddof=1) / jnp.sqrt(reward.shape[1] - 1)


def _other_axis(reward: Any, active: Any) -> jax.Array:
    return reward.sum(axis=1).std(ddof=1) / jnp.sqrt(reward.shape[0])


def _mean(reward: Any, active: Any) -> jax.Array:
    return _earned(reward, active).mean()


def _zero(reward: Any, active: Any) -> jax.Array:
    return jnp.float32(0)


def _case(lengths: Any, rewards: np.ndarray) -> Case:
    active = active_mask(lengths, len(rewards))
    return Case((floats(np.where(active, rewards, 0)), array(active, jnp.bool_)))


def _visible() -> tuple[Case, ...]:
    rng = np.random.default_rng(4)
    many = rng.integers(-40, 40, (8, 64)) / 8
    return (_case([1, 3, 5], primes(5, 3)), _case(rng.integers(1, 9, 64), many))


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = _fresh.sizes(rng, 5, 3, least=3) if rng.random() < 0.5 else (8, 64)
    lengths = rng.integers(1, num_steps + 1, num_envs)
    return _case(lengths, rng.integers(-40, 40, (num_steps, num_envs)) / 4)


STANDARD_ERROR = Exercise(
    name="returns.standard_error",
    title="how far off may the mean be?",
    task="Write `standard_error(reward, active)`, from its docstring alone.",
    points=3,
    difficulty=1,
    reference=returns.standard_error,
    parts=(returns.episode_statistics,),
    answer=source(returns.standard_error),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    rules={
        "": "One return for each column; their sample deviation, with B - 1 below the sum of "
        "squares; divided by the square root of B, the number of episodes."
    },
    misconceptions=(
        Misconception(
            "n is the number of transitions",
            "The deviation is divided by the root of the number of transitions. The sample is the "
            "episodes: transitions of one episode depend on one another, so they are no new "
            "evidence.",
            _by_transitions,
        ),
        Misconception(
            "the transitions are the sample",
            "This is the standard error of the mean reward of a transition, as if transitions "
            "were independent. Sum each episode first; the returns are the sample.",
            _of_transitions,
        ),
        Misconception(
            "n is the number of cells",
            "The deviation is divided by the root of T * B. There are B episodes.",
            _by_cells,
        ),
        Misconception(
            "n is the number of rows",
            "The deviation is divided by the root of T. There are B episodes, a column each.",
            _by_rows,
        ),
        Misconception(
            "the deviation itself",
            "This is how far one episode is from the mean. The mean of B episodes is closer to "
            "the truth by a factor of sqrt(B).",
            _deviation,
        ),
        Misconception(
            "no root",
            "The deviation is divided by B and not by its root. To halve the error you need four "
            "times as many episodes.",
            _no_root,
        ),
        Misconception(
            "the variance of the mean",
            "This is the square of the standard error. Take the root.",
            _variance,
        ),
        Misconception(
            "the variance in place of the deviation",
            "The variance is divided by sqrt(B). Take the root of the variance too.",
            _variance_over_root,
        ),
        Misconception(
            "B below the sum of squares",
            "The sum of squares is divided by B. The deviations are taken from the mean of the "
            "same sample, which lies too close to it; B - 1 makes up for that: std(ddof=1).",
            _divides_by_all,
        ),
        Misconception(
            "B - 1 in both places",
            "B - 1 belongs below the sum of squares alone. The root is that of B.",
            _less_one_twice,
        ),
        Misconception(
            "the other axis",
            "The sums run over the environments, so the rows are taken for the sample. An episode "
            "is a column.",
            _other_axis,
        ),
        Misconception("the mean", "This is the mean return, not how far off it may be.", _mean),
        Misconception("constant", "The error is 0 whatever was earned.", _zero),
    ),
    hints=(
        "What is the sample? It has B members, and each of them is one number.",
        "returns = reward.sum(axis=0); their deviation is returns.std(ddof=1).",
        "reward.sum(axis=0).std(ddof=1) / jnp.sqrt(reward.shape[1]).",
    ),
    why="With the number of transitions below the root, the error looks much too small.",
    gain="say how far off a mean return may be",
    explanation=(
        "Each episode gives one return, and the returns are independent of one another. The mean "
        "of B independent numbers spreads by their deviation over the root of B. The transitions "
        "of one episode belong together and add no evidence of their own."
    ),
)
