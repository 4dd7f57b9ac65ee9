"""The verdict on an answer to an exercise, whoever asks for it: a notebook or an instructor."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gridroll.classroom.exercise import Choice, Exercise, Fault, is_placeholder

Lines = tuple[tuple[str, str], ...]
NOT_SHOWN = "It happens on a case that isn't shown: try sizes and values of your own."


@dataclass(frozen=True)
class Assessment:
    """What was found, before it is shown to anybody."""

    status: str  # "passed", "failed", "error" or "not_attempted"
    lines: Lines = ()  # labelled lines on what is wrong; none for a pass
    diagnosis: str | None = None  # the name of the misconception that was recognised
    folded: Lines = ()  # what is too long to read at once
    faulty: bool = False  # whether the function itself is wrong


def function(
    task: Exercise, answer: Callable[..., Any], witness: Any, *, seed: int = 0, hide: bool = False
) -> Assessment:
    """Judge a function, and for a diagnosis the witness too.

    Args:
        task: the exercise.
        answer: the student's function.
        witness: for a diagnosis, the input that shows the fault; `...` where none was given.
        seed: which fresh cases are drawn.
        hide: say nothing that tells a fresh case.
    """
    from gridroll.classroom import judge, leftovers
    from gridroll.classroom.report import fault_lines, folded_parts

    if leftovers.is_untouched(answer, task.scaffold):
        told = () if witness is ... else _of_witness(task, witness)
        return Assessment("not_attempted", told)
    left = leftovers.leftover_lines(answer)
    judgement = judge.judge(task, answer, seed)
    if judgement.fault is None:
        refused = judge.witness_lines(task, witness) if task.broken is not None else []
        mended = ("", "The function is mended.")
        return Assessment("failed", (mended, *refused)) if refused else Assessment("passed")
    fault, found = judgement.fault, judgement.misconception
    if hide and (judgement.fresh or fault.property):
        fault = _hidden(fault)
    lines = fault_lines(fault, found.message if found else None)
    lines[1:1] = [("Left over", f"{line} (from the scaffold)") for line in left]
    if task.broken is not None:
        lines += _of_witness(task, witness)
    status = "error" if fault.error else "failed"
    name = found.name if found else None
    return Assessment(status, tuple(lines), name, folded_parts(fault), faulty=True)


def _hidden(fault: Fault) -> Fault:
    """The fault without what could tell a fresh case.

    By then the student's code has seen them, so nothing that it said or gave back is told: no text
    of an error, no value, no name of a field. Nor is the call, which shows what a seed draws.
    """
    from gridroll.classroom.advice import OWN_PARAMETERS
    from gridroll.classroom.faults import SUMMARIES

    told = NOT_SHOWN if fault.error else ""
    ours = fault.summary in (SUMMARIES["value"], SUMMARIES["dtype"])
    return replace(
        fault,
        call="",
        whole_call="",
        where=fault.where if ours else "",
        got="",
        expected="",
        notes=(),
        traceback="",
        line="",
        advice=fault.advice if ours or fault.advice == OWN_PARAMETERS else told,
    )


def _of_witness(task: Exercise, witness: Any) -> Lines:
    """What is to be said of a witness while the function is still wrong."""
    from gridroll.classroom import judge

    shown = [("", "It shows the fault. Now mend the function.")]
    told = judge.witness_lines(task, witness) or shown
    return tuple((label or "Witness", text) for label, text in told)


def choice(task: Choice, answer: Any) -> Assessment:
    """Compare a letter with the right one. Whatever was chosen is explained."""
    from gridroll.classroom.describe import describe

    letters = ", ".join(repr(letter) for letter in task.options)
    if is_placeholder(answer):
        return Assessment("not_attempted", (("", f"Write one of {letters} in place of `...`."),))
    letter = answer.strip().lower().strip("()") if type(answer) is str else ""
    if letter not in task.options:
        lines = (("Got", describe(answer)), ("Expected", f"one of {letters}"))
        return Assessment("failed", lines)
    option = task.options[letter]
    chosen = (("You chose", f"{letter}: {option.text}"), ("", option.explanation))
    return Assessment("passed" if letter == task.right else "failed", chosen)
