"""How a lesson is checked, built and kept: what a notebook needs is here by name."""

from gridroll.classroom.bar import bar
from gridroll.classroom.checking import Verdict, check, predict, yours
from gridroll.classroom.compiling import prefer_quick_compilation
from gridroll.classroom.hints import hint
from gridroll.classroom.record import record
from gridroll.classroom.show import show
from gridroll.classroom.standing import standing

prefer_quick_compilation()

__all__ = ["Verdict", "bar", "check", "hint", "predict", "record", "show", "standing", "yours"]
