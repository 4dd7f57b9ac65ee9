"""Where the time of a rollout goes: one part left out at a time."""

import statistics

from benchmarks.tools import measure
from benchmarks.tools.measure import Spec
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, size

TITLE = "where the time goes, with one part left out at a time"
NEEDS: tuple[str, ...] = ()

SIZES = ((64, 8), (1024, 128), (16384, 128))
# What is left out of the plain formula; the names of its parts.
LEFT_OUT = {
    "random draws": ("draws",),
    "log-probabilities": ("log-probabilities",),
    "the world's step": ("world",),
    "recording T rows": ("recording",),
    "all four, so that the scan is left": ("draws", "log-probabilities", "world", "recording"),
}
HEAD = ("envs x steps", "left out", "whole, us", "without it, us", "saves %", "lowest to highest")
REMARKS = (
    "saves: the part of the time that is gone when this part is left out, the median of pairs. The "
    "parts don't add up to 100: XLA fuses what stands side by side. A negative number is noise, or "
    "a program that XLA compiled differently.",
)


def run(session: Session) -> list[Table]:
    """One table: what each part costs at each size."""
    sizes = SIZES[:2] if session.quick else SIZES
    rows = []
    with session.steps("parts", len(sizes) * (len(LEFT_OUT) + 1)):
        for sizes_ in sizes:
            whole = measure.spec("corridor_rollout", *sizes_)
            bare = measure.spec("corridor_rollout", *sizes_, checked=False)
            rows.append(_row(session, sizes_, "the checks of the arguments", whole, bare))
            whole = measure.spec("formula", *sizes_)
            for title, without in LEFT_OUT.items():
                bare = measure.spec("formula", *sizes_, without=without)
                rows.append(_row(session, sizes_, title, whole, bare))
    return [Table(TITLE, HEAD, rows, REMARKS)]


def _row(
    session: Session, sizes: tuple[int, int], title: str, whole: Spec, bare: Spec
) -> tuple[str, ...]:
    with session.step(f"{size(*sizes)} without {title}"):
        pairs = measure.pairs(whole, bare, pairs=session.pairs, at_least=session.at_least)
    saved = [100 * (1 - quotient) for quotient in pairs.quotients]
    times = [digits(1e6 * statistics.median(taken)) for taken in (pairs.first, pairs.second)]
    median = f"{statistics.median(saved):.0f}"
    return (size(*sizes), title, *times, median, f"{min(saved):.0f} to {max(saved):.0f}")
