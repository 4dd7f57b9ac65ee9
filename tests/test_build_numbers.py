"""Off the declared platform bytes may differ: text and integers are held, floats nearly."""

import json
from pathlib import Path

import pytest
from nbformat import v4

from gridroll.classroom import declared
from gridroll.classroom.build import notebook_bytes
from gridroll.classroom.readable import difference
from gridroll.classroom.record import RECORD_MIME
from gridroll.classroom.verify import close, same_results, verify


def solution(mean: float = 0.5, count: int = 64, text: str = "0.5", png: str = "AAAA") -> bytes:
    record = {"text/plain": text, RECORD_MIME: {"mean": mean, "count": count}}
    outputs = [
        v4.new_output("display_data", data=record),
        v4.new_output("display_data", data={"image/png": png, "text/plain": "A line."}),
    ]
    cell = v4.new_code_cell("run()", id="code-1", outputs=outputs, execution_count=1)
    return notebook_bytes(v4.new_notebook(cells=[cell]))


def test_last_bits_of_a_record_and_bytes_of_a_picture_may_differ() -> None:
    path = "solutions/07_toy.ipynb"
    assert same_results(path, solution(), solution(mean=0.500001, png="BBBB"))
    assert not same_results(path, solution(), solution(mean=0.50001))
    assert not same_results(path, solution(), solution(count=65))
    assert not same_results(path, solution(), solution(text="0.6"))
    assert not same_results(path, solution(), solution().replace(b"run()", b"run( )"))


def test_the_numbers_of_a_figure_are_compared_and_its_drawing_is_not() -> None:
    assert same_results("f.json", b'{"y": [1, 0.1]}', b'{"y": [1, 0.1000000001]}')
    assert not same_results("f.json", b'{"y": [1, 0.1]}', b'{"y": [1, 0.2]}')
    assert not same_results("f.json", b'{"y": [1]}', b'{"y": [1, 2]}')
    assert not same_results("f.json", b'{"y": [1', b'{"y": [1]}')
    one = b"<svg><title>A line.</title><path d='1'/></svg>"
    assert same_results("f.svg", one, one.replace(b"d='1'", b"d='2'"))
    assert not same_results("f.svg", one, one.replace(b"line", b"lime"))
    assert not same_results("f.svg", b"", b"")


def test_kinds_are_never_mixed_and_nan_equals_nan() -> None:
    assert close(["NaN", "Infinity"], ["NaN", "Infinity"])
    assert not close("NaN", 0.5)
    assert not close(1, 1.0)
    assert not close(True, 1)
    assert close(0.0, 1e-9)
    assert not close(0.0, 1e-6)


def test_the_verdict_says_that_bytes_were_not_compared(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "07_x.json").write_bytes(b'{"y": 0.1}')
    made = {"07_toy": {"figures/07_x.json": b'{"y": 0.1000000001}'}}
    sources = [Path("solutions/07_toy.md")]
    assert verify(tmp_path, made, sources, exact=False) == []
    (found,) = verify(tmp_path, made, sources, exact=True)
    assert '-{"y": 0.1}' in found
    assert '+{"y": 0.1000000001}' in found


def test_only_the_declared_platform_promises_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(declared.NEWEST_JAX, raising=False)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("sys.version_info", (3, 11, 9))
    assert declared.deviation(tmp_path) == ""
    lock = tmp_path / declared.LOCK
    lock.write_text(f"jax=={declared.installed('jax')} \\\n    --hash=sha256:00\n")
    assert declared.deviation(tmp_path) == ""
    lock.write_text("jax==0.0.1 \\\n    --hash=sha256:00\n")
    assert declared.deviation(tmp_path).startswith("jax ")
    lock.unlink()
    monkeypatch.setattr("sys.version_info", (3, 12, 1))
    assert declared.deviation(tmp_path).startswith("CPython")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert declared.deviation(tmp_path) == "Linux arm64"
    monkeypatch.setenv(declared.NEWEST_JAX, "1")
    assert declared.deviation(tmp_path) == "GRIDROLL_NEWEST_JAX=1"
    assert declared.same_arithmetic(tmp_path) == {}


def test_a_difference_in_spaces_alone_is_named_by_its_place() -> None:
    committed = json.dumps({"cells": []}).encode()
    said = difference("x.ipynb", committed, committed.replace(b": ", b":  "))
    assert said.startswith("x.ipynb: the same content, other bytes, from byte 10")


def test_a_long_diff_is_cut_and_counted() -> None:
    said = difference("x.json", b"", b"\n" * 500)
    assert len(said.splitlines()) == 81
    assert said.endswith("lines more")
