"""The score of a policy with any number of actions."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import policy
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, integers, source
from gridroll.exercises.reinforce.recordings import logits


def softmax_score(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    """The gradient of the log-probability of one action under the softmax policy.

    Args:
        theta: (S, A) float32, a logit for each position and action.
        observation: () int32, the position.
        action: () int32 in 0..A-1.

    Returns:
        (S, A) float32.
    """
    score = jnp.zeros_like(theta).at[observation, action].add(1.0)
    return score.at[observation].add(-jax.nn.softmax(theta[observation]))


SCAFFOLD = '''
def softmax_score(theta, observation, action):
    """The gradient of the log-probability of one action under the softmax policy.

    Args:
        theta: (S, A) float32, a logit for each position and action.
        observation: () int32, the position.
        action: () int32 in 0..A-1.

    Returns:
        (S, A) float32.
    """
    # 1. The probabilities of all actions in this position: jax.nn.softmax.
    # 2. The derivatives of the action's log-probability with respect to the logits of its row.
    # 3. The logits of all other positions had no part in it.
    return ...
'''


def _row(theta: Any, observation: Any, row: Any) -> jax.Array:
    return jnp.zeros_like(theta).at[observation].set(row)


def _turned(theta: Any, observation: Any, action: Any) -> jax.Array:
    taken = jax.nn.one_hot(action, theta.shape[1])
    return _row(theta, observation, jax.nn.softmax(theta[observation]) - taken)


def _one_entry(theta: Any, observation: Any, action: Any) -> jax.Array:
    probability = jax.nn.softmax(theta[observation])[action]
    return jnp.zeros_like(theta).at[observation, action].set(1 - probability)


def _sigmoids(theta: Any, observation: Any, action: Any) -> jax.Array:
    taken = jax.nn.one_hot(action, theta.shape[1])
    return _row(theta, observation, taken - jax.nn.sigmoid(theta[observation]))


def _one_hot(theta: Any, observation: Any, action: Any) -> jax.Array:
    return _row(theta, observation, jax.nn.one_hot(action, theta.shape[1]))


def _of_probability(theta: Any, observation: Any, action: Any) -> jax.Array:
    return -jax.nn.softmax(theta[observation])[action] * _turned(theta, observation, action)


def _everywhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    taken = jax.nn.one_hot(action, theta.shape[1])
    return taken - jax.nn.softmax(theta, axis=1)


def _over_cells(theta: Any, observation: Any, action: Any) -> jax.Array:
    taken = jax.nn.one_hot(action, theta.shape[1])
    return _row(theta, observation, taken - jax.nn.softmax(theta, axis=0)[observation])


def _row_alone(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jax.nn.one_hot(action, theta.shape[1]) - jax.nn.softmax(theta[observation])


def _nothing(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.zeros_like(theta)


def _visible() -> tuple[Case, ...]:
    theta = floats([[0, 0, 0], [1, 2, -1], [0.5, 0, 3], [2, 1, 1]])
    pairs = [(1, 1), (1, 2), (0, 0), (2, 0)]
    return tuple(Case((theta, integers(s), integers(a))) for s, a in pairs)


def _generate(rng: np.random.Generator) -> Case:
    num_cells, num_actions = _fresh.sizes(rng, 4, 3)
    theta = floats(logits(rng, num_cells, num_actions))
    return Case((theta, integers(rng.integers(num_cells)), integers(rng.integers(num_actions))))


SOFTMAX_SCORE = Exercise(
    name="reinforce.softmax_score",
    title="the score with more than two actions",
    task=(
        "Write `softmax_score(theta, observation, action)`, the gradient of the log-probability of "
        "one action under `policy.softmax`, by hand."
    ),
    points=3,
    difficulty=3,
    reference=softmax_score,
    answer=source(softmax_score),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    parts=(policy.softmax_log_prob,),
    eager=0,
    stretch=True,
    rules={
        "": "In the row of the position: 1 − p for the action that was taken and −p for each "
        "other one, p being its own probability; 0 in every other row."
    },
    misconceptions=(
        Misconception("p − a", "The sign is turned: this makes the action less likely.", _turned),
        Misconception(
            "the taken action only",
            "The logit of the action that was taken has its derivative. The others of the row "
            "have one too: each raises the sum below the fraction.",
            _one_entry,
        ),
        Misconception(
            "a sigmoid for each action",
            "Each probability is a sigmoid of its own logit. Under softmax the actions share one "
            "sum.",
            _sigmoids,
        ),
        Misconception(
            "the action itself",
            "The action stands there without the probabilities.",
            _one_hot,
        ),
        Misconception(
            "of the probability",
            "This is the gradient of the probability. The score is that of its logarithm.",
            _of_probability,
        ),
        Misconception(
            "every position",
            "Every row has a derivative. Only the logits of the position had a part in it.",
            _everywhere,
        ),
        Misconception(
            "softmax over the positions",
            "The probabilities are taken along axis 0. They sum to 1 over the actions of a "
            "position.",
            _over_cells,
        ),
        Misconception(
            "the row alone",
            "This is the row of the position. A gradient with respect to theta has the shape of "
            "theta, with 0 in every other row.",
            _row_alone,
        ),
        Misconception("constant", "Every derivative is 0 whatever was done.", _nothing),
    ),
    hints=(
        "log π(a|s) = θ[s, a] − log Σ exp θ[s, b]. Which logits occur in the first part, and which "
        "in the second?",
        "The derivative of log Σ exp θ[s, b] with respect to one logit is the probability of that "
        "action.",
        "Start with jnp.zeros_like(theta). `.at[observation, action].add(1.0)` is the first part; "
        "`.at[observation].add(-jax.nn.softmax(theta[observation]))` the second.",
    ),
    why="The logits of the other actions have derivatives too: they share the sum.",
    gain="write the score of a policy with any number of actions",
    explanation=(
        "log π(a|s) = θ[s, a] − log Σ exp(θ[s, ·]). The first part gives a 1 at the action, the "
        "second takes away each action's probability. With two actions and the logits 0 and θ it "
        "is a − p again."
    ),
)
