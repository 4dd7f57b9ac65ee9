"""The tables that end a run: nothing in them is cut, in a pipe and on a terminal of any width."""

import contextlib
import os
import pty
import subprocess
from pathlib import Path

import pytest
from grade_runs import answered, script, write_root
from handed_in import write_folder

from gridroll.classroom.grading import columns

HEADINGS = ["03_collector", "passed", "not attempted"]
ROWS = [["collector.rollout_of_many_steps", "7", "12"], ["collector.mask", "", "3"]]


def test_columns_are_as_wide_as_their_longest_text() -> None:
    assert columns.lines(HEADINGS, ROWS) == [
        "03_collector                     passed  not attempted",
        "------------------------------------------------------",
        "collector.rollout_of_many_steps       7             12",
        "collector.mask                                       3",
    ]


def test_a_column_of_names_begins_at_the_left() -> None:
    rows = [["a", "x", "1"], ["bbb", "yyyy", "22"]]
    assert columns.lines(["Name", "In", "n"], rows, left=["In"])[2:] == [
        "a     x      1",
        "bbb   yyyy  22",
    ]


def test_a_table_that_is_wider_than_the_terminal_becomes_a_list() -> None:
    assert columns.lines(HEADINGS, ROWS, 54) == columns.lines(HEADINGS, ROWS)
    assert columns.lines(HEADINGS, ROWS, 53) == [
        "03_collector",
        "------------",
        "collector.rollout_of_many_steps",
        "  passed: 7, not attempted: 12",
        "collector.mask",
        "  not attempted: 3",
    ]


@pytest.mark.parametrize("width", [1, 10, 20, 40, 80, None])
def test_no_word_is_cut_and_no_number_parted_from_its_word_at_any_width(width: int | None) -> None:
    lines = columns.lines(HEADINGS, ROWS, width)
    text = "\n".join(lines)
    names = [row[0] for row in ROWS]
    assert all(name in text.split() for name in [*names, "03_collector"])
    if width in (1, 10, 20, 40):
        assert {"passed: 7", "not attempted: 12", "not attempted: 3"} <= {
            part for line in lines for part in line.strip().rstrip(",").split(", ")
        }


@pytest.mark.parametrize("width", [24, 300])
def test_a_run_asks_its_terminal_how_wide_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    root = write_root(tmp_path, monkeypatch)
    write_folder(root / "class", {"ada.ipynb": answered("good")})
    ours, theirs = pty.openpty()
    with contextlib.closing(os.fdopen(ours, "rb", buffering=0)) as screen:
        subprocess.run(
            script("grade", "class", "--out", "reports"),
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"COLUMNS": str(width)},
            check=True,
        )
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of what a terminal shows
            while part := screen.read(4096):
                shown += part
    lines = shown.decode().split("\r\n")
    assert ("collector.rollout" in lines) == (width == 24)
    assert any(line.startswith("collector.rollout  ") for line in lines) == (width == 300)
