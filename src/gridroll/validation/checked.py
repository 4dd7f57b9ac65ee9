"""The decorator that every check of arguments is made with."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")

R = TypeVar("R")


def checked(prepare: Callable[..., dict[str, Any]]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function so that `prepare(**arguments)` returns the arguments it really gets."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            bound.arguments.update(prepare(**bound.arguments))
            return function(*bound.args, **bound.kwargs)

        return call

    return decorate
