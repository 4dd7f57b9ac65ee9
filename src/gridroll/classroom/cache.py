"""Keep what a build made, so that a lesson runs again only when something it comes from changed."""

import base64
import hashlib
import json
from pathlib import Path

from gridroll.classroom import declared, files
from gridroll.classroom.build import Products

FOLDER = ".gridroll-cache"
_LEFT_OUT = {"__pycache__"}


def library_hash(package: Path) -> str:
    """Return a hash of every file of the package: any of them can change what a lesson does."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and not _LEFT_OUT & set(path.parts):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(package).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def key(source: Path, library: str, root: Path) -> str:
    """Return a hash of everything that a lesson's products come from.

    These are its source, the library (``library_hash``), the lock, Python, the platform and the
    installed versions of what computes and draws.
    """
    lock = root / declared.LOCK
    inputs = [
        source.name,
        hashlib.sha256(source.read_bytes()).hexdigest(),
        library,
        hashlib.sha256(lock.read_bytes()).hexdigest() if lock.is_file() else "no lock",
        *declared.fingerprint(),
    ]
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()


def load(root: Path, stem: str, wanted: str) -> Products | None:
    """Return what a build with the key ``wanted`` made; None without it or when it is damaged."""
    try:
        kept = json.loads((root / FOLDER / f"{stem}.json").read_text(encoding="utf-8"))
        if kept["key"] != wanted or kept["digest"] != _digest(kept["files"]):
            return None
        return {path: base64.b64decode(text) for path, text in kept["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def store(root: Path, stem: str, used: str, products: Products) -> None:
    """Keep what was made with the key ``used``, in place of what was kept for this lesson."""
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    encoded = {path: base64.b64encode(content).decode() for path, content in products.items()}
    kept = {"key": used, "digest": _digest(encoded), "files": encoded}
    files.write_whole(folder / f"{stem}.json", json.dumps(kept))


def _digest(encoded: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(encoded, sort_keys=True).encode()).hexdigest()
