"""What the numbers of a run were taken on: kinds and versions, no names and no paths."""

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("jax", "numpy", "gymnax", "gymnasium")


def processor() -> str:
    """The model of the processor, as far as the system tells."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> str:
    """Python and the packages that are measured, where they are installed."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def description() -> str:
    """One paragraph on the machine and how busy it is."""
    load = f"; load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    kind = f"{platform.system()} {platform.machine()}"
    return f"{processor()}, {cores()} cores, {kind}{load}. {versions()}."
