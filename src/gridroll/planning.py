"""Exact answers without drawing anything: values backwards over the horizon, occupancy forwards."""

from functools import partial

import jax
import jax.numpy as jnp

from gridroll import validation
from gridroll.gridworld import Gridworld


def transition_reward(world: Gridworld) -> jax.Array:
    """The reward of each action in each cell, for an active environment: (S, A) float32."""
    return jnp.where(world.goal[world.next_position], world.goal_reward, world.step_reward)


def action_value(world: Gridworld, next_value: jax.Array) -> jax.Array:
    """The reward of each action, and the value of where it leads: (S, A) float32.

    A goal has the value 0, since the episode ends there and nothing is left to earn.

    Args:
        world: the rules.
        next_value: (S,) float32, the value of each cell one transition later.
    """
    value = transition_reward(world) + next_value[world.next_position]
    return jnp.where(world.goal[:, None], 0.0, value)


@validation.back_up
def back_up(world: Gridworld, probabilities: jax.Array, next_value: jax.Array) -> jax.Array:
    """The value of each cell, from the values of the cells with one step less left.

    Args:
        world: the rules.
        probabilities: (S, A) float32, of each action in each cell.
        next_value: (S,) float32, the values one transition later; 0 on goals.

    Returns:
        (S,) float32, 0 on goals.

    Raises:
        TypeError, ValueError: an argument of another kind or shape.
    """
    return (probabilities * action_value(world, next_value)).sum(axis=1)


@validation.policy_planning
@partial(jax.jit, static_argnames=("num_steps",))
def policy_value(world: Gridworld, probabilities: jax.Array, num_steps: int) -> jax.Array:
    """The expected sum of rewards still to come, by backward induction.

    V[t, s] = sum over a of probabilities[s, a] * (reward + V[t + 1, next position]), from
    V[num_steps] = 0 (Puterman, Markov Decision Processes, section 4.2; Sutton and Barto, 2nd
    edition, equation 4.5 with a horizon and no discount).

    Args:
        world: the rules.
        probabilities: (S, A) float32, of each action in each cell: `Policy.probabilities(theta)`.
        num_steps: T, the transitions that are collected.

    Returns:
        (T + 1, S) float32. Entry [t, s] is for an environment that is active in s after t
        transitions; 0 on goals, from the world's horizon on, and in row T.

    Raises:
        TypeError, ValueError: an argument of another kind or shape, a stack of worlds, or, where
            they can be seen, a negative probability or a row that doesn't sum to 1.
    """

    def go_back(later: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        now = jnp.where(t < world.horizon, back_up(world, probabilities, later), 0.0)
        return now, now

    nothing = jnp.zeros(world.goal.shape, jnp.float32)
    steps = jnp.arange(num_steps, dtype=jnp.int32)
    _, value = jax.lax.scan(go_back, nothing, steps, reverse=True)
    return jnp.concatenate([value, nothing[None]])


@validation.policy_planning
@partial(jax.jit, static_argnames=("num_steps",))
def occupancy(world: Gridworld, probabilities: jax.Array, num_steps: int) -> jax.Array:
    """The chance of being active in each cell before each transition, forwards from the starts.

    Whoever reaches a goal, or the horizon, is active no longer: nothing is renormalised, so row t
    sums to the chance that an episode is still running, and all rows to the expected length of an
    episode (Sutton and Barto, 2nd edition, equation 9.2, here kept apart by time).

    Args:
        world: the rules; each entry of `starts` is equally likely.
        probabilities: (S, A) float32, of each action in each cell: `Policy.probabilities(theta)`.
        num_steps: T, the transitions that are collected.

    Returns:
        (T, S) float32, each between 0 and 1; 0 from the world's horizon on. A goal has a chance
        only in row 0, and only where it is a start: an episode is active until its first step.

    Raises:
        TypeError, ValueError: as `policy_value`.
    """
    nowhere = jnp.zeros(world.goal.shape, jnp.float32)

    def move(chance: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        # Several actions may lead to one cell, and their chances add up there.
        arriving = nowhere.at[world.next_position].add(chance[:, None] * probabilities)
        over = world.goal | (t + 1 >= world.horizon)
        return jnp.where(over, 0.0, arriving), chance

    first = nowhere.at[world.starts].add(1 / world.starts.shape[0])
    _, chance = jax.lax.scan(move, first, jnp.arange(num_steps, dtype=jnp.int32))
    return chance


@validation.policy_planning
@partial(jax.jit, static_argnames=("num_steps",))
def expected_return(world: Gridworld, probabilities: jax.Array, num_steps: int) -> jax.Array:
    """The expected return of an episode: what each cell earns, as often as it is occupied.

    It equals the mean of `policy_value` in row 0 over the starts, unless a start is a goal: that
    one earns the goal's reward with its first step, as in a rollout, and has the value 0.

    Args:
        world: the rules; each entry of `starts` is equally likely.
        probabilities: (S, A) float32, of each action in each cell: `Policy.probabilities(theta)`.
        num_steps: T, the transitions that are collected.

    Returns:
        () float32.

    Raises:
        TypeError, ValueError: as `policy_value`.
    """
    reward = (probabilities * transition_reward(world)).sum(axis=1)  # (S,)
    return (occupancy(world, probabilities, num_steps) * reward[None, :]).sum()


@validation.policy_planning
@partial(jax.jit, static_argnames=("num_steps",))
def return_variance(world: Gridworld, probabilities: jax.Array, num_steps: int) -> jax.Array:
    """The variance of the return of an episode; its root is how far one return is from the mean.

    Backwards, like the value: a transition adds the spread of what its action earns and leads to,
    and what is still to come adds its own. At the starts the spread of their values is added (the
    law of total variance; Sobel, The variance of discounted Markov decision processes, 1982).

    Args:
        world: the rules; each entry of `starts` is equally likely.
        probabilities: (S, A) float32, of each action in each cell: `Policy.probabilities(theta)`.
        num_steps: T, the transitions that are collected.

    Returns:
        () float32, at least 0.

    Raises:
        TypeError, ValueError: as `policy_value`.
    """
    pair = tuple[jax.Array, jax.Array]

    def go_back(later: pair, t: jax.Array) -> tuple[pair, pair]:
        next_value, next_variance = (part[world.next_position] for part in later)  # (S, A)
        earned = transition_reward(world) + next_value
        value = (probabilities * earned).sum(axis=1)
        spread = (earned - value[:, None]) ** 2 + next_variance
        variance = (probabilities * spread).sum(axis=1)
        goes_on = ~world.goal & (t < world.horizon)
        return (
            (jnp.where(goes_on, value, 0.0), jnp.where(goes_on, variance, 0.0)),
            (value, variance),  # a start that is a goal earns with its first step all the same
        )

    nothing = jnp.zeros(world.goal.shape, jnp.float32)
    steps = jnp.arange(num_steps, dtype=jnp.int32)
    _, (value, variance) = jax.lax.scan(go_back, (nothing, nothing), steps, reverse=True)
    return variance[0, world.starts].mean() + value[0, world.starts].var()


@validation.count_band
def count_band(chance: jax.Array, num_envs: int) -> tuple[jax.Array, jax.Array]:
    """The band around an expected count: two standard errors of it to either side.

    A count of independent environments, each with this chance, has the variance B p (1 - p).

    Args:
        chance: (T,) float32, of one environment to be active; such as `occupancy`, each row summed.
        num_envs: B, how many environments are counted.

    Returns:
        The lower and the upper end, each (T,) float32; not cut off at 0 or B.

    Raises:
        TypeError, ValueError: a chance outside 0 to 1, a size that is no positive integer.
    """
    expected = num_envs * chance
    error = jnp.sqrt(num_envs * chance * (1 - chance))
    return expected - 2 * error, expected + 2 * error


@validation.optimal
@partial(jax.jit, static_argnames=("num_steps",))
def optimal(world: Gridworld, num_steps: int) -> tuple[jax.Array, jax.Array]:
    """The largest expected sum of rewards still to come, and an action that attains it.

    V[t, s] = max over a of (reward + V[t + 1, next position]), from V[num_steps] = 0 (Puterman,
    Markov Decision Processes, section 4.5; Sutton and Barto, 2nd edition, equation 4.10 with a
    horizon and no discount). The best action may depend on t: it sees the clock, which a `Policy`
    doesn't.

    Args:
        world: the rules.
        num_steps: T, the transitions that are collected.

    Returns:
        The value (T + 1, S) float32, 0 on goals, from the world's horizon on and in row T; the
        action (T, S) int32, the lowest of those that are equally good, so 0 where nothing is left.

    Raises:
        TypeError, ValueError: an argument of another kind, or a stack of worlds.
    """

    def go_back(later: jax.Array, t: jax.Array) -> tuple[jax.Array, tuple[jax.Array, ...]]:
        values = jnp.where(t < world.horizon, action_value(world, later), 0.0)  # (S, A)
        value, action = values.max(axis=1), jnp.argmax(values, axis=1)  # argmax takes the first
        return value, (value, action.astype(jnp.int32))

    nothing = jnp.zeros(world.goal.shape, jnp.float32)
    steps = jnp.arange(num_steps, dtype=jnp.int32)
    _, (value, action) = jax.lax.scan(go_back, nothing, steps, reverse=True)
    return jnp.concatenate([value, nothing[None]]), action
