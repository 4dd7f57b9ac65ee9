"""The verdict on a choice or a prediction, from what its cell called `check` or `predict` with."""

from typing import Any

import numpy as np

from gridroll.classroom import assess
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Choice, Prediction, is_placeholder


def judged(task: Choice | Prediction, told: Any) -> assess.Assessment:
    """The verdict on the calls of a cell.

    Args:
        task: what was asked.
        told: the calls, each a list of a name and what followed it; a student may have changed it.
    """
    calls = [c for c in (told if type(told) is list else []) if type(c) is list and len(c) > 1]
    given = [call[1] for call in calls if type(call[0]) is str and call[0] == task.name]
    tried = [_scalar(value) for value in given if not is_placeholder(value)]
    # The last letter counts, and the first guess of the right form: as in a notebook.
    if not tried:
        return assess.Assessment("not_attempted")
    if isinstance(task, Choice):
        return assess.choice(task, tried[-1])
    if any(_accepted(task, guess) for guess in tried):
        return assess.Assessment("passed")
    lines = (("", "The guess hasn't the form that is asked for."), ("Got", describe(tried[-1])))
    return assess.Assessment("failed", (*lines, ("Expected", task.form)))


def _accepted(task: Prediction, guess: Any) -> bool:
    try:
        return task.accepts(guess)
    except Exception:  # a value of a kind that nobody thought of has another form
        return False


def _scalar(value: Any) -> Any:
    """NumPy's numbers came as arrays without an axis; they are numbers again."""
    if type(value) in (list, tuple):
        return type(value)(_scalar(part) for part in value)
    alone = isinstance(value, np.ndarray) and value.ndim == 0
    return value[()] if alone else value
