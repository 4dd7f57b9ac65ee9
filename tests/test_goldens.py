"""Whole trajectories that a slow oracle collected, held in tests/goldens."""

import json
import os
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import renew_goldens
from oracles import log_softmax

from gridroll import collector, gridworld
from gridroll.policy import bernoulli, softmax

# Tests give numbers of every kind, so these are not held to their signatures here.
rollout: Any = collector.rollout
corridor: Any = gridworld.corridor
from_map: Any = gridworld.from_map


GOLDENS = {
    "corridor": (corridor(), bernoulli, jnp.zeros(4), renew_goldens.CORRIDOR),
    "map": (
        from_map(renew_goldens.MAP_WORLD.text, horizon=7, step_reward=-0.25, goal_reward=3.0),
        softmax,
        jnp.float32(renew_goldens.MAP_THETA),
        renew_goldens.MAP,
    ),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_every_entry_equals_the_golden(name: str) -> None:
    path = renew_goldens.FOLDER / f"{name}.json"
    golden = json.loads(path.read_text(encoding="utf-8"))
    world, policy, theta, run = GOLDENS[name]
    assert golden["run"] == run
    key = jax.random.key(run["seed"])
    final, trajectory = rollout(
        world, policy, theta, key, num_envs=run["num_envs"], num_steps=run["num_steps"]
    )
    for field in renew_goldens.FIELDS:
        got = np.asarray(getattr(trajectory, field))
        np.testing.assert_array_equal(got, np.array(golden[field], got.dtype), err_msg=field)
    got_final = zip(
        final.position.tolist(), final.elapsed.tolist(), final.done.tolist(), strict=True
    )
    assert [list(state) for state in got_final] == golden["final"]


@pytest.mark.parametrize("name", GOLDENS)
def test_every_golden_is_what_the_slow_oracle_collects(name: str) -> None:
    path = renew_goldens.FOLDER / f"{name}.json"
    assert path.read_text(encoding="utf-8") == renew_goldens.as_text(renew_goldens.derive(name))


def test_softmax_log_prob_is_that_of_the_recorded_action() -> None:
    world, policy, theta, _ = GOLDENS["map"]
    _, rows = rollout(world, policy, theta, jax.random.key(0), num_envs=7, num_steps=9)
    logs = [log_softmax(row) for row in renew_goldens.MAP_THETA]
    wanted = [
        [logs[s][a] for s, a in zip(*pair, strict=True)]
        for pair in zip(rows.observation.tolist(), rows.action.tolist(), strict=True)
    ]
    np.testing.assert_allclose(rows.log_prob, wanted, rtol=2e-6)


PROGRAM = """
import jax, jax.numpy as jnp
from gridroll import collector, gridworld
from gridroll.policy import bernoulli
run = collector.rollout(gridworld.corridor(), bernoulli, jnp.zeros(4), jax.random.key(5),
                        num_envs=64, num_steps=8)
print(run[1].active.sum(axis=1).tolist(), float(run[1].reward.sum(axis=0).mean()))
"""


def test_a_fresh_interpreter_with_default_settings_collects_the_recorded_run() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "XLA_FLAGS"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=True,
    )
    counts, mean = done.stdout.strip().rsplit(" ", 1)
    assert json.loads(counts) == [64, 64, 58, 53, 47, 44, 39, 29]
    assert abs(float(mean) - 0.58484375) < 5e-7
    assert done.stderr == ""
