"""A real nbgrader takes the lessons as they are: full marks for right answers, none for none.

It is set up as the page for instructors says. `make test` puts it beside the environment.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gridroll.classroom import registry
from gridroll.classroom.checking import VERDICT_MIME
from lessons import MOST_PROGRAMS, ROOT, STEMS, counted, filled, notebook, outputs, role, write

ASSIGNMENT = "course"
READ = """
from nbgrader.api import Gradebook, SubmittedNotebook
with Gradebook("sqlite:///gradebook.db") as book:
    for sent in book.db.query(SubmittedNotebook):
        print(sent.name, sent.score, sent.max_score, sent.needs_manual_grade, sep=",")
"""
PYTHON = Path(f"{sys.prefix}-nbgrader") / "bin" / "python"


def points_of(stem: str) -> int:
    """What a lesson's exercises are worth together, by the registry."""
    return sum(task.points for task in registry.lesson_exercises(stem.partition("_")[2]))


def started(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """nbgrader, begun in a folder that holds a course."""
    if not PYTHON.exists():
        told = "nbgrader isn't there: `make test` sets it up"
        pytest.fail(told) if os.environ.get("CI") == "true" else pytest.skip(told)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    environment = os.environ | {
        "JAX_PLATFORMS": "cpu",
        "PATH": f"{PYTHON.parent}:{os.environ['PATH']}",
    }
    return subprocess.Popen(
        [str(PYTHON), "-m", "nbgrader", *arguments], cwd=folder, env=environment, **pipes
    )


def nbgrader(folder: Path, *arguments: str) -> str:
    """What nbgrader says; it has to succeed."""
    process = started(folder, *arguments)
    told, _ = process.communicate()
    assert process.returncode == 0, told
    return told


def a_course(folder: Path) -> Path:
    """A course of nbgrader's with all lessons as one assignment, as the instructor's page says."""
    page = (ROOT / "instructors" / "grading.md").read_text(encoding="utf-8")
    (settings,) = re.findall(r"```python\n(c = get_config\(\)\n.*?)```", page, re.DOTALL)
    source = folder / "source" / ASSIGNMENT
    source.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    for stem in STEMS:
        shutil.copy(ROOT / "lessons" / f"{stem}.ipynb", source)
    nbgrader(folder, "generate_assignment", ASSIGNMENT)
    return folder


def hand_in(course: Path, student: str, fill: bool) -> None:
    """What was released, with the reference answers or without any."""
    for path in sorted((course / "release" / ASSIGNMENT).glob("*.ipynb")):
        made = notebook(str(path.parent), path.stem)
        place = course / "submitted" / student / ASSIGNMENT / path.name
        place.parent.mkdir(parents=True, exist_ok=True)
        write(counted(filled(made), programs(course, path.stem)) if fill else made, place)


def programs(course: Path, stem: str) -> Path:
    """Where a lesson writes how many programs it compiled."""
    return course / f"{stem}.txt"


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A course for each of two students, marked by nbgrader."""
    courses = {who: a_course(tmp_path_factory.mktemp(who)) for who in ("full", "untouched")}
    for who, course in courses.items():
        hand_in(course, who, fill=who == "full")
    running = [started(course, "autograde", ASSIGNMENT) for course in courses.values()]
    for process in running:
        told, _ = process.communicate()
        assert process.returncode == 0, told
    return courses


@pytest.fixture(scope="module")
def marks(courses: Mapping[str, Path]) -> Mapping[tuple[str, str], tuple[float, float]]:
    """(student, lesson) -> points and of how many, as nbgrader keeps them."""
    found = {}
    for who, course in courses.items():
        done = subprocess.run(
            [str(PYTHON), "-c", READ], cwd=course, capture_output=True, text=True, check=True
        )
        for stem, score, of, by_hand in csv.reader(done.stdout.splitlines()):
            assert by_hand == "False", (who, stem)
            found[who, stem] = (float(score), float(of))
    return found


@pytest.mark.parametrize("stem", STEMS)
def test_nbgrader_gives_full_marks_for_the_reference_answers(
    stem: str, marks: Mapping[tuple[str, str], tuple[float, float]]
) -> None:
    assert marks["full", stem] == (points_of(stem), points_of(stem))


@pytest.mark.parametrize("stem", STEMS)
def test_a_lesson_with_the_reference_answers_passes_each_check_without_an_error(
    stem: str, courses: Mapping[str, Path]
) -> None:
    made = notebook(str(courses["full"] / "autograded" / "full" / ASSIGNMENT), stem)
    shown = list(outputs(made))
    assert not [output for output in shown if output.output_type == "error"]
    verdicts = [output.get("data", {}).get(VERDICT_MIME) for output in shown]
    assert {told["name"]: told["status"] for told in verdicts if told} == {
        task.name: "passed" for task in registry.lesson_exercises(stem.partition("_")[2])
    }
    assert 0 < int(programs(courses["full"], stem).read_text()) <= MOST_PROGRAMS


@pytest.mark.parametrize("stem", STEMS)
def test_nbgrader_gives_nothing_for_an_untouched_copy(
    stem: str, marks: Mapping[tuple[str, str], tuple[float, float]]
) -> None:
    assert marks["untouched", stem] == (0, points_of(stem))


def test_nbgrader_validates_a_right_lesson_and_names_what_is_open(tmp_path: Path) -> None:
    stem = STEMS[0]
    made = notebook("lessons", stem)
    assert "Success" in nbgrader(
        tmp_path, "validate", str(write(filled(made), tmp_path / "a" / "1.ipynb"))
    )
    told = nbgrader(tmp_path, "validate", str(ROOT / "lessons" / f"{stem}.ipynb"))
    checks = sum(role(cell)[0] in ("check", "standing") for cell in made.cells)
    assert f"VALIDATION FAILED ON {checks} CELL(S)" in told
