"""A learner that unlearns: find the episode that shows its fault, and mend its update."""

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.collector import Trajectory
from gridroll.exercises._probes import compiled
from gridroll.exercises._shared import floats
from gridroll.exercises.reinforce import recordings, wrong_updates
from gridroll.exercises.reinforce.walks import witness_case
from gridroll.returns import returns_to_go


def update(theta: jax.Array, trajectory: Trajectory, learning_rate: jax.Array) -> jax.Array:
    """Move the logits of the bernoulli policy up the estimated gradient of the expected return.

    The weights are returns-to-go; a sum over time, a mean over episodes.

    Args:
        theta: (S,) float32, logits from -300 to 300.
        trajectory: leaves (T, B), rewards 0 in the padding.
        learning_rate: () float32, how far to go along the gradient.

    Returns:
        (S,) float32, finite.
    """
    weights = returns_to_go(trajectory.reward)

    def objective(theta: jax.Array) -> jax.Array:
        logit = theta[trajectory.observation]
        signed = jnp.where(trajectory.action == 1, logit, -logit)
        log_prob = jax.nn.log_sigmoid(signed)
        return jnp.where(trajectory.active, weights * log_prob, 0.0).sum(axis=0).mean()

    return theta + learning_rate * jax.grad(objective)(theta)


def broken_update(theta: jax.Array, trajectory: Trajectory, learning_rate: jax.Array) -> jax.Array:
    """The program as the student finds it."""
    weights = returns_to_go(trajectory.reward)
    ended = trajectory.terminated | trajectory.truncated
    running = trajectory.active & ~ended

    def objective(theta: jax.Array) -> jax.Array:
        right = jax.nn.sigmoid(theta[trajectory.observation])
        log_prob = jnp.log(jnp.where(trajectory.action == 1, right, 1 - right))
        return jnp.where(running, weights * log_prob, 0.0).sum(axis=0).mean()

    return theta + learning_rate * jax.grad(objective)(theta)


SCAFFOLD = '''
def update(theta, trajectory, learning_rate):
    """Move the logits of the bernoulli policy up the estimated gradient of the expected return.

    The weights are returns-to-go; a sum over time, a mean over episodes.

    Args:
        theta: (S,) float32, logits from -300 to 300.
        trajectory: leaves (T, B), rewards 0 in the padding.
        learning_rate: () float32, how far to go along the gradient.

    Returns:
        (S,) float32, finite.
    """
    weights = returns_to_go(trajectory.reward)
    ended = trajectory.terminated | trajectory.truncated
    running = trajectory.active & ~ended

    def objective(theta):
        right = jax.nn.sigmoid(theta[trajectory.observation])
        log_prob = jnp.log(jnp.where(trajectory.action == 1, right, 1 - right))
        return jnp.where(running, weights * log_prob, 0.0).sum(axis=0).mean()

    return theta + learning_rate * jax.grad(objective)(theta)


# A start cell of corridor() and the actions of one episode, such as (1, [0, 1]).
# From theta = 0, the old update has to move theta differently from the right one.
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(update)
    head = "(theta: jax.Array, trajectory: Trajectory, learning_rate: jax.Array) -> jax.Array"
    text = text.replace(head, "(theta, trajectory, learning_rate)")
    text = text.replace("objective(theta: jax.Array) -> jax.Array", "objective(theta)")
    return text + "\n\nwitness = (1, [1, 1])\n"


def _case(
    rng: np.random.Generator,
    theta: Any,
    lengths: Any,
    endings: Any,
    size: recordings.Size = recordings.SIZE,
) -> Case:
    record = recordings.recording(rng, lengths, endings, size=size)
    record = record._replace(reward=floats(np.asarray(record.reward) / 8))
    return Case((floats(theta), record, floats(rng.choice([0.5, 0.25, rng.random()]))))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    lengths, endings = recordings.LENGTHS, recordings.ENDINGS
    goals = ("goal", "goal", "limit")
    return (
        _case(drawn, [0.5, -1, 0, 0], lengths, endings),
        _case(drawn, [20, -100, 300, 0], (5, 3, 5), goals),
        _case(drawn, [1, 2, -2, 0], (1, 2, 5), goals),
    )


def _generate(rng: np.random.Generator) -> Case:
    size = recordings.drawn_size(rng)
    theta = recordings.logits(rng, size[2])
    if rng.random() < 0.4:
        theta = theta * 60
    return _case(rng, theta, *recordings.drawn_endings(rng), size)


UPDATE = Exercise(
    name="reinforce.update",
    title="diagnose a learner that unlearns",
    task=(
        "Mend the broken `update` so that it keeps the promise of its docstring, and give a "
        "`witness`: an episode from which it learnt the wrong thing."
    ),
    points=4,
    difficulty=4,
    reference=update,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    parts=(reinforce.policy_gradient, reinforce.surrogate),
    probe=compiled,
    eager=0,
    rules={
        "": "theta + learning_rate · (mean over episodes of the sum over active transitions of "
        "return-to-go times score), finite for all logits from −300 to 300."
    },
    misconceptions=(
        Misconception(
            "still broken",
            "The program does what it did before. Take a short episode that reaches the goal: "
            "which of its actions have a part in the objective?",
            broken_update,
        ),
        Misconception(
            "log of a rounded probability",
            "The mask is mended. Where the policy is nearly certain, the gradient is still nan or "
            "wrong, and you have met this in lesson 03: a probability that was rounded to 1, and "
            "its logarithm. jax.nn.log_sigmoid takes the logit.",
            wrong_updates.ROUNDED[0],
            also=wrong_updates.ROUNDED[1:],
        ),
        Misconception(
            "mask still after the step",
            "The log-probability is safe now. The transition that ends an episode still has no "
            "part in the objective, and it is the one that reached the goal: `active` alone was "
            "taken before the step.",
            wrong_updates.made(mask=wrong_updates.after_the_step),
        ),
        Misconception(
            "goals kept, cut-offs dropped",
            "The transition that reaches the goal counts now; the one that is cut off still "
            "doesn't. It is active too.",
            wrong_updates.made(mask=wrong_updates.without_cut_offs),
        ),
        Misconception(
            "cut-offs kept, goals dropped",
            "The transition that is cut off counts now; the one that reaches the goal still "
            "doesn't.",
            wrong_updates.made(mask=wrong_updates.without_goals),
        ),
        Misconception(
            "a lower learning rate",
            "The program learns the same wrong thing, more slowly.",
            wrong_updates.slower,
        ),
        Misconception(
            "the reward of the ending dropped too",
            "The mask moved onto the rewards: the goal's reward never reaches the actions before "
            "it.",
            wrong_updates.rewards_after_the_step,
        ),
        Misconception(
            "logits clipped",
            "Large logits are cut to a range in which nothing rounds. They are allowed, and what "
            "comes out has to be the update of these logits.",
            wrong_updates.clipped,
        ),
        Misconception(
            "nan replaced by 0",
            "A nan in the gradient is replaced by 0, so a policy that is nearly certain never "
            "learns that it is wrong. Mend where the nan comes from.",
            wrong_updates.cleaned,
        ),
        Misconception(
            "a probability kept away from 0",
            "The probability is kept away from 0, by a small number or a clip. That removes the "
            "nan, and an action that was nearly impossible has no gradient left. "
            "jax.nn.log_sigmoid is exact.",
            wrong_updates.KEPT_AWAY[0],
            also=wrong_updates.KEPT_AWAY[1:],
        ),
        Misconception(
            "another average",
            "The mask is mended. The sum is now divided by live transitions: it is a mean over "
            "episodes.",
            wrong_updates.live_mean,
        ),
        Misconception(
            "descent",
            "theta is moved down the gradient, so that the policy earns less.",
            wrong_updates.downhill,
        ),
        Misconception("constant", "theta stays as it was.", wrong_updates.unmoved),
    ),
    hints=(
        "What is the shortest episode that you would call a success? Write down by hand which "
        "logits it should move, and which ones it does.",
        "`running` asks after the step, so the action that reaches the goal isn't in the "
        "objective. And try a logit of 20, with either action.",
        "Pick with trajectory.active, and compute log_prob as in lesson 03: "
        "jax.nn.log_sigmoid(logit) for action 1, jax.nn.log_sigmoid(-logit) for action 0.",
    ),
    why=(
        "A lower learning rate or a larger batch follows the same wrong gradient, more slowly or "
        "more exactly."
    ),
    gain="find a fault in a learner by looking at its gradient",
    explanation=(
        "With the mask after the step, the action that reaches the goal is in no objective. On "
        "the cell before the goal only the other action is ever credited, so it becomes more "
        "likely. `active` is taken before the step. The log-probability goes through log_sigmoid, "
        "or a policy that has become nearly certain gets nan."
    ),
    broken=broken_update,
    witness=witness_case,
)
