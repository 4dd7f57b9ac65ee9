"""What runs in the sandbox: it holds no expected value, and answers calls with what came out.

One process imports JAX and waits. For each exercise it makes a copy of itself, which gets the
course's package, compiled, without what the exercise asks for, and then the student's cell.
The copy has a channel of its own, which came with the request. It can't speak on the waiting
process's channel, so it can't say that it has ended, or answer for the next one.
"""

import __future__

import ast
import asyncio
import base64
import contextlib
import ctypes
import gc
import importlib
import importlib.abc
import importlib.util
import linecache
import marshal
import os
import re
import shutil
import signal
import socket
import sys
import time
import traceback
import types
from collections.abc import Sequence
from typing import Any

from gridroll.classroom.grading import messages, wire

CELL = "<answer {}>"
THEIRS = re.compile(r"<answer (\d+)>")
CELL_SECONDS = 20  # for the statements of a cell; what was defined by then can be called
PRIVATE = ("/tmp", "/dev/shm")
PR_SET_DUMPABLE = 4


class Sources(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports modules that came compiled: nothing of the course lies on a disk here."""

    def __init__(self, codes: dict[str, str]) -> None:
        self.codes = codes

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """A module of ours, a package if others lie below it."""
        if fullname not in self.codes:
            return None
        package = any(name.startswith(f"{fullname}.") for name in self.codes)
        return importlib.util.spec_from_loader(fullname, self, is_package=package)

    def get_code(self, fullname: str) -> Any:
        """What a module runs."""
        return marshal.loads(base64.b64decode(self.codes[fullname]))

    def get_source(self, fullname: str) -> None:
        """No text of a module is here."""


def main(channel: socket.socket, alone: bool) -> None:
    """Serve one exercise after the other until the channel is closed.

    Args:
        channel: where the requests come from.
        alone: whether every other process that can be seen is one of the student's.
    """
    gc.disable()  # nothing of this is garbage, and looking for some takes a fifth of the time
    import jax
    import jax.numpy  # noqa: F401

    gc.freeze()  # what is here by now stays: no copy looks through it again
    gc.enable()
    _let_nobody_look_inside(True)
    kept = _tops() if alone else []
    while True:
        told, given, *_ = socket.recv_fds(channel, 1, 1)
        if not told:
            return
        (own,) = given
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                channel.close()
                os.setsid()
                _let_nobody_look_inside(False)
                exercise = socket.socket(fileno=own)
                Served(exercise).serve(messages.receive(exercise))
            os._exit(0)
        os.close(own)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        if alone:
            _kill_others()
            _empty(kept)
        messages.send(channel, {"ended": os.waitstatus_to_exitcode(status)})


def _let_nobody_look_inside(closed: bool) -> None:
    """Close this process's memory and files to others of the same user, or open them again."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, int(not closed), 0, 0, 0)


def _kill_others() -> None:
    """End every other process of this namespace but its first, and wait until they are gone.

    What was killed still counts as a process until it has been cleared away.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(-1, signal.SIGKILL)
    for _ in range(200):
        others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, os.getpid()}
        if not others:
            return
        time.sleep(0.05)
    raise SystemExit("processes are left")  # whoever asks next starts a new sandbox


def _empty(kept: Sequence[str]) -> None:
    """Take away what an exercise has left, so that the next one finds the same.

    Args:
        kept: what lay there before; Python itself may lie below /tmp.
    """
    for top in {*_tops()} - {*kept}:
        if os.path.islink(top) or not os.path.isdir(top):
            with contextlib.suppress(OSError):
                os.unlink(top)
            continue
        _open(top)
        for place, inside, _ in os.walk(top):
            for name in inside:  # before it is walked into
                _open(os.path.join(place, name))
        shutil.rmtree(top, ignore_errors=True)
    if {*_tops()} - {*kept}:
        raise SystemExit("files are left")  # whoever asks next starts a new sandbox


def _open(folder: str) -> None:
    """Let a folder that may have been closed be looked into."""
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)


def _tops() -> list[str]:
    """What lies in the folders that an exercise may write to."""
    return [os.path.join(folder, name) for folder in PRIVATE for name in os.listdir(folder)]


class Shell:
    """What is left of IPython here: it does nothing."""

    def __getattr__(self, name: str) -> Any:
        return _nothing


def _nothing(*values: Any, **named: Any) -> list[Any]:
    return []


class Served:
    """One exercise: a namespace with the student's function, and calls of it."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        main = types.ModuleType("__main__")  # where classes look up what their annotations name
        sys.modules["__main__"] = main
        self.namespace: dict[str, Any] = vars(main)
        self.namespace["__builtins__"] = __builtins__
        self.namespace |= {"display": _nothing, "get_ipython": Shell}
        self.eager: Any = None
        self.jitted: Any = None

    def serve(self, request: dict[str, Any]) -> None:
        """Answer requests until one says that it is over."""
        while request["op"] != "end":
            try:
                reply = {"value": getattr(self, f"_{request['op']}")(request)}
            except BaseException as error:
                reply = {"error": _error(error)}
            messages.send(self.channel, reply | {"nonce": request["nonce"]})
            request = messages.receive(self.channel)

    def _start(self, request: dict[str, Any]) -> Any:
        """Load the course, then run the lesson's statements and the student's cell."""
        sys.meta_path.insert(0, Sources(request["sources"]))
        # Before a student's code may change it.
        from gridroll.classroom.calling import Jitted, with_own_records

        probes = importlib.import_module("gridroll.exercises._probes")
        probe = getattr(probes, request["probe"]) if request["probe"] else lambda function: function
        for statement in request["before"]:
            with contextlib.suppress(Exception):  # what an answer needs of it, it will miss
                # As texts, annotations need no names, whatever the cell itself had imported.
                code = compile(statement, "<lesson>", "exec", __future__.annotations.compiler_flag)
                exec(code, self.namespace)
        older = self.namespace.get(request["name"])
        failed = None
        for number, text in enumerate(request["cells"]):
            failed = self._run(text, CELL.format(number)) or failed
        if self.namespace.get(request["name"]) is older:  # the answer itself defines none
            self.namespace.pop(request["name"], None)
        # As in a notebook: what was defined before an error stays.
        if failed is not None and request["name"] not in self.namespace:
            raise failed
        function = self.namespace.get(request["name"])
        if callable(function):
            own = with_own_records(function)
            self.eager, self.jitted = probe(own), Jitted(probe(own))
        return {"callable": callable(function), "parameters": _parameters(function)}

    def _run(self, text: str, name: str) -> BaseException | None:
        """Run a cell as a kernel does, with `await` at its top too; the error that ended it."""
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        signal.signal(signal.SIGALRM, _out_of_time)
        signal.alarm(CELL_SECONDS)
        try:
            code = compile(text, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            found = eval(code, self.namespace)
            if asyncio.iscoroutine(found):
                asyncio.run(found)
        except BaseException as error:
            return error
        finally:
            signal.alarm(0)
        return None

    def _call(self, request: dict[str, Any]) -> Any:
        """Call the student's function: as it is, compiled, for its shapes alone, or mapped."""
        args, kwargs = wire.decode(request["args"]), wire.decode(request["kwargs"])
        routes = {
            "eager": self.eager,
            "jit": self.jitted,
            "form": self.jitted.form,
            "mapped": self.jitted.mapped,
        }
        return wire.encode(routes[request["route"]](*args, **kwargs))

    def _value(self, request: dict[str, Any]) -> Any:
        """A value that the cell has given a name, such as a witness."""
        return wire.encode(self.namespace.get(request["name"], ...))

    def _given(self, request: dict[str, Any]) -> Any:
        """What the cell called `check` or `predict` with."""
        return wire.encode(list(sys.modules["gridroll.classroom"].given))


class CellTimeoutError(Exception):
    """A cell didn't come to an end."""


def _out_of_time(number: int, frame: Any) -> None:
    raise CellTimeoutError(f"no end within {CELL_SECONDS} seconds")


def _parameters(function: Any) -> list[str]:
    import inspect

    try:
        return [str(name) for name in inspect.signature(function).parameters]
    except (TypeError, ValueError):
        return []


def _error(error: BaseException) -> dict[str, Any]:
    """An error: its kind, its message, and the number of the student's line that it came from."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    message = str(error)
    if isinstance(error, SyntaxError):
        places, message = [*places, (error.filename or "", error.lineno)], str(error.msg)
    elif isinstance(error, KeyError) and len(error.args) == 1:
        message = str(error.args[0])
    theirs = [(int(found[1]), line) for name, line in places if (found := THEIRS.fullmatch(name))]
    cell, line = theirs[-1] if theirs else (0, 0)
    return {"kind": type(error).__name__, "message": message[:4000], "cell": cell, "line": line}
