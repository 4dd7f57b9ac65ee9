"""Files that are never half-written, never written over unseen, and changed by one at a time."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE = 5.0  # seconds to wait for another writer before going on without the lock
_STALE = 10.0  # seconds after which a lock belongs to a process that was killed
_PAUSE = 0.01  # seconds between two attempts
_ATTEMPTS = 10  # where Windows refuses as long as another program has the file open


def write_whole(path: Path, content: str | bytes) -> None:
    """Put `content` at `path` in one step: a reader sees the old file or the new one.

    Text is written as UTF-8 with line feeds on every system. Raises OSError, and then leaves what
    stood at `path` as it was and nothing beside it.
    """
    data = content.encode() if isinstance(content, str) else content
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        beside.write_bytes(data)
        _replace(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def set_aside(path: Path, tag: str) -> Path:
    """Rename `notes.json` to the first free of `notes.TAG-1.json`, `notes.TAG-2.json`, ...

    Returns the new path. Raises OSError.
    """
    target = free_name(path, tag)
    _replace(path, target)
    return target


def free_name(path: Path, tag: str) -> Path:
    """The first path `STEM.TAG-N.SUFFIX` beside `path`, N = 1, 2, ..., that doesn't exist."""
    number = 1
    while True:
        candidate = path.with_name(f"{path.stem}.{tag}-{number}{path.suffix}")
        if not os.path.lexists(candidate):
            return candidate
        number += 1


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of `path`: a file beside it that only one process can create.

    Works the same on every system and file system. A lock that a killed process left behind is
    removed after ten seconds. Whoever waits longer than five seconds goes on without the lock, for
    progress must never stop work. Raises OSError where no file can be created.
    """
    lock = path.with_name(f".{path.name}.lock")
    held = _acquire(lock)
    try:
        yield
    finally:
        if held:
            with suppress(OSError):
                lock.unlink()


def _acquire(lock: Path) -> bool:
    """Create `lock`; False when another process kept it for too long."""
    deadline = time.monotonic() + _PATIENCE
    refusals = 0
    while time.monotonic() < deadline:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            return True
        except FileExistsError:
            _remove_if_stale(lock)
        except PermissionError:
            refusals += 1
            if refusals == _ATTEMPTS:
                raise
        time.sleep(_PAUSE)
    return False


def _remove_if_stale(lock: Path) -> None:
    with suppress(OSError):  # its owner may remove it at the same moment
        if time.time() - lock.stat().st_mtime > _STALE:
            lock.unlink()


def _replace(source: Path, target: Path) -> None:
    """`os.replace`, tried again while Windows refuses because somebody reads the target."""
    for _ in range(_ATTEMPTS - 1):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            time.sleep(_PAUSE)
    os.replace(source, target)
