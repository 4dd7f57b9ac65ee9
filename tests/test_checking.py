"""`check`, `predict` and `yours`: what a notebook calls, and what a student reads."""

from pathlib import Path
from typing import Any

import pytest
import students
from students import MOVE, RIGHT

from gridroll import gridworld
from gridroll.classroom import Verdict, check, predict, progress, registry, yours
from gridroll.classroom.exercise import Exercise
from gridroll.classroom.report import Report


@pytest.fixture(autouse=True)
def nothing_done_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    students.forget(monkeypatch)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def labels(verdict: Verdict) -> dict[str, str]:
    """The labelled lines of a message."""
    lines = [line.split("  ") for line in verdict.text.splitlines()]
    parts = [[part.strip() for part in line if part.strip()] for line in lines]
    return {part[0]: " ".join(part[1:]) for part in parts if len(part) > 1}


def test_a_pass_says_why_the_likeliest_mistake_fails_and_where_the_student_stands() -> None:
    verdict = check(MOVE, students.written(MOVE, *RIGHT))
    assert verdict.passed
    assert (verdict.name, verdict.status, verdict.diagnosis) == (MOVE, "passed", None)
    assert verdict.points == verdict.of == 1
    total = len(registry.numbered("gridworld"))
    assert verdict.text.splitlines() == [
        "✓ gridworld.move: passed (1 of 1 point)",
        "  A common slip  Without the clip, left from cell 0 leads to cell -1, and JAX doesn't "
        "complain.",
        f"  1 of {total}; you can now write a move without an if.",
    ]


def test_the_message_climbs_from_the_call_to_the_cause_to_the_next_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The sums of 2, 5, 11 are 2, 7, 18; what was added before each of them is 0, 2, 7.
    late = students.written(
        "collector.running_sum",
        "def running_sum(values):",
        "    return jnp.cumsum(values) - values",
    )
    verdict = check("collector.running_sum", late)
    assert verdict.diagnosis == "emits the old carry"
    said = labels(verdict)
    ladder = ["Called", "First difference", "Got", "Expected", "Likely cause", "See also", "Next"]
    assert list(said) == ladder
    assert said["Called"] == "running_sum(array([2, 5, 11]))"
    assert (said["First difference"], said["Got"], said["Expected"]) == ("[t=0]", "0", "2")
    assert said["Likely cause"].startswith("Each step emits the total from before")
    assert said["Next"] == 'hint("collector.running_sum") gives a hint.'
    assert "got array([0, 2, 7]), expected array([2, 7, 18])" in verdict.text
    assert capsys.readouterr().out == verdict.text + "\n"


def test_an_unknown_mistake_gets_the_rule_and_what_its_differences_share() -> None:
    late = students.written(
        "collector.active_mask",
        "def active_mask(terminated, truncated):",
        "    ended = terminated | truncated",
        "    earlier = jnp.concatenate([jnp.zeros_like(ended[:1]), ended[:-1]])",
        "    active = jnp.cumsum(earlier, axis=0) == 0",
        "    return active & ~terminated",
    )
    verdict = check("collector.active_mask", late)
    said = labels(verdict)
    assert verdict.diagnosis is None
    assert said["Rule"].startswith("A transition is active if its episode had not ended BEFORE it")
    assert (
        "Every difference lies on transitions that reach a goal, and all of those are wrong."
        in verdict.text
    )


def test_the_students_own_line_stands_before_the_call() -> None:
    branch = students.written(
        MOVE,
        "def move(position, action, length):",
        "    if action == 0:",
        "        return jnp.maximum(position - 1, 0)",
        "    return jnp.minimum(position + 1, length - 1)",
    )
    verdict = check(MOVE, branch)
    said = labels(verdict)
    assert verdict.status == "error"
    assert list(said)[:2] == ["Your line", "Called"]
    assert said["Your line"] == "line 2: if action == 0:"
    assert "jnp.where" in said["Advice"]
    assert "Traceback" not in verdict.text


@pytest.mark.parametrize("result", [3, (1, 2), "move", [True]], ids=repr)
def test_a_result_in_place_of_the_function_is_refused(result: Any) -> None:
    verdict = check(MOVE, result)
    assert verdict.status == "failed"
    assert "the function itself, without calling it" in labels(verdict)["Expected"]


@pytest.mark.parametrize("blank", [..., [...], {"a": (1, ...)}], ids=repr)
def test_a_placeholder_is_not_attempted_yet(blank: Any) -> None:
    assert check(MOVE, blank).status == "not_attempted"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gridworld.moev", "gridworld.move"),
        ("gridwrld.move", "gridworld.move"),
        ("rollout", "collector.rollout"),
        ("collector.runing_sum", "collector.running_sum"),
    ],
)
def test_a_mistyped_name_is_answered_with_its_neighbours(name: str, near: str) -> None:
    with pytest.raises(registry.UnknownExerciseError, match="did you mean") as caught:
        check(name, len)
    assert near in str(caught.value)
    assert repr(name) in str(caught.value)


def test_what_is_no_name_and_no_lesson_is_refused() -> None:
    with pytest.raises(registry.UnknownExerciseError, match=r"named by a string such as"):
        registry.find(gridworld.step)  # type: ignore[arg-type]
    with pytest.raises(registry.UnknownExerciseError, match="'gridwrld'; there are collector"):
        registry.lesson_exercises("gridwrld")
    with pytest.raises(registry.UnknownExerciseError, match="not a prediction: use check"):
        predict(MOVE, 3)


def test_under_nbgrader_everything_but_a_pass_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match="not yet"):
        check(MOVE, lambda position, action, length: position)
    with pytest.raises(AssertionError, match="not attempted yet"):
        predict("collector.cut_off", ...)
    assert check(MOVE, students.written(MOVE, *RIGHT)).passed


def test_the_answer_is_offered_with_the_third_failed_try() -> None:
    def stays(position: Any, action: Any, length: int) -> Any:
        return position

    offers = ["answer=True" in check(MOVE, stays).text for _ in range(4)]
    assert offers == [False, False, True, True]
    check(MOVE, students.written(MOVE, *RIGHT))
    assert "answer=True" not in check(MOVE, stays).text


def test_the_first_guess_counts_and_a_wrong_form_is_no_guess() -> None:
    name = "collector.first_counts"
    assert predict(name, [..., 64, ...]).status == "not_attempted"
    assert predict(name).status == "not_attempted"
    for wrong in ([64, 64], 64, [64, 64, 1.5], [True, True, True]):
        refused = predict(name, wrong)
        assert refused.status == "failed"
        assert "three whole numbers in a list" in refused.text
    assert progress.prediction(name) is None
    committed = predict(name, (60, 50, 40))
    assert committed.passed
    assert committed.text.startswith(f"✓ {name}: guess committed (1 of 1 point)")
    again = predict(name, [1, 2, 3])
    assert again.passed
    assert "The first guess is the one that counts." in again.text
    compared = predict(name)
    assert labels(compared)["Your guess"] == "[60, 50, 40]"
    assert labels(compared)["The run"] == "[64, 64, 58]"
    assert "Before transition 0 every environment is active." in compared.text
    assert "The first guess" not in predict(name, [60, 50, 40]).text


def test_yours_is_the_students_function_from_the_pass_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    right = students.written(MOVE, *RIGHT)
    assert yours(MOVE, otherwise=len) is len
    check(MOVE, lambda position, action, length: position)
    assert yours(MOVE, otherwise=len) is len
    assert "With the library's function, until your own has passed" in capsys.readouterr().out
    check(MOVE, right)
    assert yours(MOVE, otherwise=len) is right
    assert "With your own move:" in capsys.readouterr().out


def test_a_diagnosis_needs_the_mended_function_and_an_input_that_shows_the_fault() -> None:
    name = "gridworld.add_reward"
    names = students.fresh("gridworld")
    add_reward = students.run(registry.find(name).answer, names)["add_reward"]
    for witness, part in [
        (..., "The input that shows the fault of the broken function is still to be given."),
        (3, "The witness can't be used."),
        (
            (0.0, True, True, 1.0, False),
            "On this witness the broken function gives the right answer.",
        ),
    ]:
        verdict = check(name, add_reward, witness=witness)
        assert verdict.status == "failed"
        assert part in verdict.text
    assert check(name, add_reward, witness=(0.0, True, True, 0.5, True)).passed


def test_a_right_witness_is_said_to_be_right_while_the_function_is_still_broken() -> None:
    name = "gridworld.add_reward"
    exercise = registry.find(name)
    assert isinstance(exercise, Exercise)
    for witness, said in [((0.0, True, True, 0.5, True), True), (..., False)]:
        verdict = check(name, exercise.broken, witness=witness)
        assert verdict.status != "passed"
        assert ("It shows the fault. Now mend the function." in verdict.text) is said


@pytest.mark.parametrize(
    ("witness", "part"),
    [
        (..., "is still to be given"),
        (3, "The witness can't be used."),
        ((0.0, True, True, 1.0, False), "On this witness the broken function gives the right"),
    ],
)
def test_a_wrong_witness_is_said_to_be_wrong_while_the_function_is_still_broken(
    witness: Any, part: str
) -> None:
    name = "gridworld.add_reward"
    exercise = registry.find(name)
    assert isinstance(exercise, Exercise)
    verdict = check(name, exercise.broken, witness=witness)
    assert verdict.status == "failed"
    assert "Witness" in verdict.text
    assert part in verdict.text


@pytest.mark.parametrize(
    ("witness", "part"),
    [
        ("(0.0, True, True, 0.5, True)", "It shows the fault. Now mend the function."),
        ("(0.0, True, True, 1.0, False)", "the broken function gives the right answer"),
    ],
)
def test_a_witness_that_is_found_first_is_looked_at_before_the_function_is_touched(
    witness: str, part: str
) -> None:
    name = "gridworld.add_reward"
    names = students.fresh("gridworld")
    cell = registry.find(name).scaffold.replace("witness = ...", f"witness = {witness}")
    answer = students.run(cell, names)
    verdict = check(name, answer["add_reward"], witness=answer["witness"])
    assert verdict.status == "not_attempted"
    assert part in verdict.text


@pytest.mark.parametrize("switch", ["off", ""])
def test_no_progress_is_written_where_it_is_switched_off(
    switch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(progress.SWITCH, switch)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "progress.json"
    file.write_text("{}", encoding="utf-8")
    check("collector.which_axis", "a")
    predict("collector.cut_off", 20)
    assert (file.read_text(encoding="utf-8") == "{}") == (switch == "off")
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"] or switch == ""


def test_a_report_escapes_what_it_shows_and_folds_the_traceback() -> None:
    report = Report(
        "x: not yet", "✗", (("Got", "<b>&"), ("", "a < b")), (("The whole traceback", "Trace <1>"),)
    )
    assert "<b>" not in report.html
    assert "&lt;b&gt;&amp;" in report.html
    assert "<details><summary>The whole traceback</summary><pre" in report.html
    assert ">Trace &lt;1&gt;</pre>" in report.html
    assert report.text == "✗ x: not yet\n  Got  <b>&\n  a < b"
    assert "<details>" not in Report("x", "○", ()).html


def test_backticks_become_code_in_prose_and_stay_in_values() -> None:
    lines = (("Advice", "Write `a < b`, not `<i>`."), ("Got", "`x`"), ("", "See `y`."))
    page = Report("x", "✗", lines).html
    assert "Write <code>a &lt; b</code>, not <code>&lt;i&gt;</code>." in page
    assert "See <code>y</code>." in page
    assert ">`x`</td>" in page
    assert "`a < b`" in Report("x", "✗", lines).text


def test_a_backtick_without_its_partner_stays() -> None:
    page = Report("x", "✗", (("Advice", "a ` and <b> `c`"), ("Rule", "`"))).html
    assert "<b>" not in page
    assert page.count("<code>") == page.count("</code>") == 1
    assert ">`</td>" in page


def test_a_verdict_at_the_end_of_a_cell_shows_nothing_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    verdict = check("collector.which_axis", "b")
    assert capsys.readouterr().out == verdict.text + "\n"
    verdict._ipython_display_()
    assert capsys.readouterr().out == ""
