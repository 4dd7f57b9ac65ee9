"""Who owns which random stream: a key for every draw, and the frozen key protocol of a rollout."""

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import validation


@validation.any_keys
def num_distinct(keys: jax.Array) -> int:
    """Count the different keys in an array. It looks at values, so it can't run under jit.

    Args:
        keys: typed keys of any shape.

    Returns:
        How many of them differ: at most `keys.size`.

    Raises:
        TypeError: no typed keys.
    """
    words = np.asarray(jax.random.key_data(keys))
    return len(np.unique(words.reshape(-1, words.shape[-1]), axis=0))


@validation.two_key_arrays
def num_shared(first: jax.Array, second: jax.Array) -> int:
    """Count the different keys that stand in both arrays. Not under jit either.

    Args:
        first: typed keys of any shape.
        second: typed keys of any shape.

    Returns:
        How many keys they share, wherever they stand and however often.

    Raises:
        TypeError: no typed keys.
    """
    together = jnp.concatenate([first.ravel(), second.ravel()])
    return num_distinct(first) + num_distinct(second) - num_distinct(together)


@validation.fold_in_clashes
def fold_in_clashes(key: jax.Array, num_keys: int, numbers: jax.Array) -> jax.Array:
    """Say which numbers lead fold_in to a key that a split of the same parent gives too.

    Args:
        key: () typed key, the parent of both.
        num_keys: how many keys the split makes.
        numbers: (N,) int32, folded in one by one; none is negative.

    Returns:
        (N,) bool: True where fold_in(key, number) is one of split(key, num_keys).

    Raises:
        TypeError, ValueError: a key, a size or numbers of another kind.
    """
    folded = jax.vmap(jax.random.fold_in, in_axes=(None, 0))(key, numbers)
    taken = jax.random.split(key, num_keys)
    return (folded[:, None] == taken[None, :]).any(axis=1)


@validation.reset_keys
def reset_keys(key: jax.Array, num_envs: int) -> jax.Array:
    """Give the reset of each of B environments a key of its own.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.

    Returns:
        (B,) typed keys.

    Raises:
        TypeError, ValueError: a key or a size of another kind.
    """
    return jax.random.split(key, num_envs)


@validation.rollout_keys
def key_table(key: jax.Array, num_envs: int, num_steps: int) -> jax.Array:
    """Give every draw of a table of T rows and B columns a key of its own.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1.

    Returns:
        (T, B) typed keys.

    Raises:
        TypeError, ValueError: a key or a size of another kind.
    """
    step_keys = jax.random.split(key, num_steps)
    return jax.vmap(lambda step_key: jax.random.split(step_key, num_envs))(step_keys)


@validation.chain_keys
def chain_keys(key: jax.Array, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """Hand a key on from step to step, and give each step two keys of its own.

    Each step makes one split: `key, action_key, step_key = jax.random.split(key, 3)`.

    Args:
        key: () typed key; it is used up here.
        num_steps: T, at least 1.

    Returns:
        The keys of the T actions and of the T steps, both (T,).

    Raises:
        TypeError, ValueError: a key or a size of another kind.
    """
    action_keys, step_keys = [], []
    for _ in range(num_steps):
        key, action_key, step_key = jax.random.split(key, 3)
        action_keys.append(action_key)
        step_keys.append(step_key)
    return jnp.stack(action_keys), jnp.stack(step_keys)


@validation.rollout_keys
def rollout_keys(key: jax.Array, num_envs: int, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """Give every reset and every action of a rollout a key of its own.

    The key is split where ownership changes: resets against actions, then step against step, then
    environment against environment. So the first environments and the first steps get the same
    keys whatever `num_envs` and `num_steps` are. Every recorded output depends on this protocol.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1.

    Returns:
        Keys for the resets, (B,), and for the actions, (T, B).

    Raises:
        TypeError, ValueError: a key or a size of another kind.
    """
    reset_key, action_key = jax.random.split(key)
    reset_keys = jax.random.split(reset_key, num_envs)
    step_keys = jax.random.split(action_key, num_steps)
    action_keys = jax.vmap(lambda step_key: jax.random.split(step_key, num_envs))(step_keys)
    return reset_keys, action_keys
