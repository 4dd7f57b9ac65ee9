"""Imports run one way: lessons on earlier lessons, and only the exercises know both sides."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "gridroll"
LESSONS = (
    "gridworld",
    "keys",
    "collector",
    "returns",
    "planning",
    "reinforce",
    "recording",
    "streams",
    "evaluation",
    "memory",
    "populations",
    "critic",
    "ppo",
    "scaling",
    "adapters",
)
# Modules beside the fifteen. Each may be imported by the lessons after the one that is named
# here, and may import no later one: validation stands before every lesson.
SUPPORT = {"canonical": -2, "validation": -1, "policy": 1.5, "drawing": len(LESSONS)}
ORDER: dict[str, float] = {name: place for place, name in enumerate(LESSONS)} | SUPPORT
SUBJECT = frozenset(ORDER)


def imported(source: str, module: str) -> set[str]:
    """Return the dotted names that a module imports anywhere in its source.

    Args:
        source: the text of the module.
        module: its dotted name, of a package if it ends in `.__init__`.
    """
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            names |= {base} | {f"{base}.{alias.name}" for alias in node.names}
    return names


def rooms(names: set[str]) -> set[str]:
    """Return the parts of the package that are imported: `gridroll.keys.x` is `keys`."""
    inside = (name.split(".") for name in names)
    return {parts[1] for parts in inside if parts[0] == "gridroll" and len(parts) > 1}


def dotted(path: Path) -> str:
    return ".".join(["gridroll", *path.relative_to(PACKAGE).with_suffix("").parts])


def files_of(room: str) -> list[Path]:
    """Return the files of a module, or of a package with its name."""
    single = PACKAGE / f"{room}.py"
    return [single] if single.exists() else sorted((PACKAGE / room).rglob("*.py"))


def imports_of(path: Path) -> set[str]:
    return imported(path.read_text(encoding="utf-8"), dotted(path))


def faults(room: str, names: set[str]) -> set[str]:
    """Return what a subject module imports against the order of the lessons."""
    allowed = {name for name in SUBJECT if ORDER[name] < ORDER[room]} | {room, "__version__"}
    return {name for name in rooms(names) if name not in allowed}


def present() -> list[str]:
    return [room for room in sorted(SUBJECT) if files_of(room)]


def test_the_lessons_of_this_course_are_found() -> None:
    assert {"gridworld", "keys", "policy", "collector", "returns", "validation"} <= set(present())
    assert len(LESSONS) == 15


def test_every_module_beside_the_classroom_is_a_lesson_or_a_named_support_module() -> None:
    rooms_here = {path.stem for path in PACKAGE.glob("*.py")}
    rooms_here |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms_here - SUBJECT == {"__init__", "classroom", "exercises"}


@pytest.mark.parametrize("room", present())
def test_a_subject_module_imports_only_earlier_ones(room: str) -> None:
    for path in files_of(room):
        assert faults(room, imports_of(path)) == set(), f"{path.name} imports against the order"


def classroom_files() -> list[Path]:
    return sorted((PACKAGE / "classroom").rglob("*.py"))


def test_the_classroom_never_imports_the_subject_or_an_exercise() -> None:
    assert classroom_files(), "the classroom was not found"
    for path in classroom_files():
        # The empty package `gridroll.exercises` may be named, to list what is in it.
        names = imports_of(path) - {"gridroll.exercises"}
        found = rooms(names) & (SUBJECT | {"exercises"})
        assert found == set(), f"{path.name} imports {found}"


def test_an_exercise_module_is_named_after_a_lesson() -> None:
    names = {path.relative_to(PACKAGE / "exercises").parts[0] for path in exercise_files()}
    helpers = {name for name in names if name.startswith("_")}
    assert {name.removesuffix(".py") for name in names - helpers} <= set(LESSONS)


def exercise_files() -> list[Path]:
    return sorted((PACKAGE / "exercises").rglob("*.py"))


@pytest.mark.parametrize(
    ("room", "source", "wanted"),
    [
        ("gridworld", "from gridroll import collector", {"collector"}),
        ("gridworld", "import gridroll.keys as k", {"keys"}),
        ("gridworld", "def f():\n    from gridroll.policy import softmax", {"policy"}),
        ("gridworld", "from . import returns", {"returns"}),
        ("gridworld", "from .collector import rollout", {"collector"}),
        ("keys", "from gridroll.classroom import check", {"classroom"}),
        ("keys", "import gridroll.exercises.keys", {"exercises"}),
        ("collector", "from gridroll import gridworld, keys, policy, validation", set()),
        ("collector", "from .gridworld import State\nimport jax", set()),
        ("collector", "from gridroll.drawing import draw", {"drawing"}),
        ("validation", "from gridroll.gridworld import State", {"gridworld"}),
        ("returns", "from gridroll.collector import Trajectory", set()),
    ],
)
def test_the_order_is_seen_in_every_form_of_an_import(
    room: str, source: str, wanted: set[str]
) -> None:
    assert faults(room, imported(source, f"gridroll.{room}")) == wanted


HEAVY = ("jax", "jaxlib", "matplotlib", "jupytext", "nbclient", "nbformat", "typer", "rich")


@pytest.mark.parametrize("name", ["gridroll", "gridroll.classroom"])
def test_importing_the_front_door_brings_in_nothing_heavy(name: str) -> None:
    program = f"import {name}, sys; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "gridroll" in loaded
    assert loaded & set(HEAVY) == set(), f"{name} imports {loaded & set(HEAVY)}"
    assert done.stderr == ""
