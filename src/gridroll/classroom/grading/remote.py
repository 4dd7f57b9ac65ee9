"""A student's function as the judge sees it: every call goes to the sandbox and back."""

import builtins
import inspect
import secrets
from typing import Any

from gridroll.classroom.calling import Elsewhere, Raised, RaisedElsewhere
from gridroll.classroom.grading import messages, wire
from gridroll.classroom.grading.sandbox import Process

CALL_SECONDS = 30.0  # for one call, compilation included
EXERCISE_SECONDS = 150.0  # for all calls of an exercise
OUT_OF_MEMORY = ("MemoryError", "RESOURCE_EXHAUSTED", "Out of memory", "out of memory")


class Ended(BaseException):
    """The student's process is no more. No judge may take this for an error of the function."""

    def __init__(self, status: str, why: str) -> None:
        super().__init__(why)
        self.status = status  # "timeout", "memory" or "died"


class Conversation:
    """Questions to one exercise's process, and its answers."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.left = EXERCISE_SECONDS

    def ask(self, op: str, **request: Any) -> Any:
        """The answer to one question.

        Raises:
            RaisedElsewhere: the student's code raised.
            Ended: it took too long, ended its process, or said what is no answer.
        """
        import time

        nonce = secrets.token_hex(16)
        began = time.monotonic()
        try:
            messages.send(self.process.channel, {"op": op, "nonce": nonce, **request})
            reply = messages.receive(self.process.channel, min(CALL_SECONDS, self.left))
        except TimeoutError:
            raise Ended("timeout", f"no answer within {CALL_SECONDS:g} seconds") from None
        except (OSError, EOFError):
            raise Ended("died", "the process is gone") from None
        except messages.MessageError as error:
            raise Ended("died", str(error)) from None
        self.left -= time.monotonic() - began
        if "ended" in reply:
            raise Ended("died", f"the process ended itself, with exit code {reply['ended']}")
        if reply.get("nonce") != nonce:
            raise Ended("died", "an answer to another question")
        if "error" in reply:
            raise _error(reply["error"])
        return reply.get("value")

    def value(self, op: str, **request: Any) -> Any:
        """The answer to a question whose answer is a value of the student's."""
        told = self.ask(op, **request)
        try:
            return wire.decode(told)
        except wire.WireError as error:
            raise Ended("died", str(error)) from None
        except (RecursionError, MemoryError):
            raise Ended("died", "an answer that is nested too deeply or too large") from None

    def end(self) -> None:
        """Let this exercise's process go; the waiting one goes on.

        Raises:
            Ended: it didn't.
        """
        try:
            messages.send(self.process.channel, {"op": "end", "nonce": ""})
            reply = messages.receive(self.process.channel, CALL_SECONDS)
        except (OSError, EOFError, messages.MessageError):
            raise Ended("died", "the process is gone") from None
        if set(reply) != {"ended"}:
            raise Ended("died", "an answer to no question")


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


def _error(told: Any) -> BaseException:
    """An error of the student's, as one of ours: of the same kind, where it is a known one."""
    fields = {name: str(told.get(name, "")) for name in ("kind", "message", "line", "text")}
    if any(words in fields["kind"] + fields["message"] for words in OUT_OF_MEMORY):
        return Ended("memory", "more memory than there is")
    kind: Any = _kinds().get(fields["kind"]) or type(fields["kind"] or "Error", (Exception,), {})
    error = kind.__new__(kind)
    error.args = (fields["message"],)
    return RaisedElsewhere(Raised(error, fields["line"], fields["text"]))


def _kinds() -> dict[str, Any]:
    import jax

    known: dict[str, Any] = {}
    for module in (builtins, jax.errors):
        for name, kind in vars(module).items():
            if isinstance(kind, type) and issubclass(kind, Exception):
                known[name] = kind
    return known
