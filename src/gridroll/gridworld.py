"""A finite-horizon gridworld as pure functions: a state goes in, the next state comes out."""

from dataclasses import dataclass, field
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import canonical, validation

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (rows, columns) for up, right, down, left


class State(NamedTuple):
    """Everything that the next step depends on."""

    position: jax.Array  # () int32, the number of the cell
    elapsed: jax.Array  # () int32, steps taken in this episode
    done: jax.Array  # () bool, whether the episode has ended


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Gridworld:
    """The rules of one world with S cells and A actions; worlds of one size can be stacked.

    Cells are numbered row by row, walls included.
    """

    next_position: jax.Array  # (S, A) int32, the cell that an action leads to
    goal: jax.Array  # (S,) bool
    wall: jax.Array  # (S,) bool
    starts: jax.Array  # (K,) int32, the cells an episode may start on
    step_reward: jax.Array  # () float32, for a transition that doesn't reach a goal
    goal_reward: jax.Array  # () float32, for the transition that reaches a goal
    horizon: jax.Array  # () int32, the most transitions in an episode
    columns: int = field(metadata={"static": True})


@validation.reset
def reset(world: Gridworld, key: jax.Array) -> State:
    """Start an episode on one of the start cells, each equally likely.

    Args:
        world: the rules.
        key: () typed key; it is used up here.

    Returns:
        State with position () int32, elapsed () int32 = 0, done () bool = False.

    Raises:
        TypeError: `key` is a plain seed or a legacy uint32 key.
        ValueError: `key` is a batch of keys, or `world` is a stack of worlds.
    """
    start = jax.random.randint(key, (), 0, world.starts.shape[0])
    return State(
        position=world.starts[start],
        elapsed=jnp.zeros((), jnp.int32),
        done=jnp.zeros((), jnp.bool_),
    )


@validation.step
def step(
    world: Gridworld, state: State, action: jax.Array
) -> tuple[State, jax.Array, jax.Array, jax.Array]:
    """Take one transition.

    A finished state absorbs: it stays as it is, the reward is 0 and no event fires again. Reaching
    the goal on the last allowed transition is a termination, not a truncation.

    Args:
        world: the rules.
        state: position () int32, elapsed () int32, done () bool.
        action: () int32 in 0..A-1. Inside jit, where a value can't be checked, it is clipped.

    Returns:
        The next state, reward () float32, terminated () bool, truncated () bool.

    Raises:
        TypeError: an action that is not an integer.
        ValueError: an action or a position out of range, or a batch where one is wanted.
    """
    active = ~state.done
    action = jnp.clip(action, 0, world.next_position.shape[1] - 1)
    position = jnp.where(active, world.next_position[state.position, action], state.position)
    elapsed = state.elapsed + active.astype(jnp.int32)
    terminated = active & world.goal[position]
    truncated = active & ~terminated & (elapsed >= world.horizon)
    earned = jnp.where(terminated, world.goal_reward, world.step_reward)
    reward = jnp.where(active, earned, jnp.zeros_like(earned))
    return (
        State(position, elapsed, state.done | terminated | truncated),
        reward,
        terminated,
        truncated,
    )


def corridor(
    length: int = 4, horizon: int = 8, *, step_reward: float = -0.01, goal_reward: float = 1.0
) -> Gridworld:
    """A row of cells: starts on cells 0 and 1, the goal on the last, actions left = 0, right = 1.

    Args:
        length: the number of cells S, at least 3.
        horizon: the most transitions in an episode, at least 1.
        step_reward, goal_reward: finite numbers.

    Raises:
        TypeError, ValueError: a size that is not an integer or is too small.
    """
    length = canonical.size("length", length, at_least=3)
    cell = np.arange(length)
    goal = cell == length - 1
    left = np.where(goal, cell, np.maximum(cell - 1, 0))
    right = np.where(goal, cell, np.minimum(cell + 1, length - 1))
    return make_world(
        next_position=np.stack([left, right], axis=1),
        goal=goal,
        wall=np.zeros(length, bool),
        starts=cell[:2],
        columns=length,
        rules=(horizon, step_reward, goal_reward),
    )


def from_map(
    text: str, horizon: int, *, step_reward: float = -0.01, goal_reward: float = 1.0
) -> Gridworld:
    """A world drawn with characters: '#' wall, '.' free, 'S' start, 'G' goal.

    The actions are up, right, down, left = 0, 1, 2, 3. An action that would leave the map or enter
    a wall leaves the position as it is. A goal keeps whoever is on it.

    Args:
        text: one line for each row, all equally long, with at least one start and one goal.
        horizon: the most transitions in an episode, at least 1.
        step_reward, goal_reward: finite numbers.

    Raises:
        TypeError, ValueError: anything else, named with what is allowed.
    """
    cells = np.array([list(row) for row in validation.map_rows(text)])  # (rows, columns)
    rows, columns = cells.shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    wall, goal = (cells == "#").ravel(), (cells == "G").ravel()
    here = np.arange(rows * columns)
    next_position = np.empty((rows * columns, len(MOVES)), np.int32)
    for action, (down, right) in enumerate(MOVES):
        to_row = np.clip(row + down, 0, rows - 1)
        to_column = np.clip(column + right, 0, columns - 1)
        there = to_row * columns + to_column
        next_position[:, action] = np.where(wall[there] | wall | goal, here, there)
    return make_world(
        next_position=next_position,
        goal=goal,
        wall=wall,
        starts=np.flatnonzero(cells == "S"),
        columns=columns,
        rules=(horizon, step_reward, goal_reward),
    )


def make_world(
    *,
    next_position: np.ndarray,
    goal: np.ndarray,
    wall: np.ndarray,
    starts: np.ndarray,
    columns: int,
    rules: tuple[int, float, float],
) -> Gridworld:
    """A world from its tables, its leaves as JAX arrays of the dtypes that `Gridworld` names.

    Args:
        next_position: (S, A) integers, the cell that an action leads to.
        goal, wall: (S,) bool.
        starts: (K,) integers, the cells an episode may start on.
        columns: the number of cells in a row.
        rules: horizon, step_reward, goal_reward.

    Raises:
        TypeError, ValueError: a horizon that is no positive integer, a reward that is not finite.
    """
    horizon, step_reward, goal_reward = rules
    return Gridworld(
        next_position=canonical.array("next_position", next_position, jnp.int32, (None, None)),
        goal=canonical.array("goal", goal, jnp.bool_, (None,)),
        wall=canonical.array("wall", wall, jnp.bool_, (None,)),
        starts=canonical.array("starts", starts, jnp.int32, (None,)),
        step_reward=jnp.asarray(validation.reward("step_reward", step_reward)),
        goal_reward=jnp.asarray(validation.reward("goal_reward", goal_reward)),
        horizon=jnp.asarray(canonical.size("horizon", horizon), jnp.int32),
        columns=columns,
    )
