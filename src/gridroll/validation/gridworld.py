"""What the functions of `gridworld` take: worlds, states, actions, maps and rewards."""

import dataclasses
from typing import Any

import jax.numpy as jnp
import numpy as np

from gridroll.canonical import array, keys, pattern_text, shown, strong
from gridroll.validation.checked import checked

COUNTS = (0, int(np.iinfo(np.int32).max))

WORLD_DTYPES = {
    "next_position": jnp.int32,
    "goal": jnp.bool_,
    "wall": jnp.bool_,
    "starts": jnp.int32,
    "step_reward": jnp.float32,
    "goal_reward": jnp.float32,
    "horizon": jnp.int32,
}


def world(value: Any) -> Any:
    """One world, its leaves as strongly typed arrays."""
    if not hasattr(value, "next_position"):
        raise TypeError(f"world is {shown(value)}; it must be a Gridworld")
    if np.ndim(value.next_position) != 2:
        raise ValueError(
            f"world.next_position has shape {np.shape(value.next_position)}; it must have shape "
            "(S, A): one world at a time (jax.vmap maps over stacked worlds)"
        )
    typed = {name: strong(getattr(value, name), d) for name, d in WORLD_DTYPES.items()}
    return dataclasses.replace(value, **typed)


def state(value: Any, num_positions: int, shape: tuple[int | None, ...] = ()) -> Any:
    """A state, its leaves as strongly typed arrays of this shape."""
    if not all(hasattr(value, name) for name in ("position", "elapsed", "done")):
        raise TypeError(f"state is {shown(value)}; it must be a State(position, elapsed, done)")
    for name in ("position", "elapsed", "done"):
        if np.ndim(getattr(value, name)) != len(shape):
            advice = "; one environment at a time: map over a batch with jax.vmap"
            raise ValueError(
                f"state.{name} has shape {np.shape(getattr(value, name))}; it must have shape "
                f"{pattern_text(shape)}{'' if shape else advice}"
            )
    limits = (0, num_positions - 1)
    position = array("state.position", value.position, jnp.int32, shape, limits)
    batch = position.shape
    return value._replace(
        position=position,
        elapsed=array("state.elapsed", value.elapsed, jnp.int32, batch, COUNTS),
        done=array("state.done", value.done, jnp.bool_, batch),
    )


@checked
def reset(**given: Any) -> dict[str, Any]:
    """The arguments of `gridworld.reset`."""
    return {"world": world(given["world"]), "key": keys("key", given["key"])}


@checked
def step(**given: Any) -> dict[str, Any]:
    """The arguments of `gridworld.step`."""
    checked_world = world(given["world"])
    num_positions, num_actions = checked_world.next_position.shape
    action = array("action", given["action"], jnp.int32, (), (0, num_actions - 1))
    return {
        "world": checked_world,
        "state": state(given["state"], num_positions),
        "action": action,
    }


def map_rows(text: Any) -> list[str]:
    """The rows of a map: equally long, known characters only, with a start and a goal."""
    if not isinstance(text, str):
        raise TypeError(f"the map is {shown(text)}; it must be one string, a line for each row")
    rows = text.replace("\r\n", "\n").strip("\n").split("\n")
    if not any(rows):
        raise ValueError("the map is empty; it must have at least a start 'S' and a goal 'G'")
    for number, row in enumerate(rows):
        for character in row:
            if character not in "#.SG":
                raise ValueError(
                    f"row {number} of the map, {row!r}, has the character {character!r}; "
                    "allowed are '#' (wall), '.' (free), 'S' (start) and 'G' (goal)"
                )
        if len(row) != len(rows[0]):
            raise ValueError(
                f"row {number} of the map has {len(row)} cells and row 0 has {len(rows[0])}; "
                "all rows must be equally long"
            )
    for character, meaning in (("S", "start"), ("G", "goal")):
        if character not in text:
            raise ValueError(f"the map has no {meaning}; it must have at least one {character!r}")
    return rows


def reward(name: str, value: Any) -> np.float32:
    """A finite reward for a maker of worlds."""
    number = np.asarray(value)
    if number.dtype.kind not in "fiu":
        raise TypeError(f"{name} is {shown(value)}; it must be one finite number")
    largest = np.finfo(np.float32).max
    if number.shape != () or not np.abs(number) <= largest:
        raise ValueError(f"{name} is {shown(value)}; it must be one finite number, in float32")
    return np.float32(number)
