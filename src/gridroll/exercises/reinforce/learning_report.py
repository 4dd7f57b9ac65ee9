"""A report on a trained policy, in a world that nobody has seen: numbers that can be defended."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import planning, policy
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.collector import Trajectory
from gridroll.exercises._shared import floats, random_world, source
from gridroll.exercises.reinforce import recordings
from gridroll.gridworld import Gridworld
from gridroll.policy import Policy
from gridroll.returns import episode_return, standard_error

Report = tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]


def learning_report(
    world: Gridworld, policy: Policy, theta: jax.Array, trajectory: Trajectory
) -> Report:
    """Report on a trained policy: what its episodes earned, and what is true of it.

    Args:
        world: the rules; each entry of `starts` is equally likely.
        policy: the policy that the actions were drawn from.
        theta: its parameters.
        trajectory: leaves (T, B), a batch that was collected with them, rewards 0 in the padding.

    Returns:
        The mean return of the episodes and its standard error; the exact expected return; the
        best expected return that is possible from the starts; and how many standard errors the
        mean lies from the exact value. Each () float32.
    """
    num_steps = trajectory.reward.shape[0]
    mean = episode_return(trajectory).mean()
    error = standard_error(trajectory.reward, trajectory.active)
    exact = planning.expected_return(world, policy.probabilities(theta), num_steps)
    value, _ = planning.optimal(world, num_steps)
    return mean, error, exact, value[0, world.starts].mean(), (mean - exact) / error


SCAFFOLD = '''
def learning_report(world, policy, theta, trajectory):
    """Report on a trained policy: what its episodes earned, and what is true of it.

    Args:
        world: the rules; each entry of `starts` is equally likely.
        policy: the policy that the actions were drawn from.
        theta: its parameters.
        trajectory: leaves (T, B), a batch that was collected with them, rewards 0 in the padding.

    Returns:
        The mean return of the episodes and its standard error; the exact expected return; the
        best expected return that is possible from the starts; and how many standard errors the
        mean lies from the exact value. Each () float32.
    """
    return ...
'''


def _all(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    """The right report, computed apart, for mistakes in one of its parts."""
    num_steps, earned = trajectory.reward.shape[0], trajectory.reward.sum(axis=0)
    mean, error = earned.mean(), earned.std(ddof=1) / jnp.sqrt(earned.size)
    exact = planning.expected_return(world, policy.probabilities(theta), num_steps)
    value = planning.optimal(world, num_steps)[0]
    return mean, error, exact, value, value[0, world.starts].mean()


def _over_transitions(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    _, error, exact, _, best = _all(world, policy, theta, trajectory)
    mean = trajectory.reward.sum() / trajectory.active.sum()
    return mean, error, exact, best, (mean - exact) / error


def _deviation(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, _, best = _all(world, policy, theta, trajectory)
    spread = error * jnp.sqrt(trajectory.reward.shape[1])
    return mean, spread, exact, best, (mean - exact) / spread


def _transitions_as_sample(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, _, best = _all(world, policy, theta, trajectory)
    error = error * jnp.sqrt(trajectory.reward.shape[1] / trajectory.active.sum())
    return mean, error, exact, best, (mean - exact) / error


def _uniform(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, _, best = _all(world, policy, jnp.zeros_like(theta), trajectory)
    return mean, error, exact, best, (mean - exact) / error


def _best_anywhere(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, value, _ = _all(world, policy, theta, trajectory)
    return mean, error, exact, value[0].max(), (mean - exact) / error


def _best_of_all_cells(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, value, _ = _all(world, policy, theta, trajectory)
    return mean, error, exact, value[0].mean(), (mean - exact) / error


def _best_of_first_start(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, value, _ = _all(world, policy, theta, trajectory)
    return mean, error, exact, value[0, world.starts[0]], (mean - exact) / error


def _from_best(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, _, best = _all(world, policy, theta, trajectory)
    return mean, error, exact, best, (mean - best) / error


def _sign(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    mean, error, exact, _, best = _all(world, policy, theta, trajectory)
    return mean, error, exact, best, (exact - mean) / error


def _nothing(world: Any, policy: Any, theta: Any, trajectory: Any) -> Any:
    return (jnp.float32(0),) * 5


def _case(
    rng: np.random.Generator, lengths: Any, endings: Any, size: recordings.Size = recordings.SIZE
) -> Case:
    world = random_world(rng)
    num_positions, num_actions = world.next_position.shape
    record = recordings.recording(rng, lengths, endings, num_actions=num_actions, size=size)
    reward = np.asarray(record.reward) / 8 - np.asarray(record.active)
    record = record._replace(reward=floats(reward))
    theta = floats(recordings.logits(rng, num_positions, num_actions))
    return Case((world, policy.softmax, theta, record))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    return (_case(drawn, recordings.LENGTHS, recordings.ENDINGS),)


def _generate(rng: np.random.Generator) -> Case:
    return _case(rng, *recordings.drawn_endings(rng), recordings.drawn_size(rng))


LEARNING_REPORT = Exercise(
    name="reinforce.learning_report",
    title="a report for any world",
    task=(
        "Write `learning_report(world, policy, theta, trajectory)`, five numbers on a trained "
        "policy that hold in worlds you haven't seen."
    ),
    points=3,
    difficulty=3,
    reference=learning_report,
    answer=source(learning_report).replace(" -> Report:", ":"),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("mean return", "standard error", "exact return", "best possible", "z"),
    eager=0,
    stretch=True,
    rules={
        "mean return": "The mean over the B episodes of what each earned.",
        "standard error": "The sample deviation of the B returns over √B.",
        "exact return": "planning.expected_return for the probabilities of theta, on T steps.",
        "best possible": "The optimal value in row 0, averaged over the starts.",
        "z": "(mean return − exact return) / standard error.",
    },
    misconceptions=(
        Misconception(
            "mean over live transitions",
            "This is what a transition earns. The report is about episodes.",
            _over_transitions,
        ),
        Misconception(
            "deviation for error",
            "This is how far one return is from the mean. The mean of B returns is known better, "
            "by a factor of √B.",
            _deviation,
        ),
        Misconception(
            "the transitions are the sample",
            "The number of transitions stands below the root. The sample is the episodes.",
            _transitions_as_sample,
        ),
        Misconception(
            "the uniform policy",
            "The exact return is that of theta = 0, which the batch wasn't collected with.",
            _uniform,
        ),
        Misconception(
            "the best cell",
            "The best possible is that of the most favourable cell, where nobody starts.",
            _best_anywhere,
        ),
        Misconception(
            "every cell a start",
            "The optimal value is averaged over all cells, walls and goals included. Episodes "
            "begin on the starts.",
            _best_of_all_cells,
        ),
        Misconception(
            "one start",
            "Only the first start counts. Each entry of world.starts is equally likely.",
            _best_of_first_start,
        ),
        Misconception(
            "distance from the optimum",
            "The last number is the distance from the best possible. It should say whether the "
            "batch agrees with the exact return of this policy.",
            _from_best,
        ),
        Misconception(
            "exact minus mean",
            "The sign of the last number is turned: a batch that earned too much has a positive "
            "one.",
            _sign,
        ),
        Misconception("constant", "The report is 0 whatever happened.", _nothing),
    ),
    hints=(
        "Two numbers come from the batch, two from `planning`, and the last one holds them against "
        "each other.",
        "returns.standard_error, planning.expected_return and planning.optimal do most of it; the "
        "starts are in world.starts.",
        "value[0, world.starts].mean() is the best possible, where value, _ = "
        "planning.optimal(world, num_steps); the last number is (mean - exact) / error.",
    ),
    why="The best possible depends on where episodes start, not on the best or the average cell.",
    gain="report on a learner in a world that you haven't seen",
    explanation=(
        "The batch says what was earned and how far that may be off. The answer key says what this "
        "policy is worth and what no policy exceeds, both on average over the starts. Their "
        "distance, in standard errors, says whether the batch is to be believed."
    ),
)
