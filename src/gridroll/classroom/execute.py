"""Run the cells of a notebook in a fresh kernel of this Python, the same way every time."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gridroll.classroom.show import FIGURES_VARIABLE

CELL_TIMEOUT = 120  # seconds; a lesson's cells take a second or two
# Settings of the caller that would reach into a lesson's results.
_FOREIGN = ("JAX_", "XLA_", "GRIDROLL_", "NBGRADER_", "MPL", "PYTEST_", "IPYTHON")
_FOREIGN_NAMES = {"PYTHONWARNINGS", "PYTHONSTARTUP", "COLUMNS", "LINES", "TF_CPP_MIN_LOG_LEVEL"}
_QUIET = "--IPKernelApp.log_level=ERROR"  # remarks on its sockets are not the lesson's
_STRICT = "import warnings; warnings.simplefilter('error'); del warnings"


class CellFailure(Exception):
    """A cell stopped, or wrote where a lesson must be silent."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index = index  # of the cell in the notebook, counted from 0


def environment(scratch: Path, **more: str) -> dict[str, str]:
    """Return the environment of a lesson's kernel: the caller's, without what changes results.

    ``scratch`` is a folder of its own, in which IPython keeps what it keeps elsewhere at home.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_FOREIGN) and name not in _FOREIGN_NAMES
    }
    fixed = {
        "JAX_PLATFORMS": "cpu",
        "PYTHONHASHSEED": "0",
        "GRIDROLL_PROGRESS": "off",
        "IPYTHONDIR": str(scratch / "ipython"),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # the debugger's remark on frozen modules
    }
    return kept | fixed | more


def execute(
    notebook: Any,
    scratch: Path,
    settings: Mapping[str, str],
    on_cell: Callable[[int], None] = lambda index: None,
    timeout: int = CELL_TIMEOUT,
) -> Path:
    """Run every code cell of ``notebook`` in place and return the folder of its figures.

    ``scratch`` becomes a small copy of the project's shape: the notebook runs in ``solutions/``,
    and figures go to ``figures/`` beside it. ``on_cell`` hears the index of each cell that starts.
    Raises CellFailure for an error, a warning, a cell that takes longer than ``timeout`` seconds,
    and anything written to stderr.
    """
    here, figures = scratch / "solutions", scratch / "figures"
    here.mkdir()
    figures.mkdir()
    (here / "matplotlibrc").touch()  # found first, so the settings of a user don't reach in
    _warm_up()
    env = environment(scratch, **{FIGURES_VARIABLE: str(figures)}, **settings)
    spoken = scratch / "kernel-stderr.txt"
    with spoken.open("wb") as stderr:
        asyncio.run(_run(notebook, here, env, stderr, on_cell, timeout))
    noise = spoken.read_text(errors="replace").strip()
    if noise:
        raise CellFailure(-1, f"the kernel wrote to stderr: {noise.splitlines()[0]}")
    return figures


def _warm_up() -> None:
    """Let Matplotlib make its list of fonts here, once, and not with a remark in each kernel."""
    import matplotlib.font_manager  # noqa: F401


async def _run(
    notebook: Any,
    here: Path,
    env: Mapping[str, str],
    stderr: Any,
    on_cell: Callable[[int], None],
    timeout: int,
) -> None:
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    running = -1

    def started(cell: Any, cell_index: int) -> None:
        nonlocal running
        running = cell_index
        on_cell(cell_index)

    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        resources={"metadata": {"path": str(here)}},
        extra_arguments=[_QUIET],
        record_timing=False,
        shutdown_kernel="immediate",
        on_cell_start=started,
    )
    try:
        async with client.async_setup_kernel(env=dict(env), stderr=stderr):
            assert client.kc is not None
            client.kc.execute(_STRICT, silent=True, store_history=False)
            for index, cell in enumerate(notebook.cells):
                await client.async_execute_cell(cell, index)
                if cell.cell_type == "code":
                    cell.outputs = _joined(cell.outputs)
                    _refuse_stderr(cell, index)
    except CellExecutionError as error:
        reason = f"{error.ename}: {_first_line(error.evalue)}"
        raise CellFailure(running, reason) from None
    except CellTimeoutError:
        raise CellFailure(running, f"took longer than {timeout} seconds") from None
    except DeadKernelError:
        raise CellFailure(running, f"the kernel died ({sys.executable})") from None


def _joined(outputs: list[Any]) -> list[Any]:
    """Join neighbouring pieces of one stream: where a kernel cuts it is a matter of timing."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last["text"] += output.text
        else:
            joined.append(output)
    return joined


def _refuse_stderr(cell: Any, index: int) -> None:
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            raise CellFailure(index, f"wrote to stderr: {_first_line(output.text)}")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
