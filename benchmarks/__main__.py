"""Run the benchmarks: `python -m benchmarks [NAME ...] [--quick]`."""

from typing import Annotated

import typer

from benchmarks.tools import machine, names
from benchmarks.tools.fresh import Failure
from benchmarks.tools.session import Session


def main(
    name: Annotated[
        list[str] | None, typer.Argument(help="Which ones; without a name all.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Three pairs and no large sizes: a minute or two.")
    ] = False,
    which: Annotated[bool, typer.Option("--list", help="Say which ones there are.")] = False,
) -> None:
    """Measure the course against the programs people would use instead. Tables go to stdout."""
    try:
        chosen = [names.find(each) for each in name or names.names()] if not which else []
        if which:
            for each in names.names():
                typer.echo(each)
            return
        session = Session(quick=quick)
        typer.echo(machine.description())
        failed = False
        for benchmark in chosen:
            try:
                for table in benchmark.run(session):
                    typer.echo(f"\n{table.text()}")
            except Failure as failure:  # the others still have something to say
                failed = True
                typer.echo(f"Error: {benchmark.name}: {failure}", err=True)
        raise typer.Exit(2 if failed else 0)
    except Failure as failure:
        typer.echo(f"Error: {failure}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)
        raise typer.Exit(130) from None


if __name__ == "__main__":
    typer.run(main)
