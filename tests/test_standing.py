"""`standing`: what of a lesson is done, what is open, and what nbgrader reads off its cell."""

import pytest
import students
from students import MOVE, RIGHT

from gridroll.classroom import check, predict, registry, standing
from gridroll.classroom.exercise import Choice, Exercise, Prediction

LESSON = "gridworld"
TASKS = [task for task in registry.lesson_exercises(LESSON) if not task.stretch]
CHOICES = [task for task in TASKS if isinstance(task, Choice)]
GUESSES = [task for task in TASKS if isinstance(task, Prediction)]
FUNCTIONS = [task for task in TASKS if isinstance(task, Exercise)]


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What the cell shows, line by line."""
    capsys.readouterr()
    assert standing(LESSON) is None
    return capsys.readouterr().out.splitlines()


def test_at_first_everything_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(capsys)
    assert lines[0] == f"○ gridworld: 0 of {sum(task.points for task in TASKS)} points"
    assert lines[1].split() == ["Exercises", "0", "of", str(len(FUNCTIONS))]
    assert lines[2].split() == ["Questions", "0", "of", str(len(CHOICES) + len(GUESSES))]
    assert [line.removeprefix("  Open").strip() for line in lines[3:]] == [
        f"{task.name}: {task.title}" for task in TASKS
    ]


def test_what_is_done_counts_and_is_open_no_more(capsys: pytest.CaptureFixture[str]) -> None:
    check(MOVE, students.written(MOVE, *RIGHT))
    check(CHOICES[0].name, CHOICES[0].right)
    lines = told(capsys)
    assert lines[0].startswith("○ gridworld: 2 of ")  # one point each
    assert lines[1].split() == ["Exercises", "1", "of", str(len(FUNCTIONS))]
    assert len(lines) == 3 + len(TASKS) - 2
    assert not [line for line in lines if MOVE in line or f"{CHOICES[0].name}:" in line]


def test_stretch_exercises_are_neither_asked_nor_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    beyond = [task for task in registry.lesson_exercises(LESSON) if task.stretch]
    assert beyond
    assert not [line for line in told(capsys) if any(task.name in line for task in beyond)]


def under_nbgrader(monkeypatch: pytest.MonkeyPatch) -> int | None:
    """The number that nbgrader reads off the cell."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    try:
        return standing(LESSON)
    finally:
        monkeypatch.delenv("NBGRADER_EXECUTION")


def test_nbgrader_reads_the_points_of_guesses_and_choices_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert under_nbgrader(monkeypatch) == 0
    check(MOVE, students.written(MOVE, *RIGHT))
    assert under_nbgrader(monkeypatch) == 0
    check(CHOICES[0].name, CHOICES[0].right)
    assert under_nbgrader(monkeypatch) == 1
    for guess in GUESSES:
        students.run(f"from gridroll.classroom import predict\n{guess.answer}")
    assert under_nbgrader(monkeypatch) == 1 + len(GUESSES)


def test_under_nbgrader_the_last_letter_counts_and_a_guess_that_was_committed_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choice, guess = CHOICES[0], GUESSES[0]
    for letter in [choice.right, *(x for x in choice.options if x != choice.right)]:
        check(choice.name, letter)
    students.run(f"from gridroll.classroom import predict\n{guess.answer}")
    predict(guess.name, "no such form")
    assert under_nbgrader(monkeypatch) == 1


def test_an_unknown_lesson_is_refused() -> None:
    with pytest.raises(registry.UnknownExerciseError, match="no lesson is called 'gridwrld'"):
        standing("gridwrld")
