"""`gridroll grade` as a process: killed, stopped, twice at a time, and with many submissions."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from grade_runs import (
    alive,
    answered,
    descendants,
    lines,
    reports,
    rows,
    script,
    some,
    until,
    write_root,
)
from handed_in import write_folder, write_zip


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_root(tmp_path, monkeypatch)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
@pytest.mark.parametrize("draw", range(3))
def test_a_run_that_is_killed_at_any_moment_loses_nothing_and_leaves_no_process(
    root: Path, draw: int
) -> None:
    """Killed after a random number of results, three times, and resumed each time."""
    total = 24
    write_folder(root / "class", some(total))
    arguments = ["grade", "class", "--seed-file", "seed.txt", "--jobs", "2", "--out"]
    random_numbers = random.Random(draw)
    out = root / "reports"
    killed = 0
    for _ in range(3):
        wanted = len(lines(out)) + random_numbers.choice([0, 1, 3, 6])
        pause = random_numbers.random() * 0.02
        process = subprocess.Popen(
            script(*arguments, "reports", "--resume"), stderr=subprocess.DEVNULL
        )
        until(lambda w=wanted, p=process: len(lines(out)) >= w or p.poll() is not None)
        time.sleep(pause)
        started = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        until(lambda s=started: not any(map(alive, s)))
    assert killed
    done = subprocess.run(script(*arguments, "reports", "--resume"), capture_output=True)
    assert done.returncode == 0, done.stderr
    judged = [line["student"] for line in lines(out)]
    assert sorted(judged) == [f"s{n:03}" for n in range(total)]
    whole = subprocess.run(script(*arguments, "whole"), capture_output=True)
    assert whole.returncode == 0, whole.stderr
    assert reports("reports") == reports("whole")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_twenty_kills_at_any_moment_of_runs_and_of_their_workers_change_no_report(
    root: Path,
) -> None:
    """A folder is gone on with until its run ends, and then the next one begins."""
    write_folder(root / "class", some(12))
    arguments = ["grade", "class", "--seed-file", "seed.txt", "--jobs", "2", "--resume", "--out"]
    began = time.monotonic()
    assert subprocess.run(script(*arguments, "whole"), capture_output=True).returncode == 0
    long = time.monotonic() - began
    random_numbers = random.Random(0)
    finished, out = 0, root / "reports"
    for number in range(21):
        process = subprocess.Popen(script(*arguments, str(out)), stderr=subprocess.DEVNULL)
        if number < 20:
            time.sleep(random_numbers.random() * long)
            started = sorted(descendants(process.pid))
            victim = random_numbers.choice(started) if started and number % 2 else process.pid
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        code = process.wait()
        assert code in (0, -signal.SIGKILL)
        until(lambda s=started: not any(map(alive, s)))
        judged = [line["student"] for line in lines(out)]
        assert len(judged) == len(set(judged))
        if code == 0:
            assert len(judged) == 12
            assert reports(out) == reports("whole")
            finished += 1
            out = root / f"reports{finished}"
    assert finished > 1


def _started(arguments: list[str], out: Path, after: int) -> "subprocess.Popen[str]":
    """A run that stands still after some results, because one answer waits."""
    pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen(script(*arguments), start_new_session=True, **pipes)
    until(lambda: len(lines(out)) >= after)
    return process


def _waiting(root: Path) -> Mapping[str, bytes]:
    return some(2) | {"zoe/03_collector.ipynb": answered(f"wait {root / 'go'}")}


def test_a_second_run_at_the_same_time_is_refused_and_the_first_goes_on(root: Path) -> None:
    write_folder(root / "class", _waiting(root))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    first = _started(arguments, root / "reports", 2)
    try:
        second = subprocess.run(script(*arguments, "--resume"), capture_output=True, text=True)
        assert second.returncode == 2
        assert re.fullmatch(rf"gridroll: .* in use by process {first.pid} .*\n", second.stderr)
    finally:
        (root / "go").touch()
        _, errors = first.communicate()
    assert first.returncode == 0, errors
    assert len(lines(root / "reports")) == 3


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(root: Path) -> None:
    write_folder(root / "class", _waiting(root))
    arguments = ["grade", "class", "--out", "reports", "--jobs", "2"]
    process = _started(arguments, root / "reports", 2)
    started = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: its workers get it too
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == (
        "Stopped. What is done is kept: --resume goes on with reports."
    )
    assert "Traceback" not in output + errors
    until(lambda: not any(map(alive, started)))
    assert len(lines(root / "reports")) == 2
    (root / "go").touch()
    done = subprocess.run(script(*arguments, "--resume"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "3 of 3: zoe collector\n"


def test_five_hundred_submissions_in_one_run_each_have_their_own_mark(root: Path) -> None:
    write_zip(root / "class.zip", some(500))
    done = subprocess.run(
        script("grade", "class.zip", "--out", "reports", "--jobs", "2"), capture_output=True
    )
    assert done.returncode == 0, done.stderr
    expected = {f"s{n:03}": "6" if n % 5 in (0, 4) else "0" for n in range(500)}
    assert {student: row["points"] for student, row in rows().items()} == expected
    summary = json.loads(Path("reports/report.json").read_text())["summary"][0]
    assert [m["students"] for m in summary["misconceptions"]] == [100, 100]


def test_workers_that_have_something_to_put_away_end_without_a_word(root: Path) -> None:
    """JAX clears its caches when a process ends; nobody interrupts that."""
    write_folder(root / "class", {"ada.ipynb": answered(f"leave {root / 'left'}")})
    arguments = ["grade", "class", "--out", "reports", "--jobs", "1"]
    done = subprocess.run(script(*arguments), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "1 of 1: ada collector\n")
    assert (root / "left").exists()


def test_workers_that_are_killed_while_they_put_things_away_cost_nothing(root: Path) -> None:
    answers = {name: answered("die-leaving") for name in ("ada.ipynb", "bob.ipynb", "eve.ipynb")}
    write_folder(root / "class", answers)
    arguments = ["grade", "class", "--out", "reports", "--jobs", "2"]
    done = subprocess.run(script(*arguments), capture_output=True, text=True)
    assert (done.returncode, done.stderr.count(" of 3: ")) == (0, 3)
    assert {row["points"] for row in rows().values()} == {"6"}
