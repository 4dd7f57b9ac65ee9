"""Disks that are full or read-only, made by bubblewrap: a skip without it, a failure in CI."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

BLOCK = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096  # what a small file takes


@cache
def _why_not() -> str:
    """Why bubblewrap can't mount a disk here; "" where it can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap isn't here"
    done = subprocess.run(_command({}, ["true"]), capture_output=True, text=True)
    return "" if done.returncode == 0 else f"bubblewrap can't mount here: {done.stderr.strip()}"


def _command(mounts: Mapping[Path, int | None], command: Sequence[str]) -> list[str]:
    made = ["bwrap", "--dev-bind", "/", "/"]
    for path, size in mounts.items():
        if size is None:
            made += ["--ro-bind", str(path), str(path)]
        else:
            made += ["--size", str(size), "--tmpfs", str(path)]
    return [*made, *command]


def run(
    mounts: Mapping[Path, int | None], command: Sequence[str], **env: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command among other disks.

    Args:
        mounts: a folder or a file -> the bytes of an empty disk in its place; None: it is
            read-only.
        command: what runs.
        env: settings of its environment.
    """
    why = _why_not()
    if why and os.environ.get("CI") == "true":
        pytest.fail(f"CI fills a disk. {why}")
    if why:
        pytest.skip(why)
    inside = _command(mounts, command)
    return subprocess.run(inside, capture_output=True, text=True, env=os.environ | env)
