"""What a fault says of the call, and of what was expected where an error came."""

from typing import Any

import jax.numpy as jnp

from gridroll.classroom import judge, registry
from gridroll.classroom.calling import default_promotion
from gridroll.classroom.describe import describe_call
from gridroll.classroom.exercise import Exercise, Fault
from gridroll.classroom.faults import MOST_EXPECTED, called, expected_text
from gridroll.classroom.report import fault_lines, folded_parts

READABLE = 320  # characters of a line that is read, and not skipped


def exercises() -> dict[str, Exercise]:
    found = [task for lesson in registry.lessons() for task in registry.lesson_exercises(lesson)]
    return {task.name: task for task in found if isinstance(task, Exercise)}


def fault_of(name: str, function: Any) -> Fault:
    fault = judge.judge(exercises()[name], function).fault
    assert fault is not None
    return fault


@default_promotion()
def test_what_is_expected_in_place_of_an_error_is_one_short_line_in_every_exercise() -> None:
    for exercise in exercises().values():
        text = expected_text(exercise, exercise.visible()[0])
        assert 0 < len(text) <= MOST_EXPECTED, (exercise.name, text)
        assert "\n" not in text


def test_the_parts_of_a_long_result_are_named() -> None:
    case = exercises()["collector.rollout"].visible()[0]
    assert expected_text(exercises()["collector.rollout"], case) == "state, trajectory"
    case = exercises()["gridworld.move"].visible()[0]  # left from cell 0 bumps
    assert expected_text(exercises()["gridworld.move"], case) == "0"


def test_a_call_can_be_read_and_its_numbers_are_folded_away() -> None:
    fault = fault_of("collector.episode_return", lambda trajectory: trajectory.reward)
    (case, *_) = exercises()["collector.episode_return"].visible()
    assert fault.call == (
        "episode_return(Trajectory(observation, action, reward, active, terminated, truncated, "
        "log_prob: each of shape (5, 3)))"
    )
    assert fault.whole_call == describe_call("episode_return", case.args, {})
    assert folded_parts(fault) == (("The whole call", fault.whole_call),)
    assert fault.whole_call not in [text for _, text in fault_lines(fault, None)]


def test_no_call_of_any_exercise_is_too_long_to_read() -> None:
    for exercise in exercises().values():
        for case in (*exercise.visible(), *judge.draw_cases(exercise, seed=0)):
            text = called(Fault(""), exercise, case).call
            assert len(text) <= READABLE, (exercise.name, text)


def test_a_call_that_is_short_is_shown_whole_and_nothing_is_folded() -> None:
    fault = fault_of("gridworld.move", lambda position, action, length: jnp.int32(-1))
    assert fault.call == "move(0, 0, 4)"
    assert folded_parts(fault) == ()


def test_advice_stands_before_the_rule_and_a_cause_in_place_of_both() -> None:
    fault = Fault("Wrong.", advice="Do this.", rule="It is so.")
    assert fault_lines(fault, None)[1:] == [("Advice", "Do this."), ("Rule", "It is so.")]
    assert fault_lines(fault, "Why.")[1:] == [("Likely cause", "Why.")]


def test_a_wrong_structure_is_told_without_the_rule_for_values() -> None:
    fault = fault_of("gridworld.torus_table", lambda rows, columns: None)
    assert "`return`" in fault.advice
    assert fault.rule == ""
    other_values = fault_of("gridworld.torus_table", lambda r, c: jnp.ones((r * c, 4), int))
    assert "% rows" in other_values.rule
