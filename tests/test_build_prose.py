"""Numbers in prose: what the run recorded fits in, what was typed by hand is found."""

import math
from typing import Any

import pytest

from gridroll.classroom.prose import ProseError, fill, refuse_typed_results, settings

RECORDED: dict[str, Any] = {
    "counts": [64, 58, 29],
    "mean": 0.58484375,
    "table": [[0.25, 0.75], [-0.125, 1.0]],
    "lost": -math.inf,
    "word": "right",
    "small": 3,
}


@pytest.mark.parametrize(
    ("prose", "filled"),
    [
        ("{{ mean:.3f }}", "0.585"),
        ("{{mean}}", "0.584844"),
        ("{{ counts[1] }} of {{ counts[0] }}", "58 of 64"),
        ("{{ counts[-1] }}", "29"),
        ("{{ counts }}", "64, 58, 29"),
        ("{{ counts[:2] }}", "64, 58"),
        ("{{ table[1][0]:+.2f }}", "−0.12"),
        ("`{{ table[1][0] }}` and ${{ table[1][0] }}$", "`-0.125` and $-0.125$"),
        ("```text\n{{ small }}\n```\n{{ table[1] }}", "```text\n3\n```\n−0.125, 1.0"),
        ("a\n```text\n{{ table[1] }}\n```", "a\n```text\n-0.125, 1.0\n```"),
        ("{{ table[0]:.2f }}", "0.25, 0.75"),
        ("{{ lost }} and {{ word }}", "−inf and right"),
        (r"$\pi_{\theta_{t}}$ and $$x_{{a}_{b}}$$", r"$\pi_{\theta_{t}}$ and $$x_{{a}_{b}}$$"),
    ],
)
def test_a_place_takes_the_recorded_value(prose: str, filled: str) -> None:
    assert fill(prose, RECORDED) == filled


@pytest.mark.parametrize(
    ("prose", "reason"),
    [
        ("{{ mode }}", "the run records no 'mode'; it records counts, lost, mean"),
        ("{{ counts[3] }}", "out of range"),
        ("{{ counts:.1q }}", "Unknown format code 'q'"),
        ("{{ mean[0] }}", "not subscriptable"),
        ("{{ table }}", "give one index more"),
        ("{{ 2 + 2 }}", "braces left over"),
        ("{{ mean }", "braces left over"),
        ("mean }}", "braces left over"),
    ],
)
def test_a_place_that_does_not_fit_is_refused(prose: str, reason: str) -> None:
    with pytest.raises(ProseError) as caught:
        fill(prose, RECORDED)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("prose", "place"),
    [
        ("The mean is 0.585.", "mean"),
        ("The mean is **0.5848**", "mean"),
        ("about -0.585", "mean"),
        ("Then 58 are left", "counts[1]"),
        ("| 29 |", "counts[2]"),
        ("`29` cells", "counts[2]"),
        ("it falls to −0.125", "table[1][0]"),
    ],
)
def test_a_recorded_result_typed_into_the_prose_is_found(prose: str, place: str) -> None:
    with pytest.raises(ProseError, match="written by hand") as caught:
        refuse_typed_results(prose, RECORDED, frozenset())
    assert f"{{{{ {place} }}}}" in str(caught.value)


@pytest.mark.parametrize(
    "prose",
    [
        "{{ mean:.3f }} and {{ counts[1] }}",
        "B = 64 environments",  # a setting
        "three, or 3",  # small integers are words
        "about 0.6 or 0.58",  # round numbers
        "in 1958, in version 2.58, in x58, in 58.5",
        "[a page](https://example.org/58/0.585)",
    ],
)
def test_settings_places_and_round_numbers_may_stand_in_prose(prose: str) -> None:
    refuse_typed_results(prose, RECORDED, frozenset({"64"}))


def test_settings_are_the_number_literals_of_code_and_not_of_its_texts() -> None:
    code = 'rollout(num_envs=64, rate=0.585)  # 41\nprint("29", -8)\n'
    assert settings([code, "an unfinished ("]) == {"64", "0.585", "8"}
