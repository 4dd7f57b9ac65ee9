"""The sum whose gradient is the policy gradient, deaf to what stands in the padding."""

from typing import Any

import numpy as np

from gridroll import policy, reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import with_slope_of_sums
from gridroll.exercises._shared import floats, source
from gridroll.exercises.reinforce import recordings, wrong_sums

SCAFFOLD = '''
def surrogate(policy, theta, trajectory, weights):
    """What has the policy gradient as its gradient: each episode's weighted log-probabilities.

    Whatever stands in padding, NaN included, changes neither the value nor the gradient.

    Args:
        policy: the policy that the actions were drawn from: policy.log_prob.
        theta: its parameters.
        trajectory: leaves (T, B).
        weights: (T, B) float32, taken as constants: no gradient flows through them.

    Returns:
        (B,) float32, a sum over the time of each episode.
    """
    # 1. The log-probability of every action, as a function of theta. policy.log_prob works on
    #    whole arrays: observations and actions (T, B) give log-probabilities (T, B).
    # 2. The weights as constants, without what stands in the padding.
    # 3. Their product, summed over the transitions of each episode.
    return ...
'''


def case(
    rng: np.random.Generator,
    lengths: Any,
    endings: Any,
    padding: float,
    softmax: bool = False,
    size: recordings.Size = recordings.SIZE,
) -> Case:
    """A policy, its parameters, a recording and weights."""
    num_steps, _, num_cells = size
    shape = (num_cells, 3) if softmax else (num_cells,)
    return Case(
        (
            policy.softmax if softmax else policy.bernoulli,
            floats(recordings.logits(rng, *shape)),
            recordings.recording(
                rng, lengths, endings, num_actions=3 if softmax else 2, padding=padding, size=size
            ),
            floats(recordings.weights(rng, lengths, padding, num_steps)),
        )
    )


def _visible() -> tuple[Case, ...]:
    lengths, endings = recordings.LENGTHS, recordings.ENDINGS
    drawn = np.random.default_rng(6)
    return (
        case(drawn, lengths, endings, np.nan),
        case(drawn, lengths, endings, 7.0),
        case(drawn, (1, 3, 5), ("goal", "goal", "limit"), np.nan, softmax=True),
    )


def generate(rng: np.random.Generator) -> Case:
    """Three episodes of 1 to 5 transitions, with NaN or a number in the padding.

    For a seed other than that of the notebooks, other sizes, and more actions in some cases.
    """
    softmax = _fresh.once(rng, 0.0, lambda own: 0.4) > rng.random()
    padding, size = float(rng.choice([np.nan, -3.0])), recordings.drawn_size(rng)
    return case(rng, *recordings.drawn_endings(rng), padding, softmax, size)


SURROGATE = Exercise(
    name="reinforce.surrogate",
    title="a sum with the right gradient",
    task=(
        "Write `surrogate(policy, theta, trajectory, weights)` so that neither its value nor its "
        "gradient with respect to `theta` hears what stands in the padding."
    ),
    points=4,
    difficulty=4,
    reference=reinforce.surrogate,
    answer=source(reinforce.surrogate),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=generate,
    probe=with_slope_of_sums,
    outputs=("value", "gradient"),
    eager=1,
    jit_from=1,
    axes=("b",),
    rules={
        "value": "For each episode, the sum over its active transitions of weight times "
        "log-probability under theta.",
        "gradient": "The sum over active transitions of weight times score: finite, the weights "
        "taken as constants.",
    },
    misconceptions=(
        Misconception(
            "multiplies by the mask",
            "A product with the mask leaves NaN in, because 0 · nan is nan: lesson 04's padding "
            "again. Pick with jnp.where.",
            wrong_sums.multiplies,
            also=(wrong_sums.multiplies_the_weights,),
        ),
        Misconception(
            "NaN in the gradient only",
            "The value is right and the gradient is nan. The derivative of weight · log_prob is "
            "weight · score, also where `where` then picks the 0: a NaN weight makes it 0 · nan. "
            "Clean the weights before the product too.",
            wrong_sums.picked_after_the_product,
        ),
        Misconception(
            "no mask",
            "What stands in the padding is added. Only active transitions belong to the episode.",
            wrong_sums.unmasked,
        ),
        Misconception(
            "mask after the step",
            "The transition that ends an episode is left out. It is active: `active` was taken "
            "before its step.",
            wrong_sums.after_the_step,
        ),
        Misconception(
            "the recorded log-probability",
            "The log-probabilities come from the record, and those are numbers: they don't change "
            "when theta does, so the gradient is 0. Compute them again from theta.",
            wrong_sums.recorded,
            also=(wrong_sums.recorded_with_its_padding,),
        ),
        Misconception(
            "theta held constant",
            "The values are right and the gradient is 0: stop_gradient holds theta too. It belongs "
            "around the weights alone.",
            wrong_sums.everything_stopped,
        ),
        Misconception(
            "weights differentiated through",
            "The values are right. The gradient has a second part, from weights that depend on "
            "theta. The formula takes them as constants: jax.lax.stop_gradient.",
            wrong_sums.weights_move,
        ),
        Misconception(
            "a mean over the episode",
            "Each episode is divided by its length. It is a sum over time: a long episode has "
            "more actions to learn from.",
            wrong_sums.mean_over_time,
        ),
        Misconception(
            "a mean over all rows",
            "Each episode is divided by T. It is a sum over time.",
            wrong_sums.mean_over_rows,
        ),
        Misconception(
            "the other sign",
            "This is what a library for losses wants: its gradient leads downhill. Here the "
            "gradient is added to theta.",
            wrong_sums.negated,
        ),
        Misconception(
            "weights not used",
            "The log-probabilities are summed without weights, so good and bad episodes count "
            "alike.",
            wrong_sums.unweighted,
        ),
        Misconception(
            "probability, not its logarithm",
            "The weights multiply probabilities. The score is the gradient of the logarithm.",
            wrong_sums.of_probabilities,
        ),
        Misconception(
            "the other axis",
            "The sums run over the environments, so there is one for each row. Sum over time, "
            "axis 0.",
            wrong_sums.over_environments,
        ),
        Misconception(
            "one number for the batch",
            "The episodes are added up, or averaged, already. Return one number for each episode.",
            wrong_sums.summed_up,
            also=(wrong_sums.averaged,),
        ),
        Misconception("constant", "Every value is 0 whatever was done.", wrong_sums.nothing),
    ),
    hints=(
        "What is a function of theta here? Not the record: it is numbers. Not the weights: they "
        "are constants.",
        "policy.log_prob(theta, trajectory.observation, trajectory.action) is (T, B). Keep NaN "
        "away from the product, and not only out of the sum.",
        "weights = jax.lax.stop_gradient(jnp.where(trajectory.active, weights, 0.0)), then "
        "jnp.where(trajectory.active, weights * log_prob, 0.0).sum(axis=0).",
    ),
    why=(
        "With `where` around the product alone the value is right, and one NaN weight in the "
        "padding still turns the gradient into nan."
    ),
    gain="write down a sum that has the policy gradient as its gradient",
    explanation=(
        "The log-probabilities are computed from theta, so that they have a gradient: the score. "
        "The weights are constants, and `where` cleans them before the product, because the "
        "derivative of a product has the weight as a factor. A second `where` keeps the padding "
        "out of the sum."
    ),
)
