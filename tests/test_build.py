"""From one source to three products: what a build makes, and what makes it stop."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from toy_lesson import SOURCE, TASKS, write_project

from gridroll.classroom import build_command, registry
from gridroll.classroom.build_command import Project

PRODUCTS = {
    "figures/07_line.json",
    "figures/07_line.svg",
    "lessons/07_toy.ipynb",
    "solutions/07_toy.ipynb",
}


@pytest.fixture(scope="module", autouse=True)
def exercises() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "lesson_exercises", lambda module: TASKS)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(*write_project(tmp_path_factory.mktemp("built")))
    (project.root / "figures").mkdir()
    (project.root / "figures" / "07_gone.svg").write_text("a figure of an earlier build")
    (project.root / "figures" / "08_other.svg").write_text("a figure of another lesson")
    assert build_command.run(project, say=lambda line: None) == 0
    (project.root / "figures" / "08_other.svg").unlink()  # was left alone
    return project


def cells(project: Project, folder: str) -> list[dict[str, Any]]:
    path = project.root / folder / "07_toy.ipynb"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def by_id(project: Project, folder: str) -> dict[str, dict[str, Any]]:
    return {cell["id"]: cell for cell in cells(project, folder)}


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_a_build_makes_all_products_and_removes_figures_that_are_no_longer_drawn(
    built: Project,
) -> None:
    made = {
        path.relative_to(built.root).as_posix()
        for path in built.root.rglob("*")
        if path.is_file() and path.suffix != ".md" and ".gridroll-cache" not in path.parts
    }
    assert made == PRODUCTS


def test_every_code_cell_of_a_solution_ran_in_order(built: Project) -> None:
    counts = [c["execution_count"] for c in cells(built, "solutions") if c["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert len(counts) == 9


def test_prose_takes_its_numbers_from_the_run_in_both_notebooks(built: Project) -> None:
    expected = "The run counts 37, 41, of which the first is 37; the mean is 0.585."
    for folder in ("solutions", "lessons"):
        assert expected in text(cells(built, folder)[0])


def test_a_listing_is_the_librarys_text_with_its_decorator_and_docstring(built: Project) -> None:
    listed = '@cache\ndef double(x: int) -> int:\n    """Return twice x."""\n    return 2 * x'
    for folder in ("solutions", "lessons"):
        assert text(by_id(built, folder)["listing-toy-double"]) == listed


def test_a_lesson_has_scaffolds_and_no_output_at_all(built: Project) -> None:
    lesson, solution = by_id(built, "lessons"), by_id(built, "solutions")
    assert text(lesson["answer-toy-double"]) == TASKS[1].scaffold
    assert text(lesson["answer-toy-guess"]) == TASKS[0].scaffold
    assert text(solution["answer-toy-double"]) == TASKS[1].answer.strip()
    for cell in lesson.values():
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_recorded_output_is_folded_below_its_cell_as_markdown(built: Project) -> None:
    order = cells(built, "lessons")
    blocks = [i for i, cell in enumerate(order) if cell["id"].startswith("recorded-")]
    printed, drawn = (text(order[i]) for i in blocks)
    assert text(order[blocks[0] - 1]).startswith("print(")
    assert printed == (
        "<details>\n<summary>Recorded output</summary>\n\n"
        "````text\nthree ``` ticks\nand more\ncounts  [37, 41]\nmean    0.584844\n````\n\n"
        "</details>"
    )
    assert "\n\n![A line that rises from 1 to 2.5.](../figures/07_line.svg)\n\n" in drawn


def test_tags_keep_a_cell_or_its_output_out_of_the_lesson(built: Project) -> None:
    lesson = "\n".join(text(cell) for cell in cells(built, "lessons"))
    solution = "\n".join(text(cell) for cell in cells(built, "solutions"))
    assert "For the instructor." in solution
    assert "For the instructor." not in lesson
    assert lesson.count("not shown") == 1  # in the code, not in a recorded output


def test_graded_cells_carry_nbgraders_metadata(built: Project) -> None:
    lesson = by_id(built, "lessons")
    common = {"schema_version": 3, "task": False}
    assert lesson["answer-toy-double"]["metadata"]["nbgrader"] == common | {
        "grade": False,
        "solution": True,
        "locked": False,
        "grade_id": "toy-double",
    }
    assert lesson["check-toy-double"]["metadata"]["nbgrader"] == common | {
        "grade": True,
        "solution": False,
        "locked": True,
        "points": 3,
        "grade_id": "toy-double-check",
    }
    assert lesson["answer-toy-guess"]["metadata"]["nbgrader"] == common | {
        "grade": False,
        "solution": True,
        "locked": False,
        "grade_id": "toy-guess",
    }
    assert lesson["answer-toy-guess"]["metadata"]["gridroll"]["points"] == 1
    assert lesson["standing-toy"]["metadata"]["nbgrader"] == common | {
        "grade": True,
        "solution": False,
        "locked": True,
        "points": 1,  # of the guess
        "grade_id": "toy-questions",
    }
    assert lesson["check-toy-double"]["metadata"]["editable"] is False
    ours = lesson["check-toy-double"]["metadata"]["gridroll"]
    assert ours == {"exercise": "toy.double", "role": "check"}


def test_the_standing_is_told_right_after_the_last_exercise(built: Project) -> None:
    for folder in ("solutions", "lessons"):
        ids = [cell["id"] for cell in cells(built, folder)]
        after = ids[ids.index("check-toy-double") + 1 :][:2]
        assert after == ["text-standing", "standing-toy"]
    assert by_id(built, "lessons")["standing-toy"]["source"] in (
        'standing("toy")',
        ['standing("toy")'],
    )


def test_a_picture_has_its_alt_text_everywhere_and_its_numbers_in_a_file(built: Project) -> None:
    alt = "A line that rises from 1 to 2.5."
    pictures = [
        output
        for cell in cells(built, "solutions")
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert [p["metadata"]["image/png"]["alt"] for p in pictures] == [alt]
    assert ["".join(p["data"]["text/plain"]) for p in pictures] == [alt]
    drawing = (built.root / "figures/07_line.svg").read_text(encoding="utf-8")
    assert '<svg role="img"' in drawing
    assert f"<title>{alt}</title>" in drawing
    numbers = json.loads((built.root / "figures/07_line.json").read_text(encoding="utf-8"))
    assert numbers == {"y": [1.0, 2.5]}


def test_products_name_no_version_no_machine_and_no_time(built: Project) -> None:
    import platform
    import time

    everything = b"".join((built.root / path).read_bytes() for path in sorted(PRODUCTS))
    for secret in (platform.python_version(), str(time.localtime().tm_year), str(built.root)):
        assert secret.encode() not in everything
    assert b"matplotlib.org" not in everything
    assert b"execution" not in everything.replace(b"execution_count", b"")


def test_a_second_run_from_the_same_sources_makes_the_same_bytes(built: Project) -> None:
    before = {path: (built.root / path).read_bytes() for path in PRODUCTS}
    sources = list((built.root / "solutions").glob("*.md"))
    made, failures = build_command.make(built, sources, fresh=True)
    assert not failures
    assert made == {"07_toy": before}


def test_a_new_cell_renames_no_other(built: Project) -> None:
    from gridroll.classroom.compose import compose
    from gridroll.classroom.source import read_lesson

    source = built.root / "solutions" / "07_toy.md"
    before = [piece.cell["id"] for piece in compose(read_lesson(source), built.package)]
    more = SOURCE.replace(
        "```{code-cell}\nprint", "```{code-cell}\n1 + 1\n```\n\n```{code-cell}\nprint"
    )
    try:
        source.write_text(more, encoding="utf-8")
        after = [piece.cell["id"] for piece in compose(read_lesson(source), built.package)]
    finally:
        source.write_text(SOURCE, encoding="utf-8")
    assert len(after) == len(before) + 1
    assert [name for name in after if name in before] == before
