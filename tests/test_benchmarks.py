"""The benchmarks measure what they say: same draws, same numbers, and tables that line up."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from benchmarks import first_check, parts, rollout
from benchmarks.programs import formula, loop, make, rooms
from benchmarks.tools import fresh, measure, names, timing
from benchmarks.tools.table import Table, digits, rate, spread
from gridroll import collector
from gridroll.gridworld import corridor
from gridroll.policy import bernoulli, softmax

ROOT = Path(__file__).parents[1]
SIZES: dict[str, Any] = {"num_envs": 6, "num_steps": 9}


def same_bits(first: Any, second: Any) -> bool:
    """Whether two results have the same leaves in the same order, to the last bit."""
    pairs = list(zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True))
    return len(pairs) == 10 and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in ((np.asarray(a), np.asarray(b)) for a, b in pairs)
    )


# The programs ----------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [4, 9, 20])
def test_the_plain_formula_and_rollout_give_the_same_bits(horizon: int) -> None:
    world, theta, key = corridor(horizon=horizon), jnp.linspace(-1, 1, 4), jax.random.key(3)
    plain = formula.collect(world, theta, key, **SIZES)
    assert same_bits(plain, collector.rollout(world, bernoulli, theta, key, **SIZES))


def test_the_loop_in_python_and_rollout_give_the_same_bits() -> None:
    theta = 1.0 + jnp.arange(169 * 4, dtype=jnp.float32).reshape(169, 4) % 5
    arguments = (rooms.world(7), softmax, theta, jax.random.key(8))
    assert same_bits(loop.collect(*arguments, **SIZES), collector.rollout(*arguments, **SIZES))


def test_each_part_left_out_of_the_formula_changes_its_own_fields_and_no_shape() -> None:
    world, theta, key = corridor(horizon=9), jnp.linspace(-1, 1, 4), jax.random.key(3)
    changed = {}
    _, whole = formula.collect(world, theta, key, **SIZES)
    for part in ("log-probabilities", "world", "draws"):
        _, rows = formula.collect(world, theta, key, **SIZES, without=(part,))
        assert [row.shape for row in rows] == [(9, 6)] * 7
        changed[part] = [not np.array_equal(a, b) for a, b in zip(rows, whole, strict=True)]
    _, sums = formula.collect(world, theta, key, **SIZES, without=("recording",))
    assert changed["log-probabilities"] == [False] * 6 + [True]
    assert changed["world"][0]
    assert changed["draws"][1]
    assert [row.shape for row in sums] == [(9,)] * 7


def test_the_rooms_start_and_end_where_those_of_gymnax_do() -> None:
    world = rooms.world(5)
    row, column = 13 * np.array([4, 8]) + np.array([1, 9])
    assert (world.starts.tolist(), np.flatnonzero(world.goal).tolist()) == ([row], [column])
    assert int((~np.asarray(world.wall)).sum()) == 104  # of Sutton, Precup and Singh, 1999


@pytest.mark.parametrize("program", ["rollout", "loop", "formula", "corridor_rollout"])
def test_a_program_says_how_many_transitions_one_call_takes(program: str) -> None:
    made = make(program, 3, 5)
    leaves = jax.tree.leaves(made.call())
    assert made.transitions == 15
    assert [leaf.shape for leaf in leaves if leaf.ndim == 2] == [(5, 3)] * 7


def test_what_parts_leaves_out_are_parts_of_the_formula_as_lists_too() -> None:
    assert {part for left in parts.LEFT_OUT.values() for part in left} == set(formula.PARTS)
    assert make("formula", 2, 3, without=["draws", "recording"]).call()
    with pytest.raises(ValueError, match="draws, log-probabilities"):
        make("formula", 2, 3, without=["drawings"])


# How it is measured ----------------------------------------------------------------------


def test_pairs_alternate_and_change_who_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    clock = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    taken = timing.alternate(lambda: called.append("a"), lambda: called.append("b"), 3, 0.5)
    assert "".join(called) == "abab" + "ab" + "ba" + "ab"
    assert taken == timing.Pairs([1.0] * 3, [1.0] * 3)


def test_a_ratio_is_the_median_of_the_quotients_and_not_the_quotient_of_medians() -> None:
    taken = timing.Pairs(first=[1.0, 2.0, 10.0], second=[3.0, 1.0, 10.0])
    assert taken.quotients == [3.0, 0.5, 1.0]
    assert taken.ratio == 1.0


@pytest.mark.parametrize(
    ("one", "least", "calls"), [(0.01, 0.1, 10), (5.0, 0.1, 1), (0.04, 0.1, 2)]
)
def test_a_sample_has_as_many_calls_as_fill_its_time(one: float, least: float, calls: int) -> None:
    assert timing.repeats_for(one, least) == calls


def test_a_slow_opponent_runs_fewer_steps_but_one_at_least() -> None:
    assert rollout.steps_to_run(64, 8, None) == 8
    assert rollout.steps_to_run(64, 8, 40_000) == 8
    assert rollout.steps_to_run(16384, 128, 40_000) == 2
    assert rollout.steps_to_run(16384, 128, 100) == 1


def test_a_program_is_measured_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    assert "JAX_ENABLE_X64" not in fresh.environment()
    assert fresh.call("os:getpid") != fresh.call("os:getpid")
    assert fresh.call("builtins:dict", a=[1], b="two") == {"a": [1], "b": "two"}


def test_a_measurement_that_fails_is_one_line() -> None:
    with pytest.raises(fresh.Failure) as failed:
        measure.alone(measure.spec("no_such_program", 1, 1))
    assert "no_such_program" in str(failed.value)
    assert "\n" not in str(failed.value)


def test_peak_memory_is_a_mark_that_a_large_array_moves() -> None:
    before = fresh.peak_memory()
    size = int(before + 64)  # MiB: more than was ever held
    block = bytearray(size * 2**20)
    block[:: 2**12] = b"x" * len(block[:: 2**12])
    assert before + 32 < fresh.peak_memory() < before + size + 64


def test_the_lesson_is_filled_up_to_its_first_check() -> None:
    notebook, index = first_check.lesson_to_first_check()
    assert notebook.cells[index].source.startswith("check(")
    answer = notebook.cells[index - 1].source
    assert "..." not in answer
    assert answer.startswith("def ")


# Names and tables ------------------------------------------------------------------------


def test_every_benchmark_is_found_by_the_name_of_its_module() -> None:
    files = {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")}
    assert set(names.names()) == files
    assert {"rollout", "formula", "growth", "parts", "first_check", "lessons"} <= files
    for name in files - {"rollout", "grading"}:
        found = names.find(name)
        assert (found.name, found.needs) == (name, ())
        assert callable(found.run)


@pytest.mark.parametrize(
    ("name", "said"), [("nonsense", "formula, grading, growth"), ("rollout", "make bench")]
)
def test_what_can_not_run_is_one_line_and_exit_code_2(name: str, said: str) -> None:
    command = [sys.executable, "-S", "-c", RUN_WITHOUT_OPPONENTS, name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


RUN_WITHOUT_OPPONENTS = """
import importlib.util, site, sys
site.main()
find = importlib.util.find_spec
gone = ("gymnax", "gymnasium")
importlib.util.find_spec = lambda name, *more: None if name in gone else find(name, *more)
import typer
from benchmarks.__main__ import main
typer.run(main)
"""


def test_a_table_lines_up_words_to_the_left_and_numbers_to_the_right() -> None:
    table = Table("Speeds", ("who", "ratio"), [("loop", "-2.5"), ("us", "-")], ("A remark.",))
    assert table.text() == "\n".join(
        [
            "### Speeds",
            "",
            "| who  | ratio |",
            "| ---- | ----: |",
            "| loop |  -2.5 |",
            "| us   |     - |",
            "",
            "A remark.",
        ]
    )


def test_a_row_that_does_not_fit_its_head_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells, not 2"):
        Table("Speeds", ("who", "ratio"), [("loop",)])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.9531, "0.953"),
        (0.95, "0.950"),
        (12.34, "12.3"),
        (100.0, "100"),
        (999.6, "1000"),
        (4563.0, "4560"),
        (0.00001234, "0.000012"),
        (0.0, "0"),
    ],
)
def test_numbers_have_three_digits_and_no_exponent(number: float, text: str) -> None:
    assert digits(number) == text


@pytest.mark.parametrize(
    ("speed", "text"),
    [(12.0, "12.0"), (987.0, "987"), (1000.0, "1.00 k"), (999_600.0, "1.00 M"), (2.5e9, "2.50 G")],
)
def test_speeds_have_three_digits_and_a_unit(speed: float, text: str) -> None:
    assert rate(speed) == text


def test_a_spread_names_both_ends() -> None:
    assert spread([1.04, 0.91, 1.0]) == "0.910 to 1.04"
