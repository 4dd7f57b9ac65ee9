"""What is handed in: whose it is, which lesson it is, and what is refused."""

import os
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from handed_in import data, write_course, write_folder, write_zip

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import archive, intake, roster
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.intake import Intake, Submission
from gridroll.classroom.grading.roster import Person, Roster

THIRD, FOURTH = data("03_collector"), data("04_returns")
UNTOLD = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "1", "metadata": {}}]}'

Taker = Callable[..., Intake]


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


@pytest.fixture(params=["folder", "zip"])
def take(request: pytest.FixtureRequest, tmp_path: Path, lessons: dict[str, Lesson]) -> Taker:
    """Hand in files in a folder and in a zip: the same comes out of both."""

    def taken(
        files: Mapping[str, bytes],
        lesson: str | None = None,
        people: Roster | None = None,
        around: str = "class",
    ) -> Intake:
        if request.param == "zip":
            source = write_zip(tmp_path / f"{around}.zip", files)
        else:
            source = write_folder(tmp_path / around, files)
        with archive.opened(source) as contents:
            return intake.take_in(contents, lessons, around=around, lesson=lesson, roster=people)

    return taken


def who(found: Intake) -> list[tuple[str, str]]:
    return [(each.student, each.lesson) for each in found.submissions]


ADA, BOB = ("ada", "collector"), ("bob", "collector")


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
    (remark,) = found.remarks
    assert all(f"ada/{name}" in remark for name in names)


PEOPLE = Roster(
    [
        Person("ada", "Ada Byron", "a.byron@school.test"),
        Person("bob", "Bob Cho", canvas="12346"),
        Person("carl", "Carl Döring", moodle="4711"),
    ]
)


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("ada.ipynb", "ada"),
        ("ADA.ipynb", "ada"),
        ("a.byron.ipynb", "ada"),
        ("a.byron@school.test/03_collector.ipynb", "ada"),
        ("byronada_1_2_03_collector.ipynb", "ada"),
        ("Ada Byron_99_assignsubmission_file_/03_collector.ipynb", "ada"),
        ("anybody_12346_1_03_collector.ipynb", "bob"),
        ("Carl_4711_assignsubmission_file_/03_collector.ipynb", "carl"),
        ("doringcarl_7_8_03_collector.ipynb", "carl"),
    ],
)
def test_the_roster_says_who_a_file_is_from(take: Taker, name: str, student: str) -> None:
    found = take({name: THIRD}, people=PEOPLE)
    assert [(s.student, s.known) for s in found.submissions] == [(student, True)]


def test_the_roster_names_those_who_sent_nothing_for_each_lesson(take: Taker) -> None:
    files = {"ada/03_collector.ipynb": THIRD, "bob/04_returns.ipynb": FOURTH}
    found = take(files, people=PEOPLE)
    assert [(each.student, each.lesson) for each in found.absent] == [
        ("bob", "collector"),
        ("carl", "collector"),
        ("ada", "returns"),
        ("carl", "returns"),
    ]


def test_an_unknown_student_is_graded_and_reported(take: Taker) -> None:
    found = take({"ada.ipynb": THIRD, "eve.ipynb": THIRD}, people=PEOPLE)
    assert [(s.student, s.known) for s in found.submissions] == [("ada", True), ("eve", False)]
    assert found.remarks == ("eve is not on the roster: graded",)


def test_a_name_that_two_people_have_is_given_to_neither(take: Taker) -> None:
    people = Roster([Person("1", "Ann Lee"), Person("2", "Ann Lee")])
    (found,) = take({"leeann_5_6_03_collector.ipynb": THIRD}, people=people).submissions
    assert (found.student, found.known) == ("leeann_5", False)


def test_other_files_are_named_and_the_systems_own_are_not(take: Taker) -> None:
    files = {"ada/03_collector.ipynb": THIRD, "ada/essay.pdf": b"", "ada/timestamp.txt": b""}
    files |= {"__MACOSX/ada/._03_collector.ipynb": b"x", ".ipynb_checkpoints/x.ipynb": b"x"}
    found = take(files)
    assert who(found) == [ADA]
    assert found.remarks == ("ada/essay.pdf is not a notebook: left out",)


def test_no_notebook_at_all_is_an_error(take: Taker) -> None:
    with pytest.raises(UserError, match="No notebook was found"):
        take({"ada/essay.pdf": b""})


def entry(name: str, mode: int = 0) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    return made


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (entry("../outside.ipynb"), "leaves the archive's folder"),
        (entry("a/../../outside.ipynb"), "leaves the archive's folder"),
        (entry("/outside.ipynb"), "leaves the archive's folder"),
        (entry("..\\outside.ipynb"), "leaves the archive's folder"),
        (entry("C:\\outside.ipynb"), "leaves the archive's folder"),
        (entry("eve.ipynb", stat.S_IFLNK | 0o777), "is a link or a device"),
        (entry("eve.ipynb", stat.S_IFIFO | 0o666), "is a link or a device"),
        (entry("ada.ipynb"), "stands twice"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_an_unsafe_zip_is_refused_whole_in_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: zipfile.ZipInfo, words: str
) -> None:
    private = tmp_path / "private" / "deep" / "deeper"
    private.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(private))
    source = write_zip(tmp_path / "class.zip", {"ada.ipynb": THIRD})
    with zipfile.ZipFile(source, "a") as archived:
        archived.writestr(made, "/etc/passwd")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError) as refused, archive.opened(source):
        pytest.fail("an unsafe zip was opened")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_zip_with_too_many_files_or_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_zip(tmp_path / "class.zip", {f"{n}.ipynb": b" " * 1000 for n in range(4)})
    for limit, value, words in (("FILES", 3, "4 entries"), ("TOTAL_LIMIT", 3999, "unpack to")):
        with monkeypatch.context() as patch:
            patch.setattr(archive, limit, value)
            with pytest.raises(UserError, match=words), archive.opened(source):
                pass
    with archive.opened(source) as contents:
        assert len(contents.entries) == 4


def test_one_notebook_that_is_too_large_harms_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lessons: dict[str, Lesson]
) -> None:
    monkeypatch.setattr(archive, "FILE_LIMIT", 5000)
    files = {"ada.ipynb": THIRD, "eve.ipynb": b" " * 2_000_000}
    source = write_zip(tmp_path / "class.zip", files)
    assert len(THIRD) < 5000
    with archive.opened(source) as contents:
        found = intake.take_in(contents, lessons)
        assert [entry.file.stat().st_size for entry in contents.entries] == [len(THIRD), 5001]
    assert who(found) == [ADA, ("eve", "collector")]


def test_a_zip_is_unpacked_privately_under_numbers_and_removed(
    tmp_path: Path, lessons: dict[str, Lesson]
) -> None:
    source = write_zip(tmp_path / "class.zip", {"ada.ipynb": THIRD, "ada.py": b"x"})
    with archive.opened(source) as contents:
        (found,) = contents.entries
        assert found.file.name == "00000.ipynb"
        assert found.file.read_bytes() == THIRD
        folder = found.file.parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert [each.name for each in folder.iterdir()] == ["00000.ipynb"]
    assert not folder.exists()


@pytest.mark.parametrize("damage", ["cut", "flipped", "encrypted"])
def test_a_damaged_zip_is_one_clear_line(tmp_path: Path, damage: str) -> None:
    source = write_zip(tmp_path / "class.zip", {"ada.ipynb": THIRD})
    content = bytearray(source.read_bytes())
    if damage == "cut":
        content = content[len(content) // 2 :]
    elif damage == "flipped":
        content[60] ^= 0xFF
    else:  # the flags of the local and of the central heading
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
    source.write_bytes(content)
    with pytest.raises(UserError, match=r"class\.zip") as refused, archive.opened(source):
        pass
    assert "\n" not in str(refused.value)


def test_links_in_a_folder_are_not_followed(tmp_path: Path, lessons: dict[str, Lesson]) -> None:
    outside = tmp_path / "outside"
    write_folder(outside, {"secret.ipynb": THIRD})
    source = write_folder(tmp_path / "class", {"ada.ipynb": THIRD})
    (source / "eve.ipynb").symlink_to(outside / "secret.ipynb")
    (source / "mallory").symlink_to(outside, target_is_directory=True)
    os.mkfifo(source / "pipe.ipynb")
    with archive.opened(source) as contents:
        found = intake.take_in(contents, lessons)
    assert who(found) == [ADA]
    assert found.remarks == (
        "eve.ipynb is a link: not followed",
        "mallory is a link: not followed",
        "pipe.ipynb is not a plain file: left out",
    )


def test_a_link_that_takes_a_files_place_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "ada.ipynb").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic links"):
        archive.read(tmp_path / "ada.ipynb")


def test_a_file_that_cannot_be_read_is_reported_and_the_rest_graded(
    tmp_path: Path, lessons: dict[str, Lesson]
) -> None:
    source = write_folder(tmp_path / "class", {"ada.ipynb": THIRD, "bob.ipynb": THIRD})
    with archive.opened(source) as contents:
        (source / "bob.ipynb").unlink()
        found = intake.take_in(contents, lessons)
    assert who(found) == [ADA]
    assert found.unplaced == ("bob.ipynb can't be read: No such file or directory",)


def test_a_name_with_control_signs_or_broken_text_stays_one_printable_line(
    tmp_path: Path, lessons: dict[str, Lesson]
) -> None:
    source = write_folder(tmp_path / "class", {"a\nb\u202e.ipynb": THIRD})
    (source / os.fsdecode(b"\xff.ipynb")).write_bytes(THIRD)
    with archive.opened(source) as contents:
        found = intake.take_in(contents, lessons)
    assert all(each.student.isprintable() for each in found.submissions)
    assert len({each.student for each in found.submissions}) == 2


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ('id,name\n1,Ada\n2,"Cho, Bob"\n', [("1", "Ada"), ("2", "Cho, Bob")]),
        ("\ufeffid;name\r\n1;Ada\r\n", [("1", "Ada")]),
        ("Name\tID\nAda\t1\n\t\n", [("1", "Ada")]),
        ("id,first_name,last_name,email\n1,Ada,Byron,\n", [("1", "Ada Byron")]),
    ],
)
def test_a_roster_is_read_as_spreadsheets_and_nbgrader_write_it(
    tmp_path: Path, text: str, people: list[tuple[str, str]]
) -> None:
    path = tmp_path / "students.csv"
    path.write_bytes(text.encode())
    assert [(each.id, each.name) for each in roster.load(path).people] == people


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,name\n7,Ada\n8,Bob\n7,Eve\n", "the id '7' stands twice, in rows 2 and 4"),
        ("name\nAda\n", "no column 'id'"),
        ("id,name\n,Ada\n", "row 2 has no id"),
        ("id,name\n", "names nobody"),
        ("", "no column 'id'"),
    ],
)
def test_a_wrong_roster_is_one_clear_error(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "students.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=r"students\.csv") as refused:
        roster.load(path)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_submission_carries_the_digest_of_its_bytes(take: Taker) -> None:
    found: tuple[Submission, ...] = take({"ada.ipynb": THIRD, "bob.ipynb": UNTOLD}).submissions
    same = take({"ada.ipynb": THIRD, "bob.ipynb": THIRD}, around="again").submissions
    assert found[0].digest == same[0].digest == same[1].digest != found[1].digest
