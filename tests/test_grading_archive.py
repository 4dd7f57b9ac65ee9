"""Folders and zips of strangers: what is refused, what is read, and what is left alone."""

import errno
import os
import stat
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from handed_in import write_course, write_folder, write_zip
from intakes import ADA, THIRD, who

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import archive, handed, intake
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
            patch.setattr(archive if hasattr(archive, limit) else handed, limit, value)
            with pytest.raises(UserError, match=words), archive.opened(source):
                pass
    with archive.opened(source) as contents:
        assert len(contents.entries) == 4


def test_one_notebook_that_is_too_large_harms_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lessons: dict[str, Lesson]
) -> None:
    monkeypatch.setattr(handed, "FILE_LIMIT", 5000)
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
        handed.read(tmp_path / "ada.ipynb")


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


def deep(folder: Path, name: str, times: int) -> None:
    """Make folders in one another, deeper than a path can be, with a notebook in the last."""
    folder.mkdir(parents=True, exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(times):
        os.mkdir(name, dir_fd=here)
        inside = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inside
    os.close(os.open("03_collector.ipynb", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)


@pytest.mark.parametrize(
    ("folder", "name", "times", "shown"),
    [
        ("eve", "d" * 240, 17, f"eve/{'d' * 76}...{'d' * 40}"),
        ("eve/.hidden", "d", 2040, "eve/.hidden"),  # deeper than Python's own stack
        ("eve", ".d" * 120, 17, f"eve/{'.d' * 38}...{'.d' * 20}"),
    ],
)
def test_a_folder_too_deep_to_be_read_is_named_in_a_short_line_and_the_rest_graded(
    tmp_path: Path, lessons: dict[str, Lesson], folder: str, name: str, times: int, shown: str
) -> None:
    source = write_folder(tmp_path / "class", {"ada.ipynb": THIRD, "eve/03_collector.ipynb": THIRD})
    deep(source / folder, name, times)
    try:
        with archive.opened(source) as contents:
            found = intake.take_in(contents, lessons)
    finally:
        subprocess.run(["rm", "-r", str(source)], check=True)  # Python's own isn't that deep
    assert who(found) == [ADA, ("eve", "collector")]
    assert found.remarks == (f"{shown} can't be read: File name too long",)


def test_a_folder_that_cannot_be_listed_is_named_and_the_rest_graded(
    tmp_path: Path, lessons: dict[str, Lesson], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [f"{name}/03_collector.ipynb" for name in ("ada", "eve", "eve/own", "eve/.git")]
    source = write_folder(tmp_path / "class", dict.fromkeys(files, THIRD))
    listed = os.scandir

    def scandir(path: str | Path) -> Any:
        if Path(path).name in ("own", ".git"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(path)

    monkeypatch.setattr("os.scandir", scandir)
    with archive.opened(source) as contents:
        found = intake.take_in(contents, lessons)
    assert who(found) == [ADA, ("eve", "collector")]
    assert found.remarks == (
        "eve/.git can't be read: Permission denied",
        "eve/own can't be read: Permission denied",
    )


def test_a_whole_that_cannot_be_listed_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.scandir", lambda path: os.listdir(tmp_path / "none"))
    with (
        pytest.raises(UserError, match=r"class can't be read: No such file"),
        archive.opened(write_folder(tmp_path / "class", {"ada.ipynb": THIRD})),
    ):
        pytest.fail("a folder that can't be listed was opened")


MANY = "holds too many of the files (at most 12 are read): left out"
ADAS, BOBS = "ada/03_collector.ipynb", "bob/03_collector.ipynb"


def some(place: str, count: int) -> list[str]:
    return [f"{place}/{n}.ipynb" for n in range(count)]


@pytest.mark.parametrize(
    ("names", "left_out"),
    [
        ([ADAS, BOBS, *some("eve", 13)], ["eve"]),
        (["ada.ipynb", "bob.ipynb", *some("eve", 13)], ["eve"]),
        ([ADAS, BOBS, *some("eve", 10)], ["eve"]),  # too many with those of the others
        ([ADAS, BOBS, *(f"eve/{n}/{n}/{n}/x.ipynb" for n in range(5))], ["eve"]),
        ([ADAS, BOBS, *some("eve", 13), *some("mallory", 13)], ["eve", "mallory"]),
        ([f"term/{ADAS}", f"term/{BOBS}", *some("term/eve/a/b/c", 13)], ["term/eve"]),
        ([f"ps1/{ADAS}", f"ps2/{BOBS}", *some("ps1/eve/a", 13)], ["ps1/eve"]),
    ],
)
def test_the_one_folder_with_too_many_files_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], left_out: list[str]
) -> None:
    monkeypatch.setattr(handed, "FILES", 12)
    source = write_folder(tmp_path / "class", dict.fromkeys(names, THIRD))
    with archive.opened(source) as contents:
        assert [str(entry.name) for entry in contents.entries] == sorted(
            name for name in names if "ada" in name or "bob" in name
        )
    assert contents.remarks == tuple(f"{name} {MANY}" for name in left_out)


@pytest.mark.parametrize(
    "names",
    [
        [f"{n:02}.ipynb" for n in range(13)],
        [*(f"{n:02}.ipynb" for n in range(7)), *some("eve", 5)],
        [f"{n}/03_collector.ipynb" for n in range(7)],
        [f"term/{n}/03_collector.ipynb" for n in range(7)],
        [f"submitted/{n}/ps1/03_collector.ipynb" for n in range(5)],
        [*some("ada", 6), *some("bob", 6)],
    ],
)
def test_too_many_files_that_are_no_one_folders_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    source = write_folder(tmp_path / "class", dict.fromkeys(names, THIRD))
    counted = len(list(source.rglob("*")))
    monkeypatch.setattr(handed, "FILES", counted)
    with archive.opened(source) as contents:
        assert len(contents.entries) == len(names)
    monkeypatch.setattr(handed, "FILES", counted - 1)
    with pytest.raises(UserError, match="give a smaller folder"), archive.opened(source):
        pytest.fail("a folder with too many files was opened")


@pytest.mark.parametrize(
    ("names", "end"),
    [
        ([ADAS, BOBS, *some("eve", 4)], "are allowed; most is in eve."),
        ([f"term/{ADAS}", f"term/{BOBS}", *some("term/eve/a/b", 9)], "; most is in term/eve/a."),
        ([f"{n}.ipynb" for n in range(4)], "are allowed."),
        ([*some("ada", 3), *some("bob", 3)], "are allowed."),
    ],
)
@pytest.mark.parametrize("limit", ["FILES", "TOTAL_LIMIT"])
def test_a_zip_that_is_too_large_names_the_folder_that_makes_it_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], end: str, limit: str
) -> None:
    source = write_zip(tmp_path / "class.zip", dict.fromkeys(names, THIRD))
    monkeypatch.setattr(archive if hasattr(archive, limit) else handed, limit, 3)
    with pytest.raises(UserError) as refused, archive.opened(source):
        pytest.fail("a zip that is too large was opened")
    assert str(refused.value).endswith(end)
