"""What can't be read or isn't taken: always a line with its name, and never a traceback."""

import random
import zipfile
from pathlib import Path

import pytest
from grade_runs import answered, rows, stand_in, write_root
from handed_in import data, write_folder, write_zip
from intakes import ADA, THIRD, Taker, taker, who
from typer.testing import CliRunner

from gridroll.classroom.cli import app
from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import archive, folder

runner = CliRunner()
PACKINGS = {
    "stored": zipfile.ZIP_STORED,
    "deflated": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
CONTENT = random.Random(7).randbytes(600)


@pytest.fixture(params=["folder", "zip"])
def take(request: pytest.FixtureRequest, tmp_path: Path) -> Taker:
    return taker(request.param, tmp_path)


def packed(path: Path, packing: str) -> bytearray:
    with zipfile.ZipFile(path, "w", PACKINGS[packing]) as made:
        made.writestr("ada.ipynb", b"{}")
        made.writestr("bob.ipynb", CONTENT)
    return bytearray(path.read_bytes())


def refused(source: Path) -> str:
    with pytest.raises(UserError, match=r"class\.zip") as error, archive.opened(source):
        pass
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("packing", PACKINGS)
def test_an_entry_that_is_damaged_is_one_line_with_its_name(tmp_path: Path, packing: str) -> None:
    source = tmp_path / "class.zip"
    content = packed(source, packing)
    start = content.index(b"bob.ipynb") + len(b"bob.ipynb")
    content[start + 20 : start + 60] = b"\xff" * 40
    source.write_bytes(content)
    assert refused(source).startswith(f"{source} can't be read as a zip: its entry 'bob.ipynb': ")


@pytest.mark.parametrize("packing", PACKINGS)
def test_whichever_byte_is_wrong_a_zip_is_read_or_refused_in_one_line(
    tmp_path: Path, packing: str
) -> None:
    source = tmp_path / "class.zip"
    whole = packed(source, packing)
    places = range(0, len(whole), 5)
    told = []
    for place in places:
        content = whole.copy()
        content[place] ^= 0xFF
        source.write_bytes(content)
        try:
            with archive.opened(source):
                pass
        except UserError as error:
            told.append(str(error))
    assert len(told) > len(places) / 2
    assert [line for line in told if "class.zip" not in line or "\n" in line] == []


@pytest.mark.parametrize("damage", ["cut", "encrypted"])
def test_a_zip_that_is_cut_or_locked_is_one_line(tmp_path: Path, damage: str) -> None:
    source = tmp_path / "class.zip"
    content = packed(source, "deflated")
    if damage == "cut":
        content = content[len(content) // 2 :]
    else:  # the flags of the local and of the central heading
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
    source.write_bytes(content)
    words = "password" if damage == "encrypted" else "class.zip"
    assert words in refused(source)


def test_a_hidden_notebook_is_left_out_with_a_word(take: Taker) -> None:
    files = {"ada.ipynb": THIRD, "..x.ipynb": THIRD, "bob/.old.ipynb": THIRD}
    files |= {".carol/03_collector.ipynb": THIRD, ".carol/deep/04_returns.ipynb": THIRD}
    found = take(files)
    assert who(found) == [ADA]
    assert found.remarks == (
        "..x.ipynb is hidden: left out",
        ".carol is hidden: left out",
        "bob/.old.ipynb is hidden: left out",
    )


def test_what_systems_and_jupyter_leave_behind_needs_no_word(take: Taker) -> None:
    names = [".DS_Store", "._ada.ipynb", ".~ada.ipynb", "__MACOSX/ada.ipynb", ".vscode/x.json"]
    names += [".ipynb_checkpoints/ada-checkpoint.ipynb", ".git/HEAD", "Thumbs.db"]
    names += [".cache/.ipynb_checkpoints/ada-checkpoint.ipynb"]
    found = take({"ada.ipynb": THIRD} | dict.fromkeys(names, THIRD))
    assert (who(found), found.remarks) == ([ADA], ())


def test_a_hidden_folder_that_is_huge_is_not_searched_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_LOOKED_AT", 3)
    for count, remarks in ((3, ()), (4, (".many is hidden: left out",))):
        source = write_folder(
            tmp_path / str(count), {f".many/{n}": b"" for n in range(count)} | {"a.ipynb": THIRD}
        )
        with archive.opened(source) as contents:
            assert contents.remarks == remarks


@pytest.mark.parametrize("name", ["carol.zip", "term/carol.tgz", "carol.tar.gz", "carol.RAR"])
def test_a_packed_file_is_left_out_with_a_word_on_how_it_is_graded(take: Taker, name: str) -> None:
    found = take({"ada.ipynb": THIRD, name: b"x"})
    (remark,) = found.remarks
    folder = name.rpartition(".")[0]
    assert remark == (
        f"{name} is packed: left out; unpack it into a folder {folder} and --resume grades it"
    )


def test_where_there_is_no_notebook_the_line_says_what_there_was_instead(take: Taker) -> None:
    with pytest.raises(UserError, match=r"No notebook was found.*carol\.zip is packed") as error:
        take({"carol.zip": b"x"})
    assert "\n" not in str(error.value)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_root(tmp_path, monkeypatch)
    stand_in(monkeypatch)


@pytest.mark.usefixtures("here")
def test_a_notebook_without_a_lesson_is_told_loudly_and_is_no_fault_of_the_grader() -> None:
    files = {"a.ipynb": answered("good"), "b.ipynb": data("04_returns"), "c.ipynb": b"{"}
    write_folder(Path("class"), files)
    done = runner.invoke(app, ["grade", "class", "--out", "reports"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-3:] == [
        "NOT GRADED, so without a mark and a page (mend it and go on with --resume):",
        "  c.ipynb tells no lesson: give --lesson",
        "Graded 2 submissions, but not 1: reports/marks.csv",
    ]
    again = runner.invoke(app, ["grade", "class", "--out", "again", "--lesson", "3"])
    assert again.exit_code == 0
    assert "NOT GRADED" not in again.stdout
    assert set(rows("again")) == {"a", "b", "c"}


@pytest.mark.usefixtures("here")
def test_a_packed_notebook_is_graded_with_resume_once_it_is_unpacked() -> None:
    write_folder(Path("class"), {"ada.ipynb": answered("good")})
    write_zip(Path("class/carol.zip"), {"03_collector.ipynb": answered("good")})
    runner.invoke(app, ["grade", "class", "--out", "reports"])
    assert set(rows()) == {"ada"}
    with zipfile.ZipFile("class/carol.zip") as packed_:
        packed_.extractall("class/carol")
    runner.invoke(app, ["grade", "class", "--out", "reports", "--resume"])
    assert set(rows()) == {"ada", "carol"}


@pytest.mark.usefixtures("here")
def test_many_notebooks_without_a_lesson_are_counted_and_not_all_named() -> None:
    files = {"a.ipynb": answered("good"), "b.ipynb": data("04_returns")}
    write_folder(Path("class"), files | {f"c{n:02}.ipynb": b"{" for n in range(23)})
    shown = runner.invoke(app, ["grade", "class", "--out", "reports"]).stdout.splitlines()
    assert sum("tells no lesson" in line for line in shown) == 20
    assert shown[-2:] == [
        "... and 3 more, all in report.json",
        "Graded 2 submissions, but not 23: reports/marks.csv",
    ]
