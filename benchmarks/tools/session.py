"""One run of the benchmarks: how thorough it is, and where it says how far it has come."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import Progress, TaskID, TimeElapsedColumn


@dataclass
class Session:
    """Settings of a run. Progress goes to stderr: a bar on a terminal, plain lines elsewhere."""

    quick: bool = False
    console: Console = field(default_factory=lambda: Console(file=sys.stderr))
    _bar: tuple[Progress, TaskID] | None = None
    _steps: tuple[str, int, int] = ("", 0, 0)

    @property
    def pairs(self) -> int:
        """How many alternated pairs a ratio is the median of."""
        return 3 if self.quick else 9

    @property
    def at_least(self) -> float:
        """Seconds that one sample lasts at least."""
        return 0.02 if self.quick else 0.1

    @contextmanager
    def steps(self, name: str, total: int) -> Iterator[None]:
        """Announce that a benchmark takes `total` steps."""
        self._steps = (name, 0, total)
        if not self.console.is_terminal:
            yield
            return
        with Progress(
            *Progress.get_default_columns()[:3],
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
        ) as bar:
            self._bar = (bar, bar.add_task(name, total=total))
            yield
            self._bar = None

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Say what is being measured now."""
        name, done, total = self._steps
        self._steps = (name, done + 1, total)
        start = time.perf_counter()
        if self._bar:
            self._bar[0].update(self._bar[1], description=f"{name}: {text}")
        yield
        if self._bar:
            self._bar[0].advance(self._bar[1])
        else:
            took = time.perf_counter() - start
            line = f"{name} {done + 1}/{total}: {text} ({took:.0f} s)\n"
            self.console.file.write(line)
            self.console.file.flush()
