"""The contract that every exercise keeps, found by walking the registry.

Two more points, whole notebooks that are untouched or filled, are held in test_lessons.py.
"""

import dataclasses
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import students

from gridroll import policy
from gridroll.classroom import Verdict, check, compare, judge, predict, progress, registry
from gridroll.classroom.describe import describe, describe_call
from gridroll.classroom.exercise import Case, Choice, Exercise, Misconception, Prediction, Task
from gridroll.collector import Trajectory
from gridroll.gridworld import State, corridor, from_map

TASKS: dict[str, Task] = {
    task.name: task for lesson in registry.lessons() for task in registry.lesson_exercises(lesson)
}
EXERCISES = {name: task for name, task in TASKS.items() if isinstance(task, Exercise)}
PREDICTIONS = {name: task for name, task in TASKS.items() if isinstance(task, Prediction)}
CHOICES = {name: task for name, task in TASKS.items() if isinstance(task, Choice)}
MISTAKES: list[Any] = [
    pytest.param(exercise, mistake, written, id=f"{exercise.name}-{mistake.name}-{number}")
    for exercise in EXERCISES.values()
    for mistake in exercise.misconceptions
    for number, written in enumerate((mistake.implementation, *mistake.also))
]
WRAPPINGS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda function: function,
    "jitted": jax.jit,
    "partial": functools.partial,
    "lambda": lambda function: lambda *args, **kwargs: function(*args, **kwargs),
}

each_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
each_prediction = pytest.mark.parametrize("prediction", PREDICTIONS.values(), ids=PREDICTIONS)
each_choice = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)


def handed_in(task: Task, cell: str) -> Verdict:
    """Run the student's cell as a notebook does, then the check below it where there is one."""
    names = students.fresh(task.name.partition(".")[0])
    verdict = eval(cell, names) if not task.check_call else None
    if verdict is None:
        verdict = eval(task.check_call, students.run(cell, names))
    assert isinstance(verdict, Verdict)
    return verdict


def call_text(exercise: Exercise, case: Case) -> str:
    return describe_call(exercise.function_name, case.args, dict(case.kwargs))


def test_every_lesson_asks_for_something_and_at_least_two_ask_for_much() -> None:
    asked = [len(registry.lesson_exercises(lesson)) for lesson in registry.lessons()]
    assert min(asked) >= 1
    assert sum(count > 10 for count in asked) >= 2
    assert len(TASKS) == sum(asked)
    assert EXERCISES
    assert PREDICTIONS
    assert CHOICES
    assert len(EXERCISES) + len(PREDICTIONS) + len(CHOICES) == len(TASKS)


# 1. The scaffold alone.


@each_task
def test_the_scaffold_alone_is_not_attempted_yet(task: Task) -> None:
    verdict = handed_in(task, task.scaffold)
    assert verdict.status == "not_attempted"
    assert not verdict.passed
    assert verdict.points == 0
    assert verdict.diagnosis is None
    assert "Traceback" not in verdict.text
    assert "not attempted yet" in verdict.text


# 2. The reference answer.


@each_task
def test_the_reference_answer_passes_and_earns_all_points(task: Task) -> None:
    verdict = handed_in(task, task.answer)
    assert verdict.passed, verdict.text
    assert verdict.points == verdict.of == task.points
    assert verdict.diagnosis is None


@each_exercise
def test_the_reference_answer_passes_on_other_generated_cases_too(exercise: Exercise) -> None:
    names = students.run(exercise.answer, students.fresh(exercise.name.partition(".")[0]))
    judgement = judge.judge(exercise, names[exercise.function_name], seed=1)
    assert judgement == judge.Judgement()


# 3. What is wrong.


@pytest.mark.parametrize(("exercise", "mistake", "written"), MISTAKES)
def test_a_misconception_fails_and_is_diagnosed_as_itself(
    exercise: Exercise, mistake: Misconception, written: Callable[..., Any]
) -> None:
    verdict = check(exercise.name, written)
    assert verdict.status in ("failed", "error"), verdict.text
    assert verdict.points == 0
    assert verdict.diagnosis == mistake.name, verdict.text
    assert mistake.message in verdict.text


@each_exercise
def test_three_mistakes_or_more_have_names_and_the_constant_answer_is_one(
    exercise: Exercise,
) -> None:
    names = [mistake.name for mistake in exercise.misconceptions]
    assert len(set(names)) == len(names) >= 3
    assert "constant" in names
    assert all(len(mistake.message.split()) >= 4 for mistake in exercise.misconceptions)


@each_choice
def test_a_wrong_option_fails_with_its_explanation_and_the_right_one_passes(
    choice: Choice,
) -> None:
    assert choice.right in choice.options
    assert len(choice.options) >= 3
    for letter, option in choice.options.items():
        verdict = check(choice.name, letter)
        assert verdict.passed == (letter == choice.right)
        assert len(option.explanation.split()) >= 5
        assert option.explanation in verdict.text


@each_choice
@pytest.mark.parametrize("answer", ["z", "", "ab", 1, None, True], ids=repr)
def test_what_is_no_letter_of_a_choice_fails(choice: Choice, answer: Any) -> None:
    assert check(choice.name, answer).status == "failed"


# 4. What an exercise is made of.


@each_task
def test_a_task_is_one_paragraph_worth_a_point_or_more(task: Task) -> None:
    assert task.points >= 1
    assert task.title
    assert len(task.task.split()) >= 5
    assert "\n" not in task.task
    assert task.task.endswith((".", "?"))
    assert task.kind in ("code", "diagnosis", "prediction", "choice")


@each_exercise
def test_the_task_of_an_exercise_is_one_sentence(exercise: Exercise) -> None:
    prose = re.sub("`[^`]*`", "`code`", exercise.task)
    assert prose.endswith(".")
    assert not prose.endswith("..")
    assert not re.search(r"[.?!] ", prose), exercise.task


@each_exercise
def test_an_exercise_has_hints_a_reason_and_an_explanation(exercise: Exercise) -> None:
    assert len(set(exercise.hints)) == 3
    assert all(len(hint) >= 15 for hint in exercise.hints)
    assert 1 <= exercise.difficulty <= 5
    assert all(len(text.split()) >= 3 for text in (exercise.why, exercise.gain))
    assert len(exercise.explanation.split()) >= 10


@each_exercise
def test_scaffold_and_answer_have_the_signature_of_the_reference(exercise: Exercise) -> None:
    def shape(function: Any) -> list[tuple[str, Any, Any]]:
        parameters = inspect.signature(function).parameters.values()
        return [(p.name, p.kind, p.default) for p in parameters]

    wanted = shape(exercise.reference)
    for cell in (exercise.scaffold, exercise.answer):
        names = students.run(cell, students.fresh(exercise.name.partition(".")[0]))
        function = names[exercise.function_name]
        asked = shape(function)
        assert asked == wanted[: len(asked)]
        assert len(inspect.getdoc(function) or "") > 20
    for _, kind, default in wanted[len(asked) :]:
        assert kind is inspect.Parameter.KEYWORD_ONLY
        assert default is not inspect.Parameter.empty


@each_exercise
def test_fresh_cases_are_twenty_or_more_and_depend_on_the_seed(exercise: Exercise) -> None:
    first, again, other = (
        [call_text(exercise, case) for case in judge.draw_cases(exercise, seed)]
        for seed in (0, 0, 1)
    )
    assert len(first) >= 20
    assert first == again
    assert first != other
    visible = {call_text(exercise, case) for case in exercise.visible()}
    assert visible
    assert set(first) - visible


@each_prediction
def test_a_prediction_takes_its_truth_and_refuses_another_form(prediction: Prediction) -> None:
    truth = prediction.truth()
    assert prediction.accepts(truth)
    assert len(prediction.explain(truth).split()) >= 10
    for guess in ("many", None, {"a": 1}, [], [0.5, 1]):
        verdict = predict(prediction.name, guess)
        assert verdict.status == "failed"
        assert prediction.form in verdict.text
        assert progress.prediction(prediction.name) is None


# 5. Nothing borrowed, nothing that can't travel.


@each_exercise
@pytest.mark.parametrize("wrapped", WRAPPINGS.values(), ids=WRAPPINGS)
def test_the_library_function_is_refused_however_it_is_wrapped(
    exercise: Exercise, wrapped: Callable[[Any], Any]
) -> None:
    verdict = check(exercise.name, wrapped(exercise.reference))
    assert verdict.status == "failed"
    assert "the library's own `" in verdict.text


def parts(value: Any) -> Iterator[Any]:
    """Everything in a value that is no container and no record of the course."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from parts(part)
    elif isinstance(value, dict):
        yield from parts(list(value.items()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, policy.Policy):
        assert type(value).__module__.startswith("gridroll.")
        yield from parts([getattr(value, field.name) for field in dataclasses.fields(value)])
    else:
        yield value


@each_exercise
def test_cases_hold_only_what_has_a_json_form(exercise: Exercise) -> None:
    policies = [id(policy.bernoulli), id(policy.softmax)]
    for case in (*exercise.visible(), *judge.draw_cases(exercise, seed=0)):
        for part in parts([case.args, dict(case.kwargs)]):
            plain = type(part) in (int, float, str, bool)
            array = isinstance(part, np.ndarray | jax.Array) and part.dtype != object
            assert plain or array or id(part) in policies, part


@each_exercise
def test_what_a_message_shows_of_a_case_can_be_pasted_back(exercise: Exercise) -> None:
    names = students.fresh(exercise.name.partition(".")[0])
    names |= {"policy": policy, "State": State, "Trajectory": Trajectory, "key": jax.random.key}
    names |= {"jax": jax, "jnp": jnp, "array": np.array, "nan": np.nan, "inf": np.inf}
    names |= {"corridor": corridor, "from_map": from_map}
    for case in (*exercise.visible(), *judge.draw_cases(exercise, seed=0)[:5]):
        for value in (*case.args, *case.kwargs.values()):
            if describe(value).startswith("an array of"):  # too many numbers to read
                continue
            pasted = eval(describe(value), names)
            for got, given in zip(*map(jax.tree.leaves, (pasted, value)), strict=True):
                if isinstance(given, int | float | str | policy.Policy):
                    assert got == given
                else:
                    assert np.shape(got) == np.shape(given)
                    assert not compare.differs(got, given).any()
