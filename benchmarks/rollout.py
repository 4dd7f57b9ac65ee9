"""The collector against the programs that people would use instead of it."""

import statistics

from benchmarks.tools import measure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table, digits, rate, size, spread

TITLE = "collector.rollout against a Python loop, gymnax and Gymnasium"
NEEDS = ("gymnax", "gymnasium", "six")

SIZES = ((64, 8), (1024, 128), (16384, 128))
# Each opponent by its module, with the most transitions that one sample takes: the slow one would
# need a minute for each sample of the largest size.
OPPONENTS = {
    "loop": ("jitted step in a Python loop", None),
    "gymnax_rooms": ("gymnax RolloutWrapper, FourRooms", None),
    "frozen_lake": ("Gymnasium sync vector, FrozenLake", 40_000),
}
HEAD = (
    "envs x steps",
    "program",
    "transitions/s",
    "rollout is faster",
    "nine pairs",
    "compile s",
    "peak MiB",
    "measured",
)
REMARKS = (
    "rollout is faster: how many times the transitions per second, the median of alternated pairs.",
    "compile: what the first call takes longer than later ones. peak: of the whole process, with "
    "its imports. measured: the size that was run; smaller where the whole would take too long.",
)


def run(session: Session) -> list[Table]:
    """One table of ratios: each size against each opponent."""
    sizes = SIZES[:2] if session.quick else SIZES
    rows: list[tuple[str, ...]] = []
    with session.steps("rollout", len(sizes) * (1 + 2 * len(OPPONENTS))):
        for num_envs, num_steps in sizes:
            rows += _rows_of(session, num_envs, num_steps)
    head = tuple(f"{session.pairs} pairs" if title == "nine pairs" else title for title in HEAD)
    return [Table(TITLE, head, rows, REMARKS)]


def steps_to_run(num_envs: int, num_steps: int, most: int | None) -> int:
    """How many steps to run so that they are at most `most` transitions, but one step at least."""
    return num_steps if most is None else max(1, min(num_steps, most // num_envs))


def _rows_of(session: Session, num_envs: int, num_steps: int) -> list[tuple[str, ...]]:
    whole = size(num_envs, num_steps)
    ours = measure.spec("rollout", num_envs, num_steps)
    with session.step(f"rollout {whole}, alone"):
        alone = measure.alone(ours)
    speed = rate(alone["transitions"] / alone["seconds"])
    cost = (digits(alone["compile"]), digits(alone["memory"]), whole)
    rows: list[tuple[str, ...]] = [(whole, "collector.rollout", speed, "-", "-", *cost)]
    for program, (title, most) in OPPONENTS.items():
        steps = steps_to_run(num_envs, num_steps, most)
        theirs = measure.spec(program, num_envs, steps)
        with session.step(f"{title} {size(num_envs, steps)}, alone"):
            alone = measure.alone(theirs)
        with session.step(f"{title} {size(num_envs, steps)}, in pairs"):
            pairs = measure.pairs(ours, theirs, pairs=session.pairs, at_least=session.at_least)
        # For one transition, because the two may have run different numbers of them.
        faster = [quotient * num_steps / steps for quotient in pairs.quotients]
        rows.append(
            (
                whole,
                title,
                rate(num_envs * steps / statistics.median(pairs.second)),
                digits(statistics.median(faster)),
                spread(faster),
                "-" if program == "frozen_lake" else digits(alone["compile"]),
                digits(alone["memory"]),
                size(num_envs, steps),
            )
        )
    return rows
