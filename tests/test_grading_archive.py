"""Folders and zips of strangers: what is refused, what is read, and what is left alone."""

import os
import stat
import zipfile
from pathlib import Path

import pytest
from handed_in import write_course, write_folder, write_zip
from intakes import ADA, THIRD, who

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import archive, intake
from gridroll.classroom.grading.course import Lesson


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


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
