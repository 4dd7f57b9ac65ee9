"""Quick compilation: flags that this XLA takes, none for a version that wasn't tried."""

import importlib.metadata
import os
import subprocess
import sys

import pytest

from gridroll.classroom import compiling


def test_the_installed_xla_takes_the_flags() -> None:
    code = "import gridroll.classroom, jax, os; jax.devices(); print(os.environ.get('XLA_FLAGS'))"
    clean = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean | {"JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    wanted = compiling.flags(importlib.metadata.version("jaxlib"))
    assert done.stdout.split() == (list(wanted) or ["None"])


@pytest.mark.parametrize("version", ["0.9.2", "0.11.0", "0.13.0", "1.10.0", "0.100.1", ""])
def test_a_version_that_was_not_tried_gets_no_flag(version: str) -> None:
    assert compiling.flags(version) == ()


def test_the_locked_version_gets_flags_and_a_users_own_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.10.2")
    own = "--xla_backend_optimization_level=2"
    monkeypatch.setenv("XLA_FLAGS", own)
    compiling.prefer_quick_compilation()
    assert os.environ["XLA_FLAGS"].split() == [own, compiling.ONE_PART, compiling.OLD_EMITTERS]
