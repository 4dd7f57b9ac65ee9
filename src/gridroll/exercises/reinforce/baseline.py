"""What could be expected before each action."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import planning, policy, reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._probes import constant_in_theta
from gridroll.exercises._shared import floats, source
from gridroll.exercises.reinforce import recordings
from gridroll.exercises.returns.recordings import drawn_lengths
from gridroll.gridworld import corridor

SCAFFOLD = '''
def baseline(world, policy, theta, trajectory):
    """What could be expected before each action: the exact V[t, s] of theta, (T, B) float32.

    It is 0 in padding, and constant in theta: no gradient flows through.
    """
    # 1. The value of theta's own policy, for each time and cell (planning.policy_value).
    # 2. No gradient through it.
    # 3. The entry of every transition: its time, and the cell before its step.
    return ...
'''

Pick = Callable[[jax.Array, Any, jax.Array], jax.Array]  # value, trajectory, rows -> (T, B)


def _value(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    num_steps = trajectory.observation.shape[0]
    return planning.policy_value(
        world, policy.probabilities(jax.lax.stop_gradient(theta)), num_steps
    )


def _picks(pick: Pick) -> Callable[..., jax.Array]:
    """Other entries of the right table."""

    def baseline(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
        value = _value(world, policy, theta, trajectory)
        rows = jnp.arange(len(trajectory.reward))[:, None]
        return jnp.where(trajectory.active, pick(value, trajectory, rows), 0.0)

    return baseline


def _before(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    return value[rows, trajectory.observation]


def _next_row(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    later = jnp.roll(trajectory.observation, -1, axis=0)
    return value[rows + 1, later]


def _same_row_next_cell(value: jax.Array, trajectory: Any, rows: jax.Array) -> jax.Array:
    return value[rows, jnp.roll(trajectory.observation, -1, axis=0)]


def _next_cell(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """The value of where the action leads."""
    value = _value(world, policy, theta, trajectory)
    rows = jnp.arange(len(trajectory.reward))[:, None]
    leads = world.next_position[trajectory.observation, trajectory.action]
    return jnp.where(trajectory.active, value[rows + 1, leads], 0.0)


def _of_the_action(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    """Q[t, s, a]."""
    reward = planning.transition_reward(world)[trajectory.observation, trajectory.action]
    of_action = reward + _next_cell(world, policy, theta, trajectory)
    return jnp.where(trajectory.active, of_action, 0.0)


def _differentiable(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    num_steps = trajectory.observation.shape[0]
    value = planning.policy_value(world, policy.probabilities(theta), num_steps)
    rows = jnp.arange(num_steps)[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def _uniform(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    return _picks(_before)(world, policy, jnp.zeros_like(theta), trajectory)


def _best(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    value, _ = planning.optimal(world, len(trajectory.reward))
    rows = jnp.arange(len(trajectory.reward))[:, None]
    return jnp.where(trajectory.active, value[rows, trajectory.observation], 0.0)


def _in_padding_too(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    value = _value(world, policy, theta, trajectory)
    return value[jnp.arange(len(trajectory.reward))[:, None], trajectory.observation]


def _nothing(world: Any, policy: Any, theta: Any, trajectory: Any) -> jax.Array:
    return jnp.zeros_like(trajectory.reward)


def _case(rng: np.random.Generator, lengths: Any, endings: Any, horizon: int) -> Case:
    world = corridor(
        recordings.NUM_CELLS,
        horizon=horizon,
        step_reward=float(rng.choice([-1.0, -0.25, 0.5])),
        goal_reward=float(rng.choice([2.0, 3.5])),
    )
    theta = floats(recordings.logits(rng, recordings.NUM_CELLS))
    return Case((world, policy.bernoulli, theta, recordings.recording(rng, lengths, endings)))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    return (
        _case(drawn, recordings.LENGTHS, recordings.ENDINGS, 8),
        _case(drawn, (1, 5, 4), ("goal", "limit", "goal"), 5),
    )


def _generate(rng: np.random.Generator) -> Case:
    lengths, endings = drawn_lengths(rng, recordings.NUM_ENVS, recordings.NUM_STEPS)
    return _case(rng, lengths, endings, int(rng.integers(5, 9)))


BASELINE = Exercise(
    name="reinforce.baseline",
    title="what could be expected anyway",
    task=(
        "Write `baseline(world, policy, theta, trajectory)`, the value V(t, s) before each action, "
        "through which no gradient flows."
    ),
    points=3,
    difficulty=3,
    reference=reinforce.baseline,
    answer=source(reinforce.baseline),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    probe=constant_in_theta,
    outputs=("baseline", "gradient"),
    axes=("t", "b"),
    eager=0,  # what it costs is small programs, and jit runs every case
    rules={
        "baseline": "On an active transition t in cell s: the value of theta's policy in row t "
        "and column s. In the padding: 0.",
        "gradient": "The baseline is constant in theta, so its gradient is 0.",
    },
    misconceptions=(
        Misconception(
            "the value of where it leads",
            "This is the value of the cell behind the action. It looks at what the action did, so "
            "subtracting it changes the mean of the estimate. Take the cell before the step.",
            _next_cell,
            also=(_picks(_next_row), _picks(_same_row_next_cell)),
        ),
        Misconception(
            "one row late",
            "The cell is right and the time is t + 1: the value with one step less to go. Row t "
            "is before transition t.",
            _picks(lambda value, trajectory, rows: value[rows + 1, trajectory.observation]),
        ),
        Misconception(
            "of the action",
            "This is what could be expected after the action was chosen. Subtracting it takes "
            "away what the estimate should learn from: the gradient is biased.",
            _of_the_action,
        ),
        Misconception(
            "differentiated through",
            "The values are right, and they move with theta, so a gradient flows through them. A "
            "baseline is constant: jax.lax.stop_gradient.",
            _differentiable,
        ),
        Misconception(
            "another policy's value",
            "This is the value of the uniform policy, theta = 0. What could be expected under "
            "theta is the value of theta's own policy.",
            _uniform,
        ),
        Misconception(
            "the best value",
            "This is the value of acting optimally, which theta doesn't.",
            _best,
        ),
        Misconception(
            "time left out",
            "Row 0 is used throughout, as if no time had passed.",
            _picks(lambda value, trajectory, rows: value[0, trajectory.observation]),
        ),
        Misconception(
            "time reversed",
            "The rows are counted by steps left. Row t of the table is for t transitions taken.",
            _picks(lambda value, trajectory, rows: value[rows[::-1] + 1, trajectory.observation]),
        ),
        Misconception(
            "padding",
            "There is a value on the padding too. After the end nothing can be expected: 0.",
            _in_padding_too,
        ),
        Misconception("constant", "The baseline is 0 whatever could be expected.", _nothing),
    ),
    hints=(
        "planning.policy_value gives a table (T + 1, S). Each transition has a time and a cell.",
        "value[rows, trajectory.observation] with rows = jnp.arange(num_steps)[:, None] picks an "
        "entry for every (t, b).",
        "value = jax.lax.stop_gradient(planning.policy_value(world, policy.probabilities(theta), "
        "num_steps)), then pick, and jnp.where(trajectory.active, ..., 0.0).",
    ),
    why=(
        "The value of the next cell looks at what the action did, and subtracting it biases the "
        "gradient."
    ),
    gain="subtract what could be expected anyway, without moving the mean",
    explanation=(
        "Before the action nothing is known but the time and the cell, and V[t, s] is what theta's "
        "policy earns from there on average. Two index arrays, rows (T, 1) and observation "
        "(T, B), pick one entry for every transition. stop_gradient makes it a constant."
    ),
)
