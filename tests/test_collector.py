"""Lesson 03: a batched rollout with masks taken before the step."""

from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conformance import equal
from oracles import exact_return

from gridroll import collector, gridworld
from gridroll.collector import Trajectory
from gridroll.policy import Policy, bernoulli

# Tests give numbers of every kind, so these are not held to their signatures here.
corridor: Any = gridworld.corridor
State: Any = gridworld.State
rollout: Any = collector.rollout
unroll: Any = collector.unroll

FIELDS = ("observation", "action", "reward", "active", "terminated", "truncated", "log_prob")
ZERO = jnp.zeros(4)


def counts(trajectory: Trajectory) -> list[int]:
    return np.asarray(trajectory.active).sum(axis=1).tolist()


def states(position: list[int], elapsed: list[int], done: list[bool]) -> Any:
    return State(jnp.int32(position), jnp.int32(elapsed), jnp.asarray(done))


def step_keys(seed: int, num_steps: int, num_envs: int) -> jax.Array:
    return jax.random.split(jax.random.key(seed), (num_steps, num_envs))


# The recorded runs -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> Any:
    """Return the recorded run of lesson 03: the uniform policy from key 5."""
    return rollout(corridor(), bernoulli, ZERO, jax.random.key(5), num_envs=64, num_steps=8)


def test_the_recorded_run_has_its_counts(recorded: Any) -> None:
    _, trajectory = recorded
    assert counts(trajectory) == [64, 64, 58, 53, 47, 44, 39, 29]
    assert int(np.sum(trajectory.terminated)) == 41
    assert int(np.sum(trajectory.truncated)) == 23


def test_the_recorded_mean_return_is_goals_minus_a_hundredth_for_every_other_step(
    recorded: Any,
) -> None:
    _, trajectory = recorded
    exact = exact_return(goals=41, steps=64 + 64 + 58 + 53 + 47 + 44 + 39 + 29, episodes=64)
    assert exact == Fraction(3743, 6400)
    assert float(exact) == 0.58484375
    rewards = np.asarray(trajectory.reward, np.float64)
    assert abs(rewards.sum(axis=0).mean() - 0.58484375) < 5e-7


def test_before_the_limit_somebody_else_is_cut_off_or_arrives(recorded: Any) -> None:
    _, trajectory = recorded
    last = np.asarray(trajectory.truncated[-1]) | np.asarray(trajectory.terminated[-1])
    assert (int(last.sum()), int(np.sum(trajectory.truncated[-1]))) == (29, 23)


def test_seven_environments_with_another_horizon() -> None:
    world = corridor(horizon=5)
    _, trajectory = rollout(world, bernoulli, ZERO, jax.random.key(17), num_envs=7, num_steps=5)
    assert counts(trajectory) == [7, 7, 5, 5, 5]


def test_the_deterministic_limit_takes_shortest_paths() -> None:
    final, trajectory = rollout(
        corridor(), bernoulli, jnp.full(4, 100.0), jax.random.key(0), num_envs=64, num_steps=8
    )
    starts = np.asarray(trajectory.observation[0])
    assert set(starts.tolist()) == {0, 1}
    assert np.sum(trajectory.active, axis=0).tolist() == (3 - starts).tolist()
    returns = np.asarray(trajectory.reward, np.float64).sum(axis=0)
    np.testing.assert_allclose(returns, np.where(starts == 0, 0.98, 0.99), rtol=1e-6)
    assert final.position.tolist() == [3] * 64
    assert not np.any(trajectory.truncated)


# Rows and masks --------------------------------------------------------------------------


def right(theta: Any, observation: Any, key: Any) -> jax.Array:
    """Return action 1, whatever is seen."""
    del theta, key
    return jnp.ones_like(observation)


ALWAYS_RIGHT = Policy(
    name="always right",
    sample=right,
    log_prob=lambda theta, observation, action: jnp.float32(0),
    probabilities=lambda theta: jnp.float32([[0, 1]] * 4),
    parameter_shape=lambda world: (4,),
)


def test_the_mask_comes_from_before_the_step() -> None:
    # Endings on the first, a middle and the last row, never, and one finished beforehand.
    world = corridor(length=6, horizon=9)
    start = states([4, 2, 1, 0, 5], [0, 0, 0, 0, 3], [False] * 4 + [True])
    final, rows = unroll(world, ALWAYS_RIGHT, ZERO, start, step_keys(0, 4, 5))
    assert np.asarray(rows.active, int).T.tolist() == [
        [1, 0, 0, 0],
        [1, 1, 1, 0],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 0, 0, 0],
    ]
    assert np.asarray(rows.terminated, int).T.tolist() == [
        [1, 0, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    assert not np.any(rows.truncated)
    hundredth = np.float32(-0.01)
    assert np.asarray(rows.reward).T.tolist() == [
        [1, 0, 0, 0],
        [hundredth, hundredth, 1, 0],
        [hundredth, hundredth, hundredth, 1],
        [hundredth] * 4,
        [0, 0, 0, 0],
    ]
    assert np.asarray(rows.observation).T.tolist() == [
        [4, 5, 5, 5],
        [2, 3, 4, 5],
        [1, 2, 3, 4],
        [0, 1, 2, 3],
        [5, 5, 5, 5],
    ]
    assert final.position.tolist() == [5, 5, 5, 4, 5]
    assert final.elapsed.tolist() == [1, 3, 4, 4, 3]
    assert final.done.tolist() == [True, True, True, False, True]


def test_from_cell_one_two_moves_right_return_99_hundredths() -> None:
    start = states([1, 2], [0, 0], [False] * 2)
    _, rows = unroll(corridor(), ALWAYS_RIGHT, ZERO, start, step_keys(0, 3, 2))
    assert np.asarray(rows.active, int).T.tolist() == [[1, 1, 0], [1, 0, 0]]
    np.testing.assert_allclose(np.sum(rows.reward, axis=0), [0.99, 1.0], rtol=1e-6)


def test_the_goal_on_the_last_transition_is_termination_and_the_rest_is_cut_off() -> None:
    start = states([0, 1], [0, 0], [False] * 2)
    _, rows = unroll(corridor(horizon=2), ALWAYS_RIGHT, ZERO, start, step_keys(0, 3, 2))
    assert np.asarray(rows.terminated, int).T.tolist() == [[0, 0, 0], [0, 1, 0]]
    assert np.asarray(rows.truncated, int).T.tolist() == [[0, 1, 0], [0, 0, 0]]
    assert np.asarray(rows.active, int).T.tolist() == [[1, 1, 0], [1, 1, 0]]


def always_left(horizon: int) -> Any:
    """Return a rollout of 3 environments and 5 steps that never arrives."""
    theta, key = jnp.full(4, -100.0), jax.random.key(1)
    return rollout(corridor(horizon=horizon), bernoulli, theta, key, num_envs=3, num_steps=5)


def test_fewer_steps_than_the_horizon_leave_episodes_unfinished() -> None:
    final, rows = always_left(horizon=8)
    assert np.all(rows.active)
    assert not np.any(rows.terminated | rows.truncated)
    assert final.elapsed.tolist() == [5] * 3
    assert final.done.tolist() == [False] * 3


def test_more_steps_than_the_horizon_add_padding() -> None:
    final, rows = always_left(horizon=3)
    assert np.asarray(rows.active, int).T.tolist() == [[1, 1, 1, 0, 0]] * 3
    assert np.asarray(rows.truncated, int).T.tolist() == [[0, 0, 1, 0, 0]] * 3
    assert not np.any(rows.terminated)
    assert np.asarray(rows.reward).T.tolist() == [[np.float32(-0.01)] * 3 + [0] * 2] * 3
    assert final.elapsed.tolist() == [3] * 3
    assert final.done.tolist() == [True] * 3


def test_the_goal_is_seen_in_the_returned_state_and_never_on_an_active_row(recorded: Any) -> None:
    final, trajectory = recorded
    arrived = np.asarray(trajectory.terminated).any(axis=0)
    assert np.asarray(final.position)[arrived].tolist() == [3] * 41
    assert not np.any((trajectory.observation == 3) & trajectory.active)


def test_state_and_keys_go_through_unroll_in_pieces() -> None:
    start, keys = states([0, 1, 2], [0, 1, 5], [False] * 3), step_keys(3, 4, 3)
    world = corridor(horizon=6)
    whole_final, whole = unroll(world, bernoulli, ZERO, start, keys)
    middle, first = unroll(world, bernoulli, ZERO, start, keys[:2])
    end, second = unroll(world, bernoulli, ZERO, middle, keys[2:])
    assert equal(whole_final, end)
    for field in FIELDS:
        joined = np.concatenate([getattr(first, field), getattr(second, field)])
        np.testing.assert_array_equal(getattr(whole, field), joined)


# Rollout is reset and unroll by the key protocol -----------------------------------------


def test_rollout_is_reset_and_unroll_with_the_keys_of_the_protocol() -> None:
    key, world = jax.random.key(21), corridor()
    reset_key, action_key = jax.random.split(key)
    start = jax.vmap(gridworld.reset, (None, 0))(world, jax.random.split(reset_key, 3))
    keys = jax.vmap(lambda k: jax.random.split(k, 3))(jax.random.split(action_key, 5))
    got = rollout(world, bernoulli, ZERO, key, num_envs=3, num_steps=5)
    assert equal(got, unroll(world, bernoulli, ZERO, start, keys))


def test_the_same_key_gives_the_same_rollout_and_another_key_another() -> None:
    first, again, other = (
        rollout(corridor(), bernoulli, ZERO, jax.random.key(s), num_envs=3, num_steps=5)
        for s in (1, 1, 2)
    )
    assert equal(first, again)
    assert not np.array_equal(first[1].action, other[1].action)


def test_the_key_reuse_checker_finds_nothing() -> None:
    with jax.debug_key_reuse(True):
        rollout(corridor(), bernoulli, ZERO, jax.random.key(1), num_envs=2, num_steps=4)


def test_sizes_are_keyword_only_and_required() -> None:
    key = jax.random.key(0)
    with pytest.raises(TypeError):
        rollout(corridor(), bernoulli, ZERO, key, 3, 5)
    with pytest.raises(TypeError):
        rollout(corridor(), bernoulli, ZERO, key, num_envs=3)
    with pytest.raises(TypeError):
        rollout(corridor(), bernoulli, ZERO, key, num_steps=5)
