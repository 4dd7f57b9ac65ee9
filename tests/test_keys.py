"""Lesson 02: the frozen key protocol of a rollout."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import protocol_keys
from refusals import BAD_KEYS, BAD_SIZES, SIZE_IDS, BadKey, refuses

from gridroll import keys

# Tests give numbers of every kind, so this is not held to its signature here.
rollout_keys: Any = keys.rollout_keys

sizes, MORE = st.sampled_from([1, 3]), 5


def data(of: Any) -> np.ndarray:
    """Return the two words of every key: equal words are the same key."""
    return np.asarray(jax.random.key_data(of))


def words(of: list[jax.Array]) -> list[list[int]]:
    return [data(key).tolist() for key in of]


@pytest.mark.parametrize(("num_envs", "num_steps"), [(1, 1), (2, 3), (5, 2), (4, 4)])
def test_the_keys_are_those_of_the_protocol(num_envs: int, num_steps: int) -> None:
    key = jax.random.key(5)
    reset_keys, step_keys = rollout_keys(key, num_envs, num_steps)
    assert (reset_keys.shape, step_keys.shape) == ((num_envs,), (num_steps, num_envs))
    slow_reset, slow_steps = protocol_keys(key, num_envs, num_steps)
    assert data(reset_keys).tolist() == words(slow_reset)
    assert [data(row).tolist() for row in step_keys] == [words(row) for row in slow_steps]


def test_the_keys_are_typed() -> None:
    for some in rollout_keys(jax.random.key(0), 2, 3):
        assert jnp.issubdtype(some.dtype, jax.dtypes.prng_key)


def test_no_key_is_used_twice_and_none_is_a_parent() -> None:
    key = jax.random.key(3)
    reset_keys, step_keys = rollout_keys(key, 5, 3)
    every = [*data(reset_keys).tolist(), *data(step_keys).reshape(-1, 2).tolist()]
    every += [data(key).tolist(), *data(jax.random.split(key)).tolist()]
    assert len({tuple(pair) for pair in every}) == 5 + 5 * 3 + 3


@given(num_envs=sizes, num_steps=sizes, seed=st.integers(0, 2**31 - 1))
def test_more_environments_leave_the_first_ones_alone(
    num_envs: int, num_steps: int, seed: int
) -> None:
    few, many = (rollout_keys(jax.random.key(seed), b, num_steps) for b in (num_envs, MORE))
    assert np.array_equal(data(few[0]), data(many[0])[:num_envs])
    assert np.array_equal(data(few[1]), data(many[1])[:, :num_envs])


@given(num_envs=sizes, num_steps=sizes, seed=st.integers(0, 2**31 - 1))
def test_more_steps_leave_the_first_ones_alone(num_envs: int, num_steps: int, seed: int) -> None:
    few, many = (rollout_keys(jax.random.key(seed), num_envs, t) for t in (num_steps, MORE))
    assert np.array_equal(data(few[0]), data(many[0]))
    assert np.array_equal(data(few[1]), data(many[1])[:num_steps])


def test_another_key_gives_other_keys_everywhere() -> None:
    first, second = (rollout_keys(jax.random.key(seed), 3, 4) for seed in (0, 1))
    assert not (data(first[0]) == data(second[0])).all(axis=-1).any()
    assert not (data(first[1]) == data(second[1])).all(axis=-1).any()


def test_the_key_reuse_checker_finds_nothing() -> None:
    with jax.debug_key_reuse(True):
        reset_keys, step_keys = jax.jit(rollout_keys, static_argnums=(1, 2))(
            jax.random.key(0), 2, 3
        )
        jax.vmap(jax.random.bits)(reset_keys)
        jax.vmap(jax.vmap(jax.random.bits))(step_keys)


def test_jit_with_static_sizes_gives_the_same_keys() -> None:
    eager = rollout_keys(jax.random.key(9), 3, 2)
    jitted = jax.jit(rollout_keys, static_argnums=(1, 2))(jax.random.key(9), 3, 2)
    assert np.array_equal(data(eager[0]), data(jitted[0]))
    assert np.array_equal(data(eager[1]), data(jitted[1]))


def test_python_numpy_and_jax_sizes_mean_the_same(traces: Any) -> None:
    key = jax.random.key(2)
    wanted = rollout_keys(key, 3, 2)
    for size in (int, np.int32, np.int64, np.uint8, jnp.int32, jnp.asarray):
        got: Any = None

        def call(size: Any = size) -> Any:
            nonlocal got
            got = rollout_keys(key, size(3), size(2))
            return got

        assert traces.of(call) == [], f"{size.__name__} sizes make no new trace"
        assert np.array_equal(data(got[1]), data(wanted[1]))


# Refusals, which rollout shares ----------------------------------------------------------


@pytest.mark.parametrize("name", ["num_envs", "num_steps"])
@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_a_size_that_is_not_a_positive_integer_is_refused(
    name: str, size: Any, kind: type[Exception], came: str
) -> None:
    arguments = {"num_envs": 2, "num_steps": 3} | {name: size}
    call = partial(rollout_keys, jax.random.key(0), **arguments)
    message = refuses(call, kind, came, r"integer|\bint|>= 1|positive")
    assert name in message, f"the message names the argument: {message}"


@pytest.mark.parametrize("bad_key", BAD_KEYS, ids=lambda bad: bad.name)
def test_what_is_not_one_typed_key_is_refused(bad_key: BadKey) -> None:
    call = partial(rollout_keys, bad_key.make(), 2, 3)
    refuses(call, bad_key.kind, bad_key.came, bad_key.allowed)


def test_a_traced_size_is_refused_with_a_word_on_static_arguments() -> None:
    refuses(
        lambda: jax.jit(rollout_keys)(jax.random.key(0), 2, 3),
        (TypeError, ValueError),
        "num_envs.*trace|trace.*num_envs",
        "static",
    )
