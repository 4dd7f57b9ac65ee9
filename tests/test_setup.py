"""The ways in agree: lock, package, conda, Binder, make and CI lead to the same versions."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
PYTHONS = ("3.11", "3.12", "3.13")
LOCK_INSTALL = "pip install --require-hashes --only-binary :all: -r requirements.lock"
EDITABLE_INSTALL = "pip install --no-deps --no-build-isolation --editable ."

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEWEST_JAX = os.environ.get("GRIDROLL_NEWEST_JAX") == "1"


def entries(text: str) -> list[str]:
    """Split a lock into its entries: one line each, comments left out."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return [line for line in "\n".join(lines).replace("\\\n", "").splitlines() if line.strip()]


def pins() -> list[Requirement]:
    """Return every entry of the lock without its hashes."""
    return [Requirement(entry.split("--hash")[0]) for entry in entries(LOCK.read_text("utf-8"))]


def wanted() -> list[Requirement]:
    """Return every direct requirement: to run, to test, to build."""
    extras = PROJECT["project"]["optional-dependencies"]
    groups = [PROJECT["project"]["dependencies"], PROJECT["build-system"]["requires"]]
    groups += [extras["test"], extras["editable"]]
    return [Requirement(line) for group in groups for line in group]


def tracked() -> list[Path]:
    """Return the files that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def targets() -> set[str]:
    """Return the targets that make knows, as `make help` lists them."""
    listing = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    ).stdout
    return set(re.findall(r"^ +make ([a-z-]+) ", listing, re.MULTILINE))


def test_lock_has_one_version_of_everything() -> None:
    names = [canonicalize_name(pin.name) for pin in pins()]
    assert len(names) > 50
    assert [name for name in set(names) if names.count(name) > 1] == []
    assert [str(pin) for pin in pins() if not re.fullmatch(r"==[^*,]+", str(pin.specifier))] == []


def test_lock_hashes_every_entry() -> None:
    hashed = re.compile(r"[^\s;]+==[^\s;]+( ; [^-]+(-[^-]+)*?)?( +--hash=sha256:[0-9a-f]{64})+")
    text = LOCK.read_text(encoding="utf-8")
    assert [line for line in entries(text) if not hashed.fullmatch(line)] == []


def test_lock_names_no_address_and_sets_no_option() -> None:
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "://" in line or line.startswith("-")] == []


def test_lock_covers_what_the_project_asks_for_on_every_python() -> None:
    locked = {canonicalize_name(pin.name): pin for pin in pins()}
    for requirement in wanted():
        pin = locked[canonicalize_name(requirement.name)]
        version = str(pin.specifier).removeprefix("==")
        assert requirement.specifier.contains(version, prereleases=True), requirement
        assert pin.marker is None, f"{pin} is not for everybody"


@pytest.mark.skipif(NEWEST_JAX, reason="runs with the newest JAX instead of the locked one")
def test_what_runs_is_what_is_locked() -> None:
    here = [pin for pin in pins() if pin.marker is None or pin.marker.evaluate()]
    installed = {pin.name: f"=={metadata.version(pin.name)}" for pin in here}
    assert installed == {pin.name: str(pin.specifier) for pin in here}


def test_what_the_package_imports_is_declared() -> None:
    trees = [ast.parse(path.read_bytes()) for path in (ROOT / "src").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {
        str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and not node.level
    }
    roots = {module.split(".")[0] for module in modules} - sys.stdlib_module_names - {"gridroll"}
    declared = {
        canonicalize_name(Requirement(line).name) for line in PROJECT["project"]["dependencies"]
    }
    found = metadata.packages_distributions()
    assert "jax" in roots
    assert [root for root in roots if not declared & set(map(canonicalize_name, found[root]))] == []


def test_the_same_pythons_are_named_everywhere() -> None:
    minors = [f"3.{minor}" for minor in range(25)]
    supported = SpecifierSet(PROJECT["project"]["requires-python"])
    assert tuple(minor for minor in minors if f"{minor}.0" in supported) == PYTHONS
    classified = [f"Programming Language :: Python :: {minor}" for minor in minors]
    assert (
        tuple(name.split()[-1] for name in classified if name in PROJECT["project"]["classifiers"])
        == PYTHONS
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\nVERSIONS := {' '.join(PYTHONS)}\n" in makefile


def test_conda_leads_to_the_lock() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, pip, from_pip = environment["dependencies"]
    assert python == f"python={PYTHONS[0]}"
    assert pip == "pip"
    assert from_pip == {"pip": ["-r requirements.lock"]}


def test_binder_finds_the_environment_and_installs_the_package() -> None:
    post_build = ROOT / "postBuild"
    assert os.access(post_build, os.X_OK)
    assert post_build.read_text(encoding="utf-8").rstrip().endswith(f"python -m {EDITABLE_INSTALL}")
    # Binder reads only such a folder where there is one, and not the root.
    assert not (ROOT / "binder").exists()
    assert not (ROOT / ".binder").exists()


@pytest.mark.parametrize("document", ["Makefile", "README.md"])
def test_make_and_the_lines_for_windows_install_the_same(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8").replace("--quiet ", "")
    assert LOCK_INSTALL in text
    assert EDITABLE_INSTALL in text


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_documents_name_only_targets_that_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    code = re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL)
    named = set(re.findall(r"\bmake ([a-z-]+)", "\n".join(code)))
    assert "test" in named
    assert named - targets() == set()


def test_ci_installs_the_sandbox_where_it_is_missing_and_then_runs_make_test() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    commands = [line for line in text.splitlines() if line and line[0] not in "#\t"]
    assert [line.split()[0] for line in commands] == ["set", "cd", "export", "if", "fi", "make"]
    assert commands[-1] == "make test"
    assert "export CI=true" in commands  # then tests fail, and don't skip, without the sandbox
    installed = {word for line in text.splitlines() if "install" in line for word in line.split()}
    assert "bubblewrap" in installed


def test_no_file_names_a_registry() -> None:
    hosts = [
        ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("anaconda", "org"))
    ]
    naming = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        naming += [str(path.relative_to(ROOT)) for host in hosts if host in text]
    assert naming == []
