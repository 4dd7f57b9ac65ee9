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


def make(program: str, num_envs: int, num_steps: int, **more: Any) -> Program:
    """The program that `make` of the module `benchmarks.programs.<program>` gives for this size."""
    module = importlib.import_module(f"benchmarks.programs.{program}")
    made: Program = module.make(num_envs, num_steps, **more)
    return made
