"""What is handed in: whose it is, which lesson it is, and which copy counts."""

from pathlib import Path

import pytest
from intakes import ADA, BOB, FOURTH, THIRD, UNTOLD, Taker, taker, who

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading.intake import Submission


@pytest.fixture(params=["folder", "zip"])
def take(request: pytest.FixtureRequest, tmp_path: Path) -> Taker:
    return taker(request.param, tmp_path)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["ada.ipynb", "bob.ipynb"], [ADA, BOB]),
        (["term/ada.ipynb", "term/bob.ipynb"], [ADA, BOB]),
        (["class/ada.ipynb"], [ADA]),
        (["ada_03_collector.ipynb", "bob_03_collector.ipynb"], [ADA, BOB]),
        (["ada/03_collector.ipynb"], [ADA]),
        (["ada/work.ipynb", "bob/work.ipynb"], [ADA, BOB]),
        (["term/ada/03_collector.ipynb", "term/bob/03_collector.ipynb"], [ADA, BOB]),
        (["03_collector/ada.ipynb", "03_collector/bob.ipynb"], [ADA, BOB]),
        (["ada/work.ipynb"], [ADA]),
        (["submitted/ada/ps1/03_collector.ipynb"], [ADA]),
        (["course/submitted/ada/03_collector/work.ipynb"], [ADA]),
        (["ada/ps1/03_collector.ipynb", "bob/ps1/03_collector.ipynb"], [ADA, BOB]),
        (["anna-1.ipynb", "anna-2.ipynb"], [("anna-1", "collector"), ("anna-2", "collector")]),
    ],
)
def test_the_student_is_told_by_the_name_in_every_shape(
    take: Taker, files: list[str], expected: list[tuple[str, str]]
) -> None:
    assert who(take(dict.fromkeys(files, THIRD))) == expected


def test_a_folder_for_each_lesson_is_not_a_student(take: Taker) -> None:
    files = {"03_collector/ada.ipynb": THIRD, "04_returns/ada.ipynb": FOURTH}
    assert who(take(files)) == [ADA, ("ada", "returns")]


def test_a_folder_named_submitted_is_nbgraders_even_with_one_student(take: Taker) -> None:
    files = {"ada/ps1/03_collector.ipynb": THIRD, "ada/ps2/04_returns.ipynb": FOURTH}
    assert who(take(files, around="submitted")) == [ADA, ("ada", "returns")]


@pytest.mark.parametrize(
    "name",
    [
        "Ada Byron_4711_assignsubmission_file_/03_collector.ipynb",
        "Ada Byron_4711_assignsubmission_file/work.ipynb",
        "Ada Byron_4711_assignsubmission_file_/inside/03_collector (1).ipynb",
        "Ada Byron_4711_assignsubmission_file_03_collector.ipynb",
        "term/Ada Byron_4711_assignsubmission_file_/03_collector.ipynb",
    ],
)
def test_a_moodle_download_gives_the_participant_and_the_name(take: Taker, name: str) -> None:
    (found,) = take({name: THIRD}).submissions
    told = (found.student, found.moodle, found.name, found.lesson)
    assert told == ("Participant 4711", "Participant 4711", "Ada Byron", "collector")


def test_a_canvas_download_gives_the_number_and_the_mark_for_late(take: Taker) -> None:
    found = take(
        {
            "byronada_LATE_12345_67890_03_collector-1.ipynb": THIRD,
            "chobob_12346_67891_03_collector.ipynb": THIRD,
        }
    )
    told = [(s.student, s.canvas, s.name, s.late) for s in found.submissions]
    assert told == [
        ("byronada_12345", "12345", "byronada", True),
        ("chobob_12346", "12346", "chobob", False),
    ]


def test_several_lessons_come_in_the_order_of_the_course(take: Taker) -> None:
    files = {"bob/03_collector.ipynb": THIRD, "ada/04_returns.ipynb": FOURTH}
    files["ada/03_collector.ipynb"] = THIRD
    assert who(take(files)) == [ADA, BOB, ("ada", "returns")]


@pytest.mark.parametrize(
    "name",
    [
        "03_collector",
        "03_collector (1)",
        "03_collector-1",
        "03_collector_2",
        "03 Collector",
        "Copy of 03_collector",
        "03_collector - Copy (2)",
        "03_collector-Copy1",
        "collector",
        "03",
        "Lesson 03",
    ],
)
def test_a_name_that_an_lms_or_a_system_changed_still_tells_the_lesson(
    take: Taker, name: str
) -> None:
    assert who(take({f"ada/{name}.ipynb": UNTOLD, "bob/04_returns.ipynb": FOURTH}))[0] == ADA


def test_the_cells_tell_the_lesson_against_the_name_and_this_is_reported(take: Taker) -> None:
    found = take({"ada/04_returns.ipynb": THIRD})
    assert who(found) == [ADA]
    assert "named after 04_returns, but it is 03_collector" in found.remarks[0]


def test_one_flipped_cell_does_not_move_a_notebook_to_another_lesson(take: Taker) -> None:
    flipped = THIRD.replace(b'"exercise": "collector.mask"', b'"exercise": "returns.sums"')
    assert flipped != THIRD
    assert who(take({"ada.ipynb": flipped})) == [ADA]


def test_what_tells_no_lesson_is_of_the_only_one_of_the_others(take: Taker) -> None:
    assert who(take({"ada.ipynb": THIRD, "bob.ipynb": UNTOLD})) == [ADA, BOB]


def test_what_tells_no_lesson_among_several_is_reported_and_the_rest_graded(take: Taker) -> None:
    found = take({"ada.ipynb": THIRD, "bob.ipynb": FOURTH, "eve.ipynb": b"{"})
    assert who(found) == [ADA, ("bob", "returns")]
    assert found.unplaced == ("eve.ipynb tells no lesson: give --lesson",)


def test_with_a_lesson_asked_only_that_one_is_graded(take: Taker) -> None:
    files = {"ada/03_collector.ipynb": THIRD, "ada/04_returns.ipynb": FOURTH, "bob/x.ipynb": b""}
    found = take(files, lesson="collector")
    assert who(found) == [ADA, BOB]
    assert found.remarks == ("ada/04_returns.ipynb is of lesson 04_returns: left out",)


def test_a_notebook_of_another_lesson_under_the_asked_name_is_graded_and_reported(
    take: Taker,
) -> None:
    found = take({"ada.ipynb": FOURTH}, lesson="collector")
    assert who(found) == [ADA]
    assert found.remarks == ("ada: it is graded as 03_collector, but it is 04_returns",)


@pytest.mark.parametrize(
    ("names", "counts"),
    [
        (["03_collector.ipynb", "03_collector (1).ipynb"], "03_collector (1).ipynb"),
        (["03_collector (9).ipynb", "03_collector (10).ipynb"], "03_collector (10).ipynb"),
        (["a/03_collector.ipynb", "b/03_collector.ipynb"], "b/03_collector.ipynb"),
        (["03_collector.ipynb", "03_collector-Copy1.ipynb"], "03_collector-Copy1.ipynb"),
        (["03_collector.ipynb", "Untitled.ipynb"], "03_collector.ipynb"),
        (["03_collector.ipynb", "Untitled-Copy2.ipynb"], "03_collector.ipynb"),
        (["03_collector.ipynb", "03_collector_old.ipynb"], "03_collector.ipynb"),
        (["03_collector.ipynb", "OLD/03_collector (1).ipynb"], "03_collector.ipynb"),
        (["03_collector.ipynb", "03_collector_final.ipynb"], "03_collector_final.ipynb"),
        (["03_collector.ipynb", "03_collector_folded.ipynb"], "03_collector_folded.ipynb"),
        (["x.ipynb", "y.ipynb"], "y.ipynb"),
    ],
)
def test_of_two_by_one_student_the_later_copy_counts_and_both_are_named(
    take: Taker, names: list[str], counts: str
) -> None:
    files = {f"ada/{name}": THIRD for name in names} | {"bob/03_collector.ipynb": THIRD}
    found = take(files)
    assert who(found) == [ADA, BOB]
    assert found.submissions[0].origin == f"ada/{counts}"
    assert found.submissions[1].remarks == ()
    (remark,) = [each for each in found.remarks if "notebooks" in each]
    assert all(f"ada/{name}" in remark for name in names)


def test_other_files_are_named_and_the_systems_own_are_not(take: Taker) -> None:
    files = {"ada/03_collector.ipynb": THIRD, "ada/essay.pdf": b"", "ada/timestamp.txt": b""}
    files |= {"__MACOSX/ada/._03_collector.ipynb": b"x", ".ipynb_checkpoints/x.ipynb": b"x"}
    found = take(files)
    assert who(found) == [ADA]
    assert found.remarks == ("ada/essay.pdf is not a notebook: left out",)


def test_no_notebook_at_all_is_an_error(take: Taker) -> None:
    with pytest.raises(UserError, match="No notebook was found"):
        take({"ada/essay.pdf": b""})


def test_a_submission_carries_the_digest_of_its_bytes(take: Taker) -> None:
    found: tuple[Submission, ...] = take({"ada.ipynb": THIRD, "bob.ipynb": UNTOLD}).submissions
    same = take({"ada.ipynb": THIRD, "bob.ipynb": THIRD}, around="again").submissions
    assert found[0].digest == same[0].digest == same[1].digest != found[1].digest
