"""The collector itself: `scan` over time, `vmap` over environments, and a key for every draw."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import collector, gridworld, keys, policy
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception, Property
from gridroll.collector import Trajectory, unroll
from gridroll.exercises._shared import floats, random_world, source
from gridroll.exercises.collector import probes
from gridroll.gridworld import Gridworld, State, corridor, from_map
from gridroll.policy import Policy

SIZES = {"num_envs": 3, "num_steps": 5}

SCAFFOLD = '''
def unroll(world, policy, theta, state, keys):
    """Take T transitions in each of B environments, from given states with given keys.

    Args:
        world: the rules.
        policy: how actions are drawn: policy.sample and policy.log_prob, for one environment.
        theta: the policy's parameters.
        state: the states to begin with, leaves (B,).
        keys: (T, B) typed keys, one for each action.

    Returns:
        The states after the last transition, leaves (B,), and the Trajectory, leaves (T, B).
    """

    def transition(state, keys):
        # 1. What does each environment observe? Draw its action with its own key (vmap).
        # 2. Step every environment (vmap).
        # 3. Return the next states, and a Trajectory of this row: every field is (B,).
        #    Was the episode running before this step?
        ...

    # 4. scan the transition over time.
    return ...


def rollout(world, policy, theta, key, *, num_envs, num_steps):
    """Reset B environments and take T transitions in each, without a reset in between.

    Args:
        world: the rules.
        policy: how actions are drawn.
        theta: the policy's parameters.
        key: () typed key; it is used up here.
        num_envs: B.
        num_steps: T.

    Returns:
        The final states, leaves (B,), and the Trajectory, leaves (T, B).
    """
    # 1. One key for the resets, another for the actions. Then a key for every reset, (B,), and
    #    one for every action, (T, B): no key is used twice.
    # 2. Reset every environment (vmap).
    # 3. Unroll.
    return ...
'''


def replay(case: Case, got: tuple[State, Trajectory]) -> Any:
    """What the contract says of the student's own starts and actions, in a slow loop."""
    world, used, theta = case.args[:3]
    trajectory = got[1]
    start, action = np.asarray(trajectory.observation)[0], np.asarray(trajectory.action)
    fault = _impossible(world, start, action)
    if fault is not None:
        return fault
    table, goal = np.asarray(world.next_position), np.asarray(world.goal)
    position, elapsed, done = start, np.zeros_like(start), np.zeros(start.shape, bool)
    rows = []
    for taken in action:
        active = ~done
        landed = np.where(active, table[position, taken], position)
        elapsed = elapsed + active
        terminated = active & goal[landed]
        truncated = active & ~terminated & (elapsed >= int(world.horizon))
        earned = np.where(terminated, world.goal_reward, world.step_reward)
        reward = np.where(active, earned, 0).astype(np.float32)
        rows.append((position, taken, reward, active, terminated, truncated))
        position, done = landed, done | terminated | truncated
    columns = [np.stack(column) for column in zip(*rows, strict=True)]
    log_prob = np.asarray(jax.jit(used.log_prob)(theta, columns[0], columns[1]))
    recorded = np.asarray(trajectory.log_prob)
    log_prob = np.where(columns[3], log_prob, recorded)  # padding may hold anything
    final: Any = (position, elapsed.astype(np.int32), done)
    record: Any = (*columns, log_prob)
    return State(*final), Trajectory(*record)


def _impossible(world: Gridworld, start: np.ndarray, action: np.ndarray) -> Fault | None:
    """Starts and actions that no right answer can have."""
    starts = np.asarray(world.starts)
    elsewhere = ~np.isin(start, starts)
    if elsewhere.any():
        b = int(np.argmax(elsewhere))
        return Fault(
            "An episode doesn't begin on a start cell.",
            where=f"trajectory.observation[t=0, b={b}]",
            got=str(start[b]),
            expected=f"one of the start cells {sorted(set(starts.tolist()))}",
            rule="observation is the position BEFORE the step; row 0 is where reset put each "
            "environment.",
        )
    num_actions = world.next_position.shape[1]
    outside = (action < 0) | (action >= num_actions)
    if outside.any():
        t, b = (int(i) for i in np.argwhere(outside)[0])
        return Fault(
            "An action is none of this world's.",
            where=f"trajectory.action[t={t}, b={b}]",
            got=str(action[t, b]),
            expected=f"0 to {num_actions - 1}, as policy.sample draws it",
            rule="action is what policy.sample returned, unchanged.",
        )
    return None


def _roll(
    world: Gridworld, used: Policy, theta: jax.Array, reset_keys: jax.Array, action_keys: jax.Array
) -> tuple[State, Trajectory]:
    state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)
    return unroll(world, used, theta, state, action_keys)


def _protocol(
    world: Gridworld, used: Policy, theta: jax.Array, key: jax.Array, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    return _roll(world, used, theta, *keys.rollout_keys(key, num_envs, num_steps))


def _edited(edit: Callable[[Gridworld, Trajectory], dict[str, Any]]) -> Callable[..., Any]:
    """A collector whose record is edited afterwards: wrong bookkeeping."""

    def mistaken(
        world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
    ) -> tuple[State, Trajectory]:
        final, trajectory = _protocol(world, used, theta, key, num_envs, num_steps)
        return final, trajectory._replace(**edit(world, trajectory))

    return mistaken


def _replayed(edit: Callable[[Gridworld, Any], dict[str, Any]]) -> Callable[[Case, Any], Any]:
    """The same wrong bookkeeping on the student's own starts and actions."""

    def mistaken(case: Case, got: Any) -> Any:
        wanted = replay(case, got)
        if isinstance(wanted, Fault):
            return wanted
        final, trajectory = wanted
        return final, trajectory._replace(**edit(case.args[0], trajectory))

    return mistaken


def _wrong_record(
    name: str, message: str, edit: Callable[[Gridworld, Any], dict[str, Any]]
) -> Misconception:
    return Misconception(name, message, _edited(edit), replay=_replayed(edit))


def _after_step(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"active": record.active & ~(record.terminated | record.truncated)}


def _goal_only(world: Gridworld, record: Any) -> dict[str, Any]:
    reached = record.terminated
    earlier = jnp.concatenate([jnp.zeros_like(reached[:1]), reached[:-1]])
    return {"active": jnp.cumsum(earlier, axis=0) == 0}


def _keeps_paying(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"reward": jnp.where(record.active, record.reward, world.step_reward)}


def _no_limit(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"truncated": jnp.zeros_like(record.truncated)}


def _done_as_terminated(world: Gridworld, record: Any) -> dict[str, Any]:
    return {"terminated": record.terminated | record.truncated}


def _batch_major(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Any]:
    final, trajectory = _protocol(world, used, theta, key, num_envs, num_steps)
    return final, jax.tree.map(jnp.transpose, trajectory)


def _runs_to_horizon(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Any]:
    return _protocol(world, used, theta, key, num_envs, 8)


def _same_key_for_all_environments(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    shared = jnp.broadcast_to(action_keys[:, :1], action_keys.shape)
    return _roll(world, used, theta, reset_keys, shared)


def _same_key_at_every_step(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    shared = jnp.broadcast_to(action_keys[:1], action_keys.shape)
    return _roll(world, used, theta, reset_keys, shared)


def _one_reset(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    shared = jnp.broadcast_to(reset_keys[:1], reset_keys.shape)
    return _roll(world, used, theta, shared, action_keys)


def _reset_keys_for_actions(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    reset_keys, action_keys = keys.rollout_keys(key, num_envs, num_steps)
    shared = action_keys.at[0].set(reset_keys)
    return _roll(world, used, theta, reset_keys, shared)


def _fold_in_beside_split(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    numbers = jnp.arange(num_steps * num_envs).reshape(num_steps, num_envs)
    folded = jax.vmap(jax.vmap(partial(jax.random.fold_in, key)))(numbers)
    return _roll(world, used, theta, jax.random.split(key, num_envs), folded)


def _parent_used_again(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    reset_keys = jax.random.split(key, num_envs)
    step_keys = jax.random.split(key, num_steps)
    action_keys = jax.vmap(lambda k: jax.random.split(k, num_envs))(step_keys)
    return _roll(world, used, theta, reset_keys, action_keys)


def _own_seed(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    return _protocol(world, used, theta, jax.random.key(0), num_envs, num_steps)


def _nothing(
    world: Gridworld, used: Policy, theta: Any, key: Any, *, num_envs: int, num_steps: int
) -> tuple[State, Trajectory]:
    return _zeros(num_envs, num_steps)


def _zeros(num_envs: int, num_steps: int) -> tuple[State, Trajectory]:
    whole, flat = jnp.zeros((num_steps, num_envs), jnp.int32), jnp.zeros(num_envs, jnp.int32)
    real, no = whole.astype(jnp.float32), whole.astype(bool)
    return State(flat, flat, flat.astype(bool)), Trajectory(whole, whole, real, no, no, no, real)


def _visible() -> tuple[Case, ...]:
    theta = floats([-0.5, 0.3, 1.0, 0.0])
    small = (corridor(horizon=4), policy.bernoulli, theta, jax.random.key(3))
    ended = from_map("SS.#\n#..G\nG...", horizon=3)
    table = floats(np.arange(48).reshape(12, 4) % 5)
    return (
        Case(small, SIZES),
        Case((ended, policy.softmax, table, jax.random.key(8)), SIZES),
    )


def _generate(rng: np.random.Generator) -> Case:
    world = random_world(rng)
    theta = floats(rng.normal(0, 2, world.next_position.shape))
    key = jax.random.key(int(rng.integers(2**31)))
    return Case((world, policy.softmax, theta, key), SIZES)


def regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    """Where differences of a (T, B) field may lie."""
    record = expected[1]
    terminated, truncated, active = (
        np.asarray(x) for x in (record.terminated, record.truncated, record.active)
    )
    return {
        "transitions that reach a goal": terminated,
        "transitions that are cut off": truncated,
        "transitions that end an episode": terminated | truncated,
        "padding, the rows after the end": ~active,
        "active transitions": active,
    }


RULES = {
    "observation": "observation is the position BEFORE the step.",
    "action": "action is what policy.sample drew for this environment in this step.",
    "reward": "reward is what step paid: once for the ending transition, 0 in the padding.",
    "active": "active is taken from the state BEFORE the step: the ending transition counts.",
    "terminated": "terminated marks the one transition that reaches a goal.",
    "truncated": "truncated marks the last transition allowed, if no goal was reached on it.",
    "log_prob": "log_prob is policy.log_prob of the recorded action at the recorded observation.",
    "position": "The final state is the carry after the last step; a finished one has stayed.",
    "elapsed": "The final state counts the active transitions of its episode.",
    "done": "The final state is done if its episode has ended.",
}

ROLLOUT = Exercise(
    name="collector.rollout",
    title="the collector",
    task=(
        "Write `unroll` and `rollout`. Any correct way of handing out keys passes: the check "
        "replays your own starts and actions, and looks at your keys through a policy whose "
        "action is a fingerprint of its key."
    ),
    points=6,
    difficulty=4,
    reference=collector.rollout,
    answer=source(collector.unroll, collector.rollout),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("state", "trajectory"),
    axes=("t", "b"),
    eager=1,
    jit_from=1,
    regions=regions,
    replay=replay,
    rules=RULES,
    properties=(
        Property("keys", probes.every_draw_has_its_key),
        Property("distribution", probes.draws_follow_the_policy),
    ),
    misconceptions=(
        _wrong_record(
            "mask taken after the step",
            "active was taken from the state after the step, so the transition that ends an "
            "episode, and its reward, would not count. Take it from the state that goes in.",
            _after_step,
        ),
        _wrong_record(
            "mask from goals only",
            "Episodes that were cut off by the limit stay active. active is the opposite of done "
            "before the step, and done means either ending.",
            _goal_only,
        ),
        _wrong_record(
            "padding keeps paying",
            "Finished episodes go on earning the step reward, so returns change with num_steps.",
            _keeps_paying,
        ),
        _wrong_record(
            "endings merged",
            "terminated is set wherever an episode ended. A cut-off is truncated only.",
            _done_as_terminated,
        ),
        _wrong_record("no truncation", "No episode is ever marked as cut off.", _no_limit),
        Misconception(
            "batch-major",
            "The axes are exchanged: (B, T). The collector is time-major, (T, B), which is what "
            "scan gives when vmap lies inside it.",
            _batch_major,
        ),
        Misconception(
            "always eight steps",
            "The number of rows is fixed at 8. It is num_steps, whatever the horizon is.",
            _runs_to_horizon,
        ),
        Misconception(
            "one key for all environments",
            "In each step, all environments draw with one key. Split the step's key into B.",
            _same_key_for_all_environments,
            property="environments share a key",
        ),
        Misconception(
            "one key for all steps",
            "Every step draws with the keys of the first. Split the action key into T first.",
            _same_key_at_every_step,
            property="steps share a key",
        ),
        Misconception(
            "one reset key for all environments",
            "All environments are reset with one key, so they all start on the same cell. Split "
            "the reset key into B.",
            _one_reset,
            property="resets share a key",
        ),
        Misconception(
            "resets and actions share keys",
            "The keys of the resets draw actions as well, so the first action is tied to the "
            "start. fold_in(key, i) gives the key that split(key, n)[i] gives: split the key into "
            "a reset key and an action key first, and derive from these.",
            _fold_in_beside_split,
            also=(_reset_keys_for_actions,),
            property="reset and action share a key",
        ),
        Misconception(
            "a key used twice",
            "A key drew something and was split as well. Nothing need show in the averages, but "
            "draws that should be independent come from one key. Split once into a reset key and "
            "an action key, and use each part once.",
            _parent_used_again,
            property="a key is drawn from and split",
        ),
        Misconception(
            "a seed of its own",
            "Two different keys give the same rollout: the key that is passed in isn't used.",
            _own_seed,
            property="another key changes nothing",
        ),
        Misconception(
            "constant",
            "Nothing was collected: every entry is 0 or False.",
            _nothing,
            replay=lambda case, got: _zeros(case.kwargs["num_envs"], case.kwargs["num_steps"]),
        ),
    ),
    hints=(
        "Write down what one row of the record needs, for all B environments at one time: which "
        "of it is known before the step and which after?",
        "Inside the scan: action = vmap(sample), then vmap(step); active=~state.done of the state "
        "that came in. The carry is the batch of next states.",
        "keys.rollout_keys(key, num_envs, num_steps) gives the keys of lesson 02: (B,) for the "
        "resets and (T, B) for the actions, which scan hands out one row at a time.",
    ),
    why="A mask taken after the step passes every shape test, and loses each success.",
    gain="collect a batch of whole episodes in one compiled program",
    explanation=(
        "scan threads the batch of states through time and stacks what each step records; vmap "
        "keeps the environments apart inside a step. Everything known before the step (the "
        "observation, active) comes from the state that went in."
    ),
)
