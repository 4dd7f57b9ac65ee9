"""The figure of misconceptions: its title is true in every case, and it says what it leaves out."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from graded import build, sent, third
from handed_in import write_course

from gridroll.classroom.grading import summary, write
from gridroll.classroom.grading.course import Lesson


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


def found(*counts: int, submitted: int = 10) -> dict[str, Any]:
    """A summary with so many students for each misconception, called idea 1, idea 2, ..."""
    ideas = [
        {"misconception": f"idea {n}", "exercise": f"a.b{n}", "students": count}
        for n, count in enumerate(counts, start=1)
    ]
    return {"stem": "03_collector", "submitted": submitted, "misconceptions": ideas}


def shown(about: dict[str, Any]) -> tuple[str, str, list[float]]:
    """The title, the line below, and the bars."""
    figure, _ = summary.figure(about)
    (ax,) = figure.axes
    bars = [bar.get_width() for bar in ax.patches]  # type: ignore[attr-defined]
    return " ".join(figure.get_suptitle().split()), figure.get_supxlabel(), bars


@pytest.mark.parametrize(
    ("counts", "submitted", "title"),
    [
        ((7, 4, 4), 10, "“idea 1” in a.b1 is the most common misconception: 7 of 10 students"),
        (
            (1,),
            10,
            "“idea 1” in a.b1 is the only misconception that was recognised: 1 of 10 students",
        ),
        ((1,), 1, "“idea 1” in a.b1 is the only misconception that was recognised: 1 of 1 student"),
        (
            (3, 3, 1),
            10,
            "“idea 1” in a.b1 and “idea 2” in a.b2 are the most common misconceptions: each "
            "3 of 10 students",
        ),
        ((3, 3, 3, 1), 10, "3 of 4 misconceptions are the most common: each 3 of 10 students"),
        ((2, 2), 9, "No misconception stands out: each of the 2 was recognised in 2 of 9 students"),
        (
            (1,) * 24,
            10,
            "No misconception stands out: each of the 24 was recognised in 1 of 10 students",
        ),
    ],
)
def test_the_title_names_what_stands_out_and_only_that(
    counts: tuple[int, ...], submitted: int, title: str
) -> None:
    assert shown(found(*counts, submitted=submitted))[0] == title


@pytest.mark.parametrize(
    ("counts", "bars", "line"),
    [
        ((2,) * 12, 12, ""),
        ((2,) * 13, 12, "Not shown: 1 more misconception, with 2 students."),
        ((2,) * 12 + (1,), 12, "Not shown: 1 more misconception, with 1 student."),
        ((1,) * 24, 12, "Not shown: 12 more misconceptions, with 1 student each."),
        ((9,) * 12 + (5, 4, 2), 12, "Not shown: 3 more misconceptions, with 2 to 5 students each."),
    ],
)
def test_the_figure_says_what_it_leaves_out(counts: tuple[int, ...], bars: int, line: str) -> None:
    about = found(*counts)
    assert shown(about)[1:] == (line, list(counts[:bars]))
    assert summary.figure(about)[1].endswith(line or f"idea 12 in a.b12: {counts[-1]}.")


def test_the_figure_says_its_finding_to_a_screen_reader_and_is_the_same_twice(
    lessons: dict[str, Lesson],
) -> None:
    graded = [(sent(s), third("failed", idea=f"$idea$_{len(s)}")) for s in ("a", "b", "ccc")]
    made = build(lessons, *graded)
    first, second = (write.documents(made, {})["misconceptions_03_collector.svg"] for _ in "12")
    assert first == second
    title = Xml.fromstring(first).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    text = " ".join((title.text or "").split())
    finding = "“$idea$_1” in collector.rollout is the most common misconception: 2 of 3 students"
    assert finding in text
    assert "$idea$_3 in collector.rollout: 1" in text


def test_without_a_misconception_there_is_no_figure(lessons: dict[str, Lesson]) -> None:
    made = build(lessons, (sent("ada"), third()))
    assert not [name for name in write.documents(made, {}) if name.endswith(".svg")]
    with pytest.raises(ValueError, match="no misconception"):
        summary.figure(made["summary"][0])
