"""How a lesson is checked, built and kept: what a notebook needs is here by name."""

from gridroll.classroom.checking import Verdict, check, predict, yours
from gridroll.classroom.hints import hint
from gridroll.classroom.record import record
from gridroll.classroom.show import show

__all__ = ["Verdict", "check", "hint", "predict", "record", "show", "yours"]
