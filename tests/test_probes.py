"""What is judged of an answer is compiled as seldom as it may be, and never kept for too long."""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from gridroll.classroom import judge
from gridroll.exercises import _probes
from gridroll.exercises.reinforce import wrong_sums
from gridroll.exercises.reinforce.surrogate import SURROGATE


def doubled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake that isn't on the list, as a new function."""
    return lambda *inputs: 2 * function(*inputs)


def slopes(traces: Any, call: Callable[[], Any]) -> int:
    return traces.of(call).count("slope")


def test_the_slope_of_sums_is_compiled_once_for_all_cases_of_a_shape(traces: Any) -> None:
    judged = _probes.with_slope_of_sums(wrong_sums.right)
    first, alike, softmax = SURROGATE.visible()
    assert slopes(traces, lambda: judged(*first.args)) == 1
    assert slopes(traces, lambda: judged(*alike.args)) == 0
    assert slopes(traces, lambda: judged(*softmax.args)) == 1


def test_mistakes_on_the_list_are_compiled_at_the_first_diagnosis_alone(traces: Any) -> None:
    judge.judge(SURROGATE, doubled(wrong_sums.right))
    # Bernoulli and softmax, for the answer itself.
    assert slopes(traces, lambda: judge.judge(SURROGATE, doubled(wrong_sums.right))) == 2


def test_a_function_is_judged_by_the_helper_that_it_has_now() -> None:
    names: dict[str, Any] = {}
    exec("def helper(x):\n    return x + 1\n\ndef answer(x):\n    return helper(x)\n", names)
    assert _probes.compiled(names["answer"])(jnp.float32(1)) == 2
    exec("def helper(x):\n    return x + 2\n", names)
    assert _probes.compiled(names["answer"])(jnp.float32(1)) == 3
