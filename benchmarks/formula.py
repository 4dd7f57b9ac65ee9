"""The collector against the plain formula, written straight into one scan with the same draws."""

import statistics

from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, rate, size, spread

TITLE = "collector.rollout against the plain formula in one scan, with the same draws"
NEEDS: tuple[str, ...] = ()

SIZES = ((64, 8), (1024, 128), (16384, 128))
TARGET = 0.95  # at the last of the sizes


def run(session: Session) -> list[Table]:
    """One table: the speed of the collector as a part of the formula's."""
    rows = []
    with session.steps("formula", len(SIZES)):
        for num_envs, num_steps in SIZES:
            sizes = (num_envs, num_steps)
            with session.step(size(*sizes)):
                pairs = measure.pairs(
                    measure.spec("corridor_rollout", *sizes),
                    measure.spec("formula", *sizes),
                    pairs=session.pairs,
                    at_least=session.at_least,
                )
            speeds = [
                rate(num_envs * num_steps / statistics.median(taken))
                for taken in (pairs.first, pairs.second)
            ]
            held = "-" if sizes != SIZES[-1] else ("yes" if pairs.ratio >= TARGET else "no")
            row = (size(*sizes), *speeds, digits(pairs.ratio), spread(pairs.quotients), held)
            rows.append(row)
    head = (
        "envs x steps",
        "rollout, transitions/s",
        "formula, transitions/s",
        "rollout / formula",
        f"{session.pairs} pairs",
        f"at least {TARGET}",
    )
    return [Table(TITLE, head, rows)]
