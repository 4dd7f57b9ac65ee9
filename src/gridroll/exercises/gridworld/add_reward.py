"""A total that changes its type for one setting: find the input that shows it, and mend it."""

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises._shared import floats


def add_reward(
    total: jax.Array, terminated: jax.Array, active: jax.Array, goal_reward: float, sparse: bool
) -> jax.Array:
    """Add what one transition earns to the total of its episode.

    Args:
        total: () float32, what the episode has earned before.
        terminated: () bool, whether the transition reached a goal.
        active: () bool, whether the episode was running before the transition.
        goal_reward: any number, such as 1 or 0.5.
        sparse: a Python bool. True: only reaching a goal earns something. False: any other
            transition earns -0.01.

    Returns:
        The new total, () float32 for every setting; a finished episode earns nothing.
    """
    step_reward = 0.0 if sparse else -0.01
    earned = jnp.where(terminated, goal_reward, step_reward)
    return total + jnp.where(active, earned, 0.0)


def broken_add_reward(
    total: jax.Array, terminated: jax.Array, active: jax.Array, goal_reward: float, sparse: bool
) -> jax.Array:
    """The program as the student finds it."""
    if sparse:  # only goals pay, and whole numbers are exact
        total = jnp.asarray(total, jnp.int32)
        earned = jnp.where(terminated, jnp.asarray(goal_reward, jnp.int32), 0)
    else:
        earned = jnp.where(terminated, goal_reward, -0.01)
    return total + jnp.where(active, earned, 0)


SCAFFOLD = '''
def add_reward(total, terminated, active, goal_reward, sparse):
    """Add what one transition earns to the total of its episode.

    Args:
        total: () float32, what the episode has earned before.
        terminated: () bool, whether the transition reached a goal.
        active: () bool, whether the episode was running before the transition.
        goal_reward: any number, such as 1 or 0.5.
        sparse: a Python bool. True: only reaching a goal earns something. False: any other
            transition earns -0.01.

    Returns:
        The new total, () float32 for every setting; a finished episode earns nothing.
    """
    if sparse:  # only goals pay, and whole numbers are exact
        total = jnp.asarray(total, jnp.int32)
        earned = jnp.where(terminated, jnp.asarray(goal_reward, jnp.int32), 0)
    else:
        earned = jnp.where(terminated, goal_reward, -0.01)
    return total + jnp.where(active, earned, 0)


# The five arguments that show the fault: (total, terminated, active, goal_reward, sparse).
witness = ...
'''


def _answer() -> str:
    text = inspect.getsource(add_reward)
    start, end = text.index("("), text.index(':\n    """')
    head = "(total, terminated, active, goal_reward, sparse)"
    return text[:start] + head + text[end:] + "\n\nwitness = (0.0, True, True, 1.0, True)\n"


def _right(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    """The right total, for the mistakes that change it."""
    step_reward = jnp.where(sparse, jnp.float32(0), jnp.float32(-0.01))
    return total + jnp.where(active, jnp.where(terminated, goal, step_reward), jnp.float32(0))


def _cast_at_the_end(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return broken_add_reward(total, terminated, active, goal, sparse).astype(jnp.float32)


def _integer_reward(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    if not sparse:
        return _right(total, terminated, active, goal, sparse)
    earned = jnp.where(terminated, jnp.asarray(goal, jnp.int32), 0)
    return total + jnp.where(active, earned, 0)


def _integer_total(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    before = jnp.asarray(total, jnp.int32) if sparse else total
    return _right(before, terminated, active, goal, sparse)


def _integers_throughout(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return _right(total, terminated, active, goal, sparse).astype(jnp.int32)


def _sparse_ignored(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return _right(total, terminated, active, goal, False)


def _always_sparse(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return _right(total, terminated, active, goal, True)


def _finished_earn(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return _right(total, terminated, jnp.bool_(True), goal, sparse)


def _not_added(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return _right(jnp.float32(0), terminated, active, goal, sparse)


def _zero(total: Any, terminated: Any, active: Any, goal: Any, sparse: bool) -> Any:
    return jnp.float32(0)


def _case(total: float, terminated: bool, active: bool, goal: float, sparse: bool) -> Case:
    return Case((floats(total), jnp.bool_(terminated), jnp.bool_(active), floats(goal), sparse))


def witness_case(witness: Any) -> Case:
    """The five arguments as a case."""
    if not isinstance(witness, list | tuple) or len(witness) != 5:
        raise ValueError(
            "A witness is a tuple of five: (total, terminated, active, goal_reward, sparse)."
        )
    total, terminated, active, goal, sparse = witness
    for name, flag in (("terminated", terminated), ("active", active), ("sparse", sparse)):
        if np.ndim(flag) != 0 or np.asarray(flag).dtype != np.bool_:
            raise ValueError(f"{name} has to be True or False.")
    for name, number in (("total", total), ("goal_reward", goal)):
        if np.ndim(number) != 0 or not np.isfinite(float(number)):
            raise ValueError(f"{name} has to be one finite number.")
    return _case(float(total), bool(terminated), bool(active), float(goal), bool(sparse))


def _visible() -> tuple[Case, ...]:
    return (
        _case(0.0, True, True, 1.0, False),
        _case(0.0, True, True, 1.0, True),
        _case(-0.5, True, True, 0.5, True),
        _case(0.75, False, True, 1.0, True),
        _case(0.25, False, True, 1.0, False),
        _case(1.5, False, False, 1.0, False),
    )


def _generate(rng: np.random.Generator) -> Case:
    active = bool(rng.random() < 0.75)
    total = float(rng.integers(-40, 40)) / 8 + 0.0625
    goal = float(rng.integers(1, 16)) / 4
    return _case(total, active and bool(rng.integers(2)), active, goal, bool(rng.integers(2)))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    terminated, active, sparse = bool(case.args[1]), bool(case.args[2]), case.args[4]
    places = {
        "transitions that reach a goal": terminated,
        "finished episodes": not active,
        "calls with sparse=True": sparse,
        "calls with sparse=False": not sparse,
    }
    return {name: np.asarray(holds) for name, holds in places.items()}


ADD_REWARD = Exercise(
    name="gridworld.add_reward",
    title="diagnose a total that changes its type",
    task=(
        "Mend the broken `add_reward` so that it keeps the promise of its docstring, and give a "
        "`witness`: the five arguments of a call whose result was wrong in value or in dtype."
    ),
    points=3,
    difficulty=2,
    reference=add_reward,
    answer=_answer(),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    eager=5,
    regions=_regions,
    rules={
        "": "The new total is total + goal_reward for reaching a goal, total + the step's reward "
        "(0 if sparse, else -0.01) for any other running step, and total for a finished episode; "
        "always float32."
    },
    misconceptions=(
        Misconception("constant", "The total is 0 whatever was earned.", _zero),
        Misconception(
            "still broken",
            "The function does what it did before: for one of the settings it returns an integer. "
            "Print the dtype of the result for sparse=False and sparse=True.",
            broken_add_reward,
        ),
        Misconception(
            "cast afterwards",
            "The dtype is right now, and for whole numbers the value too. But the fractions were "
            "cut off before the cast: 0.5 became the integer 0, and casting 0 back gives 0.0. "
            "Don't make integers in the first place.",
            _cast_at_the_end,
        ),
        Misconception(
            "the reward is still an integer",
            "The total stays a float, but the goal's reward is cut to a whole number: 0.5 becomes "
            "0. Leave the reward as it is.",
            _integer_reward,
        ),
        Misconception(
            "the total is still cut",
            "The reward is right now, but the total from before loses its fraction on the way in.",
            _integer_total,
        ),
        Misconception(
            "integers on both branches",
            "Now both settings agree on the dtype, and on the wrong one: as an int32 the step "
            "reward of -0.01 becomes 0. The total is a float32.",
            _integers_throughout,
        ),
        Misconception(
            "sparse no longer matters",
            "The branch is gone, and its meaning with it: with sparse=True only a goal earns "
            "something.",
            _sparse_ignored,
        ),
        Misconception(
            "always sparse",
            "A step that reaches no goal never costs anything here. With sparse=False it earns "
            "-0.01.",
            _always_sparse,
        ),
        Misconception(
            "finished episodes earn",
            "active isn't looked at: a finished episode goes on earning.",
            _finished_earn,
        ),
        Misconception(
            "nothing is added up",
            "This is what the transition earned. The total from before has to be added.",
            _not_added,
        ),
    ),
    hints=(
        "Call it for both values of sparse and look at .dtype. Then try a goal_reward of 0.5.",
        "Two casts to int32 are the fault. What is left to say of the two settings without them?",
        "The settings differ in one number: the step reward is 0.0 if sparse else -0.01. The rest "
        "is the same for both.",
    ),
    why=("A cast at the end mends the dtype only: a goal_reward of 0.5 was cut to 0 before it."),
    gain="find a type that changes, before a scan refuses it",
    explanation=(
        "sparse is a plain Python bool, so an ordinary conditional may look at it while the "
        "function is traced. It only decides which number a step earns; everything after it is the "
        "same float32 arithmetic for both settings, and no value is cut to an integer."
    ),
    broken=broken_add_reward,
    witness=witness_case,
)
