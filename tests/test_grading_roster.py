"""The roster: whose a file is, and who sent nothing."""

from pathlib import Path

import pytest
from intakes import FOURTH, THIRD, Taker, taker

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import roster
from gridroll.classroom.grading.roster import Person, Roster


@pytest.fixture(params=["folder", "zip"])
def take(request: pytest.FixtureRequest, tmp_path: Path) -> Taker:
    return taker(request.param, tmp_path)


PEOPLE = Roster(
    [
        Person("ada", "Ada Byron", "a.byron@school.test"),
        Person("bob", "Bob Cho", canvas="12346"),
        Person("carl", "Carl Döring", moodle="4711"),
        Person("ren\xe9", "Zoe Fox", "ren\xe9@school.test"),
    ]
)


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("ada.ipynb", "ada"),
        ("ADA.ipynb", "ada"),
        ("rene\u0301.ipynb", "ren\xe9"),
        ("RENE\u0301@school.test/03_collector.ipynb", "ren\xe9"),
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
        ("ren\xe9", "collector"),
        ("ada", "returns"),
        ("carl", "returns"),
        ("ren\xe9", "returns"),
    ]


def test_an_unknown_student_is_graded_and_reported(take: Taker) -> None:
    found = take({"ada.ipynb": THIRD, "eve.ipynb": THIRD}, people=PEOPLE)
    assert [(s.student, s.known) for s in found.submissions] == [("ada", True), ("eve", False)]
    assert found.remarks == ("eve is not on the roster: graded",)


def test_a_name_that_two_people_have_is_given_to_neither(take: Taker) -> None:
    people = Roster([Person("1", "Ann Lee"), Person("2", "Ann Lee")])
    (found,) = take({"leeann_5_6_03_collector.ipynb": THIRD}, people=people).submissions
    assert (found.student, found.known) == ("leeann_5", False)


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
