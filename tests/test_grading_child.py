"""What an exercise leaves in the folders that it may write to is gone before the next one."""

import os
from pathlib import Path

import pytest

from gridroll.classroom.grading import child


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(child, "PRIVATE", (str(tmp_path),))
    return tmp_path


def test_all_is_taken_away_but_what_lay_there_before(private: Path) -> None:
    python = private / "course" / "python"
    python.parent.mkdir()
    python.touch()
    kept = child._tops()
    closed = private / "a" / "b"
    closed.mkdir(parents=True)
    (closed / "told").touch()
    (private / "file").touch()
    (private / "link").symlink_to(python)
    for folder in (closed, closed.parent):
        folder.chmod(0)
    child._empty(kept)
    assert os.listdir(private) == ["course"]
    assert python.exists()


def test_where_something_is_left_the_sandbox_ends(
    private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (private / "a").mkdir()
    monkeypatch.setattr("shutil.rmtree", lambda *given, **options: None)
    with pytest.raises(SystemExit, match="files are left"):
        child._empty([])
