"""The benchmarks of training and planning: every program answers the same question."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks import learn, planning
from benchmarks.programs import exact, make, training
from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.timing import Pairs
from gridroll.gridworld import from_map


@pytest.mark.parametrize("way", ["loop", "pieces"])
@pytest.mark.parametrize("world", ["corridor", "rooms"])
def test_a_loop_in_python_learns_what_train_learns(world: str, way: str) -> None:
    where, policy = training.problem(world, 8)
    theta, key = jnp.zeros(policy.parameter_shape(where)), jax.random.key(4)
    sizes: dict[str, Any] = {"num_updates": 3, "num_envs": 6, "num_steps": 8}
    wanted = training.WAYS["scan"](where, policy, theta, key, **sizes)
    got = training.WAYS[way](where, policy, theta, key, **sizes)
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)
    assert not np.array_equal(got[0], theta)


@pytest.mark.parametrize("way", training.WAYS)
def test_a_training_program_says_how_many_transitions_its_updates_take(way: str) -> None:
    made = make("training", 3, 8, num_updates=2, world="corridor", way=way)
    result: Any = made.call()
    theta, history = result
    assert made.transitions == 2 * 3 * 8
    assert (theta.shape, history.theta.shape) == ((4,), (2, 4))


def test_the_square_is_open_and_has_its_start_and_goal_in_the_corners() -> None:
    world = exact.square(9, 5)
    same = from_map("S..\n...\n..G", horizon=5)
    for mine, theirs in zip(jax.tree.leaves(world), jax.tree.leaves(same), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize(("function", "rows"), [("policy_value", 7), ("occupancy", 6)])
def test_exact_planning_is_measured_by_cells_and_steps(function: str, rows: int) -> None:
    made = make(**planning.spec(function, 9, 6))
    assert made.transitions == 54
    answer: Any = made.call()
    assert answer.shape == (rows, 9)


def pairs_of(taken: dict[str, float]) -> Any:
    """Return a stand-in for `measure.pairs` in which each program takes a fixed time."""

    def pairs(first: Any, second: Any, **settings: Any) -> Pairs:
        each = [[taken[str(spec)]] * settings["pairs"] for spec in (first, second)]
        return Pairs(*each)

    return pairs


def test_growth_is_by_the_cell_and_step(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = planning.spec("occupancy", 4, 64), planning.spec("occupancy", 16, 64)
    monkeypatch.setattr(measure, "pairs", pairs_of({str(few): 1e-6, str(many): 6e-6}))
    row = planning._row(Session(quick=True), "occupancy", (4, 64), (16, 64))
    # 6 times as long for 4 times as much: 1.5 for each, and that is more than proportional.
    assert row[:3] == ("occupancy", "4x64", "16x64")
    assert row[3:] == ("3.91", "5.86", "1.50", "1.50 to 1.50", "no")


def test_training_is_compared_by_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    def spec(way: str) -> str:
        more = {"world": "corridor", "num_updates": 50, "way": way}
        return str(measure.spec("training", 64, 8, **more))

    taken = {spec("scan"): 0.01, spec("loop"): 0.02, spec("pieces"): 0.5}
    monkeypatch.setattr(measure, "pairs", pairs_of(taken))
    monkeypatch.setattr(measure, "alone", lambda s: {"seconds": taken[str(s)], "compile": 1.0})
    rows = learn._rows_of(Session(quick=True), "corridor", 64, 8, 50)
    assert [row[:2] for row in rows] == [("corridor", "64x8")] * 3
    assert [row[3:] for row in rows] == [
        ("5.00 k", "-", "-", "1.00"),
        ("2.50 k", "2.00", "2.00 to 2.00", "1.00"),
        ("100", "50.0", "50.0 to 50.0", "1.00"),
    ]
