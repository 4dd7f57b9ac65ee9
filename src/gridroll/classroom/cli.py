"""The command `gridroll`: what each subcommand takes, prints and ends with.

A mistake of the user is one line on stderr and exit code 2. Modules are imported where they are
used, so that `gridroll --help` answers at once.
"""

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from gridroll.classroom.errors import UserError

if TYPE_CHECKING:
    from gridroll.classroom.progress_file import Progress

_SETTINGS = {"help_option_names": ["-h", "--help"]}
_SLOW = {
    "build": "build_command",
    "grade": "grading.command",
    "report": "grading.report_command",
}
_LEVELS = {"ok": "green", "warning": "yellow", "problem": "bold red"}


class _Commands(TyperGroup):
    """The group of commands, which turns every foreseen error into one line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command and end the process with its exit code."""
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except (UserError, LookupError, OSError, typer.TyperException) as error:
            sys.exit(_refuse(error))
        sys.exit(code if isinstance(code, int) else 0)

    def resolve_command(self, context: Any, args: list[str]) -> Any:
        """Find the command to run; three are loaded only here, for what they need is slow."""
        if args and args[0] in _SLOW:
            module = importlib.import_module(f"gridroll.classroom.{_SLOW[args[0]]}")
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(args[0], context_settings=_SETTINGS)(getattr(module, args[0]))
            self.commands[args[0]] = typer.main.get_command(alone)
        return super().resolve_command(context, args)


def _refuse(error: Exception) -> int:
    """Print a foreseen error in one line; returns the exit code."""
    if isinstance(error, KeyError | IndexError | BrokenPipeError):
        raise error  # faults of the program, and a reader that has gone
    if isinstance(error, typer.TyperException):
        text = error.format_message()
    elif isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    else:
        text = str(error)
    print(f"gridroll: {' '.join(text.split())}", file=sys.stderr)
    return 2


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=_SETTINGS,
    help="Gridroll: from one gridworld step to a batched policy-gradient learner in JAX.",
)

Root = Annotated[
    Path | None,
    typer.Option(help="The course's folder; by default found upward from the current folder."),
]
Lesson = Annotated[str, typer.Argument(help="A lesson: 3, 03, collector or 03_collector.")]


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """Print the version or the help when no command is given."""
    if version:
        from gridroll import __version__

        print(f"gridroll {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def doctor(root: Root = None) -> None:
    """Say whether this machine is ready, and how to mend what isn't."""
    from gridroll.classroom.doctor import examine

    console = _console()
    broken = 0
    for finding in examine(root):
        broken += finding.level == "problem"
        colour = _LEVELS[finding.level]
        console.print(f"[{colour}]{finding.level:<8}[/] {escape(finding.text)}")
        if finding.mend:
            console.print(f"         -> {escape(finding.mend)}")
    if broken:
        raise typer.Exit(1)


@app.command()
def lab(
    root: Root = None,
    browser: Annotated[bool, typer.Option(help="Open a browser where there is one.")] = True,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="JupyterLab's port.")] = None,
) -> None:
    """Copy new lessons into workbook/ and open JupyterLab there. Ctrl-C ends it."""
    from gridroll.classroom.lab import start_jupyterlab
    from gridroll.classroom.workbook import find_root, prepare

    course = find_root(root)
    done = prepare(course)
    for verb, names in (("Copied", done.copied), ("Updated", done.updated)):
        if names:
            print(f"{verb} into workbook/: {', '.join(names)}")
    for name in done.kept:
        print(f"Kept your {name}. The course has a newer one: `gridroll reset {Path(name).stem}`")
    print("Starting JupyterLab. Ctrl-C here ends it.", flush=True)
    code = start_jupyterlab(course, browser=browser, port=port)
    if code:
        print(f"gridroll: JupyterLab ended with exit code {code}.", file=sys.stderr)
        raise typer.Exit(1)


@app.command()
def status(
    lesson: Annotated[str | None, typer.Argument(help="Show each exercise of one lesson.")] = None,
    root: Root = None,
) -> None:
    """Show what is done of the course, or of one lesson."""
    from gridroll.classroom import progress_file, tables
    from gridroll.classroom.status import course_status
    from gridroll.classroom.workbook import find_lesson, find_root

    course = find_root(root)
    known: Progress = progress_file.load(course / "workbook")
    if lesson is None:
        table = tables.course_table(course_status(course, known))
    else:
        path = find_lesson(lesson, course / "lessons")
        table = tables.lesson_table(path.stem, known)
    _console().print(table)


@app.command()
def check(
    lesson: Annotated[str, typer.Argument(help="A lesson (3, collector) or a notebook's path.")],
    root: Root = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for one cell.")] = 60.0,
) -> None:
    """Run one notebook's checks without opening it. Exit code 1 when one doesn't pass."""
    from gridroll.classroom import tables
    from gridroll.classroom.headless import check_notebook, find_notebook

    course, path = find_notebook(lesson, root)
    remarks: list[str] = []
    with tables.progress_of(Console(stderr=True), f"Running {path.name}") as on_cell:
        records = check_notebook(
            path, root=course, timeout=timeout, say=remarks.append, on_cell=on_cell
        )
    for remark in remarks:
        print(remark)
    if not records:
        print(f"No checks found in {path}.")
        raise typer.Exit(1)
    _console().print(tables.records_table(records))
    if not all(record.passed for record in records if not record.stretch):
        raise typer.Exit(1)


@app.command()
def hint(
    exercise: Annotated[str, typer.Argument(help="An exercise, such as collector.rollout.")],
    number: Annotated[int, typer.Argument(min=1, help="1, 2 or 3.")] = 1,
) -> None:
    """Print a hint for one exercise; 3 is nearly the answer."""
    from gridroll.classroom import registry
    from gridroll.classroom.hints import next_hint

    try:
        print(next_hint(exercise, number))
    except ValueError as error:
        raise UserError(str(error)) from None
    if number < len(registry.find(exercise).hints):
        print(f"The next one: gridroll hint {exercise} {number + 1}")


@app.command()
def reset(lesson: Lesson, root: Root = None) -> None:
    """Put a pristine notebook into workbook/, yours kept beside it."""
    from gridroll.classroom.workbook import find_lesson, find_root
    from gridroll.classroom.workbook import reset as reset_lesson

    course = find_root(root)
    kept = reset_lesson(course, lesson)
    name = find_lesson(lesson, course / "lessons").name
    print(f"workbook/{name} is pristine.")
    if kept is not None:
        print(f"Your own is kept as workbook/{kept.name}.")


@app.command("build")
def _build_in_the_help() -> None:
    """Build the lessons, or check that they are up to date."""


@app.command("grade")
def _grade_in_the_help() -> None:
    """Grade what a class handed in."""


@app.command("report")
def _report_in_the_help() -> None:
    """Write the marks for Canvas, Moodle or Gradescope, or merge marks given by hand."""


def _console() -> Console:
    """A console that never wraps a line of text where the output isn't a terminal."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())
