"""An engine for the tests of grading: what an answer says is what happens to it.

| the first word of the answer | what happens |
| --- | --- |
| `fail NAME` | failed, with the misconception NAME |
| `say TEXT` | failed, with this text and no misconception |
| `boom` | the engine raises an error |
| `die` | the process that judges is killed |
| `die-once PATH` | so, if nothing is at PATH; then something is |
| `wait PATH` | nothing until something is at PATH |
| `touch PATH` | something is at PATH; passed |
| `leave PATH` | when the process ends, it takes a moment and then something is at PATH |
| `die-leaving` | when the process ends, it is killed over it |
| `odd` | the marks aren't those that were asked for |
| anything else | passed |
"""

import atexit
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from handed_in import ASKED, BEYOND, scaffold

from gridroll.classroom.grading.records import Answer, Mark
from gridroll.classroom.grading.sandbox import Sandbox


def judge_answers(lesson: str, answers: Sequence[Answer], **options: Any) -> list[Mark]:
    """Stand in for the real engine."""
    marks = [_mark(lesson, answer) for answer in answers]
    return marks[1:] if any((answer.source or "") == "odd" for answer in answers) else marks


def prove(lesson: str, **options: Any) -> str:
    """Stand in for the judgement of the course's own answers."""
    return ""


def prove_as_told(answer: str, lesson: str) -> str:
    """A proof that goes as the first word of an answer says; `no` is a lesson that has none."""
    word, _, rest = answer.partition(" ")
    _do(word, rest)
    return f"no {lesson}" if word == "no" else ""


def find(unsafe: bool = False) -> Sandbox:
    """Stand in for the search of a sandbox."""
    return Sandbox("unsandboxed" if unsafe else "made-up")


def _mark(lesson: str, answer: Answer) -> Mark:
    (of,) = [a[answer.exercise] for stem, a in ASKED.items() if stem.endswith(f"_{lesson}")]
    about: dict[str, Any] = {"of": of, "stretch": answer.exercise in BEYOND}
    if answer.source is None:
        return Mark(answer.exercise, answer.status, 0, **about)
    if answer.source == scaffold(answer.exercise):
        return Mark(answer.exercise, "not_attempted", 0, **about)
    word, _, rest = answer.source.partition(" ")
    _do(word, rest)
    if word in ("fail", "say"):
        message = (("", "It differs."), ("Got", rest))
        idea = rest if word == "fail" and rest else None
        return Mark(answer.exercise, "failed", 0, diagnosis=idea, message=message, **about)
    return Mark(answer.exercise, "passed", of, **about)


def _do(word: str, rest: str) -> None:
    if word == "boom":
        raise RuntimeError("a fault of the engine")
    if word == "die" or (word == "die-once" and not Path(rest).exists()):
        if rest:
            Path(rest).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "touch":
        Path(rest).touch()
    if word == "leave":
        atexit.register(_leave, rest)
    if word == "die-leaving":
        atexit.register(os.kill, os.getpid(), signal.SIGKILL)
    while word == "wait" and not Path(rest).exists():
        time.sleep(0.01)


def _leave(path: str) -> None:
    time.sleep(0.3)
    Path(path).touch()
