"""What should follow a collector's own starts and actions, and the rule that each field follows."""

from typing import Any

import jax
import numpy as np

from gridroll.classroom.exercise import Case, Fault
from gridroll.collector import Trajectory
from gridroll.gridworld import Gridworld, State

RULES = {
    "observation": "observation is the position BEFORE the step.",
    "action": "action is what policy.sample drew for this environment in this step.",
    "reward": "reward is what step paid: once for the ending transition, 0 in the padding.",
    "active": "active is taken from the state BEFORE the step: the ending transition counts.",
    "terminated": "terminated marks the one transition that reaches a goal.",
    "truncated": "truncated marks the last transition allowed, if no goal was reached on it.",
    "log_prob": "log_prob is policy.log_prob of the recorded action at the recorded observation; "
    "in the padding it may be anything.",
    "position": "The final state is the carry after the last step; a finished one has stayed.",
    "elapsed": "The final state counts the active transitions of its episode.",
    "done": "The final state is done if its episode has ended.",
}


def replay(case: Case, got: tuple[State, Trajectory], carry: bool = True) -> Any:
    """What the contract says of the student's own starts and actions, in a slow loop.

    Without `carry` every row begins at the start again: the mistake of handing on the old state.
    """
    world, used, theta = case.args[:3]
    trajectory = got[1]
    start, action = np.asarray(trajectory.observation)[0], np.asarray(trajectory.action)
    fault = _impossible(world, start, action)
    if fault is not None:
        return fault
    table, goal = np.asarray(world.next_position), np.asarray(world.goal)
    position, elapsed, done = start, np.zeros_like(start), np.zeros(start.shape, bool)
    rows = []
    for taken in action:
        active = ~done
        landed = np.where(active, table[position, taken], position)
        counted = elapsed + active
        terminated = active & goal[landed]
        truncated = active & ~terminated & (counted >= int(world.horizon))
        earned = np.where(terminated, world.goal_reward, world.step_reward)
        reward = np.where(active, earned, 0).astype(np.float32)
        rows.append((position, taken, reward, active, terminated, truncated))
        if carry:
            position, elapsed, done = landed, counted, done | terminated | truncated
    columns = [np.stack(column) for column in zip(*rows, strict=True)]
    log_prob = np.asarray(jax.jit(used.log_prob)(theta, columns[0], columns[1]))
    recorded = np.asarray(trajectory.log_prob)
    log_prob = np.where(columns[3], log_prob, recorded)  # padding may hold anything
    final: Any = (position, elapsed.astype(np.int32), done)
    record: Any = (*columns, log_prob)
    return State(*final), Trajectory(*record)


def _impossible(world: Gridworld, start: np.ndarray, action: np.ndarray) -> Fault | None:
    """Starts and actions that no right answer can have."""
    starts = np.asarray(world.starts)
    elsewhere = ~np.isin(start, starts)
    if elsewhere.any():
        b = int(np.argmax(elsewhere))
        return Fault(
            "An episode doesn't begin on a start cell.",
            where=f"trajectory.observation[t=0, b={b}]",
            got=str(start[b]),
            expected=f"one of the start cells {sorted(set(starts.tolist()))}",
            rule="observation is the position BEFORE the step; row 0 is where reset put each "
            "environment.",
        )
    num_actions = world.next_position.shape[1]
    outside = (action < 0) | (action >= num_actions)
    if outside.any():
        t, b = (int(i) for i in np.argwhere(outside)[0])
        return Fault(
            "An action is none of this world's.",
            where=f"trajectory.action[t={t}, b={b}]",
            got=str(action[t, b]),
            expected=f"0 to {num_actions - 1}, as policy.sample draws it",
            rule="action is what policy.sample returned, unchanged.",
        )
    return None


def regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    """Where differences of a (T, B) field may lie."""
    record = expected[1]
    terminated, truncated, active = (
        np.asarray(x) for x in (record.terminated, record.truncated, record.active)
    )
    return {
        "transitions that reach a goal": terminated,
        "transitions that are cut off": truncated,
        "transitions that end an episode": terminated | truncated,
        "padding, the rows after the end": ~active,
        "active transitions": active,
    }
