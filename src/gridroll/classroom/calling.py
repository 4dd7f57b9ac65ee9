"""Calling a student's function, eagerly and under jit, and telling what went wrong if it raises."""

import functools
import itertools
import linecache
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridroll.classroom.exercise import Case

# JAX names the place where jit was called and the argument there, which are here and not in the
# student's cell; and it links to pages that a lesson can't count on.
NOT_THE_STUDENTS = re.compile(
    r" ?(The error occurred while tracing the function \S+ at \S+ for jit\."
    r"|This concrete value was not available in Python because it depends on .+?\.(?=\s|$)"
    r"|(See|For more information, see|:)? ?https?://\S+( for more information\.)?)"
)


@dataclass(frozen=True)
class Raised:
    """An error out of the student's code."""

    error: BaseException
    line: str  # the student's own line that it came from, with its number
    text: str  # the whole traceback

    @property
    def message(self) -> str:
        """The first lines of the error, without JAX's advertisement of its own switches."""
        paragraphs = str(self.error).strip().split("\n\n")
        first = " ".join(" ".join(paragraphs[:2]).split())
        first = NOT_THE_STUDENTS.sub("", first).strip()
        return f"{type(self.error).__name__}: {first if len(first) <= 400 else first[:400] + '...'}"


Outcome = Any  # what was returned, or Raised


class Elsewhere:
    """A function in another process: it brings its own ways to be called, and its source text."""

    eager: Callable[..., Any]
    jitted: Any
    source: str


class RaisedElsewhere(Exception):
    """An error out of a function in another process, which told what it was."""

    def __init__(self, raised: Raised) -> None:
        super().__init__(str(raised.error))
        self.raised = raised


@contextmanager
def default_promotion() -> Iterator[None]:
    """JAX mixes dtypes and ranks as it does by default, however strict the session around is."""
    import jax

    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        yield


def call(function: Callable[..., Any], case: Case, owner: Callable[..., Any]) -> Outcome:
    """Call a function on a case; `owner` is the student's function, whose line is named."""
    try:
        return function(*case.args, **case.kwargs)
    except (Exception, SystemExit) as error:
        return raised(error, owner)


def raised(error: BaseException, owner: Callable[..., Any]) -> Raised:
    """The error with the last line of it that lies in the student's own cell."""
    if isinstance(error, RaisedElsewhere):
        return error.raised
    file = getattr(getattr(unwrapped(owner), "__code__", None), "co_filename", None)
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == file and frame.lineno is not None:
            source = linecache.getline(frame.filename, frame.lineno).strip()
            line = f"line {frame.lineno}: {source}"
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return Raised(error, line, text)


class Stepwise:
    """A function called eagerly, one operation after the other: nothing is compiled as a whole.

    After the first time every operation is in JAX's cache, so this is the quick way to call a
    function that scans.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with jit switched off, also where it scans."""
        import jax

        with jax.disable_jit():
            return self.function(*args, **kwargs)


class Jitted:
    """A function under jit: arrays traced, everything else (sizes, policies, text) static."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.programs: dict[Any, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compile it for these static arguments, once, and run it."""
        program, arrays = self._program(args, kwargs)
        return program(arrays)

    def form(self, *args: Any, **kwargs: Any) -> Any:
        """What a call would return, as shapes and dtypes: traced, and neither compiled nor run."""
        program, arrays = self._program(args, kwargs)
        return program.eval_shape(arrays)

    def mapped(self, axes: tuple[int | None, ...], *args: Any, **sizes: Any) -> Any:
        """Map the function over these axes of its arguments, as `jax.vmap` does."""
        import jax

        function = functools.partial(self.function, **sizes)
        return Jitted(jax.vmap(function, in_axes=axes))(*args)

    def _program(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
        """The program for these static arguments, and the arrays to run it on."""
        import jax

        names, values = tuple(kwargs), [*args, *kwargs.values()]
        traced = [is_traceable(value) for value in values]
        static = tuple(None if t else v for t, v in zip(traced, values, strict=True))

        def run(arrays: list[Any]) -> Any:
            given = iter(arrays)
            merged = [next(given) if t else v for t, v in zip(traced, static, strict=True)]
            named = dict(zip(names, merged[len(args) :], strict=True))
            return self.function(*merged[: len(args)], **named)

        program = self.programs.setdefault((names, static, tuple(traced)), jax.jit(run))
        return program, [v for t, v in zip(traced, values, strict=True) if t]


def is_traceable(value: Any) -> bool:
    """Whether jit should trace a value: arrays, floats, and records of them."""
    import jax

    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(
        isinstance(x, float | np.ndarray | np.generic | jax.Array) for x in leaves
    )


def unwrapped(function: Any) -> Any:
    """The Python function below decorators, jit and partial."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return function


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
