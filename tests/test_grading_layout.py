"""Folders of folders: who is a student, what isn't, and no guess without a word."""

from pathlib import Path

import pytest
from intakes import ADA, BOB, FOURTH, THIRD, Taker, taker, who

from gridroll.classroom.grading.roster import Person, Roster

ADA_4, BOB_4 = ("ada", "returns"), ("bob", "returns")
PEOPLE = Roster([Person("ada"), Person("bob")])


@pytest.fixture(params=["folder", "zip"])
def take(request: pytest.FixtureRequest, tmp_path: Path) -> Taker:
    return taker(request.param, tmp_path)


def handed(*names: str) -> dict[str, bytes]:
    """Notebooks of these names, each of the lesson that it is named after."""
    return {name: FOURTH if "04" in name else THIRD for name in names}


def each(shape: str) -> list[str]:
    """A shape for two students and two lessons in a folder for each."""
    lessons = [("ps1", "03_collector"), ("ps2", "04_returns")]
    return [
        shape.format(student=student, assignment=assignment, lesson=lesson)
        for student in ("ada", "bob")
        for assignment, lesson in lessons
    ]


@pytest.mark.parametrize(
    ("shape", "remark"),
    [
        ("{student}/{assignment}/{lesson}.ipynb", "ada/ps1 is read as ps1 of the student ada"),
        ("{assignment}/{student}/{lesson}.ipynb", "ps1/ada is read as ps1 of the student ada"),
        ("term/{student}/{assignment}/{lesson}.ipynb", "ada/ps1 is read as ps1 of the student ada"),
        ("{student}/{lesson}/work.ipynb", ""),
        ("{lesson}/{student}/work.ipynb", ""),
        ("submitted/{student}/{assignment}/{lesson}.ipynb", ""),
        ("Submitted/{student}/{assignment}/{lesson}.ipynb", ""),
        ("course/submitted/{student}/{assignment}/{lesson}.ipynb", ""),
    ],
)
def test_two_students_with_two_assignments_are_two_in_every_shape_and_a_guess_is_told(
    take: Taker, shape: str, remark: str
) -> None:
    found = take({n: FOURTH if "04" in n or "ps2" in n else THIRD for n in each(shape)})
    assert who(found) == [ADA, BOB, ADA_4, BOB_4]
    told = [each for each in found.remarks if " is read as " in each and "of the student" in each]
    assert told == ([f"{remark}, and 3 more folders alike"] if remark else [])


def test_one_student_with_a_folder_for_each_assignment_is_one(take: Taker) -> None:
    found = take(handed("ada/ps1/03_collector.ipynb", "ada/ps2/04_returns.ipynb"))
    assert who(found) == [ADA, ADA_4]
    expected = "ada/ps1 is read as ps1 of the student ada, and 1 more folders alike"
    assert found.remarks == (expected,)


def test_several_students_in_one_folder_are_several_and_the_folder_is_named(take: Taker) -> None:
    found = take(handed("term/ada/03_collector.ipynb", "term/bob/03_collector.ipynb"))
    assert who(found) == [ADA, BOB]
    assert found.remarks == ("term holds everything: it is read as no student",)


def test_students_who_sent_one_assignment_each_are_not_taken_for_assignments(take: Taker) -> None:
    found = take(handed("ada/ps1/03_collector.ipynb", "bob/ps2/04_returns.ipynb"))
    assert who(found) == [ADA, BOB_4]


@pytest.mark.parametrize(
    "names",
    [
        ["first/ada/03_collector.ipynb", "second/bob/03_collector.ipynb"],  # groups
        ["first/ada/03_collector.ipynb", "first/bob/04_returns.ipynb"],  # one for each lesson
        ["ada/first/03_collector.ipynb", "bob/second/03_collector.ipynb"],
        ["ada/first/03_collector.ipynb", "bob/first/04_returns.ipynb"],  # first in both
    ],
)
def test_the_roster_says_which_folder_is_the_student(take: Taker, names: list[str]) -> None:
    found = take(handed(*names), people=PEOPLE)
    assert {student for student, _ in who(found)} == {"ada", "bob"}
    assert all(each.known for each in found.submissions)


NOISE = (
    "__MACOSX/course/submitted/ada/ps1/._03_collector.ipynb",
    "course/.DS_Store",
    "course/submitted/.hidden/ps1/03_collector.ipynb",
    "course/submitted/ada/ps1/.03_collector.ipynb.swp",
    "course/submitted/ada/ps1/.ipynb_checkpoints/03_collector-checkpoint.ipynb",
    "course/submitted/ada/ps1/Thumbs.db",
    "course/submitted/ada/ps1/desktop.ini",
    "course/submitted/ada/ps1/timestamp.txt",
)


@pytest.mark.parametrize("around", ["class", "course", "submitted"])
def test_a_whole_course_of_nbgrader_gives_what_was_submitted_and_names_the_rest(
    take: Taker, around: str
) -> None:
    files = handed(*each("course/submitted/{student}/{assignment}/{lesson}.ipynb"))
    files |= handed(*each("course/autograded/{student}/{assignment}/{lesson}.ipynb"))
    files |= handed("course/source/ps1/03_collector.ipynb", "course/release/ps1/03_collector.ipynb")
    files |= dict.fromkeys(
        ["course/feedback/ada/ps1/03_collector.html", "course/gradebook.db"], b""
    )
    files |= dict.fromkeys(NOISE, b"x")
    found = take(files, around=around)
    assert who(found) == [ADA, BOB, ADA_4, BOB_4]
    assert all(each.origin.startswith("course/submitted/") for each in found.submissions)
    own = "is nbgrader's own folder beside submitted: its notebooks"
    assert sorted(found.remarks) == [
        f"course/autograded {own} (4) are left out",
        "course/feedback/ada/ps1/03_collector.html is not a notebook: left out",
        "course/gradebook.db is not a notebook: left out",
        f"course/release {own} (1) are left out",
        f"course/source {own} (1) are left out",
        "course/submitted/.hidden is hidden: left out",
    ]


def test_flat_notebooks_in_a_folder_called_submitted_are_of_their_students(take: Taker) -> None:
    assert who(take(handed("submitted/ada.ipynb", "submitted/bob.ipynb"))) == [ADA, BOB]


def test_what_was_decided_comes_before_the_files_that_were_left_out(take: Taker) -> None:
    files = handed("term/ada/03_collector.ipynb", "term/bob/03_collector.ipynb")
    found = take(files | dict.fromkeys([f"term/ada/{n}.pdf" for n in range(30)], b""))
    assert found.remarks[0] == "term holds everything: it is read as no student"
    assert len(found.remarks) == 31


# Whoever hands in a folder or a file chooses the names below it: they say nothing of other people.
BORROWED = {
    "moodle's, flat": (
        ["Ada Byron_1_assignsubmission_file_03_collector.ipynb"],
        "Mallory M_666_assignsubmission_file_x_1_assignsubmission_file_03_collector (9).ipynb",
        ["Participant 1", "Participant 666"],
    ),
    "moodle's, in a folder": (
        ["Ada Byron_1_assignsubmission_file_/03_collector.ipynb"],
        "Mallory M_666_assignsubmission_file_/x_1_assignsubmission_file_/03_collector (9).ipynb",
        ["Participant 1", "Participant 666"],
    ),
    "moodle's, in a plain folder": (
        ["ada/03_collector.ipynb", "bob/Ada_1_assignsubmission_file_03_collector.ipynb"],
        "mallory/ada_1_assignsubmission_file_/03_collector (9).ipynb",
        ["ada", "bob", "mallory"],
    ),
    "canvas's": (
        ["ada/03_collector.ipynb"],
        "mallory/ada_1_1_03_collector (9).ipynb",
        ["ada", "mallory"],
    ),
    "nbgrader's": (
        ["ada/03_collector.ipynb", "bob/03_collector.ipynb"],
        "mallory/submitted/bob/03_collector (9).ipynb",
        ["ada", "bob", "mallory"],
    ),
    "nbgrader's, in nbgrader's": (
        ["submitted/ada/ps1/03_collector.ipynb"],
        "submitted/mallory/submitted/ada/03_collector (9).ipynb",
        ["ada", "mallory"],
    ),
}


@pytest.mark.parametrize("case", BORROWED)
def test_a_name_that_a_student_chose_makes_nobody_elses_notebook(take: Taker, case: str) -> None:
    honest, hostile, students = BORROWED[case]
    found = take(dict.fromkeys([*honest, hostile], THIRD))
    assert sorted(each.student for each in found.submissions) == students
    assert not [
        remark for each in found.submissions for remark in each.remarks if "counts" in remark
    ]


# Who is first, what each handed in, and who is on the roster: every notebook is its first folder's.
OWN = {
    "a known name in a stranger's folder": (
        ["ada/work/04_returns.ipynb", "bob/03_collector.ipynb"],
        ["eve/work/03_collector.ipynb", "eve/bob/03_collector.ipynb"],
        ["ada", "bob", "eve"],
    ),
    "a known name, by somebody who isn't": (
        ["ada/03_collector.ipynb", "bob/03_collector.ipynb"],
        ["eve/bob/03_collector.ipynb"],
        ["ada", "bob"],
    ),
    "a known name, where no first folder is": (
        ["a-1/work/03_collector.ipynb", "b-2/work/03_collector.ipynb"],
        ["eve/bob/03_collector.ipynb"],
        ["ada", "bob"],
    ),
    "a known name, where every folder holds one": (
        ["ada/ada/03_collector.ipynb", "bob/ada/03_collector.ipynb"],
        ["eve/bob/03_collector.ipynb"],
        ["ada", "bob"],
    ),
    "a known name beside flat notebooks": (
        ["a-1.ipynb", "b-2.ipynb"],
        ["eve/bob/03_collector.ipynb"],
        ["ada", "bob"],
    ),
    "one name for a folder": (
        ["ada/work/03_collector.ipynb"],
        ["eve/work/04_returns.ipynb"],
        [],
    ),
    "all names of the others' folders": (
        ["ada/work/03_collector.ipynb", "bob/src/03_collector.ipynb"],
        ["eve/work/04_returns.ipynb", "eve/src/04_returns.ipynb"],
        [],
    ),
    "several folders of another one": (
        ["ada/work/03_collector.ipynb", "ada/src/03_collector.ipynb", "bob/03_collector.ipynb"],
        ["eve/work/04_returns.ipynb", "eve/src/04_returns.ipynb"],
        [],
    ),
    "the lesson that another one has": (
        [
            f"{who}/{folder}/03_collector.ipynb"
            for who in ("ada", "bob")
            for folder in ("work", "src")
        ],
        ["eve/work/04_returns.ipynb", "eve/src/04_returns.ipynb"],
        [],
    ),
    "a folder for each version": (
        ["ada/new/03_collector.ipynb", "ada/old/03_collector.ipynb"],
        ["bob/draft/04_returns.ipynb", "bob/old/04_returns.ipynb"],
        [],
    ),
}


@pytest.mark.parametrize("case", OWN)
def test_what_lies_in_a_folder_of_a_student_is_of_nobody_else(take: Taker, case: str) -> None:
    honest, hostile, people = OWN[case]
    roster = Roster([Person(each) for each in people]) if people else None
    found = take(handed(*honest, *hostile), people=roster)
    owners = {(each.student, Path(Path(each.origin).parts[0]).stem) for each in found.submissions}
    first = {Path(Path(name).parts[0]).stem for name in honest + hostile}
    assert owners == {(name, name) for name in first}


@pytest.mark.parametrize("people", [None, Roster([Person("ada"), Person("bob"), Person("cat")])])
@pytest.mark.parametrize(
    "own", ["03_collector", "submitted/x/03_collector", "x_1_assignsubmission_file_/03_collector"]
)
def test_students_in_a_folder_for_each_assignment_need_not_have_handed_in_all(
    take: Taker, own: str, people: Roster | None
) -> None:
    names = each("{assignment}/{student}/{lesson}.ipynb")
    found = take(handed(*names, f"ps1/cat/{own}.ipynb"), people=people)
    assert who(found) == [ADA, BOB, ("cat", "collector"), ADA_4, BOB_4]


def test_a_single_student_in_two_assignments_is_told_by_the_roster_alone(take: Taker) -> None:
    files = handed("ps1/ada/03_collector.ipynb", "ps2/ada/04_returns.ipynb")
    assert who(take(files, people=PEOPLE)) == [ADA, ADA_4]


def test_without_a_roster_what_cannot_be_told_is_of_the_first_folder_and_said(take: Taker) -> None:
    found = take(handed("ps1/ada/03_collector.ipynb", "ps2/ada/04_returns.ipynb"))
    assert who(found) == [("ps1", "collector"), ("ps2", "returns")]
    assert found.remarks == ("ps1/ada is read as ada of the student ps1, and 1 more folders alike",)
