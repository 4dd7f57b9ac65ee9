"""A report on one episode that is wrong in two ways: find an input that shows it, and mend it."""

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import entries, integers, random_world, state
from gridroll.gridworld import Gridworld, State, corridor

Report = tuple[jax.Array, jax.Array, jax.Array]


def episode_report(world: Gridworld, state: State, action: jax.Array) -> Report:
    """Take the actions in turn and report on the episode.

    Args:
        world: the rules.
        state: the state to begin with, of one environment.
        action: (T,) int32.

    Returns:
        The return () float32, the length () int32 and whether a goal was reached () bool.
    """

    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        active = ~state.done
        next_state, reward, terminated, _ = gridworld.step(world, state, action)
        return next_state, (jnp.where(active, reward, 0.0), active, terminated)

    _, (reward, active, terminated) = jax.lax.scan(transition, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), terminated.any()


def broken_report(world: Gridworld, state: State, action: jax.Array) -> Report:
    """The program as the student finds it."""

    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        next_state, reward, _, _ = gridworld.step(world, state, action)
        active = ~next_state.done
        return next_state, (jnp.where(active, reward, 0.0), active)

    final, (reward, active) = jax.lax.scan(transition, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), final.done


SCAFFOLD = '''
def episode_report(world, state, action):
    """Take the actions in turn and report on the episode.

    Args:
        world: the rules.
        state: the state to begin with, of one environment.
        action: (T,) int32.

    Returns:
        The return () float32, the length () int32 and whether a goal was reached () bool.
    """

    def transition(state, action):
        next_state, reward, terminated, _ = gridworld.step(world, state, action)
        active = ~next_state.done
        return next_state, (jnp.where(active, reward, 0.0), active)

    final, (reward, active) = jax.lax.scan(transition, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), final.done


# A start cell of corridor() and the actions that show a fault, such as (1, [0, 1]).
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(episode_report)
    for annotated, plain in (
        ("world: Gridworld, state: State, action: jax.Array) -> Report", "world, state, action)"),
        ("state: State, action: jax.Array) -> tuple[State, Any]", "state, action)"),
    ):
        text = text.replace(annotated, plain)
    return text + "\n\nwitness = (1, [1, 1])\n"


def _mask_after_step(world: Gridworld, state: State, action: jax.Array) -> Report:
    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        next_state, reward, terminated, _ = gridworld.step(world, state, action)
        active = ~next_state.done
        return next_state, (jnp.where(active, reward, 0.0), active, terminated)

    _, (reward, active, terminated) = jax.lax.scan(transition, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), terminated.any()


def _traced(world: Gridworld, state: State, action: jax.Array) -> tuple[State, Any]:
    """The final state, and what the right report is made of."""

    def transition(state: State, action: jax.Array) -> tuple[State, Any]:
        next_state, reward, terminated, _ = gridworld.step(world, state, action)
        return next_state, (reward, ~state.done, terminated)

    return jax.lax.scan(transition, state, action)


def _limit_as_goal(world: Gridworld, state: State, action: jax.Array) -> Report:
    final, (reward, active, _) = _traced(world, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), final.done


def _shifted_too_far(world: Gridworld, state: State, action: jax.Array) -> Report:
    def transition(carry: tuple[State, jax.Array], action: jax.Array) -> tuple[Any, Any]:
        state, before = carry
        next_state, reward, terminated, _ = gridworld.step(world, state, action)
        return (next_state, state.done), (reward, ~before, terminated)

    start = (state, jnp.bool_(False))
    _, (reward, active, terminated) = jax.lax.scan(transition, start, action)
    return reward.sum(), active.sum(dtype=jnp.int32), terminated.any()


def _all_rows(world: Gridworld, state: State, action: jax.Array) -> Report:
    _, (reward, _, terminated) = _traced(world, state, action)
    return reward.sum(), jnp.int32(action.shape[0]), terminated.any()


def _paid_means_reached(world: Gridworld, state: State, action: jax.Array) -> Report:
    _, (reward, active, _) = _traced(world, state, action)
    return reward.sum(), active.sum(dtype=jnp.int32), reward.sum() > 0


def _nothing(world: Gridworld, state: State, action: jax.Array) -> Report:
    return jnp.float32(0), jnp.int32(0), jnp.bool_(False)


def witness_case(witness: Any) -> Case:
    """(start cell, actions) in the corridor of lesson 01."""
    if not isinstance(witness, list | tuple) or len(witness) != 2:
        raise ValueError("A witness is a pair: a start cell and a list of actions.")
    start, actions = witness
    if np.ndim(start) != 0 or start not in (0, 1):
        raise ValueError("The start cell is 0 or 1.")
    taken = entries("The actions", actions)
    if not taken or any(np.ndim(a) != 0 or a not in (0, 1) for a in taken):
        raise ValueError("The actions are a list of 0 (left) and 1 (right).")
    return Case((corridor(), state(int(start)), integers(taken)))


def _visible() -> tuple[Case, ...]:
    return (
        Case((corridor(), state(1), integers([1, 1, 0, 1, 1]))),
        Case((corridor(horizon=3), state(0), integers([1, 0, 1, 1, 1]))),
        Case((corridor(step_reward=-1.0), state(0), integers([1, 1, 1, 0, 0]))),
        Case((corridor(step_reward=0.0), state(1, 3), integers([0, 1, 0, 1, 1]))),
        Case((corridor(), state(3, 2, True), integers([0, 1, 0, 1, 1]))),
    )


def _generate(rng: np.random.Generator) -> Case:
    """A walk on a map, on which the last cell is no goal, sometimes begun late or finished."""
    world = random_world(rng)
    start = int(rng.choice(np.asarray(world.starts)))
    late, done = int(rng.integers(0, 2)), bool(rng.random() < 0.1)
    return Case(
        (
            world,
            state(start, late, done),
            integers(rng.integers(0, 4, _fresh.sizes(rng, 7, least=4))),
        )
    )


EPISODE_REPORT = Exercise(
    name="collector.episode_report",
    title="diagnose a report",
    task=(
        "Mend the broken `episode_report` so that it keeps the promise of its docstring, and give "
        "a `witness`: an input on which it was wrong."
    ),
    points=4,
    difficulty=3,
    reference=episode_report,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("return", "length", "reached a goal"),
    eager=1,  # each direct call of scan compiles its body again
    jit_from=1,
    rules={
        "return": "Every active transition adds its reward, the one that ends the episode too.",
        "length": "The length counts the transitions that were active before their step.",
        "reached a goal": "A goal was reached if a transition terminated the episode.",
    },
    misconceptions=(
        Misconception(
            "still broken",
            "The program does what it did before: on its last step it throws the reward away. "
            "Where is `active` taken from?",
            broken_report,
        ),
        Misconception(
            "mask still after the step",
            "`active` is still taken from the state after the step, so the step that ends an "
            "episode loses its reward and isn't counted.",
            _mask_after_step,
        ),
        Misconception(
            "cut off counted as a goal",
            "The mask is mended. There is one more fault, and you have met it in lesson 01: done "
            "is also true of an episode that was cut off. Only terminated tells of a goal.",
            _limit_as_goal,
        ),
        Misconception(
            "shifted the wrong way",
            "The mask is one row too long: the first row after the end counts as a transition.",
            _shifted_too_far,
        ),
        Misconception(
            "counts the padding",
            "The length is the number of actions given, padding included.",
            _all_rows,
        ),
        Misconception(
            "a positive return taken for a goal",
            "Whether a goal was reached is read off the sign of the return. With other rewards "
            "that is wrong; the event itself is terminated.",
            _paid_means_reached,
        ),
        Misconception("constant", "The report is empty whatever happened.", _nothing),
    ),
    hints=(
        "Work it out for start cell 1 and the actions right, right. What should the return be?",
        "Compare the two flags of a step with done: done says that it ended, not how.",
        "Take active = ~state.done before the step, and emit terminated as a third output.",
    ),
    why="With the shifted mask, right, right from cell 1 gives −0.01 instead of 0.99.",
    gain="find the input that shows a fault before you mend it",
    explanation=(
        "active comes from the state that goes in, so the ending transition keeps its reward and "
        "its place in the count. Whether a goal was reached is any(terminated): done is also true "
        "after a cut-off, which is lesson 01's difference between the two endings."
    ),
    broken=broken_report,
    witness=witness_case,
)
