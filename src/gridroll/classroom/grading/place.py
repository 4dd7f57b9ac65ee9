"""The folder that a run writes into: held by one run at a time, with its seed and its settings.

| file | what it holds |
| --- | --- |
| `seed` | the secret from which fresh cases are drawn; only its owner may read it |
| `run.json` | which course and which sandbox judged, and the seed's fingerprint |
| `results.jsonl` | one line for each submission and lesson that is done |
| `.lock` | who writes here now |
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import socket
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from gridroll.classroom import files
from gridroll.classroom.errors import UserError

RESULTS = "results.jsonl"
MANUAL = "manual.csv"
_SEED, _SETTINGS, _LOCK = "seed", "run.json", ".lock"
_HALF = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")  # what a killed run had begun to write
_LEAST = 16  # bytes of a seed: its fingerprint must not give it away


@dataclass(frozen=True)
class Settings:
    """By what a folder of results was judged."""

    course: str
    sandbox: str
    seed: str  # the seed's fingerprint


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other runs out of `folder`, which is made where it is missing.

    The system lets go of the lock when this process ends, however it ends. Raises UserError when
    another run holds it or when the folder can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _lock(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    try:
        yield
    finally:
        _let_go(folder / _LOCK, handle)


def unwritable(path: Path, error: OSError, kept: str = "") -> UserError:
    """The one line that says why nothing can be written."""
    return UserError(f"{path} can't be written ({error.strerror or error}).{kept}")


def _lock(folder: Path) -> int:
    path = folder / _LOCK
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _taken(handle):
            who = os.read(handle, 200).decode("utf-8", "replace").strip() or "another run"
            os.close(handle)
            raise UserError(f"{folder} is in use by {who}: wait for it, or give another --out.")
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                break
        os.close(handle)  # the run before took its lock away meanwhile
    try:
        os.ftruncate(handle, 0)
        os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    except OSError:  # such as a full disk
        _let_go(path, handle)
        raise
    return handle


def _let_go(path: Path, handle: int) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
    os.close(handle)


def _taken(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def prepare(
    folder: Path,
    *,
    course: str,
    sandbox: str,
    resume: bool = False,
    regrade: bool = False,
    seed_file: Path | None = None,
) -> tuple[bytes, Settings]:
    """Make `folder`, which is held, ready for a run. Returns the seed and the settings.

    Raises UserError for a folder that isn't empty without `resume` or `regrade`, for one that
    holds something else, for one that another course or sandbox judged without `regrade`, and for a
    seed that is unfit or another one.
    """
    before = sorted(path.name for path in folder.iterdir() if path.name != _LOCK)
    if before and not (resume or regrade):
        raise UserError(
            f"{folder} is not empty: --resume goes on with it, --regrade judges all again."
        )
    known = _settings(folder / _SETTINGS) if before else None
    if known is None:
        for name in before:
            if name != _SEED and not _HALF.fullmatch(name):
                raise UserError(f"{folder} holds {name} and no run of this program.")
    try:
        for path in [*folder.glob(".*.tmp"), *folder.glob("*/.*.tmp")]:
            if _HALF.fullmatch(path.name):
                path.unlink(missing_ok=True)
        seed = _seed(folder / _SEED, seed_file)
        now = Settings(course, sandbox, fingerprint(seed))
        if known and known != now and not regrade:
            raise UserError(
                f"{folder} was judged by course {known.course}, {known.sandbox}; this is {course}, "
                f"{sandbox}: --regrade judges all again."
            )
        if regrade and (folder / RESULTS).exists():
            files.set_aside(folder / RESULTS, "before")
        files.write_whole(folder / _SETTINGS, json.dumps(asdict(now), indent=1) + "\n")
    except OSError as error:
        raise unwritable(folder, error) from None
    return seed, now


def fingerprint(seed: bytes) -> str:
    """A name for a seed that doesn't tell it."""
    return hashlib.sha256(b"gridroll seed " + seed).hexdigest()[:16]


def _settings(path: Path) -> Settings | None:
    try:
        return Settings(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        raise UserError(f"{path} is damaged: --out must name a folder of this program.") from None


def _seed(path: Path, given: Path | None) -> bytes:
    kept = path.read_bytes().strip() if path.exists() else None
    wanted = given.read_bytes().strip() if given else None
    if wanted is not None and len(wanted) < _LEAST:
        raise UserError(f"{given} is too short for a seed: it needs {_LEAST} bytes or more.")
    if kept and wanted and kept != wanted:
        raise UserError(f"{given} is not the seed that {path.parent} was begun with.")
    seed = kept or wanted or secrets.token_hex(32).encode()
    if not kept:
        _write_private(path, seed + b"\n")
    return seed


def _write_private(path: Path, content: bytes) -> None:
    """Put a file into place that nobody else could read at any moment."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
