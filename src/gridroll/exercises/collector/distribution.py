"""What a collector draws, over many keys, and what it builds for a batch of one."""

from typing import Any

import jax
import numpy as np

from gridroll import policy
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Fault
from gridroll.exercises._shared import floats
from gridroll.exercises.collector.probes import Rollout
from gridroll.gridworld import corridor, from_map

MOST_STANDARD_ERRORS = 6.5  # a right answer is beyond it once in 10^10 draws


def one_is_a_size(eager: Rollout, jitted: Any) -> Fault | None:
    """One environment and one step keep their axes; traced only, so nothing is compiled."""
    arguments = (corridor(), policy.bernoulli, floats(np.zeros(4)), jax.random.key(0))
    state, trajectory = jitted.form(*arguments, num_envs=1, num_steps=1)
    for name, record, shape in (("state", state, (1,)), ("trajectory", trajectory, (1, 1))):
        for field, leaf in record._asdict().items():
            if leaf.shape != shape:
                return Fault(
                    "A batch of one environment has lost an axis.",
                    call="rollout(corridor(), policy.bernoulli, jnp.zeros(4), key(0), num_envs=1, "
                    "num_steps=1)",
                    where=f"{name}.{field}",
                    got=f"shape {leaf.shape}",
                    expected=f"shape {shape}",
                    rule="Every field is (num_steps, num_envs), also where these are 1.",
                )
    return None


def draws_follow_the_policy(eager: Rollout, jitted: Rollout) -> Fault | None:
    """Starts are uniform and actions follow theta at their own cell, over fixed keys."""
    world = from_map("SS.#\n#..G\nG...", horizon=4)
    cells = np.arange(12)[:, None]
    theta = floats(np.where(np.arange(4) == (cells * 7 + 1) % 4, 3.0, 0.2 * (cells % 3)))
    num_envs, num_steps, num_runs = 3, 5, 400
    starts, drawn = [], []
    for seed in range(num_runs):
        arguments = (world, policy.softmax, theta, jax.random.key(seed))
        _, trajectory = jitted(*arguments, num_envs=num_envs, num_steps=num_steps)
        active = np.asarray(trajectory.active)
        starts.append(np.asarray(trajectory.observation)[0])
        drawn.append(
            np.stack([trajectory.observation, trajectory.action]).reshape(2, -1)[:, active.ravel()]
        )
    start, (observation, action) = np.stack(starts), np.concatenate(drawn, axis=1)
    chances = np.asarray(jax.jit(policy.softmax.probabilities)(theta))[observation]
    follows = "Actions follow policy.sample at the environment's own cell, with the theta given."
    counts = [
        (f"starts of environment {b} on cell 0", start[:, b] == 0, np.full(num_runs, 0.5),
         "Starts are equally likely in every environment.")
        for b in range(num_envs)
    ]  # fmt: skip
    likeliest = chances.max(axis=1)
    counts.append(
        ("times the likeliest action was drawn", action == chances.argmax(axis=1), likeliest,
         follows)
    )  # fmt: skip
    for cell, a in np.ndindex(12, 4):
        here = observation == cell
        what = f"times action {a} was drawn on cell {cell}"
        counts.append((what, action[here] == a, chances[here, a], follows))
    for what, hits, chance, rule in counts:
        error = np.sqrt((chance * (1 - chance)).sum())
        if abs(hits.sum() - chance.sum()) > MOST_STANDARD_ERRORS * error:
            return Fault(
                "The draws can't be chance.",
                call=f"rollout({describe(world)}, policy.softmax, theta, key(seed), "
                f"num_envs={num_envs}, num_steps={num_steps}) for {num_runs} seeds, with a theta "
                "that prefers another action in each cell",
                where=f"the number of {what}",
                got=f"{int(hits.sum())} of {len(hits)}",
                expected=f"about {chance.sum():.0f} ± {2 * error:.0f}",
                rule=rule,
            )
    return None
