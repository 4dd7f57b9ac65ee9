"""The arithmetic of the corridor: where a move leads."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import gridworld
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import integers, source


def move(position: jax.Array, action: jax.Array, length: int) -> jax.Array:
    """The cell that a move leads to in a corridor; at both ends you bump and stay.

    Args:
        position: () int32, a cell from 0 to length - 1.
        action: () int32, 0 for left and 1 for right.
        length: the number of cells.

    Returns:
        () int32.
    """
    displacement = 2 * action - 1  # -1 for left, 1 for right
    return jnp.clip(position + displacement, 0, length - 1)


SCAFFOLD = '''
def move(position, action, length):
    """The cell that a move leads to in a corridor; at both ends you bump and stay.

    Args:
        position: () int32, a cell from 0 to length - 1.
        action: () int32, 0 for left and 1 for right.
        length: the number of cells.

    Returns:
        () int32.
    """
    # 1. By how many cells does the action displace you? The action itself is 0 or 1.
    # 2. Add that to the position, and keep the sum inside the corridor (jnp.clip).
    return ...
'''


def _unclipped(position: Any, action: Any, length: int) -> jax.Array:
    return position + 2 * action - 1


def _clipped_below(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.maximum(position + 2 * action - 1, 0)


def _clipped_above(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.minimum(position + 2 * action - 1, length - 1)


def _action_as_displacement(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.clip(position + action, 0, length - 1)


def _clipped_at_length(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.clip(position + 2 * action - 1, 0, length)


def _left_and_right_exchanged(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.clip(position + 1 - 2 * action, 0, length - 1)


def _wraps(position: Any, action: Any, length: int) -> jax.Array:
    return (position + 2 * action - 1) % length


def _four_cells(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.clip(position + 2 * action - 1, 0, 3)


def _as_float(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.clip(position + (action - 0.5) * 2, 0, length - 1)


def _stays(position: Any, action: Any, length: int) -> jax.Array:
    return position


def _zero(position: Any, action: Any, length: int) -> jax.Array:
    return jnp.zeros_like(position)


def _visible() -> tuple[Case, ...]:
    triples = [(0, 0, 4), (3, 1, 4), (1, 1, 4), (2, 0, 4), (3, 1, 7), (6, 1, 7)]
    return tuple(Case((integers(s), integers(a), length)) for s, a, length in triples)


def _generate(rng: np.random.Generator) -> Case:
    (length,) = _fresh.sizes(rng, 12, least=5, most=40)
    inner, end = int(rng.integers(length)), int(rng.choice([0, length - 1]))
    position = inner if rng.random() < 0.5 else end
    return Case((integers(position), integers(rng.integers(2)), length))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    position, action, length = int(case.args[0]), int(case.args[1]), case.args[2]
    places = {
        "moves left from cell 0": position == 0 and action == 0,
        "moves right from the last cell": position == length - 1 and action == 1,
        "bumps, moves against an end": int(expected) == position,
        "moves to the left": action == 0,
        "moves to the right": action == 1,
    }
    return {name: np.asarray(holds) for name, holds in places.items()}


MOVE = Exercise(
    name="gridworld.move",
    title="one move",
    task="Write `move(position, action, length)`: the cell that a move in the corridor leads to.",
    points=1,
    difficulty=1,
    reference=move,
    parts=(gridworld.corridor, gridworld.from_map, gridworld.step),
    answer=source(move),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    jit_from=6,  # the fresh cases have one length, a program less than these
    regions=_regions,
    rules={
        "": "Left (0) leads to position - 1 and right (1) to position + 1; at cell 0 and at cell "
        "length - 1 a move outwards stays where it is."
    },
    misconceptions=(
        Misconception("constant", "Every move leads to cell 0.", _zero),
        Misconception(
            "no clipping",
            "At an end of the corridor the move leads outside: cell -1, or cell length. An array "
            "index out of range raises no error in JAX, so such a position would go unnoticed. "
            "Keep it between 0 and length - 1.",
            _unclipped,
            also=(_clipped_above,),
        ),
        Misconception(
            "action taken for displacement",
            "The action is added as it is, so left (0) stays and nobody ever moves left. The "
            "displacement is -1 for action 0 and +1 for action 1.",
            _action_as_displacement,
        ),
        Misconception(
            "clipped one cell too late",
            "The last of `length` cells has the number length - 1, because cells are counted from "
            "0. Here a move right from it leads to cell `length`. An index out of range raises no "
            "error in JAX, so that would go unnoticed.",
            _clipped_at_length,
            also=(_clipped_below,),
        ),
        Misconception(
            "left and right exchanged",
            "The moves go the other way: 0 is left, towards cell 0, and 1 is right.",
            _left_and_right_exchanged,
        ),
        Misconception(
            "wraps round",
            "A move outwards comes in again at the other end. This corridor is no ring: at an end "
            "you stay.",
            _wraps,
        ),
        Misconception(
            "always four cells",
            "The corridor is as long as `length` says; here it ends at cell 3 every time.",
            _four_cells,
        ),
        Misconception(
            "a floating-point cell",
            "The value is right, but it is a float32. A position is used as an index, so it has to "
            "stay an int32: compute with whole numbers only.",
            _as_float,
        ),
        Misconception("nobody moves", "The position comes back as it went in.", _stays),
    ),
    hints=(
        "Write the four cases down: left and right, from cell 0 and from the last cell.",
        "2 * action - 1 is -1 for action 0 and 1 for action 1.",
        "jnp.clip(position + 2 * action - 1, 0, length - 1).",
    ),
    why="Without the clip, left from cell 0 leads to cell -1, and JAX doesn't complain.",
    gain="write a move without an if",
    explanation=(
        "2 * action - 1 turns the action 0 or 1 into the displacement -1 or 1. jnp.clip keeps the "
        "sum between the first cell, 0, and the last one, length - 1: a bump is a move that was "
        "clipped."
    ),
)
