"""Lesson 02: the helpers that hand out keys and count them, against slow loops and sets."""

from collections.abc import Callable
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

# Tests give values of every kind, so these are not held to their signatures here.
reset_keys: Any = keys.reset_keys
key_table: Any = keys.key_table
chain_keys: Any = keys.chain_keys
num_distinct: Any = keys.num_distinct
num_shared: Any = keys.num_shared
fold_in_clashes: Any = keys.fold_in_clashes

MAKERS: dict[str, Callable[[jax.Array], Any]] = {
    "reset_keys": lambda key: (reset_keys(key, 5),),
    "key_table": lambda key: (key_table(key, 3, 4),),
    "chain_keys": lambda key: chain_keys(key, 4),
}
each_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
seeds = st.integers(0, 2**31 - 1)
indices = st.lists(st.integers(0, 5), min_size=1, max_size=6)


def words(of: Any) -> list[tuple[int, ...]]:
    """Return the two words of every key, in one list: equal words are the same key."""
    return [tuple(pair) for pair in np.asarray(jax.random.key_data(of)).reshape(-1, 2).tolist()]


def pool(seed: int) -> Any:
    return jax.random.split(jax.random.key(seed), 6)


# Handing out ---------------------------------------------------------------------------


@each_maker
def test_every_key_is_typed_distinct_and_none_is_the_parent(make: Callable[..., Any]) -> None:
    key = jax.random.key(3)
    handed = make(key)
    assert all(jnp.issubdtype(some.dtype, jax.dtypes.prng_key) for some in handed)
    every = [word for some in handed for word in words(some)] + words(key)
    assert len(set(every)) == len(every)


@each_maker
def test_the_same_key_gives_the_same_and_another_key_gives_others(make: Callable[..., Any]) -> None:
    first, again, other = ([words(s) for s in make(jax.random.key(seed))] for seed in (1, 1, 2))
    assert first == again
    assert not {w for some in first for w in some} & {w for some in other for w in some}


@pytest.mark.parametrize(("num_envs", "num_steps"), [(1, 1), (2, 3), (4, 2)])
def test_resets_and_table_are_the_two_halves_of_the_rollout_protocol(
    num_envs: int, num_steps: int
) -> None:
    slow_resets, slow_steps = protocol_keys(jax.random.key(5), num_envs, num_steps)
    reset_key, action_key = jax.random.split(jax.random.key(5))
    assert words(reset_keys(reset_key, num_envs)) == [w for k in slow_resets for w in words(k)]
    table = key_table(action_key, num_envs, num_steps)
    assert table.shape == (num_steps, num_envs)
    assert words(table) == [w for row in slow_steps for k in row for w in words(k)]


@pytest.mark.parametrize("num_steps", [1, 4, 6])
def test_a_step_of_the_chain_splits_what_the_step_before_handed_on(num_steps: int) -> None:
    action_keys, step_keys = chain_keys(jax.random.key(8), num_steps)
    assert action_keys.shape == step_keys.shape == (num_steps,)
    held = jax.random.key(8)
    for t in range(num_steps):
        three = jax.random.split(held, 3)
        assert words(action_keys[t]) == words(three[1])
        assert words(step_keys[t]) == words(three[2])
        held = three[0]


@given(seed=seeds)
def test_more_steps_leave_the_first_ones_of_the_chain_alone(seed: int) -> None:
    few, many = (chain_keys(jax.random.key(seed), t) for t in (2, 4))
    for short, long in zip(few, many, strict=True):
        assert words(short) == words(long)[:2]


@given(seed=seeds)
def test_more_environments_or_steps_leave_a_corner_of_the_table_alone(seed: int) -> None:
    small, large = (key_table(jax.random.key(seed), b, t) for b, t in ((2, 3), (4, 5)))
    assert words(small) == words(large[:3, :2])


@each_maker
def test_under_jit_the_keys_are_the_same(make: Callable[..., Any]) -> None:
    eager, jitted = make(jax.random.key(9)), jax.jit(make)(jax.random.key(9))
    assert [words(some) for some in eager] == [words(some) for some in jitted]


# Counting ------------------------------------------------------------------------------


@given(seed=seeds, first=indices, second=indices)
def test_counts_are_those_of_python_sets(seed: int, first: list[int], second: list[int]) -> None:
    one, two = pool(seed)[np.array(first)], pool(seed)[np.array(second)]
    assert num_distinct(one) == len(set(first))
    assert num_shared(one, two) == num_shared(two, one) == len(set(first) & set(second))


def test_counts_take_keys_of_any_shape_and_are_python_ints() -> None:
    six = pool(0)
    assert num_distinct(six[0]) == 1
    assert num_distinct(six.reshape(2, 3)) == 6
    assert num_shared(six.reshape(2, 3), six[1]) == 1
    assert type(num_distinct(six)) is type(num_shared(six, six)) is int


def test_keys_that_differ_in_one_word_are_different() -> None:
    made = jax.random.wrap_key_data(jnp.array([[1, 2], [1, 3], [4, 2]], jnp.uint32))
    assert num_distinct(made) == 3
    assert num_shared(made[:1], made[1:]) == 0


def test_splits_of_3_and_5_share_three_keys_and_those_of_two_parents_none() -> None:
    parent, other = jax.random.key(0), jax.random.key(1)
    assert num_shared(jax.random.split(parent, 3), jax.random.split(parent, 5)) == 3
    assert num_shared(jax.random.split(parent, 3), jax.random.split(other, 5)) == 0


def test_fold_in_clashes_with_a_split_of_4_for_0_to_3() -> None:
    got = fold_in_clashes(jax.random.key(0), 4, jnp.arange(7))
    assert got.dtype == jnp.bool_
    assert got.tolist() == [True] * 4 + [False] * 3


@given(seed=seeds, numbers=st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_fold_in_clashes_are_those_of_a_slow_loop(seed: int, numbers: list[int]) -> None:
    key = jax.random.key(seed)
    taken = words(jax.random.split(key, 3))
    wanted = [words(jax.random.fold_in(key, number))[0] in taken for number in numbers]
    assert fold_in_clashes(key, 3, np.array(numbers)).tolist() == wanted


# Refusals ------------------------------------------------------------------------------

SIZED: dict[str, tuple[Callable[..., Any], str]] = {
    "reset_keys": (partial(reset_keys, jax.random.key(0)), "num_envs"),
    "key_table rows": (partial(key_table, jax.random.key(0), num_envs=2), "num_steps"),
    "key_table columns": (partial(key_table, jax.random.key(0), num_steps=2), "num_envs"),
    "chain_keys": (partial(chain_keys, jax.random.key(0)), "num_steps"),
    "fold_in_clashes": (
        partial(fold_in_clashes, jax.random.key(0), numbers=jnp.arange(2)),
        "num_keys",
    ),
}


@pytest.mark.parametrize(("call", "name"), SIZED.values(), ids=SIZED)
@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_a_size_that_is_not_a_positive_integer_is_refused(
    call: Callable[..., Any], name: str, size: Any, kind: type[Exception], came: str
) -> None:
    message = refuses(lambda: call(**{name: size}), kind, came, r"integer|\bint|>= 1|positive")
    assert name in message


@pytest.mark.parametrize("bad", BAD_KEYS, ids=lambda bad: bad.name)
def test_what_is_not_one_typed_key_is_refused(bad: BadKey) -> None:
    for call in (
        lambda key: reset_keys(key, 2),
        lambda key: key_table(key, 2, 3),
        lambda key: chain_keys(key, 2),
        lambda key: fold_in_clashes(key, 2, jnp.arange(3)),
    ):
        refuses(partial(call, bad.make()), bad.kind, bad.came, bad.allowed)


@pytest.mark.parametrize("bad", [b for b in BAD_KEYS if b.kind is TypeError], ids=lambda b: b.name)
def test_a_count_refuses_what_holds_no_typed_keys(bad: BadKey) -> None:
    good = jax.random.key(0)
    refuses(lambda: num_distinct(bad.make()), TypeError, bad.came, "typed key")
    assert "first" in refuses(lambda: num_shared(bad.make(), good), TypeError, bad.came, "typed")
    assert "second" in refuses(lambda: num_shared(good, bad.make()), TypeError, bad.came, "typed")


def test_a_list_of_keys_is_refused_by_the_counts() -> None:
    refuses(lambda: num_distinct([jax.random.key(0)]), TypeError, "list", "typed keys")


def test_numbers_to_fold_in_are_a_row_of_integers_that_are_not_negative() -> None:
    call = partial(fold_in_clashes, jax.random.key(0), 3)
    refuses(lambda: call(jnp.array([0.5])), TypeError, "float32", "integer")
    refuses(lambda: call(jnp.zeros((2, 2), int)), ValueError, r"\(2, 2\)", r"\(any,\)")
    refuses(lambda: call(jnp.array([-1])), ValueError, "-1", "0 to")
