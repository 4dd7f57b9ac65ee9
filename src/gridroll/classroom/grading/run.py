"""Judge everything that was handed in, keep each result at once, and go on where a run stopped."""

import contextlib
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import handed, our_fault, place, wire, workers
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.extract import Extract, extract
from gridroll.classroom.grading.intake import Submission
from gridroll.classroom.grading.outcome import Note, Outcome
from gridroll.classroom.grading.records import STATUSES, Answer, Mark
from gridroll.classroom.grading.results import Key, Results

# (lesson's module, answers) -> a mark for each answer in order. It travels to other processes.
Judge = Callable[[str, Sequence[Answer]], list[Mark]]
Prove = Callable[[str], str]  # lesson's module -> why nobody can be graded, or ""; it travels too
Tell = Callable[[Outcome, int, int], None]  # what is done, how many are, of how many


@dataclass(frozen=True)
class Job:
    """One submission and the lesson that it answers."""

    submission: Submission
    lesson: Lesson


@dataclass(frozen=True)
class Proof:
    """The course's own answers to a lesson: until they are passed, nobody's result counts."""

    lesson: str  # its module


def grade(
    submissions: Sequence[Submission],
    lessons: Mapping[str, Lesson],
    judge: Judge,
    folder: Path,
    *,
    prove: Prove | None = None,
    jobs: int = 1,
    tell: Tell = lambda outcome, done, total: None,
) -> dict[Key, Outcome]:
    """Judge what has no result yet in `folder`, which is held. Returns the outcome of each.

    A fault of ours leaves the marks of that one submission blank, as `grader_error`. Raises
    UserError when the course isn't proven, a result can't be written or the system gives us no
    process; what is done is kept.
    """
    path = folder / place.RESULTS
    try:
        opened = Results(path)
    except OSError as error:
        raise place.unwritable(path, error) from None
    with opened as results:
        waiting = [each for each in submissions if not results.finished(key_of(each))]
        done = len(submissions) - len(waiting)
        proofs = sorted({each.lesson for each in waiting}) if prove is not None else []
        tasks: list[Proof | Job] = [Proof(lesson) for lesson in proofs]
        tasks += [Job(each, lessons[each.lesson]) for each in waiting]
        work = functools.partial(_work, judge, prove)
        try:
            with contextlib.closing(workers.each(work, tasks, jobs=jobs)) as judged:
                for job, found in _proven(judged, set(proofs)):
                    if isinstance(found, workers.Lost):
                        found = blank(job, None, found.why)
                    _keep(results, found, _kept(done, len(submissions)))
                    done += 1
                    tell(found, done, len(submissions))
        except workers.NoProcessError as error:
            kept = _kept(done, len(submissions))
            raise UserError(f"No process can be started to judge in ({error}).{kept}") from None
        return {key_of(each): results.outcomes[key_of(each)] for each in submissions}


def _work(judge: Judge, prove: Prove | None, task: Proof | Job) -> Outcome | str:
    """Judge a submission, or prove a lesson, in a process of its own."""
    if isinstance(task, Job):
        return one(judge, task)
    return prove(task.lesson) if prove is not None else ""


def _proven(
    judged: Iterable[tuple[Proof | Job, Any]], proofs: set[str]
) -> Iterator[tuple[Job, Outcome | workers.Lost]]:
    """The results as they come, those of a lesson only once it is proven.

    A proof warms its worker up, and the others need not wait for it.
    """
    held: list[tuple[Job, Outcome | workers.Lost]] = []
    for task, found in judged:
        if isinstance(task, Job):
            held.append((task, found))
        elif isinstance(found, workers.Lost):
            raise UserError(
                f"The course's own answers to {task.lesson} couldn't be judged ({found.why}), so "
                "nobody is graded."
            )
        elif found:
            raise UserError(found)
        else:
            proofs.discard(task.lesson)
        yield from (each for each in held if each[0].submission.lesson not in proofs)
        held = [each for each in held if each[0].submission.lesson in proofs]


def _keep(results: Results, outcome: Outcome, kept: str) -> None:
    try:
        results.add(outcome)
    except OSError as error:
        raise place.unwritable(results.path, error, kept) from None


def _kept(done: int, of: int) -> str:
    return f" {done} of {of} are done and kept: --resume goes on with them."


def key_of(submission: Submission) -> Key:
    """What a result belongs to."""
    return submission.student, submission.lesson, submission.digest


def one(judge: Judge, job: Job) -> Outcome:
    """Judge one submission, in a process of its own."""
    found: Extract | None = None
    try:
        data = handed.read(job.submission.file)
        if hashlib.sha256(data).hexdigest() != job.submission.digest:
            raise ValueError("the notebook was changed while others were judged")
        found = extract(data, job.lesson)
        marks = judge(job.lesson.module, found.answers)
        _hold(marks, job.lesson)
        faults = [
            Note("grader_error", f"{mark.exercise}: {dict(mark.message).get('Fault', 'unknown')}")
            for mark in marks
            if mark.status == "grader_error"
        ]
        notes = (*found.notes, *faults)
        return Outcome(*key_of(job.submission), tuple(marks), notes, found.readings)
    except Exception as error:
        said = error.strerror or error if isinstance(error, OSError) else error  # without the path
        return blank(job, found, f"{our_fault.place_of(error)}: {said}")


def _hold(marks: Sequence[Mark], lesson: Lesson) -> None:
    """Refuse marks that aren't one for each exercise, in order, within its points."""
    names = [item.name for item in lesson.exercises]
    if [mark.exercise for mark in marks] != names:
        raise ValueError(f"marks for {[mark.exercise for mark in marks]}, asked for {names}")
    for mark, item in zip(marks, lesson.exercises, strict=True):
        blank_mark = mark.status == "grader_error"
        within = mark.points is None if blank_mark else mark.points in range(item.points + 1)
        if mark.status not in STATUSES or mark.of != item.points or not within:
            raise ValueError(f"{mark} can't be a mark of {item.points} points")


def blank(job: Job, found: Extract | None, why: str) -> Outcome:
    """What stands for a submission that we failed to judge: no points, and no zero either."""
    line = wire.without_addresses(" ".join(why.split()))[:300]
    message = (("", our_fault.MESSAGE),)
    marks = tuple(
        Mark(item.name, "grader_error", None, item.points, item.stretch, None, message)
        for item in job.lesson.exercises
    )
    notes = (*(found.notes if found else ()), Note("grader_error", line))
    return Outcome(*key_of(job.submission), marks, notes, found.readings if found else ())
