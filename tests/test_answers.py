"""Every check passes right answers of any form and refuses wrong ones with a useful message.

The answers are in `answers/`, a file for each exercise; a new file is found.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import answers
import jax
import pytest
import students
from jax.experimental.compilation_cache import compilation_cache

from gridroll.classroom import Verdict, check, registry
from gridroll.classroom.exercise import Exercise

EXERCISES = {
    task.name: task
    for lesson in registry.lessons()
    for task in registry.lesson_exercises(lesson)
    if isinstance(task, Exercise)
}


def banks() -> dict[str, ModuleType]:
    """The modules in `answers`, by the name of the exercise that they answer."""
    found = {}
    for lesson in pkgutil.iter_modules(answers.__path__):
        package = importlib.import_module(f"answers.{lesson.name}")
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                name = f"{lesson.name}.{module.name}"
                found[name] = importlib.import_module(f"answers.{name}")
    return found


BANKS = banks()


def answers_of(name: str, start: str) -> dict[str, Callable[..., Any]]:
    """The answers of an exercise whose names begin in this way."""
    return {key: value for key, value in vars(BANKS[name]).items() if key.startswith(start)}


def each(start: str) -> pytest.MarkDecorator:
    """Parametrise a test by every answer whose name begins in this way."""
    cases = [(name, answer) for name in BANKS for answer in answers_of(name, start)]
    ids = [f"{name}-{answer}" for name, answer in cases]
    return pytest.mark.parametrize(("name", "answer"), cases, ids=ids)


each_bank = pytest.mark.parametrize("name", BANKS)

# The lines of a message that say more than what differs: why, by which rule, or what to do.
EXPLANATIONS = {"Likely cause", "Advice", "Rule"}
LABEL = re.compile(r"^  (Your line|Called|First difference|Got|Expected|Likely cause|Advice|Rule) ")


def labels(verdict: Verdict) -> set[str]:
    """The labels of the lines in a verdict's text."""
    found = map(LABEL.match, verdict.text.splitlines())
    return {label[1] for label in found if label}


@cache
def judged(name: str, answer: str) -> Verdict:
    """What the check says of this answer; a diagnosis gets the witness of the solution."""
    exercise = EXERCISES[name]
    more = {}
    if exercise.broken is not None:
        solution = students.run(exercise.answer, students.fresh(name.partition(".")[0]))
        more["witness"] = solution["witness"]
    return check(name, getattr(BANKS[name], answer), **more)


def use(settings: dict[str, Any]) -> None:
    """Set these settings of JAX's cache of programs, and have it look at them."""
    for name, value in settings.items():
        jax.config.update(name, value)
    compilation_cache.reset_cache()


@pytest.fixture(autouse=True, scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled programs in a folder: every check of an exercise compiles much the same."""
    settings = {
        "jax_compilation_cache_dir": str(tmp_path_factory.mktemp("programs")),
        "jax_persistent_cache_min_compile_time_secs": 0,
        "jax_persistent_cache_min_entry_size_bytes": -1,
    }
    before = {name: getattr(jax.config, name) for name in settings}
    use(settings)
    yield
    use(before)


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)


def test_every_exercise_has_answers_or_stands_among_those_owed() -> None:
    without = EXERCISES.keys() - BANKS.keys()
    assert without == answers.OWED, "write answers/<lesson>/<exercise>.py or mend answers.OWED"


def test_every_file_answers_an_exercise() -> None:
    assert BANKS.keys() <= EXERCISES.keys()
    assert BANKS


@each_bank
def test_a_file_holds_five_right_answers_and_ten_wrong_ones(name: str) -> None:
    assert len(answers_of(name, "right_")) >= 5
    assert len(answers_of(name, "wrong_")) >= 10


@each_bank
def test_every_answer_says_in_one_line_what_is_unusual_or_wrong(name: str) -> None:
    for answer in (*answers_of(name, "right_").values(), *answers_of(name, "wrong_").values()):
        text = inspect.getdoc(answer) or ""
        assert re.fullmatch(r"[A-Z'].{15,}\.", text), answer


@each("right_")
def test_a_right_answer_passes_in_whatever_form(name: str, answer: str) -> None:
    verdict = judged(name, answer)
    assert verdict.status == "passed", verdict.text
    assert verdict.points == verdict.of == EXERCISES[name].points


@each("wrong_")
def test_a_wrong_answer_is_refused_and_shown_where(name: str, answer: str) -> None:
    verdict = judged(name, answer)
    assert verdict.status in ("failed", "error"), verdict.text
    assert verdict.points == 0
    place = {"Your line"} if verdict.status == "error" else {"First difference"}
    assert labels(verdict) >= {"Called", "Got", "Expected"} | place, verdict.text


@each_bank
def test_four_wrong_answers_of_five_are_explained(name: str) -> None:
    wrong = answers_of(name, "wrong_")
    bare = [answer for answer in wrong if not labels(judged(name, answer)) & EXPLANATIONS]
    assert len(bare) <= len(wrong) / 5, bare
