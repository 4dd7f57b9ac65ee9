"""The memory of a process and of all that it has started."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gridroll.classroom.grading import memory

MEGABYTE = 2**20
HOLDS = "kept = b'1' * (64 * 2**20)"
SHARES = (
    "import mmap\nkept = mmap.mmap(-1, 64 * 2**20)\nfor n in range(0, len(kept), 4096): kept[n] = 1"
)
# Only the first process says that it is ready: by then all copies are there.
FORKS = (
    f"import os\n{HOLDS}\nfor _ in range(3):\n"
    "    if os.fork() == 0:\n        os.read(0, 1)\n        os._exit(0)"
)
CHILD = f"{HOLDS}; print('ready', flush=True); input()"
STARTS = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {CHILD!r}])\ninput()"


@contextmanager
def running(source: str) -> Iterator[int]:
    """A process that has run this and waits."""
    command = [sys.executable, "-I", "-c", f"{source}\nprint('ready', flush=True)\ninput()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process.pid
        process.communicate()


@pytest.mark.parametrize(
    ("source", "megabytes"),
    [("", 0), (HOLDS, 64), (SHARES, 64), (FORKS, 64), (STARTS, 64)],
    ids=["nothing", "its own", "shared with nobody", "shared with copies", "of a child"],
)
def test_what_a_family_holds_is_counted_once(source: str, megabytes: int) -> None:
    around = 40  # megabytes of a few Pythons
    with running(source) as pid:
        assert not memory.exceeds(pid, (megabytes + around) * MEGABYTE)
        assert memory.exceeds(pid, (megabytes + 1) * MEGABYTE)


def test_a_process_that_has_ended_holds_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert not memory.exceeds(process.pid, 0)
