"""A question that a person reads: in the lesson without its answer, and marked by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from toy_lesson import HEAD, TASKS, write_project

from gridroll.classroom import build_command, headless, registry, status
from gridroll.classroom.build_command import Project
from gridroll.classroom.exercise import Open
from gridroll.classroom.grading import course, extract
from gridroll.classroom.grading.course import Item
from gridroll.classroom.progress_file import Progress

WHY = Open(
    "toy.why",
    "Why it doubles",
    "Say in two sentences why `double` doubles.",
    3,
    "It multiplies by two.\n\nAnd $2x$ is twice $x$.",
    ("Something is multiplied by 2.", "Nothing is added."),
    leaks=("multiplies",),
)
CODE = (
    "standing = print  # the classroom's own knows the real lessons alone",
    "# exercise: toy.guess",
    "# exercise: toy.double",
    "# exercise: toy.why",
)
SOURCE = "\n".join([f"{HEAD}\n# 07 A toy\n", *(f"```{{code-cell}}\n{x}\n```\n" for x in CODE)])


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project(*write_project(tmp_path_factory.mktemp("open"), SOURCE))
    with pytest.MonkeyPatch.context() as patch:
        known(patch)
        patch.setenv("GRIDROLL_PROGRESS", "off")
        assert build_command.run(project, say=print) == 0
    return project.root


def known(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(registry, "lesson_exercises", lambda module: TASKS)
    patch.setattr(registry, "open_questions", lambda module: (WHY,))


def cells(root: Path, folder: str) -> dict[str, dict[str, Any]]:
    made = json.loads((root / folder / "07_toy.ipynb").read_text())["cells"]
    return {cell["id"]: cell | {"source": "".join(cell["source"])} for cell in made}


def test_the_solution_holds_a_model_answer_and_how_it_is_marked(root: Path) -> None:
    made = cells(root, "solutions")
    assert made["manual-toy-why"]["source"] == WHY.answer
    assert made["guide-toy-why"]["source"] == (
        "A good answer says:\n\n- Something is multiplied by 2.\n- Nothing is added."
    )


def test_the_lesson_holds_a_place_to_write_and_nothing_of_the_answer(root: Path) -> None:
    made = cells(root, "lessons")
    assert made["exercise-toy-why"]["source"] == (
        "### Why it doubles\n\n"
        "*3 points · a person reads it · write in the next cell, in place of its text*\n\n"
        "Say in two sentences why `double` doubles."
    )
    names = list(made)
    assert names[names.index("exercise-toy-why") + 1] == "manual-toy-why"
    assert made["manual-toy-why"]["cell_type"] == "markdown"
    assert made["manual-toy-why"]["source"] == "*Your answer here.*"
    assert "guide-toy-why" not in made
    assert "check-toy-why" not in made
    everything = " ".join(cell["source"] for cell in made.values())
    assert "multipli" not in everything


@pytest.mark.parametrize("folder", ["lessons", "solutions"])
def test_its_cell_is_one_that_nbgrader_has_a_person_mark(root: Path, folder: str) -> None:
    assert cells(root, folder)["manual-toy-why"]["metadata"] == {
        "gridroll": {"exercise": "toy.why", "role": "manual"},
        "nbgrader": {
            "grade": True,
            "grade_id": "toy-why",
            "locked": False,
            "points": 3,
            "schema_version": 3,
            "solution": True,
            "task": False,
        },
    }


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("*Your answer here.*", ("not_attempted", "")),
        ("Because.", ("to_read", "Because.")),
    ],
)
def test_grading_gives_it_to_a_person_unless_nothing_was_written(
    root: Path, written: str, expected: tuple[str, str]
) -> None:
    lesson = course.load(root / "lessons", lambda module: [])["toy"]
    (item,) = lesson.manual
    assert isinstance(item, Item)
    assert (item.name, item.points, item.check) == ("toy.why", 3, None)
    assert [each.name for each in lesson.exercises] == ["toy.guess", "toy.double"]
    handed_in = json.loads((root / "lessons" / "07_toy.ipynb").read_text())
    for cell in handed_in["cells"]:
        if cell["id"] == "manual-toy-why":
            cell["source"] = written
    (reading,) = extract.extract(json.dumps(handed_in).encode(), lesson).readings
    assert (reading.status, reading.text, reading.of) == (*expected, 3)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "# 07 A toy\n",
            "# 07 A toy\n\nIt multiplies.\n",
            "toy.why: its answer 'multiplies' can be read before it: 'It multiplies.'",
        ),
        ("# exercise: toy.why", "2", "the source has no '# exercise: toy.why'"),
        ("# exercise: toy.double", CODE[3], "exercise 'toy.why' stands twice in the source"),
    ],
)
def test_a_source_that_gives_it_away_or_not_once_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, reason: str
) -> None:
    project = Project(*write_project(tmp_path, SOURCE.replace(old, new)))
    with pytest.MonkeyPatch.context() as patch:
        known(patch)
        assert build_command.run(project, say=lambda line: None) == 2
    assert f"gridroll: 07_toy: {reason}\n" in capsys.readouterr().err


def test_no_check_and_no_status_counts_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known(monkeypatch)
    monkeypatch.setattr(registry, "lessons", lambda: ("toy",))
    records = headless.check_notebook(root / "lessons" / "07_toy.ipynb", root=root)
    assert [record.name for record in records] == ["toy.guess", "toy.double"]
    (found,) = status.course_status(root, Progress())
    assert found.points == (0, sum(task.points for task in TASKS))


def test_a_lesson_declares_it_in_open_and_most_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import gridroll.exercises.collector as declared

    assert registry.open_questions("toy") == ()
    monkeypatch.setattr(declared, "OPEN", (WHY,), raising=False)
    assert registry.open_questions("collector") == (WHY,)
    assert WHY.name not in {task.name for task in registry.lesson_exercises("collector")}
