"""Further calls that answer in another form are refused before anything is computed of them."""

from collections.abc import Callable
from typing import Any

import attacks
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import students

from gridroll import collector
from gridroll.classroom import judge
from gridroll.classroom.calling import Elsewhere
from gridroll.classroom.exercise import Fault
from gridroll.classroom.leftovers import is_untouched, leftover_lines
from gridroll.collector import Trajectory
from gridroll.exercises.collector import distribution, probes
from gridroll.exercises.collector.episode_report import witness_case as walk
from gridroll.exercises.gridworld import starts
from gridroll.exercises.keys import draws
from gridroll.exercises.returns.evaluation_report import witness_case as lengths
from gridroll.gridworld import Gridworld, State

WIDE = (distribution.NUM_RUNS, 5, 160)


class Mapped:
    """A function that gives this back when it is mapped over many keys, and one start else."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def __call__(self, world: Gridworld, key: Any) -> State:
        return State(world.starts[0], jnp.int32(0), jnp.bool_(False))

    def mapped(self, axes: Any, *args: Any, **sizes: Any) -> Any:
        return self.result


def record(**changed: Any) -> Trajectory:
    """A record of the right form, but for some fields."""
    shape = (distribution.NUM_RUNS, 5, 3)
    whole, flag = np.zeros(shape, np.int32), np.ones(shape, bool)
    fields = dict.fromkeys(Trajectory._fields, flag) | {"observation": whole, "action": whole}
    return Trajectory(**(fields | changed))


def refused(*values: Any) -> Any:
    raise AssertionError("a result of another form was looked at")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("observation", np.zeros(WIDE, np.int8)),
        ("action", np.zeros(WIDE, np.int8)),
        ("active", np.ones(WIDE, bool)),
        ("active", np.ones((distribution.NUM_RUNS, 5, 3), np.int8)),
        ("action", np.zeros((distribution.NUM_RUNS, 5, 3), np.float32)),
        ("observation", np.zeros((distribution.NUM_RUNS, 5), np.int32)),
    ],
)
def test_a_mapped_rollout_of_another_form_is_refused_before_its_draws_are_paired(
    field: str, value: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in ("_starts", "_actions", "_pairs"):
        monkeypatch.setattr(distribution, count, refused)
    result = (None, record(**{field: value}))
    fault = distribution.draws_follow_the_policy(refused, Mapped(result), generator())
    assert fault is not None
    assert (fault.property, fault.where) == ("another form", f"trajectory.{field}")
    assert str(value.shape) in fault.got


def generator(name: str = "test") -> np.random.Generator:
    return judge.generator(12345, name)


def fair(calls: int, wrong: Callable[[np.ndarray], Any]) -> Callable[..., Any]:
    """Fair draws, the same for the same key, which have another form from some call on."""
    made = 0

    def first_draws(world: Gridworld, key: Any, num_envs: int) -> tuple[Any, Any]:
        nonlocal made
        made += 1
        own = np.random.default_rng(np.asarray(jax.random.key_data(key)))
        start = own.choice(np.asarray(world.starts), num_envs)
        action = own.integers(world.next_position.shape[1], size=num_envs)
        return (wrong(start), wrong(action)) if made >= calls else (start, action)

    return first_draws


OTHER_FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "more entries": lambda values: np.resize(values, 300),
    "fewer entries": lambda values: values[:3],
    "a column": lambda values: values[:, None],
    "floats": lambda values: values.astype(np.float32),
}
TESTS = (draws.are_equally_likely, draws.are_independent, draws.follow_no_pattern)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("wrong", OTHER_FORMS.values(), ids=OTHER_FORMS)
@pytest.mark.parametrize("calls", [1, 7])
def test_first_draws_of_another_form_are_refused_in_every_further_call(
    test: Callable[..., Fault | None], wrong: Callable[[np.ndarray], Any], calls: int
) -> None:
    function = fair(calls, wrong)
    fault = test(function, function, generator())
    assert fault is not None
    assert (fault.property, fault.where) == ("another form", "start")
    assert "key(" in fault.call


@pytest.mark.parametrize("test", TESTS)
def test_first_draws_of_the_right_form_are_not_refused_for_it(
    test: Callable[..., Fault | None],
) -> None:
    function = fair(10**6, refused)
    assert test(function, function, generator()) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", np.zeros((starts.NUM_KEYS, 2), np.int32)),
        ("position", np.zeros(3 * starts.NUM_KEYS, np.int32)),
        ("position", np.zeros(starts.NUM_KEYS, np.float32)),
        ("elapsed", np.zeros((starts.NUM_KEYS, 2), np.int32)),
        ("done", np.zeros(starts.NUM_KEYS, np.int32)),
    ],
)
def test_mapped_resets_of_another_form_are_refused_before_they_are_counted(
    name: str, value: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "_unequal", refused)
    whole = np.zeros(starts.NUM_KEYS, np.int32)
    fields: dict[str, Any] = {"position": whole, "elapsed": whole, "done": whole.astype(bool)}
    reset = Mapped(State(**(fields | {name: value})))
    fault = starts.are_uniform(reset, reset, generator())
    assert fault is not None
    assert (fault.property, fault.where) == ("another form", name)


def test_a_start_that_never_comes_is_named_among_the_details_and_not_in_the_summary() -> None:
    task = attacks.exercise("gridworld.reset")
    named = next(m for m in task.misconceptions if m.property == "a start is never drawn")
    for mistake in (named.implementation, *named.also):
        fault = judge.judge(task, mistake, 12345).fault
        assert fault is not None
        assert fault.property == "a start is never drawn"
        assert not any(sign.isdigit() for sign in fault.summary)
        assert "never" in fault.got


MANY = {"a list": [1] * 1001, "NumPy": np.ones(1001, np.int8), "JAX": jnp.ones(200_000, jnp.int8)}


@pytest.mark.parametrize("values", MANY.values(), ids=MANY)
def test_a_witness_of_more_entries_than_anybody_needs_is_refused_by_their_number(
    values: Any,
) -> None:
    for read, witness in ((walk, (1, values)), (lengths, (values, 1))):
        with pytest.raises(ValueError, match=f"are {len(values)}; at most 1000 are allowed"):
            read(witness)


@pytest.mark.parametrize("values", [{1}, "11", iter([1, 1]), jnp.ones((2, 2)), None, range(2)])
def test_a_witness_without_a_list_is_refused(values: Any) -> None:
    for read, witness in ((walk, (1, values)), (lengths, (values, 1))):
        with pytest.raises(ValueError, match="have to be a list"):
            read(witness)


@pytest.mark.parametrize("kind", [list, tuple, np.array, jnp.array])
@pytest.mark.parametrize("number", [2, 1000])
def test_a_witness_may_be_a_list_or_an_array(kind: Callable[[Any], Any], number: int) -> None:
    actions = [1, 0] * (number // 2)
    assert np.asarray(walk((1, kind(actions))).args[2]).tolist() == actions


@pytest.mark.parametrize("actions", [[np.array([1])], [[1]], [2], [], np.array([0.5])])
def test_a_witness_of_other_entries_is_refused(actions: Any) -> None:
    with pytest.raises(ValueError, match="a list of 0"):
        walk((1, actions))


def test_a_right_answer_of_four_hundred_branches_is_an_attempt_without_leftovers() -> None:
    branches = [
        f"    elif position == {n}:\n        cell = position + 2 * action - 1" for n in range(400)
    ]
    cell = "\n".join(
        [
            "def move(position, action, length):",
            "    if position < 0:\n        cell = 0",
            *branches,
            "    return min(max(cell, 0), length - 1)\n",
        ]
    )
    move = students.run(cell)["move"]
    assert not is_untouched(move, "def move(position, action, length):\n    return ...\n")
    assert leftover_lines(move) == ()


DEEP = "-" * 100_000 + "1"


@pytest.mark.parametrize("source", [DEEP, f"raise {'-' * 1500}x", f"def f():\n    return {DEEP}"])
def test_a_source_too_deep_for_a_syntax_tree_is_an_attempt_without_leftovers(source: str) -> None:
    function: Any = Elsewhere()
    function.source = source
    assert not is_untouched(function, "def f():\n    return ...\n")
    assert leftover_lines(function) == ()


@pytest.mark.parametrize("calls", [2, 6, 7])
def test_a_rollout_of_other_sizes_is_refused_in_every_further_call(calls: int) -> None:
    made = 0

    def rollout(*arguments: Any, **sizes: int) -> Any:
        nonlocal made
        made += 1
        return collector.rollout(
            *arguments, **(sizes | {"num_envs": 40} if made >= calls else sizes)
        )

    fault = probes.every_draw_has_its_key(rollout, rollout, generator())
    assert fault is not None
    assert (fault.property, fault.where) == ("another form", "trajectory.observation")


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_keys_of_other_sizes_are_refused_in_every_further_call(calls: int) -> None:
    task = attacks.exercise("keys.reset_keys")
    made = 0

    def reset_keys(key: Any, num_envs: int) -> Any:
        nonlocal made
        made += 1
        return jax.random.split(key, num_envs + (1 if made >= calls else 0))

    fault = task.properties[0].test(reset_keys, reset_keys, generator())
    assert fault is not None
    assert (fault.property, fault.where) == ("sizes", "keys")
