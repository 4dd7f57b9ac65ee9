"""What the exercises of several lessons share: worlds to try, source texts, forms for reading."""

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.describe import describe, number
from gridroll.classroom.exercise import Fault
from gridroll.exercises import _fresh
from gridroll.gridworld import Gridworld, State, from_map
from gridroll.policy import Policy

ONE_GOAL = "S.#\n..G"
DETOUR = "SS.#\n.#.G\n...."
MOST_ENTRIES = 1000  # of a list in a witness


def source(*functions: Callable[..., Any]) -> str:
    """The source text of functions, one below the other, decorators and docstrings included."""
    texts = [inspect.getsource(inspect.unwrap(function)).rstrip() for function in functions]
    return "\n\n\n".join(texts) + "\n"


def random_map(rng: np.random.Generator, rows: int = 3, columns: int = 4) -> str:
    """A map with two starts, two goals and two walls; the same counts, so the same shapes.

    For a seed other than that of the notebooks, the counts are others.
    """
    counts = _fresh.once(rng, (2, 2, 2), lambda own: own.integers(1, 4, 3).tolist())
    marks = "".join(mark * count for mark, count in zip("SG#", counts, strict=True))
    cells = np.array(list(marks + "." * (rows * columns - len(marks))))
    rng.shuffle(cells)
    return "\n".join("".join(row) for row in cells.reshape(rows, columns))


def random_world(rng: np.random.Generator) -> Gridworld:
    """A 3 by 4 world with walls, two goals, a horizon of 2 to 6 and rewards of its own.

    For a seed other than that of the notebooks, its size is another one.
    """
    return from_map(
        random_map(rng, *_fresh.sizes(rng, 3, 4, least=3, most=6)),
        horizon=int(rng.integers(2, 7)),
        step_reward=float(rng.integers(-8, 3)) / 16,
        goal_reward=float(rng.choice([-1.5, 2.0, 3.5])),
    )


def array(values: Any, dtype: Any) -> jax.Array:
    """An array of this dtype, without a program: `jnp.asarray` compiles one for each shape."""
    return jax.device_put(np.array(values, dtype))


def state(position: int, elapsed: int = 0, done: bool = False) -> State:
    """The state of one environment."""
    return State(jnp.int32(position), jnp.int32(elapsed), jnp.bool_(done))


def states(position: list[int], elapsed: list[int], done: list[bool]) -> State:
    """The states of a batch of environments."""
    return State(integers(position), integers(elapsed), array(done, jnp.bool_))


def integers(values: Any) -> jax.Array:
    """An int32 array."""
    return array(values, jnp.int32)


def floats(values: Any) -> jax.Array:
    """A float32 array."""
    return array(values, jnp.float32)


def is_whole_number(value: Any) -> bool:
    """Whether a guess or a part of a witness is a whole number; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def entries(what: str, values: Any) -> list[Any]:
    """The entries of a list in a witness, or of an array of rank 1, if they aren't too many.

    Raises:
        ValueError: it is something else, or longer than anybody needs.
    """
    array = isinstance(values, np.ndarray | jax.Array)
    if not isinstance(values, list | tuple) and not (array and values.ndim == 1):
        raise ValueError(f"{what} have to be a list.")
    if len(values) > MOST_ENTRIES:
        raise ValueError(f"{what} are {len(values)}; at most {MOST_ENTRIES} are allowed.")
    return np.asarray(values).tolist() if array else list(values)


def misshapen(name: str, got: np.ndarray, shape: tuple[int, ...], kinds: str) -> Fault | None:
    """What a further call gives, if its form isn't that of the results that were looked at.

    What is computed of it takes time and memory as its size has it, so this comes first.

    Args:
        name: what the array is called.
        got: the array.
        shape: that it should have.
        kinds: the letters of the kinds of numbers that it may hold, as in `np.dtype.kind`.
    """
    if got.shape == shape and got.dtype.kind in kinds:
        return None
    numbers = "bool" if kinds == "b" else "whole numbers"
    return Fault(
        "A further call gives a result of another form.",
        where=name,
        got=f"{got.dtype} of shape {got.shape}",
        expected=f"{numbers} of shape {shape}",
        rule="Shape and dtype follow from the sizes that are given, in every call.",
        property="another form",
    )


def map_text(world: Gridworld) -> str:
    """The map of a world, as `from_map` takes it."""
    cells = np.full(world.goal.shape, ".")
    cells[np.asarray(world.starts)] = "S"
    cells[np.asarray(world.goal)] = "G"
    cells[np.asarray(world.wall)] = "#"
    return "\n".join("".join(row) for row in cells.reshape(-1, world.columns))


@describe.register
def _describe_world(world: Gridworld) -> str:
    try:
        return _world_text(world)
    except (TypeError, ValueError, IndexError, AttributeError):
        return "a Gridworld whose fields are no arrays of its shapes"


def _world_text(world: Gridworld) -> str:
    if np.ndim(world.next_position) != 2:
        return f"a stack of worlds, next_position of shape {np.shape(world.next_position)}"
    num_positions, num_actions = world.next_position.shape
    if num_actions == 2 and num_positions == world.columns:
        made = f"corridor({num_positions}, "
    else:
        made = f"from_map({map_text(world)!r}, "
    made += f"horizon={number(world.horizon)}"
    if number(world.step_reward) != "-0.01" or number(world.goal_reward) != "1":
        made += f", step_reward={number(world.step_reward)}"
        made += f", goal_reward={number(world.goal_reward)}"
    return made + ")"


@describe.register
def _describe_policy(policy: Policy) -> str:
    return f"policy.{policy.name}"
