"""Every lesson that there is: recorded in full, silent, described, and worth nothing untouched.

That right answers are worth all of it, `test_nbgrader.py` and `test_grading_engine.py` hold.
That the recorded text still comes out of the code is compared by nbval, which `pytest` runs over
solutions/, and by `gridroll build --check`, which one test here runs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gridroll.classroom import outputs as reading
from gridroll.classroom import registry
from gridroll.classroom.headless import check_notebook
from lessons import (
    MOST_PROGRAMS,
    ROOT,
    STEMS,
    counted,
    cut_after,
    filled,
    notebook,
    outputs,
    role,
    write,
)

MARKDOWN_PICTURE = re.compile(r"!\[(?P<alt>(?:\\.|[^\]\\])*)\]\((?P<target>[^)\s]*)\)")
each_lesson = pytest.mark.parametrize("stem", STEMS)


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
    programs = tmp_path / "programs.txt"
    made = counted(notebook("lessons", stem), programs)
    remarks: list[str] = []
    path = write(made, tmp_path / "workbook" / f"{stem}.ipynb")
    records = check_notebook(path, root=ROOT, say=remarks.append)
    assert remarks == []
    assert {record.status for record in records} == {"not_attempted"}
    assert sum(record.points for record in records) == 0
    assert 0 < int(programs.read_text()) <= MOST_PROGRAMS


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
