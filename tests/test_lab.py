"""JupyterLab on the workbook: how it is started, what is said before, and a real start and end."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat import v4
from typer.testing import CliRunner

from gridroll.classroom import lab, workbook
from gridroll.classroom.cli import app

runner = CliRunner()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of two lessons, and the current folder in it."""
    (tmp_path / "lessons").mkdir()
    (tmp_path / "pyproject.toml").touch()
    for name in ("02_keys", "04_returns"):
        cells = [v4.new_code_cell("answer = ...", id="answer")]
        nbformat.write(v4.new_notebook(cells=cells), tmp_path / "lessons" / f"{name}.ipynb")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_browser_needs_a_display_on_linux(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: bool
) -> None:
    monkeypatch.setattr(lab, "is_root", lambda: False)
    assert lab.can_show_browser(platform, variables) is expected
    monkeypatch.setattr(lab, "is_root", lambda: True)
    assert lab.can_show_browser(platform, variables) is False


def test_the_superuser_is_allowed_and_others_need_no_flag(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for superuser in (True, False):
        monkeypatch.setattr(lab, "is_root", lambda found=superuser: found)
        command = lab.jupyterlab_command(root, browser=True, port=None)
        assert ("--allow-root" in command) is superuser
        assert command[:3] == [sys.executable, "-m", "jupyterlab"]


def test_lab_says_what_it_copied_updated_and_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "start_jupyterlab", lambda root, **options: 0)
    assert "Copied into workbook/: 02_keys.ipynb, 04_returns.ipynb" in lab_output()
    path = root / "workbook" / "02_keys.ipynb"
    path.write_text(path.read_text().replace("...", "42"))
    for lesson in workbook.lesson_files(root / "lessons"):
        lesson.write_text(lesson.read_text().replace("...", "... # newer"))
    printed = lab_output()
    assert "Updated into workbook/: 04_returns.ipynb" in printed
    assert "Kept your 02_keys.ipynb" in printed
    assert "`gridroll reset 02_keys`" in printed


def lab_output() -> str:
    result = runner.invoke(app, ["lab"])
    assert result.exit_code == 0
    return result.stdout


def test_a_jupyterlab_that_fails_is_one_line_and_exit_code_1(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    monkeypatch.setattr(lab, "jupyterlab_command", lambda root, **options: command)
    result = runner.invoke(app, ["lab"])
    assert result.exit_code == 1
    assert result.stderr == "gridroll: JupyterLab ended with exit code 3.\n"


def test_a_missing_jupyterlab_is_one_line(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = runner.invoke(app, ["lab"])
    assert result.exit_code == 2
    assert "`gridroll doctor`" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_lab_alone_ends_jupyterlab_too(
    root: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(lab, "jupyterlab_command", lambda root, **options: command)
    before = signal.getsignal(number)
    threading.Timer(0.5, os.kill, (os.getpid(), number)).start()
    started = time.monotonic()
    assert lab.start_jupyterlab(root) == 0
    assert time.monotonic() - started < 30
    assert signal.getsignal(number) is before


# A session of its own, with the given terminal, as a shell starts it.
START = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from gridroll.classroom.cli import app
app()
"""


class Server:
    """`gridroll lab` in a process of its own, without a display. BROWSER names one that is none."""

    def __init__(self, root: Path, terminal: int) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        own = {f"JUPYTER_{name}_DIR": str(root / name) for name in ("RUNTIME", "CONFIG", "DATA")}
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY", "JUPYTER_TOKEN")
        }
        self.output = root / "output.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, "lab", "--port", str(self.port)],
                cwd=root / "lessons",
                env={**inherited, **own, "BROWSER": "true"},
                stdin=terminal,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def address(self) -> str:
        """Wait for the address that it prints."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            match = re.search(rf"http://localhost:{self.port}/\S+\n", self.output.read_text())
            if match:
                return match[0].strip()
            time.sleep(0.1)
        raise AssertionError(f"no address in: {self.output.read_text()}")


def test_lab_serves_the_workbook_without_a_display_and_ends_cleanly(root: Path) -> None:
    pytest.importorskip("termios", reason="Windows has no such terminals")
    keyboard, terminal = os.openpty()
    server = Server(root, terminal)
    try:
        address = server.address()
        assert "/lab/tree/workbook" in address
        token = address.partition("token=")[2]
        with urllib.request.urlopen(address, timeout=30) as page:
            text = page.read().decode()
        assert '"disabledExtensions": ["@jupyterlab/apputils-extension:announcements"]' in text
        contents = f"http://localhost:{server.port}/api/contents/workbook?token={token}"
        with urllib.request.urlopen(contents, timeout=30) as answer:
            assert b"02_keys.ipynb" in answer.read()
        os.write(keyboard, b"\x03")  # Ctrl-C
        assert server.process.wait(timeout=30) == 0
    finally:
        server.process.kill()
        server.process.wait()
        os.close(keyboard)
        os.close(terminal)
    printed = server.output.read_text()
    assert "Traceback" not in printed
    assert "Shut down this Jupyter server" not in printed, "it asked before it ended"
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=5)
