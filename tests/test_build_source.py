"""Reading a lesson's source: its front matter, its directives, and what is refused."""

from pathlib import Path

import pytest
from toy_lesson import DOUBLE, GUESS, HEAD, LIBRARY, SOURCE, TASKS, Task, write_project

from gridroll.classroom import registry
from gridroll.classroom.compose import compose
from gridroll.classroom.listing import listing, package_folder
from gridroll.classroom.source import BuildError, Lesson, read_lesson


def lesson(folder: Path, source: str) -> Lesson:
    root, _ = write_project(folder, source)
    return read_lesson(root / "solutions" / "07_toy.md")


def cell(code: str) -> str:
    return f"```{{code-cell}}\n{code}\n```\n\n"


def exercise_cells(*names: str) -> str:
    return HEAD + "\n" + "".join(cell(f"# exercise: {name}") for name in names)


def test_a_source_gives_prose_code_listings_and_exercises_with_their_lines(tmp_path: Path) -> None:
    found = lesson(tmp_path, SOURCE)
    assert (found.number, found.module, found.minutes) == ("07", "toy", 5)
    assert [each.kind for each in found.cells] == [
        "markdown",
        "code",
        "listing",
        "exercise",
        "exercise",
        "markdown",
        "code",
        "code",
        "code",
    ]
    lines = SOURCE.splitlines()
    for each in found.cells:
        if each.kind == "code":
            assert lines[each.line - 1] == each.text.splitlines()[0]
        elif each.kind != "markdown":
            assert lines[each.line - 1] == f"# {each.kind}: {each.text}"
    assert found.cells[5].tags == {"solution-only"}
    assert found.cells[8].tags == {"no-recorded-output"}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("# No front matter\n", "needs a mapping 'gridroll:'"),
        (HEAD.replace('"07"', '"08"'), "gridroll.number must be '07' like the file's name"),
        (HEAD.replace("minutes: 5", "minutes: soon"), "gridroll.minutes must be a int"),
        (HEAD.replace("  title: A toy\n", ""), "gridroll.title must be a str; got None"),
        (HEAD.replace("needs:", "need: x\n  needs:"), "unknown keys: need"),
        (HEAD + cell("# listing: toy.double\ndouble(2)"), "a directive stands alone"),
        (HEAD + cell(""), "a code cell without code"),
        (HEAD + cell(':tags: ["hidden"]\n1'), "unknown tag 'hidden'"),
        (HEAD.replace("title:", "title: ["), "not a MyST notebook"),
    ],
)
def test_a_source_that_breaks_the_format_is_refused_in_one_line(
    tmp_path: Path, source: str, reason: str
) -> None:
    with pytest.raises(BuildError) as caught:
        lesson(tmp_path, source)
    message = str(caught.value)
    assert message.startswith("07_toy: ")
    assert reason in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("toy.guess",), "the source has no '# exercise: toy.double'"),
        (("toy.guess", "toy.double", "toy.guess"), "'toy.guess' stands twice"),
        (("toy.guess", "toy.double", "keys.split"), "no exercise 'keys.split' in this lesson"),
    ],
)
def test_a_lesson_holds_each_of_its_exercises_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], reason: str
) -> None:
    monkeypatch.setattr(registry, "lesson_exercises", lambda module: TASKS)
    with pytest.raises(BuildError) as caught:
        compose(lesson(tmp_path, exercise_cells(*names)), tmp_path / "library")
    assert reason in str(caught.value)


def test_code_and_diagnosis_are_numbered_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def task(name: str, kind: str, stretch: bool = False) -> Task:
        return Task(name, kind, "pass", "pass", check_call="check()", stretch=stretch)

    tasks = (
        GUESS,
        DOUBLE,
        task("toy.more", "code", stretch=True),
        Task("toy.choose", "choice", "pass", "pass"),
        task("toy.mend", "diagnosis"),
    )
    monkeypatch.setattr(registry, "lesson_exercises", lambda module: tasks)
    found = compose(lesson(tmp_path, exercise_cells(*(t.name for t in tasks))), tmp_path)
    headers = [piece.cell.source for piece in found if piece.role == "header"]
    assert headers == [
        "### toy.guess: None of 2",
        "### toy.double: 1 of 2",
        "### toy.more: None of 2",
        "### toy.choose: None of 2",
        "### toy.mend: 2 of 2",
    ]


def test_a_listing_that_does_not_exist_stops_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "lesson_exercises", lambda module: ())
    source = HEAD + "\n" + cell("# listing: toy.triple")
    with pytest.raises(BuildError) as caught:
        compose(lesson(tmp_path, source), tmp_path / "library")
    line = source.splitlines().index("# listing: toy.triple") + 1
    assert f"07_toy: solutions/07_toy.md line {line}: toy has no 'triple'" in str(caught.value)
    assert "RATE, double" in str(caught.value)


def test_listings_are_found_without_importing(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(LIBRARY + "\nraise SystemExit\n", encoding="utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "__init__.py").write_text("class Box:\n    size: int\n\n\nEND = 1\n")
    assert listing("toy.RATE", tmp_path) == "RATE = 0.5"
    assert listing("toy.double", tmp_path).startswith("@cache\ndef double")
    assert listing("inner.Box", tmp_path) == "class Box:\n    size: int"
    for missing in ("toys.double", "double", "toy.Double"):
        with pytest.raises(LookupError):
            listing(missing, tmp_path)


@pytest.mark.parametrize(
    "name", ["gridworld.State", "gridworld.step", "collector.rollout", "collector.Trajectory"]
)
def test_a_listing_of_the_library_defines_its_name(name: str) -> None:
    text = listing(name, package_folder())
    compile(text, name, "exec")
    short = name.rpartition(".")[2]
    assert f"def {short}(" in text or f"class {short}" in text
