"""Run the command line with the engine of the tests: `python fake_grade.py grade ...`."""

import signal
from unittest import mock

import fake_engine
from handed_in import BEYOND

from gridroll.classroom.cli import app
from gridroll.classroom.grading import engine, sandbox

if __name__ == "__main__":
    # As started by hand: what a shell starts in the background doesn't listen to Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with (
        mock.patch.object(engine, "judge_answers", fake_engine.judge_answers),
        mock.patch.object(engine, "prove", fake_engine.prove),
        mock.patch.object(sandbox, "find", fake_engine.find),
        mock.patch("gridroll.classroom.cache.library_hash", return_value="of no file"),
        mock.patch("gridroll.classroom.grading.course._stretch", return_value=BEYOND),
    ):
        app()
