"""The workbook: copies follow the course until a student works in them, and never after."""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from gridroll.classroom import workbook
from gridroll.classroom.errors import UserError
from gridroll.classroom.workbook import find_lesson, find_root, lesson_files, prepare, reset


def lesson_text(text: str) -> str:
    cells = [
        v4.new_markdown_cell(text, id="text"),
        v4.new_code_cell("answer = ...", id="answer"),
    ]
    return nbformat.writes(v4.new_notebook(cells=cells))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course of two lessons and a file that is none."""
    (tmp_path / "lessons").mkdir()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "lessons" / "01_gridworld.ipynb").write_text(lesson_text("one"))
    (tmp_path / "lessons" / "03_collector.ipynb").write_text(lesson_text("three"))
    (tmp_path / "lessons" / "notes.txt").touch()
    return tmp_path


def change_lesson(root: Path) -> None:
    (root / "lessons" / "03_collector.ipynb").write_text(lesson_text("three, mended"))


def work(root: Path) -> str:
    """Do what a student does: fill in an answer and save."""
    path = root / "workbook" / "03_collector.ipynb"
    text = path.read_text().replace("answer = ...", "answer = 42")
    path.write_text(text)
    return text


def mine(root: Path) -> str:
    return (root / "workbook" / "03_collector.ipynb").read_text()


def given(root: Path) -> str:
    return (root / "lessons" / "03_collector.ipynb").read_text()


def test_the_first_time_every_lesson_is_copied_and_the_second_time_nothing(root: Path) -> None:
    done = prepare(root)
    assert done.copied == ["01_gridworld.ipynb", "03_collector.ipynb"]
    assert mine(root) == given(root)
    assert json.loads((root / "workbook" / "progress.json").read_text())["exercises"] == {}
    again = prepare(root)
    assert (again.copied, again.updated, again.kept) == ([], [], [])
    assert again.current == done.copied


def test_a_new_lesson_is_copied_beside_the_work_on_others(root: Path) -> None:
    prepare(root)
    written = work(root)
    (root / "lessons" / "04_returns.ipynb").write_text(lesson_text("four"))
    assert prepare(root).copied == ["04_returns.ipynb"]
    assert mine(root) == written


def test_an_untouched_copy_follows_the_course(root: Path) -> None:
    prepare(root)
    for version in ("mended", "mended again"):
        (root / "lessons" / "03_collector.ipynb").write_text(lesson_text(version))
        done = prepare(root)
        assert (done.updated, done.kept) == (["03_collector.ipynb"], [])
        assert mine(root) == given(root)


def test_a_copy_that_was_only_opened_and_saved_follows_the_course(root: Path) -> None:
    prepare(root)
    path = root / "workbook" / "03_collector.ipynb"
    opened = json.loads(path.read_text())
    opened["metadata"]["language_info"] = {"name": "python", "version": "3.12.1"}
    opened["cells"][1]["metadata"]["scrolled"] = True
    opened["cells"][0]["source"] = "".join(opened["cells"][0]["source"])
    path.write_text(json.dumps(opened))
    change_lesson(root)
    assert prepare(root).updated == ["03_collector.ipynb"]


def test_work_is_kept_when_the_course_changes_and_it_is_said(root: Path) -> None:
    prepare(root)
    written = work(root)
    assert prepare(root).kept == []
    change_lesson(root)
    for _ in range(2):
        done = prepare(root)
        assert (done.updated, done.kept) == ([], ["03_collector.ipynb"])
        assert mine(root) == written


def test_outputs_alone_are_work_too(root: Path) -> None:
    prepare(root)
    path = root / "workbook" / "03_collector.ipynb"
    run = nbformat.read(path, as_version=4)
    run.cells[1].outputs = [v4.new_output("stream", name="stdout", text="evidence")]
    nbformat.write(run, path)
    change_lesson(root)
    assert prepare(root).kept == ["03_collector.ipynb"]


@pytest.mark.parametrize("content", ["", "{}", '{"cells": [3]}', "\x00"])
def test_a_broken_copy_may_hold_work_and_is_kept(root: Path, content: str) -> None:
    prepare(root)
    (root / "workbook" / "03_collector.ipynb").write_text(content)
    change_lesson(root)
    assert prepare(root).kept == ["03_collector.ipynb"]
    assert mine(root) == content


@pytest.mark.parametrize("fate", ["deleted", "damaged"])
def test_without_the_progress_file_nothing_is_written_over(root: Path, fate: str) -> None:
    prepare(root)
    written = work(root)
    progress = root / "workbook" / "progress.json"
    progress.unlink() if fate == "deleted" else progress.write_text("damaged")
    change_lesson(root)
    done = prepare(root)
    assert done.kept == ["03_collector.ipynb"]
    assert done.current == ["01_gridworld.ipynb"]
    assert mine(root) == written


def test_a_lesson_that_is_no_notebook_is_never_handed_out(root: Path) -> None:
    prepare(root)
    written = work(root)
    (root / "lessons" / "03_collector.ipynb").write_text("cut off")
    with pytest.raises(UserError, match=r"03_collector\.ipynb is not a notebook"):
        prepare(root)
    with pytest.raises(UserError, match=r"03_collector\.ipynb is not a notebook"):
        reset(root, "3")
    assert mine(root) == written


def test_a_course_without_lessons_says_how_to_make_them(tmp_path: Path) -> None:
    (tmp_path / "lessons").mkdir()
    with pytest.raises(UserError, match="gridroll build"):
        prepare(tmp_path)


def test_reset_keeps_every_version_of_the_students_own(root: Path) -> None:
    prepare(root)
    folder = root / "workbook"
    first = work(root)
    assert reset(root, "3") == folder / "03_collector.mine-1.ipynb"
    assert mine(root) == given(root)
    second = work(root).replace("42", "43")
    (folder / "03_collector.ipynb").write_text(second)
    assert reset(root, "collector") == folder / "03_collector.mine-2.ipynb"
    assert (folder / "03_collector.mine-1.ipynb").read_text() == first
    assert (folder / "03_collector.mine-2.ipynb").read_text() == second
    assert mine(root) == given(root)


def test_reset_of_an_untouched_copy_keeps_nothing_beside_it(root: Path) -> None:
    assert reset(root, "3") is None
    change_lesson(root)
    assert reset(root, "3") is None
    assert mine(root) == given(root)
    assert sorted(path.name for path in (root / "workbook").glob("*.ipynb")) == [
        "03_collector.ipynb"
    ]


def test_a_reset_lesson_follows_the_course_again(root: Path) -> None:
    prepare(root)
    work(root)
    reset(root, "3")
    change_lesson(root)
    assert prepare(root).updated == ["03_collector.ipynb"]


def test_when_the_disk_refuses_reset_leaves_the_students_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(root)
    written = work(root)

    def refuse(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(OSError, match="No space left"):
        reset(root, "3")
    assert mine(root) == written
    assert not list((root / "workbook").glob(".*"))


@pytest.mark.parametrize(
    "text",
    [
        *("3", "03", "collector", "Collector", "03_collector", "03_collector.ipynb"),
        *("lessons/03_collector.ipynb", "workbook/03_collector.ipynb", "workbook\\03_collector"),
    ],
)
def test_a_lesson_has_many_names(root: Path, text: str) -> None:
    assert find_lesson(text, root / "lessons").name == "03_collector.ipynb"


@pytest.mark.parametrize("text", ["2", "", "coll", "collector.mine-1", "..", "3_collector.txt"])
def test_an_unknown_lesson_is_answered_with_those_that_exist(root: Path, text: str) -> None:
    with pytest.raises(UserError, match="Lessons: 01_gridworld, 03_collector"):
        find_lesson(text, root / "lessons")


def test_a_students_kept_notebooks_are_no_lessons(root: Path) -> None:
    prepare(root)
    work(root)
    reset(root, "3")
    names = [path.name for path in lesson_files(root / "workbook")]
    assert names == ["01_gridworld.ipynb", "03_collector.ipynb"]


def test_the_root_is_found_from_any_folder_below_it(root: Path) -> None:
    deep = root / "workbook" / "deep"
    deep.mkdir(parents=True)
    assert find_root(deep) == root.resolve()
    assert find_root(root) == root.resolve()


def test_no_root_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"No course found at .* or above it") as caught:
        find_root(tmp_path)
    assert "\n" not in str(caught.value)
    assert "--root" in str(caught.value)


def test_a_fingerprint_tells_cells_apart(root: Path) -> None:
    """Text that moves from one cell to the next makes another notebook."""
    texts = [("ab", "c"), ("a", "bc"), ("abc", "")]
    found = set()
    for number, (first, second) in enumerate(texts):
        cells = [v4.new_markdown_cell(first, id="one"), v4.new_markdown_cell(second, id="two")]
        path = root / f"{number}.ipynb"
        nbformat.write(v4.new_notebook(cells=cells), path)
        found.add(workbook.fingerprint(path))
    assert len(found) == 3
    assert workbook.fingerprint(root / "missing.ipynb") == ""
