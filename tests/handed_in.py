"""A made-up course and what its students hand in, for the tests of grading."""

import copy
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridroll.classroom.grading import course
from gridroll.classroom.grading.course import Lesson

BEYOND = ("returns.beyond",)
# module -> exercise -> points; with a check cell where it is a function
ASKED = {
    "03_collector": {"collector.rollout": 6, "collector.mask": 3, "collector.guess": 1},
    "04_returns": {"returns.sums": 5, "returns.beyond": 4, "returns.essay": 8},
}
CHECKED = ("collector.rollout", "collector.mask", "returns.sums", "returns.beyond")
READ = ("returns.essay",)


def scaffold(exercise: str) -> str:
    """The answer cell of a lesson that nobody has worked in."""
    if exercise in READ:
        return "*Your answer.*"
    if exercise in CHECKED:
        return f"def {exercise.partition('.')[2]}(x):\n    raise NotImplementedError"
    return f'predict("{exercise}", ...)'


def _cells(exercise: str, points: int) -> list[dict[str, Any]]:
    grade_id = exercise.replace(".", "-")
    read, checked = exercise in READ, exercise in CHECKED
    role = "manual" if read else "answer"
    nbgrader = {"grade": not checked, "grade_id": grade_id, "locked": False, "schema_version": 3}
    nbgrader |= {"solution": True, "task": False} | ({} if checked else {"points": points})
    answer = {
        "cell_type": "markdown" if read else "code",
        "id": f"{role}-{grade_id}",
        "metadata": {"gridroll": {"exercise": exercise, "role": role}, "nbgrader": nbgrader},
        "source": scaffold(exercise),
    }
    if not checked:
        return [answer]
    nbgrader = {"grade": True, "grade_id": f"{grade_id}-check", "locked": True}
    nbgrader |= {"schema_version": 3, "solution": False, "task": False, "points": points}
    check = {
        "cell_type": "code",
        "id": f"check-{grade_id}",
        "metadata": {"gridroll": {"exercise": exercise, "role": "check"}, "nbgrader": nbgrader},
        "source": f'check("{exercise}", {exercise.partition(".")[2]})',
    }
    return [answer, check]


def lesson_notebook(stem: str) -> dict[str, Any]:
    """The notebook of a lesson, as the course gives it out."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": f"text-{stem}", "metadata": {}, "source": f"# {stem}\n\nA"}
    ]
    for exercise, points in ASKED[stem].items():
        cells += _cells(exercise, points)
    for cell in cells:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    number, _, module = stem.partition("_")
    about = {"lesson": number, "module": module, "title": stem}
    return {"cells": cells, "metadata": {"gridroll": about}, "nbformat": 4, "nbformat_minor": 5}


def filled(stem: str, answers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A lesson with `answers`, by exercise; without them every answer is "answered"."""
    notebook = copy.deepcopy(lesson_notebook(stem))
    for cell in notebook["cells"]:
        about = cell["metadata"].get("gridroll", {})
        if about.get("role") in ("answer", "manual"):
            wanted = "answered" if answers is None else answers.get(about["exercise"])
            cell["source"] = cell["source"] if wanted is None else wanted
    return notebook


def data(stem: str = "03_collector", answers: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a notebook that was handed in."""
    return json.dumps(filled(stem, answers)).encode()


def write_course(folder: Path) -> dict[str, Lesson]:
    """Write the lessons into `folder` and return them as grading sees them."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem in ASKED:
        (folder / f"{stem}.ipynb").write_text(json.dumps(lesson_notebook(stem)))
    return course.load(folder, lambda module: BEYOND)


def write_folder(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write `files` below `root`."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def write_zip(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write `files` into a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path
