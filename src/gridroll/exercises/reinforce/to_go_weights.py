"""What each transition is credited with: everything from it on, and nothing from the padding."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import reinforce, returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._probes import Stepwise
from gridroll.exercises._shared import source
from gridroll.exercises.reinforce import recordings
from gridroll.exercises.returns.recordings import primes

SCAFFOLD = '''
def to_go_weights(trajectory):
    """Credit each transition with what came from it on: (T, B) float32, 0 in padding.

    Whatever stands in the padding of the rewards, NaN included, changes nothing.
    """
    return ...
'''


def _masked(trajectory: Any) -> jax.Array:
    return jnp.where(trajectory.active, trajectory.reward, 0.0)


def _shaped(shape: Callable[[jax.Array], jax.Array]) -> Callable[..., jax.Array]:
    """Another sum of the rewards, with 0 in the padding."""

    def weights(trajectory: Any) -> jax.Array:
        return jnp.where(trajectory.active, shape(_masked(trajectory)), 0.0)

    return weights


def _exclusive(reward: jax.Array) -> jax.Array:
    return returns.returns_to_go(reward) - reward


def _unmasked(trajectory: Any) -> jax.Array:
    return returns.returns_to_go(trajectory.reward)


def _masked_too_late(trajectory: Any) -> jax.Array:
    return jnp.where(trajectory.active, returns.returns_to_go(trajectory.reward), 0.0)


def _multiplies(trajectory: Any) -> jax.Array:
    return returns.returns_to_go(trajectory.active * trajectory.reward)


def _after_the_step(trajectory: Any) -> jax.Array:
    kept = trajectory.active & ~(trajectory.terminated | trajectory.truncated)
    return returns.returns_to_go(jnp.where(kept, trajectory.reward, 0.0))


def _total_in_padding(trajectory: Any) -> jax.Array:
    return jnp.broadcast_to(_masked(trajectory).sum(axis=0), trajectory.reward.shape)


def _forward_in_padding(trajectory: Any) -> jax.Array:
    return jnp.cumsum(_masked(trajectory), axis=0)


def _case(
    rng: np.random.Generator,
    lengths: Any,
    endings: Any,
    padding: float,
    size: recordings.Size = recordings.SIZE,
) -> Case:
    shape = (size[0], len(lengths))
    # Most steps cost, as where an episode should be short.
    rewards = np.where(rng.random(shape) < 0.6, -1.0, primes(*shape) / 2)
    record = recordings.recording(
        rng, lengths, endings, rewards=rewards, padding=padding, size=size
    )
    return Case((record,))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    lengths, endings = recordings.LENGTHS, recordings.ENDINGS
    return (
        _case(drawn, lengths, endings, 0.0),
        _case(drawn, lengths, endings, np.nan),
        _case(drawn, (1, 4, 5), ("goal", "limit", "goal"), 7.0),
    )


def _generate(rng: np.random.Generator) -> Case:
    padding = float(rng.choice([0.0, np.nan, 7.0]))
    return _case(rng, *recordings.drawn_endings(rng), padding, recordings.drawn_size(rng))


TO_GO_WEIGHTS = Exercise(
    name="reinforce.to_go_weights",
    title="what an action can still change",
    task=(
        "Write `to_go_weights(trajectory)`, from its docstring alone; lesson 04's "
        "`returns.returns_to_go` is there for you."
    ),
    points=2,
    difficulty=2,
    reference=reinforce.to_go_weights,
    answer=source(reinforce.to_go_weights),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    probe=Stepwise,
    jit=False,
    axes=("t", "b"),
    rules={
        "": "On an active transition: its own reward and all later ones of its episode. In the "
        "padding: 0."
    },
    misconceptions=(
        Misconception(
            "summed forward",
            "These are the rewards up to each transition. An action can't change what was earned "
            "before it; sum what came from it on.",
            _shaped(lambda reward: jnp.cumsum(reward, axis=0)),
            also=(_forward_in_padding,),
        ),
        Misconception(
            "the total return",
            "Every transition is credited with its whole episode, what was earned before it "
            "included. That is `total_weights`.",
            _shaped(lambda reward: jnp.broadcast_to(reward.sum(axis=0), reward.shape)),
            also=(_total_in_padding,),
        ),
        Misconception(
            "own reward left out",
            "The reward of the transition itself is missing. The action has earned it.",
            _shaped(_exclusive),
        ),
        Misconception(
            "only its own reward",
            "Each transition has its own reward and nothing later. An action can change "
            "everything that comes after it.",
            _shaped(lambda reward: reward),
        ),
        Misconception(
            "padding reaches the sums",
            "What stands in the padding is added to the transitions before it. Set it to 0 before "
            "you sum, not after.",
            _masked_too_late,
            also=(_unmasked,),
        ),
        Misconception(
            "multiplies by the mask",
            "A product with the mask leaves NaN in, because 0 · nan is nan, and the sum carries it "
            "to every row above. Pick with jnp.where.",
            _multiplies,
        ),
        Misconception(
            "mask after the step",
            "The reward of the ending transition is thrown away, and it may be the goal's. It is "
            "active: `active` was taken before its step.",
            _after_the_step,
        ),
        Misconception(
            "the other axis",
            "The sums run over the environments, so the rewards of one episode flow into another.",
            _shaped(lambda reward: jnp.cumsum(reward[:, ::-1], axis=1)[:, ::-1]),
        ),
        Misconception(
            "constant", "Every weight is 0 whatever was earned.", _shaped(jnp.zeros_like)
        ),
    ),
    hints=(
        "It is lesson 04's returns-to-go of the rewards that count.",
        "jnp.where(trajectory.active, trajectory.reward, 0.0) first; what is in the padding must "
        "not enter the sum.",
        "returns.returns_to_go(jnp.where(trajectory.active, trajectory.reward, 0.0)).",
    ),
    why="The total return also credits an action with what was earned before it.",
    gain="credit each action with what it could still change",
    explanation=(
        "The padding becomes 0 before the sum, so nothing of it flows backwards, and the "
        "returns-to-go of padding are 0 too. A transition keeps its own reward and those of all "
        "later transitions of its episode."
    ),
)
