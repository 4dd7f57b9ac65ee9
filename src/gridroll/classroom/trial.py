"""Run a student's notebook in a fresh kernel, whatever its cells do, and gather the verdicts."""

import asyncio
import logging
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridroll.classroom import progress
from gridroll.classroom.checking import VERDICT_MIME
from gridroll.classroom.errors import UserError

if TYPE_CHECKING:
    from nbclient import NotebookClient
    from nbformat import NotebookNode

_READY_TIMEOUT = 5.0  # seconds that an interrupted kernel has to answer again

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())
_log.propagate = False


@dataclass
class Trial:
    """What was seen while a notebook ran.

    Attributes:
        verdicts: the last verdict of each exercise, by name.
        stopped: the text of each cell that didn't end well -> "timeout" or "error".
        ended: "died" or "timeout" when the kernel was gone before the last cell.
    """

    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    ended: str = ""


async def run_cells(
    notebook: "NotebookNode",
    folder: Path,
    timeout: float,
    say: Callable[[str], None],
    on_cell: Callable[[int, int], None],
) -> Trial:
    """Execute the cells in order, until the end or until the kernel no longer answers.

    Args:
        notebook: its outputs are replaced by those of the run.
        folder: the kernel's working folder.
        timeout: seconds for one cell.
        say: is told in one line what went wrong.
        on_cell: is called with (cells done, cells in all) after each cell.

    Raises UserError when no kernel can be started.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    seen = Trial()
    client = NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", allow_errors=True, log=_log
    )
    async with _kernel(client, folder):
        for index, cell in enumerate(notebook.cells):
            try:
                await client.async_execute_cell(cell, index)
            except CellTimeoutError:
                say(f"Cell {index + 1} took longer than {timeout:g} s and was interrupted.")
                seen.stopped[cell.source] = "timeout"
                if not await _answers_again(client):
                    say("The kernel didn't answer any more; the later cells were not run.")
                    seen.ended = "timeout"
            except DeadKernelError:
                _raise_if_interrupted()
                say(f"The kernel died in cell {index + 1}; the later cells were not run.")
                seen.ended = "died"
            _collect(cell, index, seen, say)
            on_cell(index + 1, len(notebook.cells))
            if seen.ended:
                break
    return seen


@asynccontextmanager
async def _kernel(client: "NotebookClient", folder: Path) -> AsyncIterator[None]:
    """Start the client's kernel, and end it whatever happens.

    nbclient's own way takes over Ctrl-C and then fails on an assertion.
    """
    from jupyter_client.kernelspec import NoSuchKernel
    from jupyter_client.manager import AsyncKernelManager

    manager = client.create_kernel_manager()
    assert isinstance(manager, AsyncKernelManager)
    client.reset_execution_trackers()
    settings = {"env": _environment(), "cwd": str(folder), "stderr": subprocess.DEVNULL}
    try:
        try:
            await client.async_start_new_kernel(**settings)
            await client.async_start_new_kernel_client()
        except (NoSuchKernel, RuntimeError, OSError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            text = f"No kernel could be started ({reason}): `gridroll doctor` says how to mend it."
            raise UserError(text) from None
        yield
    finally:
        if client.kc is not None:
            client.kc.stop_channels()
        if manager.has_kernel:
            await manager.shutdown_kernel(now=True)


def _raise_if_interrupted() -> None:
    """Go on with a Ctrl-C that nbclient takes for the death of the kernel."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def _answers_again(client: "NotebookClient") -> bool:
    """Interrupt the kernel; whether it takes another request within a few seconds."""
    from jupyter_client.asynchronous.client import AsyncKernelClient
    from jupyter_client.manager import AsyncKernelManager

    assert isinstance(client.km, AsyncKernelManager)
    assert isinstance(client.kc, AsyncKernelClient)
    await client.km.interrupt_kernel()
    try:
        await client.kc.wait_for_ready(timeout=_READY_TIMEOUT)
    except RuntimeError:
        return False
    return True


def _environment() -> dict[str, str]:
    """The kernel's environment: the CPU, no progress file, and checks that report."""
    environment = {**os.environ, progress.SWITCH: "off", "JAX_PLATFORMS": "cpu"}
    environment.pop("NBGRADER_EXECUTION", None)
    return environment


def _collect(cell: "NotebookNode", index: int, seen: Trial, say: Callable[[str], None]) -> None:
    """Note the verdicts and the error among the outputs of one executed cell."""
    for output in cell.get("outputs", []) if cell.cell_type == "code" else []:
        if output.output_type == "error" and cell.source not in seen.stopped:
            seen.stopped[cell.source] = "error"
            line = f"{output.ename}: {output.evalue}".splitlines()[0]
            say(f"Cell {index + 1} raised {line}")
        verdict = output.get("data", {}).get(VERDICT_MIME)
        if isinstance(verdict, dict) and isinstance(verdict.get("name"), str):
            seen.verdicts[verdict["name"]] = {
                "status": str(verdict.get("status")),
                "passed": verdict.get("passed") is True,
                "points": verdict.get("points", 0),
                "of": verdict.get("of", 0),
                "diagnosis": verdict.get("diagnosis"),
            }
