"""The world of the comparison with other programs: the map of gymnax's FourRooms."""

import jax
import jax.numpy as jnp

from gridroll.gridworld import Gridworld, from_map

# Start and goal are where gymnax puts them when it is asked for nothing else.
MAP = """
#############
#.....#.....#
#.....#.....#
#...........#
#S....#.....#
#.....#.....#
##.####.....#
#.....###.###
#.....#..G..#
#.....#.....#
#...........#
#.....#.....#
#############
"""


def world(num_steps: int) -> Gridworld:
    """Four rooms, in which an episode lasts at most `num_steps` transitions."""
    return from_map(MAP, horizon=num_steps)


def uniform() -> jax.Array:
    """Parameters of the softmax policy that make each action equally likely, (169, 4) float32."""
    return jnp.zeros((13 * 13, 4))
