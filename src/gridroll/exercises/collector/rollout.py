"""The collector itself: `scan` over time, `vmap` over environments, and a key for every draw."""

import jax
import numpy as np

from gridroll import collector, policy
from gridroll.classroom.exercise import Case, Exercise, Property
from gridroll.exercises._shared import floats, random_world, source
from gridroll.exercises.collector import distribution, probes, wrong_rollouts
from gridroll.exercises.collector.replay import RULES, regions, replay
from gridroll.gridworld import corridor, from_map

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


ROLLOUT = Exercise(
    name="collector.rollout",
    title="the collector",
    task="Write `unroll` and `rollout`, with any correct way of handing out the keys.",
    points=6,
    difficulty=4,
    reference=collector.rollout,
    parts=(collector.transition, collector.unroll),
    answer=source(collector.transition, collector.unroll, collector.rollout),
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
        Property("sizes", distribution.one_is_a_size),
        Property("keys", probes.every_draw_has_its_key),
        Property("distribution", distribution.draws_follow_the_policy),
    ),
    misconceptions=wrong_rollouts.MISCONCEPTIONS,
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
