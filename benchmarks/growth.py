"""What more environments cost at a fixed number of steps."""

import itertools
import statistics

from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, size, spread

TITLE = "collector.rollout with four times the environments, at the same number of steps"
NEEDS: tuple[str, ...] = ()

NUM_STEPS = 128
NUM_ENVS = (64, 256, 1024, 4096, 16384)


def run(session: Session) -> list[Table]:
    """One table: the cost of each transition, against a fourth of the environments."""
    counts = NUM_ENVS[:4] if session.quick else NUM_ENVS
    steps = [*itertools.pairwise(counts), (counts[2], counts[-1])]
    rows = []
    with session.steps("growth", len(steps)):
        for few, many in steps:
            with session.step(f"{size(few, NUM_STEPS)} and {size(many, NUM_STEPS)}"):
                pairs = measure.pairs(
                    measure.spec("corridor_rollout", few, NUM_STEPS),
                    measure.spec("corridor_rollout", many, NUM_STEPS),
                    pairs=session.pairs,
                    at_least=session.at_least,
                )
            growth = [quotient * few / many for quotient in pairs.quotients]
            each = [
                digits(1e9 * statistics.median(taken) / count / NUM_STEPS)
                for taken, count in ((pairs.first, few), (pairs.second, many))
            ]
            median = statistics.median(growth)
            row = (size(few, NUM_STEPS), size(many, NUM_STEPS), *each)
            rows.append((*row, digits(median), spread(growth), "yes" if median <= 1 else "no"))
    head = (
        "few",
        "many",
        "few, ns each",
        "many, ns each",
        "many / few",
        f"{session.pairs} pairs",
        "at most 1",
    )
    remark = "ns each: nanoseconds for one transition. many / few: of these, so 1 is proportional."
    return [Table(TITLE, head, rows, (remark,))]
