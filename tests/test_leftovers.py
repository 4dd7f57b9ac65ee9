"""What is left of a scaffold: an untouched cell, a `...` and a `raise NotImplementedError`."""

import functools
from typing import Any

import jax
import pytest
import students

from gridroll.classroom import check
from gridroll.classroom.leftovers import is_untouched, leftover_lines

SCAFFOLD = '''
def double(x, n=2):
    """Twice x."""
    # 1. Double it.
    y = ...
    return y[..., 0]
'''

SAME = {
    "as handed out": SCAFFOLD,
    "another layout": "def double(x, n = 2):\n  '''New.'''\n  y = (...)\n  return y[... , 0] # 2",
    "without docstring": "def double(x, n=2):\n    y = ...\n    return y[..., 0]",
    "jitted": "import jax\n@jax.jit" + SCAFFOLD,
}
CHANGED = {
    "a line more": SCAFFOLD + "    pass\n",
    "filled in": SCAFFOLD.replace("= ...", "= 2 * x"),
    "another default": SCAFFOLD.replace("n=2", "n=3"),
    "another parameter": SCAFFOLD.replace("(x, n=2)", "(z, n=2)"),
    "pass": "def double(x, n=2):\n    pass",
}


@pytest.mark.parametrize("cell", SAME.values(), ids=SAME)
def test_a_scaffold_is_untouched_whatever_its_comments_and_layout(cell: str) -> None:
    assert is_untouched(students.run(cell)["double"], SCAFFOLD)


@pytest.mark.parametrize("cell", CHANGED.values(), ids=CHANGED)
def test_a_scaffold_with_any_code_changed_is_an_attempt(cell: str) -> None:
    assert not is_untouched(students.run(cell)["double"], SCAFFOLD)


def test_each_function_of_a_scaffold_counts_by_its_name() -> None:
    second = "def triple(x):\n    return ...\n"
    names = students.run(SCAFFOLD + second)
    assert is_untouched(names["triple"], SCAFFOLD + second)
    assert not is_untouched(names["triple"], SCAFFOLD)


@pytest.mark.parametrize("function", [len, functools.partial(max, 1), 3, jax.jit(lambda x: x)])
def test_what_has_no_source_or_no_name_of_the_scaffold_is_an_attempt(function: Any) -> None:
    assert not is_untouched(function, SCAFFOLD)
    assert leftover_lines(function) == ()


def test_leftover_lines_are_named_and_an_ellipsis_in_an_index_is_none() -> None:
    cell = '''
def double(x):
    """Twice x: ... and no more."""
    first = x[..., 0]
    second = ...
    if first is None:
        raise NotImplementedError("soon")
    return first, x[(..., 1)]
'''
    assert leftover_lines(students.run(cell.lstrip())["double"]) == (
        "line 4: second = ...",
        'line 6: raise NotImplementedError("soon")',
    )
    assert leftover_lines(students.run("def f(x):\n    raise ValueError(x)")["f"]) == ()


@pytest.mark.parametrize(
    "last", ["raise NotImplementedError", "raise NotImplementedError()", "return ..."]
)
def test_a_check_names_what_was_left_below_right_code(last: str) -> None:
    move = students.written(
        "gridworld.move",
        "def move(position, action, length):",
        "    there = jnp.clip(position + 2 * action - 1, 0, length - 1)",
        f"    {last}",
    )
    verdict = check("gridworld.move", move)
    assert verdict.status in ("failed", "error")
    (left,) = [line for line in verdict.text.splitlines() if "Left over" in line]
    assert left.split("Left over")[1].strip() == f"line 3: {last} (from the scaffold)"


def test_a_leftover_that_is_never_reached_costs_nothing() -> None:
    move = students.written(
        "gridworld.move",
        "def move(position, action, length):",
        "    return jnp.clip(position + 2 * action - 1, 0, length - 1)",
        "    raise NotImplementedError",
    )
    assert check("gridworld.move", move).passed
