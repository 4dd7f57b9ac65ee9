"""Is this machine ready for the course? Each finding says how to mend what is wrong."""

import importlib.metadata
import importlib.util
import json
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gridroll.classroom import progress_file, versions, workbook
from gridroll.classroom.errors import UserError

Level = Literal["ok", "warning", "problem"]
_JAX_TIMEOUT = 120.0  # seconds for the first import and compilation on a slow disk
_LOCK = "requirements.lock"
_INSTALL = f"python -m pip install --require-hashes -r {_LOCK}"
_NAMED = 4  # packages named in one line
_JAX_SCRIPT = """
import json, jax, jax.numpy as jnp
twice = jax.jit(lambda x: (2 * x).sum())(jnp.arange(4))
print(json.dumps({
    "version": jax.__version__,
    "devices": [str(device) for device in jax.devices()],
    "sum": int(twice),
    "partitionable": bool(jax.config.jax_threefry_partitionable),
    "x64": bool(jax.config.jax_enable_x64),
}))
"""


@dataclass(frozen=True)
class Finding:
    """One line of the examination.

    Attributes:
        level: ok, warning (the course works, something may differ) or problem.
        text: what was found.
        mend: what to do about it; "" when nothing is to be done.
    """

    level: Level
    text: str
    mend: str = ""


def examine(start: Path | None = None) -> Iterator[Finding]:
    """Yield the findings one by one, as they come.

    Args:
        start: a folder in the repository; by default the current one.
    """
    root: Path | None = None
    try:
        root = workbook.find_root(start)
    except UserError as error:
        without_course = Finding("problem", str(error), "cd into the course, or give --root")
    yield python_version()
    if root is not None:
        yield from packages(root)
    yield jupyterlab()
    yield kernel()
    yield from jax_runs()
    if root is None:
        yield without_course
    else:
        yield lessons(root)
        yield from workbook_state(root)


def python_version() -> Finding:
    """Whether this Python is one that the course supports."""
    from packaging.specifiers import SpecifierSet

    wanted = importlib.metadata.metadata("gridroll")["Requires-Python"]
    version = platform.python_version()
    if SpecifierSet(wanted).contains(version, prereleases=True):
        return Finding("ok", f"Python {version} ({sys.executable})")
    return Finding("problem", f"Python {version} is not supported", f"install one that is {wanted}")


def packages(root: Path) -> Iterator[Finding]:
    """The versions of the lock against what is installed."""
    try:
        locked = versions.locked((root / _LOCK).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        yield Finding("warning", f"{_LOCK} can't be read ({error})", "get the file again")
        return
    installed = {name: versions.installed(name) for name in locked}
    needed = versions.needed()
    absent = [name for name in locked if installed[name] is None]
    broken = [name for name in absent if name in needed]
    other = [
        f"{name} {installed[name]} instead of {locked[name]}"
        for name in locked
        if installed[name] not in (None, locked[name])
    ]
    if broken:
        yield Finding("problem", f"Not installed: {_some(broken)}", _INSTALL)
    spare = [name for name in absent if name not in needed]
    if spare:
        yield Finding("warning", f"Of the lock, not installed: {_some(spare)}", _INSTALL)
    if other:
        text = f"Versions other than the recorded ones: {_some(other)}"
        yield Finding("warning", text, f"{_INSTALL} (or expect other digits here and there)")
    if not absent and not other:
        yield Finding("ok", f"{len(locked)} packages as {_LOCK} says")


def _some(items: list[str]) -> str:
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return ", ".join(items[:_NAMED]) + more


def jupyterlab() -> Finding:
    """Whether JupyterLab is there for this Python."""
    if importlib.util.find_spec("jupyterlab") is None:
        return Finding("problem", "JupyterLab is not installed", _INSTALL)
    return Finding("ok", f"JupyterLab {versions.installed('jupyterlab')}")


def kernel() -> Finding:
    """Whether notebooks will run with this very Python."""
    mend = "python -m ipykernel install --sys-prefix --name python3"
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except ImportError:
        return Finding("problem", "jupyter_client is not installed", _INSTALL)
    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except (NoSuchKernel, IndexError, OSError, ValueError):
        return Finding("problem", "Notebooks find no kernel named python3", mend)
    # Jupyter puts its own Python in the place of a bare name.
    if re.fullmatch(r"python[\d.]*", program) or sys.prefix == _prefix_of(program):
        return Finding("ok", "Notebooks run with this Python (kernel python3)")
    text = f"Notebooks run with another Python: {program}"
    return Finding("problem", text, mend)


def _prefix_of(program: str) -> str:
    """The environment that a Python belongs to; "" when it doesn't run."""
    try:
        done = subprocess.run(
            [program, "-c", "import sys; print(sys.prefix)"],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def jax_runs() -> Iterator[Finding]:
    """Whether JAX compiles and runs, on which device, and as the recorded runs did.

    It is tried in a process of its own: a JAX that doesn't suit the processor ends its process.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-c", _JAX_SCRIPT],
            capture_output=True,
            text=True,
            timeout=_JAX_TIMEOUT,
        )
        seen = json.loads(done.stdout.splitlines()[-1])
        assert seen["sum"] == 12
    except subprocess.TimeoutExpired:
        yield Finding("problem", f"JAX didn't answer within {_JAX_TIMEOUT:.0f} s", "try again")
    except (ValueError, IndexError, KeyError, TypeError, AssertionError):
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        yield Finding("problem", f"JAX doesn't run: {reason}", f"{_INSTALL}; or JAX_PLATFORMS=cpu")
    else:
        devices = _some(seen["devices"])
        yield Finding("ok", f"JAX {seen['version']} compiles and runs on {devices}")
        if not seen["partitionable"] or seen["x64"]:
            yield Finding(
                "warning",
                "JAX is set up to draw other random numbers than the recorded ones",
                "unset JAX_THREEFRY_PARTITIONABLE and JAX_ENABLE_X64",
            )


def lessons(root: Path) -> Finding:
    """Whether the course has lessons."""
    found = workbook.lesson_files(root / "lessons")
    if found:
        return Finding("ok", f"{len(found)} lessons in {root / 'lessons'}")
    return Finding("problem", f"No lessons in {root / 'lessons'}", "gridroll build")


def workbook_state(root: Path) -> Iterator[Finding]:
    """Whether the student's copies and their progress can be read and written."""
    folder = root / "workbook"
    if not folder.exists():
        yield Finding("ok", "No workbook yet: `gridroll lab` makes it")
        return
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        yield Finding("ok", f"{len(workbook.lesson_files(folder))} lessons in {folder}")
    except OSError as error:
        text = f"{folder} can't be written ({error.strerror})"
        yield Finding("problem", text, "free some space, or allow yourself to write there")
    path = folder / progress_file.FILE_NAME
    if not path.exists():
        yield Finding("warning", f"{path} is missing", "`gridroll lab` makes it")
        return
    try:
        known = progress_file.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        text = f"{path} can't be read ({error})"
        yield Finding("warning", text, "`gridroll lab` sets it aside and starts a new one")
        return
    done = sum(entry.passed for entry in known.exercises.values())
    yield Finding("ok", f"Progress is kept in {path}: {done} exercises passed")
