"""Calling a function that scans many times, without compiling it each time."""

from collections.abc import Callable
from typing import Any

from gridroll.classroom.calling import Stepwise


def sparing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, called as it is once for each shape, and then one operation at a time.

    Each direct call of `jax.lax.scan` compiles its body again. What scan itself refuses, such as a
    carry that changes its dtype, still shows on the first call of each shape. A function that is
    compiled already, such as one below `jax.jit`, is left alone.
    """
    if hasattr(function, "__wrapped__"):
        return function
    seen: set[Any] = set()
    stepwise = Stepwise(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        shapes = tuple(getattr(argument, "shape", ()) for argument in args)
        route = stepwise if shapes in seen else function
        seen.add(shapes)
        return route(*args, **kwargs)

    return call
