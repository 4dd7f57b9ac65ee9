"""Calling a student's function, eagerly and under jit, and telling what went wrong if it raises."""

import dataclasses
import functools
import linecache
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridroll.classroom.exercise import Case

MIXED = re.compile(r"pytree|tree structure")  # records of two classes where one was wanted
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


def with_own_records(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which gets records of the classes that its own notebook defines.

    A lesson shows `class State`, so a student has one beside the library's. JAX takes them for two
    kinds of tree and refuses to mix them. Only what fails for that is called again, with records of
    the student's class wherever the library has one of the same name and fields.
    """
    names = getattr(unwrapped(function), "__globals__", {})
    if not any(_is_record_class(held) and not _is_ours(held) for held in list(names.values())):
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError) as error:
            if not MIXED.search(str(error)):
                raise
            own = [_own(value, names) for value in args]
            if all(value is given for value, given in zip(own, args, strict=True)):
                raise
        return function(*own, **kwargs)

    call.plain = function  # type: ignore[attr-defined]
    return call


def _own(value: Any, names: dict[str, Any]) -> Any:
    """A record, and those in it, of the classes that go by their names there."""
    kind = type(value)
    if not _is_record_class(kind) or not _is_ours(kind):
        return value
    fields = {name: _own(getattr(value, name), names) for name in _fields(kind)}
    own: Any = names.get(kind.__name__)
    if _is_record_class(own) and _fields(own) == _fields(kind):
        return own(**fields)
    changed = any(fields[name] is not getattr(value, name) for name in fields)
    return kind(**fields) if changed else value


def _is_record_class(kind: Any) -> bool:
    return isinstance(kind, type) and (hasattr(kind, "_fields") or dataclasses.is_dataclass(kind))


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith("gridroll.")


def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(getattr(kind, "_fields", None) or (f.name for f in dataclasses.fields(kind)))
