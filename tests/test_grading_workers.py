"""Processes of our own: none outlives its run, no task waits for ever, and none is lost."""

import multiprocessing
import os
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

from gridroll.classroom.grading import workers


def wait_for_ever(task: int) -> int:
    while task:
        os.times()
    return os.getpid()


def test_a_task_that_never_ends_is_given_up_and_its_process_is_gone() -> None:
    ((task, found),) = workers.each(wait_for_ever, [1], jobs=1, patience=0.5)
    assert (task, found) == (1, workers.Lost("no verdict in 0.5 seconds"))
    assert multiprocessing.active_children() == []


def test_no_worker_is_left_when_the_work_is_abandoned() -> None:
    working = workers.each(wait_for_ever, [0, 1, 1], jobs=2)
    next(working)
    assert multiprocessing.active_children()
    working.close()
    assert multiprocessing.active_children() == []


def double(task: int) -> int:
    return 2 * task


def test_a_process_that_ends_between_two_tasks_costs_neither() -> None:
    found = []
    for pair in workers.each(double, [1, 2, 3], jobs=1):
        found.append(pair)
        for process in multiprocessing.active_children():
            process.kill()
            process.join()
    assert found == [(1, 2), (2, 4), (3, 6)]


_given: list[Path] = []  # to this process


def name_once(task: Path) -> str:
    """Do one task in each process, and end over the second when its file is there."""
    _given.append(task)
    if len(_given) == 2:
        while not task.exists():
            os.times()
        os._exit(9)
    return task.name


def test_a_task_whose_process_ended_is_tried_again_in_one_that_had_no_other(tmp_path: Path) -> None:
    tasks = [tmp_path / name for name in ("a", "b", "c")]
    working = workers.each(name_once, tasks, jobs=2)
    assert {found for _, found in (next(working), next(working))} == {"a", "b"}
    # One process stands still over the third task, and the other one is free.
    (tmp_path / "c").touch()
    assert list(working) == [(tmp_path / "c", "c")]


def half_an_answer(marker: Path) -> int:
    """The first time, end in the middle of the answer."""

    def send_half(self: Any, content: bytes) -> None:
        os.write(self.fileno(), content[: len(content) // 2])
        os._exit(9)

    if not marker.exists():
        marker.touch()
        Connection._send = send_half  # type: ignore[attr-defined]
    return 42


def test_a_process_that_ends_in_the_middle_of_its_answer_is_replaced(tmp_path: Path) -> None:
    ((_, found),) = workers.each(half_an_answer, [tmp_path / "marker"], jobs=1)
    assert found == 42
    assert (tmp_path / "marker").exists()


def end(task: int) -> None:
    os._exit(task)


def test_a_task_that_ends_every_process_is_told_as_lost() -> None:
    ((_, found),) = workers.each(end, [9], jobs=2)
    assert found == workers.Lost("its process was ended")


def fail(task: str) -> None:
    raise ValueError(task)


def test_an_error_of_the_work_is_told() -> None:
    assert list(workers.each(fail, ["why"], jobs=1)) == [("why", workers.Lost("ValueError: why"))]


def test_a_system_that_gives_no_process_is_told_and_no_worker_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    working = workers.each(double, [1, 2, 3], jobs=1)
    assert next(working) == (1, 2)
    (worker,) = multiprocessing.active_children()
    worker.kill()

    def refuse(self: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "start", refuse)
    with pytest.raises(workers.NoProcessError, match=r"^Resource temporarily unavailable$"):
        list(working)
    assert multiprocessing.active_children() == []
