"""`vmap` alone: one step in each environment of a batch."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import integers, random_world, source, states
from gridroll.gridworld import Gridworld, State, corridor

StepResult = tuple[State, jax.Array, jax.Array, jax.Array]


def step_batch(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    """Take one step in each of B environments of the same world.

    Args:
        world: the rules, shared by all.
        state: leaves (B,).
        action: (B,) int32.

    Returns:
        The next states, reward, terminated and truncated, all (B,).
    """
    return jax.vmap(gridworld.step, in_axes=(None, 0, 0))(world, state, action)


SCAFFOLD = '''
def step_batch(world, state, action):
    """Take one step in each of B environments of the same world.

    Args:
        world: the rules, shared by all.
        state: leaves (B,).
        action: (B,) int32.

    Returns:
        The next states, reward, terminated and truncated, all (B,).
    """
    # 1. Map gridworld.step with jax.vmap. Which arguments have one entry for each environment?
    # 2. Call the mapped function.
    return ...
'''


def _maps_world(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    return jax.vmap(gridworld.step)(world, state, action)


def _one_action(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    return jax.vmap(gridworld.step, in_axes=(None, 0, None))(world, state, action[0])


def _one_state(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    first = jax.tree.map(lambda leaf: leaf[0], state)
    return jax.vmap(gridworld.step, in_axes=(None, None, 0))(world, first, action)


def _stops_together(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    frozen = state._replace(done=jnp.full_like(state.done, state.done.any()))
    return jax.vmap(gridworld.step, in_axes=(None, 0, 0))(world, frozen, action)


def _nothing(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    no = jnp.zeros_like(state.done)
    return state, jnp.zeros(state.done.shape, jnp.float32), no, no


def _visible() -> tuple[Case, ...]:
    mixed = states([1, 2, 3], [1, 4, 2], [False, False, True])
    late = states([2, 1, 0], [7, 7, 8], [False, False, True])
    return (
        Case((corridor(), mixed, integers([0, 1, 0]))),
        Case((corridor(), late, integers([1, 0, 1]))),
    )


def _generate(rng: np.random.Generator) -> Case:
    world = dataclasses.replace(random_world(rng), horizon=integers(rng.integers(2, 30)))
    free = np.flatnonzero(~np.asarray(world.goal) & ~np.asarray(world.wall))
    (num_envs,) = _fresh.sizes(rng, 7, least=4)
    done = rng.random(num_envs) < 0.3
    elapsed = rng.integers(0, int(world.horizon), num_envs)
    state = states(list(rng.choice(free, num_envs)), list(elapsed), list(done))
    return Case((world, state, integers(rng.integers(0, 4, num_envs))))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    done = np.asarray(case.args[1].done)
    ends = np.asarray(expected[2] | expected[3])
    return {
        "environments that had finished before": done,
        "environments that end on this step": ends,
        "environments that are still running": ~done,
    }


STEP_BATCH = Exercise(
    name="collector.step_batch",
    title="one step in every environment",
    task="Write `step_batch(world, state, action)`: `gridworld.step` in B environments at once.",
    points=2,
    difficulty=1,
    reference=step_batch,
    answer=source(step_batch).replace(" -> StepResult", ""),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("state", "reward", "terminated", "truncated"),
    axes=("b",),
    eager=2,
    jit_from=2,
    regions=_regions,
    rules={
        "position": "Each environment moves by its own action, from its own cell.",
        "elapsed": "Each environment counts its own steps.",
        "done": "Each environment ends on its own.",
        "reward": "Each environment earns its own reward; a finished one earns 0.",
        "terminated": "An environment terminates when its own step reaches a goal.",
        "truncated": "An environment is truncated when its own count reaches the horizon.",
    },
    misconceptions=(
        Misconception(
            "maps the world",
            "vmap maps every argument along its first axis unless it is told otherwise, and the "
            "world has no entry for each environment. in_axes=(None, 0, 0) shares the world and "
            "maps the states and the actions.",
            _maps_world,
            raises="rank should be at least 1|inconsistent sizes",
        ),
        Misconception(
            "one action for all",
            "Every environment takes the action of environment 0. The action has one entry for "
            "each environment, so its in_axes is 0.",
            _one_action,
        ),
        Misconception(
            "one state for all",
            "Every environment steps from the state of environment 0. The state has one entry for "
            "each environment, so its in_axes is 0.",
            _one_state,
        ),
        Misconception(
            "stops together",
            "As soon as one environment has finished, all of them stand still. Environments end "
            "on their own: nothing may look across the batch.",
            _stops_together,
        ),
        Misconception(
            "constant", "Nothing moves and nothing is earned: step is never called.", _nothing
        ),
    ),
    hints=(
        "gridworld.step works for one environment. jax.vmap turns it into one for a batch.",
        "in_axes has one entry for each argument: 0 for what is stacked, None for what is shared.",
        "jax.vmap(gridworld.step, in_axes=(None, 0, 0)), then call it with the three arguments.",
    ),
    why="Mapping the world as well fails: its table has no axis of environments.",
    gain="map one step over a batch and share the rules",
    explanation=(
        "The world is shared, so its entry in in_axes is None. The states and the actions have "
        "one entry for each environment along axis 0."
    ),
)
