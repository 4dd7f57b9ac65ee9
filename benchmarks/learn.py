"""Training in one scan against the same updates called one by one from Python."""

import statistics
from typing import Any

from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, rate, size, spread

TITLE = "reinforce.train against the same updates in a Python loop"
NEEDS: tuple[str, ...] = ()

# World, envs, steps, updates in one call: fewer where an update is dear.
SIZES = (("corridor", 64, 8, 200), ("rooms", 64, 128, 50), ("rooms", 1024, 128, 10))
OPPONENTS = {
    "loop": "one jitted update in a Python loop",
    "pieces": "rollout, gradient and the rest, called one by one",
}
REMARKS = (
    "train is faster: how many times the updates per second, the median of alternated pairs. Every "
    "program collects the same episodes, records the same curve and ends with the same theta.",
    "compile: what the first call takes longer than later ones.",
)


def run(session: Session) -> list[Table]:
    """One table of ratios: each size against each way to loop in Python."""
    sizes = SIZES[:2] if session.quick else SIZES
    rows: list[tuple[str, ...]] = []
    with session.steps("learn", len(sizes) * (1 + 2 * len(OPPONENTS))):
        for each in sizes:
            rows += _rows_of(session, *each)
    head = (
        "world",
        "envs x steps",
        "program",
        "updates/s",
        "train is faster",
        f"{session.pairs} pairs",
        "compile s",
    )
    return [Table(TITLE, head, rows, REMARKS)]


def _rows_of(
    session: Session, world: str, num_envs: int, num_steps: int, num_updates: int
) -> list[tuple[str, ...]]:
    what = f"{world} {size(num_envs, num_steps)}"

    def spec(way: str) -> measure.Spec:
        more: dict[str, Any] = {"world": world, "num_updates": num_updates, "way": way}
        return measure.spec("training", num_envs, num_steps, **more)

    with session.step(f"train, {what}, alone"):
        alone = measure.alone(spec("scan"))
    where = (world, size(num_envs, num_steps))
    speed = rate(num_updates / alone["seconds"])
    ours = (*where, "reinforce.train", speed, "-", "-", digits(alone["compile"]))
    rows: list[tuple[str, ...]] = [ours]
    for way, title in OPPONENTS.items():
        with session.step(f"{title}, {what}, alone"):
            alone = measure.alone(spec(way))
        with session.step(f"{title}, {what}, in pairs"):
            pairs = measure.pairs(
                spec("scan"), spec(way), pairs=session.pairs, at_least=session.at_least
            )
        speed = rate(num_updates / statistics.median(pairs.second))
        ratios = (digits(pairs.ratio), spread(pairs.quotients))
        rows.append((*where, title, speed, *ratios, digits(alone["compile"])))
    return rows
