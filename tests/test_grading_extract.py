"""Of what a student hands in, the source of the answer cells is taken and nothing else."""

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from handed_in import data, filled, scaffold, write_course

from gridroll.classroom.grading import course, handed
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.extract import Extract, extract
from gridroll.classroom.grading.records import Answer

NAMES = ("collector.rollout", "collector.mask", "collector.guess")
WRITTEN = {"collector.rollout": "a = 1", "collector.mask": "b = 2", "collector.guess": "c = 3"}
ROLLOUT, CHECK_OF_ROLLOUT, MASK = 1, 2, 3  # places of cells in the notebook

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    return write_course(tmp_path / "lessons")["collector"]


def after(lesson: Lesson, edit: Edit) -> Extract:
    """What is taken from a notebook with answers after `edit`."""
    notebook = filled("03_collector", WRITTEN)
    edit(notebook)
    return extract(json.dumps(notebook).encode(), lesson)


def sources(found: Extract) -> dict[str, str | None]:
    return {answer.exercise: answer.source for answer in found.answers}


def statuses(found: Extract) -> list[str]:
    return [answer.status for answer in found.answers]


def kinds(found: Extract) -> list[str]:
    return [note.kind for note in found.notes]


def test_the_answers_come_in_the_order_of_the_lesson_without_notes(lesson: Lesson) -> None:
    found = extract(data("03_collector", WRITTEN), lesson)
    assert found == Extract(tuple(Answer(name, WRITTEN[name]) for name in NAMES))


def test_the_order_of_the_cells_does_not_matter(lesson: Lesson) -> None:
    found = after(lesson, lambda notebook: notebook["cells"].reverse())
    assert [answer.exercise for answer in found.answers] == list(NAMES)
    assert sources(found) == WRITTEN


def test_a_deleted_answer_cell_is_missing_and_the_rest_is_read(lesson: Lesson) -> None:
    found = after(lesson, lambda notebook: notebook["cells"].pop(ROLLOUT))
    assert statuses(found) == ["missing", "", ""]
    assert sources(found) == WRITTEN | {"collector.rollout": None}
    assert kinds(found) == ["missing"]


def test_a_function_in_a_cell_of_the_students_own_is_missing_but_pointed_out(
    lesson: Lesson,
) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "def rollout(x): ..."}
        notebook["cells"][ROLLOUT] = own

    found = after(lesson, edit)
    assert statuses(found) == ["missing", "", ""]
    assert "a cell of the student's own defines" in found.notes[0].text.lower()


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        (["a = 1", None], "a = 1"),
        ([None, "a = 1"], "a = 1"),
        (["a = 1", "a = 2"], "a = 2"),
        (["a = 1", "a = 2", None], "a = 2"),
        ([None, None], scaffold("collector.rollout")),
    ],
)
def test_copies_of_an_answer_cell_that_were_changed_count_in_their_order_with_a_warning(
    lesson: Lesson, copies: list[str | None], expected: str
) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        cell = notebook["cells"].pop(ROLLOUT)
        for number, source in enumerate(copies):
            text = scaffold("collector.rollout") + "  \n" if source is None else source
            made = cell | {"source": text, "id": f"copy-{number}" if number else cell["id"]}
            notebook["cells"].insert(ROLLOUT + number, made)

    found = after(lesson, edit)
    assert (sources(found)["collector.rollout"] or "").strip() == expected
    assert sources(found)["collector.mask"] == "b = 2"
    assert kinds(found) == ["duplicate"]
    changed = [source for source in copies if source is not None]
    assert found.answers[0].earlier == tuple(changed[:-1])


def test_a_cell_of_the_students_own_is_kept_with_the_cell_that_it_stands_below(
    lesson: Lesson,
) -> None:
    def own(number: int) -> dict[str, Any]:
        text = f"own{number} = {number}"
        return {"cell_type": "code", "id": f"own-{number}", "metadata": {}, "source": text}

    def edit(notebook: dict[str, Any]) -> None:
        for number, place in enumerate((4, CHECK_OF_ROLLOUT, 1, 0)):  # from the bottom
            notebook["cells"].insert(place, own(number))
        del notebook["cells"][-1]["id"]  # the guess is found by its metadata, as the rest is

    places = ("", "text-03_collector", "answer-collector-rollout", "answer-collector-mask")
    expected = tuple((place, f"own{3 - n} = {3 - n}") for n, place in enumerate(places))
    found = after(lesson, edit)
    assert sources(found) == WRITTEN
    assert {answer.own for answer in found.answers} == {expected}


def test_cells_without_ids_are_placed_by_what_their_metadata_says(lesson: Lesson) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        notebook["cells"].insert(MASK, {"cell_type": "code", "metadata": {}, "source": "mine = 1"})
        for cell in notebook["cells"]:
            cell.pop("id", None)

    found = after(lesson, edit)
    assert found.answers[0].own == (("check-collector-rollout", "mine = 1"),)


def test_own_cells_that_nobody_wrote_by_hand_are_left_out_with_a_note(lesson: Lesson) -> None:
    long = {"cell_type": "code", "id": "long", "metadata": {}, "source": "x" * 200_001}
    found = after(lesson, lambda notebook: notebook["cells"].append(long))
    assert (sources(found), kinds(found)) == (WRITTEN, ["too long"])
    assert {answer.own for answer in found.answers} == {()}


def test_half_a_character_which_json_can_hold_is_replaced(lesson: Lesson) -> None:
    found = after(lesson, lambda notebook: notebook["cells"][MASK].update(source="b = '\ud800'"))
    assert sources(found)["collector.mask"] == "b = '?'"


def test_a_notebook_of_too_many_cells_is_malformed_and_one_of_many_old_sheets_is_read(
    lesson: Lesson,
) -> None:
    empty = {"cell_type": "code", "metadata": {}, "source": ""}
    found = after(lesson, lambda notebook: notebook["cells"].extend([empty] * 10_000))
    assert statuses(found) == ["malformed"] * 3
    assert "more than 10000 cells" in found.notes[0].text

    def old(notebook: dict[str, Any]) -> None:
        sheets = [{"cells": [cell]} for cell in notebook.pop("cells")]
        notebook |= {"nbformat": 3, "worksheets": [{"cells": []}] * 100_000 + sheets}

    assert sources(after(lesson, old)) == WRITTEN


def test_a_pasted_cell_with_a_new_id_is_found_by_its_metadata(lesson: Lesson) -> None:
    found = after(lesson, lambda notebook: notebook["cells"][ROLLOUT].update(id="pasted"))
    assert (sources(found), found.notes) == (WRITTEN, ())


def test_nbgraders_name_is_enough_where_the_rest_is_gone(lesson: Lesson) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        for cell in notebook["cells"]:
            cell.pop("id")
            cell["metadata"].pop("gridroll", None)

    found = after(lesson, edit)
    assert (sources(found), found.notes) == (WRITTEN, ())


def test_the_id_is_enough_where_all_metadata_is_gone(lesson: Lesson) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        for cell in notebook["cells"]:
            cell["metadata"] = {}

    found = after(lesson, edit)
    assert (sources(found), found.notes) == (WRITTEN, ())


@pytest.mark.parametrize("kind", ["markdown", "raw", "heading", 7])
def test_an_answer_cell_that_is_not_code_is_tampered(lesson: Lesson, kind: Any) -> None:
    found = after(lesson, lambda notebook: notebook["cells"][ROLLOUT].update(cell_type=kind))
    assert statuses(found) == ["tampered", "", ""]
    assert (sources(found)["collector.rollout"], kinds(found)) == (None, ["tampered"])


@pytest.mark.parametrize("source", [None, 7, ["a", 7], {"a": "b"}])
def test_an_answer_cell_without_text_is_malformed_alone(lesson: Lesson, source: Any) -> None:
    found = after(lesson, lambda notebook: notebook["cells"][ROLLOUT].update(source=source))
    assert statuses(found) == ["malformed", "", ""]
    assert kinds(found) == ["malformed"]


def _nbgrader(place: int, **changes: Any) -> Edit:
    return lambda notebook: notebook["cells"][place]["metadata"]["nbgrader"].update(changes)


def _gridroll(place: int, **changes: Any) -> Edit:
    return lambda notebook: notebook["cells"][place]["metadata"]["gridroll"].update(changes)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda notebook: notebook["cells"][CHECK_OF_ROLLOUT].update(source="1"), "was edited"),
        (lambda notebook: notebook["cells"].pop(CHECK_OF_ROLLOUT), "was deleted"),
        (_nbgrader(CHECK_OF_ROLLOUT, points=600), "points of the check cell"),
        (_nbgrader(CHECK_OF_ROLLOUT, locked=False), "locked of the check cell"),
        (_nbgrader(ROLLOUT, schema_version=99), "schema_version of the answer cell"),
        (_nbgrader(ROLLOUT, locked=True, schema_version=1), "locked, schema_version of the answer"),
        (_gridroll(ROLLOUT, role="check"), "role of the answer cell"),
        (_gridroll(ROLLOUT, exercise="collector.mask"), "exercise of the answer cell"),
        (_gridroll(CHECK_OF_ROLLOUT, role="answer"), "role of the check cell"),
    ],
)
def test_what_was_changed_around_an_answer_is_noted_and_ignored(
    lesson: Lesson, edit: Edit, words: str
) -> None:
    found = after(lesson, edit)
    assert sources(found) == WRITTEN
    assert statuses(found) == ["", "", ""]
    assert kinds(found) == ["tampered"]
    assert words in found.notes[0].text


@pytest.mark.parametrize(
    "edit",
    [
        _nbgrader(ROLLOUT, checksum="0" * 32, cell_type="code"),
        _nbgrader(ROLLOUT, solution=False, grade=True, task=True, grade_id="another"),
        _nbgrader(CHECK_OF_ROLLOUT, solution=True, grade=False, task=True, grade_id="another"),
        _nbgrader(ROLLOUT, points=6),
        lambda notebook: notebook["cells"][CHECK_OF_ROLLOUT]["metadata"]["nbgrader"].clear(),
        lambda notebook: notebook["cells"][CHECK_OF_ROLLOUT]["metadata"]["nbgrader"].pop("points"),
    ],
)
def test_what_nbgrader_adds_and_what_an_older_version_of_the_course_has_is_no_change(
    lesson: Lesson, edit: Edit
) -> None:
    assert after(lesson, edit).notes == ()


def test_two_answer_cells_that_swap_their_metadata_keep_their_places(lesson: Lesson) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        first, second = notebook["cells"][ROLLOUT], notebook["cells"][MASK]
        first["metadata"], second["metadata"] = second["metadata"], first["metadata"]

    found = after(lesson, edit)
    assert sources(found) == WRITTEN
    assert kinds(found) == ["tampered", "tampered"]


def test_a_foreign_cell_cannot_take_the_place_of_an_answer_by_its_id(lesson: Lesson) -> None:
    """A cell with the check's id stays the check, though it says that it is the answer."""
    found = after(
        lesson,
        lambda notebook: notebook["cells"][CHECK_OF_ROLLOUT].update(
            source="a = 99", metadata=notebook["cells"][ROLLOUT]["metadata"]
        ),
    )
    assert sources(found) == WRITTEN


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (data()[:-40], "isn't whole JSON"),
        (b"\x00" * 400, "isn't whole JSON"),
        (b"\xff\xfe\xfa", "isn't text"),
        (b"[1, 2]", "not a notebook"),
        (b'"text"', "not a notebook"),
        (b"{}", "no cells"),
        (b'{"cells": 3, "nbformat": 4}', "no cells"),
        (b'{"cells": [3], "nbformat": 4}', "no cells"),
        (b"[" * 200_000, "isn't whole JSON"),
        (b'{"cells": ' + b"9" * 10_000 + b"}", "isn't whole JSON"),
        (b" " * (handed.FILE_LIMIT + 1), "larger than 16 MB"),
    ],
)
def test_a_notebook_that_cannot_be_read_is_malformed_with_the_reason(
    lesson: Lesson, content: bytes, words: str
) -> None:
    found = extract(content, lesson)
    assert statuses(found) == ["malformed"] * 3
    assert kinds(found) == ["malformed"]
    assert words in found.notes[0].text


@pytest.mark.parametrize(
    "encoded",
    [
        codecs.BOM_UTF8 + data("03_collector", WRITTEN),
        data("03_collector", WRITTEN).decode().encode("utf-16"),
        data("03_collector", WRITTEN).decode().encode("utf-32"),
    ],
)
def test_a_byte_order_mark_is_read_and_flagged(lesson: Lesson, encoded: bytes) -> None:
    found = extract(encoded, lesson)
    assert (sources(found), kinds(found)) == (WRITTEN, ["file"])


def test_the_format_before_is_read_and_flagged(lesson: Lesson) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        cells = notebook.pop("cells")
        for cell in cells:
            cell.pop("id")
            if cell["cell_type"] == "code":
                cell["input"] = cell.pop("source")
        halves = [{"cells": cells[:2]}, {"cells": cells[2:]}]
        notebook.update(nbformat=3, worksheets=halves)

    found = after(lesson, edit)
    assert (sources(found), kinds(found)) == (WRITTEN, ["file"])


@pytest.mark.parametrize("version", [None, "4", 5, [4], {}])
def test_an_unknown_format_with_cells_is_read_and_flagged(lesson: Lesson, version: Any) -> None:
    found = after(lesson, lambda notebook: notebook.update(nbformat=version))
    assert (sources(found), kinds(found)) == (WRITTEN, ["file"])


@pytest.mark.parametrize("broken", [None, 7, "x", [], [1]])
def test_metadata_of_a_wrong_kind_breaks_nothing(lesson: Lesson, broken: Any) -> None:
    def edit(notebook: dict[str, Any]) -> None:
        notebook["metadata"] = broken
        notebook["cells"][0]["metadata"] = broken
        notebook["cells"][ROLLOUT]["metadata"] = {"gridroll": broken, "nbgrader": broken}
        notebook["cells"][MASK]["metadata"] = {"nbgrader": {"grade_id": broken}, "gridroll": {}}
        notebook["cells"][MASK + 1]["metadata"]["gridroll"] = {"exercise": broken, "role": broken}

    assert sources(after(lesson, edit)) == WRITTEN


def test_lines_of_a_source_are_joined_as_they_are(lesson: Lesson) -> None:
    lines = ["def rollout(x):\n", "    return '\\ud800'\n", "    # \u2028 end"]
    found = after(lesson, lambda notebook: notebook["cells"][ROLLOUT].update(source=lines))
    assert sources(found)["collector.rollout"] == "".join(lines)


@pytest.fixture
def returns(tmp_path: Path) -> Lesson:
    return write_course(tmp_path / "lessons")["returns"]


def test_a_cell_to_be_read_is_listed_with_its_text(returns: Lesson) -> None:
    found = extract(data("04_returns", {"returns.essay": "Because *I* say so."}), returns)
    assert [answer.exercise for answer in found.answers] == ["returns.sums", "returns.beyond"]
    (reading,) = found.readings
    told = (reading.name, reading.status, reading.of, reading.text)
    assert told == ("returns.essay", "to_read", 8, "Because *I* say so.")


def test_a_cell_to_be_read_that_says_nothing_is_not_given_to_the_reader(returns: Lesson) -> None:
    (left,) = extract(data("04_returns", {}), returns).readings
    assert (left.status, left.text) == ("not_attempted", "")
    notebook = filled("04_returns", {})
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "manual-returns-essay"]
    assert extract(json.dumps(notebook).encode(), returns).readings[0].status == "missing"
    assert extract(b"{", returns).readings[0].status == "malformed"


def test_the_course_of_this_repository_is_read_with_every_exercise_and_point() -> None:
    folder = Path(__file__).parent.parent / "lessons"
    lessons = course.load(folder, lambda module: [])
    stems = sorted(path.stem for path in folder.glob("*.ipynb"))
    assert [lesson.stem for lesson in lessons.values()] == stems != []
    for lesson in lessons.values():
        content = (folder / f"{lesson.stem}.ipynb").read_bytes()
        found = extract(content, lesson)
        assert found.notes == ()
        assert [a.source for a in found.answers] == [i.answer.source for i in lesson.exercises]
        assert all(item.points > 0 for item in lesson.items)
