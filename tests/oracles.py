"""Slow right answers: plain Python that walks the characters of a map, one step at a time.

Nothing here imports gridroll or uses an array to find an answer. Where it must match random
draws it calls jax.random once per draw, in the order in which the key protocol is written down.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import jax

UP, RIGHT, DOWN, LEFT = (-1, 0), (0, 1), (1, 0), (0, -1)


@dataclass(frozen=True)
class SlowWorld:
    """A map as text, and the moves that its actions 0, 1, ... make as (rows, columns)."""

    text: str
    horizon: int
    step_reward: float = -0.01
    goal_reward: float = 1.0
    moves: tuple[tuple[int, int], ...] = (UP, RIGHT, DOWN, LEFT)

    @property
    def rows(self) -> list[str]:
        return self.text.split("\n")

    def cells(self, character: str) -> list[int]:
        """Return the positions that hold `character`, counted row by row."""
        found, position = [], 0
        for row in self.rows:
            for cell in row:
                if cell == character:
                    found.append(position)
                position += 1
        return found

    def at(self, position: int) -> str:
        return self.text.replace("\n", "")[position]

    def move(self, position: int, action: int) -> int:
        """Return where `action` leads; walls, edges and the goal let nobody go on."""
        if self.at(position) in "#G":
            return position
        row = column = -1
        counted = 0
        for r, line in enumerate(self.rows):
            for c in range(len(line)):
                if counted == position:
                    row, column = r, c
                counted += 1
        clipped = min(max(action, 0), len(self.moves) - 1)
        new_row, new_column = row + self.moves[clipped][0], column + self.moves[clipped][1]
        if new_row < 0 or new_row >= len(self.rows):
            return position
        if new_column < 0 or new_column >= len(self.rows[new_row]):
            return position
        if self.rows[new_row][new_column] == "#":
            return position
        return sum(len(line) for line in self.rows[:new_row]) + new_column


def slow_corridor(
    length: int = 4, horizon: int = 8, step_reward: float = -0.01, goal_reward: float = 1.0
) -> SlowWorld:
    """Return the corridor: starts on the two cells at the left end, goal at the right end."""
    text = "SS" + "." * (length - 3) + "G"
    return SlowWorld(text, horizon, step_reward, goal_reward, (LEFT, RIGHT))


@dataclass(frozen=True)
class SlowState:
    """Where one environment stands."""

    position: int
    elapsed: int = 0
    done: bool = False


@dataclass(frozen=True)
class Row:
    """One transition of one environment."""

    observation: int
    action: int
    reward: float
    active: bool
    terminated: bool
    truncated: bool


def slow_step(world: SlowWorld, state: SlowState, action: int) -> tuple[SlowState, Row]:
    """Make one transition by the rules of the course, with branches."""
    if state.done:
        return state, Row(state.position, action, 0.0, False, False, False)
    position = world.move(state.position, action)
    elapsed = state.elapsed + 1
    if world.at(position) == "G":
        row = Row(state.position, action, world.goal_reward, True, True, False)
        return SlowState(position, elapsed, True), row
    if elapsed >= world.horizon:
        row = Row(state.position, action, world.step_reward, True, False, True)
        return SlowState(position, elapsed, True), row
    row = Row(state.position, action, world.step_reward, True, False, False)
    return SlowState(position, elapsed, False), row


def replay(
    world: SlowWorld, starts: Sequence[SlowState], actions: Sequence[Sequence[int]]
) -> tuple[list[SlowState], list[list[Row]]]:
    """Walk every environment through its column of `actions` (T, B).

    Returns the final states (B) and the rows (T, B).
    """
    finals, columns = [], []
    for b, state in enumerate(starts):
        column = []
        for row_of_actions in actions:
            state, row = slow_step(world, state, int(row_of_actions[b]))
            column.append(row)
        finals.append(state)
        columns.append(column)
    return finals, [[column[t] for column in columns] for t in range(len(actions))]


def column_of(rows: list[list[Row]], field: str) -> list[list[Any]]:
    """Return one field of the rows, (T, B)."""
    return [[getattr(row, field) for row in line] for line in rows]


def protocol_keys(
    key: jax.Array, num_envs: int, num_steps: int
) -> tuple[list[jax.Array], list[list[jax.Array]]]:
    """Return the reset keys [b] and the step keys [t][b], one split after another."""
    reset_key, action_key = jax.random.split(key)
    reset_split = jax.random.split(reset_key, num_envs)
    reset_keys = [reset_split[b] for b in range(num_envs)]
    step_split = jax.random.split(action_key, num_steps)
    step_keys = []
    for t in range(num_steps):
        env_split = jax.random.split(step_split[t], num_envs)
        step_keys.append([env_split[b] for b in range(num_envs)])
    return reset_keys, step_keys


def slow_rollout(
    world: SlowWorld,
    theta: Any,
    key: jax.Array,
    num_envs: int,
    num_steps: int,
    softmax: bool = False,
) -> tuple[list[SlowState], list[list[Row]]]:
    """Collect a rollout by the key protocol, one environment and one draw at a time."""
    starts = world.cells("S")
    reset_keys, step_keys = protocol_keys(key, num_envs, num_steps)
    finals, columns = [], []
    for b in range(num_envs):
        state = SlowState(starts[int(jax.random.randint(reset_keys[b], (), 0, len(starts)))])
        column = []
        for t in range(num_steps):
            logits = theta[state.position]
            if softmax:
                action = int(jax.random.categorical(step_keys[t][b], logits))
            else:
                action = int(jax.random.bernoulli(step_keys[t][b], jax.nn.sigmoid(logits)))
            state, row = slow_step(world, state, action)
            column.append(row)
        finals.append(state)
        columns.append(column)
    return finals, [[column[t] for column in columns] for t in range(num_steps)]


def log_sigmoid(x: float) -> float:
    """Return log(1 / (1 + exp(-x))) without overflow on either side."""
    return -math.log1p(math.exp(-x)) if x >= 0 else x - math.log1p(math.exp(x))


def sigmoid(x: float) -> float:
    """Return 1 / (1 + exp(-x)) with full relative accuracy on either side."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def log_softmax(logits: Sequence[float]) -> list[float]:
    """Return log(exp(x_i) / sum(exp(x_j))), shifted by the largest."""
    top = max(logits)
    total = math.log(math.fsum(math.exp(x - top) for x in logits))
    return [x - top - total for x in logits]


def slow_returns(rewards: Sequence[Any], gamma: Any) -> list[Any]:
    """Return sum over u >= t of gamma ** (u - t) * rewards[u], for each t, by a double loop."""
    sums = []
    for t in range(len(rewards)):
        total, weight = Fraction(0), Fraction(1)
        for u in range(t, len(rewards)):
            total += weight * Fraction(rewards[u])
            weight *= Fraction(gamma)
        sums.append(total)
    return sums


def exact_return(goals: int, steps: int, episodes: int) -> Fraction:
    """Return the mean return of `episodes` with `goals` goals among `steps` active steps."""
    return (Fraction(goals) - Fraction(1, 100) * (steps - goals)) / episodes
