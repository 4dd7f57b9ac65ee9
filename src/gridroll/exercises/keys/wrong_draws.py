"""The broken program of starts and first actions, and the ways in which it stays broken."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Misconception
from gridroll.gridworld import Gridworld


def broken_first_draws(
    world: Gridworld, key: jax.Array, num_envs: int
) -> tuple[jax.Array, jax.Array]:
    """The program as the student finds it."""

    def draw(keys: jax.Array, high: int) -> jax.Array:
        return jax.vmap(lambda key: jax.random.randint(key, (), 0, high))(keys)

    env_keys = jax.random.split(key, num_envs)
    start = draw(env_keys, world.starts.shape[0])
    action = draw(env_keys, world.next_position.shape[1])
    return start, action


def index_of(world: Gridworld, start: Any) -> Any:
    """Which start it is; the starts of a map are sorted."""
    return np.searchsorted(np.asarray(world.starts), np.asarray(start)).astype(np.int32)


def _still_broken(case: Case, got: Any) -> Any:
    return broken_first_draws(*case.args)


def _tied(case: Case, got: Any) -> Any:
    return got[0], index_of(case.args[0], got[0])


def _index_as_cell(case: Case, got: Any) -> Any:
    num_starts, num_actions = _sizes(case.args[0])
    return jnp.asarray(got[0]) % num_starts, jnp.asarray(got[1]) % num_actions


def _draw(keys: Any, high: int) -> Any:
    return jax.vmap(lambda key: jax.random.randint(key, (), 0, high))(keys)


def _sizes(world: Gridworld) -> tuple[int, int]:
    return world.starts.shape[0], world.next_position.shape[1]


def _right(world: Gridworld, key: Any, num_envs: int) -> Any:
    """Right draws, for the mistakes that change them."""
    start, action = _index_still(world, key, num_envs)
    return world.starts[start], action


def _bigger_batch(world: Gridworld, key: Any, num_envs: int) -> Any:
    start, action = broken_first_draws(world, key, 10 * num_envs)
    return start[:num_envs], action[:num_envs]


def _index_looked_up(world: Gridworld, key: Any, num_envs: int) -> Any:
    index, action = broken_first_draws(world, key, num_envs)
    return world.starts[index], action


def _new_seed(world: Gridworld, key: Any, num_envs: int) -> Any:
    return _index_looked_up(world, jax.random.key(1), num_envs)


def _one_split_more(world: Gridworld, key: Any, num_envs: int) -> Any:
    return _index_looked_up(world, jax.random.split(key)[1], num_envs)


def _index_still(world: Gridworld, key: Any, num_envs: int) -> Any:
    start_key, action_key = jax.random.split(key)
    num_starts, num_actions = _sizes(world)
    start = _draw(jax.random.split(start_key, num_envs), num_starts)
    return start, _draw(jax.random.split(action_key, num_envs), num_actions)


def _seed_for_actions(world: Gridworld, key: Any, num_envs: int) -> Any:
    start, _ = _right(world, key, num_envs)
    return start, _draw(jax.random.split(jax.random.key(1), num_envs), _sizes(world)[1])


def _all_seeds(world: Gridworld, key: Any, num_envs: int) -> Any:
    return _right(world, jax.random.key(2), num_envs)


def _reversed_keys(world: Gridworld, key: Any, num_envs: int) -> Any:
    env_keys = jax.random.split(key, num_envs)
    num_starts, num_actions = _sizes(world)
    return world.starts[_draw(env_keys, num_starts)], _draw(env_keys[::-1], num_actions)


def _shifted_split(world: Gridworld, key: Any, num_envs: int) -> Any:
    num_starts, num_actions = _sizes(world)
    start_keys = jax.random.split(key, num_envs)
    action_keys = jax.random.split(key, num_envs + 1)[1:]
    return world.starts[_draw(start_keys, num_starts)], _draw(action_keys, num_actions)


def _another_function(world: Gridworld, key: Any, num_envs: int) -> Any:
    env_keys = jax.random.split(key, num_envs)
    num_starts, num_actions = _sizes(world)
    action = jax.vmap(lambda k: jax.random.categorical(k, jnp.zeros(num_actions)))(env_keys)
    return world.starts[_draw(env_keys, num_starts)], action


def _moved_on(world: Gridworld, key: Any, num_envs: int) -> Any:
    start, action = _index_looked_up(world, key, num_envs)
    return start, (action + 1) % _sizes(world)[1]


def _two_keys(key: Any, num_envs: int) -> tuple[Any, Any]:
    start_key, action_key = jax.random.split(key)
    return jax.random.split(start_key, num_envs), jax.random.split(action_key, num_envs)


def _without_last(world: Gridworld, key: Any, num_envs: int) -> Any:
    num_starts, num_actions = _sizes(world)
    start_keys, action_keys = _two_keys(key, num_envs)
    return world.starts[_draw(start_keys, num_starts - 1)], _draw(action_keys, num_actions)


def _one_too_many(world: Gridworld, key: Any, num_envs: int) -> Any:
    num_starts, num_actions = _sizes(world)
    start_keys, action_keys = _two_keys(key, num_envs)
    return world.starts[_draw(start_keys, num_starts + 1)], _draw(action_keys, num_actions)


def _two_actions(world: Gridworld, key: Any, num_envs: int) -> Any:
    start_keys, action_keys = _two_keys(key, num_envs)
    return world.starts[_draw(start_keys, _sizes(world)[0])], _draw(action_keys, 2)


def _child_of_the_start(world: Gridworld, key: Any, num_envs: int) -> Any:
    env_keys = jax.random.split(key, num_envs)
    action_keys = jax.vmap(lambda k: jax.random.split(k)[1])(env_keys)
    num_starts, num_actions = _sizes(world)
    return world.starts[_draw(env_keys, num_starts)], _draw(action_keys, num_actions)


def _one_action_key(world: Gridworld, key: Any, num_envs: int) -> Any:
    start_key, action_key = jax.random.split(key)
    num_starts, num_actions = _sizes(world)
    start = world.starts[_draw(jax.random.split(start_key, num_envs), num_starts)]
    return start, _draw(jnp.broadcast_to(action_key, (num_envs,)), num_actions)


def _nothing(world: Gridworld, key: Any, num_envs: int) -> Any:
    return jnp.full((num_envs,), world.starts[0]), jnp.zeros((num_envs,), jnp.int32)


MISCONCEPTIONS = (
    Misconception(
        "constant",
        "Nothing is drawn: every environment gets the same start and the same action.",
        _nothing,
        replay=lambda case, got: _nothing(*case.args),
    ),
    Misconception(
        "still broken",
        "The program does what it did before, in every environment. A bigger batch changes "
        "nothing either: its first keys are the same ones. Which key draws twice?",
        broken_first_draws,
        also=(_bigger_batch,),
        replay=_still_broken,
    ),
    Misconception(
        "another key, used twice",
        "The draws are others now, and start and action still come from one key each time. "
        "Another seed or one more split doesn't help: they need two keys.",
        _new_seed,
        also=(_one_split_more, _index_looked_up),
        replay=_tied,
    ),
    Misconception(
        "the index taken for the cell",
        "The keys are mended. There is one more fault, and you have met it in lesson 01: what "
        "is drawn is an index into world.starts. In the corridor the two are equal.",
        _index_still,
        replay=_index_as_cell,
    ),
    Misconception(
        "shifted keys",
        "Some actions are drawn with a key that drew a start, perhaps of another environment. "
        "Make the two sets of keys from two parents.",
        _reversed_keys,
        also=(_shifted_split,),
        property="start and action share a key",
    ),
    Misconception(
        "another function",
        "Start and action still come from one key, by two functions. That may show in no average; "
        "the rule is about keys: one key, one draw.",
        _another_function,
        property="one key, two functions",
    ),
    Misconception(
        "tied by a formula",
        "Start and action are no longer equal, and one can still be told from the other: they "
        "are made of the same draw. They need a key each.",
        _moved_on,
        property="start and action are tied",
    ),
    Misconception(
        "off by one in the range",
        "One start or one action never comes. randint draws from low to high - 1: the upper end "
        "isn't drawn, and counting begins at 0.",
        _without_last,
        property="a number is never drawn",
    ),
    Misconception(
        "a fixed range",
        "Several starts or several actions never come, so the range isn't that of this world. "
        "There are K = world.starts.shape[0] starts and A = world.next_position.shape[1] actions.",
        _two_actions,
        property="some numbers are never drawn",
    ),
    Misconception(
        "unequal chances",
        "Some come more often than others. A fraction that is rounded gives the two ends half a "
        "share; an index beyond the last is clamped to it and gives it a double one.",
        _one_too_many,
        property="unequal chances",
    ),
    Misconception(
        "the start's key split again",
        "The start is drawn with a key, and that key is split for the action. A key that draws "
        "is used up. Split first, into one for the start and one for the action.",
        _child_of_the_start,
        property="a parent draws",
    ),
    Misconception(
        "a seed for the actions",
        "The actions are the same in every experiment: they come from a seed of their own, or "
        "from no draw at all.",
        _seed_for_actions,
        property="action ignores the key",
    ),
    Misconception(
        "a seed for everything",
        "Starts and actions are the same whatever key is given.",
        _all_seeds,
        property="another key changes nothing",
    ),
    Misconception(
        "one action for all",
        "All environments draw their action with one key. Split the actions' key into B.",
        _one_action_key,
        property="environments share a key",
    ),
)
