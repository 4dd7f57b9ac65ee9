"""The engine gives in a sandbox the verdict that a notebook gives, and tells no fresh case."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from answers.collector import active_mask
from sandboxes import SEED, mark, marks, needed

from gridroll.classroom import assess, check, registry
from gridroll.classroom.exercise import Choice, Exercise, Prediction
from gridroll.classroom.grading import engine, sources
from gridroll.classroom.grading.records import Answer
from gridroll.exercises import _probes
from lessons import ROOT, STEMS

LESSONS = [stem.partition("_")[2] for stem in STEMS]
MASK = "collector.active_mask"


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_reference_answers_get_full_marks(lesson: str) -> None:
    tasks = registry.lesson_exercises(lesson)
    given = marks(lesson, [Answer(task.name, task.answer) for task in tasks])
    assert {name: (m.status, m.message) for name, m in given.items()} == {
        task.name: ("passed", ()) if not isinstance(task, Choice) else ("passed", m.message)
        for task in tasks
        for m in [given[task.name]]
    }
    assert all(m.points == m.of == task.points for task in tasks for m in [given[task.name]])


@pytest.mark.parametrize("lesson", LESSONS)
def test_an_untouched_lesson_gets_nothing_and_nothing_is_called_wrong(lesson: str) -> None:
    tasks = registry.lesson_exercises(lesson)
    given = marks(lesson, [Answer(task.name, task.scaffold) for task in tasks])
    assert {m.status for m in given.values()} == {"not_attempted"}
    assert sum(m.points or 0 for m in given.values()) == 0


BANK = [name for name in vars(active_mask) if name.startswith(("right_", "wrong_"))]


@pytest.mark.parametrize("name", BANK)
def test_the_verdict_is_the_one_that_the_notebook_gives(name: str) -> None:
    source = f"{inspect.getsource(active_mask)}\n\nactive_mask = {name}\n"
    given, told = mark(MASK, source), check(MASK, getattr(active_mask, name))
    assert (given.status, given.diagnosis) == (told.status, told.diagnosis)
    assert given.points == (told.points if told.passed else 0)


def test_a_wrong_answer_is_diagnosed_with_the_message_of_its_misconception() -> None:
    named = {m.name: m for m in _exercise(MASK).misconceptions}
    mistake = named["mask taken after the step"]
    body = "ended = jnp.cumsum(terminated | truncated, axis=0)\n    return ended == 0"
    given = mark(MASK, f"def active_mask(terminated, truncated):\n    {body}\n")
    assert (given.status, given.diagnosis, given.points) == ("failed", mistake.name, 0)
    assert ("Likely cause", mistake.message) in given.message


def test_only_right_on_the_visible_cases_fails_and_no_fresh_case_is_told() -> None:
    shapes = [str(case.args[0].shape) for case in _exercise(MASK).visible()]
    source = (
        "def active_mask(terminated, truncated):\n"
        "    ended = jnp.cumsum(terminated | truncated, axis=0) - (terminated | truncated)\n"
        f"    if str(terminated.shape) in {shapes!r}:\n        return ended == 0\n"
        "    return (ended == 0) & (jnp.arange(ended.shape[0])[:, None] < 3)\n"
    )
    given = mark(MASK, source)
    assert given.status == "failed"
    assert not {"Called", "Got", "Expected", "See also"} & {label for label, _ in given.message}


def test_the_same_seed_gives_the_same_marks_and_the_visible_answer_alone_never_passes() -> None:
    source = _exercise("gridworld.move").scaffold.replace("...", "0")
    first, again = (mark("gridworld.move", source) for _ in range(2))
    assert first == again
    assert first.status == "failed"


def test_an_answer_may_use_what_the_lessons_cells_and_earlier_answers_define() -> None:
    earlier = Answer("collector.running_sum", "def helper(ended):\n    return ended\n")
    later = Answer(
        MASK,
        "def active_mask(terminated, truncated):\n"
        "    ended = helper(terminated | truncated)\n"
        "    return jnp.cumsum(ended, axis=0) - ended == 0\n",
    )
    assert marks("collector", [earlier, later])[MASK].status == "passed"


def test_a_witness_that_shows_nothing_is_no_pass() -> None:
    exercise = next(
        task
        for task in registry.lesson_exercises("collector")
        if isinstance(task, Exercise) and task.broken is not None
    )
    without = exercise.answer[: exercise.answer.rindex("witness =")] + "witness = ...\n"
    assert mark(exercise.name, without).status == "failed"
    assert mark(exercise.name, exercise.answer).status == "passed"


def test_nobody_is_graded_where_the_courses_own_answers_fail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings: Any = {"seed": SEED, "sandbox": needed(), "root": ROOT}
    assert not engine.prove("gridworld", **settings)
    monkeypatch.setattr(sources, "package", lambda task, cells: {})
    said = engine.prove("gridworld", **settings)
    assert re.match(r"The course's own answer to gridworld\.\w+ isn't passed", said)


def test_choices_and_guesses_count_as_in_a_notebook() -> None:
    tasks = registry.lesson_exercises("collector")
    choice = next(task for task in tasks if isinstance(task, Choice))
    guess = next(task for task in tasks if isinstance(task, Prediction))
    wrong = next(letter for letter in choice.options if letter != choice.right)
    given = marks(
        "collector",
        [
            Answer(choice.name, f'check("{choice.name}", "{wrong}")'),
            Answer(guess.name, f'predict("{guess.name}", [1, 1, 1])'),
        ],
    )
    assert given[choice.name].status == "failed"
    assert choice.options[wrong].explanation in str(given[choice.name].message)
    assert given[guess.name].status == "passed"
    forged = f'check("{choice.name}", "{choice.right}")\ncheck("{choice.name}", "{wrong}")'
    assert mark(choice.name, forged).status == "failed"


CHOICE, GUESS = "gridworld.why_absorb", "gridworld.times_printed"


def ways(right: str) -> dict[str, tuple[str, str]]:
    """Cells of a choice, and the status of each."""
    called = f'check("{CHOICE}", "{right}")'
    return {
        "by name": (f'check(name="{CHOICE}", answer="{right}")', "passed"),
        "kept": (f"verdict = {called}\nprint(verdict.status, verdict.passed)", "passed"),
        "an error below": (f"{called}\n1 / 0", "passed"),
        "an error above": (f"1 / 0\n{called}", "error"),
        "two letters": (f'check("{CHOICE}", "z")\n{called}', "passed"),
        "in capitals": (f'check("{CHOICE}", " ({right.upper()})")', "passed"),
        "a list": (f'check("{CHOICE}", ["{right}"])', "failed"),
        "a forged record": (
            f"import gridroll.classroom as c\nc.given.extend([5, [], {{}}, [5, 5], ['{CHOICE}']])",
            "not_attempted",
        ),
        "records that are none": ("import gridroll.classroom as c\nc.given = 5", "error"),
        "deep": (f"x = []\nfor _ in range(400): x = [x]\ncheck('{CHOICE}', x)", "died"),
        "a huge number": (f"check('{CHOICE}', 10 ** 5000)", "error"),
    }


def test_a_choice_is_read_as_a_notebook_reads_it_however_it_is_written() -> None:
    choice = registry.find(CHOICE)
    assert isinstance(choice, Choice)
    cells = ways(choice.right)
    given = engine.judge_answers(
        "gridworld",
        [Answer(CHOICE, source) for source, _ in cells.values()],
        seed=SEED,
        sandbox=needed(),
        root=ROOT,
    )
    assert {n: m.status for n, m in zip(cells, given, strict=True)} == {
        name: status for name, (_, status) in cells.items()
    }


@pytest.mark.parametrize(
    ("guess", "status"),
    [
        ("np.int64(3)", "passed"),
        ("jnp.int32(3)", "failed"),
        ("...", "not_attempted"),
        ("'three'", "failed"),
        ("object()", "failed"),
        ("__import__('collections').namedtuple('A', 'b')(3)", "failed"),
    ],
)
def test_a_guess_is_read_as_a_notebook_reads_it(guess: str, status: str) -> None:
    assert mark(GUESS, f'predict("{GUESS}", {guess})').status == status


def test_of_several_guesses_the_first_of_the_right_form_is_committed() -> None:
    assert mark(GUESS, f'predict("{GUESS}", [1])\npredict("{GUESS}", 1)').status == "passed"


def test_a_fault_of_ours_leaves_one_exercise_blank_and_says_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = assess.function

    def broken(task: Exercise, *values: Any, **named: Any) -> Any:
        if task.name == "gridworld.move":
            raise KeyError("a student's own words")
        return whole(task, *values, **named)

    monkeypatch.setattr(assess, "function", broken)
    names = ("gridworld.move", "gridworld.add_reward")
    given = marks("gridworld", [Answer(name, registry.find(name).answer) for name in names])
    assert [(m.status, m.points) for m in given.values()] == [("grader_error", None), ("passed", 3)]
    assert dict(given["gridworld.move"].message)["Fault"].startswith("KeyError in test_grading_")
    assert "own words" not in str(given["gridworld.move"].message)


@pytest.mark.parametrize(
    "source",
    [
        "from gridroll.collector import rollout",
        "from gridroll import collector\nrollout = collector.rollout",
        "def rollout(*values, **named):\n    return collector.rollout(*values, **named)",
        "def rollout(world, policy, theta, key, *, num_envs, num_steps):\n"
        "    from gridroll import keys\n"
        "    reset, action = keys.rollout_keys(key, num_envs, num_steps)\n"
        "    state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset)\n"
        "    return collector.unroll(world, policy, theta, state, action)",
        "from gridroll.returns import returns_to_go as rollout",
        "from gridroll.exercises.collector.rollout import ROLLOUT\nrollout = ROLLOUT.reference",
    ],
    ids=["imported", "renamed", "wrapped", "its part", "a later lesson", "the exercise"],
)
def test_the_answer_is_not_in_the_sandbox(source: str) -> None:
    given = mark("collector.rollout", source)
    assert given.status in ("error", "failed")
    assert given.points == 0


def test_what_is_left_out_is_one_function_and_the_rest_of_the_module_stays() -> None:
    task = _exercise("collector.rollout")
    texts = sources.package(task, ["from gridroll import collector, gridworld"])
    assert "left out while this exercise is judged" in texts["gridroll.collector"]
    assert "class Trajectory" in texts["gridroll.collector"]
    assert "next_row" not in texts["gridroll.collector"]
    assert not {"gridroll.returns", "gridroll.planning"} & set(texts)
    assert "gridroll.exercises._probes" in texts
    assert {name for name in texts if ".exercises" in name} == {"gridroll.exercises._probes"}


def test_every_probe_is_in_the_module_that_goes_into_the_sandbox() -> None:
    for lesson in registry.lessons():
        for task in registry.lesson_exercises(lesson):
            if isinstance(task, Exercise) and task.probe is not None:
                name = getattr(task.probe, "__name__", "")
                assert getattr(_probes, name, None) is task.probe, task.name
    imports = sources.imported(Path(inspect.getfile(_probes)).read_text(encoding="utf-8"))
    assert not [name for name in imports if name.startswith("gridroll.exercises")]


def _exercise(name: str) -> Exercise:
    task = registry.find(name)
    assert isinstance(task, Exercise)
    return task
