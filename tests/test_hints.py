"""Hints, one at a time, and the explained answer after three failed tries."""

from typing import Any

import pytest
import students

from gridroll.classroom import check, hint, progress, registry
from gridroll.classroom.exercise import Exercise
from gridroll.classroom.hints import explained_answer, next_hint

MOVE = "gridworld.move"


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)


def stays(position: Any, action: Any, length: int) -> Any:
    return position


def test_hints_come_in_their_order_and_the_last_stays(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        hint(MOVE)
    first, second, third = registry.find(MOVE).hints
    assert capsys.readouterr().out.splitlines() == [
        f"Hint 1 of 3: {first}",
        f"Hint 2 of 3: {second}",
        f"Hint 3 of 3: {third}",
        f"Hint 3 of 3: {third}",
    ]


def test_hints_of_one_exercise_leave_those_of_another_alone() -> None:
    next_hint(MOVE)
    assert next_hint("gridworld.step").startswith("Hint 1 of 3: ")


def test_a_hint_asked_for_by_number_is_given_and_not_counted() -> None:
    assert next_hint(MOVE, 3).startswith("Hint 3 of 3: ")
    assert next_hint(MOVE).startswith("Hint 1 of 3: ")
    for number in (0, 4, -1):
        with pytest.raises(ValueError, match=f"hint {number} of gridworld.move doesn't exist"):
            next_hint(MOVE, number)


@pytest.mark.parametrize("name", ["collector.first_counts", "collector.which_axis"])
def test_a_prediction_or_a_choice_has_no_hint(name: str) -> None:
    assert "there is no hint" in next_hint(name)
    assert "there is no hint" in explained_answer(name)


def test_a_hint_for_no_exercise_names_the_near_ones() -> None:
    with pytest.raises(registry.UnknownExerciseError, match=r"gridworld\.move"):
        hint("gridworld.movee")


def test_the_answer_comes_after_three_failed_tries_and_not_earlier() -> None:
    task = registry.find(MOVE)
    assert isinstance(task, Exercise)
    for left in ("3 more tries", "2 more tries", "1 more try"):
        text = explained_answer(MOVE)
        assert text.startswith(f"The answer is offered after {left}. Until then: Hint ")
        assert task.answer.strip() not in text
        check(MOVE, stays)
    text = explained_answer(MOVE)
    assert text.startswith(task.answer.strip())
    assert task.explanation in text


def test_an_exercise_that_was_not_attempted_costs_no_try() -> None:
    for _ in range(5):
        check(MOVE, ...)
    assert progress.tries(MOVE) == 0
    assert "3 more tries" in explained_answer(MOVE)


def test_the_fresh_variant_is_a_right_one_and_another_after_more_tries() -> None:
    variants = []
    for _ in range(8):
        check(MOVE, stays)
        if progress.tries(MOVE) < 3:
            continue
        call, _, result = explained_answer(MOVE).splitlines()[-3:]
        position, action, length = eval(call.strip().removeprefix("move"))
        assert int(result) == min(max(position + (1 if action else -1), 0), length - 1)
        variants.append((position, action, length))
    assert len(set(variants)) > 1


def test_the_answer_stays_open_after_a_pass() -> None:
    task = registry.find(MOVE)
    names = students.run(task.answer, students.fresh("gridworld"))
    assert check(MOVE, names["move"]).passed
    assert explained_answer(MOVE).startswith(task.answer.strip())


def test_hint_with_answer_prints_the_explained_answer(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        check(MOVE, stays)
    capsys.readouterr()
    hint(MOVE, answer=True)
    assert capsys.readouterr().out == explained_answer(MOVE) + "\n"


def test_the_variant_is_worked_out_in_jax_as_it_is_by_default_in_a_strict_session_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "keys.fold_in_clashes"  # its reference compares (n, 1) with (n,)
    monkeypatch.setattr(progress, "tries", lambda name: 3)
    assert "It gives" in explained_answer(name)


@pytest.mark.parametrize("lesson", registry.lessons())
def test_what_is_to_be_worked_out_by_hand_can_be_read_whole(
    lesson: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridroll.classroom.progress.tries", lambda name: 3)
    for task in registry.lesson_exercises(lesson):
        if isinstance(task, Exercise):
            explained = explained_answer(task.name)
            assert task.explanation in explained
            by_hand = explained.partition(task.explanation)[2]
            assert "an array of" not in by_hand
            assert ("It gives" in by_hand) == ("by hand" in by_hand)
