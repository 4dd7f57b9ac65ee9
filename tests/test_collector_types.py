"""Lesson 03: types, traces, transformations and devices of a rollout."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import equal, signature

from gridroll import collector, gridworld
from gridroll.collector import Trajectory
from gridroll.policy import bernoulli, softmax

# Tests give numbers of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map
State: Any = gridworld.State
rollout: Any = collector.rollout
unroll: Any = collector.unroll
WORLD, KEY, ZERO = corridor(), jax.random.key(3), jnp.zeros(4)


def wanted_signature(num_steps: int, num_envs: int) -> list[tuple[str, tuple[int, int], str, bool]]:
    dtypes = {
        "observation": "int32",
        "action": "int32",
        "reward": "float32",
        "active": "bool",
        "terminated": "bool",
        "truncated": "bool",
        "log_prob": "float32",
    }
    return [(f".{name}", (num_steps, num_envs), dtype, False) for name, dtype in dtypes.items()]


STATE = [("position", "int32"), ("elapsed", "int32"), ("done", "bool")]


def state_signature(num_envs: int) -> list[tuple[str, tuple[int], str, bool]]:
    return [(f".{name}", (num_envs,), dtype, False) for name, dtype in STATE]


@pytest.mark.parametrize(("num_envs", "num_steps"), [(1, 1), (2, 4), (6, 3)])
def test_a_trajectory_is_time_major_with_strong_types(num_envs: int, num_steps: int) -> None:
    final, rows = rollout(
        corridor(), bernoulli, jnp.zeros(4), KEY, num_envs=num_envs, num_steps=num_steps
    )
    assert signature(rows) == wanted_signature(num_steps, num_envs)
    assert signature(final) == state_signature(num_envs)


@pytest.mark.parametrize(
    "start",
    [
        State(np.array([0, 1]), np.array([0, 0]), np.array([False, False])),
        State(np.array([0, 1], np.int8), jnp.zeros(2, int), np.array([False, False])),
        State(jnp.uint8([0, 1]), np.zeros(2, np.int16), jnp.zeros(2, bool)),
    ],
    ids=["int64", "mixed", "unsigned"],
)
def test_unroll_takes_states_of_any_integer_type(start: Any) -> None:
    keys = jax.random.split(KEY, (4, 2))
    strong = State(jnp.int32([0, 1]), jnp.zeros(2, jnp.int32), jnp.zeros(2, bool))
    got = unroll(corridor(), bernoulli, jnp.zeros(4), start, keys)
    assert equal(got, unroll(corridor(), bernoulli, jnp.zeros(4), strong, keys))
    assert signature(got[0]) == state_signature(2)


@pytest.mark.parametrize("dtype", [jnp.int8, jnp.uint32])
def test_actions_of_any_integer_type_are_recorded_as_int32(dtype: Any) -> None:
    narrow = dataclasses.replace(
        bernoulli,
        name="narrow",
        sample=lambda theta, observation, key: bernoulli.sample(theta, observation, key).astype(
            dtype
        ),
    )
    got = rollout(WORLD, narrow, ZERO, KEY, num_envs=2, num_steps=4)
    assert signature(got[1]) == wanted_signature(4, 2)
    assert equal(got, rollout(WORLD, bernoulli, ZERO, KEY, num_envs=2, num_steps=4))


def test_the_record_has_the_seven_fields_in_order() -> None:
    names = [name for name, *_ in wanted_signature(1, 1)]
    arrays = [jnp.zeros((1, 1), dtype) for _, _, dtype, _ in wanted_signature(1, 1)]
    rows = Trajectory(*arrays)
    assert [path for path, *_ in signature(rows)] == names
    with pytest.raises(AttributeError):
        rows.reward = jnp.zeros((1, 1))  # type: ignore[misc]


def test_one_trace_for_python_numpy_and_jax_scalars(counted: Any, traces: Any) -> None:
    tracing = counted(bernoulli.sample)
    policy = dataclasses.replace(bernoulli, name="counted", sample=tracing)

    def run(world: Any = WORLD, theta: Any = ZERO, key: Any = KEY, **sizes: Any) -> Any:
        return rollout(world, policy, theta, key, **({"num_envs": 3, "num_steps": 5} | sizes))

    wanted = run()
    first = tracing.count
    assert first > 0
    for size in (int, np.int32, np.int64, np.uint8, jnp.int32, jnp.int16, jnp.asarray):
        got: Any = None

        def call(size: Any = size) -> Any:
            nonlocal got
            got = run(corridor(horizon=size(8)), num_envs=size(3), num_steps=size(5))
            return got

        assert traces.of(call) == [], f"{size.__name__} sizes make a second trace"
        assert equal(got, wanted)
    # Values of theta, world and key are no part of the configuration.
    for theta in (np.ones(4), np.ones(4, int), jnp.ones(4, int), jnp.asarray([1.0, 2.0, 3.0, 4.0])):
        run(theta=theta)
    run(theta=jax.lax.full((4,), 1.0))
    run(corridor(horizon=np.int16(4), step_reward=-1, goal_reward=np.float64(2)))
    run(key=jax.random.key(77))
    assert tracing.count == first
    # Another size is another configuration, once.
    run(num_envs=4)
    second = tracing.count
    assert second > first
    run(num_envs=4)
    run()
    assert tracing.count == second


def test_one_trace_of_unroll_for_all_kinds_of_values(counted: Any) -> None:
    tracing = counted(bernoulli.sample)
    policy = dataclasses.replace(bernoulli, name="counted in unroll", sample=tracing)
    keys = jax.random.split(KEY, (4, 2))
    start = State(np.array([0, 1]), np.array([0, 0]), np.array([False, False]))
    strong = State(jnp.int32([1, 2]), jnp.zeros(2, jnp.int32), jnp.zeros(2, bool))
    unroll(WORLD, policy, ZERO, start, keys)
    first = tracing.count
    unroll(WORLD, policy, np.ones(4), strong, jax.random.split(jax.random.key(9), (4, 2)))
    unroll(corridor(horizon=np.int64(3), step_reward=-1), policy, ZERO, strong, keys)
    assert tracing.count == first > 0


def test_jit_around_a_rollout_changes_nothing() -> None:
    jitted = jax.jit(rollout, static_argnames=("policy", "num_envs", "num_steps"))
    sizes = {"num_envs": 3, "num_steps": 5}
    theta = jnp.float32([0.5, -1.0, 0.25, 0.0])
    inside = jitted(corridor(), bernoulli, theta, KEY, **sizes)
    outside = rollout(corridor(), bernoulli, theta, KEY, **sizes)
    for got, wanted in zip(jax.tree.leaves(inside), jax.tree.leaves(outside), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-6)
    assert signature(inside) == signature(outside)


def test_vmap_over_keys_and_parameters_is_one_rollout_each() -> None:
    keys, thetas = jax.random.split(KEY, 3), jnp.float32([[0.0] * 4, [1.0] * 4, [-2.0] * 4])

    def one(theta: jax.Array, key: jax.Array) -> Any:
        return rollout(corridor(), bernoulli, theta, key, num_envs=2, num_steps=4)

    mapped = jax.vmap(one)(thetas, keys)
    for i in range(3):
        alone = one(thetas[i], keys[i])
        for got, wanted in zip(jax.tree.leaves(mapped), jax.tree.leaves(alone), strict=True):
            np.testing.assert_allclose(got[i], wanted, rtol=1e-6)


def test_vmap_over_stacked_worlds_is_one_rollout_each() -> None:
    worlds = [
        from_map("S.#\nS.G", horizon=3),
        from_map("GS.\n.#S", horizon=6, step_reward=-1, goal_reward=4),
    ]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *worlds)

    def one(world: Any) -> Any:
        return rollout(world, softmax, jnp.zeros((6, 4)), KEY, num_envs=6, num_steps=5)

    mapped = jax.vmap(one)(stacked)
    for i, world in enumerate(worlds):
        row = jax.tree.map(lambda leaf, i=i: leaf[i], mapped)
        assert equal(row, one(world))


def test_a_rollout_on_the_second_device_stays_there() -> None:
    here = rollout(corridor(), bernoulli, jnp.zeros(4), KEY, num_envs=3, num_steps=5)
    device = jax.devices()[1]
    world, theta, key = jax.device_put((corridor(), jnp.zeros(4), KEY), device)
    there = rollout(world, bernoulli, theta, key, num_envs=3, num_steps=5)
    assert equal(here, there)
    assert {leaf.device for leaf in jax.tree.leaves(there)} == {device}
