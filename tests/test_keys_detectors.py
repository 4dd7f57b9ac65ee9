"""What lesson 02 says of JAX: which faults the flag sees, what correlations tell, what is tied.

Each of these is a claim about another package, so each is run here.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

bits = jax.random.bits
each = jax.vmap(bits)
split = jax.random.split

Program = Callable[[Any], Any]


def carry_never_split(key: Any) -> Any:
    return lax.scan(lambda carry, _: (carry, bits(carry)), key, None, length=3)


def closed_over(key: Any) -> Any:
    return lax.scan(lambda carry, _: (carry, bits(key)), 0, None, length=3)


def parent_draws(key: Any) -> Any:
    children = split(key)
    return bits(key), each(children)


def two_splits(key: Any) -> Any:
    return each(split(key, 2)), each(split(key, 5))


def the_same_entry_twice(key: Any) -> Any:
    keys = split(key, 3)
    return bits(keys[1]), each(keys)


SEEN: tuple[Program, ...] = (
    carry_never_split,
    closed_over,
    parent_draws,
    two_splits,
    the_same_entry_twice,
)


def copied(key: Any) -> Any:
    return each(jnp.broadcast_to(key, (4,)))


def shared_by_vmap(key: Any) -> Any:
    return jax.vmap(lambda key, number: bits(key) + number, in_axes=(None, 0))(
        key, jnp.arange(4, dtype=jnp.uint32)
    )


def scanned_over_copies(key: Any) -> Any:
    return lax.scan(lambda c, k: (c, bits(k)), 0, jnp.broadcast_to(key, (3,)))


def fold_in_beside_split(key: Any) -> Any:
    return each(split(key, 3)), bits(jax.random.fold_in(key, 1))


def one_seed_twice(key: Any) -> Any:
    return bits(jax.random.key(7)), bits(jax.random.key(7))


MISSED: tuple[Program, ...] = (
    copied,
    shared_by_vmap,
    scanned_over_copies,
    fold_in_beside_split,
    one_seed_twice,
)


def reversed_keys(key: Any) -> Any:
    return each(split(key, 4)[::-1])


def turned_table(key: Any) -> Any:
    return jax.vmap(each)(split(key, (3, 2)).T)


def indexed_in_a_loop(key: Any) -> Any:
    keys = split(key, 4)
    return lax.fori_loop(0, 4, lambda t, total: total + bits(keys[t]), jnp.uint32(0))


def vmap_of_scan(key: Any) -> Any:
    return jax.vmap(lambda row: lax.scan(lambda c, k: (c, bits(k)), 0, row))(split(key, (4, 3)))


REFUSED_THOUGH_RIGHT: tuple[Program, ...] = (
    reversed_keys,
    turned_table,
    indexed_in_a_loop,
    vmap_of_scan,
)


def tree(key: Any) -> Any:
    return jax.vmap(each)(jax.vmap(lambda k: split(k, 2))(split(key, 3)))


def chain(key: Any) -> Any:
    drawn = []
    for _ in range(3):
        key, mine = split(key)
        drawn.append(bits(mine))
    return drawn


def raises(program: Program, jitted: bool) -> bool:
    with jax.debug_key_reuse(True):
        try:
            (jax.jit(program) if jitted else program)(jax.random.key(0))
        except jax.errors.KeyReuseError:
            return True
    return False


def name_of(program: Any) -> str:
    return getattr(program, "__name__", str(program))


modes = pytest.mark.parametrize("jitted", [False, True], ids=["eager", "jitted"])


@modes
@pytest.mark.parametrize("program", [*SEEN, *REFUSED_THOUGH_RIGHT], ids=name_of)
def test_the_flag_raises(program: Program, jitted: bool) -> None:
    assert raises(program, jitted)


@modes
@pytest.mark.parametrize("program", [*MISSED, tree, chain], ids=name_of)
def test_the_flag_is_silent(program: Program, jitted: bool) -> None:
    assert not raises(program, jitted)


def test_the_flag_leaves_no_trace() -> None:
    key = jax.random.key(1)
    before = int(bits(key))
    assert raises(lambda _: (bits(key), bits(key)), jitted=False)
    assert int(bits(key)) == before
    flags: Any = jax.config
    assert not flags.jax_debug_key_reuse


@pytest.mark.parametrize("program", [tree, reversed_keys, turned_table, vmap_of_scan], ids=name_of)
def test_the_right_programs_draw_with_keys_that_all_differ(program: Program) -> None:
    drawn = np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(program(jax.random.key(0)))])
    drawn = drawn[drawn != 0]  # the carry of a scan
    assert len(np.unique(drawn)) == len(drawn) > 3


# What a correlation tells ----------------------------------------------------------------

N = 20_000
NOISE = 5 / np.sqrt(N)  # five standard errors of a correlation of independent numbers


def correlation(one: Any, two: Any) -> float:
    return float(np.corrcoef(np.asarray(one, float), np.asarray(two, float))[0, 1])


def draws(function: Callable[..., Any], keys: Any) -> Any:
    return jax.vmap(function)(keys)


def many() -> Any:
    return split(jax.random.key(6), N)


def test_a_parent_and_its_children_show_no_correlation() -> None:
    keys = many()
    children = jax.vmap(split)(keys)
    for child in (0, 1):
        drawn = draws(jax.random.uniform, children[:, child])
        assert abs(correlation(draws(jax.random.uniform, keys), drawn)) < NOISE


def test_what_a_parent_draws_can_be_computed_from_its_first_child() -> None:
    keys = split(jax.random.key(9), 50)
    words = np.asarray(jax.random.key_data(jax.vmap(split)(keys)[:, 0]))
    assert (np.asarray(each(keys)) == words[:, 0] ^ words[:, 1]).all()


def test_one_key_and_one_function_give_one_draw() -> None:
    keys = many()
    uniform = draws(jax.random.uniform, keys)
    assert correlation(uniform, draws(jax.random.uniform, keys)) == pytest.approx(1)


def test_one_key_and_two_functions_are_tied_closely_or_not_at_all() -> None:
    keys = many()
    uniform, coin = draws(jax.random.uniform, keys), draws(jax.random.bernoulli, keys)
    integer = draws(lambda key: jax.random.randint(key, (), 0, 2), keys)
    assert correlation(uniform, draws(jax.random.normal, keys)) > 0.95
    # bernoulli is uniform < 1/2: the correlation of a uniform number with that is -sqrt(3)/2.
    assert correlation(uniform, coin) == pytest.approx(-np.sqrt(3) / 2, abs=0.01)
    assert abs(correlation(coin, integer)) < NOISE


# What a replay doesn't promise -----------------------------------------------------------


def test_another_setting_of_the_generator_draws_other_numbers() -> None:
    flags: Any = jax.config
    assert flags.jax_threefry_partitionable
    here = each(split(jax.random.key(2), 24))
    with jax.threefry_partitionable(False):
        there = each(split(jax.random.key(2), 24))
    assert not np.isin(np.asarray(there), np.asarray(here)).any()


def test_arithmetic_on_a_typed_key_is_refused_and_on_a_raw_one_is_not() -> None:
    with pytest.raises(TypeError, match="add does not accept dtypes key<fry>, int32"):
        jax.random.key(7) + 1
    assert (jax.random.PRNGKey(7) + 1).tolist() == [1, 8]
