"""What gives an answer in a line is the library's: refused in notebooks, absent in sandboxes."""

from collections.abc import Callable
from typing import Any

import attacks
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from gridroll import collector, gridworld, keys, policy, returns
from gridroll.classroom import judge
from gridroll.classroom.calling import unwrapped
from gridroll.classroom.grading import sources
from gridroll.gridworld import State


def row(length: int) -> Any:
    """A corridor as a map: right and left are two of its four actions."""
    return gridworld.from_map("S" + "." * (length - 2) + "G", 1)


def first_step(world: Any, key: Any, num_envs: int) -> Any:
    size = world.next_position.shape
    sizes = {"num_envs": num_envs, "num_steps": 1}
    _, record = collector.rollout(world, policy.softmax, jnp.zeros(size), key, **sizes)
    return record.observation[0], record.action[0]


def by_step(position: Any, action: Any, length: int) -> Any:
    state = State(position, jnp.int32(0), jnp.bool_(False))
    return gridworld.step(gridworld.corridor(length + 2), state, action)[0].position


def ending(at_goal: Any, elapsed: Any, horizon: Any) -> Any:
    world = gridworld.corridor(3)
    state = State(jnp.where(at_goal, 1, 0), elapsed, jnp.bool_(False))
    after, _, terminated, truncated = gridworld.step(world, state, jnp.int32(1))
    return after.elapsed, terminated, truncated


def two_logits(theta: Any) -> Any:
    return jnp.stack([jnp.zeros_like(theta), theta], axis=1)


def as_record(reward: Any, active: Any) -> Any:
    return collector.Trajectory(active, active, reward, active, active, active, reward)


TWINS: dict[tuple[str, str], Callable[..., Any]] = {
    ("gridworld.move", "table"): lambda s, a, n: gridworld.corridor(n + 1).next_position[s, a],
    ("gridworld.move", "map"): lambda s, a, n: row(n).next_position[s, 3 - 2 * a],
    ("gridworld.move", "step"): by_step,
    ("gridworld.end_of_step", "step"): ending,
    ("gridworld.corridor_table", "field"): lambda n: np.asarray(
        gridworld.corridor(n).next_position
    ),
    ("gridworld.corridor_table", "map"): lambda n: np.asarray(row(n).next_position)[:, [3, 1]],
    ("keys.reset_keys", "rollout"): lambda k, n: keys.rollout_keys(k, n, 1)[0],
    ("keys.reset_keys", "table"): lambda k, n: keys.key_table(k, n, 1)[0],
    ("keys.key_table", "rollout"): lambda k, n, t: keys.rollout_keys(k, n, t)[1],
    ("keys.first_draws", "rollout"): first_step,
    ("collector.episode_return", "row 0"): lambda r: returns.returns_to_go(r.reward)[0],
    ("collector.episode_return", "matrix"): lambda r: returns.returns_by_matrix(r.reward)[0],
    ("returns.sum_to_end", "discount 1"): lambda r: returns.returns_to_go(r),
    ("returns.sum_to_end", "matrix"): lambda r: returns.returns_by_matrix(r),
    ("returns.sum_to_end", "weights"): lambda r: returns.discount_matrix(len(r), 1.0) @ r,
    ("returns.returns_to_go", "matrix"): lambda r, g=1.0: returns.returns_by_matrix(r, g),
    ("returns.returns_to_go", "weights"): lambda r, g=1.0: returns.discount_matrix(len(r), g) @ r,
    ("returns.masked_mean", "averages"): lambda v, m: returns.averages(v, m).transition,
    ("returns.averages", "statistics"): lambda r, a: (
        returns.episode_statistics(as_record(r, a)).mean_return
    ),
    ("returns.standard_error", "statistics"): lambda r, a: (
        returns.episode_statistics(as_record(r, a)).standard_error
    ),
    ("reinforce.bernoulli_score", "softmax"): lambda t, s, a: jax.grad(
        lambda x: policy.softmax.log_prob(two_logits(x), s, a)
    )(t),
}


@pytest.mark.parametrize(("name", "how"), TWINS, ids="-".join)
def test_a_library_function_that_gives_the_answer_is_refused_as_the_library(
    name: str, how: str
) -> None:
    fault = judge.judge(attacks.exercise(name), TWINS[name, how]).fault
    assert fault is not None
    assert fault.summary.startswith("That runs the library's own"), fault


@pytest.mark.parametrize("name", sorted({name for name, _ in TWINS}))
def test_no_sandbox_holds_what_gives_the_answer(name: str) -> None:
    task = attacks.exercise(name)
    texts = sources.package(task, ["from gridroll import gridworld, keys, reinforce, collector"])
    for function in map(unwrapped, task.parts):
        stub = f"def {function.__name__}(*values, **named):\n    raise ImportError("
        assert stub in texts[function.__module__]
