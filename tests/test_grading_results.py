"""A result is one line, and on the disk before it counts."""

import os
from pathlib import Path

import pytest

from gridroll.classroom.grading import outcome, place
from gridroll.classroom.grading.outcome import Outcome
from gridroll.classroom.grading.records import Mark
from gridroll.classroom.grading.results import Results


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    folder.mkdir()
    return folder


def test_nothing_of_a_long_torn_line_stays(out: Path) -> None:
    made = Outcome("ada", "a", "d", (Mark("a.b", "passed", 3, 3),))
    path = out / place.RESULTS
    path.write_text(outcome.to_line(made) + "x" * 5000)
    with Results(path) as results:
        results.add(made)
    assert path.read_text() == 2 * outcome.to_line(made)


def test_an_outcome_survives_its_line_whatever_a_student_wrote() -> None:
    text = "\ud800 \u2028 </script> =1+1 \x00"
    mark = Mark("a.b", "failed", 0, 3, True, "idea", (("Got", text), ("", text)))
    made = Outcome(text, "a", "digest", (mark,), (outcome.Note("file", text),))
    line = outcome.to_line(made)
    assert line.isascii()
    assert line.count("\n") == 1
    assert outcome.from_line(line) == made


def test_two_outcomes_of_one_notebook_leave_the_later_one(out: Path) -> None:
    blank = Outcome("ada", "a", "d", (Mark("a.b", "grader_error", None, 3),))
    good = Outcome("ada", "a", "d", (Mark("a.b", "passed", 3, 3),))
    with Results(out / place.RESULTS) as results:
        results.add(blank)
        assert not results.finished(blank.key)
        results.add(good)
    with Results(out / place.RESULTS) as results:
        assert results.finished(good.key)
        assert list(results.outcomes.values()) == [good]


def test_a_result_is_on_the_disk_before_it_counts(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr("os.fsync", lambda handle: sizes.append(os.fstat(handle).st_size))
    made = Outcome("ada", "a", "d", (Mark("a.b", "passed", 3, 3),))
    with Results(out / place.RESULTS) as results:
        results.add(made)
    assert sizes == [len(outcome.to_line(made))]
