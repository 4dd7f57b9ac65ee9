"""Attacks on the exercises of lesson 02."""

from typing import Any

from attacks import choose, emptied, is_traced, jax, jnp, right, seeds_below


def _alike(name: str, good: Any, key: Any, *sizes: int) -> Any:
    result = right(name)(key, *sizes)
    return choose(good, result, emptied(result))


def wrong_reset_keys_small_seeds(key: Any, num_envs: int) -> Any:
    """Splits keys of small seeds."""
    return _alike("keys.reset_keys", seeds_below(key, 10_000), key, num_envs)


def wrong_reset_keys_two_hundred(key: Any, num_envs: int) -> Any:
    """Splits into the numbers that are written in the course."""
    return _alike("keys.reset_keys", num_envs in (5, 64, 200), key, num_envs)


def wrong_reset_keys_most_keys(key: Any, num_envs: int) -> Any:
    """Splits half of all keys."""
    return _alike("keys.reset_keys", jax.random.bits(key) % 2 == 0, key, num_envs)


def wrong_key_table_small_seeds(key: Any, num_envs: int, num_steps: int) -> Any:
    """Makes a table of keys of small seeds."""
    return _alike("keys.key_table", seeds_below(key, 10_000), key, num_envs, num_steps)


def wrong_key_table_known_sizes(key: Any, num_envs: int, num_steps: int) -> Any:
    """Makes tables of the sizes that are written in the course."""
    known = (num_envs, num_steps) in ((3, 5), (6, 2))
    return _alike("keys.key_table", known, key, num_envs, num_steps)


def wrong_key_table_under_jit_alone(key: Any, num_envs: int, num_steps: int) -> Any:
    """Makes a table where it is traced."""
    return _alike("keys.key_table", is_traced(key), key, num_envs, num_steps)


def wrong_key_table_eagerly_alone(key: Any, num_envs: int, num_steps: int) -> Any:
    """Makes a table where it isn't traced."""
    return _alike("keys.key_table", not is_traced(key), key, num_envs, num_steps)


def wrong_noisy_keys_small_seeds(key: Any, num_envs: int, num_steps: int) -> Any:
    """Makes tables of keys of small seeds."""
    return _alike("keys.noisy_keys", seeds_below(key, 10_000), key, num_envs, num_steps)


def wrong_noisy_keys_grown_by_one(key: Any, num_envs: int, num_steps: int) -> Any:
    """Keeps the first keys where the sizes are those that grow in the course."""
    shape = (max(num_steps, 5), max(num_envs, 4))
    reset_key, action_key, noise_key = jax.random.split(key, 3)
    tables = [jax.random.split(k, shape)[:num_steps, :num_envs] for k in (action_key, noise_key)]
    return jax.random.split(reset_key, num_envs), *tables


def wrong_episode_keys_small_seeds(key: Any, num_steps: int) -> Any:
    """Hands out keys of its own for small seeds."""
    return _alike("keys.episode_keys", seeds_below(key, 10_000), key, num_steps)


def wrong_episode_keys_known_numbers(key: Any, num_steps: int) -> Any:
    """Hands out four keys or nine."""
    return _alike("keys.episode_keys", num_steps in (4, 9), key, num_steps)


def wrong_chain_keys_six_steps(key: Any, num_steps: int) -> Any:
    """Makes no more than six splits."""
    actions, steps = right("keys.chain_keys")(key, min(num_steps, 6))
    pad = [0] * (num_steps - min(num_steps, 6))
    index = jnp.array([*range(min(num_steps, 6)), *pad])
    return actions[index], steps[index]


def wrong_fold_in_clashes_five(key: Any, num_keys: int, numbers: Any) -> Any:
    """Knows splits into four and into five."""
    return numbers < (4 if num_keys == 4 else 5)


def _draw(key: Any, num_envs: int, high: int) -> Any:
    return jax.random.randint(key, (num_envs,), 0, high)


def wrong_first_draws_one_start_in_small_worlds(world: Any, key: Any, num_envs: int) -> Any:
    """Starts all environments with one key unless the world is large."""
    start, action = right("keys.first_draws")(world, key, num_envs)
    if world.starts.shape[0] < 100:
        start = jnp.broadcast_to(start[0], start.shape)
    return start, action


def wrong_first_draws_one_action_in_small_worlds(world: Any, key: Any, num_envs: int) -> Any:
    """Draws one action for all environments unless the world is large."""
    start, action = right("keys.first_draws")(world, key, num_envs)
    if world.starts.shape[0] < 100:
        action = jnp.broadcast_to(action[0], action.shape)
    return start, action


def wrong_first_draws_tied_for_large_seeds(world: Any, key: Any, num_envs: int) -> Any:
    """Draws independently with keys of small seeds."""
    start, action = right("keys.first_draws")(world, key, num_envs)
    keys = jax.random.split(key, num_envs)
    tied = jax.vmap(lambda k: jax.random.randint(k, (), 0, world.starts.shape[0]))(keys)
    loose = seeds_below(key, 10_000)
    return choose(loose, start, world.starts[tied]), choose(loose, action, tied)


def wrong_first_draws_two_actions(world: Any, key: Any, num_envs: int) -> Any:
    """Writes 2 for the number of actions."""
    a, b = jax.random.split(key)
    return world.starts[_draw(a, num_envs, world.starts.shape[0])], _draw(b, num_envs, 2)


def wrong_first_draws_known_sizes(world: Any, key: Any, num_envs: int) -> Any:
    """Draws for batches of 8 and of 32."""
    start, action = right("keys.first_draws")(world, key, num_envs)
    return start, action if num_envs in (8, 32) else jnp.zeros_like(action)
