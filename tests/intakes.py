"""What a class hands in, taken from a folder and from a zip, for several files of tests."""

from collections.abc import Callable, Mapping
from pathlib import Path

from handed_in import data, write_course, write_folder, write_zip

from gridroll.classroom.grading import archive, intake
from gridroll.classroom.grading.intake import Intake
from gridroll.classroom.grading.roster import Roster

THIRD, FOURTH = data("03_collector"), data("04_returns")
UNTOLD = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "1", "metadata": {}}]}'
ADA, BOB = ("ada", "collector"), ("bob", "collector")
Taker = Callable[..., Intake]


def taker(kind: str, tmp_path: Path) -> Taker:
    """Hand in files in a folder or in a zip: the same comes out of both."""
    lessons = write_course(tmp_path / "lessons")

    def taken(
        files: Mapping[str, bytes],
        lesson: str | None = None,
        people: Roster | None = None,
        around: str = "class",
    ) -> Intake:
        if kind == "zip":
            source = write_zip(tmp_path / f"{around}.zip", files)
        else:
            source = write_folder(tmp_path / around, files)
        with archive.opened(source) as contents:
            return intake.take_in(contents, lessons, around=around, lesson=lesson, roster=people)

    return taken


def who(found: Intake) -> list[tuple[str, str]]:
    return [(each.student, each.lesson) for each in found.submissions]
