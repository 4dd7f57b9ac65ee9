"""Answers to lesson 02 that are on no list: right ones in unusual form pass, wrong ones don't."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import students
from jax import lax

from gridroll.classroom import check
from gridroll.exercises.keys import family

split, fold = jax.random.split, jax.random.fold_in
Answer = Callable[..., Any]


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)


def folds(key: Any, numbers: Any) -> Any:
    return jax.vmap(fold, in_axes=(None, 0))(key, numbers)


def drawn(keys: Any, high: int) -> Any:
    return jax.vmap(lambda key: jax.random.randint(key, (), 0, high))(keys)


def chained(key: Any, num_envs: int) -> Any:
    handed = []
    for _ in range(num_envs):
        key, mine = split(key)
        handed.append(mine)
    return jnp.stack(handed)


def set_in_place(key: Any, num_envs: int) -> Any:
    start = jnp.broadcast_to(key, (num_envs,))
    return lax.fori_loop(0, num_envs, lambda i, keys: keys.at[i].set(fold(key, i)), start)


def scanned_chain(key: Any, num_steps: int) -> Any:
    def step(held: Any, _: Any) -> Any:
        held, action_key, step_key = split(held, 3)
        return held, (action_key, step_key)

    return lax.scan(step, key, None, length=num_steps)[1]


def sets(first: Any, second: Any) -> Any:
    one, two = (
        {tuple(w) for w in np.asarray(jax.random.key_data(k)).reshape(-1, 2).tolist()}
        for k in (first, second)
    )
    return len(one & two)


def one_draw_for_both(world: Any, key: Any, num_envs: int) -> Any:
    num_starts, num_actions = world.starts.shape[0], world.next_position.shape[1]
    pair = jax.random.randint(key, (num_envs,), 0, num_starts * num_actions)
    return world.starts[pair // num_actions], pair % num_actions


def two_vectors(world: Any, key: Any, num_envs: int) -> Any:
    one, two = split(key)
    start = jax.random.choice(one, world.starts, (num_envs,))
    return start, jax.random.randint(two, (num_envs,), 0, world.next_position.shape[1])


RIGHT: dict[str, tuple[str, Answer]] = {
    "folded in": ("reset_keys", lambda key, num_envs: folds(key, jnp.arange(num_envs))),
    "chained": ("reset_keys", chained),
    "set in place": ("reset_keys", set_in_place),
    "reversed": ("reset_keys", lambda key, num_envs: split(key, num_envs)[::-1]),
    "reshaped": (
        "key_table",
        lambda key, num_envs, num_steps: split(key, num_envs * num_steps).reshape(
            num_steps, num_envs
        ),
    ),
    "environments first": (
        "key_table",
        lambda key, num_envs, num_steps: jax.vmap(lambda k: split(k, num_steps), out_axes=1)(
            split(key, num_envs)
        ),
    ),
    "sets": ("num_shared", sets),
    "a formula": ("fold_in_clashes", lambda key, num_keys, numbers: numbers < num_keys),
    "scan": ("chain_keys", scanned_chain),
    "one split": (
        "episode_keys",
        lambda key, num_steps: (split(key, num_steps + 1)[-1], split(key, num_steps + 1)[:-1]),
    ),
    "one draw for both": ("first_draws", one_draw_for_both),
    "two vectors": ("first_draws", two_vectors),
}
WITNESSES: dict[str, Any] = {"first_draws": (0, 64), "episode_keys": (0, 3, 5)}


def verdict_on(name: str, answer: Answer) -> Any:
    given = {"witness": WITNESSES[name]} if name in WITNESSES else {}
    return check(f"keys.{name}", answer, **given)


@pytest.mark.parametrize(("name", "answer"), RIGHT.values(), ids=RIGHT)
def test_a_right_answer_in_another_form_passes(name: str, answer: Answer) -> None:
    verdict = verdict_on(name, answer)
    assert verdict.passed, verdict.text


def half_of_them(key: Any, num_envs: int) -> Any:
    few = split(key, (num_envs + 1) // 2)
    return jnp.concatenate([few, few])[:num_envs]


def few_seeds(key: Any, num_envs: int) -> Any:
    return jax.vmap(jax.random.key)(jax.random.randint(key, (num_envs,), 0, 1000))


def one_pair_equal(key: Any, num_envs: int, num_steps: int) -> Any:
    table = split(key, (num_steps, num_envs))
    return table.at[-1, -1].set(table[0, 0])


def row_is_split_for_the_next(key: Any, num_envs: int, num_steps: int) -> Any:
    row, rows = split(key, num_envs), []
    for _ in range(num_steps):
        rows.append(row)
        row = jax.vmap(lambda k: split(k)[0])(row)
    return jnp.stack(rows)


def descends_from_the_reset_key(key: Any, num_steps: int) -> Any:
    reset_key, _ = split(key)
    deep = reset_key
    for _ in range(3):
        deep = split(deep)[0]
    return reset_key, split(deep, num_steps)


def last_minus_draw(world: Any, key: Any, num_envs: int) -> Any:
    keys, num_actions = split(key, num_envs), world.next_position.shape[1]
    index = drawn(keys, world.starts.shape[0])
    return world.starts[index], num_actions - 1 - drawn(keys, num_actions)


def rounded_uniform_of_the_same_key(world: Any, key: Any, num_envs: int) -> Any:
    keys, num_actions = split(key, num_envs), world.next_position.shape[1]
    share = jax.vmap(jax.random.uniform)(keys) * num_actions
    return world.starts[drawn(keys, world.starts.shape[0])], share.astype(jnp.int32)


def parent_vector(world: Any, key: Any, num_envs: int) -> Any:
    start = jax.random.randint(key, (num_envs,), 0, world.starts.shape[0])
    return world.starts[start], drawn(split(key, num_envs), world.next_position.shape[1])


WRONG: dict[str, tuple[str, Answer, str]] = {
    "half of them": ("reset_keys", half_of_them, "some keys twice"),
    "few seeds": ("reset_keys", few_seeds, "consecutive seeds"),
    "one pair": ("key_table", one_pair_equal, "two places with one number"),
    "rows in chains": ("key_table", row_is_split_for_the_next, "a step's key draws and is split"),
    "one word of two": (
        "num_shared",
        lambda first, second: len(
            set(np.ravel(jax.random.key_data(first)).tolist())
            & set(np.ravel(jax.random.key_data(second)).tolist())
        ),
        "",
    ),
    "always 4": ("fold_in_clashes", lambda key, num_keys, numbers: numbers < 4, ""),
    "split beforehand": (
        "chain_keys",
        lambda key, num_steps: scanned_chain(split(key)[1], num_steps),
        "",
    ),
    "a deep descendant": (
        "episode_keys",
        descends_from_the_reset_key,
        "the parent one level down",
    ),
    "last minus draw": ("first_draws", last_minus_draw, "tied by a formula"),
    "uniform of one key": (
        "first_draws",
        rounded_uniform_of_the_same_key,
        "another function",
    ),
    "parent draws all": ("first_draws", parent_vector, "the start's key split again"),
}


@pytest.mark.parametrize(("name", "answer", "diagnosis"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_on_no_list_fails_and_says_where(
    name: str, answer: Answer, diagnosis: str
) -> None:
    verdict = verdict_on(name, answer)
    assert verdict.status == "failed", verdict.text
    assert verdict.diagnosis == (diagnosis or None), verdict.text
    for label in ("Called", "First difference", "Got", "Expected"):
        assert label in verdict.text


@pytest.mark.parametrize(
    ("name", "witness", "said"),
    [
        ("first_draws", (0, 3), "once in 8 tries"),
        ("first_draws", (0,), "a tuple of two whole numbers"),
        ("episode_keys", (0, 3, 2), "2 of the 3 keys"),
        ("episode_keys", (0, 3), "a tuple of three whole numbers"),
        ("episode_keys", (0, 0, 3), "num_steps has to be a whole number from 1"),
    ],
)
def test_a_witness_that_shows_nothing_is_refused_with_a_reason(
    name: str, witness: Any, said: str
) -> None:
    answer = RIGHT["two vectors" if name == "first_draws" else "one split"][1]
    verdict = check(f"keys.{name}", answer, witness=witness)
    assert verdict.status == "failed"
    assert said in verdict.text


def test_children_in_numpy_are_those_of_split_and_of_fold_in() -> None:
    parents = split(jax.random.key(3), 4)
    numbers = np.array([0, 1, 5, 1000], np.uint32)
    got = family.children(family.words(parents), numbers)
    for parent, row in zip(parents, got, strict=True):
        assert row[:3].tolist() == family.words(split(parent, 6))[[0, 1, 5]].tolist()
        assert row.tolist() == family.words(folds(parent, jnp.asarray(numbers))).tolist()
