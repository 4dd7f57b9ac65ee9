"""Gymnasium's FrozenLake, stepped by its synchronous vector environment with uniform actions."""

import gymnasium
import numpy as np

from benchmarks.programs import Program


def make(num_envs: int, num_steps: int) -> Program:
    """One call takes `num_steps` transitions and stacks what they gave.

    Making and resetting the environments is part of setting up, not of the call.
    """
    environments = gymnasium.make_vec("FrozenLake-v1", num_envs=num_envs, vectorization_mode="sync")
    environments.reset(seed=0)
    rng = np.random.default_rng(0)

    def call() -> object:
        rows = []
        for _ in range(num_steps):
            action = rng.integers(4, size=num_envs)
            observation, reward, terminated, truncated, _ = environments.step(action)
            rows.append((observation, action, reward, terminated, truncated))
        return [np.stack(column) for column in zip(*rows, strict=True)]

    return Program(call, num_envs * num_steps)
