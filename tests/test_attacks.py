"""Nothing that is right only on what is public, or easily told, passes under a secret seed."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import attacks
import pytest

from gridroll.classroom import assess, judge, registry
from gridroll.classroom.exercise import Exercise

SEEDS = (2**62 + 11, 977)
NAMES = [
    task.name
    for lesson in registry.lessons()
    for task in registry.lesson_exercises(lesson)
    if isinstance(task, Exercise)
]
# All that a case of these is made of are single numbers, whose shapes tell nothing.
SHAPELESS = {"gridworld.end_of_step", "gridworld.add_reward"}


def written() -> list[tuple[str, str, Callable[..., Any]]]:
    """Every attack: the exercise that it is on, its name, and itself."""
    found = []
    for module in pkgutil.iter_modules(attacks.__path__):
        own = vars(importlib.import_module(f"attacks.{module.name}"))
        for how in [name for name in own if name.startswith("wrong_")]:
            on = [n for n in NAMES if how.startswith(f"wrong_{n.partition('.')[2]}_")]
            (name,) = [n for n in on if n.startswith(f"{module.name}.")] or [""]
            found.append((name, how, own[how]))
    return found


WRITTEN = written()


def test_every_attack_is_one_on_an_exercise() -> None:
    assert [how for name, how, _ in WRITTEN if not name] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "attack"),
    [(name, attack) for name, _, attack in WRITTEN],
    ids=[f"{name}-{how}" for name, how, _ in WRITTEN],
)
def test_a_function_that_knows_what_is_public_is_refused(
    name: str, attack: Callable[..., Any], seed: int
) -> None:
    found = judge.judge(attacks.exercise(name), attack, seed)
    assert found.fault is not None
    assert not found.fault.error, found.fault


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SHAPELESS])
def test_a_function_for_the_public_shapes_is_refused(name: str) -> None:
    found = judge.judge(attacks.exercise(name), attacks.known_shapes(name), SEEDS[0])
    assert found.fault is not None
    assert not found.fault.error, found.fault


@pytest.mark.parametrize("name", NAMES)
def test_a_function_for_the_public_cases_is_refused(name: str) -> None:
    found = judge.judge(attacks.exercise(name), attacks.known_values(name), SEEDS[0])
    assert found.fault is not None
    assert not found.fault.error, found.fault


@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_passes_under_these_seeds(name: str) -> None:
    for seed in SEEDS:
        assert judge.judge(attacks.exercise(name), attacks.right(name), seed).fault is None


@pytest.mark.parametrize("name", ["gridworld.reset", "keys.key_table", "collector.rollout"])
def test_what_is_hidden_tells_no_key_of_a_secret_seed(name: str) -> None:
    attack = next(attack for on, how, attack in WRITTEN if on == name and "small_seeds" in how)
    found = assess.function(attacks.exercise(name), attack, ..., seed=SEEDS[0], hide=True)
    assert found.status == "failed"
    text = "\n".join(text for _, text in (*found.lines, *found.folded))
    assert "key(" not in text
