"""A value without a horizon calls a right collector broken: find out why, and mend the report."""

import inspect
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Case, Exercise
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, floats, is_whole_number, random_world
from gridroll.exercises.planning import wrong_luck
from gridroll.exercises.planning.cases import policy_table, short_corridor, two_goals
from gridroll.gridworld import Gridworld, corridor

Report = tuple[jax.Array, jax.Array, jax.Array]
LIMIT = 8  # the corridor's horizon, in a witness


def luck_report(
    world: Gridworld, probabilities: jax.Array, reward: jax.Array, active: jax.Array
) -> Report:
    """Hold the mean return of a batch against its exact value.

    Args:
        world: the rules that the batch was collected with.
        probabilities: (S, A) float32, of the policy that collected it.
        reward: (T, B) float32, 0 in the padding.
        active: (T, B) bool, True on the transitions of the episodes.

    Returns:
        The expected return of an episode, stopped after T steps if it is still running; the mean
        return of the B episodes; and how many standard errors of the batch the mean lies above the
        expected return. Each is () float32.
    """
    exact = planning.expected_return(world, probabilities, reward.shape[0])
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    error = earned.std(ddof=1) / jnp.sqrt(earned.shape[0])
    return exact, earned.mean(), (earned.mean() - exact) / error


def broken_report(
    world: Gridworld, probabilities: jax.Array, reward: jax.Array, active: jax.Array
) -> Report:
    """The program as the student finds it."""

    def sweep(_: jax.Array, value: jax.Array) -> jax.Array:
        return planning.back_up(world, probabilities, value)

    value = jax.lax.fori_loop(0, 500, sweep, jnp.zeros(world.goal.shape, jnp.float32))
    exact = value[world.starts].mean()
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    error = earned.std(ddof=1) / jnp.sqrt(active.sum())
    return exact, earned.mean(), (earned.mean() - exact) / error


SCAFFOLD = '''
def luck_report(world, probabilities, reward, active):
    """Hold the mean return of a batch against its exact value.

    Args:
        world: the rules that the batch was collected with.
        probabilities: (S, A) float32, of the policy that collected it.
        reward: (T, B) float32, 0 in the padding.
        active: (T, B) bool, True on the transitions of the episodes.

    Returns:
        The expected return of an episode, stopped after T steps if it is still running; the mean
        return of the B episodes; and how many standard errors of the batch the mean lies above the
        expected return. Each is () float32.
    """

    def sweep(_, value):
        return planning.back_up(world, probabilities, value)

    # Sweep until nothing changes any more.
    value = jax.lax.fori_loop(0, 500, sweep, jnp.zeros(world.goal.shape, jnp.float32))
    exact = value[world.starts].mean()
    earned = jnp.where(active, reward, 0.0).sum(axis=0)
    error = earned.std(ddof=1) / jnp.sqrt(active.sum())
    return exact, earned.mean(), (earned.mean() - exact) / error


# (chance, T) in the corridor: the chance to move right, the same in every cell, and the number of
# steps T, 1 to 8. The report's expected return has to be wrong there.
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(luck_report)
    start, end = text.index("("), text.index(':\n    """')
    head = "(world, probabilities, reward, active)"
    return text[:start] + head + text[end:] + "\n\nwitness = (1.0, 2)\n"


def witness_case(witness: Any) -> Case:
    """(chance of right, T) in the corridor, with a record of two episodes."""
    if not isinstance(witness, list | tuple) or len(witness) != 2:
        raise ValueError("A witness is a pair: a chance, and a number of steps.")
    chance, num_steps = witness
    known = isinstance(chance, int | float) and not isinstance(chance, bool)
    if not known or not math.isfinite(chance) or not 0 <= chance <= 1:
        raise ValueError("The chance to move right is a number from 0 to 1.")
    if not is_whole_number(num_steps) or not 1 <= num_steps <= LIMIT:
        raise ValueError(
            "The number of steps T is a whole number from 1 to 8, the corridor's horizon."
        )
    table = floats(np.tile([1 - chance, chance], (4, 1)))
    case = _case(corridor(), table, np.full((int(num_steps), 2), [-0.01, 0.5]), [num_steps] * 2)
    world, table, _, active = case.args
    wanted = wrong_luck.with_steps(world, table, len(active))
    if abs(wrong_luck.swept()(world, table, len(active)) - wanted) < 1e-4:
        raise ValueError(
            f"Here the expected return of the old report is right, {wanted:.3g}. What must "
            "happen within the steps for that? Find a case in which it doesn't."
        )
    return case


def _case(world: Gridworld, table: Any, rewards: np.ndarray, lengths: Any) -> Case:
    active = np.arange(len(rewards))[:, None] < np.array(lengths)
    reward = floats(np.where(active, rewards, 0))
    return Case((world, table, reward, array(active, jnp.bool_)))


def _drawn(world: Gridworld, rng: np.random.Generator, table: Any = None) -> Case:
    """Five rows of six episodes, or another size for another seed; their returns differ."""
    num_steps, num_envs = _fresh.sizes(rng, 5, 6, least=3)
    rewards = rng.integers(-20, 40, (num_steps, num_envs)) / 8
    rewards[0] += np.arange(num_envs) / 2
    table = policy_table(rng, world) if table is None else table
    return _case(world, table, rewards, rng.integers(1, num_steps + 1, num_envs))


def _visible() -> tuple[Case, ...]:
    rng = np.random.default_rng(3)
    always_left = floats([[1, 0]] * 4)  # its value never settles
    return (
        _drawn(short_corridor(2), rng),
        _drawn(short_corridor(9), rng, always_left),
        _drawn(two_goals(9), rng),
        _drawn(two_goals(3, step_reward=0.5), rng),
    )


LUCK_REPORT = Exercise(
    name="planning.luck_report",
    title="diagnose a collector that was called broken",
    task=(
        "Mend the broken `luck_report` so that all it returns keeps the promise of its docstring, "
        "and give a `witness`: a policy and a number of steps for which its expected return was "
        "wrong."
    ),
    points=4,
    difficulty=3,
    reference=luck_report,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=lambda rng: _drawn(random_world(rng), rng),
    eager=2,  # a loop of 500 sweeps is compiled again for each of these
    outputs=("expected return", "mean return", "standard errors"),
    rules={
        "expected return": "The expected return of an episode that is collected for T steps in "
        "this world, whose horizon may be shorter.",
        "mean return": "The mean over the B episodes of the sum of their rewards.",
        "standard errors": "(mean return - expected return) / error, where the error is the sample "
        "deviation of the B returns over the root of B.",
    },
    misconceptions=wrong_luck.MISCONCEPTIONS,
    hints=(
        "Let the policy always move right. Which number of steps is too few for one of the starts? "
        "What does that episode earn, and what does the report say?",
        "A sweep is one backup: it adds one step. The report makes 500, so it values a world that "
        "never ends. And look at the error: what is the sample?",
        "exact = planning.expected_return(world, probabilities, reward.shape[0]); the error is "
        "earned.std(ddof=1) / jnp.sqrt(earned.shape[0]).",
    ),
    why="More sweeps, or a discount, only move the number: what is missing is the horizon.",
    gain="tell a broken collector from a broken answer key",
    explanation=(
        "Sweeping until nothing changes gives the value of an episode that may go on for ever. "
        "An episode of this course has T steps at most, so it takes T backups, and none beyond "
        "the world's horizon. The error had the old fault of lesson 04: transitions are no sample."
    ),
    broken=broken_report,
    witness=witness_case,
)
