"""Who owns which random stream: the frozen key protocol of a rollout."""

import jax

from gridroll import validation


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
