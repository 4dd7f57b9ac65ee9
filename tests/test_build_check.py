"""`gridroll build --check`: what is committed comes out of the sources, to the last character."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from toy_lesson import SOURCE, TASKS, write_project

from gridroll.classroom import build_command, declared, registry
from gridroll.classroom.build_command import Project
from gridroll.classroom.errors import UserError

PRODUCTS = (
    "figures/07_line.json",
    "figures/07_line.svg",
    "lessons/07_toy.ipynb",
    "solutions/07_toy.ipynb",
)


@pytest.fixture(scope="module", autouse=True)
def exercises() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "lesson_exercises", lambda module: TASKS)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(*write_project(tmp_path_factory.mktemp("built")))
    assert build_command.run(project, say=lambda line: None) == 0
    return project


@pytest.fixture
def copy(built: Project, tmp_path: Path) -> Project:
    """A copy of the built project, cache included, that a test may damage."""
    shutil.copytree(built.root, tmp_path / "copy")
    return Project(tmp_path / "copy", built.package)


def checked(project: Project) -> tuple[int, str]:
    said: list[str] = []
    code = build_command.run(project, check=True, say=said.append)
    return code, "\n".join(said)


def pretend_to_build(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the build of a lesson; the list grows by the name of each that would run."""
    runs: list[str] = []

    def pretend(source: Path, *rest: Any) -> dict[str, bytes]:
        runs.append(source.stem)
        return {"lessons/07_toy.ipynb": b"{}"}

    monkeypatch.setattr(build_command, "build_lesson", pretend)
    return runs


def test_the_check_passes_on_what_the_build_made(copy: Project) -> None:
    code, said = checked(copy)
    assert code == 0
    assert said.endswith("Nothing differs.")
    # Bytes are promised on one platform, with the lock; elsewhere the check says what it compared.
    compared = "text, records" if declared.deviation(copy.root) else "every byte."
    assert f"Compared the 4 files of 07_toy: {compared}" in said


@pytest.mark.parametrize("path", PRODUCTS)
def test_the_check_fails_when_one_character_of_a_product_changes(copy: Project, path: str) -> None:
    product = copy.root / path
    content = product.read_bytes()
    at = re.search(rb"2\.5|\d", content)
    assert at is not None
    changed = content[: at.start()] + b"7" + content[at.start() + 1 :]
    assert changed != content
    product.write_bytes(changed)
    code, said = checked(copy)
    if path.endswith(".svg") and declared.deviation(copy.root):
        assert (
            code == 0
        )  # off the declared platform a picture is its numbers, in the file beside it
        return
    assert code == 1
    assert path in said
    assert "Different: 1." in said


def test_the_diff_of_a_notebook_names_the_cell_and_shows_both_lines(copy: Project) -> None:
    solution = copy.root / "solutions" / "07_toy.ipynb"
    content = solution.read_text(encoding="utf-8")
    solution.write_text(content.replace("and more\\n", "and less\\n"), encoding="utf-8")
    code, said = checked(copy)
    assert code == 1
    assert "-and less" in said
    assert "+and more" in said
    assert re.search(r"^@@.*@@ cell \d+, code, code-[0-9a-f]{8}$", said, re.MULTILINE)


def test_the_check_finds_what_is_missing_and_what_no_lesson_makes(copy: Project) -> None:
    (copy.root / "figures" / "07_line.svg").unlink()
    (copy.root / "figures" / "07_stale.json").write_text("{}")
    (copy.root / "lessons" / "09_gone.ipynb").write_text("{}")
    code, said = checked(copy)
    assert code == 1
    assert "figures/07_line.svg: missing" in said
    assert "figures/07_stale.json: no lesson makes this file" in said
    assert "lessons/09_gone.ipynb: no lesson makes this file" in said


def test_the_cache_is_used_only_for_the_same_inputs(
    copy: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = pretend_to_build(monkeypatch)
    sources = [copy.root / "solutions" / "07_toy.md"]
    build_command.make(copy, sources)
    assert runs == []
    (copy.root / "requirements.lock").write_text("jax==1\n")
    build_command.make(copy, sources)
    assert runs == ["07_toy"]
    build_command.make(copy, sources)
    assert runs == ["07_toy"]
    sources[0].write_text(SOURCE + "\nOne more sentence.\n", encoding="utf-8")
    build_command.make(copy, sources)
    assert runs == ["07_toy"] * 2
    library = copy.package / "toy.py"
    before = library.read_bytes()
    library.write_bytes(before + b"# changed\n")
    build_command.make(copy, sources)
    library.write_bytes(before)
    assert runs == ["07_toy"] * 3


def test_a_damaged_cache_is_not_believed(copy: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = pretend_to_build(monkeypatch)
    kept = copy.root / ".gridroll-cache" / "07_toy.json"
    content = kept.read_text()
    kept.write_text(content.replace("PD94", "PD95", 1))  # a character of the drawing
    assert kept.read_text() != content
    build_command.make(copy, [copy.root / "solutions" / "07_toy.md"])
    assert runs == ["07_toy"]


def test_lessons_are_chosen_by_number_module_stem_or_path(built: Project) -> None:
    sources = [Path("solutions/07_toy.md"), Path("solutions/08_other_toy.md")]
    for name in ("7", "07", "toy", "07_toy", "solutions/07_toy.md"):
        assert build_command.choose(sources, [name]) == sources[:1]
    assert build_command.choose(sources, []) == sources
    with pytest.raises(UserError, match="No lesson '9'; there are 07_toy, 08_other_toy"):
        build_command.choose(sources, ["9"])
