"""Where an episode starts: one draw among the start cells."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.gridworld import starts
from gridroll.gridworld import Gridworld, State, from_map

SCAFFOLD = '''
def reset(world, key):
    """Start an episode on one of the start cells, each equally likely.

    Args:
        world: the rules; world.starts holds the K start cells, (K,) int32.
        key: () typed key; it is used up here.

    Returns:
        State with position () int32, elapsed () int32 = 0, done () bool = False.
    """
    # 1. Draw which of the K start cells it is: jax.random.randint(key, (), low, high) draws one
    #    whole number from low to high - 1.
    # 2. Look that start cell up.
    # 3. Return the State, every leaf in its dtype.
    return ...
'''


def replay(case: Case, got: Any) -> Any:
    """The state that belongs to the start cell that was drawn, or a fault if it is none."""
    cells = sorted(set(np.asarray(case.args[0].starts).tolist()))
    position = int(starts.position_of(got))
    if position not in cells:
        return Fault(
            "The episode doesn't begin on a start cell.",
            where="position",
            got=str(position),
            expected=f"one of the start cells {cells}",
            rule="world.starts lists the cells that an episode may start on.",
        )
    return _state(position)


def _state(position: Any, elapsed: int = 0, done: bool = False) -> State:
    return State(jnp.asarray(position, jnp.int32), jnp.int32(elapsed), jnp.bool_(done))


def _drawn(world: Gridworld, key: Any) -> jax.Array:
    return jax.random.randint(key, (), 0, world.starts.shape[0])


def _right(world: Gridworld, key: Any) -> State:
    """A right reset, for the mistakes that change it."""
    return State(world.starts[_drawn(world, key)], jnp.int32(0), jnp.bool_(False))


def _zero(world: Gridworld, key: Any) -> State:
    return State(jnp.int32(0), jnp.int32(0), jnp.bool_(False))


def _index(world: Gridworld, key: Any) -> State:
    return State(_drawn(world, key), jnp.int32(0), jnp.bool_(False))


def _zero_or_one(world: Gridworld, key: Any) -> State:
    return State(jax.random.randint(key, (), 0, 2), jnp.int32(0), jnp.bool_(False))


def _index_replayed(case: Case, got: Any) -> State:
    drawn = min(int(starts.position_of(got)), len(case.args[0].starts) - 1)
    return _state(drawn)


def _any_cell(world: Gridworld, key: Any) -> State:
    cell = jax.random.randint(key, (), 0, world.goal.shape[0])
    return State(cell, jnp.int32(0), jnp.bool_(False))


def _begins_at_one(world: Gridworld, key: Any) -> State:
    return _right(world, key)._replace(elapsed=jnp.int32(1))


def _begins_done(world: Gridworld, key: Any) -> State:
    return _right(world, key)._replace(done=jnp.bool_(True))


def _done_as_zero(world: Gridworld, key: Any) -> State:
    return _right(world, key)._replace(done=jnp.int32(0))


def _elapsed_as_float(world: Gridworld, key: Any) -> State:
    return _right(world, key)._replace(elapsed=jnp.float32(0))


def _position_as_float(world: Gridworld, key: Any) -> State:
    state = _right(world, key)
    return state._replace(position=state.position.astype(jnp.float32))


def _position_as_array(world: Gridworld, key: Any) -> State:
    start = world.starts[jax.random.randint(key, (1,), 0, world.starts.shape[0])]
    return State(start, jnp.int32(0), jnp.bool_(False))


def _plain_tuple(world: Gridworld, key: Any) -> Any:
    return tuple(_right(world, key))


def _visible() -> tuple[Case, ...]:
    # One size for all worlds: one program to compile.
    spread = from_map("..#S\nS..G\n.S..", horizon=9)
    turned = from_map("..#.\nG..S\n.S.S", horizon=5)
    worlds = (spread, spread, spread, turned)
    return tuple(Case((world, jax.random.key(seed))) for seed, world in enumerate(worlds))


def _generate(rng: np.random.Generator) -> Case:
    return Case((starts.small_world(rng), _fresh.keys(rng, 1)[0]))


RESET = Exercise(
    name="gridworld.reset",
    title="where an episode starts",
    task=(
        "Write `reset(world, key)`, which draws one of the start cells, each equally likely, in "
        "any way that depends on the key alone."
    ),
    points=2,
    difficulty=2,
    reference=gridworld.reset,
    answer=source(gridworld.reset),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    eager=3,
    replay=replay,
    properties=(Property("starts", starts.are_uniform),),
    rules={
        "position": "The position is one of world.starts, as () int32.",
        "elapsed": "A new episode has taken no step: elapsed is 0, as () int32.",
        "done": "A new episode is running: done is False, as () bool.",
        "": "reset returns a State(position, elapsed, done).",
    },
    misconceptions=(
        Misconception(
            "constant",
            "Every episode starts on cell 0, whether or not that is a start cell.",
            _zero,
            replay=lambda case, got: _state(0),
        ),
        Misconception(
            "the index taken for the cell",
            "The number that was drawn counts the start cells: 0 is the first of them. It is an "
            "index. The cell itself is world.starts[index].",
            _index,
            also=(_zero_or_one,),
            replay=_index_replayed,
        ),
        Misconception(
            "any cell",
            "The start isn't looked up in world.starts, so it can be any cell, a goal or a wall "
            "too. Draw an index from 0 to K - 1 and take the cell that stands there.",
            _any_cell,
            replay=lambda case, got: _state(starts.position_of(got)),
        ),
        Misconception(
            "elapsed begins at 1",
            "The count begins at 1, so an episode would have one step less than the horizon.",
            _begins_at_one,
            replay=lambda case, got: _state(starts.position_of(got), elapsed=1),
        ),
        Misconception(
            "begins finished",
            "A new episode is marked as done, so no step would ever move it.",
            _begins_done,
            replay=lambda case, got: _state(starts.position_of(got), done=True),
        ),
        Misconception(
            "done as a number",
            "done is 0 and should be False: a bool. From an int32 the first step would return a "
            "bool, and ~done of the integer 0 is -1.",
            _done_as_zero,
        ),
        Misconception(
            "elapsed as a float",
            "elapsed is 0.0, a float32. A count is an int32, from the reset on.",
            _elapsed_as_float,
        ),
        Misconception(
            "position as a float",
            "The position is a float32. It is the number of a cell and used as an index: int32.",
            _position_as_float,
        ),
        Misconception(
            "an array of one start",
            "The position has the shape (1,): an array with one entry. One environment has a "
            "position of shape (), which is what randint(key, (), ...) draws.",
            _position_as_array,
        ),
        Misconception(
            "a plain tuple",
            "The three values are right, but without their names. Return State(position, elapsed, "
            "done).",
            _plain_tuple,
        ),
        *starts.MISCONCEPTIONS,
    ),
    hints=(
        "There are K = world.starts.shape[0] start cells. Draw one of the numbers 0 to K - 1.",
        "high isn't drawn: jax.random.randint(key, (), 0, K). The result is an index into "
        "world.starts.",
        "State(world.starts[index], jnp.zeros((), jnp.int32), jnp.zeros((), jnp.bool_)).",
    ),
    why="randint's upper end isn't drawn: with K - 1 there, the last start would never come.",
    gain="begin an episode from a key, the same one again whenever you like",
    explanation=(
        "randint draws an index among the K start cells, each equally likely, and world.starts "
        "turns it into a cell. The other two leaves are 0 and False in the dtypes that every later "
        "step keeps."
    ),
)
