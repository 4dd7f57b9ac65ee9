"""What is known of one submission after it was graded, and its line in `results.jsonl`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from gridroll.classroom.grading.records import STATUSES, Mark


@dataclass(frozen=True)
class Note:
    """Something about a submission that its instructor should know. It takes no points away."""

    kind: str  # "tampered", "duplicate", "missing", "malformed" or "file"
    text: str


@dataclass(frozen=True)
class Reading:
    """A text of the student that a person reads and marks."""

    name: str  # "returns.essay"
    status: str  # "to_read", or why there is nothing to read: not_attempted, missing, malformed
    of: int
    text: str = ""


@dataclass(frozen=True)
class Outcome:
    """The marks of one student for one lesson."""

    student: str
    lesson: str  # the module
    digest: str  # of the notebook that was judged
    marks: tuple[Mark, ...]
    notes: tuple[Note, ...] = ()
    readings: tuple[Reading, ...] = field(default=())

    @property
    def key(self) -> tuple[str, str, str]:
        """What was judged: two outcomes with one key are of the same notebook."""
        return self.student, self.lesson, self.digest


def to_line(outcome: Outcome) -> str:
    """Return one line of JSON, in ASCII, so that no text of a student can break it."""
    return json.dumps(asdict(outcome), ensure_ascii=True, separators=(",", ":")) + "\n"


def from_line(line: str | bytes) -> Outcome:
    """Return what `to_line` wrote. Raises ValueError for anything else."""
    try:
        content = json.loads(line)
        return Outcome(
            content["student"],
            content["lesson"],
            content["digest"],
            tuple(mark_of(each) for each in content["marks"]),
            tuple(Note(**each) for each in content["notes"]),
            tuple(Reading(**each) for each in content["readings"]),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not an outcome: {error}") from None


def mark_of(content: Mapping[str, Any]) -> Mark:
    """Return a mark from its JSON form. Raises ValueError or TypeError for anything else."""
    message = tuple((label, text) for label, text in content["message"])
    mark = Mark(**{**content, "message": message})
    if mark.status not in STATUSES:
        raise ValueError(f"no status is called {mark.status!r}")
    return mark
