"""A student's page: readable, harmless whatever was written, and in its folder."""

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from graded import build, fourth, pages, sent, third
from handed_in import write_course

from gridroll.classroom.grading import engine, write
from gridroll.classroom.grading.course import Lesson
from gridroll.classroom.grading.outcome import Note, Reading


@pytest.fixture
def lessons(tmp_path: Path) -> dict[str, Lesson]:
    return write_course(tmp_path / "lessons")


NASTY = '<script>alert("1")</script> & \ud800 \x00 \x1b ]]>'


def test_a_page_of_feedback_is_one_that_a_phone_and_a_screen_reader_can_read(
    lessons: dict[str, Lesson],
) -> None:
    failed = replace(third(rollout="failed")[0], message=(("", "It differs."), ("Got", "[1]")))
    made = build(lessons, (sent("ada"), [failed, *third()[1:]]), (sent("ada", "returns"), fourth()))
    (page,) = pages(made).values()
    tags = [tag for tag, _ in page.tags]
    assert page.tags[0] == ("html", {"lang": "en"})
    assert ("meta", {"charset": "utf-8"}) in page.tags
    viewports = [a["content"] for t, a in page.tags if a.get("name") == "viewport"]
    assert viewports == ["width=device-width, initial-scale=1"]
    assert [tags.count(tag) for tag in ("title", "main", "h1")] == [1, 1, 1]
    levels = [int(tag[1]) for tag in tags if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert {a.get("scope") for t, a in page.tags if t == "th"} == {"row", "col"}
    assert tags.count("caption") == tags.count("table") == 2
    assert page.open == []
    assert "It differs." in page.words


def test_what_students_and_their_code_say_is_shown_as_text(lessons: dict[str, Lesson]) -> None:
    lines = (("", NASTY), ("Got", NASTY), (NASTY, NASTY))
    marks = [replace(each, message=lines) for each in third(rollout="failed")]
    notes = (Note("file", NASTY),)
    made = build(lessons, (sent("ada", name=NASTY), marks), notes=notes, remarks=(NASTY,))
    files = write.documents(made, {})
    (page,) = pages(made).values()
    assert "script" not in {tag for tag, _ in page.tags}
    assert '<script>alert("1")</script> &' in page.words
    for content in files.values():
        encoded = content.encode() if isinstance(content, str) else content
        assert not set(b"\x00\x1b") & set(encoded)
    suite = Xml.fromstring(str(files["junit.xml"]))
    assert len(list(suite.iter("testcase"))) == 3
    assert json.loads(files["report.json"])["remarks"] == [NASTY]


def test_feedback_accuses_nobody_and_tells_what_helps(lessons: dict[str, Lesson]) -> None:
    notes = (
        Note("tampered", "points changed"),
        Note("file", "a mark of byte order"),
        Note("grader_error", "X"),
    )
    (page,) = pages(build(lessons, (sent("ada"), third()), notes=notes)).values()
    assert "a mark of byte order" in page.words
    assert "points changed" not in page.words
    assert "X" not in page.words


@pytest.mark.parametrize("status", engine.NOT_THERE)
def test_what_the_top_of_the_page_says_of_a_cell_is_not_said_again(
    lessons: dict[str, Lesson], status: str
) -> None:
    lines = (("", engine.NOT_THERE[status]), ("", "A cell of your own defines it."))
    marks = [replace(third(status)[0], message=lines), *third()[1:]]
    lost = Reading("returns.essay", "missing", 8)
    made = build(lessons, (sent("ada"), marks), (sent("ada", "returns"), fourth()), essay=lost)
    made["rows"][1]["manual"][0]["comment"] = "Where is it?"
    (page,) = pages(made).values()
    assert engine.NOT_THERE[status] not in page.words
    assert "A cell of your own defines it." in page.words
    assert "Where is it?" in page.words


def test_a_fault_of_ours_is_no_zero_on_the_page_and_its_place_is_not_the_students_matter(
    lessons: dict[str, Lesson],
) -> None:
    lines = (("", "The grader failed here."), ("Fault", "KeyError in wire.py line 7"))
    marks = [replace(third("grader_error")[0], message=lines), *third()[1:]]
    (page,) = pages(build(lessons, (sent("ada"), marks))).values()
    assert "this is no zero" in page.words
    assert "The grader failed here." in page.words
    assert "wire.py" not in page.words


def test_each_lesson_is_a_region_and_a_table_that_are_named_after_it(
    lessons: dict[str, Lesson],
) -> None:
    made = build(lessons, (sent("ada"), third()), (sent("ada", "returns"), fourth()))
    (page,) = pages(made).values()
    regions = [attributes["aria-labelledby"] for tag, attributes in page.tags if tag == "section"]
    headings = [attributes["id"] for tag, attributes in page.tags if tag == "h2"]
    assert regions == headings == ["lesson_03_collector", "lesson_04_returns"]
    for lesson in made["lessons"]:
        assert f"Results of {lesson['title']}" in page.words


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "a\\b", "CON", "nul.html", "", ".", "-rf", "ä", "x" * 500]
)
def test_a_page_of_feedback_stays_in_its_folder_whatever_its_student_is_called(
    tmp_path: Path, lessons: dict[str, Lesson], name: str
) -> None:
    made = build(lessons, (sent(name), third()), (sent("ada"), third()))
    out = tmp_path / "reports"
    out.mkdir()
    write.write_all(made, out)
    found = sorted(path.name for path in (out / "feedback").iterdir())
    assert len(found) == 2
    assert "ada.html" in found
    assert all(len(each) < 120 and each.isascii() for each in found)
    assert not {each.partition(".")[0].casefold() for each in found} & {"con", "nul", ""}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lessons", "reports"]


def _luminance(colour: str) -> float:
    """As WCAG 2 defines it, of "#222" or "#767676"."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_a_page_stands_out_from_its_white_ground(
    lessons: dict[str, Lesson],
) -> None:
    made = write.documents(build(lessons, (sent("ada"), third())), {})
    style = str(made["feedback/ada.html"]).partition("</style>")[0]
    assert "background: #fff" in style
    colours = set(re.findall(r"#[0-9a-f]{3,6}\b", style)) - {"#fff"}
    assert "#222" in colours
    assert min(1.05 / (_luminance(colour) + 0.05) for colour in colours) >= 4.5


def test_a_long_word_of_a_student_makes_no_page_wider_than_a_phone(
    lessons: dict[str, Lesson],
) -> None:
    made = write.documents(build(lessons, (sent("ada"), third())), {})
    rules = re.findall(r"([^{}]+) \{([^}]*)\}", str(made["feedback/ada.html"]))
    broken = ",".join(names for names, rule in rules if "overflow-wrap: anywhere" in rule)
    assert {"h1", "p", "li", "dt", "dd"} <= {name.strip() for name in broken.split(",")}
