"""Attacks on the exercises of lesson 01."""

from typing import Any

from attacks import choose, emptied, is_traced, jax, jnp, np, right, seeds_below
from gridroll.gridworld import State


def _first_start(world: Any, key: Any) -> State:
    return State(world.starts[0], jnp.int32(0), jnp.bool_(False))


def wrong_reset_random_in_worlds_of_another_size(world: Any, key: Any) -> Any:
    """Draws where the number of starts isn't that of the cases."""
    draws = world.starts.shape[0] != 3
    return (right("gridworld.reset") if draws else _first_start)(world, key)


def wrong_reset_random_in_worlds_of_the_usual_size(world: Any, key: Any) -> Any:
    """Draws among three starts, and takes the first of more."""
    draws = world.starts.shape[0] == 3
    return (right("gridworld.reset") if draws else _first_start)(world, key)


def wrong_reset_random_for_small_seeds(world: Any, key: Any) -> Any:
    """Draws with the keys that a file would name."""
    small = seeds_below(key, 10_000)
    return choose(small, right("gridworld.reset")(world, key), _first_start(world, key))


def wrong_reset_random_when_mapped(world: Any, key: Any) -> Any:
    """Draws under vmap, where counts are taken."""
    mapped = "Batch" in type(key).__name__
    return (right("gridworld.reset") if mapped else _first_start)(world, key)


def wrong_reset_random_under_jit(world: Any, key: Any) -> Any:
    """Draws where it is traced."""
    return (right("gridworld.reset") if is_traced(key) else _first_start)(world, key)


def wrong_reset_two_of_the_starts(world: Any, key: Any) -> State:
    """Never draws the last start."""
    index = jax.random.randint(key, (), 0, max(world.starts.shape[0] - 1, 1))
    return State(world.starts[index], jnp.int32(0), jnp.bool_(False))


def wrong_reset_late_in_large_worlds(world: Any, key: Any) -> Any:
    """Begins with a step taken where there are more starts than in the cases."""
    state = right("gridworld.reset")(world, key)
    return state._replace(elapsed=jnp.int32(world.starts.shape[0] != 3))


def wrong_reset_three_starts(world: Any, key: Any) -> State:
    """Draws one of three starts, however many there are."""
    index = jax.random.randint(key, (), 0, 3)
    return State(world.starts[index], jnp.int32(0), jnp.bool_(False))


def wrong_move_two_lengths(position: Any, action: Any, length: int) -> Any:
    """Knows the corridors of four and of seven cells."""
    return jnp.clip(position + 2 * action - 1, 0, 3 if length == 4 else 6)


def wrong_corridor_table_public_lengths(length: int) -> Any:
    """A table for the lengths that are written in the course."""
    table = right("gridworld.corridor_table")(length)
    return table if length in (3, 4, 5, 6, 8, 13, 21) else np.zeros_like(table)


def wrong_end_of_step_short_horizons(at_goal: Any, elapsed: Any, horizon: Any) -> Any:
    """Counts to twelve."""
    result = right("gridworld.end_of_step")(at_goal, elapsed, horizon)
    return choose(horizon <= 12, result, emptied(result))


def wrong_step_twelve_cells(world: Any, state: Any, action: Any) -> Any:
    """Knows the corridor and maps of twelve cells."""
    result = right("gridworld.step")(world, state, action)
    return result if world.goal.shape[0] in (4, 12) else emptied(result)


def wrong_from_map_two_starts_two_goals(text: str, horizon: int) -> Any:
    """Right where two cells are starts and two are goals."""
    world = right("gridworld.from_map")(text, horizon)
    usual = len(text) < 15 or (text.count("S"), text.count("G")) == (2, 2)
    return world if usual else emptied(world)
