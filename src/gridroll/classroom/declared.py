"""The one platform on which a build promises its bytes, and what makes it repeatable there."""

import importlib.metadata
import os
import platform
import re
import sys
from pathlib import Path

SYSTEM, MACHINE, PYTHON = "Linux", "x86_64", (3, 11)
LOCK = "requirements.lock"
NEWEST_JAX = "GRIDROLL_NEWEST_JAX"  # set to 1 by the test run with a newer JAX than the lock's
# Their versions decide the bytes of what a lesson computes, prints and draws.
DECIDING = ("jax", "jaxlib", "numpy", "matplotlib")
OTHERS = ("ipykernel", "ipython", "jupytext", "nbclient", "nbformat")


def deviation(root: Path) -> str:
    """Say in what this machine differs from the declared platform; "" where it doesn't."""
    if os.environ.get(NEWEST_JAX) == "1":
        return f"{NEWEST_JAX}=1"
    if (platform.system(), platform.machine()) != (SYSTEM, MACHINE):
        return f"{platform.system()} {platform.machine()}"
    if platform.python_implementation() != "CPython" or sys.version_info[:2] != PYTHON:
        return f"{platform.python_implementation()} {platform.python_version()}"
    for name, version in locked_versions(root).items():
        if name in DECIDING and installed(name) != version:
            return f"{name} {installed(name)}, where the lock has {version}"
    return ""


def declared_name() -> str:
    """Return the declared platform as a reader would say it."""
    return f"{SYSTEM} {MACHINE}, CPython {PYTHON[0]}.{PYTHON[1]}, the locked versions"


def locked_versions(root: Path) -> dict[str, str]:
    """Return the versions that the lock pins; nothing without a lock."""
    lock = root / LOCK
    if not lock.is_file():
        return {}
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", lock.read_text(), re.MULTILINE))


def installed(name: str) -> str:
    """Return the installed version of a distribution; "" when it isn't installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def fingerprint() -> list[str]:
    """Return what of this machine and its packages enters a build."""
    return [
        platform.system(),
        platform.machine(),
        platform.python_implementation(),
        platform.python_version(),
        *(f"{name} {installed(name)}" for name in DECIDING + OTHERS),
    ]


def same_arithmetic(root: Path) -> dict[str, str]:
    """Return settings with which every x86-64 processor with AVX2 computes the same last bits.

    A wider vector unit sums in another order and has another exp. So XLA is held to AVX2, and NumPy
    to what it does without AVX-512. Off the declared platform there is nothing to hold.
    """
    if deviation(root):
        return {}
    import numpy

    extensions = numpy.show_config(mode="dicts")["SIMD Extensions"]
    wide = [name for name in extensions["found"] if name.startswith(("AVX512", "X86_V4"))]
    arithmetic = {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2"}
    return arithmetic | ({"NPY_DISABLE_CPU_FEATURES": " ".join(wide)} if wide else {})
