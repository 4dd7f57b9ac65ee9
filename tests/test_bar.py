"""The bar for work that says how much of it is done."""

import io
from types import SimpleNamespace
from typing import Any

import pytest

from gridroll.classroom import bar

HALF = "Training ██████████░░░░░░░░░░ 2 of 4"
WHOLE = "Training ████████████████████ 4 of 4"


class Stream(io.StringIO):
    """What stands in for stderr, a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def said(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> str:
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stderr", stream)
    tell = bar(4)
    for done in (2, 4):
        tell(done)
    return stream.getvalue()


def test_on_a_terminal_one_line_is_drawn_over_itself_and_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert said(monkeypatch, terminal=True) == f"\r{HALF}\r{WHOLE}\n"


def test_elsewhere_one_plain_line_says_that_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(monkeypatch, terminal=False) == f"{WHOLE}\n"


def test_in_a_notebook_one_output_is_renewed_in_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs: list[str] = []

    def display(data: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        outputs.append(data["text/plain"])

        def update(data: dict[str, str], *, raw: bool) -> None:
            outputs[-1] = data["text/plain"]

        return SimpleNamespace(update=update)

    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=None))
    monkeypatch.setattr("IPython.display.display", display)
    tell = bar(4)
    assert outputs == ["Training ░░░░░░░░░░░░░░░░░░░░ 0 of 4"]
    tell(2)
    assert outputs == [HALF]
    tell(4)
    assert outputs == [WHOLE]
    assert capsys.readouterr() == ("", "")


def test_the_title_is_the_callers(capsys: pytest.CaptureFixture[str]) -> None:
    bar(1, "Collecting")(1)
    assert capsys.readouterr().err == "Collecting ████████████████████ 1 of 1\n"


@pytest.mark.parametrize("total", [0, -1, 2.0, "4", None, True])
def test_a_total_that_is_no_positive_integer_is_refused(total: Any) -> None:
    with pytest.raises(ValueError, match="integer >= 1") as refusal:
        bar(total)
    assert repr(total) in str(refusal.value)
