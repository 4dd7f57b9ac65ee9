"""What people write for `step`, and what each of them should read."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll.classroom.exercise import Misconception
from gridroll.gridworld import Gridworld, State

StepResult = tuple[State, Any, Any, Any]


def _parts(world: Gridworld, state: State, action: jax.Array) -> dict[str, jax.Array]:
    """What a right step is made of, by name."""
    active = ~state.done
    there = world.next_position[state.position, action]
    position = jnp.where(active, there, state.position)
    elapsed = state.elapsed + active.astype(jnp.int32)
    terminated, limit = active & world.goal[position], elapsed >= world.horizon
    truncated = active & ~terminated & limit
    return {
        "active": active,
        "there": there,
        "position": position,
        "elapsed": elapsed,
        "done": state.done | terminated | truncated,
        "reward": _earned(world, terminated, active),
        "terminated": terminated,
        "truncated": truncated,
        "limit": limit,
    }


def _edited(edit: Callable[[Gridworld, State, dict[str, Any]], dict[str, Any]]) -> Any:
    """A step that is right except for what `edit` changes."""

    def mistaken(world: Gridworld, state: State, action: jax.Array) -> StepResult:
        right = _parts(world, state, action)
        made = {**right, **edit(world, state, right)}
        after = State(made["position"], made["elapsed"], made["done"])
        return after, made["reward"], made["terminated"], made["truncated"]

    return mistaken


def _earned(world: Gridworld, reached: Any, active: Any = True) -> jax.Array:
    return jnp.where(active, jnp.where(reached, world.goal_reward, world.step_reward), 0.0)


def _moves_on(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"position": right["there"]}


def _keeps_paying(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"reward": _earned(world, right["terminated"])}


def _pays_the_goal_again(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"reward": _earned(world, world.goal[right["position"]])}


def _keeps_counting(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"elapsed": state.elapsed + 1}


def _fires_again(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    reached = world.goal[right["position"]]
    return {"terminated": reached, "truncated": ~reached & right["limit"]}


def _goal_fires_again(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"terminated": world.goal[right["position"]]}


def _limit_fires_again(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"truncated": ~right["terminated"] & right["limit"]}


def _ignores_done(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    reached, elapsed = world.goal[right["there"]], state.elapsed + 1
    truncated = ~reached & (elapsed >= world.horizon)
    return {
        "position": right["there"],
        "elapsed": elapsed,
        "done": reached | truncated,
        "reward": _earned(world, reached),
        "terminated": reached,
        "truncated": truncated,
    }


def _mask_after_step(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"reward": jnp.where(right["done"], 0.0, right["reward"])}


def _goal_it_leaves(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    reached = right["active"] & world.goal[state.position]
    truncated = right["active"] & ~reached & right["limit"]
    return {
        "terminated": reached,
        "truncated": truncated,
        "done": state.done | reached | truncated,
        "reward": _earned(world, reached, right["active"]),
    }


def _both_flags(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"truncated": right["active"] & right["limit"]}


def _limit_first(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    truncated = right["active"] & right["limit"]
    reached = right["terminated"] & ~truncated
    reward = _earned(world, reached, right["active"])
    return {"truncated": truncated, "terminated": reached, "reward": reward}


def _tests_before_counting(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    late = right["active"] & ~right["terminated"] & (state.elapsed >= world.horizon)
    return {"truncated": late, "done": state.done | right["terminated"] | late}


def _limit_pays(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    ended = right["terminated"] | right["truncated"]
    return {"reward": _earned(world, ended, right["active"])}


def _done_forgets(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"done": right["terminated"] | right["truncated"]}


def _goal_only_is_done(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    return {"done": state.done | right["terminated"]}


def _own_rewards(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    earned = jnp.where(right["terminated"], 1.0, -0.01)
    return {"reward": jnp.where(right["active"], earned, 0.0)}


def _goal_pays_on_top(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    extra = jnp.where(right["terminated"], world.step_reward, 0.0)
    return {"reward": right["reward"] + extra}


def _swapped_indices(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    turned = world.next_position.T
    size = jnp.array(turned.shape) - 1
    there = turned[jnp.minimum(state.position, size[0]), jnp.minimum(action, size[1])]
    moved = jnp.where(state.done, state.position, there)
    right = _parts(world, state, action)
    reached = right["active"] & world.goal[moved]
    truncated = right["active"] & ~reached & right["limit"]
    after = State(moved, right["elapsed"], state.done | reached | truncated)
    return after, _earned(world, reached, right["active"]), reached, truncated


def _starts_again(world: Gridworld, state: State, right: dict[str, Any]) -> dict[str, Any]:
    ended = right["terminated"] | right["truncated"]
    return {
        "position": jnp.where(ended, world.starts[0], right["position"]),
        "elapsed": jnp.where(ended, 0, right["elapsed"]),
        "done": jnp.zeros_like(ended),
    }


def _nothing(world: Gridworld, state: State, action: jax.Array) -> StepResult:
    return state, jnp.float32(0), jnp.bool_(False), jnp.bool_(False)


MISCONCEPTIONS = (
    Misconception("constant", "Nothing moves, nothing is earned and nothing ends.", _nothing),
    Misconception(
        "a finished state is stepped like any other",
        "state.done isn't looked at: a finished episode moves, counts and earns again. Every "
        "result depends on whether the episode was running before the step.",
        _edited(_ignores_done),
    ),
    Misconception(
        "a finished state moves on",
        "The action of a finished episode still moves it. It stays: "
        "jnp.where(active, next position, position).",
        _edited(_moves_on),
    ),
    Misconception(
        "reward continues after the end",
        "A finished episode goes on earning, so its return would depend on how long you go on "
        "stepping it. The reward is 0 unless the episode was running before the step.",
        _edited(_keeps_paying),
        also=(_edited(_pays_the_goal_again),),
    ),
    Misconception(
        "elapsed grows after the end",
        "A finished episode goes on counting. Add 1 only while it is running: "
        "state.elapsed + active.astype(jnp.int32).",
        _edited(_keeps_counting),
    ),
    Misconception(
        "events fire again",
        "A finished episode reports its ending again on every further step. An event is true on "
        "one transition only: active & ...",
        _edited(_fires_again),
        also=(_edited(_goal_fires_again), _edited(_limit_fires_again)),
    ),
    Misconception(
        "mask taken after the step",
        "The step that ends an episode earns nothing here, because its reward is held back by the "
        "done of AFTER the step. Ask whether the episode was running before it.",
        _edited(_mask_after_step),
    ),
    Misconception(
        "looks at the cell it leaves",
        "The goal is looked for on the cell that the step leaves. terminated asks about the cell "
        "that it reaches: world.goal[position] with the new position.",
        _edited(_goal_it_leaves),
    ),
    Misconception(
        "both flags",
        "A goal on the last allowed step sets both flags. It is a termination: truncated needs "
        "& ~terminated.",
        _edited(_both_flags),
    ),
    Misconception(
        "the limit wins over the goal",
        "A goal reached on the last allowed step counts as cut off, and its reward is lost. The "
        "limit counts only if no goal was reached.",
        _edited(_limit_first),
    ),
    Misconception(
        "limit tested before counting",
        "One step too many is allowed: the limit is compared with the count from before this "
        "step. Compare the new count.",
        _edited(_tests_before_counting),
    ),
    Misconception(
        "the limit pays like a goal",
        "An episode that is cut off earns the goal's reward. The horizon is no goal.",
        _edited(_limit_pays),
    ),
    Misconception(
        "done is forgotten",
        "done is true on the ending step and false again on the next one. An episode that has "
        "ended stays ended: state.done | ...",
        _edited(_done_forgets),
    ),
    Misconception(
        "only a goal is an end",
        "An episode that is cut off isn't marked as done, so it would go on. Either ending ends "
        "it.",
        _edited(_goal_only_is_done),
    ),
    Misconception(
        "rewards of its own",
        "The rewards are fixed at 1 and -0.01. They belong to the world: world.goal_reward and "
        "world.step_reward.",
        _edited(_own_rewards),
    ),
    Misconception(
        "the goal costs a step too",
        "The step onto the goal earns both rewards added up. It earns the goal's reward instead "
        "of a step's.",
        _edited(_goal_pays_on_top),
    ),
    Misconception(
        "position and action exchanged",
        "The table is read as [action, position]. Its rows are cells: "
        "world.next_position[state.position, action]. An index that is too large raises no error "
        "in JAX; it is clamped.",
        _swapped_indices,
    ),
    Misconception(
        "starts again by itself",
        "After an ending the state is that of a new episode, and the cell on which the old one "
        "ended is lost. step never resets: it returns the final state, marked as done.",
        _edited(_starts_again),
    ),
)
