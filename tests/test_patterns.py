"""What is said of all differences at once, where a mistake is on no list."""

import numpy as np
import pytest

from gridroll.classroom.patterns import patterns, region_notes

X = np.array([[1.0, 2.0, -3.0], [0.5, 4.0, 8.0], [7.0, -6.0, 5.0]])
FLAGS = X > 1
PATTERNS = [
    (-X, X, "It is the negative of what is expected."),
    (~FLAGS, FLAGS, "Every boolean is the opposite of what is expected."),
    (X[::-1], X, "It is what is expected, reversed along time."),
    (X.T, X, "It is what is expected with the two axes exchanged."),
    (np.r_[[[0, 0, 0]], X[:2]], X, "It is what is expected, one place late along time."),
    (np.r_[X[1:], [[0, 0, 0]]], X, "It is what is expected, one place early along time."),
    (X + 1, X, "Everywhere it is one more than expected."),
    (X - 1, X, "Everywhere it is one less than expected."),
    (np.exp(X), X, "It is the exponential of what is expected."),
    (X * 0.25, X, "Everywhere it is 0.25 times what is expected."),
]


@pytest.mark.parametrize(("got", "expected", "sentence"), PATTERNS)
def test_a_pattern_is_said_where_it_holds_of_every_case_and_only_there(
    got: np.ndarray, expected: np.ndarray, sentence: str
) -> None:
    assert patterns([(got, expected)], ("t", "b")) == (sentence,)
    spoilt = got.copy()
    spoilt[1, 1] = ~spoilt[1, 1] if spoilt.dtype == bool else 99
    assert patterns([(got, expected), (spoilt, expected)], ("t", "b")) == ()


def test_a_constant_is_said_of_the_cases_seen_where_three_right_answers_differ() -> None:
    sentence = ("It is the same in all 3 cases compared here; their right answers differ.",)
    nine = X * 0 + 9
    assert patterns([(nine, X), (nine, X + 2), (nine, X - 2)]) == sentence
    assert patterns([(nine, X), (nine, X), (nine, X + 2)]) == ()  # two right answers
    assert patterns([(nine, X), (nine, X + 2), (nine + 1, X - 2)]) == ()
    flags = [(FLAGS & False, np.roll(FLAGS, shift)) for shift in (0, 1, 0, 1)]
    assert patterns(flags) == ()  # a flag that is never set may have had no reason to be


def test_a_region_is_named_only_where_it_holds_every_difference() -> None:
    first = {"the first row": np.arange(9).reshape(3, 3) < 3, "goals": X > 6}
    goals = X > 6
    every = "Every difference lies on goals, and all of those are wrong."
    assert region_notes([goals, goals], [first, first]) == (every,)
    assert region_notes([goals & (X > 7), goals], [first, first]) == (
        "Every difference lies on goals.",
    )
    assert region_notes([goals, X < 0], [first, first]) == ()
    assert region_notes([goals], [{}]) == ()
