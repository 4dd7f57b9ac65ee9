"""``gridroll grade``: judge what a class handed in, and write what is to be said about it."""

import functools
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gridroll.classroom.grading import archive, course, intake, manual, place, run, write
from gridroll.classroom.grading import report as reports
from gridroll.classroom.grading import roster as rosters
from gridroll.classroom.grading.intake import Intake
from gridroll.classroom.grading.outcome import Outcome
from gridroll.classroom.workbook import find_lesson, find_root

_SHOWN = 20  # remarks on the terminal; the report has all


@dataclass(frozen=True)
class Options:
    """How a run is to go."""

    jobs: int = 1
    resume: bool = False
    regrade: bool = False
    seed_file: Path | None = None
    unsafe: bool = False


def grade(
    submissions: Annotated[Path, typer.Argument(help="A folder or a zip of notebooks.")],
    out: Annotated[Path, typer.Option("--out", help="The folder that the reports go to.")],
    lesson: Annotated[str | None, typer.Option(help="Grade this lesson alone: 3, 03, ...")] = None,
    jobs: Annotated[
        int, typer.Option(min=0, help="How many submissions at a time; 0: one per processor.")
    ] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where a run into this folder stopped.")
    ] = False,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Judge all again, after the course was mended.")
    ] = False,
    seed_file: Annotated[
        Path | None, typer.Option(help="The secret from which cases are drawn; random by default.")
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(help="A CSV file of the class, with a column `id`.")
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe-no-sandbox", help="Run students' code as yourself.")
    ] = False,
    root: Annotated[
        Path | None, typer.Option(help="The course's folder; found from here by default.")
    ] = None,
) -> None:
    """Grade what a class handed in.

    Exit code 1 says that a mark stays blank because the grader failed. A notebook that can't be
    given to a lesson is told under NOT GRADED, with exit code 0.
    """
    os.environ["JAX_PLATFORMS"] = "cpu"  # before anything imports JAX, here and in the workers
    found = find_root(root)
    module = _module(lesson, found)
    people = rosters.load(roster) if roster else None
    lessons = course.load(found / "lessons")
    options = Options(jobs, resume, regrade, seed_file, unsafe)
    with archive.opened(submissions) as contents:
        around = submissions.resolve().name
        around = around.removesuffix(submissions.suffix) if submissions.is_file() else around
        taken = intake.take_in(contents, lessons, around=around, lesson=module, roster=people)
        report = judge(taken, lessons, found, out, options)
    for line in told(report, out):
        typer.echo(line)
    if reports.has_blanks(report):
        raise typer.Exit(1)


def judge(
    taken: Intake, lessons: Mapping[str, course.Lesson], root: Path, out: Path, options: Options
) -> reports.Report:
    """Judge, keep and report everything; the folder `out` is held meanwhile."""
    from gridroll.classroom.grading import engine, sandbox

    found = sandbox.find(options.unsafe)
    with place.held(out):
        seed, settings = place.prepare(
            out,
            course=version(root),
            sandbox=found.name,
            resume=options.resume,
            regrade=options.regrade,
            seed_file=options.seed_file,
        )
        given = manual.load(out / place.MANUAL)
        work = functools.partial(engine.judge_answers, seed=seed, sandbox=found, root=root)
        prove = functools.partial(engine.prove, seed=seed, sandbox=found, root=root)
        with _progress(len(taken.submissions), out) as tell:
            outcomes = run.grade(
                taken.submissions,
                lessons,
                work,
                out,
                prove=prove,
                jobs=options.jobs or _processors(),
                tell=tell,
            )
        report = reports.build(taken, outcomes, lessons, settings)
        report = manual.merge(report, given, out / place.MANUAL)
        write.write_all(report, out, given)
    return report


def version(root: Path) -> str:
    """The course that judges: its version, and a hash of its code and its lessons."""
    import hashlib

    from gridroll import __version__
    from gridroll.classroom import cache, listing
    from gridroll.classroom.workbook import lesson_files

    digest = hashlib.sha256(cache.library_hash(listing.package_folder()).encode())
    for path in lesson_files(root / "lessons"):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} ({digest.hexdigest()[:12]})"


def told(report: reports.Report, out: Path) -> Iterator[str]:
    """The lines that end a run: how the class did, what is odd, and where the reports are."""
    from gridroll.classroom.grading import summary

    width = _width()
    for each in report["summary"]:
        yield from ("", *summary.exercise_lines(each, width), "")
        if each["misconceptions"]:
            yield from (*summary.misconception_lines(each, width), "")
    absent = [f"{r['student']} ({r['stem']})" for r in report["rows"] if not r["submitted"]]
    if absent:
        rest = len(absent) - _SHOWN
        more = f", and {rest} more, all in marks.csv" if rest > 0 else ""
        yield f"Nothing to grade from: {', '.join(absent[:_SHOWN])}{more}"
    yield from _first(report["remarks"])
    waiting = sum(m["points"] is None for row in report["rows"] for m in row["manual"])
    if waiting:
        yield f"To be read: {waiting} cells, in {out / place.MANUAL}"
    failed = [
        f"{row['student']} ({row['stem']})"
        for row in report["rows"]
        if any(mark["status"] == "grader_error" for mark in row["marks"])
    ]
    if failed:
        yield f"The grader failed, and marks stay blank: {', '.join(failed)}"
    unplaced = report["unplaced"]
    if unplaced:
        yield "NOT GRADED, so without a mark and a page (mend it and go on with --resume):"
        yield from _first([f"  {line}" for line in unplaced])
    judged = sum(row["submitted"] for row in report["rows"])
    unsafe = ", unsandboxed" if report["sandbox"] == "unsandboxed" else ""
    but = f", but not {len(unplaced)}" if unplaced else ""
    noun = "submission" if judged == 1 else "submissions"
    yield f"Graded {judged} {noun}{but}{unsafe}: {out / 'marks.csv'}"


def _first(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"... and {len(lines) - _SHOWN} more, all in report.json"


def _width() -> int | None:
    """The terminal's columns; None where the lines go into a pipe or a file, which has any."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _module(lesson: str | None, root: Path) -> str | None:
    if lesson is None:
        return None
    return find_lesson(lesson, root / "lessons").stem.partition("_")[2]


def _processors() -> int:
    return os.cpu_count() or 1


@contextmanager
def _progress(total: int, out: Path) -> Iterator[run.Tell]:
    """A bar on a terminal and a line for each submission elsewhere, both on stderr."""
    try:
        if not sys.stderr.isatty():
            yield _say
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("Grading", total=total)
            yield lambda outcome, done, of: bar.update(task, completed=done)
    except KeyboardInterrupt:
        typer.echo(f"Stopped. What is done is kept: --resume goes on with {out}.", err=True)
        raise typer.Exit(130) from None


def _say(outcome: Outcome, done: int, of: int) -> None:
    typer.echo(f"{done} of {of}: {outcome.student} {outcome.lesson}", err=True)
