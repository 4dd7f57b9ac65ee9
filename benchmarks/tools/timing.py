"""Seconds of calls, taken in alternated pairs so that a busy machine slows both sides alike."""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Pairs:
    """Seconds for one call of two programs, pair by pair."""

    first: list[float]
    second: list[float]

    @property
    def quotients(self) -> list[float]:
        """How many times as long the second one took, in each pair."""
        return [b / a for a, b in zip(self.first, self.second, strict=True)]

    @property
    def ratio(self) -> float:
        """The median of the quotients."""
        return statistics.median(self.quotients)

    def as_json(self) -> dict[str, Any]:
        """The pairs in a form that travels between processes."""
        return asdict(self)


def seconds(call: Callable[[], Any], repeats: int = 1) -> float:
    """Seconds for one call, as the mean of `repeats` calls. `call` must wait for its results."""
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def repeats_for(one_call: float, at_least: float) -> int:
    """How many calls of `one_call` seconds fill a sample of `at_least` seconds."""
    return max(1, round(at_least / one_call))


def alternate(
    first: Callable[[], Any], second: Callable[[], Any], pairs: int, at_least: float
) -> Pairs:
    """Time two programs in turn, after a call of each that compiles and one that is looked at.

    Every other pair begins with the second program, so that neither always goes first.

    Args:
        first: a program; it must wait for its results.
        second: another one.
        pairs: how many pairs.
        at_least: seconds that one sample lasts at least, as far as whole calls go.
    """
    calls = (first, second)
    for call in calls:
        call()
    repeats = [repeats_for(seconds(call), at_least) for call in calls]
    taken: tuple[list[float], list[float]] = ([], [])
    for pair in range(pairs):
        for side in (0, 1) if pair % 2 == 0 else (1, 0):
            taken[side].append(seconds(calls[side], repeats[side]))
    return Pairs(*taken)
