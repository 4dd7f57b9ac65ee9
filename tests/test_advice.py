"""What is advised about an error: it names what is wrong and what to do next.

Every error is raised by the libraries themselves, so that a new version of theirs is noticed.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from gridroll import gridworld, policy
from gridroll.classroom.advice import RULES, advice
from gridroll.gridworld import State

V = jnp.arange(4.0)
ZERO = jnp.float32(0)
WORLD = gridworld.corridor()
KEYS = jax.random.split(jax.random.key(0), 3)
BATCH = State(jnp.zeros(3, jnp.int32), jnp.zeros(3, jnp.int32), jnp.zeros(3, bool))
ONE = State(jnp.int32(0), jnp.int32(0), jnp.bool_(False))


def error_of(function: Callable[[], Any]) -> Exception:
    try:
        function()
    except Exception as error:
        return error
    raise AssertionError("it should have raised")


def scan(body: Callable[..., Any], start: Any = ZERO) -> Callable[[], Any]:
    return lambda: lax.scan(body, start, V)


def unbound() -> Any:
    if anything is None:
        reward: Any = 1
    return reward


def none() -> Any:
    return None


def asserts() -> Any:
    assert WORLD is None


def endless() -> Any:
    return endless()


anything: Any = 3
world: Any = WORLD
text: Any = "a"
pair: Any = (1, 2)
triple: Any = (1, 2, 3)
flag: Any = np.bool_(True)
module: Any = jnp
loop: Any = lax.scan
gap: Any = ...
array: Any = V
record: Any = ONE


def unpacked(pair: Any) -> Any:
    first, second = pair
    return first, second


ADVISED: list[tuple[Callable[[], Any], str]] = [
    # scan: what its body returns, and what it is called with
    (scan(lambda c, x: c + x), "returns exactly two things, `return new_carry, output`"),
    (scan(lambda c, x: (c, x, x)), "Put several values into one tuple"),
    (scan(lambda c, x: None), "The body of the scan returns nothing"),
    (scan(lambda c, x: (x, x), jnp.int32(0)), "as int32 and comes out as float32. Start"),
    (scan(lambda c, x: (x, x), jnp.int32(0)), "`jnp.float32(0)`"),
    (scan(lambda c, x: (c + V, x)), "as float32[] and comes out as float32[4]"),
    (scan(lambda c, x: ((c, c), x)), "isn't built as what came in"),
    (scan(lambda c, x: (None, x)), "isn't built as what came in"),
    (lambda: lax.scan(lambda c, x: (c, c), V), "the start of the carry comes second"),
    (lambda: lax.scan(lambda c, x: (c, c), ZERO, 5.0), "what is walked along comes third"),
    (lambda: lax.scan(lambda c, x: (c, c), V, ZERO), "takes the start of the carry second"),
    (lambda: loop(ZERO, lambda c, x: (c, c), V), "takes the function first"),
    (lambda: lax.scan(lambda c, x: (c, c), ZERO, (V, V[:2])), "different lengths: 4, 2"),
    (lambda: lax.cond(jnp.bool_(True), lambda: 1, lambda: 2.0), "Both branches"),
    # one truth value
    (lambda: bool(V > 1), "Choose between two values with `jnp.where`"),
    (lambda: bool(np.arange(3) > 1), "combine flags with `&`, `|` and `~`"),
    (lambda: jax.jit(lambda x: 1 if x else 2)(True), "under jit an array's value is not"),
    # a batch where one environment belongs
    (
        lambda: gridworld.step(WORLD, BATCH, jnp.zeros(3, jnp.int32)),
        "`action` came in the shape (3,), as for a batch; the function takes one environment",
    ),
    (lambda: gridworld.step(WORLD, BATCH, jnp.int32(0)), "`state.position` came in the shape (3,)"),
    (lambda: gridworld.step(WORLD, ONE, jnp.zeros(3, jnp.int32)), "`jax.vmap(function, in_axes"),
    (
        lambda: policy.bernoulli.sample(jnp.zeros(4), jnp.zeros(3, jnp.int32), KEYS[0]),
        "`observation` came in the shape (3,)",
    ),
    (lambda: gridworld.reset(WORLD, KEYS), "Take one, `keys[0]`, or map over all of them"),
    (lambda: jax.random.randint(KEYS, (), 0, 3), "One key is wanted, and an array of keys came"),
    (lambda: jax.vmap(jnp.add)(V, V[:2]), "give 0 to what has one entry for each environment"),
    (lambda: jax.vmap(jnp.add)(V, ZERO), "In `in_axes`, give None to what all environments share"),
    (lambda: jax.vmap(jnp.add, in_axes=(0, 0, 0))(V, V), "3 entries and the call has 2 arguments"),
    # keys and draws
    (lambda: jax.random.key(KEYS[0]), "That is a key already"),
    (lambda: jax.random.randint(KEYS[0], (), 0, V), "`high` is how many entries there are"),
    # arrays
    (
        lambda: gridworld.make_world(
            next_position=np.zeros((2, 2)),
            goal=np.array([False, True]),
            wall=np.array([False, False]),
            starts=np.array([0]),
            columns=2,
            rules=(3, 0.0, 1.0),
        ),
        "`next_position` holds floats",
    ),
    (lambda: np.arange(6)[[3, 6]], "The index 6 was used where there are 6 entries"),
    (lambda: np.concatenate([V, V], axis=1), "The axis 1 was asked for and the array has 1"),
    (lambda: module.where(V > 1, V), "needs both values"),
    (lambda: unpacked(lambda: 1), "A function came where its result was wanted"),
    (lambda: loop(lambda c, x: (c, c), ZERO, V, V), "put several arrays into a tuple"),
    (lambda: array(2), "An array was called like a function"),
    (lambda: V + jnp.arange(3.0), "Print the `.shape` of both"),
    (lambda: np.arange(4) + np.arange(3), "Print the `.shape` of both"),
    (lambda: V[ZERO], "An index has to be a whole number"),
    (lambda: V[[0, 1]], "make an array of it, `jnp.array(...)`"),
    (lambda: -jnp.bool_(True), "`~` turns a flag round"),
    (lambda: -flag, "`~` turns a flag round"),
    (lambda: ~ZERO, "one of these is a float"),
    (lambda: list(ZERO), "it has no entries"),
    (lambda: BATCH.__setattr__("position", 1), "`record._replace(field=value)`"),
    (lambda: jax.jit(lambda n: jnp.zeros(n))(3), "Under jit every shape has to be known"),
    # Python
    (lambda: [a for a, b in [triple]], "Too many values: on the left stand 2 names"),
    (lambda: [a for a, b, c in [pair]], "Not enough values: on the left stand 3 names"),
    (lambda: none() + 1, "a function without a `return`"),
    (lambda: none().position, "does the function that made it end with a `return`"),
    (lambda: anything.astype(int), "This is a plain Python int and no array"),
    (lambda: record.pos, "no `pos` here: State(position, elapsed, done) has no other fields"),
    (lambda: anything.start, "nothing named `start`"),
    (lambda: anything(2), "an operator left out"),
    (lambda: module(), "A module was called"),
    (lambda: jnp.clip(gap, 0, 3), "A `...` of the scaffold is still there"),
    (lambda: {0: -1, 1: 1}[jnp.int32(1)], "can't be looked up in a dict"),
    (lambda: jnp.int32(1)[0], "takes no index"),
    (lambda: np.arange(3)[1, 2], "The number of axes is 1 and the number of indices 2"),
    (lambda: len(jnp.int32(1)), "asked for its length"),
    (lambda: np.arange(3)[text], "whole number, a slice or an array"),
    (lambda: module.clamp(3), "There is nothing named `clamp` here"),
    (lambda: record["position"], "A field of a record is read with a dot"),
    (lambda: world["goal"], "A field of a record is read with a dot"),
    (asserts, "An `assert` of yours failed"),
    (endless, "calls itself without end"),
    (unbound, "`reward` is read here before"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "part"), ADVISED, ids=[part for _, part in ADVISED])
def test_a_common_error_is_named_with_the_next_thing_to_do(
    function: Callable[[], Any], part: str
) -> None:
    error = error_of(function)
    assert part in advice(error, "line 2: ..."), (error, advice(error, "line 2: ..."))


def test_wrong_parameters_are_those_of_the_student_of_a_scan_or_of_what_is_called() -> None:
    def one(x: Any) -> Any:
        return x

    error = error_of(lambda: one(1, 2))  # type: ignore[call-arg]
    assert "not those that the scaffold gave it" in advice(error)
    assert "`def body(carry, x):`" in advice(error, "line 3: return jax.lax.scan(body, 0, xs)")
    assert "compare the call with its parameters" in advice(error, "line 3: return one(1, 2)")
    missing = error_of(lambda: State(jnp.int32(1)))  # type: ignore[call-arg]
    assert "compare the call with its parameters" in advice(missing, "line 3: return State(1)")


def test_an_error_of_no_known_kind_gets_no_advice() -> None:
    assert advice(ZeroDivisionError("division by zero"), "line 1: 1 / 0") == ""


def test_advice_is_sentences_and_every_group_that_it_uses_is_there() -> None:
    for rule in RULES:
        assert rule.text.endswith((".", "?"))
        assert len(rule.text) <= 330, rule.text
