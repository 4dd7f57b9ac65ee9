"""What a collector does with its keys, made visible by policies whose action depends on the key."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import policy
from gridroll.classroom.calling import Stepwise
from gridroll.classroom.exercise import Fault
from gridroll.exercises._shared import floats
from gridroll.gridworld import Gridworld, corridor
from gridroll.policy import Policy

NUM_STARTS = 2048
NUM_ENVS, NUM_STEPS = 32, 3
MOST_STANDARD_ERRORS = 6.5  # a right answer is beyond it once in 10^10 draws

Rollout = Callable[..., Any]


def _fingerprint(theta: jax.Array, observation: jax.Array, key: jax.Array) -> jax.Array:
    """Mix the two words of a key into one non-negative int32."""
    words = jax.random.key_data(key).astype(jnp.uint32)
    mixed = words[0] * jnp.uint32(0x9E3779B1) ^ words[1] * jnp.uint32(0x85EBCA6B)
    mixed = (mixed ^ (mixed >> jnp.uint32(15))) * jnp.uint32(0xC2B2AE35)
    return (mixed >> jnp.uint32(1)).astype(jnp.int32)


def _draws_like_reset(theta: jax.Array, observation: jax.Array, key: jax.Array) -> jax.Array:
    return jax.random.randint(key, (), 0, NUM_STARTS)


def _no_log_prob(theta: jax.Array, observation: jax.Array, action: jax.Array) -> jax.Array:
    return jnp.zeros(jnp.shape(observation), jnp.float32)


def _probe(name: str, sample: Callable[..., jax.Array]) -> Policy:
    return Policy(
        name=name,
        sample=sample,
        log_prob=_no_log_prob,
        probabilities=policy.bernoulli.probabilities,
        parameter_shape=policy.bernoulli.parameter_shape,
    )


FINGERPRINT = _probe("fingerprint", _fingerprint)
LIKE_RESET = _probe("like_reset", _draws_like_reset)


def _many_starts() -> Gridworld:
    """A world whose start cell tells which number the reset drew."""
    cells = jnp.arange(NUM_STARTS + 1, dtype=jnp.int32)
    return Gridworld(
        next_position=jnp.stack([cells, cells], axis=1),
        goal=cells == NUM_STARTS,
        wall=jnp.zeros(NUM_STARTS + 1, bool),
        starts=cells[:-1],
        step_reward=jnp.float32(-0.01),
        goal_reward=jnp.float32(1),
        horizon=jnp.int32(50),
        columns=NUM_STARTS + 1,
    )


def _collect(run: Rollout, probe: Policy, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Start cells (B,) and actions (T, B) under a probe policy."""
    world, key = _many_starts(), jax.random.key(seed)
    theta = jnp.zeros(NUM_STARTS + 1)
    _, trajectory = run(world, probe, theta, key, num_envs=NUM_ENVS, num_steps=NUM_STEPS)
    return np.asarray(trajectory.observation)[0], np.asarray(trajectory.action)


def _fault(name: str, summary: str, where: str, got: str, expected: str, rule: str) -> Fault:
    return Fault(
        summary,
        call=f"rollout(world, policy, theta, key(11), num_envs={NUM_ENVS}, num_steps={NUM_STEPS}),"
        f" in a world of {NUM_STARTS} start cells, with a policy whose action tells its key",
        where=where,
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )


def keys_are_distinct(rollout: Rollout) -> Fault | None:
    """Each of the T·B actions and each of the B resets has a key of its own, from the key given."""
    run = Stepwise(rollout)
    start, action = _collect(run, FINGERPRINT, 11)
    distinct = len(np.unique(action))
    wanted = f"{NUM_STEPS * NUM_ENVS} distinct keys"
    if (action == action[:, :1]).all():
        return _fault(
            "environments share a key", "All environments of a step draw with one key.",
            "trajectory.action[t=0, b=1]", "the key of environment 0", "a key of its own",
            "Every action has a key of its own.",
        )  # fmt: skip
    if (action == action[:1]).all():
        return _fault(
            "steps share a key", "Every step draws with the same keys.",
            "trajectory.action[t=1, b=0]", "the key of step 0", "a key of its own",
            "Every action has a key of its own.",
        )  # fmt: skip
    if distinct < action.size:
        return _shared_key(action, distinct, wanted)
    if len(np.unique(start)) < NUM_ENVS - 7:
        return _fault(
            "resets share a key", "Environments are reset with the same key.",
            "trajectory.observation[t=0]", f"{len(np.unique(start))} distinct starts",
            f"about {NUM_ENVS}, one for each environment", "Every reset has a key of its own.",
        )  # fmt: skip
    again = _collect(run, FINGERPRINT, 11)
    if not all((a == b).all() for a, b in zip((start, action), again, strict=True)):
        return _fault(
            "not a function of its key", "Two calls with the same key differ.", "the whole rollout",
            "another rollout", "the same rollout", "A rollout depends on its arguments only.",
        )  # fmt: skip
    other = _collect(run, FINGERPRINT, 12)
    if (action == other[1]).any() or (start == other[0]).all():
        place = "trajectory.action" if (action == other[1]).any() else "trajectory.observation[t=0]"
        return _fault(
            "another key changes nothing", "key(11) and key(12) give the same draws.", place,
            "the same draws", "other draws", "Every draw comes from the key that is passed in.",
        )  # fmt: skip
    return None


def _shared_key(action: np.ndarray, distinct: int, wanted: str) -> Fault:
    """Name the first action that draws with a key that was used before."""
    seen: dict[int, tuple[int, int]] = {}
    for (t, b), value in np.ndenumerate(action):
        if int(value) in seen:
            earlier = seen[int(value)]
            break
        seen[int(value)] = (t, b)
    few = ", as if policy.sample weren't called" if distinct <= 4 else ""
    return _fault(
        "some draws share a key", "Some actions draw with the same key.",
        f"trajectory.action[t={t}, b={b}]",
        f"the key of [t={earlier[0]}, b={earlier[1]}]; {distinct} distinct keys in all{few}",
        f"a key of its own; {wanted}", "Every action has a key of its own.",
    )  # fmt: skip


def resets_share_no_key(rollout: Rollout) -> Fault | None:
    """No reset uses the key of an action: this policy draws its action exactly as reset does."""
    start, action = _collect(Stepwise(rollout), LIKE_RESET, 11)
    for t, row in enumerate(action):
        matches = int((row == start).sum())
        if matches >= 5:
            return _fault(
                "reset and action share a key", "Resets and actions draw with the same keys.",
                f"trajectory.action[t={t}]", f"{matches} of {NUM_ENVS} equal to the start cell",
                "hardly any", "Resets and actions have keys of their own.",
            )  # fmt: skip
    return None


def draws_follow_the_policy(rollout: Rollout) -> Fault | None:
    """Starts are uniform and actions follow theta, in 4000 environments with one fixed key."""
    num_envs, num_steps = 4000, 4
    world, theta = corridor(length=5, horizon=4), floats([-1, 0.5, 2, -0.3, 0])
    _, trajectory = Stepwise(rollout)(
        world, policy.bernoulli, theta, jax.random.key(11), num_envs=num_envs, num_steps=num_steps
    )
    observation, action, active = (
        np.asarray(x) for x in (trajectory.observation, trajectory.action, trajectory.active)
    )
    call = (
        f"rollout(corridor(5, horizon=4), policy.bernoulli, {theta.tolist()}, key(11), "
        f"num_envs={num_envs}, num_steps={num_steps})"
    )
    right = np.asarray(policy.bernoulli.probabilities(theta))[:, 1]
    counts = [("starts on cell 0", observation[0] == 0, 0.5, "Starts are equally likely.")]
    for cell in range(4):
        here = action[active & (observation == cell)] == 1
        rule = "Actions follow sigmoid(theta[observation]), for the theta that is passed in."
        counts.append((f"moves right from cell {cell}", here, float(right[cell]), rule))
    for what, hits, chance, rule in counts:
        error = np.sqrt(len(hits) * chance * (1 - chance))
        if abs(hits.sum() - len(hits) * chance) > MOST_STANDARD_ERRORS * error:
            return Fault(
                f"The number of {what} can't be chance.",
                call=call,
                where=what,
                got=f"{int(hits.sum())} of {len(hits)}",
                expected=f"about {len(hits) * chance:.0f} ± {2 * error:.0f}",
                rule=rule,
            )
    return None
