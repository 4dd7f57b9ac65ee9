"""The README tells the truth: its table, its links, its commands and its picture."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from gridroll.classroom.cli import app
from gridroll.classroom.source import lesson_paths, read_lesson

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", "CONTRIBUTING.md")


def table_rows() -> list[list[str]]:
    rows = [line for line in README.splitlines() if re.match(r"\| \d\d \|", line)]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_lesson_table_says_what_the_lessons_say() -> None:
    lessons = [read_lesson(path) for path in lesson_paths(ROOT)]
    assert len(lessons) >= 2
    wanted = [
        [
            lesson.number,
            f"[{lesson.title}](lessons/{lesson.stem}.ipynb)",
            str(lesson.minutes),
            lesson.builds,
        ]
        for lesson in lessons
    ]
    assert table_rows() == wanted


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_to_a_file(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    missing = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_gridroll_command_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    code = re.findall(r"`([^`\n]+)`", text) + re.findall(r"```\n(.*?)```", text, re.S)
    named = {m for part in code for m in re.findall(r"\bgridroll[ ]([a-z]+)", part)}
    assert named <= commands
    assert document != "README.md" or {"lab", "check", "status", "hint", "doctor"} <= named


def test_every_picture_says_what_it_shows() -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(", README)
    assert pictures
    assert all(len(alt) > 40 for alt in pictures)


def test_the_tree_in_the_readme_is_there() -> None:
    block = next(b for b in re.findall(r"```\n(.*?)```", README, re.S) if "lessons/" in b)
    folders = [line.split()[0] for line in block.strip().splitlines()]
    assert "src/gridroll/classroom/" in folders
    assert not [folder for folder in folders if not (ROOT / folder).is_dir()]
