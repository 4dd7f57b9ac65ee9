"""The programs that are measured, each made by the name of its module and a size."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Program:
    """Something that takes transitions when it is called, and then waits for its results."""

    call: Callable[[], Any]
    transitions: int  # in one call


def make(program: str, *sizes: int, **more: Any) -> Program:
    """The program that `make` of the module `benchmarks.programs.<program>` gives for this size."""
    module = importlib.import_module(f"benchmarks.programs.{program}")
    made: Program = module.make(*sizes, **more)
    return made
