"""Do the same to many things in processes of our own, and lose nothing when one of them dies.

Each worker is a pool of one process, so that a process that ends is known to have ended over its
own task. No worker outlives the run, even when the run is killed.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from typing import Generic, NoReturn, TypeVar

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
class _Busy(Generic[T, R]):
    lane: "_Lane"
    task: T
    tries: int
    since: float


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
    idle = [_Lane() for _ in range(min(jobs, len(tasks)))]
    busy: dict[Future[R], _Busy[T, R]] = {}
    try:
        while waiting or busy:
            while waiting and idle:
                task, tries = waiting.popleft()
                lane = idle.pop()
                busy[lane.submit(work, task)] = _Busy(lane, task, tries, time.monotonic())
            for future in wait(busy, timeout=_LOOK, return_when=FIRST_COMPLETED).done:
                at = busy.pop(future)
                found = _result(future)
                if isinstance(found, Lost):
                    at.lane.end(_GRACE, busy=False)
                    at.lane = _Lane()
                idle.append(at.lane)
                if found is _ENDED and at.tries < _TRIES:
                    waiting.appendleft((at.task, at.tries + 1))
                else:
                    yield at.task, found
            for future, at in list(busy.items()):
                if time.monotonic() - at.since > patience:
                    del busy[future]
                    at.lane.end(0.0, busy=True)
                    idle.append(_Lane())
                    yield at.task, Lost(f"no verdict in {patience:g} seconds")
    finally:
        for lane in idle:
            lane.end(_GRACE, busy=False)
        for at in busy.values():
            at.lane.end(_GRACE, busy=True)


_ENDED = Lost("its process was ended")


def _result(future: Future[R]) -> R | Lost:
    try:
        return future.result()
    except BrokenProcessPool:
        return _ENDED
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")


class _Lane:
    """A pool of one process."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        with _started():
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin)
        self._processes: set[BaseProcess] = set()

    def submit(self, work: Callable[[T], R], task: T) -> Future[R]:
        """Hand over a task; the process starts with the first one."""
        before = set(multiprocessing.active_children())
        with _started():
            future = self._pool.submit(work, task)
        self._processes |= set(multiprocessing.active_children()) - before
        return future

    def end(self, grace: float, *, busy: bool) -> None:
        """End the process in `grace` seconds or by force; a busy one is told to stop."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            if busy:
                process.terminate()
            process.join(grace)
            if process.is_alive():
                process.kill()
                process.join()


@contextlib.contextmanager
def _started() -> Iterator[None]:
    """What refuses us a process, such as a full shared memory, in words of our own."""
    try:
        yield
    except OSError as error:
        raise NoProcessError(error.strerror or str(error)) from None


def _begin() -> None:
    """Make this process end in order with the run that it belongs to, and at its word alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_the_run, daemon=True).start()


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
