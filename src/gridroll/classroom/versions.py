"""Which versions of packages the lock asks for, and which are installed."""

import importlib.metadata
import re

from packaging.markers import Marker
from packaging.requirements import Requirement


def locked(text: str) -> dict[str, str]:
    """Name and version of each package that a lock asks for on this machine.

    Raises ValueError when the text names none.
    """
    found = {}
    for line in text.splitlines():
        match = re.match(r"([A-Za-z0-9][\w.-]*)==([^\s;\\]+)\s*(?:;\s*([^\\]+))?", line)
        if match and (match[3] is None or Marker(match[3].strip()).evaluate()):
            found[match[1].lower()] = match[2]
    if not found:
        raise ValueError("it names no package")
    return found


def installed(name: str) -> str | None:
    """The version of a package that this Python has, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def needed() -> set[str]:
    """The packages that the course can't run without, as its own metadata names them."""
    wanted = map(Requirement, importlib.metadata.requires("gridroll") or [])
    return {
        requirement.name.lower()
        for requirement in wanted
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    }
