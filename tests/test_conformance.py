"""Every world of the project keeps the contract of lesson 01."""

from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from conformance import Environment, EnvironmentConformance

from gridroll.gridworld import Gridworld, State, corridor, from_map, reset, step


def of_world(name: str, world: Gridworld, num_actions: int, horizon: int) -> Environment:
    return Environment(
        name,
        lambda key: reset(world, key),
        lambda state, action: step(world, state, action),
        num_actions,
        horizon,
    )


@cache
def of_corridor(length: int, horizon: int) -> Environment:
    return of_world("corridor", corridor(length, horizon), 2, horizon)


class TestCorridor(EnvironmentConformance):
    sizes = ((3, 1), (3, 2), (4, 8), (6, 13))

    @pytest.fixture(params=sizes, ids=lambda size: f"length{size[0]}-horizon{size[1]}")
    def environment(self, request: pytest.FixtureRequest) -> Environment:
        return of_corridor(*request.param)


MAPS = {
    "walls": ("S.#\n..G", 20),
    "column": ("G\n.\nS", 5),
    "several-goals-and-starts": ("S#G.\n..SG\nS.#.", 7),
    "no-way-through": ("S#G", 3),
    "one-transition": ("SG\nS.", 1),
}


@cache
def of_map(name: str) -> Environment:
    text, horizon = MAPS[name]
    return of_world(name, from_map(text, horizon=horizon), 4, horizon)


class TestMap(EnvironmentConformance):
    @pytest.fixture(params=MAPS, ids=str)
    def environment(self, request: pytest.FixtureRequest) -> Environment:
        return of_map(request.param)


@cache
def of_stack(row: int) -> Environment:
    """Return one row of two worlds of one size that are stacked and mapped over."""
    worlds = [
        from_map("S.#\n.SG", horizon=5),
        from_map("SG.\n#.S", horizon=9, step_reward=-1, goal_reward=3),
    ]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *worlds)

    @jax.jit
    def reset_row(key: jax.Array) -> State:
        states = jax.vmap(reset, in_axes=(0, None))(stacked, key)
        return jax.tree.map(lambda leaf: leaf[row], states)

    @jax.jit
    def step_all(state: State, action: jax.Array) -> Any:
        outcome = jax.vmap(step, in_axes=(0, None, None))(stacked, state, action)
        return jax.tree.map(lambda leaf: leaf[row], outcome)

    def step_row(state: State, action: Any) -> Any:
        return step_all(state, jnp.asarray(action, jnp.int32))

    return Environment("stacked", reset_row, step_row, 4, (5, 9)[row])


class TestStackedWorlds(EnvironmentConformance):
    # The step inside a vmap sees tracers, also when it is called outside jit, so it clips.
    test_actions_outside_jit_are_refused_out_of_range = None  # type: ignore[assignment]

    @pytest.fixture(params=[0, 1])
    def environment(self, request: pytest.FixtureRequest) -> Environment:
        return of_stack(request.param)
