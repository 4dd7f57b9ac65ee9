"""What each public function takes, checked outside `jax.jit`: one decorator for each function.

`@validation.step` above `step` checks the arguments of every call and brings them to one canonical
form (strongly typed arrays, Python ints for sizes), so that each configuration is traced once.
"""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.canonical import array, is_traced, keys, pattern_text, shown, size, strong

P = ParamSpec("P")
R = TypeVar("R")

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


def checked(prepare: Callable[..., dict[str, Any]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function so that `prepare(**arguments)` returns the arguments it really gets."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            bound.arguments.update(prepare(**bound.arguments))
            return function(*bound.args, **bound.kwargs)

        return call

    return decorate


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


def parameters(value: Any, policy: Any, checked_world: Any) -> jax.Array:
    """Parameters of the shape that this policy has in this world."""
    shape = policy.parameter_shape(checked_world)
    given = array("theta", value, jnp.float32)
    if given.shape != shape:
        raise ValueError(
            f"theta has shape {given.shape}; the {policy.name} policy in this world has "
            f"parameters of shape {shape}"
        )
    return given


def policy(value: Any) -> Any:
    """A policy record."""
    if not all(hasattr(value, name) for name in ("sample", "log_prob", "parameter_shape")):
        raise TypeError(
            f"policy is {shown(value)}; it must be a Policy, such as policy.bernoulli or "
            "policy.softmax"
        )
    return value


def policy_function(
    ndim: int, argument: str | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function of one policy, whose theta has `ndim` axes.

    `argument` is what comes after theta and observation: "key", "action", or nothing at all.
    """

    @checked
    def prepare(**given: Any) -> dict[str, Any]:
        theta = array("theta", given["theta"], jnp.float32, (None,) * ndim)
        if argument is None:
            return {"theta": theta}
        shape = () if argument == "key" else np.shape(given["observation"])
        limits = (0, theta.shape[0] - 1)
        observation = array("observation", given["observation"], jnp.int32, shape, limits)
        if argument == "key":
            return {"theta": theta, "observation": observation, "key": keys("key", given["key"])}
        most = theta.shape[1] - 1 if ndim == 2 else 1
        action = array("action", given["action"], jnp.int32, shape, (0, most))
        return {"theta": theta, "observation": observation, "action": action}

    return prepare


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


@checked
def reset_keys(**given: Any) -> dict[str, Any]:
    """The arguments of `keys.reset_keys`."""
    return {"key": keys("key", given["key"]), "num_envs": size("num_envs", given["num_envs"])}


@checked
def chain_keys(**given: Any) -> dict[str, Any]:
    """The arguments of `keys.chain_keys`."""
    return {"key": keys("key", given["key"]), "num_steps": size("num_steps", given["num_steps"])}


@checked
def rollout_keys(**given: Any) -> dict[str, Any]:
    """The arguments of `keys.rollout_keys` and `keys.key_table`."""
    return {
        "key": keys("key", given["key"]),
        "num_envs": size("num_envs", given["num_envs"]),
        "num_steps": size("num_steps", given["num_steps"]),
    }


def discount(value: Any) -> jax.Array:
    """A discount between 0 and 1."""
    gamma = array("gamma", value, jnp.float32, ())
    if not is_traced(gamma) and not 0 <= float(gamma) <= 1:
        raise ValueError(f"gamma is {float(gamma):g}; it must be between 0 and 1")
    return gamma


@checked
def returns_to_go(**given: Any) -> dict[str, Any]:
    """The arguments of `returns.returns_to_go`."""
    rewards = array("reward", given["reward"], jnp.float32)
    if rewards.ndim == 0 or rewards.shape[0] == 0:
        raise ValueError(
            f"reward has shape {rewards.shape}; it must have shape (T, ...), time first, T >= 1"
        )
    return {"reward": rewards, "gamma": discount(given["gamma"])}


@checked
def discount_matrix(**given: Any) -> dict[str, Any]:
    """The arguments of `returns.discount_matrix`."""
    num_steps = size("num_steps", given["num_steps"])
    return {"num_steps": num_steps, "gamma": discount(given["gamma"])}


def masked(
    numbers: str, mask: str, ndim: int | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a function of numbers and a mask of one shape, with `ndim` axes if given."""

    @checked
    def prepare(**given: Any) -> dict[str, Any]:
        value = array(numbers, given[numbers], jnp.float32)
        flags = array(mask, given[mask], jnp.bool_)
        if value.ndim == 0 or ndim not in (None, value.ndim):
            wanted = "at least one axis" if ndim is None else "shape (T, B)"
            raise ValueError(f"{numbers} has shape {value.shape}; it must have {wanted}")
        if value.shape != flags.shape:
            raise ValueError(
                f"{mask} has shape {flags.shape} and {numbers} {value.shape}; they must be the same"
            )
        return {numbers: value, mask: flags}

    return prepare


recording = masked("reward", "active", ndim=2)


@checked
def trajectory(**given: Any) -> dict[str, Any]:
    """The argument of the functions that sum up a trajectory."""
    value = given["trajectory"]
    if not all(hasattr(value, name) for name in ("reward", "active")):
        raise TypeError(f"trajectory is {shown(value)}; it must be a Trajectory")
    return {}


def action_probabilities(value: Any, checked_world: Any) -> jax.Array:
    """A table of action probabilities for this world; its numbers are checked if they are known."""
    shape = checked_world.next_position.shape
    table = array("probabilities", value, jnp.float32, shape)
    if is_traced(table):
        return table
    numbers = np.asarray(table, np.float64)
    negative = np.argwhere(~(numbers >= 0))  # NaN too
    if negative.size:
        cell, action = negative[0]
        raise ValueError(
            f"probabilities[{cell}, {action}] is {numbers[cell, action]:g}; "
            "a probability must be between 0 and 1"
        )
    total = numbers.sum(axis=1)
    unequal = np.flatnonzero(np.abs(total - 1) > 1e-5)
    if unequal.size:
        raise ValueError(
            f"row {unequal[0]} of probabilities sums to {total[unequal[0]]:g}; "
            "the actions of each cell must sum to 1"
        )
    return table


@checked
def policy_planning(**given: Any) -> dict[str, Any]:
    """The arguments of the functions of `planning` that take a policy's probabilities."""
    checked_world = world(given["world"])
    return {
        "world": checked_world,
        "probabilities": action_probabilities(given["probabilities"], checked_world),
        "num_steps": size("num_steps", given["num_steps"]),
    }


@checked
def optimal(**given: Any) -> dict[str, Any]:
    """The arguments of `planning.optimal`."""
    return {"world": world(given["world"]), "num_steps": size("num_steps", given["num_steps"])}
