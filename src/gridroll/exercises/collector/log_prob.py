"""The log-probability of an action, for logits of any size."""

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import policy
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import with_slope
from gridroll.exercises._shared import floats, integers, source

SCAFFOLD = '''
def bernoulli_log_prob(theta, observation, action):
    """The log-probability of an action, finite for every finite logit.

    Args:
        theta: (S,) float32, a logit for each position.
        observation: () int32, the position.
        action: () int32, 0 or 1.

    Returns:
        () float32, at most 0.
    """
    # 1. The logit of this position.
    # 2. The log-probability of action 1, and that of action 0, through jax.nn.log_sigmoid.
    # 3. The one that belongs to the action.
    return ...
'''


def _naive(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    right = jax.nn.sigmoid(theta[observation])
    return jnp.where(action == 1, jnp.log(right), jnp.log(1 - right))


def _naive_inside(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    right = jax.nn.sigmoid(theta[observation])
    return jnp.log(jnp.where(action == 1, right, 1 - right))


def _naive_both_signs(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[observation]
    signed = jnp.where(action == 1, logit, -logit)
    return jnp.log(jax.nn.sigmoid(signed))


def _naive_products(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    right = jax.nn.sigmoid(theta[observation])
    return action * jnp.log(right) + (1 - action) * jnp.log(1 - right)


def _exponentials(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    right = 1 / (1 + jnp.exp(-theta[observation]))
    return jnp.where(action == 1, jnp.log(right), jnp.log(1 - right))


def _exponentials_inside(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    right = 1 / (1 + jnp.exp(-theta[observation]))
    return jnp.log(jnp.where(action == 1, right, 1 - right))


def _overflows(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[observation]
    signed = jnp.where(action == 1, logit, -logit)
    return -jnp.log1p(jnp.exp(-signed))


def _overflows_on_both_sides(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    logit = theta[observation]
    return jnp.where(action == 1, -jnp.log1p(jnp.exp(-logit)), -jnp.log1p(jnp.exp(logit)))


def _overflows_above(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[observation]
    return action * logit - jnp.log1p(jnp.exp(logit))


def _overflows_where_likely(
    theta: jax.Array, observation: jax.Array, action: jax.Array
) -> jax.Array:
    logit = theta[observation]
    signed = jnp.where(action == 1, logit, -logit)
    return signed - jnp.log1p(jnp.exp(signed))


def _swapped(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[observation]
    return jnp.where(action == 0, jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit))


def _probability(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[observation]
    return jax.nn.sigmoid(jnp.where(action == 1, logit, -logit))


def _always_right(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    return jax.nn.log_sigmoid(theta[observation])


def _wrong_row(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    logit = theta[action]
    return jnp.where(action == 1, jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit))


def _half(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    return jnp.log(0.5) + 0 * theta[0]


def _visible() -> tuple[Case, ...]:
    theta = floats([-100, 2, 20])
    pairs = [(1, 1), (1, 0), (0, 1), (0, 0), (2, 0), (2, 1)]
    small = tuple(Case((theta, integers(s), integers(a))) for s, a in pairs)
    # exp(300) is beyond float32, and 0 is where every lesson's theta begins.
    large = floats([300, -300, 0])
    ends = tuple(Case((large, integers(s), integers(a))) for s, a in [(0, 0), (1, 0), (2, 1)])
    return (*small, *ends)


def _generate(rng: np.random.Generator) -> Case:
    (size,) = _fresh.sizes(rng, 3)
    theta = rng.choice([-1, 1], size) * rng.choice([0.5, 7, 300], size) * rng.uniform(0.5, 1, size)
    return Case((floats(theta), integers(rng.integers(size)), integers(rng.integers(2))))


LOG_PROB = Exercise(
    name="collector.bernoulli_log_prob",
    title="how likely was that action?",
    task=(
        "Write `bernoulli_log_prob(theta, observation, action)` so that its value and its gradient "
        "with respect to `theta` are finite and right, for logits from −300 to 300."
    ),
    points=3,
    difficulty=2,
    reference=policy.bernoulli.log_prob,
    answer=source(policy.bernoulli.log_prob),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    probe=with_slope,
    outputs=("log_prob", "gradient"),
    eager=7,
    rules={
        "log_prob": (
            "log π(1|s) = log σ(θ[s]) and log π(0|s) = log σ(−θ[s]); both are finite for every "
            "finite logit."
        ),
        "gradient": (
            "The gradient of log π(a|s) is a − σ(θ[s]) at position s and 0 elsewhere, and always "
            "finite."
        ),
    },
    misconceptions=(
        Misconception(
            "log of a rounded probability",
            "In float32 the sigmoid of a logit of 20 rounds to 1, so 1 minus it is 0, and its "
            "logarithm −inf, or the gradient nan, while other values still look right. "
            "jax.nn.log_sigmoid never forms the probability.",
            _naive,
            also=(_naive_inside, _naive_products, _exponentials, _exponentials_inside),
        ),
        Misconception(
            "exp overflows",
            "In float32 exp(x) is inf from x = 89 on, and exp(−x) nearly 0. So log(1 + exp(x)) is "
            "inf, and a probability made of them, such as 1 / (1 + exp(x)), is 0 and its logarithm "
            "−inf; the gradient becomes nan. jax.nn.log_sigmoid takes the logit itself and calls "
            "exp only where its result is at most 1.",
            _overflows,
            also=(
                _naive_both_signs,
                _overflows_on_both_sides,
                _overflows_above,
                _overflows_where_likely,
            ),
        ),
        Misconception(
            "actions swapped",
            "These are the log-probabilities of the other action. The logit belongs to action 1 "
            "(right): log_sigmoid(logit) for 1, log_sigmoid(-logit) for 0.",
            _swapped,
        ),
        Misconception(
            "probability, not its logarithm",
            "This is the probability of the action. The record keeps its logarithm.",
            _probability,
        ),
        Misconception(
            "always action 1",
            "The answer doesn't depend on the action: it is always that of action 1. For action 0 "
            "the logit changes its sign.",
            _always_right,
        ),
        Misconception(
            "theta looked up by the action",
            "The logit is that of the position, theta[observation]; here theta is looked up with "
            "the action.",
            _wrong_row,
        ),
        Misconception(
            "constant",
            "The answer is log 0.5 whatever the logits are; that holds for logits of 0 only.",
            _half,
        ),
    ),
    hints=(
        "1 − σ(x) is σ(−x). So both log-probabilities can go through the same function.",
        "jax.nn.log_sigmoid takes the logit itself. Which logit does action 0 need?",
        "jnp.where(action == 1, jax.nn.log_sigmoid(logit), jax.nn.log_sigmoid(-logit)).",
    ),
    why=(
        "log(sigmoid(x)) agrees for small logits and fails for large ones: −inf for the unlikely "
        "action, and a nan gradient."
    ),
    gain="record how likely an action was without losing it to rounding",
    explanation=(
        "log σ(x) and log σ(−x) are the two log-probabilities. log_sigmoid computes them from the "
        "logit as min(x, 0) − log(1 + exp(−|x|)), whose exp is never above 1."
    ),
)
