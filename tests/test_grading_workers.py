"""Processes of our own: none outlives its run, and no task waits for ever."""

import multiprocessing
import os

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
