"""Whether a student's function is the library's own, or calls it."""

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from gridroll.classroom.calling import Jitted, unwrapped
from gridroll.classroom.exercise import Case


def is_same_function(function: Any, reference: Any) -> bool:
    """Whether one function is the other, decorated or not."""
    return unwrapped(function) is unwrapped(reference)


def library_call(
    function: Callable[..., Any], case: Case, library: tuple[Any, ...], traced: bool
) -> str:
    """The first of these library functions that a call of the function runs, or "".

    It may have been handed in itself, or wrapped.

    The call is traced only, which compiles nothing; what can't be traced is run, unless `traced`
    says that it must be. A compiled function would run no Python line to watch, so JAX is told to
    trace everything again.
    """
    watched = [layer for own in library for layer in _layers(own)]
    seen = ""

    def watch(frame: Any, event: str, argument: Any) -> None:
        nonlocal seen
        if event == "call" and not seen:
            seen = next((own.__name__ for own in watched if _runs(frame, own)), "")

    before = sys.getprofile()
    for run in (Jitted(function).form, *(() if traced else (function,))):
        with _afresh()(next(_watches)):
            sys.setprofile(watch)
            try:
                run(*case.args, **case.kwargs)
            except (Exception, SystemExit):
                continue
            finally:
                sys.setprofile(before)
            break
    return seen


_watches = itertools.count(1)


def _layers(function: Any) -> Iterator[Any]:
    """A function and those that it decorates, as far as they are Python's."""
    while function is not None:
        if hasattr(function, "__code__"):
            yield function
        function = getattr(function, "__wrapped__", None)


@functools.cache
def _afresh() -> Any:
    """A context of JAX's caches: what was traced for one value of it isn't used for another."""
    import jax

    return jax.make_user_context(0)


def _runs(frame: Any, function: Any) -> bool:
    """Whether a frame runs this very function, its closure included."""
    if frame.f_code is not function.__code__:
        return False
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return all(frame.f_locals.get(name) is cell.cell_contents for name, cell in cells)
