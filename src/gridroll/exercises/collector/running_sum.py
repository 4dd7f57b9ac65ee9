"""`scan` alone: a running sum."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, source


def running_sum(values: jax.Array) -> jax.Array:
    """Sum the values up to and including each one.

    Args:
        values: (T,) float32.

    Returns:
        (T,) float32; entry t is values[0] + ... + values[t].
    """

    def add(total: jax.Array, value: jax.Array) -> tuple[jax.Array, jax.Array]:
        total = total + value
        return total, total

    _, sums = jax.lax.scan(add, jnp.zeros((), jnp.float32), values)
    return sums


SCAFFOLD = '''
def running_sum(values):
    """Sum the values up to and including each one, with `jax.lax.scan`.

    Args:
        values: (T,) float32.

    Returns:
        (T,) float32; entry t is values[0] + ... + values[t].
    """

    def add(total, value):
        # 1. The total after this value.
        # 2. Return two things: the carry for the next step, and what this step emits.
        ...

    # 3. Give scan the body, the carry to begin with (mind its dtype) and the values.
    _, sums = ...
    return sums
'''


def _emits_old(values: jax.Array) -> jax.Array:
    return jax.lax.scan(lambda total, v: (total + v, total), jnp.float32(0), values)[1]


def _integer_carry(values: jax.Array) -> jax.Array:
    return jax.lax.scan(lambda total, v: (total + v, total + v), jnp.int32(0), values)[1]


def _cast_to_integer(values: jax.Array) -> jax.Array:
    def add(total: jax.Array, v: jax.Array) -> tuple[jax.Array, jax.Array]:
        total = (total + v).astype(jnp.int32)
        return total, total

    return jax.lax.scan(add, jnp.int32(0), values)[1].astype(jnp.float32)


def _emits_value(values: jax.Array) -> jax.Array:
    return jax.lax.scan(lambda total, v: (total + v, v), jnp.float32(0), values)[1]


def _returns_carry(values: jax.Array) -> jax.Array:
    return jax.lax.scan(lambda total, v: (total + v, total + v), jnp.float32(0), values)[0]


def _generate(rng: np.random.Generator) -> Case:
    size = _fresh.sizes(rng, 9, least=4, most=20)[0] if rng.random() < 0.5 else 1
    return Case((floats(rng.normal(0, 100, size)),))


def _zeros(values: Any) -> jax.Array:
    return jnp.zeros_like(values)


RUNNING_SUM = Exercise(
    name="collector.running_sum",
    title="a running sum with scan",
    task="Write `running_sum(values)`: the sum of the values up to and including each one.",
    points=2,
    difficulty=2,
    reference=running_sum,
    answer=source(running_sum),
    scaffold=SCAFFOLD.lstrip(),
    visible=lambda: (Case((floats([2, 5, 11]),)), Case((floats([0.5, -1.5, 4]),))),
    generate=_generate,
    axes=("t",),
    eager=1,
    rules={"": "Entry t is the sum of the values 0 to t, both included."},
    misconceptions=(
        Misconception(
            "emits the old carry",
            "Each step emits the total from before its own value was added. The second thing that "
            "the body returns must be the new total.",
            _emits_old,
        ),
        Misconception(
            "integer carry",
            "The carry begins as an integer and comes out of the body as a float. scan refuses "
            "that: begin with a float32 zero, such as jnp.zeros((), jnp.float32).",
            _integer_carry,
            raises="carry.*int32.*float32",
        ),
        Misconception(
            "rounds to integers",
            "The total is cut to an integer in every step, so fractions are lost. The carry has to "
            "be float32 from the start; then nothing needs a cast.",
            _cast_to_integer,
        ),
        Misconception(
            "emits the value",
            "Each step emits the value itself, so nothing is summed in what comes back. The body "
            "returns (carry, output): both are the new total here.",
            _emits_value,
        ),
        Misconception(
            "returns the carry",
            "scan returns two things: the last carry, then everything that was emitted. This is "
            "the last carry, one number; the running sums are the second.",
            _returns_carry,
        ),
        Misconception(
            "constant", "The answer is 0 whatever the values are: nothing is added.", _zeros
        ),
    ),
    hints=(
        "The body gets the carry (the total so far) and one value. What does it have to hand on?",
        "The body returns a pair. First the new carry, second what to emit; here they are equal.",
        "total = total + value; return total, total. Begin with jnp.zeros((), jnp.float32).",
    ),
    why="Emitting the old carry would give 0 first and lose the last value: 0, 2, 7 for 2, 5, 11.",
    gain="thread a carry through scan and collect what each step emits",
    explanation=(
        "The carry is the total. Each step adds its value, hands the new total on and emits it. "
        "The carry begins as float32 because it comes out as float32."
    ),
)
