"""Call a function in a fresh process, so that nothing measured before it reaches in."""

import importlib
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# Settings of the caller that would change what is measured.
FOREIGN = ("JAX_", "XLA_", "GRIDROLL_", "PYTEST_")


class Failure(Exception):
    """A measurement that could not be taken, in one line."""


def environment() -> dict[str, str]:
    """The caller's environment without what changes results, on the CPU."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith(FOREIGN)}
    return kept | {"JAX_PLATFORMS": "cpu", "GRIDROLL_PROGRESS": "off", "PYTHONWARNINGS": "ignore"}


def call(function: str, **arguments: Any) -> Any:
    """What `module:function` returns, called in a fresh process with arguments in JSON's types.

    Raises:
        Failure: the process ended without an answer.
    """
    command = [sys.executable, "-m", "benchmarks.tools.fresh", function, json.dumps(arguments)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise Failure(f"{function} with {json.dumps(arguments)} failed: {last}")
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> float:
    """The most memory that this process has held so far, in MiB.

    On Linux the kernel's own mark is read: `getrusage` begins with what the parent process held.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [x for x in status.read_text().splitlines() if x.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    unit = 1024 if sys.platform == "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit / 1024


def _answer(function: str, arguments: str) -> None:
    module, _, name = function.partition(":")
    result = getattr(importlib.import_module(module), name)(**json.loads(arguments))
    print(json.dumps(result))


if __name__ == "__main__":
    _answer(*sys.argv[1:])
