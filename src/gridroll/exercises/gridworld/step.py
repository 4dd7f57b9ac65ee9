"""One transition: it moves, counts, ends and pays, and a finished state absorbs."""

from typing import Any

import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise
from gridroll.exercises._shared import DETOUR, integers, random_world, source, state
from gridroll.exercises.gridworld.wrong_steps import MISCONCEPTIONS
from gridroll.gridworld import corridor, from_map

SCAFFOLD = '''
def step(world, state, action):
    """Take one transition.

    A finished state absorbs: it stays as it is, the reward is 0 and no event fires again. Reaching
    the goal on the last allowed transition is a termination, not a truncation.

    Args:
        world: the rules: next_position (S, A), goal (S,), step_reward (), goal_reward (),
            horizon ().
        state: position () int32, elapsed () int32, done () bool.
        action: () int32 in 0..A-1.

    Returns:
        The next state, reward () float32, terminated () bool, truncated () bool.
    """
    active = ~state.done  # was the episode running BEFORE this step?
    # 1. The next position: what the table says, or where a finished state already is.
    # 2. The count: it grows only while the episode is running.
    # 3. The two events, both only in a running episode.
    # 4. The reward: the goal's or a step's, and 0 for a finished state.
    # 5. Return State(position, elapsed, done), reward, terminated, truncated.
    return ...
'''


def _case(world: Any, position: int, elapsed: int, done: bool, action: int) -> Case:
    return Case((world, state(position, elapsed, done), integers(action)))


def _visible() -> tuple[Case, ...]:
    own_rewards = corridor(horizon=5, step_reward=-0.25, goal_reward=2.0)
    detour = from_map(DETOUR, horizon=9)
    return (
        _case(corridor(), 1, 0, False, 1),
        _case(corridor(), 2, 1, False, 1),
        _case(corridor(), 2, 7, False, 1),
        _case(corridor(), 2, 7, False, 0),
        _case(corridor(), 1, 8, True, 1),
        _case(corridor(), 3, 2, True, 0),
        _case(own_rewards, 0, 3, False, 0),
        _case(detour, 3, 4, False, 2),
    )


def _generate(rng: np.random.Generator) -> Case:
    """Any kind of step; the rare ones (goals, limits, finished states) come often."""
    world = random_world(rng)
    table, goal, wall = (np.asarray(a) for a in (world.next_position, world.goal, world.wall))
    running = np.flatnonzero(~goal & ~wall)
    horizon = int(world.horizon)
    if rng.random() < 0.35:  # a finished state: on a goal, or cut off where an action would move
        cells = np.flatnonzero(~wall)
        elapsed = int(rng.integers(1, horizon + 1))
        return _case(world, int(rng.choice(cells)), elapsed, True, int(rng.integers(4)))
    into_goal = np.argwhere(goal[table] & (~goal & ~wall)[:, None])
    if rng.random() < 0.5 and len(into_goal):
        position, action = (int(n) for n in rng.choice(into_goal))
    else:
        position, action = int(rng.choice(running)), int(rng.integers(4))
    elapsed = horizon - 1 if rng.random() < 0.5 else int(rng.integers(horizon))
    return _case(world, position, elapsed, False, action)


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    position, done = int(case.args[1].position), bool(case.args[1].done)
    terminated, truncated = bool(expected[2]), bool(expected[3])
    places = {
        "steps from a finished state": done,
        "steps that reach a goal": terminated,
        "steps that are cut off": truncated,
        "steps that end an episode": terminated or truncated,
        "steps that bump and stay in place": not done and int(expected[0].position) == position,
        "steps of a running episode": not done,
    }
    return {name: np.asarray(holds) for name, holds in places.items()}


STEP = Exercise(
    name="gridworld.step",
    title="one transition",
    task=(
        "Write `step(world, state, action)` for running and for finished states, in any world that "
        "is a table."
    ),
    points=5,
    difficulty=3,
    reference=gridworld.step,
    answer=source(gridworld.step),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("state", "reward", "terminated", "truncated"),
    generated=24,
    eager=4,
    regions=_regions,
    rules={
        "position": (
            "A running episode moves to world.next_position[position, action]; a finished one "
            "stays."
        ),
        "elapsed": "elapsed counts the steps of a running episode; a finished one counts no more.",
        "done": "done is true once an episode has terminated or was truncated, and stays true.",
        "reward": (
            "world.goal_reward for the step that reaches a goal, world.step_reward for any other "
            "of a running episode, 0 from a finished state."
        ),
        "terminated": "terminated is true only on the step of a running episode that reaches a "
        "goal.",
        "truncated": "truncated is true only on the step of a running episode that uses up the "
        "horizon without reaching a goal.",
    },
    misconceptions=MISCONCEPTIONS,
    hints=(
        "Start with `active = ~state.done`. Which of the six results does it decide about?",
        "jnp.where(active, new, old) for the position; active.astype(jnp.int32) for the count; "
        "active & ... for both events.",
        "terminated = active & world.goal[position]; truncated = active & ~terminated & (elapsed "
        ">= world.horizon); the reward is two nested jnp.where.",
    ),
    why="If a finished episode went on earning, its total would grow with every step taken.",
    gain="take one transition of any world that is a table",
    explanation=(
        "`active` is asked of the state that goes in, so the ending step still moves, counts and "
        "pays, and everything after it does nothing. Both branches of every jnp.where are "
        "computed; the flags only choose between them."
    ),
)
