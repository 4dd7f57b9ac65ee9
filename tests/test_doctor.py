"""The doctor: every fault that a machine can have is found and comes with a remedy."""

import json
import os
import platform
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from gridroll.classroom import doctor, versions
from gridroll.classroom.doctor import Finding


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in good order, with a lock of three packages."""
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "01_gridworld.ipynb").write_text("{}")
    (tmp_path / "pyproject.toml").touch()
    lock(tmp_path, *(f"{name}=={version(name)}" for name in ("jax", "numpy", "rich")))
    return tmp_path


def lock(root: Path, *lines: str) -> None:
    text = "".join(f"{line} \\\n    --hash=sha256:00\n    # via nothing\n" for line in lines)
    (root / "requirements.lock").write_text(text)


def levels(findings: Iterable[Finding]) -> list[str]:
    found = list(findings)
    assert all(finding.mend for finding in found if finding.level != "ok")
    assert all("\n" not in finding.text for finding in found)
    return [finding.level for finding in found]


def test_a_machine_in_good_order_has_no_findings_but_ok(root: Path) -> None:
    (root / "workbook").mkdir()
    (root / "workbook" / "progress.json").write_text('{"version": 1}')
    assert set(levels(doctor.examine(root))) == {"ok"}


def test_without_a_course_the_machine_is_still_examined(tmp_path: Path) -> None:
    found = levels(doctor.examine(tmp_path))
    assert found.count("problem") == 1
    assert found.count("ok") == 4


@pytest.mark.parametrize(
    ("python", "level"),
    [("3.10.14", "problem"), ("3.11.0", "ok"), ("3.13.9", "ok"), ("3.14.0", "problem")],
)
def test_the_python_must_be_a_supported_one(
    monkeypatch: pytest.MonkeyPatch, python: str, level: str
) -> None:
    monkeypatch.setattr(platform, "python_version", lambda: python)
    assert levels([doctor.python_version()]) == [level]


def test_another_version_than_the_lock_says_is_a_warning_that_names_both(root: Path) -> None:
    lock(root, "numpy==1.2.3", f"rich=={version('rich')}")
    found = list(doctor.packages(root))
    assert levels(found) == ["warning"]
    assert f"numpy {version('numpy')} instead of 1.2.3" in found[0].text


def test_a_missing_package_is_a_problem_only_where_the_course_needs_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_rich(name: str) -> str:
        if name != "rich":
            raise PackageNotFoundError(name)
        return "1.0"

    lock(root, "jax==1.0", "pytest==1.0", "rich==1.0")
    monkeypatch.setattr("importlib.metadata.version", only_rich)
    found = list(doctor.packages(root))
    assert levels(found) == ["problem", "warning"]
    assert "jax" in found[0].text
    assert "pytest" in found[1].text


@pytest.mark.parametrize("content", [None, "", "no package here"])
def test_a_lock_that_can_not_be_read_is_a_warning(root: Path, content: str | None) -> None:
    (root / "requirements.lock").unlink()
    if content is not None:
        (root / "requirements.lock").write_text(content)
    assert levels(doctor.packages(root)) == ["warning"]


def test_a_lock_is_read_with_its_markers() -> None:
    text = (
        "# made by a tool\n"
        "Here.it-is==1.0 ; python_version >= '3.11' \\\n    --hash=sha256:aa==bb\n"
        "elsewhere==2.0 ; python_version < '3' \\\n"
        "always==3.0+local \\\n"
        "bare==4\n"
    )
    assert versions.locked(text) == {"here.it-is": "1.0", "always": "3.0+local", "bare": "4"}


def test_the_lock_of_this_course_names_what_it_needs() -> None:
    text = (Path(__file__).parents[1] / "requirements.lock").read_text()
    assert versions.needed() <= versions.locked(text).keys()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("raise ImportError('no wheel')", "no wheel"),
        ("import os; os.abort()", "exit code"),
        ("print('{\"sum\": 13}')", "exit code"),
        ("print('nothing')", "exit code"),
    ],
)
def test_a_jax_that_does_not_run_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, script: str, words: str
) -> None:
    monkeypatch.setattr(doctor, "_JAX_SCRIPT", script)
    found = list(doctor.jax_runs())
    assert levels(found) == ["problem"]
    assert words in found[0].text


def test_a_jax_that_hangs_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_JAX_SCRIPT", "import time; time.sleep(60)")
    monkeypatch.setattr(doctor, "_JAX_TIMEOUT", 0.5)
    assert levels(doctor.jax_runs()) == ["problem"]


@pytest.mark.parametrize(
    ("name", "value"), [("JAX_ENABLE_X64", "1"), ("JAX_THREEFRY_PARTITIONABLE", "0")]
)
def test_settings_that_change_recorded_numbers_are_a_warning(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    found = list(doctor.jax_runs())
    assert levels(found) == ["ok", "warning"]
    assert name in found[1].mend


@pytest.mark.parametrize(
    ("program", "level"),
    [
        ("python3", "ok"),
        (sys.executable, "ok"),
        ("/nowhere/bin/python", "problem"),
        (getattr(sys, "_base_executable", ""), "problem"),
    ],
)
def test_notebooks_must_run_with_this_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, level: str
) -> None:
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    command = [program, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    specification = {"argv": command, "display_name": "Python", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(specification))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    assert levels([doctor.kernel()]) == [level]


def test_a_course_without_lessons_is_a_problem(root: Path) -> None:
    (root / "lessons" / "01_gridworld.ipynb").unlink()
    assert levels([doctor.lessons(root)]) == ["problem"]


def test_no_workbook_yet_is_no_fault(root: Path) -> None:
    assert levels(doctor.workbook_state(root)) == ["ok"]


@pytest.mark.parametrize("content", [None, "damaged", b"\xff"])
def test_a_progress_file_that_can_not_be_read_is_a_warning_and_stays(
    root: Path, content: str | bytes | None
) -> None:
    path = root / "workbook" / "progress.json"
    path.parent.mkdir()
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    before = os.listdir(path.parent)
    assert levels(doctor.workbook_state(root)) == ["ok", "warning"]
    assert os.listdir(path.parent) == before


def test_a_workbook_that_can_not_be_written_is_a_problem(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**options: object) -> None:
        raise OSError(30, "Read-only file system")

    (root / "workbook").mkdir()
    (root / "workbook" / "progress.json").write_text('{"version": 1}')
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    found = list(doctor.workbook_state(root))
    assert levels(found) == ["problem", "ok"]
    assert "Read-only file system" in found[0].text


def test_a_missing_jupyterlab_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert levels([doctor.jupyterlab()]) == ["problem"]
