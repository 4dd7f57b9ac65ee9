"""What the functions of `reinforce` take: parameters, trajectories, weights, settings."""

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.canonical import array, is_traced, keys, shown, size
from gridroll.validation.checked import checked
from gridroll.validation.gridworld import world
from gridroll.validation.policy import parameters, policy

DTYPES = {"observation": jnp.int32, "action": jnp.int32, "reward": jnp.float32}


def recorded(value: Any, *names: str) -> Any:
    """A trajectory of leaves (T, B), these of them and `active` as strongly typed arrays."""
    if not all(hasattr(value, name) for name in (*DTYPES, "active")):
        raise TypeError(f"trajectory is {shown(value)}; it must be a Trajectory")
    if np.ndim(value.active) != 2:
        raise ValueError(
            f"trajectory.active has shape {np.shape(value.active)}; it must have shape (T, B), "
            "time first"
        )
    active = array("trajectory.active", value.active, jnp.bool_)
    typed = {
        name: array(f"trajectory.{name}", getattr(value, name), DTYPES[name], active.shape)
        for name in names
    }
    return value._replace(active=active, **typed)


def active_in_range(name: str, trajectory: Any, count: int) -> None:
    """Refuse a number outside 0 to count - 1 in an active transition, where it can be seen."""
    value = getattr(trajectory, name)
    if is_traced(value) or is_traced(trajectory.active):
        return
    numbers = np.asarray(value)[np.asarray(trajectory.active)]
    outside = numbers[(numbers < 0) | (numbers >= count)]
    if outside.size:
        raise ValueError(
            f"trajectory.{name} is {outside[0]} in an active transition; "
            f"it must be one of 0 to {count - 1}"
        )


@cache
def table_shape(known_policy: Any, shape: tuple[int, ...]) -> tuple[int, int]:
    """(S, A), for parameters of this shape; a shape that the policy doesn't have is refused."""
    theta = jax.ShapeDtypeStruct(shape, jnp.float32)
    return jax.eval_shape(known_policy.probabilities, theta).shape


def number(name: str, value: Any, least: float) -> jax.Array:
    """One finite number, at least `least`; both are checked where it can be seen."""
    with np.errstate(over="ignore"):  # too large for float32 is infinite, and refused below
        given = array(name, value, jnp.float32, ())
    if not is_traced(given) and not least <= float(given) < np.inf:
        raise ValueError(
            f"{name} is {shown(value)}; it must be finite, in float32, and at least {least:g}"
        )
    return given


@checked
def bernoulli_score(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.bernoulli_score`."""
    theta = array("theta", given["theta"], jnp.float32, (None,))
    limits = (0, theta.shape[0] - 1)
    return {
        "theta": theta,
        "observation": array("observation", given["observation"], jnp.int32, (), limits),
        "action": array("action", given["action"], jnp.int32, (), (0, 1)),
    }


@checked
def weighted_actions(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.surrogate` and `reinforce.policy_gradient`."""
    theta = array("theta", given["theta"], jnp.float32)
    trajectory = recorded(given["trajectory"], "observation", "action")
    num_positions, num_actions = table_shape(policy(given["policy"]), theta.shape)
    active_in_range("observation", trajectory, num_positions)
    active_in_range("action", trajectory, num_actions)
    weights = array("weights", given["weights"], jnp.float32, trajectory.active.shape)
    return {"theta": theta, "trajectory": trajectory, "weights": weights}


@checked
def credit(**given: Any) -> dict[str, Any]:
    """The argument of the functions of `reinforce` that turn rewards into weights."""
    return {"trajectory": recorded(given["trajectory"], "reward")}


@checked
def baseline(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.baseline`."""
    checked_world = world(given["world"])
    theta = parameters(given["theta"], policy(given["policy"]), checked_world)
    trajectory = recorded(given["trajectory"], "observation")
    active_in_range("observation", trajectory, checked_world.next_position.shape[0])
    return {"world": checked_world, "theta": theta, "trajectory": trajectory}


@checked
def z_scores(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.z_scores`."""
    estimates = array("estimates", given["estimates"], jnp.float32)
    if estimates.ndim == 0 or estimates.shape[0] < 2:
        raise ValueError(
            f"estimates has shape {estimates.shape}; it must have shape (N, ...), N >= 2: "
            "of one estimate no spread can be seen"
        )
    exact = array("exact", given["exact"], jnp.float32, estimates.shape[1:])
    return {"estimates": estimates, "exact": exact}


@checked
def train(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.train`."""
    checked_world = world(given["world"])
    arguments = {
        "world": checked_world,
        "theta": parameters(given["theta"], policy(given["policy"]), checked_world),
        "key": keys("key", given["key"]),
        "learning_rate": number("learning_rate", given["learning_rate"], least=0.0),
    }
    progress = given["progress"]
    if progress is not None and not callable(progress):
        raise TypeError(
            f"progress is {shown(progress)}; it must be None or a function of the number of "
            "updates done"
        )
    if not callable(given["estimate"]):
        raise TypeError(
            f"estimate is {shown(given['estimate'])}; it must be a function such as policy_gradient"
        )
    if progress is not None and any(map(is_traced, jax.tree.leaves(arguments))):
        raise TypeError(
            "progress can't be shown while JAX traces train, since no update is done then; "
            "it must be None under jax.jit and jax.vmap"
        )
    sizes = {name: size(name, given[name]) for name in ("num_updates", "num_envs", "num_steps")}
    return arguments | sizes
