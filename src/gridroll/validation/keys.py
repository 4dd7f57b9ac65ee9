"""What the functions of `keys` take: keys, and how many of them are wanted."""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from gridroll.canonical import array, keys, size
from gridroll.validation.checked import P, R, checked
from gridroll.validation.gridworld import COUNTS


def keys_of_any_shape(name: str, value: Any) -> Any:
    """Typed keys, however many axes they have."""
    return keys(name, value, (None,) * getattr(value, "ndim", 1))


@checked
def any_keys(**given: Any) -> dict[str, Any]:
    """The argument of `keys.num_distinct`."""
    return {"keys": keys_of_any_shape("keys", given["keys"])}


@checked
def two_key_arrays(**given: Any) -> dict[str, Any]:
    """The arguments of `keys.num_shared`."""
    return {name: keys_of_any_shape(name, given[name]) for name in ("first", "second")}


@checked
def fold_in_clashes(**given: Any) -> dict[str, Any]:
    """The arguments of `keys.fold_in_clashes`."""
    return {
        "key": keys("key", given["key"]),
        "num_keys": size("num_keys", given["num_keys"]),
        "numbers": array("numbers", given["numbers"], jnp.int32, (None,), COUNTS),
    }


def key_and_sizes(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function of one key and of sizes with these names."""

    @checked
    def prepare(**given: Any) -> dict[str, Any]:
        sizes = {name: size(name, given[name]) for name in names}
        return {"key": keys("key", given["key"]), **sizes}

    return prepare


reset_keys = key_and_sizes("num_envs")
chain_keys = key_and_sizes("num_steps")
rollout_keys = key_and_sizes("num_envs", "num_steps")
