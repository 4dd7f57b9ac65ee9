"""Where a student's code runs: no network, nothing to read but Python, limits, and an end.

Bubblewrap makes it. A process on the outside holds the other end of a channel, and everything
inside ends when that process says so, or ends itself.
"""

import contextlib
import functools
import importlib.metadata
import itertools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gridroll.classroom import compiling
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import bootstrap, messages, seccomp

MEMORY = 2 * 2**30  # bytes of data; JAX takes a quarter of it
FILES = 64 * 2**20  # bytes of one file, and of the whole private folder
PROCESSES = 256  # with threads; XLA's pools take some for each core
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32")
FIRST_USER = 61_000  # below it live the system's own users, and those of people
INSTALL = "On Debian or Ubuntu: apt-get install bubblewrap."

_numbers = itertools.count()


@dataclass
class Process:
    """A running sandbox, and this end of the channel to the process that waits in it."""

    popen: subprocess.Popen[bytes]
    channel: socket.socket
    folder: tempfile.TemporaryDirectory[str]

    def close(self) -> None:
        """End everything inside, and take the private folder away."""
        self.channel.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, 9)
        self.popen.wait()
        self.folder.cleanup()


@dataclass(frozen=True)
class Sandbox:
    """A way to start one."""

    name: str  # "bubblewrap" or "unsandboxed"
    command: tuple[str, ...] = field(default=())  # up to the Python that runs inside

    @property
    def alone(self) -> bool:
        """Whether processes inside see only one another."""
        return self.name == "bubblewrap"

    def program(self) -> tuple[list[str], tuple[int, ...]]:
        """What runs a Python inside, and the open files that it reads first."""
        python = [*_limits(), *_as_nobody(self.alone), sys.executable]
        rules = seccomp.program() if self.alone else b""
        if not rules:
            return [*self.command, *python], ()
        reads, writes = os.pipe()
        os.write(writes, rules)  # far less than a pipe holds
        os.close(writes)
        return [*self.command, "--seccomp", str(reads), *python], (reads,)

    def start(self) -> Process:
        """Start a Python that waits for exercises.

        Raises:
            UserError: it didn't come up.
        """
        ours, theirs = socket.socketpair()
        command, rules = self.program()
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
        process = Process(popen, ours, folder)
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
    command, rules = sandbox.program()
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
    yield from (
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--remount-ro",
        "/dev",
        "--size",
        str(FILES),
        "--perms",
        "1777",
    )
    yield from ("--tmpfs", "/tmp", "--size", str(FILES), "--perms", "1777", "--tmpfs", "/dev/shm")
    for path in _readable():  # after /tmp, since the course may lie there
        for above in reversed(Path(path).parents[:-1]):  # its own are closed to others
            yield from ("--perms", "0755", "--dir", str(above))
        bind = ("--ro-bind", path) if not os.path.islink(path) else ("--symlink", os.readlink(path))
        yield from (*bind, path)
    yield from ("--remount-ro", "/", "--chdir", "/tmp")


def _readable() -> list[str]:
    """What Python needs: the system's programs, its own folder, and the one of its packages."""
    own = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1])}
    found = [path for path in SYSTEM if os.path.lexists(path)]
    found += [path for path in sorted(own) if not path.startswith(tuple(f"{s}/" for s in SYSTEM))]
    cache = "/etc/ld.so.cache"
    return [path for path in [*found, cache] if os.path.lexists(path) and path != "/usr"] + ["/usr"]


def _limits() -> list[str]:
    """Limits of the kernel, set by a program that then becomes the next one."""
    program = shutil.which("prlimit")
    if program is None:
        return []
    return [program, f"--data={MEMORY}", f"--fsize={FILES}", f"--nproc={PROCESSES}", "--core=0",
            "--nofile=256"]  # fmt: skip


def _as_nobody(alone: bool) -> list[str]:
    """Become a user of this sandbox alone, where we are root: root has no limit of processes."""
    if not alone or os.getuid() != 0:
        return []
    user = FIRST_USER + (os.getpid() * 64 + next(_numbers)) % 4000
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
