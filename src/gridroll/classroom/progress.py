"""What a student has done so far: remembered in the workbook, or else while the kernel lives.

A kernel runs in the folder of its notebook. Where that folder holds a `progress.json`, which
`gridroll lab` creates, progress is kept there. Elsewhere, with the environment variable
GRIDROLL_PROGRESS=off, or where the file can't be written, it is kept in memory only.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from gridroll.classroom import progress_file
from gridroll.classroom.progress_file import Entry, Progress

SWITCH = "GRIDROLL_PROGRESS"
_RANK = {"not_attempted": 0, "error": 1, "failed": 2, "passed": 3}

_session = Progress()
_said: set[str] = set()


class Verdict(Protocol):
    """The part of a verdict that progress keeps."""

    @property
    def name(self) -> str:
        """Its exercise, such as "collector.rollout"."""

    @property
    def status(self) -> str:
        """One of passed, failed, error, not_attempted."""

    @property
    def passed(self) -> bool:
        """Whether it is a pass."""

    @property
    def diagnosis(self) -> str | None:
        """The misconception that was recognised, or None."""


def remember(verdict: Verdict) -> None:
    """Keep what `verdict` says of its exercise. Never raises, whatever the disk does."""

    def edit(progress: Progress) -> None:
        before = progress.exercises.get(verdict.name, Entry())
        progress.exercises[verdict.name] = after_verdict(before, verdict)

    stored = _change(edit)
    _session.exercises[verdict.name] = stored.exercises[verdict.name]


def after_verdict(entry: Entry, verdict: Verdict) -> Entry:
    """The entry of an exercise after one more verdict.

    The best status stays. A failed try counts, an attempt that wasn't made doesn't, and a pass
    starts the count again.
    """
    if verdict.passed:
        return Entry(status="passed", passed=True)
    if verdict.status == "not_attempted":
        return entry
    best = max(entry.status, verdict.status, key=lambda status: _RANK.get(status, 0))
    return replace(entry, status=best, tries=entry.tries + 1, diagnosis=verdict.diagnosis)


def commit_prediction(name: str, value: Any) -> Any:
    """Commit `value` as the prediction `name`, once: returns the first committed value.

    The value comes back in its JSON form: arrays and tuples as lists. Never raises because of the
    disk.
    """

    def edit(progress: Progress) -> None:
        progress.predictions.setdefault(name, _session.predictions.get(name, committed))

    committed = progress_file.plain(value)
    stored = _change(edit)
    _session.predictions[name] = stored.predictions[name]
    return stored.predictions[name]


def prediction(name: str) -> Any:
    """The committed prediction `name` in its JSON form, or None where there is none yet."""
    return _session.predictions.get(name, _stored().predictions.get(name))


def tries(name: str) -> int:
    """Failed tries of the exercise `name` since its last pass."""
    found = _session.exercises.get(name) or _stored().exercises.get(name, Entry())
    return found.tries


def passed(names: Iterable[str]) -> set[str]:
    """Those of `names` that were passed, in this session or before."""
    known = (_session, _stored())
    return {
        name
        for name in names
        if any(progress.exercises.get(name, Entry()).passed for progress in known)
    }


def _change(edit: Callable[[Progress], None]) -> Progress:
    """Apply `edit` to the workbook's file, or to the session where there is none to write."""
    folder = _workbook()
    if folder is not None:
        try:
            return progress_file.update(folder, edit, _say_once)
        except OSError as error:
            _say_unwritable(error)
    edit(_session)
    return _session


def _stored() -> Progress:
    """What the workbook's file holds; empty where there is none."""
    folder = _workbook()
    if folder is not None:
        try:
            return progress_file.load(folder, _say_once)
        except OSError as error:
            _say_unwritable(error)
    return Progress()


def _workbook() -> Path | None:
    """The current folder, when it is a workbook and progress isn't switched off."""
    if os.environ.get(SWITCH, "").lower() == "off":
        return None
    try:
        folder = Path.cwd()
        return folder if os.path.lexists(folder / progress_file.FILE_NAME) else None
    except OSError:  # the folder was removed while the kernel ran
        return None


def _say_unwritable(error: OSError) -> None:
    reason = error.strerror or type(error).__name__
    _say_once(f"{progress_file.FILE_NAME} can't be kept ({reason}); it counts in memory only.")


def _say_once(message: str) -> None:
    """Print `message`, and not a second time in this session."""
    if message not in _said:
        _said.add(message)
        print(message)
