"""Lesson 05: types, traces and transformations of the answer key, and what it refuses."""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import equal, signature
from refusals import BAD_SIZES, SIZE_IDS, refuses

from gridroll import gridworld, planning

# Tests give numbers of every kind, so these are not held to their signatures here.
policy_value: Any = planning.policy_value
expected_return: Any = planning.expected_return
occupancy: Any = planning.occupancy
optimal: Any = planning.optimal

WORLD = gridworld.from_map("S.#\n..G", horizon=4)
UNIFORM = np.full((6, 4), 0.25)
OF_A_POLICY = [policy_value, expected_return, occupancy]
NAMES = ["policy_value", "expected_return", "occupancy"]


def every_answer(world: Any, probabilities: Any, num_steps: Any) -> tuple[Any, ...]:
    answers = [function(world, probabilities, num_steps) for function in OF_A_POLICY]
    return (*answers, *optimal(world, num_steps))


# Types and traces ------------------------------------------------------------------------


@pytest.mark.parametrize("num_steps", [1, 4, 7])
def test_answers_have_strong_types_and_one_row_more_for_values(num_steps: int) -> None:
    shapes = [((num_steps + 1, 6), "float32"), ((), "float32"), ((num_steps, 6), "float32")]
    shapes += [((num_steps + 1, 6), "float32"), ((num_steps, 6), "int32")]
    wanted = [(f"[{i}]", shape, dtype, False) for i, (shape, dtype) in enumerate(shapes)]
    assert signature(every_answer(WORLD, UNIFORM, num_steps)) == wanted


def test_from_the_horizon_on_nothing_is_left() -> None:
    value, _, chance, best, action = every_answer(WORLD, UNIFORM, 7)
    for rows in (value, chance, best, action):
        assert not np.any(rows[4:])
    short = every_answer(WORLD, UNIFORM, 4)
    assert equal((value[:5], chance[:4], best[:5]), (short[0], short[2], short[3]))
    assert float(short[1]) == pytest.approx(float(expected_return(WORLD, UNIFORM, 7)), abs=1e-7)


def test_steps_that_are_not_collected_earn_nothing() -> None:
    value, total, chance, best, _ = every_answer(WORLD, UNIFORM, 2)
    assert not np.any(value[2])
    assert not np.any(best[2])
    # Two transitions of a walk that needs three to the goal cost a hundredth each.
    assert float(total) == pytest.approx(-0.02, abs=1e-7)
    assert chance.sum() == 2


def test_one_trace_for_every_world_of_one_size_and_every_kind_of_number(traces: Any) -> None:
    text = "S.#.\n....\n..SG"  # a size of no other test
    world = gridworld.from_map(text, horizon=5)
    table = np.full((12, 4), 0.25, np.float32)
    assert traces.of(lambda: every_answer(world, table, 6)) != []
    other = gridworld.from_map(text[::-1], horizon=9, step_reward=-1, goal_reward=0)
    for kind in (np.float64, np.float32, np.array, jnp.asarray, lambda t: t.tolist()):
        assert traces.of(lambda kind=kind: every_answer(world, kind(table), 6)) == []
    for size in (np.int64(6), np.int8(6), jnp.int32(6)):
        assert traces.of(lambda size=size: every_answer(other, table, size)) == []
    numbers: dict[str, Any] = {"horizon": 5, "step_reward": -0.01, "goal_reward": 1.0}
    loose = dataclasses.replace(world, **numbers)
    assert traces.of(lambda: every_answer(loose, table, 6)) == []
    assert equal(every_answer(loose, table, 6), every_answer(world, table, 6))


def test_whole_numbers_are_probabilities_of_a_policy_without_chance() -> None:
    down = np.tile([0, 0, 1, 0], (6, 1))  # from cell 0 to cell 3, and no further
    assert np.asarray(occupancy(WORLD, down, 4)).tolist() == [
        [1, 0, 0, 0, 0, 0],
        *[[0, 0, 0, 1, 0, 0]] * 3,
    ]


def test_jit_changes_no_answer() -> None:
    jitted = jax.jit(every_answer, static_argnums=2)(WORLD, jnp.asarray(UNIFORM), 5)
    for inside, outside in zip(jitted, every_answer(WORLD, UNIFORM, 5), strict=True):
        np.testing.assert_allclose(inside, outside, rtol=1e-6, atol=1e-7)


def test_vmap_over_stacked_worlds_and_over_policies_equals_each_by_itself() -> None:
    worlds = [WORLD, gridworld.from_map("..#\nS.G", horizon=3, step_reward=-0.5)]
    tables = jnp.stack([jnp.full((6, 4), 0.25), jnp.tile(jnp.float32([0, 0.75, 0.25, 0]), (6, 1))])
    stack = jax.tree.map(lambda *leaves: jnp.stack(leaves), *worlds)
    mapped = jax.vmap(every_answer, in_axes=(0, 0, None))(stack, tables, 5)
    for i, (world, table) in enumerate(zip(worlds, tables, strict=True)):
        for both, alone in zip(mapped, every_answer(world, table, 5), strict=True):
            np.testing.assert_allclose(both[i], alone, rtol=1e-6, atol=1e-7)


# Refusals --------------------------------------------------------------------------------


def with_entry(row: int, action: int, number: float) -> np.ndarray:
    table = UNIFORM.copy()
    table[row, action] = number
    return table


BAD_TABLES = [
    # probabilities, error, came, allowed
    ("short", np.full((5, 4), 0.25), ValueError, r"\(5, 4\)", r"\(6, 4\)"),
    ("two-actions", np.full((6, 2), 0.5), ValueError, r"\(6, 2\)", r"\(6, 4\)"),
    ("transposed", UNIFORM.T, ValueError, r"\(4, 6\)", r"\(6, 4\)"),
    ("one-row", UNIFORM[0], ValueError, r"\(4,\)", r"\(6, 4\)"),
    ("batch", UNIFORM[None], ValueError, r"\(1, 6, 4\)", r"\(6, 4\)"),
    ("logits", np.zeros((6, 4)), ValueError, "row 0 .* sums to 0", "sum to 1"),
    ("low-row", with_entry(3, 1, 0.15), ValueError, r"row 3 .* sums to 0\.9", "sum to 1"),
    ("high-row", with_entry(5, 0, 0.251), ValueError, r"row 5 .* sums to 1\.001", "sum to 1"),
    (
        "negative",
        UNIFORM + np.array([0.5, 0, 0, -0.5]),
        ValueError,
        r"\[0, 3\] is -0\.25",
        "0 and 1",
    ),
    ("nan", with_entry(4, 2, np.nan), ValueError, r"\[4, 2\] is nan", "0 and 1"),
    ("infinite", with_entry(4, 2, np.inf), ValueError, "row 4 .* sums to inf", "sum to 1"),
    ("text", "uniform", TypeError, "'uniform'|str", "number"),
    ("none", None, TypeError, "None", "number"),
    ("booleans", np.ones((6, 4), bool), TypeError, "bool", "number"),
]
BAD_IDS = [bad[0] for bad in BAD_TABLES]


@pytest.mark.parametrize("function", OF_A_POLICY, ids=NAMES)
@pytest.mark.parametrize("bad", BAD_TABLES, ids=BAD_IDS)
def test_what_is_no_table_of_probabilities_is_refused(bad: tuple[Any, ...], function: Any) -> None:
    _, table, kind, came, allowed = bad
    assert "probabilities" in refuses(partial(function, WORLD, table, 4), kind, came, allowed)


def test_rounding_of_a_softmax_is_no_reason_to_refuse() -> None:
    table = jax.nn.softmax(jnp.sin(jnp.arange(24.0)).reshape(6, 4) * 9, axis=1)
    assert np.isfinite(policy_value(WORLD, table, 4)).all()


def test_under_jit_a_shape_is_still_refused_and_numbers_are_not() -> None:
    jitted = jax.jit(policy_value, static_argnums=2)
    refuses(partial(jitted, WORLD, UNIFORM[:5], 4), ValueError, r"\(5, 4\)", r"\(6, 4\)")
    assert not np.any(jitted(WORLD, jnp.zeros((6, 4)), 4))


CALLS = [*(partial(function, WORLD, UNIFORM) for function in OF_A_POLICY), partial(optimal, WORLD)]


@pytest.mark.parametrize("call", CALLS, ids=[*NAMES, "optimal"])
@pytest.mark.parametrize(("size", "kind", "came"), BAD_SIZES, ids=SIZE_IDS)
def test_steps_that_are_no_positive_integer_are_refused(
    size: Any, kind: type[Exception], came: str, call: Any
) -> None:
    assert "num_steps" in refuses(partial(call, size), kind, came, "integer|int32")


@pytest.mark.parametrize("name", [*NAMES, "optimal"])
def test_a_stack_of_worlds_and_what_is_no_world_are_refused(name: str) -> None:
    stack = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), WORLD)
    function = getattr(planning, name)
    rest = (4,) if name == "optimal" else (UNIFORM, 4)
    refuses(partial(function, stack, *rest), ValueError, r"\(2, 6, 4\)", r"\(S, A\).*vmap")
    refuses(partial(function, "S.G", *rest), TypeError, "'S.G'", "Gridworld")
