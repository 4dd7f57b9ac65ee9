"""What `collector.rollout` and `collector.unroll` take."""

from typing import Any

from gridroll.canonical import keys, size
from gridroll.validation.checked import checked
from gridroll.validation.gridworld import state, world
from gridroll.validation.policy import parameters, policy


@checked
def rollout(**given: Any) -> dict[str, Any]:
    """The arguments of `collector.rollout`."""
    checked_world = world(given["world"])
    return {
        "world": checked_world,
        "policy": policy(given["policy"]),
        "theta": parameters(given["theta"], given["policy"], checked_world),
        "key": keys("key", given["key"]),
        "num_envs": size("num_envs", given["num_envs"]),
        "num_steps": size("num_steps", given["num_steps"]),
    }


@checked
def unroll(**given: Any) -> dict[str, Any]:
    """The arguments of `collector.unroll`."""
    checked_world = world(given["world"])
    checked_state = state(given["state"], checked_world.next_position.shape[0], (None,))
    return {
        "world": checked_world,
        "policy": policy(given["policy"]),
        "theta": parameters(given["theta"], given["policy"], checked_world),
        "state": checked_state,
        "keys": keys("keys", given["keys"], (None, checked_state.position.shape[0])),
    }
