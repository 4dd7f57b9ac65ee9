"""Starts that equal the first actions: one key for two draws."""

import inspect
from typing import Any

import jax
import numpy as np

from gridroll import collector
from gridroll.classroom.exercise import Case, Exercise, Fault, Property
from gridroll.exercises import _fresh
from gridroll.exercises._shared import is_whole_number
from gridroll.exercises.keys import draws, wrong_draws
from gridroll.gridworld import Gridworld, corridor, from_map

FEWEST = 20  # environments: that many pairs of coins agree by chance once in a million

Pair = tuple[jax.Array, jax.Array]


def first_draws(world: Gridworld, key: jax.Array, num_envs: int) -> Pair:
    """Draw a start and a first action for each of B environments, all independent.

    Args:
        world: the rules; world.starts holds the start cells, (K,) int32.
        key: () typed key; it is used up here.
        num_envs: B, at least 1.

    Returns:
        start: (B,) int32, start cells, each of the K equally likely.
        action: (B,) int32, actions from 0 to A - 1, each equally likely.
    """

    def draw(keys: jax.Array, high: int) -> jax.Array:
        return jax.vmap(lambda key: jax.random.randint(key, (), 0, high))(keys)

    start_key, action_key = jax.random.split(key)
    index = draw(jax.random.split(start_key, num_envs), world.starts.shape[0])
    action = draw(jax.random.split(action_key, num_envs), world.next_position.shape[1])
    return world.starts[index], action


SCAFFOLD = '''
def first_draws(world, key, num_envs):
    """Draw a start and a first action for each of B environments, all independent.

    Args:
        world: the rules; world.starts holds the start cells, (K,) int32.
        key: () typed key; it is used up here.
        num_envs: B, at least 1.

    Returns:
        start: (B,) int32, start cells, each of the K equally likely.
        action: (B,) int32, actions from 0 to A - 1, each equally likely.
    """

    def draw(keys, high):
        return jax.vmap(lambda key: jax.random.randint(key, (), 0, high))(keys)

    env_keys = jax.random.split(key, num_envs)
    start = draw(env_keys, world.starts.shape[0])
    action = draw(env_keys, world.next_position.shape[1])
    return start, action


# (seed, num_envs) for the corridor: a call whose starts and actions can't agree by chance.
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(first_draws)
    text = text.replace("(world: Gridworld, key: jax.Array, num_envs: int) -> Pair:",
                        "(world, key, num_envs):")  # fmt: skip
    text = text.replace("(keys: jax.Array, high: int) -> jax.Array:", "(keys, high):")
    return text + "\n\nwitness = (0, 64)\n"


def replay(case: Case, got: Any) -> Any:
    """The student's own draws, if they are starts and actions and not one draw used twice."""
    world = case.args[0]
    start, action = (np.asarray(x) for x in got)
    cells = np.asarray(world.starts)
    outside = ~np.isin(start, cells)
    if outside.any():
        b = int(np.argmax(outside))
        return Fault(
            "A start isn't a start cell.",
            where=f"start[b={b}]",
            got=str(start[b]),
            expected=f"one of world.starts, {cells.tolist()}",
            rule="A start is looked up in world.starts.",
        )
    most = world.next_position.shape[1] - 1
    outside = (action < 0) | (action > most)
    if outside.any():
        b = int(np.argmax(outside))
        return Fault(
            "An action is none of this world's.",
            where=f"action[b={b}]",
            got=str(action[b]),
            expected=f"0 to {most}",
            rule="There are A = world.next_position.shape[1] actions.",
        )
    if len(start) >= FEWEST and (wrong_draws.index_of(world, start) == action).all():
        return Fault(
            f"In all {len(action)} environments the first action is the number that drew the "
            "start.",
            where="action[b=0]",
            got=f"{action[0]}, as the start's index, and so for every b",
            expected="draws that agree here and there, by chance",
            rule="Start and action are independent.",
        )
    return got


def witness_case(witness: Any) -> Case:
    """A seed and a number of environments, for the corridor."""
    if not isinstance(witness, list | tuple) or len(witness) != 2:
        raise ValueError("A witness is a tuple of two whole numbers: (seed, num_envs).")
    for name, number in zip(("seed", "num_envs"), witness, strict=True):
        if not is_whole_number(number) or not 0 <= number <= 10_000:
            raise ValueError(f"{name} has to be a whole number from 0 to 10000.")
    seed, num_envs = (int(number) for number in witness)
    if num_envs < FEWEST:
        raise ValueError(
            f"With {num_envs} environment{'s' * (num_envs != 1)}, two independent coins agree "
            f"everywhere once in {2**num_envs:,} tries: that may be chance. Take so many that "
            "nobody can say so."
        )
    return Case((corridor(), jax.random.key(seed), num_envs))


def _visible() -> tuple[Case, ...]:
    # Two starts and two actions; then four of each, on cells that aren't 0 to 3.
    large = from_map("..S#\nS..S\n.SG.", horizon=9)
    return (
        Case((corridor(), jax.random.key(0), 32)),
        Case((large, jax.random.key(1), 32)),
        Case((large, jax.random.key(2), 8)),
    )


def _generate(rng: np.random.Generator) -> Case:
    return Case((draws.small_world(rng), _fresh.keys(rng, 1)[0], draws.small_batch(rng)))


FIRST_DRAWS = Exercise(
    name="keys.first_draws",
    title="diagnose starts that equal the first actions",
    task=(
        "Mend the broken `first_draws` so that it keeps the promise of its docstring, and give a "
        "`witness`: a seed and a number of environments with which the corridor shows the fault."
    ),
    points=4,
    difficulty=3,
    reference=first_draws,
    parts=(collector.rollout,),
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("start", "action"),
    axes=("b",),
    eager=1,
    jit_from=2,  # a small batch: a loop over environments would take long to compile
    replay=replay,
    properties=(
        Property("chances", draws.are_equally_likely),
        Property("draws", draws.are_independent),
        Property("pairs", draws.follow_no_pattern),
    ),
    rules={
        "start": "Starts are cells from world.starts, (B,) int32.",
        "action": "Actions are numbers from 0 to A - 1, (B,) int32.",
    },
    misconceptions=wrong_draws.MISCONCEPTIONS,
    hints=(
        "Print starts and actions of 32 environments side by side. How often do they differ?",
        "Split the key in two, for starts and for actions, before either is split into B.",
        "start_key, action_key = jax.random.split(key). Split each into num_envs. And look the "
        "start up: world.starts[index].",
    ),
    why="A new seed gives other starts, and the actions follow them as before.",
    gain="find two draws that come from one key",
    explanation=(
        "randint of one key is one number, so a key that draws the start draws the same number as "
        "the action. The key is split where it changes hands, into one for the starts and one for "
        "the actions, and each of these into B. The start is then looked up in world.starts."
    ),
    broken=wrong_draws.broken_first_draws,
    witness=witness_case,
)
