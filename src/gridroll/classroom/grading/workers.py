"""Do the same to many things in processes of our own, and lose nothing when one of them dies.

Each process has a pipe of its own, so that one that ends is known to have ended over its own task,
even in the middle of its answer. No process outlives the run, even when the run is killed.
"""

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Generic, NoReturn, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_TRIES = 2  # a process that was ended from outside deserves another
_GRACE = 10.0  # seconds for a worker to put its things away
_LOOK = 1.0  # seconds between two looks at the clock


class NoProcessError(Exception):
    """The system gives us no process; the message says why."""


@dataclass(frozen=True)
class Lost:
    """There is no result, and why."""

    why: str


@dataclass
class _Busy(Generic[T]):
    task: T
    tries: int
    since: float


_ENDED = Lost("its process was ended")


def each(
    work: Callable[[T], R], tasks: Sequence[T], *, jobs: int, patience: float = 3600.0
) -> Generator[tuple[T, R | Lost], None, None]:
    """Give (task, result) for each task, as they come.

    Args:
        work: a function that can be pickled, or a partial of one.
        tasks: what it is called with; they can be pickled too.
        jobs: how many processes.
        patience: seconds after which a task is given up as lost.

    Raises NoProcessError.
    """
    waiting = deque((task, 1) for task in tasks)
    idle: list[_Lane] = []
    busy: dict[_Lane, _Busy[T]] = {}
    answers: queue.Queue[tuple[_Lane, R | Lost]] = queue.Queue()

    def give(lane: _Lane, task: T, tries: int) -> None:
        busy[lane] = _Busy(task, tries, time.monotonic())
        lane.give(work, task)

    try:
        while waiting or busy:
            while waiting and len(busy) < jobs:
                give(idle.pop() if idle else _Lane(answers), *waiting.popleft())
            for lane, found in _next(answers):
                at = busy.pop(lane, None)
                if at is None:  # it was given up before
                    continue
                if not isinstance(found, Lost):
                    idle.append(lane)
                else:
                    lane.end(_GRACE, busy=False)
                if found is _ENDED and at.tries < _TRIES:
                    # In a new process, which nothing of another task can end.
                    give(_Lane(answers), at.task, at.tries + 1)
                else:
                    yield at.task, found
            for lane, at in list(busy.items()):
                if time.monotonic() - at.since > patience:
                    del busy[lane]
                    lane.end(0.0, busy=True)
                    yield at.task, Lost(f"no verdict in {patience:g} seconds")
    finally:
        for lane in idle:
            lane.end(_GRACE, busy=False)
        for lane in busy:
            lane.end(_GRACE, busy=True)


def _next(answers: "queue.Queue[Any]") -> Any:
    """The next answer, or none when it is time to look at the clock."""
    with contextlib.suppress(queue.Empty):
        yield answers.get(timeout=_LOOK)


class _Lane:
    """A process, and a thread that talks with it, so that nobody else has to wait for it.

    It answers every task: with a result, or with what has become of it.
    """

    def __init__(self, answers: "queue.Queue[Any]") -> None:
        self._answers = answers
        self._tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        context = multiprocessing.get_context("spawn")
        try:
            ours, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,))
            self._process.start()
        except OSError as error:
            raise NoProcessError(error.strerror or str(error)) from None
        theirs.close()  # so that the pipe ends with the process
        threading.Thread(target=self._talk, args=(ours,), daemon=True).start()

    def give(self, work: Callable[[T], R], task: T) -> None:
        """Hand over a task."""
        self._tasks.put((work, task))

    def _talk(self, pipe: "Connection[Any, Any]") -> None:
        with pipe:
            while (task := self._tasks.get()) is not None:
                self._answers.put((self, _asked(pipe, task)))

    def end(self, grace: float, *, busy: bool) -> None:
        """End the process in `grace` seconds or by force; a busy one is told to stop."""
        self._tasks.put(None)
        if busy:
            self._process.terminate()
        self._process.join(grace)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _asked(pipe: "Connection[Any, Any]", task: Any) -> Any:
    try:
        pipe.send(task)
        return pipe.recv()
    except (EOFError, OSError):
        return _ENDED
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")


def _serve(pipe: "Connection[Any, Any]") -> None:
    """Do one task after the other, in a process of its own, until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends at the word of its run alone
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_the_run, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_done(*pipe.recv()))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # nobody interrupts what is put away now


def _done(work: Callable[[T], R], task: T) -> R | Lost:
    try:
        return work(task)
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")


def _leave(number: int, frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise SystemExit(128 + number)


def _follow_the_run() -> None:
    run = multiprocessing.parent_process()
    if run is not None:
        run.join()
        with contextlib.suppress(OSError):
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_GRACE)
        os._exit(1)
