"""What makes a build stop: the message says where and why, and what stood before stays."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from nbformat import v4
from toy_lesson import HEAD, TASKS, write_project

from gridroll.classroom import build, build_command, registry
from gridroll.classroom.build_command import Project
from gridroll.classroom.execute import CellFailure, environment, execute
from gridroll.classroom.outputs import OutputError, records
from gridroll.classroom.publish import publish
from gridroll.classroom.record import RECORD_MIME
from gridroll.classroom.source import BuildError


@pytest.fixture(scope="module", autouse=True)
def exercises() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "lesson_exercises", lambda module: TASKS)
        yield


FAILING = {
    "error": ("x = 1\n1 / 0", "ZeroDivisionError: division by zero"),
    "warning": ("import warnings\nwarnings.warn('look out')", "UserWarning: look out"),
    "stderr": ("import sys\nprint('noise', file=sys.stderr)", "wrote to stderr: noise"),
    "descriptor": ("import os\n_ = os.write(2, b'deep noise')", "wrote to stderr: deep noise"),
    "death": ("import os\nos._exit(3)", "the kernel died"),
    "address": ("object()", "its output holds 'at 0x"),
    "no alt": ("from IPython.display import Image\nImage(b'\\x89PNG')", "no alt text"),
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_failing_cell_stops_the_build_with_its_place_and_leaves_what_stood(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, reason = FAILING[kind]
    directives = "".join(f"```{{code-cell}}\n# exercise: {task.name}\n```\n\n" for task in TASKS)
    above = (
        "```{code-cell}\nstanding = print\n```\n\n"  # the lesson's own knows the real ones alone
    )
    source = f"{HEAD}\n{above}{directives}```{{code-cell}}\n{code}\n```\n"
    project = Project(*write_project(tmp_path, source))
    stood = project.root / "solutions" / "07_toy.ipynb"
    stood.write_text("what stood before")
    assert build_command.run(project, say=lambda line: None) == 2
    message = next(
        line for line in capsys.readouterr().err.splitlines() if line.startswith("gridroll:")
    )
    line = source.splitlines().index(code.splitlines()[0]) + 1
    assert f"07_toy, code cell 6 (solutions/07_toy.md line {line}, " in message
    assert reason in message
    assert stood.read_text() == "what stood before"
    assert not (project.root / "lessons").exists()


def test_a_cell_that_never_ends_is_stopped(tmp_path: Path) -> None:
    endless = v4.new_notebook(cells=[v4.new_code_cell("while True: pass")])
    with pytest.raises(CellFailure, match="took longer than 1 seconds"):
        execute(endless, tmp_path, {}, timeout=1)


PROSE = {
    "unknown name": ("{{ nothing }}", "the run records no 'nothing'; it records mean"),
    "typed result": ("It was 0.585.", "0.585 is a recorded result (mean) written by hand"),
    "braces": ("{{ mean", "braces left over"),
}


@pytest.mark.parametrize("kind", PROSE)
def test_prose_that_is_not_recorded_stops_the_build(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pretend(notebook: Any, scratch: Path, *rest: Any) -> Path:
        data = {"text/plain": "mean  0.584844", RECORD_MIME: {"mean": 0.58484375}}
        notebook.cells[-1].outputs = [v4.new_output("display_data", data=data)]
        return scratch

    monkeypatch.setattr(build, "execute", pretend)
    prose, reason = PROSE[kind]
    directives = "".join(f"```{{code-cell}}\n# exercise: {task.name}\n```\n\n" for task in TASKS)
    source = f"{HEAD}\n{prose}\n\n{directives}```{{code-cell}}\nrun()\n```\n"
    root, package = write_project(tmp_path, source)
    with pytest.raises(BuildError) as caught:
        build.build_lesson(root / "solutions" / "07_toy.md", package, {})
    assert reason in str(caught.value)
    assert "prose cell 1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_lesson_that_fails_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(*write_project(tmp_path))
    (project.root / "solutions" / "08_other.md").write_text(HEAD, encoding="utf-8")

    def pretend(source: Path, *rest: Any) -> dict[str, bytes]:
        if source.stem == "07_toy":
            raise BuildError("07_toy: it can't be built")
        return {"lessons/08_other.ipynb": b"{}"}

    monkeypatch.setattr(build_command, "build_lesson", pretend)
    assert build_command.run(project, jobs=2, say=lambda line: None) == 2
    assert "gridroll: 07_toy: it can't be built" in capsys.readouterr().err
    assert (project.root / "lessons" / "08_other.ipynb").read_bytes() == b"{}"


def test_lessons_that_build_at_the_same_time_are_read_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(*write_project(tmp_path))
    source = project.root / "solutions" / "07_toy.md"
    reading: list[str] = []

    def pretend(lesson: Any, package: Path) -> list[Any]:
        reading.append(lesson.stem)
        time.sleep(0.05)
        assert reading.pop() == lesson.stem
        assert reading == []
        raise BuildError("read")

    monkeypatch.setattr(build, "compose", pretend)
    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(build.build_lesson, source, project.package, {}) for _ in range(4)]
    assert [str(future.exception()) for future in running] == ["read"] * 4


def test_products_are_put_in_place_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "07_toy.ipynb").write_bytes(b"old")
    write = Path.write_bytes

    def until_the_disk_is_full(path: Path, content: bytes) -> int:
        if path.parent.name == "figures":
            raise OSError("no space left")
        return write(path, content)

    products = {"lessons/07_toy.ipynb": b"new", "figures/07_x.svg": b"new"}
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", until_the_disk_is_full)
        with pytest.raises(OSError, match="no space left"):
            publish(tmp_path, "07_toy", products)
    stood = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in stood] == [b"old"]
    assert publish(tmp_path, "07_toy", products) == sorted(products)
    assert all((tmp_path / path).read_bytes() == b"new" for path in products)


def test_a_result_is_recorded_once() -> None:
    cells = [
        v4.new_code_cell(outputs=[v4.new_output("display_data", data={RECORD_MIME: {"mean": 1}})])
        for _ in range(2)
    ]
    with pytest.raises(OutputError, match="'mean' is recorded twice"):
        records(cells)


def test_a_kernel_gets_none_of_the_settings_that_change_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = ("JAX_NUMPY_DTYPE_PROMOTION", "XLA_FLAGS", "NBGRADER_EXECUTION", "PYTHONWARNINGS")
    for name in foreign:
        monkeypatch.setenv(name, "strict")
    monkeypatch.setenv("JAX_PLATFORMS", "tpu")
    monkeypatch.setenv("UNRELATED", "kept")
    env = environment(tmp_path)
    assert not set(foreign) & set(env)
    assert env["UNRELATED"] == "kept"
    expected = {"JAX_PLATFORMS": "cpu", "PYTHONHASHSEED": "0", "GRIDROLL_PROGRESS": "off"}
    assert {name: env[name] for name in expected} == expected


def test_an_interrupt_ends_the_build_before_the_next_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(*write_project(tmp_path))
    ended: list[str] = []

    def pretend(source: Path, package: Path, settings: Any, on_cell: Any) -> dict[str, bytes]:
        os.kill(os.getpid(), signal.SIGINT)
        for cell in range(1000):
            time.sleep(0.01)
            on_cell(cell, 1000)
        ended.append(source.stem)
        return {}

    monkeypatch.setattr(build_command, "build_lesson", pretend)
    with pytest.raises(KeyboardInterrupt):
        build_command.make(project, [project.root / "solutions" / "07_toy.md"])
    assert ended == []
