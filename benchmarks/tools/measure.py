"""Measurements of programs by name and size, each in a fresh process."""

import statistics
from typing import Any

from benchmarks.programs import Program
from benchmarks.programs import make as make_program
from benchmarks.tools import fresh
from benchmarks.tools.timing import Pairs, alternate, seconds

# A program: the name of its module, its size, and more arguments of its maker if there are any.
Spec = dict[str, Any]


def spec(program: str, num_envs: int, num_steps: int, **more: Any) -> Spec:
    """Name a program and its size."""
    return {"program": program, "num_envs": num_envs, "num_steps": num_steps, **more}


def made(program: Spec) -> Program:
    """The program that is named."""
    return make_program(**program)


def pairs(first: Spec, second: Spec, *, pairs: int, at_least: float) -> Pairs:
    """Seconds for one call of two programs, in alternated pairs."""
    where = f"{__name__}:_pairs"
    return Pairs(**fresh.call(where, first=first, second=second, pairs=pairs, at_least=at_least))


def alone(program: Spec) -> dict[str, float]:
    """What one program needs when it runs alone.

    Returns:
        `make`: seconds to set it up; `compile`: seconds that its first call takes longer than
        later ones; `memory`: the most MiB that the process held; `seconds` and `transitions` of
        one later call.
    """
    found: dict[str, float] = fresh.call(f"{__name__}:_alone", program=program)
    return found


def _pairs(first: Spec, second: Spec, pairs: int, at_least: float) -> dict[str, Any]:
    return alternate(made(first).call, made(second).call, pairs, at_least).as_json()


def _alone(program: Spec) -> dict[str, float]:
    ready: list[Program] = []
    making = seconds(lambda: ready.append(made(program)))
    call = ready[0].call
    first = seconds(call)
    later = statistics.median(seconds(call) for _ in range(3))
    return {
        "make": making,
        "compile": max(first - later, 0.0),
        "memory": fresh.peak_memory(),
        "seconds": later,
        "transitions": ready[0].transitions,
    }
