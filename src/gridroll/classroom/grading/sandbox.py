"""Where a student's code runs: no network, nothing to read but Python, limits, and an end.

Bubblewrap makes it. A process on the outside holds the other end of a channel, and everything
inside ends when that process says so, or ends itself.
"""

import contextlib
import functools
import importlib.metadata
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gridroll.classroom import compiling
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import bootstrap, memory, messages, seccomp

MEMORY = 2 * 2**30  # bytes of data of a process; JAX takes a quarter of it
ALL_MEMORY = 3 * 2**30  # bytes that all processes of a sandbox hold; one with JAX alone holds 0.3
LOOK_SECONDS = 0.2  # between two looks at it
FILES = 64 * 2**20  # bytes of one file, and of the whole private folder
PROCESSES = 256  # with threads; XLA's pools take some for each core
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32")
USERS = 4000
FIRST_USER = 61_000  # below it live the system's own users, and those of people
INSTALL = "On Debian or Ubuntu: apt-get install bubblewrap."


@dataclass
class Process:
    """A running sandbox, and this end of the channel to the process that waits in it."""

    popen: subprocess.Popen[bytes]
    channel: socket.socket
    folder: tempfile.TemporaryDirectory[str]
    user: socket.socket | None = None  # holds the number of its user, where it has its own
    took_too_much: bool = False  # whether it was ended for the memory of all its processes

    def __post_init__(self) -> None:
        """Begin to watch over its memory: limits hold for each process, and it may make many."""
        self._closed = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()

    def _look(self) -> None:
        while not self._closed.wait(LOOK_SECONDS):
            if memory.exceeds(self.popen.pid, ALL_MEMORY):
                self.took_too_much = True
                self._end()
                return

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def close(self) -> None:
        """End everything inside, and take the private folder away."""
        self._closed.set()
        self._watch.join()  # it ends nobody whose number is another's by then
        self.channel.close()
        self._end()
        self.popen.wait()
        self.folder.cleanup()
        if self.user is not None:
            self.user.close()


@dataclass(frozen=True)
class Sandbox:
    """A way to start one."""

    name: str  # "bubblewrap" or "unsandboxed"
    command: tuple[str, ...] = field(default=())  # up to the Python that runs inside

    @property
    def alone(self) -> bool:
        """Whether processes inside see only one another."""
        return self.name == "bubblewrap"

    def program(self) -> tuple[list[str], tuple[int, ...], socket.socket | None]:
        """What runs a Python inside, the open files that it reads first, what holds its user."""
        user, held = _user() if self.alone and os.getuid() == 0 else (None, None)
        python = [*_limits(), *_as(user), sys.executable]
        rules = seccomp.program() if self.alone else b""
        if not rules:
            return [*self.command, *python], (), held
        reads, writes = os.pipe()
        os.write(writes, rules)  # far less than a pipe holds
        os.close(writes)
        return [*self.command, "--seccomp", str(reads), *python], (reads,), held

    def start(self) -> Process:
        """Start a Python that waits for exercises.

        Raises:
            UserError: it didn't come up.
        """
        ours, theirs = socket.socketpair()
        command, rules, held = self.program()
        folder = tempfile.TemporaryDirectory(prefix="gridroll-", ignore_cleanup_errors=True)
        inside = theirs.fileno()
        command += ["-I", "-c", bootstrap.SOURCE, str(inside), str(int(self.alone))]
        try:
            popen = subprocess.Popen(
                command,
                pass_fds=(inside, *rules),
                env=_environment(folder.name),
                cwd="/" if self.alone else folder.name,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise UserError(f"The sandbox can't be started: {error}.") from None
        finally:
            theirs.close()
            for rule in rules:
                os.close(rule)
        process = Process(popen, ours, folder, held)
        messages.send(ours, {"sources": bootstrap.texts()})
        return process


def find(unsafe: bool = False) -> Sandbox:
    """The sandbox of this machine, tried once.

    Args:
        unsafe: run students' code as ourselves where there is no sandbox, and say so everywhere.

    Raises:
        UserError: there is none, and `unsafe` is false. It says why, and what to do.
    """
    if unsafe:
        return Sandbox("unsandboxed")
    program = shutil.which("bwrap")
    if program is None:
        raise UserError(
            f"Grading runs students' code in a sandbox, and bubblewrap isn't here. {INSTALL} "
            "--unsafe-no-sandbox grades without: the code may then read and write what you may."
        )
    sandbox = Sandbox("bubblewrap", tuple(_bubblewrap(program)))
    command, rules, held = sandbox.program()
    done = subprocess.run(
        [*command, "-I", "-c", "print(6 * 7)"],
        capture_output=True,
        text=True,
        env=_environment("/tmp"),
        check=False,
        pass_fds=rules,
    )
    for rule in rules:
        os.close(rule)
    if held is not None:
        held.close()
    if done.stdout.strip() != "42":
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise UserError(
            f"Grading runs students' code in a sandbox, and bubblewrap can't make one: {last}. "
            "Containers often forbid it. --unsafe-no-sandbox grades without: the code may then "
            "read and write what you may."
        )
    return sandbox


def _bubblewrap(program: str) -> Iterator[str]:
    yield program
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
    if os.getuid() == 0:  # to become another user, who has neither
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    else:
        yield "--unshare-user"
    yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
    yield from ("--size", str(FILES), "--perms", "1777", "--tmpfs", "/tmp")
    yield from ("--size", str(FILES), "--perms", "1777", "--tmpfs", "/dev/shm")
    yield from ("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache")
    system = [path for path in SYSTEM if os.path.lexists(path)]
    yield from _shown(system)
    root, package = Path(__file__).parents[4], Path(__file__).parents[2]
    if root.is_relative_to("/usr") and (root / "lessons").is_dir():
        yield from ("--tmpfs", str(root))  # the course with its solutions; Python may lie in it
    yield from _shown(_pythons())
    if any(package.is_relative_to(path) for path in (*system, *_pythons())):
        yield from ("--tmpfs", str(package), "--remount-ro", str(package))
    yield from ("--remount-ro", "/", "--chdir", "/tmp")


def _shown(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:  # after /tmp, since the course may lie there
        for above in reversed(Path(path).parents[:-1]):  # its own are closed to others
            yield from ("--perms", "0755", "--dir", str(above))
        bind = ("--ro-bind", path) if not os.path.islink(path) else ("--symlink", os.readlink(path))
        yield from (*bind, path)


def _pythons() -> list[str]:
    """Python's own folder, and the one of its packages."""
    own = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    own |= {os.path.realpath(path) for path in own}  # a link needs what it leads to
    return sorted(path for path in own if path not in SYSTEM)


def _limits() -> list[str]:
    """Limits of the kernel, set by a program that then becomes the next one."""
    program = shutil.which("prlimit")
    if program is None:
        return []
    return [program, f"--data={MEMORY}", f"--fsize={FILES}", f"--nproc={PROCESSES}", "--core=0",
            "--nofile=256"]  # fmt: skip


def _user() -> tuple[int, socket.socket]:
    """The number of a user that no other sandbox of this machine has, and what holds it.

    A name of a socket is one process's alone, and goes with it.
    """
    numbers = list(range(FIRST_USER, FIRST_USER + USERS))
    for user in random.SystemRandom().sample(numbers, USERS):
        held = socket.socket(socket.AF_UNIX)
        try:
            held.bind(f"\0gridroll-user-{user}")
        except OSError:
            held.close()
        else:
            return user, held
    raise UserError(f"{USERS} sandboxes run on this machine: no user is left for another.")


def _as(user: int | None) -> list[str]:
    """Become a user of this sandbox alone, where we are root: root has no limit of processes."""
    if user is None:
        return []
    return ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]


@functools.cache
def _flags() -> str:
    return " ".join(compiling.flags(importlib.metadata.version("jaxlib")))


def _environment(home: str) -> dict[str, str]:
    return {
        "HOME": "/tmp" if home == "/tmp" else home,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": _flags(),
        "PYTHONWARNINGS": "ignore",
        "PYTHONHASHSEED": "0",
    }
