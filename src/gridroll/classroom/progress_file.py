"""The file `progress.json` of a workbook: its shape, and how it is read and changed.

```
{"version": 1,
 "exercises":   {"collector.rollout": {"status": "failed", "passed": false, "tries": 2,
                                       "diagnosis": "batch_major"}},
 "predictions": {"collector.first_counts": [64, 64, 58]},
 "copies":      {"03_collector.ipynb": "fingerprint of the lesson that was copied"}}
```

A damaged file is set aside and never stops work.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gridroll.classroom import files

FILE_NAME = "progress.json"
_VERSION = 1
_ATTEMPTS = 5  # at reading a file that is being replaced (Windows refuses meanwhile)


@dataclass(frozen=True)
class Entry:
    """What is known of one exercise.

    Attributes:
        status: the best status so far: passed, failed, error or not_attempted.
        passed: whether it was ever passed.
        tries: failed tries since the last pass, or since the start.
        diagnosis: the misconception that the last failed try showed, or None.
    """

    status: str = "not_attempted"
    passed: bool = False
    tries: int = 0
    diagnosis: str | None = None


@dataclass
class Progress:
    """All that a progress file holds.

    Attributes:
        exercises: what is known of each exercise, by name.
        predictions: the first answer to each prediction, by name, as plain JSON values.
        copies: for each notebook of the workbook, the fingerprint of the lesson it was copied from.
    """

    exercises: dict[str, Entry] = field(default_factory=dict)
    predictions: dict[str, Any] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> Progress:
    """Read the text of a progress file. Raises ValueError with one line that says what is wrong."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        raise ValueError(f"it has no line that says version {_VERSION}")
    parts = [data.get(part, {}) for part in ("exercises", "predictions", "copies")]
    if not all(isinstance(part, dict) for part in parts):
        raise ValueError("a part of it is not a table of names")
    exercises, predictions, copies = parts
    if not all(isinstance(copy, str) for copy in copies.values()):
        raise ValueError("a copy of a lesson has no fingerprint")
    return Progress(
        {name: _entry(name, found) for name, found in exercises.items()}, predictions, copies
    )


def _entry(name: str, found: object) -> Entry:
    """The entry of one exercise, or ValueError."""
    if isinstance(found, dict) and found.keys() <= asdict(Entry()).keys():
        entry = Entry(**found)
        types = type(entry.status), type(entry.passed), type(entry.tries)
        if types == (str, bool, int) and isinstance(entry.diagnosis, str | None):
            return entry
    raise ValueError(f"its entry {name!r} is not one of an exercise")


def dump(progress: Progress) -> str:
    """The text of a progress file."""
    data = {"version": _VERSION, **asdict(progress)}
    return json.dumps(data, indent=1, sort_keys=True) + "\n"


def load(folder: Path, say: Callable[[str], None] = print) -> Progress:
    """The progress of the workbook `folder`; empty when it holds no progress file.

    A damaged file is set aside and `say` is told in one line. Raises OSError where the folder
    can't be read or changed.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return Progress()
    try:
        return parse(_read(path))
    except (ValueError, OSError):
        with files.locked(path):
            return _load_or_set_aside(path, say)


def update(
    folder: Path, edit: Callable[[Progress], None], say: Callable[[str], None] = print
) -> Progress:
    """Change the progress file of `folder` by `edit`, and return what it then holds.

    The file is read again under a lock, so that what another kernel wrote meanwhile is kept. It is
    created when missing and not touched when nothing changed. Raises OSError.
    """
    path = folder / FILE_NAME
    with files.locked(path):
        progress = _load_or_set_aside(path, say) if path.exists() else Progress()
        edit(progress)
        text = dump(progress)
        if not path.exists() or _read(path) != text:
            files.write_whole(path, text)
    return progress


def _load_or_set_aside(path: Path, say: Callable[[str], None]) -> Progress:
    """Read `path`; where that can't be done, set it aside, start an empty one and say so."""
    try:
        return parse(_read(path))
    except (ValueError, OSError) as error:
        kept = files.set_aside(path, "damaged")
        files.write_whole(path, dump(Progress()))
        say(f"{path.name} could not be read ({_first_line(error)}); kept as {kept.name}.")
        return Progress()


def _read(path: Path) -> str:
    """The text of `path`, tried again while Windows refuses because it is being replaced."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return path.read_text(encoding="utf-8")
        except PermissionError:
            time.sleep(0.01)
    return path.read_text(encoding="utf-8")


def plain(value: Any) -> Any:
    """`value` as JSON holds it: arrays and tuples become lists, what JSON lacks its repr."""
    try:
        return json.loads(json.dumps(value, default=_without_json_form))
    except (TypeError, ValueError):  # keys that JSON lacks, a list that holds itself
        return repr(value)


def _without_json_form(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else repr(value)


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
