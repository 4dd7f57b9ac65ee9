"""One return for each episode of a batch."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.collector import Trajectory
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, floats, integers, source

SCAFFOLD = '''
def episode_return(trajectory):
    """The sum of the rewards of each environment's episode.

    Args:
        trajectory: a Trajectory, leaves (T, B).

    Returns:
        (B,) float32.
    """
    return ...
'''


def _record(lengths: list[int], limit: int, rewards: np.ndarray) -> Trajectory:
    """A record of episodes of these lengths (0: never ends), those of length `limit` cut off."""
    num_steps = len(rewards)
    row = np.arange(num_steps)[:, None]
    whole = np.array([length or num_steps for length in lengths])
    active = row < whole
    ended = (row == whole - 1) & (np.array(lengths) > 0)
    cut_off = np.array(lengths) == limit
    return Trajectory(
        observation=integers(np.zeros(rewards.shape)),
        action=integers(row % 2 + np.zeros_like(whole)),
        reward=floats(np.where(active, rewards, 0)),
        active=array(active, jnp.bool_),
        terminated=array(ended & ~cut_off, jnp.bool_),
        truncated=array(ended & cut_off, jnp.bool_),
        log_prob=floats(np.where((row + whole) % 2, 0, -0.7)),
    )


def _visible() -> tuple[Case, ...]:
    primes = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]).reshape(5, 3)
    return (Case((_record([1, 3, 4], 4, primes),)), Case((_record([2, 0, 4], 4, -primes / 4),)))


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = (5, 3) if rng.random() < 0.5 else _fresh.sizes(rng, 8, 4)
    lengths = [int(n) for n in rng.integers(0, num_steps, num_envs)]
    rewards = rng.integers(-40, 40, (num_steps, num_envs)) / 8
    return Case((_record(lengths, num_steps - 1, rewards),))


def _over_environments(trajectory: Any) -> jax.Array:
    return trajectory.reward.sum(axis=1)


def _over_everything(trajectory: Any) -> jax.Array:
    return trajectory.reward.sum()


def _per_row(trajectory: Any) -> jax.Array:
    return trajectory.reward.mean(axis=0)


def _per_transition(trajectory: Any) -> jax.Array:
    return trajectory.reward.sum(axis=0) / trajectory.active.sum(axis=0)


def _without_ending(trajectory: Any) -> jax.Array:
    ended = trajectory.terminated | trajectory.truncated
    return jnp.where(trajectory.active & ~ended, trajectory.reward, 0.0).sum(axis=0)


def _last_reward(trajectory: Any) -> jax.Array:
    return trajectory.reward[-1]


def _zeros(trajectory: Any) -> jax.Array:
    return jnp.zeros(trajectory.reward.shape[1], jnp.float32)


EPISODE_RETURN = Exercise(
    name="collector.episode_return",
    title="one return for each episode",
    task="Write `episode_return(trajectory)`, from its docstring alone.",
    points=2,
    difficulty=1,
    reference=returns.episode_return,
    parts=(returns.returns_to_go, returns.returns_by_matrix),
    answer=source(returns.episode_return),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("b",),
    eager=4,
    rules={
        "": "The return of environment b is the sum over time, axis 0, of column b: all of its "
        "rewards, the last one included."
    },
    misconceptions=(
        Misconception(
            "the other axis",
            "The sum runs over the environments: one number for each time step. Rows are time, so "
            "a sum over axis 0 leaves one number for each environment.",
            _over_environments,
        ),
        Misconception(
            "one number for everything",
            "Both axes are summed, so all episodes are added up. Sum over time only.",
            _over_everything,
        ),
        Misconception(
            "divided by the number of rows",
            "This is the mean over all rows, padding included: it gets smaller when num_steps "
            "grows. A return is a sum.",
            _per_row,
        ),
        Misconception(
            "divided by the length",
            "This is the mean reward of a transition. A return is the sum over the episode.",
            _per_transition,
        ),
        Misconception(
            "without the last reward",
            "The reward of the transition that ends the episode is left out. It belongs to it.",
            _without_ending,
        ),
        Misconception(
            "the last row",
            "This is the reward of the last row. The return adds up all rows of a column.",
            _last_reward,
        ),
        Misconception("constant", "The return is 0 whatever was earned.", _zeros),
    ),
    hints=(
        "The rewards are (T, B) and the answer is (B,): which axis has to go?",
        "Rows after the end hold a reward of 0, so they add nothing.",
        "trajectory.reward.sum(axis=0).",
    ),
    why="A sum over axis 1 has the shape (T,), and passes unnoticed where T and B are equal.",
    gain="say what each episode earned",
    explanation=(
        "Summing over time leaves one number for each environment. `where` states what the "
        "contract promises: only active rows count."
    ),
)
