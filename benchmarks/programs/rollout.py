"""`collector.rollout` in the four rooms, with the uniform softmax policy."""

import jax

from benchmarks.programs import Program, rooms
from gridroll.collector import rollout
from gridroll.policy import softmax


def make(num_envs: int, num_steps: int) -> Program:
    """One call collects a whole trajectory."""
    world, theta, key = rooms.world(num_steps), rooms.uniform(), jax.random.key(0)

    def call() -> object:
        sizes = {"num_envs": num_envs, "num_steps": num_steps}
        return jax.block_until_ready(rollout(world, softmax, theta, key, **sizes))

    return Program(call, num_envs * num_steps)
