"""What is said where the grader itself failed: to the student, and to the instructor where."""

import traceback
from pathlib import Path

MESSAGE = "The grader failed here. This is not your fault, and it is no zero."


def place_of(error: BaseException) -> str:
    """The kind of an error of ours and where it was raised, without anything a student said."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(at.filename).name} line {at.lineno}"
