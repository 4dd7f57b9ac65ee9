"""Starting JupyterLab on the workbook: rooted at the repository, quiet, and without the network."""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from gridroll.classroom.errors import UserError

_CONFIGURATION = Path(__file__).parent / "jupyter"  # turns off the news and update prompts


def start_jupyterlab(root: Path, *, browser: bool = True, port: int | None = None) -> int:
    """Run JupyterLab with this Python until it is ended; returns its exit code.

    Ctrl-C, and SIGTERM, end it and give 0. Raises UserError when JupyterLab isn't installed.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise UserError(
            f"JupyterLab is not installed for {sys.executable}: `gridroll doctor` says how to."
        )
    ended = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ended
        ended = True
        # On Windows Ctrl-C reaches JupyterLab by itself, and terminate() would leave its kernels.
        if os.name != "nt" or number != signal.SIGINT:
            process.terminate()

    command = jupyterlab_command(root, browser=browser and can_show_browser(), port=port)
    with subprocess.Popen(command, env=environment(), cwd=root) as process:
        before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            code = process.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    return 0 if ended else code


def jupyterlab_command(root: Path, *, browser: bool, port: int | None) -> list[str]:
    """The command that starts JupyterLab with the repository `root` as its top folder."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={root}",
        "--LabApp.default_url=/lab/tree/workbook",
        "--LabApp.news_url=None",
        "--LabApp.extension_manager=readonly",  # asks no server which extensions there are
        "--ServerApp.answer_yes=True",  # Ctrl-C ends it; notebooks are saved as one works
        "--Application.log_level=WARN",  # the address is printed at any level
    ]
    if not browser:
        command.append("--no-browser")
    if port is not None:
        command.append(f"--ServerApp.port={port}")
    if is_root():
        command.append("--allow-root")
    return command


def can_show_browser(
    platform: str = sys.platform, variables: Mapping[str, str] = os.environ
) -> bool:
    """Whether a browser can open here: not for root, and on Linux only with a display."""
    if is_root():
        return False
    return not platform.startswith("linux") or bool(
        variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY")
    )


def is_root() -> bool:
    """Whether this is the superuser, as whom JupyterLab starts only with a flag."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def environment() -> dict[str, str]:
    """The environment of JupyterLab: the user's own, with our page settings in front."""
    paths = [str(_CONFIGURATION), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, paths))}
