"""The estimate of the gradient: which average, and which sign."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._shared import source
from gridroll.exercises.reinforce import recordings, wrong_sums
from gridroll.exercises.reinforce.surrogate import case, generate

SCAFFOLD = '''
def policy_gradient(policy, theta, trajectory, weights):
    """Estimate the gradient of the expected return: a sum over time, a mean over episodes.

    Whatever stands in padding, NaN included, doesn't change it. Add it to theta to earn more.

    Args:
        policy: the policy that the actions were drawn from: policy.log_prob.
        theta: its parameters.
        trajectory: leaves (T, B).
        weights: (T, B) float32.

    Returns:
        float32 of theta's shape.
    """

    def objective(theta):
        # 1. One number, of which the estimate is the gradient. Your surrogate of above may help.
        return ...

    # 2. Its gradient with respect to theta.
    return ...
'''

Average = Callable[[jax.Array, Any], jax.Array]


def _averaged(average: Average, sign: float = 1.0) -> Callable[..., jax.Array]:
    """The gradient of another average of the episodes' sums."""

    def estimate(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
        def objective(theta: jax.Array) -> jax.Array:
            sums = wrong_sums.right(policy, theta, trajectory, weights)
            return sign * average(sums, trajectory.active)

        return jax.grad(objective)(theta)

    return estimate


def _live(sums: jax.Array, active: Any) -> jax.Array:
    return sums.sum() / active.sum()


def _each_by_length(sums: jax.Array, active: Any) -> jax.Array:
    return (sums / active.sum(axis=0)).mean()


def _value(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    return wrong_sums.right(policy, theta, trajectory, weights).mean()


def _unmasked(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    everything = trajectory._replace(active=jnp.ones_like(trajectory.active))
    return _averaged(lambda sums, active: sums.mean())(policy, theta, everything, weights)


def _where_after(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    def objective(theta: jax.Array) -> jax.Array:
        return wrong_sums.picked_after_the_product(policy, theta, trajectory, weights).mean()

    return jax.grad(objective)(theta)


def _nothing(policy: Any, theta: Any, trajectory: Any, weights: Any) -> jax.Array:
    return jnp.zeros_like(theta)


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(60)
    lengths, endings = recordings.LENGTHS, recordings.ENDINGS
    return (
        case(drawn, lengths, endings, 0.0, softmax=True),
        case(drawn, (5, 1, 2), ("limit", "goal", "goal"), 0.0),
        case(drawn, lengths, endings, np.nan),
    )


POLICY_GRADIENT = Exercise(
    name="reinforce.policy_gradient",
    title="which average?",
    task=(
        "Write `policy_gradient(policy, theta, trajectory, weights)`, an estimate of the gradient "
        "of what an episode earns."
    ),
    points=3,
    difficulty=3,
    reference=reinforce.policy_gradient,
    answer=source(reinforce.surrogate, reinforce.policy_gradient),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=generate,
    parts=(reinforce.surrogate,),
    eager=0,  # what it costs is small programs, and jit runs every case
    rules={
        "": "The mean over the B episodes of the sum over active transitions of weight times "
        "score. Its sign is that of ascent."
    },
    misconceptions=(
        Misconception(
            "mean over live transitions",
            "The sum is divided by the number of live transitions, so the estimate is too small "
            "by the mean length of an episode, and by another factor in every batch. The "
            "objective is what an episode earns: divide by the number of episodes.",
            _averaged(_live),
        ),
        Misconception(
            "sum over episodes",
            "The episodes are added up, so the estimate grows with the batch. Take their mean.",
            _averaged(lambda sums, active: sums.sum()),
        ),
        Misconception(
            "mean over all cells",
            "The sum is divided by T · B, so the estimate shrinks when you record more padding. "
            "Sum over time, and take the mean over episodes.",
            _averaged(lambda sums, active: sums.sum() / active.size),
        ),
        Misconception(
            "mean within each episode",
            "Each episode is divided by its own length, so an action counts less in a long "
            "episode. That changes the direction too, not only the size.",
            _averaged(_each_by_length),
        ),
        Misconception(
            "descent",
            "The sign is turned: added to theta, this makes the policy earn less. It is right for "
            "an optimiser that subtracts, which this isn't.",
            _averaged(lambda sums, active: sums.mean(), sign=-1.0),
        ),
        Misconception(
            "mean over live transitions, and descent",
            "Two things: the sign is turned, and the sum is divided by the number of live "
            "transitions. Add to theta what an episode earns more.",
            _averaged(_live, sign=-1.0),
        ),
        Misconception(
            "the value",
            "This is the number itself. Its value means nothing; its gradient is asked for.",
            _value,
        ),
        Misconception(
            "padding reaches it",
            "What stands in the padding changes the estimate.",
            _unmasked,
        ),
        Misconception(
            "NaN from the padding",
            "`where` picks after the product, so a NaN weight in the padding leaves the value "
            "alone and turns the gradient into nan. Clean the weights before the product.",
            _where_after,
        ),
        Misconception(
            "the first episode only",
            "Only episode 0 counts.",
            _averaged(lambda sums, active: sums[0]),
        ),
        Misconception(
            "constant",
            "The estimate is 0 whatever was done. That is also what comes out when the recorded "
            "log-probabilities are differentiated: they are numbers.",
            _nothing,
        ),
    ),
    hints=(
        "The objective of this course is what an episode earns. How many episodes are there?",
        "jax.grad(objective) is a function of theta; call it with theta.",
        "objective(theta) returns surrogate(policy, theta, trajectory, weights).mean(); the "
        "answer is jax.grad(objective)(theta).",
    ),
    why=(
        "Divided by live transitions, each batch is scaled by the lengths of its own episodes, and "
        "none of them has the size of the gradient."
    ),
    gain="estimate a gradient from episodes alone",
    explanation=(
        "The expected return is a mean over episodes, so its estimate is one too: a sum over the "
        "time of each episode and a mean over the B episodes. jax.grad turns the sum of weighted "
        "log-probabilities into the sum of weighted scores."
    ),
)
