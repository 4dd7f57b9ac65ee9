"""What concerns the whole notebook is said once, at the top, to the student."""

import json
from pathlib import Path
from typing import Any

import pytest
from grade_runs import stand_in, write_root
from graded import Page
from handed_in import data, filled, write_folder
from typer.testing import CliRunner

from gridroll.classroom.cli import app
from gridroll.classroom.grading import preface

AGAIN = " Ask whether you may hand it in again."
FRESH = " To mend this, put the answer into its cell of a fresh copy of the lesson." + AGAIN
runner = CliRunner()


def row(
    *statuses: str, remarks: tuple[str, ...] = (), notes: tuple[tuple[str, str], ...] = ()
) -> dict[str, Any]:
    """A row with exercises a.b1, a.b2, ... and one cell to be read, of the statuses."""
    *marks, reading = [{"status": status} for status in statuses]
    return {
        "marks": [mark | {"exercise": f"a.b{n}"} for n, mark in enumerate(marks, start=1)],
        "manual": [reading | {"name": "a.essay"}],
        "remarks": remarks,
        "notes": [{"kind": kind, "text": text} for kind, text in notes],
    }


@pytest.mark.parametrize(
    ("about", "lines"),
    [
        (row("passed", "failed", "to_read"), []),
        (
            row("missing", "passed", "to_read"),
            ["The answer cell of a.b1 is missing from your notebook." + FRESH],
        ),
        (
            row("missing", "missing", "missing", "passed", "missing"),
            [
                "The answer cells of a.b1, a.b2, a.b3 and a.essay are missing from your notebook."
                + FRESH
            ],
        ),
        (
            row("missing", "missing", "missing"),
            ["None of this lesson's answer cells is in your notebook." + FRESH],
        ),
        (
            row("tampered", "passed", "to_read"),
            [
                "The answer cell of a.b1 is no code cell any more. To mend this, make it a code "
                "cell again (in Jupyter: Esc, then Y)." + AGAIN
            ],
        ),
        (
            row("tampered", "tampered", "to_read"),
            [
                "The answer cells of a.b1 and a.b2 are no code cells any more. To mend this, make "
                "it a code cell again (in Jupyter: Esc, then Y)." + AGAIN
            ],
        ),
        (
            row("malformed", "malformed", notes=(("malformed", "It can't be read: x."),)),
            ["It can't be read: x. To mend this, open it in Jupyter and save it." + AGAIN],
        ),
        (
            row(
                "malformed", "passed", "to_read", notes=(("malformed", "a.b1: it holds no text."),)
            ),
            ["a.b1: it holds no text." + FRESH],
        ),
        (
            row("passed", "to_read", notes=(("tampered", "points"), ("duplicate", "Two cells."))),
            ["Two cells."],
        ),
    ],
)
def test_what_is_wrong_with_cells_is_said_once_with_what_to_do(
    about: dict[str, Any], lines: list[str]
) -> None:
    assert preface.lines(about) == lines


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_root(tmp_path, monkeypatch)
    stand_in(monkeypatch)


def page_of(student: str) -> Page:
    return Page(Path(f"reports/feedback/{student}.html").read_text())


@pytest.mark.usefixtures("here")
def test_a_notebook_of_another_lesson_says_so_to_its_student() -> None:
    files = {"ada.ipynb": data("04_returns"), "bob/04_returns.ipynb": data("03_collector")}
    files |= {"eve.ipynb": data("03_collector"), "eve (1).ipynb": data("03_collector", {})}
    write_folder(Path("class"), files)
    runner.invoke(app, ["grade", "class", "--out", "reports", "--lesson", "3"])
    words = page_of("ada").words
    assert "Your notebook is graded as 03_collector, but it is 04_returns." + AGAIN in words
    assert "None of this lesson's" not in words
    named = "Your notebook is named after 04_returns, but it is 03_collector."
    assert named in page_of("bob").words
    counts = "You handed in 2 notebooks: eve (1).ipynb counts, not eve.ipynb."
    assert counts in page_of("eve").words


@pytest.mark.usefixtures("here")
def test_a_missing_answer_cell_is_told_at_the_top_and_in_its_result_and_nowhere_else() -> None:
    notebook = filled("03_collector")
    own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "def rollout(x): ..."}
    notebook["cells"][1] = own
    write_folder(Path("class"), {"ada.ipynb": json.dumps(notebook).encode()})
    runner.invoke(app, ["grade", "class", "--out", "reports"])
    words = page_of("ada").words
    assert words.count("missing") == 2
    assert words.index("The answer cell of collector.rollout is missing") < words.index(
        "Results of"
    )
