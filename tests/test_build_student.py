"""The student's notebook: what is folded, what is left out, and what must not be given away."""

from typing import Any

import pytest
from nbformat import v4
from toy_lesson import DOUBLE, GUESS

from gridroll.classroom.compose import Piece, Role
from gridroll.classroom.outputs import OutputError
from gridroll.classroom.student import LeakError, recorded_block, student_cells


def piece(source: str, role: Role, outputs: tuple[Any, ...] = (), exercise: Any = None) -> Piece:
    if role in ("prose", "header"):
        cell = v4.new_markdown_cell(source)
    else:
        cell = v4.new_code_cell(source, outputs=list(outputs), execution_count=1)
    return Piece(cell, role, 1, frozenset(), exercise)


def printed(text: str) -> Any:
    return v4.new_output("stream", name="stdout", text=text)


def picture(alt: str, name: str | None) -> Any:
    metadata: dict[str, Any] = {"image/png": {"alt": alt}}
    if name:
        metadata["gridroll"] = {"figure": name}
    data = {"image/png": "AAAA", "text/plain": alt}
    return v4.new_output("display_data", data=data, metadata=metadata)


def sources(pieces: list[Piece]) -> list[str]:
    return [cell.source for cell in student_cells(pieces)]


def test_only_plain_cells_and_listings_show_what_they_printed() -> None:
    cells: dict[Role, int] = {"plain": 2, "listing": 2, "answer": 1, "check": 1}
    for role, count in cells.items():
        assert len(sources([piece("1", role, (printed("x\n"),), DOUBLE)])) == count


def test_a_recorded_picture_is_a_link_with_its_words_escaped() -> None:
    cell = v4.new_code_cell("1", outputs=[picture("States [s] cost $1_000 *each*.", "07_cost")])
    assert "\n\n![States \\[s\\] cost \\$1\\_000 \\*each\\*.](../figures/07_cost.svg)\n\n" in (
        recorded_block(cell)
    )


def test_a_recorded_block_reads_as_markdown_everywhere() -> None:
    """The fence is longer than any in the text, and blank lines part HTML from Markdown."""
    from markdown_it import MarkdownIt

    cell = v4.new_code_cell("1", outputs=[printed("a\n````\nb\n"), picture("A line.", "07_x")])
    tokens = MarkdownIt().parse(recorded_block(cell))
    assert [token.type for token in tokens if token.type in ("html_block", "fence", "inline")] == [
        "html_block",
        "fence",
        "inline",
        "html_block",
    ]
    fence = next(token for token in tokens if token.type == "fence")
    assert fence.content == "a\n````\nb\n"
    inline = next(token for token in tokens if token.type == "inline")
    assert inline.children is not None
    assert inline.children[0].type == "image"


def test_a_picture_without_a_file_can_not_be_shown_in_a_lesson() -> None:
    with pytest.raises(OutputError, match="has no file for the lesson"):
        sources([piece("1", "plain", (picture("A line.", None),))])


def prediction() -> list[Piece]:
    return [piece("### Predict", "header", (), GUESS), piece("p()", "answer", (), GUESS)]


@pytest.mark.parametrize(
    "before",
    [
        piece("You will see 29 of them.", "prose"),
        piece("run()", "plain", (printed("active  [64, 29]\n"),)),
    ],
    ids=["prose", "recorded output"],
)
def test_a_predictions_answer_must_not_stand_above_it(before: Piece) -> None:
    with pytest.raises(LeakError, match=r"toy.guess: its answer '29' can be read before it"):
        sources([before, *prediction()])
    assert sources([*prediction(), before])  # below it is where it belongs


def test_a_leak_is_a_whole_number_and_not_a_part_of_another() -> None:
    assert sources([piece("In 1929, 0.29 and 29.5 of x29.", "prose"), *prediction()])
    with pytest.raises(LeakError):
        sources([piece("It ends at 29.", "prose"), *prediction()])
