"""Grade on a disk that is full, make room, and go on: `fill_disk.py DISK COPIES PLAN`.

It runs where DISK is a disk of its own. PLAN is JSON: by name, how many blocks are free, and the
reports that are there before or "". Of each, `COPIES/NAME` gets the reports as the full disk left
them and as `--resume` made them, and `told.json`: what was printed, with the exit codes.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from grade_runs import stand_in
from typer.testing import CliRunner

from gridroll.classroom.cli import app

ARGUMENTS = ["grade", "class", "--seed-file", "seed.txt", "--out"]


def fill(disk: Path, blocks: int) -> Path:
    """Leave so many blocks of the disk free."""
    filler, state = disk / "filler", os.statvfs(disk)
    filler.write_bytes(bytes((state.f_bavail - blocks) * state.f_frsize))
    assert os.statvfs(disk).f_bavail == blocks
    return filler


def grade(out: Path, *more: str) -> dict[str, Any]:
    """One run, and what came of it."""
    done = CliRunner().invoke(app, [*ARGUMENTS, str(out), *more])
    return {"code": done.exit_code, "out": done.stdout, "err": done.stderr}


def one(disk: Path, copies: Path, blocks: int, before: str) -> None:
    """Grade on a full disk, and again when there is room."""
    out = disk / "reports"
    if before:
        shutil.copytree(before, out)
    else:
        out.mkdir()
    filler = fill(disk, blocks)
    first = grade(out, *(["--resume"] if before else []))
    filler.unlink()
    shutil.copytree(out, copies / "left")
    again = grade(out, "--resume")
    shutil.copytree(out, copies / "mended")
    (copies / "told.json").write_text(json.dumps([first, again]))
    shutil.rmtree(out)


if __name__ == "__main__":
    disk, copies, plan = (*map(Path, sys.argv[1:3]), json.loads(sys.argv[3]))
    with pytest.MonkeyPatch.context() as patch:
        stand_in(patch)
        for name, (blocks, before) in plan.items():
            one(disk, copies / name, blocks, before)
