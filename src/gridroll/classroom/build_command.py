"""``gridroll build``: make solutions, figures and lessons from their sources, or check them."""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gridroll.classroom import cache, declared, listing
from gridroll.classroom.build import Products, build_lesson
from gridroll.classroom.errors import UserError
from gridroll.classroom.publish import ownerless, publish
from gridroll.classroom.source import BuildError, lesson_paths
from gridroll.classroom.verify import verify

Say = Callable[[str], None]
OnCell = Callable[[str, int, int], None]  # lesson, cells started, cells in all


@dataclass(frozen=True)
class Project:
    """Where the sources are and where the products go."""

    root: Path  # holds solutions/, lessons/ and figures/
    package: Path  # the folder of the library


def build(
    lessons: Annotated[
        list[str] | None, typer.Argument(help="Lessons, such as 03 or collector; all by default.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare with what is committed; write nothing.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(min=0, help="How many lessons to run at a time; 0: one per processor.")
    ] = 0,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run every lesson, also where nothing changed.")
    ] = False,
    root: Annotated[
        Path | None, typer.Option(help="The project's folder; found from here by default.")
    ] = None,
) -> None:
    """Build the lessons from solutions/*.md, or check that what is committed comes out of them."""
    project = Project(find_project(root), listing.package_folder())
    code = run(project, lessons or [], check=check, jobs=jobs, fresh=fresh)
    if code:
        raise typer.Exit(code)


def run(
    project: Project,
    names: Sequence[str] = (),
    *,
    check: bool = False,
    jobs: int = 0,
    fresh: bool = False,
    say: Say = typer.echo,
) -> int:
    """Build or check, tell what happened through ``say``, and return the exit code.

    0: done, or nothing differs; 1: the check found a difference; 2: a lesson could not be built.
    Raises UserError for an unknown lesson.
    """
    sources = lesson_paths(project.root)
    chosen = choose(sources, names)
    made, failures = make(project, chosen, jobs=jobs, fresh=fresh)
    for failure in failures:
        typer.echo(f"gridroll: {failure}", err=True)
    if check:
        deviation = declared.deviation(project.root)
        found = verify(project.root, made, sources, exact=not deviation)
        if made:
            say(_verdict(made, found, deviation))
        return 2 if failures else int(bool(found))
    for stem, products in made.items():
        changed = publish(project.root, stem, products)
        say(f"{stem}: {', '.join(changed) if changed else 'nothing changed'}")
    for path in ownerless(project.root, made, sources) if not failures else ():
        say(f"{path}: no lesson makes this file; delete it")
    return 2 if failures else 0


def _verdict(made: dict[str, Products], found: list[str], deviation: str) -> str:
    count = sum(map(len, made.values()))
    how = (
        f"text, records and the numbers of figures, because this is {deviation} "
        f"and bytes are promised on {declared.declared_name()}"
        if deviation
        else "every byte"
    )
    compared = f"Compared the {count} files of {', '.join(made)}: {how}."
    if not found:
        return f"{compared} Nothing differs."
    return "\n\n".join([*found, f"{compared} Different: {len(found)}."])


def find_project(given: Path | None) -> Path:
    """Return the project's folder: the given one, or the nearest above with solutions/ in it."""
    here = (given or Path.cwd()).resolve()
    for folder in [here] if given else [here, *here.parents]:
        if (folder / "solutions").is_dir():
            return folder
    raise UserError(f"No folder solutions/ in {here}" + ("" if given else " or above it") + ".")


def choose(sources: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """Return the sources that are named by number, module, stem or path; all without a name."""
    if not sources:
        raise UserError("solutions/ holds no lesson, no file like 03_collector.md.")
    chosen = []
    for name in names:
        wanted = Path(name).name.partition(".")[0]
        wanted = wanted.zfill(2) if wanted.isdecimal() else wanted
        found = [s for s in sources if wanted in (s.stem, *s.stem.split("_", 1))]
        if not found:
            raise UserError(f"No lesson {name!r}; there are {', '.join(s.stem for s in sources)}.")
        chosen += found
    return sorted(set(chosen)) or list(sources)


def make(
    project: Project, sources: Sequence[Path], *, jobs: int = 0, fresh: bool = False
) -> tuple[dict[str, Products], list[str]]:
    """Return the products of each lesson, in order, and a message for each that failed."""
    stopping = threading.Event()
    library = cache.library_hash(project.package)
    settings = declared.same_arithmetic(project.root)

    def one(source: Path, on_cell: OnCell) -> Products:
        used = cache.key(source, library, project.root)
        kept = None if fresh else cache.load(project.root, source.stem, used)
        if kept is not None:
            return kept

        def started(cells: int, total: int) -> None:
            if stopping.is_set():
                raise BuildError(f"{source.stem}: interrupted")
            on_cell(source.stem, cells, total)

        products = build_lesson(source, project.package, settings, started)
        cache.store(project.root, source.stem, used, products)
        return products

    made: dict[str, Products] = {}
    failures: dict[str, str] = {}
    workers = min(jobs or os.cpu_count() or 1, len(sources))
    with _progress(len(sources)) as (on_cell, on_done), ThreadPoolExecutor(workers) as pool:
        running: dict[Future[Products], str] = {
            pool.submit(one, source, on_cell): source.stem for source in sources
        }
        try:
            for future in as_completed(running):
                stem = running[future]
                try:
                    made[stem] = future.result()
                except BuildError as error:
                    failures[stem] = str(error)
                on_done(stem)
        except KeyboardInterrupt:
            stopping.set()  # each kernel ends before its next cell
            pool.shutdown(cancel_futures=True)
            raise
    return dict(sorted(made.items())), [failures[stem] for stem in sorted(failures)]


@contextmanager
def _progress(total: int) -> Iterator[tuple[OnCell, Say]]:
    """Show a bar on a terminal and a line per lesson elsewhere, both on stderr."""
    if not sys.stderr.isatty():
        yield (
            (lambda stem, started, of: None),
            (lambda stem: typer.echo(f"{stem}: done", err=True)),
        )
        return
    from rich.console import Console
    from rich.progress import Progress

    lock = threading.Lock()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        whole = bar.add_task("lessons", total=total)
        tasks: dict[str, int] = {}

        def on_cell(stem: str, started: int, of: int) -> None:
            with lock:
                if stem not in tasks:
                    tasks[stem] = bar.add_task(stem, total=of)
            bar.update(tasks[stem], completed=started)  # type: ignore[arg-type]

        def on_done(stem: str) -> None:
            if stem in tasks:
                bar.remove_task(tasks.pop(stem))  # type: ignore[arg-type]
            bar.advance(whole)

        yield on_cell, on_done
