"""The contract of every environment and adapter, as a suite that a test class inherits.

    class TestMyWorld(EnvironmentConformance):
        @pytest.fixture
        def environment(self) -> Environment:
            return my_environment()  # Environment("mine", reset, step, num_actions=4, horizon=20)

Every failure message states the rule that was broken. Build each environment once (cache the
builder): walks and compiled steps are shared between the tests of one environment.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

Outcome = tuple[Any, jax.Array, jax.Array, jax.Array]


@dataclass(frozen=True)
class Environment:
    """What the suite needs to know about the thing under test."""

    name: str
    reset: Callable[[jax.Array], Any]  # key -> state
    step: Callable[[Any, Any], Outcome]  # state, action -> state, reward, terminated, truncated
    num_actions: int
    horizon: int
    finished: Callable[[Any], Any] = lambda state: state.done
    elapsed: Callable[[Any], Any] = lambda state: state.elapsed


def structure(tree: Any) -> Any:
    """Return how the leaves of a tree are held, as something that can be compared."""
    return jax.tree.structure(tree)


def signature(tree: Any) -> list[tuple[str, tuple[int, ...], str, bool]]:
    """Return path, shape, dtype and weakness of every leaf."""
    leaves = jax.tree_util.tree_flatten_with_path(tree)[0]
    return [
        (jax.tree_util.keystr(path), leaf.shape, str(leaf.dtype), bool(leaf.weak_type))
        for path, leaf in leaves
    ]


def equal(left: Any, right: Any) -> bool:
    """Return whether two trees have the same structure and the same leaves."""
    if structure(left) != structure(right):
        return False
    pairs = zip(jax.tree.leaves(left), jax.tree.leaves(right), strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def actions_of(environment: Environment, seed: int) -> list[int]:
    """Return enough random actions for an episode, and three more."""
    generator = np.random.default_rng(seed)
    return generator.integers(environment.num_actions, size=environment.horizon + 3).tolist()


@cache
def jitted(environment: Environment) -> Callable[[Any, Any], Outcome]:
    """Return the step under jit, the same function for every test of one environment."""
    return jax.jit(environment.step)


@cache
def walk(environment: Environment, seed: int) -> tuple[Any, list[Outcome]]:
    """Return the first state and the outcome of every step of a random walk."""
    step = jitted(environment)
    first = state = environment.reset(jax.random.key(seed))
    outcomes = []
    for action in actions_of(environment, seed):
        outcome = step(state, jnp.int32(action))
        outcomes.append(outcome)
        state = outcome[0]
    return first, outcomes


class EnvironmentConformance:
    """Inherit and give an `environment` fixture; each method proves one rule."""

    seeds = range(4)

    @pytest.fixture
    def environment(self) -> Environment:
        raise NotImplementedError("a conformance suite needs an `environment` fixture")

    def test_reset_starts_an_unfinished_episode_at_zero(self, environment: Environment) -> None:
        for seed in self.seeds:
            state = environment.reset(jax.random.key(seed))
            assert not environment.finished(state), "a fresh state is not finished"
            assert int(environment.elapsed(state)) == 0, "elapsed is 0 after every reset"

    def test_reset_depends_on_the_key_alone(self, environment: Environment) -> None:
        for seed in self.seeds:
            first, _ = walk(environment, seed)
            again = environment.reset(jax.random.key(seed))
            assert equal(first, again), "an episode in between does not change a reset"
            jitted = jax.jit(environment.reset)(jax.random.key(seed))
            assert equal(first, jitted), "reset is the same under jit"

    def test_every_leaf_keeps_shape_dtype_and_strength(self, environment: Environment) -> None:
        first = environment.reset(jax.random.key(0))
        wanted = signature(first)
        assert not any(weak for *_, weak in wanted), f"reset gives strong types, got {wanted}"
        state = first
        for action in actions_of(environment, 0):
            state, *_ = environment.step(state, jnp.int32(action))
            assert signature(state) == wanted, "a step keeps every leaf's shape and dtype"
            assert structure(state) == structure(first), "and the structure"

    def test_reward_and_flags_have_one_type_on_every_path(self, environment: Environment) -> None:
        for seed in self.seeds:
            for state, *outputs in walk(environment, seed)[1]:
                del state
                got = [(o.shape, str(o.dtype), bool(o.weak_type)) for o in outputs]
                assert got == [((), "float32", False), ((), "bool", False), ((), "bool", False)], (
                    "reward is a float32 scalar and both flags are bool scalars"
                )

    def test_an_episode_has_exactly_one_ending(self, environment: Environment) -> None:
        for seed in self.seeds:
            outcomes = walk(environment, seed)[1]
            terminated = [bool(outcome[2]) for outcome in outcomes]
            truncated = [bool(outcome[3]) for outcome in outcomes]
            assert sum(terminated) + sum(truncated) == 1, "one event, and no event fires again"

    def test_the_time_limit_is_exactly_the_horizon(self, environment: Environment) -> None:
        for seed in self.seeds:
            for t, (state, _, terminated, truncated) in enumerate(walk(environment, seed)[1]):
                taken = t + 1
                if bool(truncated):
                    assert taken == environment.horizon, "truncation comes on the last transition"
                if bool(terminated):
                    assert taken <= environment.horizon, "nothing terminates after the limit"
                if taken >= environment.horizon:
                    assert bool(environment.finished(state)), "no transition beyond the horizon"

    def test_elapsed_counts_transitions_until_the_end(self, environment: Environment) -> None:
        for seed in self.seeds:
            expected, over = 0, False
            for state, _, terminated, truncated in walk(environment, seed)[1]:
                expected += 0 if over else 1
                assert int(environment.elapsed(state)) == expected, "elapsed counts active steps"
                over = over or bool(terminated) or bool(truncated)
                assert bool(environment.finished(state)) == over, "done follows the two flags"

    def test_a_finished_state_absorbs(self, environment: Environment) -> None:
        for seed in self.seeds:
            final = walk(environment, seed)[1][-1][0]
            assert bool(environment.finished(final)), "an episode is over after horizon steps"
            for action in range(environment.num_actions):
                state, reward, terminated, truncated = environment.step(final, jnp.int32(action))
                assert equal(state, final), f"action {action} moved a finished state"
                assert float(reward) == 0.0, "the reward of a finished state is 0"
                assert not bool(terminated), "a finished episode does not terminate again"
                assert not bool(truncated), "a finished episode is not truncated again"

    def test_scan_accepts_the_step(self, environment: Environment) -> None:
        actions = jnp.asarray(actions_of(environment, 1), jnp.int32)

        def body(state: Any, action: jax.Array) -> tuple[Any, tuple[Any, ...]]:
            state, *outputs = environment.step(state, action)
            return state, tuple(outputs)

        final, outputs = jax.lax.scan(body, environment.reset(jax.random.key(1)), actions)
        outcomes = walk(environment, 1)[1]
        assert equal(final, outcomes[-1][0]), "scan and a Python loop reach the same state"
        stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *[o[1:] for o in outcomes])
        assert equal(outputs, stacked), "scan and a Python loop give the same outputs"

    def test_vmap_keeps_environments_apart(self, environment: Environment) -> None:
        keys = jax.random.split(jax.random.key(3), 5)
        actions = jnp.arange(5, dtype=jnp.int32) % environment.num_actions
        states = jax.vmap(environment.reset)(keys)
        batched = jax.vmap(environment.step)(states, actions)
        for b in range(5):
            single = environment.reset(keys[b])
            alone = environment.step(single, actions[b])
            row = jax.tree.map(lambda leaf, b=b: leaf[b], batched)
            assert equal(row, alone), f"environment {b} is the same alone and in a batch"

    def test_jit_changes_nothing(self, environment: Environment) -> None:
        state = environment.reset(jax.random.key(4))
        for action in actions_of(environment, 4):
            eager = environment.step(state, jnp.int32(action))
            assert equal(eager, jitted(environment)(state, jnp.int32(action))), "jit = eager"
            state = eager[0]

    def test_actions_inside_jit_are_clipped(self, environment: Environment) -> None:
        step = jitted(environment)
        last = environment.num_actions - 1
        for seed in self.seeds:
            first, outcomes = walk(environment, seed)
            for state in (first, outcomes[0][0]):
                for below in (-1, -2, -environment.num_actions, -100):
                    got, wanted = step(state, jnp.int32(below)), step(state, jnp.int32(0))
                    assert equal(got, wanted), f"action {below} is clipped to 0 inside jit"
                for above in (last + 1, last + 2, 100, 2**31 - 1):
                    got, wanted = step(state, jnp.int32(above)), step(state, jnp.int32(last))
                    assert equal(got, wanted), f"action {above} is clipped to {last} inside jit"

    def test_actions_outside_jit_are_refused_out_of_range(self, environment: Environment) -> None:
        state = environment.reset(jax.random.key(0))
        for action in (-1, environment.num_actions, 17):
            for value in (action, np.int64(action), jnp.int32(action)):
                with pytest.raises(ValueError) as refusal:
                    environment.step(state, value)
                message = str(refusal.value)
                assert str(action) in message, f"the message names the action: {message}"
                allowed = str(environment.num_actions - 1)
                assert allowed in message, f"the message names the range up to {allowed}: {message}"

    def test_python_numpy_and_jax_actions_mean_the_same(self, environment: Environment) -> None:
        state = environment.reset(jax.random.key(0))
        wanted = environment.step(state, jnp.int32(1))
        for action in (1, np.int32(1), np.int64(1), np.uint8(1), jnp.asarray(1), jnp.uint8(1)):
            got = environment.step(state, action)
            assert equal(got, wanted), f"{type(action).__name__} 1 is action 1"
            assert signature(got) == signature(wanted), f"{type(action).__name__}: same types"
