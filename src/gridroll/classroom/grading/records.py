"""What the parts of grading hand to one another: answers in, marks out."""

from dataclasses import dataclass

STATUSES = (
    "passed",
    "failed",
    "not_attempted",
    "error",  # the student's code raised
    "timeout",
    "memory",
    "died",  # the student's code ended its process
    "missing",  # the answer cell isn't there
    "tampered",  # the answer cell isn't one any more, such as Markdown
    "malformed",  # the notebook can't be read
    "grader_error",  # our fault: never a zero, the mark stays blank
)


@dataclass(frozen=True)
class Answer:
    """What one student wrote for one exercise."""

    exercise: str  # "collector.rollout"
    source: str | None  # the source text of the answer cell; None where there is none
    status: str = ""  # "missing", "tampered" or "malformed" where there is nothing to judge
    earlier: tuple[str, ...] = ()  # the cell's changed copies above it, which run before it
    # All code cells of the student's own, as (id of the course's cell that one stands below, text).
    own: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Mark:
    """The verdict on one exercise of one student."""

    exercise: str
    status: str  # one of STATUSES
    points: int | None  # None for a grader_error alone
    of: int
    stretch: bool = False
    diagnosis: str | None = None  # the name of the misconception that was recognised
    message: tuple[tuple[str, str], ...] = ()  # labelled lines for the student; no hidden input
