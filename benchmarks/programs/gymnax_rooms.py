"""gymnax's FourRooms, collected by its `RolloutWrapper` with the uniform policy.

Two of its habits stay as they are: it draws at each step whether chance replaces the action, and it
starts a finished environment again at once.
"""

import jax
from gymnax.experimental.rollout import RolloutWrapper

from benchmarks.programs import Program, rooms


def act(theta: jax.Array, observation: jax.Array, key: jax.Array) -> jax.Array:
    """Draw an action from a table as `policy.softmax` does; gymnax observes (row, column, ...)."""
    return jax.random.categorical(key, theta[observation[0] * 13 + observation[1]])


def make(num_envs: int, num_steps: int) -> Program:
    """One call collects observation, action, reward, next observation and done."""
    length = {"max_steps_in_episode": num_steps}
    wrapper = RolloutWrapper(act, "FourRooms-misc", env_params=length)
    theta = rooms.uniform()
    keys = jax.random.split(jax.random.key(0), num_envs)

    def call() -> object:
        return jax.block_until_ready(wrapper.batch_rollout(keys, theta))

    return Program(call, num_envs * num_steps)
