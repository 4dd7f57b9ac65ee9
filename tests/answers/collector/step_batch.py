"""Answers to `collector.step_batch`."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from gridroll import gridworld
from gridroll.gridworld import Gridworld, State


def stepped(world: Gridworld, state: State, action: jax.Array) -> Any:
    """The right answer, for answers that spoil it."""
    return jax.vmap(gridworld.step, in_axes=(None, 0, 0))(world, state, action)


def right_world_held_by_partial(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Fixes the world before it maps, so in_axes isn't needed."""
    return jax.vmap(partial(gridworld.step, world))(state, action)


def right_world_copied(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Copies the world for every environment and maps all three arguments."""
    worlds = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (*action.shape, *leaf.shape)), world)
    return jax.vmap(gridworld.step)(worlds, state, action)


def right_python_loop(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Steps one environment after the other and stacks what they give."""
    steps = [
        gridworld.step(world, State(*(leaf[b] for leaf in state)), action[b])
        for b in range(action.shape[0])
    ]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *steps)


def right_map(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Uses lax.map, which runs the environments one at a time."""
    return jax.lax.map(lambda one: gridworld.step(world, *one), (state, action))


class Stepped(NamedTuple):
    """A record of the student's own."""

    state: State
    reward: jax.Array
    reached: jax.Array
    cut_off: jax.Array


def right_own_record(world: Gridworld, state: State, action: jax.Array) -> Stepped:
    """Returns the four things in a named tuple whose names are other ones."""
    return Stepped(*stepped(world, state, action))


def right_rules_by_hand(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Applies the rules to whole arrays and never calls step."""
    active = ~state.done
    position = jnp.where(active, world.next_position[state.position, action], state.position)
    elapsed = state.elapsed + active
    terminated = active & world.goal[position]
    truncated = active & ~terminated & (elapsed >= world.horizon)
    reward = jnp.where(terminated, world.goal_reward, active * world.step_reward)
    return State(position, elapsed, ~active | terminated | truncated), reward, terminated, truncated


def wrong_actions_in_order(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Sorts the actions, so environments take those of others."""
    return stepped(world, state, jnp.sort(action))


def wrong_two_actions(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Clips to left and right, which a map with four actions shows."""
    return stepped(world, state, jnp.clip(action, 0, 1))


def wrong_both_flags_at_the_limit(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Marks a goal that is reached on the last transition as cut off too."""
    following, reward, terminated, _ = stepped(world, state, action)
    return following, reward, terminated, ~state.done & (following.elapsed >= world.horizon)


def wrong_one_clock(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Cuts all environments off when the first one's count reaches the horizon."""
    following, reward, terminated, _ = stepped(world, state, action)
    late = following.elapsed[0] >= world.horizon
    return following, reward, terminated, ~state.done & ~terminated & late


def wrong_state_not_handed_on(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Returns the states that came in."""
    _, *outcome = stepped(world, state, action)
    return (state, *outcome)


def wrong_finished_ones_count_on(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Counts a step in finished environments too."""
    following, *outcome = stepped(world, state, action)
    return (following._replace(elapsed=state.elapsed + 1), *outcome)


def wrong_finished_ones_go_on(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Forgets that an environment had finished, so it moves and earns again."""
    return stepped(world, state._replace(done=jnp.zeros_like(state.done)), action)


def wrong_done_is_goal_only(world: Gridworld, state: State, action: jax.Array) -> Any:
    """An environment that is cut off isn't done."""
    following, reward, terminated, truncated = stepped(world, state, action)
    return following._replace(done=state.done | terminated), reward, terminated, truncated


def wrong_reward_masked_after(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Pays 0 to whoever is done after the step, and so loses the last reward."""
    following, reward, *flags = stepped(world, state, action)
    return (following, jnp.where(following.done, 0.0, reward), *flags)


def wrong_resets_at_the_end(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Puts whoever has finished back on a start cell."""
    following, *outcome = stepped(world, state, action)
    start = State(world.starts[0], jnp.int32(0), jnp.bool_(False))
    again = jax.tree.map(lambda new, old: jnp.where(following.done, new, old), start, following)
    return (again, *outcome)


def wrong_rewards_summed(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Adds the rewards of all environments."""
    following, reward, *flags = stepped(world, state, action)
    return (following, reward.sum(), *flags)


def wrong_flags_exchanged(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Returns truncated before terminated."""
    following, reward, terminated, truncated = stepped(world, state, action)
    return following, reward, truncated, terminated


def wrong_not_mapped(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Gives the whole batch to step, which takes one environment."""
    return gridworld.step(world, state, action)


def wrong_axis_one(world: Gridworld, state: State, action: jax.Array) -> Any:
    """Maps the actions along an axis that they don't have."""
    return jax.vmap(gridworld.step, in_axes=(None, 0, 1))(world, state, action)
