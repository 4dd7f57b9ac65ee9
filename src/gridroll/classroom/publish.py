"""Put a lesson's products into the project, all of them or none; find what belongs to no lesson."""

import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from gridroll.classroom.build import Products
from gridroll.classroom.source import STEM

_GENERATED = {"solutions": (".ipynb",), "lessons": (".ipynb",), "figures": (".svg", ".json")}


def publish(root: Path, stem: str, products: Products) -> list[str]:
    """Write what a lesson makes, remove figures that it no longer makes; return what changed.

    Every file is first written beside its place. Only when all of them are there are they moved,
    so a failure on the way leaves what stood before.
    """
    changed = {path: content for path, content in products.items() if read(root / path) != content}
    staged: dict[Path, Path] = {}
    try:
        for path, content in changed.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
            staged[beside] = target
            beside.write_bytes(content)
        for beside, target in staged.items():
            os.replace(beside, target)
    finally:
        for beside in staged:
            beside.unlink(missing_ok=True)
    number = stem.partition("_")[0]
    old = [
        path
        for path in generated_files(root)
        if path.startswith(f"figures/{number}_") and path not in products
    ]
    for path in old:
        (root / path).unlink()
    return sorted([*changed, *old])


def read(path: Path) -> bytes | None:
    """Return a file's bytes; None when there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def generated_files(root: Path) -> list[str]:
    """Return every file of the kinds that builds make, as paths below the root."""
    return sorted(
        path.relative_to(root).as_posix()
        for folder, suffixes in _GENERATED.items()
        for path in (root / folder).glob("*")
        if path.is_file() and path.suffix in suffixes
    )


def ownerless(root: Path, made: Mapping[str, Products], sources: Iterable[Path]) -> list[str]:
    """Return generated files that no lesson makes.

    ``made`` holds the products of the lessons that were built; a file of a lesson that has a source
    and was not built is left alone.
    """
    products = {path for each in made.values() for path in each}
    others = [source.stem for source in sources if source.stem not in made]
    numbers = {stem.partition("_")[0] for stem in others}
    return [
        path
        for path in generated_files(root)
        if path not in products and not _belongs(path, others, numbers)
    ]


def _belongs(path: str, stems: list[str], numbers: set[str]) -> bool:
    folder, _, name = path.partition("/")
    stem = name.partition(".")[0]
    if folder == "figures":
        return bool(STEM.match(stem)) and stem[:2] in numbers
    return stem in stems
