"""``gridroll report``: the marks of a finished run in the form that another program takes."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from gridroll.classroom import files
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import manual, place, safe, write
from gridroll.classroom.grading import report as reports


class Kind(StrEnum):
    """What the marks are for."""

    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    manual = "manual"


def report(
    kind: Annotated[Kind, typer.Argument(help="canvas, moodle, gradescope, or manual marks.")],
    results: Annotated[
        Path, typer.Argument(metavar="REPORTS", help="The --out of `gridroll grade`.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to; by default in REPORTS.")
    ] = None,
    lesson: Annotated[str | None, typer.Option(help="Which of several lessons.")] = None,
    assignment: Annotated[
        str | None, typer.Option(help='Canvas: the column, "Title (4567)".')
    ] = None,
    gradebook: Annotated[Path | None, typer.Option(help="Canvas: its exported gradebook.")] = None,
    worksheet: Annotated[
        Path | None, typer.Option(help="Moodle: the grading worksheet that you downloaded.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(help="Moodle: the time of the grades; now by default.")
    ] = None,
    scale: Annotated[
        bool, typer.Option("--scale", help="Moodle: convert points to its maximum grade.")
    ] = False,
    marks: Annotated[
        Path | None, typer.Option(help="manual: the file with marks; REPORTS/manual.csv.")
    ] = None,
) -> None:
    """Write the marks for Canvas, Moodle or Gradescope, or merge marks given by hand."""
    found = write.load(results)
    if kind is Kind.manual:
        _merge(found, results, marks or results / place.MANUAL)
        return
    rows = _rows(found, lesson)
    remarks: list[str] = []
    made: dict[Path, str | bytes]
    if kind is Kind.canvas:
        from gridroll.classroom.grading import canvas

        text, remarks = canvas.export(rows, assignment or rows[0]["stem"], gradebook)
        made = {out or results / f"canvas_{rows[0]['stem']}.csv": text}
    elif kind is Kind.moodle:
        from gridroll.classroom.grading import moodle

        if worksheet is None:
            raise UserError("Moodle's marks go into its own file: give it as --worksheet FILE.")
        when = date or moodle.today(datetime.now())
        filled, remarks = moodle.fill(worksheet.read_bytes(), rows, when, scale=scale)
        made = {out or results / f"moodle_{rows[0]['stem']}.csv": filled}
    else:
        made = _gradescope(found, rows, out or results / "gradescope")
    for path, content in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, content)
    for remark in remarks:
        typer.echo(remark)
    typer.echo(f"Written: {next(iter(made))}" if len(made) == 1 else f"Written: {len(made)} files")


def _merge(found: reports.Report, results: Path, path: Path) -> None:
    if not path.exists():
        raise UserError(f"There is no {path}: it lists what is to be read, with a column `marks`.")
    given = manual.load(path)
    with place.held(results):
        write.write_all(manual.merge(found, given, path), results, given)
    open_ones = sum(m["points"] is None for row in found["rows"] for m in row["manual"])
    typer.echo(f"Merged {path}; {open_ones} cells have no marks yet.")


def _rows(found: reports.Report, lesson: str | None) -> list[dict[str, Any]]:
    """The rows of one lesson. Raises UserError where it isn't clear which."""
    known = {each["module"]: each["stem"] for each in found["lessons"]}
    wanted = (lesson or "").removesuffix(".ipynb").zfill(2)
    chosen = [
        module
        for module, stem in known.items()
        if not lesson or wanted in (stem, module, stem.partition("_")[0])
    ]
    if len(chosen) != 1:
        names = ", ".join(known.values()) or "none"
        raise UserError(f"Which lesson? Give --lesson with one of those in the report: {names}.")
    return reports.rows_of(found, chosen[0])


def _gradescope(
    found: reports.Report, rows: list[dict[str, Any]], out: Path
) -> dict[Path, str | bytes]:
    """One results.json for each submission; a single one may be named by a path *.json."""
    from gridroll.classroom.grading import gradescope

    submitted = [row for row in rows if row["submitted"]]
    if out.suffix == ".json":
        if len(submitted) != 1:
            raise UserError(
                f"{out} can hold one submission and there are {len(submitted)}: give a folder."
            )
        return {out: gradescope.results(submitted[0], found)}
    stems = safe.file_names(row["student"] for row in submitted)
    return {
        out / f"{stems[row['student']]}.json": gradescope.results(row, found) for row in submitted
    }
