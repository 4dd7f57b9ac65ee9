"""What a lesson records and shows: exact values, rounded text, pictures with words."""

import html
import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.figure import Figure

from gridroll.classroom import values
from gridroll.classroom.record import RECORD_MIME, record
from gridroll.classroom.show import png, show, svg

Shown = list[tuple[dict[str, Any], dict[str, Any]]]  # (data, metadata)
ALT = "A line that rises from 1 to 2, where x & y are < 3."


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Stand for a notebook: what is displayed lands in this list as (data, metadata)."""
    found: Shown = []

    def display(data: dict[str, Any], *, raw: bool, metadata: Any = None) -> None:
        assert raw
        found.append((data, metadata or {}))

    monkeypatch.setattr("IPython.get_ipython", lambda: InteractiveShell)
    monkeypatch.setattr("IPython.display.display", display)
    return found


def line() -> Figure:
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot([1, 2])
    return figure


def test_a_record_keeps_integers_exactly_and_twelve_digits_of_floats_and_prints_fewer(
    shown: Shown,
) -> None:
    record(counts=jnp.array([64, 58]), mean=jnp.float32(0.1), ok=np.bool_(True), words="two cells")
    (data, _), *_ = shown
    assert data[RECORD_MIME] == {
        "counts": [64, 58],
        "mean": 0.10000000149,  # of the float32 nearest to 0.1, twelve digits
        "ok": True,
        "words": "two cells",
    }
    assert data["text/plain"] == ("counts  [64, 58]\nmean    0.1\nok      True\nwords   two cells")
    json.dumps(data)


def test_a_table_of_numbers_stands_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    record(table=np.array([[0.5, 1.0], [22.25, 1 / 3]]))
    assert capsys.readouterr().out == (
        "table  [[     0.5,      1.0],\n        [   22.25, 0.333333]]\n"
    )


def test_digits_says_how_far_floats_are_rounded(capsys: pytest.CaptureFixture[str]) -> None:
    record(digits=3, mean=0.58484375)
    assert capsys.readouterr().out == "mean  0.585\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2.0"), (1e-7, "1e-07"), (-0.01, "-0.01"), (1234567.0, "1.23457e+06"), (10, "10")],
)
def test_a_float_reads_as_a_float_and_an_integer_as_an_integer(value: float, text: str) -> None:
    assert values.scalar_text(value) == text


def test_what_processors_add_up_differently_is_recorded_the_same() -> None:
    # The same 20 000 products, added by two kernels of one library of linear algebra.
    one, other = -0.003998356917158082, -0.003998356917158102
    assert one != other
    assert values.to_json([one]) == values.to_json([other]) == [-0.00399835691716]


def test_every_float32_comes_back_from_its_record() -> None:
    rng = np.random.default_rng(3)
    numbers = rng.integers(0, 2**31, 20_000, dtype=np.uint32).view(np.float32)
    finite = numbers[np.isfinite(numbers)]
    kept = np.array(values.to_json(finite.tolist()), np.float32)
    np.testing.assert_array_equal(kept, finite)


def test_nan_and_infinity_become_json_and_come_back() -> None:
    sent = json.dumps(values.to_json([math.nan, [math.inf], -math.inf]), allow_nan=False)
    back = values.from_json(json.loads(sent))
    assert math.isnan(back[0])
    assert back[1:] == [[math.inf], -math.inf]


@pytest.mark.parametrize(
    "value",
    [object(), None, {"a": 1}, np.array([object()]), 1j, jax.random.key(0), [1, None]],
    ids=["object", "None", "dict", "objects", "complex", "key", "list with None"],
)
def test_what_is_no_number_is_refused_by_name_in_one_line(value: Any) -> None:
    with pytest.raises(TypeError) as caught:
        record(odd=value)
    message = str(caught.value)
    assert message.startswith("odd: a recorded value is a number, a string, or an array or list")
    assert "\n" not in message


def test_a_record_of_nothing_and_a_text_that_reads_as_a_float_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one result"):
        record()
    with pytest.raises(ValueError, match="stands for a float"):
        record(word="NaN")


def test_a_shown_figure_carries_its_alt_text_and_its_files_name_and_is_told_in_words(
    shown: Shown,
) -> None:
    show(line(), alt=f"  {ALT[:6]}\n{ALT[6:]} ", name="03_line", data={"y": [1, 2]})
    (data, metadata), (words, _) = shown
    assert data["text/plain"] == ALT
    assert f">{html.escape(ALT)}</details>" in words["text/html"]
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == ALT
    assert metadata["image/png"]["width"] == 3 * 96
    assert metadata["gridroll"] == {"figure": "03_line"}


def test_files_are_written_during_a_build_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRIDROLL_FIGURES", raising=False)
    show(line(), alt=ALT, name="03_line", data={"y": [1, 2]})
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("GRIDROLL_FIGURES", str(tmp_path))
    show(line(), alt=ALT, name="03_line", data={"y": np.float32(0.1), "table": [[1, 2], [3, 4]]})
    assert {path.name for path in tmp_path.iterdir()} == {"03_line.json", "03_line.svg"}
    numbers = (tmp_path / "03_line.json").read_text()
    assert json.loads(numbers) == {"y": 0.10000000149, "table": [[1, 2], [3, 4]]}
    assert "\n  [1, 2],\n  [3, 4]\n" in numbers  # a row of a table is a line
    assert capsys.readouterr().out == f"{ALT}\n" * 2


def test_the_same_figure_gives_the_same_bytes_without_version_or_date() -> None:
    for draw in (png, lambda figure: svg(figure, ALT)):
        assert draw(line()) == draw(line())
    assert b"Software" not in png(line())
    text = svg(line(), ALT).lower()
    for word in (b"matplotlib.org", b"dc:date", b"dc:creator"):
        assert word not in text


def test_an_svg_is_an_image_whose_title_is_the_alt_text() -> None:
    alt = 'Fewer than 3 & more than "2" <cells>.'
    root = ElementTree.fromstring(svg(line(), alt))
    assert root.attrib["role"] == "img"
    assert root[0].tag.endswith("}title")
    assert root[0].text == alt


@pytest.mark.parametrize("alt", ["", "  \n", None])
def test_a_figure_without_words_is_refused(alt: Any) -> None:
    with pytest.raises(ValueError, match="needs alt="):
        show(line(), alt=alt)


def test_a_figure_needs_a_plain_name_its_numbers_and_to_be_one() -> None:
    with pytest.raises(ValueError, match=r"looks like '03_active_counts'; got '\.\./x'"):
        show(line(), alt=ALT, name="../x", data={"y": 1})
    with pytest.raises(ValueError, match="needs data="):
        show(line(), alt=ALT, name="03_line")
    with pytest.raises(TypeError, match=r"got Axes; pass its \.figure"):
        show(line().axes[0], alt=ALT)
