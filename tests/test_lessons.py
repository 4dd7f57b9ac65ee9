"""Every lesson that there is: recorded in full, silent, described, and gradable from 0 to all.

That the recorded text still comes out of the code is compared by nbval, which `pytest` runs over
solutions/, and by `gridroll build --check`, which one test here runs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from gridroll.classroom import outputs as reading
from gridroll.classroom import registry
from gridroll.classroom.headless import Record, check_notebook
from lessons import ROOT, STEMS, cut_after, filled, notebook, outputs, role, write

# A lesson is at most 20 seconds of work; `make bench BENCH=lessons` measures that. Most of the work
# is compiling, so here the programs are counted: as many on every machine, however busy it is.
MOST_PROGRAMS = 350
COUNT = """
import jax

_compiled = []

@jax.monitoring.register_event_duration_secs_listener
def _count(event, seconds, **about):
    if event.endswith("backend_compile_duration"):
        _compiled.append(seconds)
"""
MARKDOWN_PICTURE = re.compile(r"!\[(?P<alt>(?:\\.|[^\]\\])*)\]\((?P<target>[^)\s]*)\)")
each_lesson = pytest.mark.parametrize("stem", STEMS)


def run(made: Any, folder: Path, stem: str) -> tuple[list[Record], int]:
    """What the checks of a notebook say, and how many programs it compiled."""
    count = folder / "programs.txt"
    write_count = f"from pathlib import Path\nPath({str(count)!r}).write_text(str(len(_compiled)))"
    made.cells.insert(0, nbformat.v4.new_code_cell(COUNT))
    made.cells.append(nbformat.v4.new_code_cell(write_count))
    remarks: list[str] = []
    path = write(made, folder / "workbook" / f"{stem}.ipynb")
    records = check_notebook(path, root=ROOT, say=remarks.append)
    assert remarks == []
    return records, int(count.read_text())


def test_there_are_lessons() -> None:
    assert STEMS


def test_build_check_finds_nothing_that_differs() -> None:
    command = [sys.executable, "-c", "from gridroll.classroom.cli import app; app()", "build"]
    done = subprocess.run(
        [*command, "--check", "--root", str(ROOT)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing differs." in done.stdout


@each_lesson
def test_every_code_cell_of_a_solution_was_executed(stem: str) -> None:
    counts = [c.execution_count for c in notebook("solutions", stem).cells if c.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert counts


@each_lesson
def test_a_solution_is_silent_on_stderr_and_without_errors(stem: str) -> None:
    for output in outputs(notebook("solutions", stem)):
        assert output.output_type != "error"
        assert output.get("name") != "stderr"


@each_lesson
def test_every_picture_says_in_words_what_it_shows(stem: str) -> None:
    pictures = 0
    for output in filter(reading.is_picture, outputs(notebook("solutions", stem))):
        pictures += 1
        assert len(reading.alt_of(output).split()) >= 5
        assert reading.alt_of(output) == output.data["text/plain"]
    for folder in ("solutions", "lessons"):
        prose = "\n".join(c.source for c in notebook(folder, stem).cells if c.cell_type != "code")
        assert "<img" not in prose
        for picture in MARKDOWN_PICTURE.finditer(prose):
            pictures += 1
            assert len(picture["alt"].split()) >= 5
            if "://" not in picture["target"]:
                assert (ROOT / folder / picture["target"]).is_file()
    assert pictures >= 2


@each_lesson
def test_every_figure_has_a_title_and_its_numbers_beside_it(stem: str) -> None:
    figures = sorted((ROOT / "figures").glob(f"{stem[:2]}_*.svg"))
    assert figures
    for figure in figures:
        drawing = figure.read_text(encoding="utf-8")
        assert 'role="img"' in drawing
        assert re.search(r"<title>[^<]{20,}</title>", drawing)
        assert figure.with_suffix(".json").is_file()


@each_lesson
def test_a_lesson_holds_no_output_and_no_answer(stem: str) -> None:
    lesson = notebook("lessons", stem)
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    everything = "\n".join(cell.source for cell in lesson.cells)
    for exercise in registry.lesson_exercises(stem.partition("_")[2]):
        assert exercise.answer.strip() not in everything


@each_lesson
def test_a_lesson_is_commonmark(stem: str) -> None:
    for cell in notebook("lessons", stem).cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"^\s*(`{3,}|:{3,})\{|\{\{|\{[a-z]+\}`", cell.source, re.MULTILINE)


@each_lesson
def test_an_untouched_lesson_runs_without_an_error_and_scores_nothing(
    stem: str, tmp_path: Path
) -> None:
    records, programs = run(notebook("lessons", stem), tmp_path, stem)
    assert {record.status for record in records} == {"not_attempted"}
    assert sum(record.points for record in records) == 0
    assert 0 < programs <= MOST_PROGRAMS


@each_lesson
def test_a_lesson_filled_with_the_answers_scores_full_marks(stem: str, tmp_path: Path) -> None:
    records, programs = run(filled(notebook("lessons", stem)), tmp_path, stem)
    assert {record.name: record.status for record in records} == {
        exercise.name: "passed" for exercise in registry.lesson_exercises(stem.partition("_")[2])
    }
    assert all(record.points == record.of > 0 for record in records)
    assert 0 < programs <= MOST_PROGRAMS


@each_lesson
def test_a_deliberate_error_in_the_students_cell_shows_up_in_the_check(
    stem: str, tmp_path: Path
) -> None:
    lesson = notebook("lessons", stem)
    first = next(index for index, cell in enumerate(lesson.cells) if role(cell)[0] == "check")
    name = role(lesson.cells[first])[1]
    short = name.partition(".")[2]
    wrong = f"def {short}(*inputs, **settings):\n    return 'deliberately wrong'"
    made = cut_after(filled(lesson, **{short: wrong}), first)
    records = check_notebook(write(made, tmp_path / "workbook" / f"{stem}.ipynb"), root=ROOT)
    (record,) = [record for record in records if record.name == name]
    assert record.status in ("failed", "error")
    assert record.points == 0


@pytest.mark.parametrize("corrupt", [False, True], ids=["intact", "corrupted"])
def test_nbval_notices_when_one_recorded_output_is_corrupted(corrupt: bool, tmp_path: Path) -> None:
    solution = notebook("solutions", STEMS[0])
    texts = [
        (index, output)
        for index, cell in enumerate(solution.cells)
        for output in cell.get("outputs", ())
        if re.search(r"\d", reading.text_of(output)) and not reading.is_picture(output)
    ]
    index, output = texts[0]
    if corrupt:
        text = reading.text_of(output)
        digit = re.search(r"\d", text)
        assert digit is not None
        changed = text[: digit.start()] + str(9 - int(digit[0])) + text[digit.end() :]
        if output.output_type == "stream":
            output.text = changed + "\n"
        else:
            output.data["text/plain"] = changed
    path = write(cut_after(solution, index), tmp_path / "solutions" / "cut.ipynb")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml")]
    command += ["--rootdir", str(ROOT), "-p", "conftest", "-p", "no:cacheprovider", "-n", "0"]
    done = subprocess.run(
        [*command, str(path)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == int(corrupt), done.stdout + done.stderr
    assert "1 failed" in done.stdout if corrupt else "passed" in done.stdout
