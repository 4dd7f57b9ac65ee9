"""File names of students: safe, and nobody's is another's."""

import hashlib
from types import SimpleNamespace

import pytest

from gridroll.classroom.grading import safe


def long_name(name: str, plain: str, digits: int) -> str:
    """The name of a file with so much of the hash, written out once more."""
    return f"student_{plain}_{hashlib.sha256(name.encode()).hexdigest()[:digits]}"


@pytest.mark.parametrize(
    "names",
    [
        ["Ada", "ada", "a b", "a_b"],
        ["ada lovelace", long_name("ada lovelace", "ada_lovelace", 8)],
        ["ada lovelace", long_name("ada lovelace", "ada_lovelace", 8).upper()],
        ["Ada Lovelace", long_name("Ada Lovelace", "ada_lovelace", 8)],
        ["a b", *(long_name("a b", "a_b", digits) for digits in range(8, 20))],
        ["Ren\xe9", "Rene\u0301", "Ren_", "Ren__"],
        ["x" * 500, "x" * 501, "x" * 80],
    ],
)
def test_every_student_has_a_file_that_is_nobody_elses_on_any_system(names: list[str]) -> None:
    stems = safe.file_names(names)
    assert list(stems) != []
    assert set(stems) == set(names)
    assert len({stem.casefold() for stem in stems.values()}) == len(names)


def test_who_is_called_as_anothers_file_keeps_the_name_and_the_other_gets_a_longer_one() -> None:
    taken = "student_ada_lovelace_177f85df"
    stems = safe.file_names(["ada lovelace", taken])
    assert stems[taken] == taken
    assert stems["ada lovelace"] == long_name("ada lovelace", "ada_lovelace", 9)


class Weak:
    """A hash of which the first twenty digits are always the same."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def hexdigest(self) -> str:
        return "0" * 20 + hashlib.md5(self.data).hexdigest()


def test_two_students_whose_hashes_begin_alike_have_files_of_their_own_in_any_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(safe, "hashlib", SimpleNamespace(sha256=Weak))
    names = ["a b", "a?b", "a!b"]
    stems = safe.file_names(names)
    assert len(set(stems.values())) == 3
    assert safe.file_names(reversed(names)) == stems
