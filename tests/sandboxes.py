"""A sandbox for the tests that need one: a skip on a laptop without it, a failure in CI."""

import os
from collections.abc import Sequence
from functools import cache

import pytest

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import engine, sandbox
from gridroll.classroom.grading.records import Answer, Mark
from lessons import ROOT

SEED = b"a seed that the tests know"


@cache
def found() -> sandbox.Sandbox | UserError:
    """This machine's sandbox, or why there is none."""
    try:
        return sandbox.find()
    except UserError as error:
        return error


def needed() -> sandbox.Sandbox:
    """This machine's sandbox."""
    here = found()
    if isinstance(here, UserError):
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI grades in a sandbox. {here}")
        pytest.skip(str(here))
    return here


def marks(lesson: str, answers: Sequence[Answer], seed: bytes = SEED) -> dict[str, Mark]:
    """The marks for these answers, by the exercise's name."""
    given = engine.judge_answers(lesson, answers, seed=seed, sandbox=needed(), root=ROOT)
    assert [mark.exercise for mark in given] == [answer.exercise for answer in answers]
    return {mark.exercise: mark for mark in given}


def mark(name: str, source: str | None) -> Mark:
    """The mark for one answer."""
    return marks(name.partition(".")[0], [Answer(name, source)])[name]
