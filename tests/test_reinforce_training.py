"""Lesson 06: what training does in each update, what it records, how far it comes, its progress."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refusals import refuses

from gridroll import collector, gridworld, planning, reinforce, returns
from gridroll.policy import bernoulli, softmax

# Tests give numbers of every kind, so these are not held to their signatures here.
train: Any = reinforce.train

WORLD, KEY, ZERO = gridworld.corridor(), jax.random.key(3), jnp.zeros(4)
WALLS = gridworld.from_map("S.#.\n..#G\nS...", horizon=20)
SIZES: dict[str, Any] = {"num_envs": 8, "num_steps": 8, "learning_rate": 1.5}


def run(num_updates: int, **more: Any) -> Any:
    return train(WORLD, bernoulli, ZERO, KEY, num_updates=num_updates, **(SIZES | more))


def bits(tree: Any) -> list[tuple[str, bytes]]:
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    return [(f"{leaf.dtype}{leaf.shape}", leaf.tobytes()) for leaf in leaves]


# One update after another ----------------------------------------------------------------


@pytest.mark.parametrize("num_steps", [8, 5, 11], ids=["whole", "cut-short", "padded"])
def test_an_update_collects_estimates_and_goes_uphill(num_steps: int) -> None:
    theta, history = run(4, num_steps=num_steps)
    thetas = [*history.theta, theta]
    assert thetas[0].tolist() == ZERO.tolist()
    for n, key in enumerate(jax.random.split(KEY, 4)):
        sizes = {"num_envs": 8, "num_steps": num_steps}
        _, rows = collector.rollout(WORLD, bernoulli, thetas[n], key, **sizes)
        earned = returns.episode_return(rows)
        assert float(history.mean_return[n]) == pytest.approx(float(earned.mean()), abs=1e-6)
        weights = returns.returns_to_go(rows.reward)
        gradient = reinforce.policy_gradient(bernoulli, thetas[n], rows, weights)
        assert np.abs(gradient).max() > 0.01
        np.testing.assert_allclose(thetas[n + 1], thetas[n] + 1.5 * gradient, atol=2e-6)


def test_an_update_follows_the_estimate_that_it_is_given() -> None:
    def downhill(*given: Any) -> jax.Array:
        return -reinforce.policy_gradient(*given)

    down, mirrored = run(1, estimate=downhill)[0], run(1, estimate=downhill, progress=id)[0]
    assert np.abs(down).max() > 0.01
    assert down.tolist() == mirrored.tolist() == (-run(1)[0]).tolist()


@pytest.mark.parametrize("num_steps", [8, 5])
def test_the_history_holds_the_exact_return_of_its_own_theta(num_steps: int) -> None:
    _, history = run(6, num_steps=num_steps)
    for theta, got in zip(history.theta, history.expected_return, strict=True):
        wanted = planning.expected_return(WORLD, bernoulli.probabilities(theta), num_steps)
        assert float(got) == pytest.approx(float(wanted), abs=1e-6)
    assert len(set(history.expected_return.tolist())) == 6


def test_a_rate_of_zero_learns_nothing_and_still_records() -> None:
    start = jnp.float32([0.5, -1.0, 2.0, 3.0])
    settings = SIZES | {"learning_rate": 0}
    theta, history = train(WORLD, bernoulli, start, KEY, num_updates=5, **settings)
    assert theta.tolist() == start.tolist()
    assert np.unique(history.theta, axis=0).tolist() == [start.tolist()]
    assert len(set(history.expected_return.tolist())) == 1
    assert len(set(history.mean_return.tolist())) > 1, "new episodes in each update"


def test_vmap_over_keys_and_rates_is_one_run_each() -> None:
    keys, rates = jax.random.split(KEY, 3), jnp.float32([0.5, 1.0, 2.0])

    def one(key: Any, rate: Any) -> Any:
        sizes = SIZES | {"learning_rate": rate}
        return train(WORLD, bernoulli, ZERO, key, num_updates=3, **sizes)

    mapped = jax.vmap(one)(keys, rates)
    for i in range(3):
        alone = one(keys[i], rates[i])
        for got, wanted in zip(jax.tree.leaves(mapped), jax.tree.leaves(alone), strict=True):
            np.testing.assert_allclose(got[i], wanted, rtol=1e-5, atol=1e-6)


# How far it comes ------------------------------------------------------------------------

RUNS: dict[str, Any] = {
    "corridor": (WORLD, bernoulli, {"num_envs": 32, "num_steps": 8, "learning_rate": 2.0}),
    "walls": (WALLS, softmax, {"num_envs": 64, "num_steps": 20, "learning_rate": 4.0}),
}


@pytest.mark.parametrize("name", RUNS)
def test_training_comes_within_a_hundredth_of_the_optimum(name: str) -> None:
    world, policy, settings = RUNS[name]
    start = jnp.zeros(policy.parameter_shape(world))
    num_steps = settings["num_steps"]

    def final(key: Any) -> Any:
        theta, _ = train(world, policy, start, key, num_updates=200, **settings)
        return planning.expected_return(world, policy.probabilities(theta), num_steps)

    optimum = float(planning.optimal(world, num_steps)[0][0, world.starts].mean())
    before = planning.expected_return(world, policy.probabilities(start), num_steps)
    reached = jax.vmap(final)(jax.random.split(jax.random.key(0), 5)) / optimum
    assert float(before) / optimum < 0.5
    assert (np.asarray(reached) >= 0.99).all(), f"five of five: {reached}"
    assert (np.asarray(reached) <= 1 + 1e-6).all()


# Progress and prefixes -------------------------------------------------------------------


@pytest.mark.parametrize("num_updates", [1, 2, 3, 23])
def test_the_first_updates_are_the_same_however_many_follow(num_updates: int) -> None:
    _, longer = run(24)
    first = jax.tree.map(lambda leaf: leaf[:num_updates], longer)
    assert bits(run(num_updates)) == bits((longer.theta[num_updates], first))


@pytest.mark.parametrize("num_blocks", [1, 2, 3, 20, 100])
def test_progress_changes_no_bit_whatever_the_blocks(
    num_blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reinforce, "NUM_BLOCKS", num_blocks)
    done: list[int] = []
    assert bits(run(24, progress=done.append)) == bits(run(24))
    assert done == sorted(set(done))
    assert done[-1] == 24
    assert len(done) <= num_blocks


@pytest.mark.parametrize(
    ("num_updates", "wanted"),
    [
        (1, [1]),
        (20, list(range(1, 21))),
        (21, [*range(2, 21, 2), 21]),
        (40, list(range(2, 41, 2))),
        (59, [*range(3, 58, 3), 59]),
    ],
)
def test_progress_hears_the_updates_done_after_equal_blocks(
    num_updates: int, wanted: list[int]
) -> None:
    done: list[int] = []
    run(num_updates, progress=done.append)
    assert done == wanted


def test_progress_is_told_when_a_block_is_done_and_the_rest_is_still_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results: list[Any] = []
    ascend: Any = reinforce.ascend

    def watched(*arguments: Any, **sizes: Any) -> Any:
        results.append(ascend(*arguments, **sizes))
        return results[-1]

    def listen(done: int) -> None:
        ready = [leaf.is_ready() for leaf in jax.tree.leaves(results[-1])]
        heard.append((done, len(results), all(ready)))

    heard: list[tuple[int, int, bool]] = []
    monkeypatch.setattr(reinforce, "ascend", watched)
    monkeypatch.setattr(reinforce, "NUM_BLOCKS", 3)
    run(8, progress=listen, num_envs=4096)
    assert heard == [(3, 1, True), (6, 2, True), (8, 3, True)]


def test_progress_compiles_one_program_for_all_blocks(traces: Any) -> None:
    def named_ascend(num_updates: int) -> int:
        names = traces.of(lambda: run(num_updates, num_envs=7, progress=lambda done: None))
        return names.count("ascend")

    assert named_ascend(40) == 1
    assert named_ascend(38) == 0, "blocks of two again"
    assert named_ascend(39) == 1, "the last block is shorter"


@pytest.mark.parametrize("progress", ["bar", 3, True])
def test_progress_that_can_not_be_called_is_refused(progress: Any) -> None:
    refuses(lambda: run(2, progress=progress), TypeError, f"{progress}", "None or a function")


def test_an_estimate_that_can_not_be_called_is_refused() -> None:
    refuses(lambda: run(2, estimate="exact"), TypeError, "estimate is 'exact'", "a function")


def test_progress_under_a_trace_is_refused() -> None:
    def one(key: Any) -> Any:
        return train(WORLD, bernoulli, ZERO, key, num_updates=2, progress=print, **SIZES)

    for call in (lambda: jax.jit(one)(KEY), lambda: jax.vmap(one)(jax.random.split(KEY, 2))):
        refuses(call, TypeError, "progress.*traces", "None")
