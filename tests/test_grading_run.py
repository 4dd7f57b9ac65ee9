"""A run loses nothing, and our faults are no zeros."""

import functools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fake_engine
import pytest
from grade_runs import until
from handed_in import data, write_course, write_folder

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import archive, intake, place, run, workers
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Submission
from gridroll.classroom.grading.outcome import Outcome
from gridroll.classroom.grading.records import Answer, Mark


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    folder.mkdir()
    return folder


def handed(
    tmp_path: Path, lessons: Mapping[str, Lesson], answers: Mapping[str, str]
) -> tuple[Submission, ...]:
    """One notebook of lesson 03 from each student, with their answer to its first exercise."""
    files = {
        f"{student}.ipynb": data("03_collector", {"collector.rollout": answer})
        for student, answer in answers.items()
    }
    with archive.opened(write_folder(tmp_path / "class", files)) as contents:
        return intake.take_in(contents, lessons).submissions


def first(outcomes: Mapping[tuple[str, str, str], Outcome]) -> dict[str, tuple[str, int | None]]:
    """Status and points of each student's first exercise."""
    return {o.student: (o.marks[0].status, o.marks[0].points) for o in outcomes.values()}


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / place.RESULTS).read_text().splitlines()]


PASSED, FAILED, BLANK = ("passed", 6), ("failed", 0), ("grader_error", None)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_submission_is_judged_once_and_has_one_line(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, jobs: int
) -> None:
    answers = {"ada": "good", "bob": "fail late_mask", "eve": "good", "zoe": "fail"}
    told: list[tuple[int, int]] = []
    found = run.grade(
        handed(tmp_path, lessons, answers),
        lessons,
        fake_engine.judge_answers,
        out,
        jobs=jobs,
        tell=lambda outcome, done, of: told.append((done, of)),
    )
    assert first(found) == {"ada": PASSED, "bob": FAILED, "eve": PASSED, "zoe": FAILED}
    assert sorted(str(line["student"]) for line in lines(out)) == ["ada", "bob", "eve", "zoe"]
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("fault", ["boom", "die", "odd"])
def test_a_fault_of_ours_leaves_one_submission_blank_and_the_batch_goes_on(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, fault: str
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "good", "bob": fault, "eve": "good"})
    found = run.grade(submissions, lessons, fake_engine.judge_answers, out, jobs=2)
    assert first(found) == {"ada": PASSED, "bob": BLANK, "eve": PASSED}
    (bob,) = [each for each in found.values() if each.student == "bob"]
    assert [mark.status for mark in bob.marks] == ["grader_error"] * 3
    assert [note.kind for note in bob.notes] == ["grader_error"]


@pytest.mark.parametrize(
    ("proof", "said"),
    [("no", "no collector"), ("die", "process was ended"), ("boom", "RuntimeError")],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_is_kept_where_the_courses_own_answers_fail(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, jobs: int, proof: str, said: str
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "good", "bob": "good"})
    prove = functools.partial(fake_engine.prove_as_told, proof)
    with pytest.raises(UserError, match=said):
        run.grade(submissions, lessons, fake_engine.judge_answers, out, prove=prove, jobs=jobs)
    assert lines(out) == []


def test_what_is_judged_beside_the_proof_waits_for_it(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path
) -> None:
    judged, proven = tmp_path / "judged", tmp_path / "proven"
    answers = {"ada": "good", "bob": "good", "eve": f"touch {judged}"}
    told: list[bool] = []
    with ThreadPoolExecutor() as threads:
        found = threads.submit(
            run.grade,
            handed(tmp_path, lessons, answers),
            lessons,
            fake_engine.judge_answers,
            out,
            prove=functools.partial(fake_engine.prove_as_told, f"wait {proven}"),
            jobs=2,
            tell=lambda outcome, done, of: told.append(proven.exists()),
        )
        until(judged.exists)
        assert lines(out) == []
        proven.touch()
        assert set(first(found.result()).values()) == {PASSED}
    assert told == [True] * 3
    assert [line["student"] for line in lines(out)] == ["ada", "bob", "eve"]


def test_a_worker_that_was_ended_from_outside_is_replaced_and_its_task_tried_again(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path
) -> None:
    answers = {"ada": f"die-once {tmp_path / 'died'}", "bob": "good"}
    found = run.grade(handed(tmp_path, lessons, answers), lessons, fake_engine.judge_answers, out)
    assert (tmp_path / "died").exists()
    assert first(found) == {"ada": PASSED, "bob": PASSED}


def test_a_fault_of_ours_is_told_in_the_same_words_in_every_run(
    tmp_path: Path, lessons: dict[str, Lesson]
) -> None:
    def broken(module: str, answers: Sequence[Answer]) -> list[Mark]:
        raise ValueError(f"no {object()}")

    (ada,) = handed(tmp_path, lessons, {"ada": "good"})
    (note,) = run.one(broken, run.Job(ada, lessons["collector"])).notes
    assert note.text.endswith(": no <object object at 0x...>")
    (tmp_path / "class" / "ada.ipynb").unlink()
    (note,) = run.one(broken, run.Job(ada, lessons["collector"])).notes
    assert note.text.endswith(": No such file or directory")


def test_a_notebook_that_changes_meanwhile_is_blank_and_not_judged_as_the_old_one(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "good", "bob": "good"})
    (tmp_path / "class" / "bob.ipynb").write_bytes(data())
    found = run.grade(submissions, lessons, fake_engine.judge_answers, out)
    assert first(found) == {"ada": PASSED, "bob": BLANK}


class Counted:
    """Judge, and keep the answers that were judged in this process."""

    def __init__(self) -> None:
        self.seen: list[str | None] = []

    def __call__(self, lesson: str, answers: Sequence[Answer]) -> list[Mark]:
        self.seen.append(answers[0].source)
        return fake_engine.judge_answers(lesson, answers)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this process, one task after the other."""

    def each(work: Any, tasks: Sequence[Any], **options: Any) -> Iterator[tuple[Any, Any]]:
        for task in tasks:
            yield task, work(task)

    monkeypatch.setattr(workers, "each", each)


@pytest.mark.usefixtures("here")
def test_what_is_done_is_not_judged_again_and_what_changed_or_was_blank_is(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path
) -> None:
    before = handed(tmp_path, lessons, {"ada": "ada", "bob": "bob", "eve": "boom"})
    run.grade(before, lessons, fake_engine.judge_answers, out)
    after = handed(tmp_path, lessons, {"bob": "fail new", "zoe": "zoe"})
    judge = Counted()
    found = run.grade(after, lessons, judge, out)
    assert judge.seen == ["fail new", "boom", "zoe"]
    assert first(found) == {"ada": PASSED, "bob": FAILED, "eve": BLANK, "zoe": PASSED}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("cut", [1, 20, "line"])
def test_a_torn_last_line_is_dropped_and_judged_again(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, cut: int | str
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "ada", "bob": "bob"})
    whole = run.grade(submissions, lessons, fake_engine.judge_answers, out)
    path = out / place.RESULTS
    content = path.read_bytes()
    keep = content.index(b"\n") + 5 if cut == "line" else len(content) - int(cut)
    path.write_bytes(content[:keep])
    judge = Counted()
    assert run.grade(submissions, lessons, judge, out) == whole
    assert judge.seen == ["bob"]
    assert path.read_bytes() == content


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "damage", [b"x", b"{}", b"[1]", b"null", b'{"student": "ada"}', b"\xff\xfe", b"[" * 99_999]
)
def test_a_damaged_line_costs_only_itself(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, damage: bytes
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "ada", "bob": "bob"})
    whole = run.grade(submissions, lessons, fake_engine.judge_answers, out)
    path = out / place.RESULTS
    path.write_bytes(damage + b"\n" + path.read_bytes().partition(b"\n")[2])
    judge = Counted()
    assert run.grade(submissions, lessons, judge, out) == whole
    assert judge.seen == ["ada"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("writes", [0, 1])
def test_a_full_disk_is_one_clear_line_and_keeps_what_is_done(
    tmp_path: Path,
    lessons: dict[str, Lesson],
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    writes: int,
) -> None:
    submissions = handed(tmp_path, lessons, {"ada": "ada", "bob": "bob", "eve": "eve"})
    room = [writes]
    real = os.write

    def write(handle: int, content: bytes) -> int:
        if room[0] == 0:
            if len(content) > 40:
                return real(handle, content[:40])
            raise OSError(28, "No space left on device")
        room[0] -= 1
        return real(handle, content)

    with monkeypatch.context() as patch:
        patch.setattr("gridroll.classroom.grading.results.os.write", write)
        with pytest.raises(UserError) as full:
            run.grade(submissions, lessons, fake_engine.judge_answers, out)
    assert "\n" not in str(full.value)
    assert f"{writes} of 3 are done and kept: --resume" in str(full.value)
    assert len(lines(out)) == writes
    judge = Counted()
    run.grade(submissions, lessons, judge, out)
    assert judge.seen == ["ada", "bob", "eve"][writes:]


def test_a_system_that_gives_no_process_is_one_line_and_what_is_done_is_kept(
    tmp_path: Path, lessons: dict[str, Lesson], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def each(work: Any, tasks: Sequence[Any], **options: Any) -> Iterator[tuple[Any, Any]]:
        yield tasks[0], work(tasks[0])
        raise workers.NoProcessError("Resource temporarily unavailable")

    monkeypatch.setattr(workers, "each", each)
    submissions = handed(tmp_path, lessons, {"ada": "good", "bob": "good"})
    with pytest.raises(UserError) as refused:
        run.grade(submissions, lessons, fake_engine.judge_answers, out)
    assert str(refused.value) == (
        "No process can be started to judge in (Resource temporarily unavailable). "
        "1 of 2 are done and kept: --resume goes on with them."
    )
    assert len(lines(out)) == 1
