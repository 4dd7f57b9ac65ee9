"""Lesson 05: the answer key against two other sources, FrozenLake's table and a large rollout."""

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll import collector, gridworld, planning, returns
from gridroll.policy import softmax

# FrozenLake ------------------------------------------------------------------------------
#
# The maps and the rule of Gymnasium's FrozenLake-v1, not slippery, written out again here: the
# table holds what its `env.unwrapped.P` holds, (probability, next position, reward, terminated).
#
# A hole ends an episode with reward 0, and no ending of a Gridworld can do that, since a goal pays
# `goal_reward`. So a hole becomes a trap: a cell that every action leads back to. With a step
# reward of 0 it earns as little as a finished episode, so every value is the same. The chance of
# being active is the same outside the holes; in a trap it is that of having fallen in before.

LAKES = {
    "4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
    "8x8": [
        "SFFFFFFF",
        "FFFFFFFF",
        "FFFHFFFF",
        "FFFFFHFF",
        "FFFHFFFF",
        "FHHFFFHF",
        "FHFFHFHF",
        "FFFHFFFG",
    ],
}
SHORTEST = {"4x4": 6, "8x8": 14}  # moves down and right only: 3 + 3 and 7 + 7
DISPLACEMENTS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # left, down, right, up = 0, 1, 2, 3

Outcomes = list[tuple[float, int, float, bool]]


def frozen_lake(rows: list[str]) -> list[list[Outcomes]]:
    """Return P[position][action], by FrozenLake's rule."""
    size = len(rows)
    table: list[list[Outcomes]] = []
    for row in range(size):
        for column in range(size):
            here = row * size + column
            actions: list[Outcomes] = []
            for down, right in DISPLACEMENTS:
                if rows[row][column] in "GH":
                    actions.append([(1.0, here, 0.0, True)])
                    continue
                to_row = min(max(row + down, 0), size - 1)
                to_column = min(max(column + right, 0), size - 1)
                letter = rows[to_row][to_column]
                to = to_row * size + to_column
                actions.append([(1.0, to, float(letter == "G"), letter in "GH")])
            table.append(actions)
    return table


def trapped(rows: list[str], horizon: int) -> Any:
    """Return the Gridworld of a lake, its holes made traps, its actions in FrozenLake's order."""
    letters = np.array(list("".join(rows)))
    leads = [[outcomes[0][1] for outcomes in actions] for actions in frozen_lake(rows)]
    return gridworld.make_world(
        next_position=np.array(leads),
        goal=letters == "G",
        wall=np.zeros(letters.size, bool),
        starts=np.flatnonzero(letters == "S"),
        columns=len(rows),
        rules=(horizon, 0.0, 1.0),
    )


def leaning(num_cells: int) -> np.ndarray:
    """Return a policy that leans down and right, differently in each cell."""
    cell, action = np.arange(num_cells)[:, None], np.arange(4)[None, :]
    weight = 1.0 + (cell + action) % 3 + 3 * ((action == 1) | (action == 2))
    return weight / weight.sum(axis=1, keepdims=True)


def backwards(table: list[list[Outcomes]], num_steps: int, choose: Any) -> list[list[float]]:
    """Return the value [t][s] by loops over the table; `choose(s, values)` sums up the actions."""
    value = [[0.0] * len(table)]
    for _ in range(num_steps):
        later, now = value[0], []
        for s, actions in enumerate(table):
            worth = []
            for outcomes in actions:
                parts = [p * (r + (0 if over else later[to])) for p, to, r, over in outcomes]
                worth.append(sum(parts))
            now.append(choose(s, worth))
        value.insert(0, now)
    return value


@pytest.mark.parametrize("name", LAKES)
def test_values_on_frozen_lake_equal_those_of_its_own_table(name: str) -> None:
    rows, num_steps = LAKES[name], 20
    policy, table = leaning(len(rows) ** 2), frozen_lake(rows)
    wanted = backwards(table, num_steps, lambda s, values: float(np.dot(policy[s], values)))
    got = np.asarray(planning.policy_value(trapped(rows, num_steps), policy, num_steps))
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-7)
    assert got[0, 0] > 1e-3
    mean_return = planning.expected_return(trapped(rows, num_steps), policy, num_steps)
    assert float(mean_return) == pytest.approx(wanted[0][0], rel=1e-5)


@pytest.mark.parametrize("name", LAKES)
def test_the_optimum_on_frozen_lake_equals_that_of_its_own_table(name: str) -> None:
    rows, num_steps, table = LAKES[name], 20, frozen_lake(LAKES[name])
    wanted = backwards(table, num_steps, lambda s, values: max(values))
    value, action = planning.optimal(trapped(rows, num_steps), num_steps)
    assert np.asarray(value).tolist() == wanted
    assert wanted[num_steps - SHORTEST[name]][0] == 1
    assert wanted[num_steps - SHORTEST[name] + 1][0] == 0
    # Its actions, taken on FrozenLake's table, reach the goal.
    here, over, t, total = 0, False, 0, 0.0
    while not over:
        [(_, here, reward, over)] = table[here][int(action[t, here])]
        t, total = t + 1, total + reward
    assert total == 1


@pytest.mark.parametrize("name", LAKES)
def test_occupancy_on_frozen_lake_equals_that_of_its_own_table(name: str) -> None:
    rows, num_steps, table = LAKES[name], 20, frozen_lake(LAKES[name])
    policy, letters = leaning(len(rows) ** 2), "".join(rows)
    chance, fallen = np.eye(len(table))[0], np.zeros(len(table))
    got = np.asarray(planning.occupancy(trapped(rows, num_steps), policy, num_steps))
    for t in range(num_steps):
        holes = np.array([letter == "H" for letter in letters])
        np.testing.assert_allclose(got[t], np.where(holes, fallen, chance), rtol=1e-5, atol=1e-7)
        arriving = np.zeros(len(table))
        for s, actions in enumerate(table):
            for a, [(p, to, _, over)] in enumerate(actions):
                if over and letters[to] == "H" and to != s:
                    fallen[to] += chance[s] * policy[s, a] * p
                elif not over:
                    arriving[to] += chance[s] * policy[s, a] * p
        chance = arriving


def test_holes_as_walls_leave_the_optimum_of_a_lake_as_it_is() -> None:
    # A second mapping, by the map itself: who wants the goal enters neither a hole nor a wall.
    rows, num_steps = LAKES["4x4"], 20
    text = "\n".join(rows).replace("F", ".").replace("H", "#")
    walled = gridworld.from_map(text, num_steps, step_reward=0.0)
    value = planning.optimal(walled, num_steps)[0]
    wanted = np.array(backwards(frozen_lake(rows), num_steps, lambda s, values: max(values)))
    free = np.array([letter in "SFG" for letter in "".join(rows)])
    assert np.array_equal(value[:, free], wanted[:, free])


# A rollout -------------------------------------------------------------------------------


def test_a_large_rollout_agrees_within_five_standard_errors() -> None:
    # Each bound of five standard errors fails by chance once in a million; the key is fixed. One
    # start is listed twice and one is a goal; the horizon ends episodes before the rows do.
    world = gridworld.from_map("S.#.\n..GS", horizon=6)
    world = dataclasses.replace(world, starts=jnp.int32([0, 0, 7, 6]))
    theta = jnp.sin(jnp.arange(32.0)).reshape(8, 4)
    num_envs, num_steps = 2**15, 8
    _, rows = collector.rollout(
        world, softmax, theta, jax.random.key(0), num_envs=num_envs, num_steps=num_steps
    )
    probabilities = softmax.probabilities(theta)
    wanted = planning.expected_return(world, probabilities, num_steps)
    found = returns.episode_statistics(rows)
    assert float(found.standard_error) < 0.004
    assert abs(found.mean_return - wanted) < 5 * found.standard_error

    chance = np.asarray(planning.occupancy(world, probabilities, num_steps))
    active, observation = np.asarray(rows.active), np.asarray(rows.observation)
    for t in range(num_steps):
        seen = np.bincount(observation[t][active[t]], minlength=8) / num_envs
        bound = 5 * np.sqrt(chance[t] * (1 - chance[t]) / num_envs) + 1e-6
        assert np.all(np.abs(seen - chance[t]) <= bound), t
    # Lengths of 1 to 6 deviate by less than 3.
    assert abs(float(found.mean_length) - chance.sum()) < 5 * 3 / math.sqrt(num_envs)
