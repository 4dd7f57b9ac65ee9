"""What more cells and more steps cost in exact planning."""

import itertools
import statistics

from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, spread

TITLE = "exact planning with four times the cells, or four times the steps"
NEEDS: tuple[str, ...] = ()

FUNCTIONS = ("policy_value", "occupancy")
NUM_CELLS = (4, 16, 64, 256, 1024, 4096)  # at 64 steps
NUM_STEPS = (8, 32, 128, 512)  # at 256 cells
MOST = 1.1  # proportional is 1; a tenth is left to noise
REMARKS = (
    "ns each: nanoseconds for one cell at one time, with four actions. many / few: of these, so 1 "
    "is proportional, and less is cheaper.",
)


def run(session: Session) -> list[Table]:
    """One table: the cost of each cell at each time, against a fourth of the size."""
    cells = NUM_CELLS[:5] if session.quick else NUM_CELLS
    steps = NUM_STEPS[:3] if session.quick else NUM_STEPS
    growths = [
        *(((few, 64), (many, 64)) for few, many in itertools.pairwise(cells)),
        *(((256, few), (256, many)) for few, many in itertools.pairwise(steps)),
    ]
    rows = []
    with session.steps("planning", len(FUNCTIONS) * len(growths)):
        for function in FUNCTIONS:
            for few, many in growths:
                rows.append(_row(session, function, few, many))
    head = (
        "function",
        "few, cells x steps",
        "many",
        "few, ns each",
        "many, ns each",
        "many / few",
        f"{session.pairs} pairs",
        f"at most {MOST:g}",
    )
    return [Table(TITLE, head, rows, REMARKS)]


def spec(function: str, num_cells: int, num_steps: int) -> measure.Spec:
    """Name a function of `planning` and its size."""
    sizes = {"num_cells": num_cells, "num_steps": num_steps}
    return {"program": "exact", "function": function, **sizes}


def _row(
    session: Session, function: str, few: tuple[int, int], many: tuple[int, int]
) -> tuple[str, ...]:
    names = [f"{cells}x{steps}" for cells, steps in (few, many)]
    with session.step(f"{function}, {' and '.join(names)}"):
        pairs = measure.pairs(
            spec(function, *few),
            spec(function, *many),
            pairs=session.pairs,
            at_least=session.at_least,
        )
    entries = [cells * steps for cells, steps in (few, many)]
    growth = [quotient * entries[0] / entries[1] for quotient in pairs.quotients]
    each = [
        digits(1e9 * statistics.median(taken) / count)
        for taken, count in zip((pairs.first, pairs.second), entries, strict=True)
    ]
    median = statistics.median(growth)
    held = "yes" if median <= MOST else "no"
    return (function, *names, *each, digits(median), spread(growth), held)
