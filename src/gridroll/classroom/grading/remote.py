"""A student's function as the judge sees it: every call goes to the sandbox and back."""

import builtins
import contextlib
import inspect
import secrets
import signal
import socket
import time
from collections.abc import Sequence
from typing import Any

from gridroll.classroom.calling import Elsewhere, Raised, RaisedElsewhere
from gridroll.classroom.grading import messages, safe, wire
from gridroll.classroom.grading.child import CELL_SECONDS
from gridroll.classroom.grading.sandbox import Process

CALL_SECONDS = 30.0  # for one call, compilation included
EXERCISE_SECONDS = 150.0  # for all calls of an exercise
MOST_TEXT = 2000  # characters of an error's message
OUT_OF_MEMORY = ("MemoryError", "RESOURCE_EXHAUSTED", "Out of memory", "out of memory")
# What ends a process by accident. Any other signal was chosen, and may tell a fresh case.
SIGNALS = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGKILL,
           signal.SIGSEGV)  # fmt: skip
OUT_OF_TIME = "CellTimeoutError"  # the child's own


class Ended(BaseException):
    """The student's process is no more. No judge may take this for an error of the function."""

    def __init__(self, status: str, why: str) -> None:
        super().__init__(why)
        self.status = status  # "timeout", "memory" or "died"


class Conversation:
    """Questions to one exercise's process, and its answers.

    Args:
        process: the sandbox, in which a process for this exercise is made.
        cells: what the student wrote; an error's line is quoted from them.
    """

    def __init__(self, process: Process, cells: Sequence[str] = ()) -> None:
        self.process = process
        self.lines = [cell.splitlines() for cell in cells]
        self.left = EXERCISE_SECONDS
        self.channel, theirs = socket.socketpair()
        try:
            socket.send_fds(process.channel, [b"!"], [theirs.fileno()])
        except OSError:
            self.close()
            raise Ended("died", "the sandbox is gone") from None
        finally:
            theirs.close()

    def close(self) -> None:
        """Say nothing more."""
        self.channel.close()

    def ask(self, op: str, **request: Any) -> Any:
        """The answer to one question.

        Raises:
            RaisedElsewhere: the student's code raised.
            Ended: it took too long, ended its process, or said what is no answer.
        """
        nonce = secrets.token_hex(16)
        began = time.monotonic()
        seconds = min(CALL_SECONDS, self.left)
        try:
            self.channel.settimeout(max(seconds, 0.01))
            messages.send(self.channel, {"op": op, "nonce": nonce, **request})
            reply = messages.receive(self.channel, seconds)
        except TimeoutError:
            raise Ended("timeout", f"no answer within {CALL_SECONDS:g} seconds") from None
        except (OSError, EOFError):
            raise self._ended() from None
        except messages.MessageError as error:
            raise Ended("died", str(error)) from None
        self.left -= time.monotonic() - began
        if reply.get("nonce") != nonce:
            raise Ended("died", "an answer to another question")
        if "error" in reply:
            raise self._error(reply["error"])
        return reply.get("value")

    def value(self, op: str, **request: Any) -> Any:
        """The answer to a question whose answer is a value of the student's."""
        told = self.ask(op, **request)
        try:
            return wire.decode(told, forms=request.get("route") == "form")
        except wire.WireError as error:
            raise Ended("died", str(error)) from None
        except (RecursionError, MemoryError):
            raise Ended("died", "an answer that is nested too deeply or too large") from None

    def end(self) -> None:
        """Let this exercise's process go; the waiting one goes on.

        Raises:
            Ended: it didn't.
        """
        with contextlib.suppress(OSError):  # it may have gone; the waiting process knows
            messages.send(self.channel, {"op": "end", "nonce": ""})
        self.close()
        if self._exit_code() is None:
            raise Ended("died", "the process doesn't end")

    def _ended(self) -> Ended:
        """Why a process is no more. Only a signal is told: an exit code may tell a fresh case."""
        code = self._exit_code()
        if self.process.took_too_much:
            return Ended("memory", "all its processes together took more memory than there is")
        if code is not None and -code in SIGNALS:
            return Ended("died", f"signal {-code} ended the process")
        return Ended("died", "the process ended itself")

    def _exit_code(self) -> int | None:
        """What the waiting process says of this exercise's one. No student can speak for it."""
        try:
            ended = messages.receive(self.process.channel, CALL_SECONDS).get("ended")
        except (OSError, EOFError, messages.MessageError):
            return None
        return ended if type(ended) is int else None

    def _error(self, told: Any) -> BaseException:
        """An error of the student's, as one of ours: of the same kind, where it is a known one."""
        if type(told) is not dict:
            return Ended("died", "an error that is none")
        kind, message = (_text(told.get(name)) for name in ("kind", "message"))
        if kind == OUT_OF_TIME:
            return Ended("timeout", f"the cell took more than {CELL_SECONDS} seconds")
        if any(words in kind + message for words in OUT_OF_MEMORY):
            return Ended("memory", "more memory than there is")
        # The line is quoted from what was handed in: the process may have changed its own copy.
        cell, number, line = told.get("cell"), told.get("line"), ""
        lines = self.lines[cell] if type(cell) is int and 0 <= cell < len(self.lines) else []
        if type(number) is int and 0 < number <= len(lines):
            line = f"line {number}: {lines[number - 1].strip()}"
        return RaisedElsewhere(Raised(_made(kind, message), safe.text(line), ""))


class Remote(Elsewhere):
    """The function, with the source text that the student wrote."""

    def __init__(self, ask: Conversation, name: str, source: str, parameters: list[str]) -> None:
        self.__name__ = name
        self.source = source
        self.__signature__ = _signature(parameters)
        self.eager = self._route(ask, "eager")
        self.jitted = self._route(ask, "jit")
        self.jitted.form = self._route(ask, "form")
        self.jitted.mapped = self._route(ask, "mapped")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it directly."""
        return self.eager(*args, **kwargs)

    @staticmethod
    def _route(ask: Conversation, route: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            given = {"args": wire.encode(args), "kwargs": wire.encode(kwargs)}
            return ask.value("call", route=route, name="", **given)

        return call


def _signature(parameters: list[str]) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    try:
        return inspect.Signature([inspect.Parameter(name, kind) for name in parameters])
    except (ValueError, TypeError):
        return inspect.Signature()


def _text(told: Any) -> str:
    """A text that reports can hold."""
    return wire.without_addresses(safe.text(told[:MOST_TEXT])) if type(told) is str else ""


def _made(kind: str, message: str) -> Exception:
    """An error that shows this message. No constructor is called: each wants other arguments."""
    known: Any = _kinds().get(kind, Exception)
    name = kind if kind.isidentifier() else "Exception"
    shown: Any = type(name, (known,), {"__str__": lambda self: message})
    return shown.__new__(shown)


def _kinds() -> dict[str, Any]:
    import jax

    known: dict[str, Any] = {}
    for module in (builtins, jax.errors):
        for name, kind in vars(module).items():
            group = isinstance(kind, type) and issubclass(kind, BaseExceptionGroup)
            if isinstance(kind, type) and issubclass(kind, Exception) and not group:
                known[name] = kind
    return known
