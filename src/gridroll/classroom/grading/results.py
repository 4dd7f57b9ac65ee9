"""`results.jsonl`: one line for each submission and lesson, safe on the disk once it is written."""

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from gridroll.classroom.grading.outcome import Outcome, from_line, to_line

Key = tuple[str, str, str]


class Results:
    """The outcomes so far. Opened by the run that holds the folder.

    A last line that a killed run left half-written is dropped, and so is any line that isn't an
    outcome: what it stood for is judged again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            content = path.read_bytes()
            self._length = content.rfind(b"\n") + 1
            os.ftruncate(self._handle, self._length)
        except OSError:
            os.close(self._handle)
            raise
        self.outcomes: dict[Key, Outcome] = {}
        for outcome in _outcomes(content[: self._length].splitlines()):
            self.outcomes[outcome.key] = outcome

    def __enter__(self) -> "Results":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._handle)

    def finished(self, key: Key) -> bool:
        """Whether this notebook has its marks. A blank one, our fault, is tried again."""
        outcome = self.outcomes.get(key)
        return outcome is not None and not is_blank(outcome)

    def add(self, outcome: Outcome) -> None:
        """Append an outcome, and wait until the disk has it. Raises OSError and adds nothing."""
        line = to_line(outcome).encode()
        try:
            os.lseek(self._handle, self._length, os.SEEK_SET)
            left = line
            while left:
                left = left[os.write(self._handle, left) :]
            os.fsync(self._handle)
        except OSError:
            os.ftruncate(self._handle, self._length)
            raise
        self._length += len(line)
        self.outcomes[outcome.key] = outcome


def is_blank(outcome: Outcome) -> bool:
    """Whether a mark is blank because we failed."""
    return any(mark.status == "grader_error" for mark in outcome.marks)


def _outcomes(lines: Iterable[bytes]) -> Iterable[Outcome]:
    for line in lines:
        try:
            yield from_line(line)
        except ValueError:
            continue
