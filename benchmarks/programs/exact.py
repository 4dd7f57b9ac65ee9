"""Exact planning in an open square map, with the uniform policy."""

import math

import jax
import jax.numpy as jnp

from benchmarks.programs import Program
from gridroll import planning
from gridroll.gridworld import Gridworld, from_map
from gridroll.policy import softmax


def square(num_cells: int, num_steps: int) -> Gridworld:
    """An open map of this many cells, a square number, with start and goal in its corners."""
    side = math.isqrt(num_cells)
    cells = "S" + "." * (side * side - 2) + "G"
    rows = [cells[row * side : (row + 1) * side] for row in range(side)]
    return from_map("\n".join(rows), horizon=num_steps)


def make(num_cells: int, num_steps: int, function: str) -> Program:
    """One call of a function of `planning`; each cell at each time counts as a transition."""
    world, answer = square(num_cells, num_steps), getattr(planning, function)
    probabilities = softmax.probabilities(jnp.zeros(softmax.parameter_shape(world)))

    def call() -> object:
        return jax.block_until_ready(answer(world, probabilities, num_steps))

    return Program(call, num_cells * num_steps)
