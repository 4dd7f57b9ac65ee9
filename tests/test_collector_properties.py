"""Lesson 03: rules that every rollout keeps, whatever the world, the policy and the key."""

import jax
import jax.numpy as jnp
import numpy as np
from conformance import equal
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import SlowState, SlowWorld, column_of, replay, slow_corridor

from gridroll.collector import Trajectory, rollout, unroll
from gridroll.gridworld import Gridworld, State, corridor, from_map
from gridroll.policy import Policy, bernoulli, softmax

MORE_ENVS, MORE_STEPS = 6, 9
FIELDS = ("observation", "action", "reward", "active", "terminated", "truncated")
seeds = st.integers(0, 2**31 - 1)
logits = st.floats(-3, 3, width=32)
thetas = st.lists(logits, min_size=4, max_size=4)


def first(rows: Trajectory, num_steps: int, num_envs: int) -> Trajectory:
    """Return the first steps of the first environments."""
    return jax.tree.map(lambda leaf: np.asarray(leaf)[:num_steps, :num_envs], rows)


@given(size=st.sampled_from([(1, 1), (2, 4), (6, 3)]), seed=seeds, theta=thetas)
def test_a_larger_rollout_contains_the_smaller_one(
    size: tuple[int, int], seed: int, theta: list[float]
) -> None:
    (num_envs, num_steps), world, key = size, corridor(horizon=6), jax.random.key(seed)
    parameters = jnp.float32(theta)
    _, few = rollout(world, bernoulli, parameters, key, num_envs=num_envs, num_steps=num_steps)
    _, many = rollout(world, bernoulli, parameters, key, num_envs=MORE_ENVS, num_steps=MORE_STEPS)
    for small, large in zip(few, first(many, num_steps, num_envs), strict=True):
        np.testing.assert_allclose(small, large, rtol=1e-6)


def some_states(positions: list[int], elapsed: list[int], done: list[bool]) -> State:
    return State(jnp.int32(positions), jnp.int32(elapsed), jnp.asarray(done))


five = st.integers(0, 2)


@given(
    order=st.permutations(range(5)),
    positions=st.lists(five, min_size=5, max_size=5),
    elapsed=st.lists(five, min_size=5, max_size=5),
    done=st.lists(st.booleans(), min_size=5, max_size=5),
    seed=seeds,
    theta=thetas,
)
def test_a_permutation_of_the_batch_permutes_the_columns(
    order: list[int],
    positions: list[int],
    elapsed: list[int],
    done: list[bool],
    seed: int,
    theta: list[float],
) -> None:
    world, parameters = corridor(horizon=6), jnp.float32(theta)
    start, keys = (
        some_states(positions, elapsed, done),
        jax.random.split(jax.random.key(seed), (7, 5)),
    )
    index = jnp.int32(order)
    mixed = jax.tree.map(lambda leaf: leaf[index], start)
    final, rows = unroll(world, bernoulli, parameters, start, keys)
    mixed_final, mixed_rows = unroll(world, bernoulli, parameters, mixed, keys[:, index])
    assert equal(mixed_final, jax.tree.map(lambda leaf: leaf[index], final))
    assert equal(mixed_rows, jax.tree.map(lambda leaf: leaf[:, index], rows))


def of_map(text: str) -> tuple[SlowWorld, Gridworld, Policy]:
    world = from_map(text, 7, step_reward=-0.25, goal_reward=3.0)
    return SlowWorld(text, 7, step_reward=-0.25, goal_reward=3.0), world, softmax


CORRIDOR = (slow_corridor(4, 5), corridor(4, 5), bernoulli)
# Episodes end before, at and after the last row; each size costs one compilation.
REPLAYED = [
    (CORRIDOR, 3),
    (CORRIDOR, MORE_STEPS),
    (of_map("S..#\n.#.G\nS.G."), MORE_STEPS),
    (of_map("S.G\n#.S"), 5),
]


@given(case=st.sampled_from(REPLAYED), seed=seeds, scale=st.floats(0, 3, width=32))
@settings(max_examples=40)
def test_every_trajectory_replays_in_a_slow_loop(
    case: tuple[tuple[SlowWorld, Gridworld, Policy], int], seed: int, scale: float
) -> None:
    (slow, world, policy), num_steps = case
    shape = policy.parameter_shape(world)
    theta = jnp.asarray(
        np.float32(scale) * np.random.default_rng(seed).normal(size=shape), jnp.float32
    )
    final, rows = rollout(
        world, policy, theta, jax.random.key(seed), num_envs=MORE_ENVS, num_steps=num_steps
    )
    starts = [SlowState(position) for position in rows.observation[0].tolist()]
    assert {state.position for state in starts} <= set(slow.cells("S"))
    slow_finals, slow_rows = replay(slow, starts, rows.action.tolist())
    for field in FIELDS:
        got = np.asarray(getattr(rows, field))
        wanted = np.array(column_of(slow_rows, field), got.dtype)
        np.testing.assert_array_equal(got, wanted, err_msg=field)
    got_final = zip(
        final.position.tolist(), final.elapsed.tolist(), final.done.tolist(), strict=True
    )
    assert list(got_final) == [(s.position, s.elapsed, s.done) for s in slow_finals]


@given(num_steps=st.sampled_from([3, MORE_STEPS]), seed=seeds, theta=thetas)
def test_a_finished_episode_has_exactly_one_ending_on_its_last_active_row(
    num_steps: int, seed: int, theta: list[float]
) -> None:
    final, rows = rollout(
        corridor(horizon=6),
        bernoulli,
        jnp.float32(theta),
        jax.random.key(seed),
        num_envs=MORE_ENVS,
        num_steps=num_steps,
    )
    assert not np.any(rows.terminated & rows.truncated)
    ending = np.asarray(rows.terminated | rows.truncated)
    active = np.asarray(rows.active)
    assert ending.sum(axis=0).tolist() == np.asarray(final.done, int).tolist()
    assert active[0].all()
    for b in range(MORE_ENVS):
        length = int(active[:, b].sum())
        assert active[:, b].tolist() == [True] * length + [False] * (num_steps - length)
        assert int(final.elapsed[b]) == length
        if final.done[b]:
            assert ending[:, b].tolist().index(True) == length - 1
        else:
            assert length == num_steps


@given(
    positions=st.lists(st.integers(0, 3), min_size=5, max_size=5),
    elapsed=st.lists(st.integers(1, 6), min_size=5, max_size=5),
    seed=seeds,
    theta=thetas,
)
def test_finished_states_absorb(
    positions: list[int], elapsed: list[int], seed: int, theta: list[float]
) -> None:
    start = some_states(positions, elapsed, [True] * 5)
    keys = jax.random.split(jax.random.key(seed), (7, 5))
    final, rows = unroll(corridor(horizon=6), bernoulli, jnp.float32(theta), start, keys)
    assert equal(final, start)
    assert not np.any(rows.active)
    assert not np.any(rows.reward)
    assert not np.any(rows.terminated | rows.truncated)
    assert np.asarray(rows.observation).tolist() == [positions] * 7
