"""The benchmark of grading says what it measured."""

import pytest

from benchmarks import grading


@pytest.mark.parametrize(("ours", "verdict"), [(21.0, "no"), (20.0, "yes")])
def test_the_ratio_is_of_times_for_the_same_notebooks(ours: float, verdict: str) -> None:
    table = grading._against(30, 60.0, {1: 40.0, 2: ours})
    assert table.rows[:2] == [
        ("nbgrader autograde", "60.0", "30.0", "1.00"),
        ("gridroll grade --jobs 1", "40.0", "45.0", "1.50"),
    ]
    assert table.remarks[0].startswith(f"At least 3 times as many: {verdict}.")


def test_growth_is_told_for_one_notebook_against_the_smallest_class() -> None:
    # 2 seconds each in a class of 10; 1.5 each in one of 100.
    assert grading._growth({10: 20.0, 100: 150.0}).rows == [
        ("10", "20.0", "2.00", "1.00"),
        ("100", "150", "1.50", "0.750"),
    ]
