"""The verdict on one student's answers: their code runs in a sandbox, and is judged out here."""

import contextlib
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gridroll.classroom import assess, registry
from gridroll.classroom.calling import RaisedElsewhere
from gridroll.classroom.exercise import Choice, Exercise, Prediction, Task
from gridroll.classroom.grading import cells, handed_out, our_fault, questions, sources
from gridroll.classroom.grading.handed_out import Course
from gridroll.classroom.grading.records import Answer, Mark
from gridroll.classroom.grading.remote import Conversation, Ended, Remote
from gridroll.classroom.grading.sandbox import Process, Sandbox

MOST_SHOWN = 4000  # characters of a line of a message
MOST_TEXT = 100_000  # characters in an answer cell
WHY = {
    "timeout": "The code didn't come to an end: {why}.",
    "memory": "The code asked for more memory than there is.",
    "died": "The code ended the process that it ran in: {why}.",
}
NOT_THERE = {
    "missing": "The answer cell isn't there: it was deleted, or has lost what marks it. Put the "
    "answer into its cell of a fresh copy of the lesson.",
    "tampered": "The answer cell is no code cell any more.",
    "malformed": "The notebook can't be read.",
}
TOO_LONG = f"The answer cell is longer than {MOST_TEXT} characters."


def judge_answers(
    lesson: str, answers: Sequence[Answer], *, seed: bytes, sandbox: Sandbox, root: Path
) -> list[Mark]:
    """One mark for each answer, in their order. Nothing that a student wrote makes it raise.

    Args:
        lesson: the module's name, such as "collector".
        answers: what the student wrote, in the lesson's order.
        seed: secret; it decides which fresh cases are drawn.
        sandbox: where the code runs.
        root: the repository, whose lesson says what stands before each answer cell.
    """
    course = handed_out.course(lesson, root)
    answers = [_readable(answer) for answer in answers]
    with contextlib.closing(Running(sandbox)) as running:
        return [_mark(course, answers, answer, seed, running) for answer in answers]


def prove(lesson: str, *, seed: bytes, sandbox: Sandbox, root: Path) -> str:
    """Judge the course's own answers: what they don't pass, no student can.

    Returns:
        Which of them isn't passed here, so that a class would get zeros for our fault, or "".
    """
    answers = [Answer(task.name, task.answer) for task in registry.lesson_exercises(lesson)]
    for mark in judge_answers(lesson, answers, seed=seed, sandbox=sandbox, root=root):
        if mark.status != "passed":
            return (
                f"The course's own answer to {mark.exercise} isn't passed on this machine "
                f"({mark.status}), so nobody is graded. `make test` says more."
            )
    return ""


@dataclass
class Running:
    """The student's sandbox: started when it is first needed, and again past what ended it."""

    sandbox: Sandbox
    process: Process | None = None

    @contextlib.contextmanager
    def exercise(self, cells: Sequence[str]) -> Iterator[Conversation]:
        """A process for one exercise."""
        if self.process is None:
            self.process = self.sandbox.start()
        try:
            with contextlib.closing(Conversation(self.process, cells)) as ask:
                yield ask
                ask.end()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End everything inside."""
        if self.process is not None:
            self.process.close()
            self.process = None


def _readable(answer: Answer) -> Answer:
    """The answer as Python alone; one that is too long for a hand is no text at all."""
    if answer.source is None:
        return answer
    if sum(map(len, (answer.source, *answer.earlier))) > MOST_TEXT:
        return replace(answer, source=None, earlier=(), status="too long")
    return replace(
        answer,
        source=cells.plain(answer.source),
        earlier=tuple(map(cells.plain, answer.earlier)),
        own=tuple((above, cells.plain(text)) for above, text in answer.own),
    )


def _mark(
    course: Course, answers: Sequence[Answer], answer: Answer, seed: bytes, running: Running
) -> Mark:
    task = registry.find(answer.exercise)
    if answer.status == "too long":
        return _marked(task, assess.Assessment("failed", (("", TOO_LONG),)))
    if answer.source is None:
        why = ("", NOT_THERE.get(answer.status, NOT_THERE["missing"]))
        lines = (why, *_elsewhere(task, answer))
        return _marked(task, assess.Assessment(answer.status or "missing", lines))
    parts = course.parts(answer)
    if isinstance(task, Exercise) and all(_is_scaffold(part, task.scaffold) for part in parts):
        return _marked(task, assess.Assessment("not_attempted", _elsewhere(task, answer)))
    found: assess.Assessment | None = None
    try:
        with running.exercise(parts) as ask:
            before = cells.needed(parts, course.before(answer, answers))
            found = _assessed(course, before, parts, answer, task, seed, ask)
    except Exception as error:  # our fault: blank for this exercise, and no zero
        lines = (("", our_fault.MESSAGE), ("Fault", our_fault.place_of(error)))
        return replace(_marked(task, assess.Assessment("grader_error", lines)), points=None)
    except Ended as ended:
        # A verdict that was reached before its process refused to end still stands, if it is a no.
        if found is None or found.status == "passed":
            text = WHY[ended.status].format(why=ended)
            found = assess.Assessment(ended.status, (("", text),))
    return _marked(task, found)


def _assessed(
    course: Course,
    before: list[str],
    parts: list[str],
    answer: Answer,
    task: Task,
    seed: bytes,
    ask: Conversation,
) -> assess.Assessment:
    wanted = task.function_name if isinstance(task, Exercise) else ""
    package = sources.package(task, [text for _, text, name in course.cells if not name])
    try:
        started = ask.ask(
            "start",
            name=wanted,
            sources={name: sources.code(text) for name, text in package.items()},
            before=before,
            cells=parts,
            probe=_probe(task),
        )
    except RaisedElsewhere as error:
        if isinstance(task, Exercise):
            return _stopped(error)
        # As in a notebook: what was answered above the error counts.
        found = _given(task, ask)
        return _stopped(error) if found.status == "not_attempted" else found
    if not isinstance(task, Exercise):
        return _given(task, ask)
    started = started if type(started) is dict else {}
    if started.get("callable") is not True:
        lines = (("", f"The cell defines no function `{wanted}`."), *_elsewhere(task, answer))
        return assess.Assessment("failed", lines)
    told = started.get("parameters")
    parameters = [name for name in told if type(name) is str] if type(told) is list else []
    function = Remote(ask, wanted, cells.function_text(parts, wanted), parameters)
    witness = _witness(ask) if task.broken is not None else ...
    number = int.from_bytes(hmac.digest(seed, task.name.encode(), hashlib.sha256)[:8])
    return assess.function(task, function, witness, seed=number, hide=True)


def _witness(ask: Conversation) -> Any:
    try:
        return ask.value("value", name="witness")
    except RaisedElsewhere:  # a value that can't be told is none that a case can be made of
        return None


def _elsewhere(task: Task, answer: Answer) -> assess.Lines:
    """A word on a function that stands where no check would see it."""
    name = task.name.partition(".")[2]
    if not isinstance(task, Exercise) or not any(
        cells.defines(text, [name]) for _, text in answer.own
    ):
        return ()
    told = f"A cell of your own defines `{name}`. It counts in the answer cell, or right below it."
    return (("", told),)


def _given(task: Choice | Prediction, ask: Conversation) -> assess.Assessment:
    try:
        return questions.judged(task, ask.value("given", name=""))
    except RaisedElsewhere as error:
        return _stopped(error)


def _stopped(error: RaisedElsewhere) -> assess.Assessment:
    lines = [("", "The cell stopped with an error."), ("Got", error.raised.message)]
    if error.raised.line:
        lines.insert(1, ("Your line", error.raised.line))
    return assess.Assessment("error", tuple(lines))


def _marked(task: Task, found: assess.Assessment) -> Mark:
    return Mark(
        exercise=task.name,
        status=found.status,
        points=task.points if found.status == "passed" else 0,
        of=task.points,
        stretch=task.stretch,
        diagnosis=found.diagnosis,
        message=tuple((label, text[:MOST_SHOWN]) for label, text in found.lines),
    )


def _is_scaffold(source: str, scaffold: str) -> bool:
    return source.strip() == scaffold.strip()


def _probe(task: Task) -> str:
    if not isinstance(task, Exercise) or task.probe is None:
        return ""
    name: Any = task.probe
    return str(name.__name__)
