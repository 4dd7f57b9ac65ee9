"""The gradient of one log-probability, by hand."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import policy, reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, integers, source
from gridroll.exercises.reinforce.recordings import logits

SCAFFOLD = '''
def bernoulli_score(theta, observation, action):
    """The gradient of the log-probability of one action, with respect to theta.

    Args:
        theta: (S,) float32, a logit for each position.
        observation: () int32, the position.
        action: () int32, 0 or 1.

    Returns:
        (S,) float32.
    """
    # 1. The probability of action 1 in this position.
    # 2. The derivative of the action's log-probability with respect to the logit of the position.
    # 3. The logits of all other positions had no part in it.
    return ...
'''


def _at_the_cell(slope: Callable[[Any, Any], Any]) -> Callable[..., jax.Array]:
    """A wrong derivative, `slope(p, action)`, in the right place."""

    def score(theta: Any, observation: Any, action: Any) -> jax.Array:
        probability = jax.nn.sigmoid(theta[observation])
        return jnp.zeros_like(theta).at[observation].set(slope(probability, action))

    return score


def _everywhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    return action - jax.nn.sigmoid(theta)


def _copied_everywhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.full_like(theta, 1.0) * (action - jax.nn.sigmoid(theta[observation]))


def _minus_p_elsewhere(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.zeros_like(theta).at[observation].set(action) - jax.nn.sigmoid(theta)


def _no_sigmoid(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.zeros_like(theta).at[observation].set(action - theta[observation])


def _by_action(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.zeros_like(theta).at[action].set(action - jax.nn.sigmoid(theta[action]))


def _one_number(theta: Any, observation: Any, action: Any) -> jax.Array:
    return action - jax.nn.sigmoid(theta[observation])


def _nothing(theta: Any, observation: Any, action: Any) -> jax.Array:
    return jnp.zeros_like(theta)


def _visible() -> tuple[Case, ...]:
    theta = floats([-1, 2, 0.5])
    pairs = [(1, 1), (1, 0), (0, 1), (2, 0)]
    return tuple(Case((theta, integers(s), integers(a))) for s, a in pairs)


def _generate(rng: np.random.Generator) -> Case:
    (size,) = _fresh.sizes(rng, 3)
    theta = floats(logits(rng, size))
    return Case((theta, integers(rng.integers(size)), integers(rng.integers(2))))


BERNOULLI_SCORE = Exercise(
    name="reinforce.bernoulli_score",
    title="the score",
    task=(
        "Write `bernoulli_score(theta, observation, action)`, the gradient of the log-probability "
        "of one action, by hand."
    ),
    points=2,
    difficulty=2,
    reference=reinforce.bernoulli_score,
    answer=source(reinforce.bernoulli_score),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    parts=(policy.bernoulli_log_prob, policy.softmax_log_prob),
    eager=4,
    rules={
        "": "At the position it is 1 − p for action 1 and −p for action 0, where p is the "
        "probability of action 1; it is 0 everywhere else."
    },
    misconceptions=(
        Misconception(
            "p − a",
            "The sign is turned: following this, an action becomes less likely. For action 1 the "
            "derivative is 1 − p, which is positive.",
            _at_the_cell(lambda p, a: p - a),
        ),
        Misconception(
            "the action itself",
            "The action stands there without the probability, so action 0 changes nothing and "
            "action 1 always the same. Which derivative has log σ(x)?",
            _at_the_cell(lambda p, a: a * jnp.ones_like(p)),
        ),
        Misconception(
            "one step up or down",
            "Every action moves its logit by the same amount. The derivative also says how "
            "surprising the action was: nearly 0 for one that was nearly certain.",
            _at_the_cell(lambda p, a: 2 * a - jnp.ones_like(p)),
        ),
        Misconception(
            "always action 1",
            "This is the derivative for action 1, whatever the action was. For action 0 the "
            "log-probability is log σ(−x).",
            _at_the_cell(lambda p, a: 1 - p),
        ),
        Misconception(
            "of the probability",
            "This is the derivative of the probability. The score is that of its logarithm: "
            "divide by the probability of the action.",
            _at_the_cell(lambda p, a: (2 * a - 1) * p * (1 - p)),
        ),
        Misconception(
            "every position",
            "Every position gets a derivative. Only the logit of the position in which the action "
            "was taken had a part in its probability.",
            _everywhere,
            also=(_copied_everywhere, _minus_p_elsewhere),
        ),
        Misconception(
            "the logit for the probability",
            "The logit is subtracted where the probability belongs, σ of the logit.",
            _no_sigmoid,
        ),
        Misconception(
            "looked up by the action",
            "theta is looked up with the action. The logit is that of the position.",
            _by_action,
        ),
        Misconception(
            "one number",
            "This is the derivative with respect to one logit. A gradient with respect to theta "
            "has the shape of theta, with this number at the position and 0 elsewhere.",
            _one_number,
        ),
        Misconception("constant", "Every derivative is 0 whatever was done.", _nothing),
    ),
    hints=(
        "log σ(x) has the derivative 1 − σ(x). By the chain rule log σ(−x) has which one?",
        "It is 1 − p for action 1 and −p for action 0. One expression with the action in it gives "
        "both.",
        "jnp.zeros_like(theta).at[observation].add(action - p), where p = "
        "jax.nn.sigmoid(theta[observation]).",
    ),
    why="p − a has the right size and the wrong sign: it makes what was done less likely.",
    gain="say how each logit changes the log-probability of an action",
    explanation=(
        "The derivative of log σ(x) is 1 − σ(x), and that of log σ(−x) is −σ(x): a − p for both "
        "actions. It belongs to the logit of the position; the others don't occur in the "
        "log-probability, so their derivatives are 0."
    ),
)
