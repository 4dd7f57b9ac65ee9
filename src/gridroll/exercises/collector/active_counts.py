"""Make it yours: the active counts of a corridor of your own."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, gridworld, policy
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source


def active_counts(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    """Count the active environments before each transition, until every episode has ended.

    The world is `corridor(horizon=horizon)` and the policy is uniform (theta = 0).

    Args:
        num_envs: B.
        horizon: the world's, and the number of steps to collect.
        key: () typed key.

    Returns:
        (horizon,) int32.
    """
    _, trajectory = collector.rollout(
        gridworld.corridor(horizon=horizon),
        policy.bernoulli,
        jnp.zeros(4),
        key,
        num_envs=num_envs,
        num_steps=horizon,
    )
    return trajectory.active.sum(axis=1, dtype=jnp.int32)


SCAFFOLD = '''
def active_counts(num_envs, horizon, key):
    """Count the active environments before each transition, until every episode has ended.

    The world is `corridor(horizon=horizon)` and the policy is uniform (theta = 0).

    Args:
        num_envs: B.
        horizon: the world's, and the number of steps to collect.
        key: () typed key.

    Returns:
        (horizon,) int32.
    """
    return ...
'''


def _trajectory(num_envs: int, horizon: int, num_steps: int, key: jax.Array) -> Any:
    world = gridworld.corridor(horizon=horizon)
    return collector.rollout(
        world, policy.bernoulli, jnp.zeros(4), key, num_envs=num_envs, num_steps=num_steps
    )[1]


def _by_environment(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    return _trajectory(num_envs, horizon, horizon, key).active.sum(axis=0, dtype=jnp.int32)


def _eight_steps(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    return _trajectory(num_envs, horizon, 8, key).active.sum(axis=1, dtype=jnp.int32)


def _still_running(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    record = _trajectory(num_envs, horizon, horizon, key)
    after = record.active & ~(record.terminated | record.truncated)
    return after.sum(axis=1, dtype=jnp.int32)


def _own_key(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    record = _trajectory(num_envs, horizon, horizon, jax.random.key(17))
    return record.active.sum(axis=1, dtype=jnp.int32)


def _full(num_envs: int, horizon: int, key: jax.Array) -> jax.Array:
    return jnp.full(horizon, num_envs, jnp.int32)


def _generate(rng: np.random.Generator) -> Case:
    sizes = _fresh.sizes(rng, 100, 12, least=10, most=100)  # each pair costs a program
    return Case((*sizes, _fresh.keys(rng, 1)[0]))


ACTIVE_COUNTS = Exercise(
    name="collector.active_counts",
    title="make it yours",
    task=(
        "Write `active_counts(num_envs, horizon, key)` with the library's `collector.rollout`, so "
        "that you can ask it about any batch and any time limit."
    ),
    points=2,
    difficulty=1,
    reference=active_counts,
    answer=source(active_counts),
    scaffold=SCAFFOLD.lstrip(),
    visible=lambda: (Case((7, 5, jax.random.key(17))),),
    generate=_generate,
    axes=("t",),
    jit=False,  # its arguments are sizes: the rollout inside is compiled
    stretch=True,
    rules={
        "": "Row t counts the environments that are active before transition t, with the key that "
        "is passed in, in corridor(horizon=horizon)."
    },
    misconceptions=(
        Misconception(
            "counted for each environment",
            "This is one count for each environment, its length. Sum over the environments, "
            "axis 1, to get one count for each transition.",
            _by_environment,
        ),
        Misconception(
            "always eight steps",
            "The number of steps is fixed at 8. It should be the horizon.",
            _eight_steps,
        ),
        Misconception(
            "counted after the step",
            "These are the environments that are still running after each transition. active says "
            "which were running before it.",
            _still_running,
        ),
        Misconception("a key of its own", "The key that is passed in isn't used.", _own_key),
        Misconception("constant", "No environment ever ends here.", _full),
    ),
    hints=(
        "rollout needs a world, a policy, theta, a key and two sizes. Which depend on `horizon`?",
        "Both: corridor(horizon=horizon) and num_steps=horizon.",
        "trajectory.active.sum(axis=1) counts the environments of each row.",
    ),
    why="With num_steps=8 and a shorter horizon, the last counts are 0: padding for everybody.",
    gain="ask the collector a question of your own",
    explanation=(
        "The horizon sets the world's limit and the number of steps, so every episode is whole. A "
        "sum over axis 1 counts environments."
    ),
)
