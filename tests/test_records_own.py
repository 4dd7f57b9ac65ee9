"""A student's own class of a record goes with the library's of the same name and fields."""

import inspect
from typing import Any

import attacks
import jax
import jax.numpy as jnp
import pytest
import students

from gridroll.classroom import assess, judge, registry
from gridroll.classroom.calling import Jitted, with_own_records
from gridroll.collector import Trajectory
from gridroll.exercises import _probes
from gridroll.gridworld import State

STEP = """
    active = ~state.done
    position = world.next_position[state.position, action]
    elapsed = state.elapsed + 1
    terminated = active & world.goal[position]
    truncated = active & ~terminated & (elapsed >= world.horizon)
    reward = jnp.where(terminated, world.goal_reward, world.step_reward)
    after = State(position, elapsed, terminated | truncated)
    reward = jnp.where(active, reward, 0.0)
"""
STYLES = {
    "cond": """
    no = jnp.bool_(False)
    return jax.lax.cond(
        state.done,
        lambda: (state, jnp.float32(0), no, no),
        lambda: (after, reward, terminated, truncated),
    )
""",
    "tree.map": """
    after = jax.tree.map(lambda a, b: jnp.where(state.done, a, b), state, after)
    return after, reward, terminated, truncated
""",
    "scan": """
    def body(carry, _):
        return State(*[jnp.where(state.done, a, b) for a, b in zip(carry, after)]), None

    after, _ = jax.lax.scan(body, state, None, length=1)
    return after, reward, terminated, truncated
""",
    "the library's own in one": """
    from gridroll import gridworld
    after = gridworld.State(*after)
    after = jax.tree.map(lambda a, b: jnp.where(state.done, a, b), state, after)
    return after, reward, terminated, truncated
""",
}
STATE = """
from typing import NamedTuple

class State(NamedTuple):
    position: jax.Array
    elapsed: jax.Array
    done: jax.Array
"""
TRAJECTORY = "class Trajectory(NamedTuple):\n" + "".join(
    f"    {name}: jax.Array\n" for name in Trajectory._fields
)


def written(name: str, head: str, body: str, *more: str) -> Any:
    """A function in a notebook that has defined State and Trajectory anew."""
    module, _, function = name.partition(".")
    names = students.run("\n".join([STATE, TRAJECTORY, *more]), students.fresh(module))
    return students.run(f"def {function}({head}):{body}", names)[function]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [0, 12345])
def test_step_may_mix_the_state_that_it_gets_with_one_that_it_makes(style: str, seed: int) -> None:
    step = written("gridworld.step", "world, state, action", STEP + STYLES[style])
    found = judge.judge(attacks.exercise("gridworld.step"), step, seed)
    assert found.fault is None, found.fault


def test_a_rollout_may_carry_states_of_its_own_class() -> None:
    body = """
    reset_key, action_key = jax.random.split(key)
    cells = jax.vmap(lambda k: jax.random.choice(k, world.starts))(
        jax.random.split(reset_key, num_envs)
    )
    zero = jnp.zeros(num_envs, jnp.int32)
    state = State(cells, zero, zero > 0)
    table = jax.vmap(lambda k: jax.random.split(k, num_envs))
    state = my_step(world, state, jnp.zeros(num_envs, jnp.int32), zero == 0)[0]

    def row(state, keys):
        action = jax.vmap(policy.sample, (None, 0, 0))(theta, state.position, keys)
        after, reward, terminated, truncated = my_step(world, state, action, state.done)
        log_prob = policy.log_prob(theta, state.position, action)
        return after, Trajectory(
            state.position, action, reward, ~state.done, terminated, truncated, log_prob
        )

    return jax.lax.scan(row, state, table(jax.random.split(action_key, num_steps)))
"""
    helper = "def my_step(world, state, action, frozen):" + STEP.replace("~state.done", "~frozen")
    helper += "    after = after._replace(done=after.done | frozen)\n"
    helper += "    after = jax.tree.map(lambda a, b: jnp.where(frozen, a, b), state, after)\n"
    helper += "    return after, reward, terminated, truncated\n"
    head = "world, policy, theta, key, *, num_envs, num_steps"
    rollout = written("collector.rollout", head, body, helper)
    found = judge.judge(attacks.exercise("collector.rollout"), rollout)
    assert found.fault is None, found.fault


def test_a_record_may_be_mixed_with_one_of_the_students_own() -> None:
    body = """
    none = Trajectory(*[jnp.zeros_like(part) for part in trajectory])
    kept = jax.tree.map(lambda a, b: jnp.where(trajectory.active, a, b), trajectory, none)
    return kept.reward.sum(axis=0)
"""
    function = written("collector.episode_return", "trajectory", body)
    assert judge.judge(attacks.exercise("collector.episode_return"), function).fault is None


def test_records_inside_of_records_are_of_the_students_classes_too() -> None:
    body = """
    own = Trajectory(State(*state.observation), *state[1:])
    return jax.tree.map(lambda a, b: a + b, state, own)
"""
    function = written("gridworld.step", "state", body)
    parts = [jnp.int32(1)] * 6
    nested: Any = Trajectory(State(*[jnp.int32(2)] * 3), *parts)  # type: ignore[arg-type]
    for call in (with_own_records(function), Jitted(with_own_records(function))):
        assert int(call(nested).observation.elapsed) == 4


def test_a_wrong_answer_of_mixed_classes_is_still_refused_by_its_values() -> None:
    wrong = STEP.replace("world.step_reward)", "0.0)") + STYLES["tree.map"]
    function = written("gridworld.step", "world, state, action", wrong)
    found = assess.function(registry.find("gridworld.step"), function, ...)  # type: ignore[arg-type]
    assert found.status == "failed"
    assert ("Got", "0") in found.lines


def test_the_students_line_and_signature_are_those_of_the_function() -> None:
    broken = STEP + "    return jax.tree.map(lambda a, b: a, state, (after,))\n"
    function = written("gridworld.step", "world, state, action", broken)
    wrapped = with_own_records(function)
    assert inspect.signature(wrapped) == inspect.signature(function)
    fault = judge.judge(attacks.exercise("gridworld.step"), function).fault
    assert fault is not None
    assert "return jax.tree.map(lambda a, b: a, state, (after,))" in fault.line


def test_a_notebook_without_such_classes_changes_nothing() -> None:
    function = attacks.right("keys.key_table")
    assert with_own_records(function) is function


def test_what_is_judged_sparingly_stays_so() -> None:
    function = written("planning.policy_value", "world", "\n    return world\n")
    wrapped = with_own_records(function)
    assert wrapped is not function
    assert _probes.sparing(wrapped) is not wrapped
    compiled = with_own_records(jax.jit(function))
    assert _probes.sparing(compiled) is compiled
