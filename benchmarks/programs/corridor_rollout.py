"""`collector.rollout` in the corridor, with the Bernoulli policy, as in the plain formula."""

import inspect

import jax
import jax.numpy as jnp

from benchmarks.programs import Program
from gridroll.collector import rollout
from gridroll.gridworld import corridor
from gridroll.policy import bernoulli


def make(num_envs: int, num_steps: int, checked: bool = True) -> Program:
    """One call collects a whole trajectory; the horizon is its length.

    Unless `checked`, the compiled function is called without the checks of its arguments.
    """
    world, theta, key = corridor(horizon=num_steps), jnp.linspace(-1, 1, 4), jax.random.key(0)
    collect = rollout if checked else inspect.unwrap(rollout, stop=is_jitted)

    def call() -> object:
        sizes = {"num_envs": num_envs, "num_steps": num_steps}
        return jax.block_until_ready(collect(world, bernoulli, theta, key, **sizes))

    return Program(call, num_envs * num_steps)


def is_jitted(function: object) -> bool:
    """Whether `jax.jit` made this function."""
    return hasattr(function, "lower")
