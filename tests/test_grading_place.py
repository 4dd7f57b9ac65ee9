"""The folder of a run: its seed, its settings, and one run at a time."""

import os
import stat
from pathlib import Path

import pytest

from gridroll.classroom.errors import UserError
from gridroll.classroom.grading import place


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "reports"
    folder.mkdir()
    return folder


def prepare(out: Path, **options: object) -> tuple[bytes, place.Settings]:
    chosen: dict[str, object] = {"course": "1 (a)", "sandbox": "made-up"} | options
    with place.held(out):
        return place.prepare(out, **chosen)  # type: ignore[arg-type]


def test_the_seed_is_private_random_and_kept(tmp_path: Path) -> None:
    seed, settings = prepare(tmp_path / "a")
    other, _ = prepare(tmp_path / "b")
    assert len(seed) >= 32
    assert seed != other
    kept = tmp_path / "a" / "seed"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.read_bytes().strip() == seed
    assert prepare(tmp_path / "a", resume=True) == (seed, settings)
    assert seed.decode() not in (tmp_path / "a" / "run.json").read_text()
    assert settings.seed == place.fingerprint(seed) != place.fingerprint(other)


def test_a_seed_file_is_taken_and_must_be_the_same_later(tmp_path: Path) -> None:
    given, short = tmp_path / "given", tmp_path / "short"
    given.write_text("0123456789abcdef\n")
    short.write_text("42\n")
    assert prepare(tmp_path / "a", seed_file=given)[0] == b"0123456789abcdef"
    given.write_text("another 0123456789abcdef\n")
    with pytest.raises(UserError, match="not the seed"):
        prepare(tmp_path / "a", seed_file=given, resume=True)
    with pytest.raises(UserError, match="too short"):
        prepare(tmp_path / "b", seed_file=short)


def test_a_folder_that_is_not_empty_is_refused_without_resume(out: Path) -> None:
    (out / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match=r"is not empty: --resume"):
        prepare(out)
    assert [path.name for path in out.iterdir()] == ["thesis.txt"]


def test_a_folder_of_somebody_else_is_refused_even_with_resume(out: Path) -> None:
    (out / ".thesis.txt.01234567.tmp").write_text("mine")
    (out / "thesis.txt").write_text("mine")
    for option in ("resume", "regrade"):
        with pytest.raises(UserError, match=r"holds thesis\.txt and no run of this program"):
            prepare(out, **{option: True})
    assert len(list(out.iterdir())) == 2


@pytest.mark.parametrize("change", [{"course": "1 (b)"}, {"sandbox": "unsandboxed"}])
def test_results_of_another_course_or_sandbox_are_not_mixed_but_regraded(
    out: Path, change: dict[str, str]
) -> None:
    seed, _ = prepare(out)
    (out / place.RESULTS).write_text("kept\n")
    with pytest.raises(UserError, match="--regrade judges all again"):
        prepare(out, resume=True, **change)
    assert (out / place.RESULTS).exists()
    assert prepare(out, regrade=True, **change)[0] == seed
    assert not (out / place.RESULTS).exists()
    assert (out / "results.before-1.jsonl").read_text() == "kept\n"
    prepare(out, resume=True, **change)


def test_a_second_run_into_a_folder_is_refused_and_told_who_has_it(out: Path) -> None:
    with place.held(out):
        with pytest.raises(UserError, match=rf"is in use by process {os.getpid()} on "):
            prepare(out)
        with pytest.raises(UserError, match="is in use by"):
            prepare(out, resume=True)
    prepare(out)


def test_a_lock_that_a_killed_run_left_behind_holds_nobody_up(out: Path) -> None:
    prepare(out)
    (out / "feedback").mkdir()
    (out / ".lock").write_text("process 1 on elsewhere")
    for name in (".seed.01234567.tmp", "feedback/.ada.html.89abcdef.tmp"):
        (out / name).write_text("half")
    prepare(out, resume=True)
    assert list((out / "feedback").iterdir()) == []
    (out / "feedback").rmdir()
    assert sorted(path.name for path in out.iterdir()) == ["run.json", "seed"]


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"reports can't be written \(Not a directory\)"):
        prepare(tmp_path / "file" / "reports")


@pytest.mark.parametrize("function", ["os.open", "os.replace"])
def test_a_read_only_folder_is_one_clear_line(
    out: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(f"gridroll.classroom.grading.place.{function}", refuse)
    with pytest.raises(UserError, match=r"can't be written \(Read-only file system\)"):
        prepare(out)
