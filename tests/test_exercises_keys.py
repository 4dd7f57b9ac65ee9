"""What the messages of lesson 02 say of keys and draws."""

from typing import Any

import attacks
import jax
import jax.numpy as jnp
import students

from gridroll.classroom import judge


def test_keys_are_shown_as_keys_that_a_student_can_paste() -> None:
    fault = judge.judge(attacks.exercise("keys.num_shared"), lambda first, second: 0).fault
    assert fault is not None
    assert fault.expected != "0"
    names = {"jax": jax, "jnp": jnp, "num_shared": attacks.right("keys.num_shared")}
    assert str(eval(fault.whole_call or fault.call, names)) == fault.expected


def test_a_number_in_place_of_the_number_of_actions_is_named_as_such() -> None:
    lines = (
        "def first_draws(world, key, num_envs):",
        "    a, b = jax.random.split(key)",
        "    index = jax.random.randint(a, (num_envs,), 0, world.starts.shape[0])",
        "    return world.starts[index], jax.random.randint(b, (num_envs,), 0, 2)",
    )
    function: Any = students.written("keys.first_draws", *lines)
    found = judge.judge(attacks.exercise("keys.first_draws"), function)
    assert found.misconception is not None
    assert found.misconception.name == "a fixed range"
    assert found.fault is not None
    assert found.fault.got.startswith("0 of ")
