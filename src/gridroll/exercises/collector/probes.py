"""What a collector does with its keys, made visible by policies whose action depends on the key."""

import itertools
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.exercise import Fault
from gridroll.exercises._probes import FINGERPRINT, NUM_STARTS, fingerprint
from gridroll.exercises._shared import floats
from gridroll.gridworld import Gridworld, make_world

NUM_ENVS, NUM_STEPS = 5, 6
SEEDS = (11, 12, 13, 14)

BRANCHES, GENERATIONS = 5, 3

Rollout = Callable[..., Any]
Path = tuple[int, ...]


def _many_starts(distinct: int = NUM_STARTS) -> Gridworld:
    """A world whose start cell tells which number the reset drew, or its rest after division."""
    cells = np.arange(NUM_STARTS + 1)
    return make_world(
        next_position=np.stack([cells, cells], axis=1),
        goal=cells == NUM_STARTS,
        wall=np.zeros(NUM_STARTS + 1, bool),
        starts=cells[:-1] % distinct,
        columns=NUM_STARTS + 1,
        rules=(50, -0.01, 1.0),
    )


def _collect(
    rollout: Rollout, seed: int, distinct: int = NUM_STARTS
) -> tuple[np.ndarray, np.ndarray]:
    """Start cells (B,) and actions (T, B), which tell the keys that drew them."""
    theta, key = floats(np.zeros(NUM_STARTS + 1)), jax.random.key(seed)
    world = _many_starts(distinct)
    _, trajectory = rollout(world, FINGERPRINT, theta, key, num_envs=NUM_ENVS, num_steps=NUM_STEPS)
    return np.asarray(trajectory.observation)[0], np.asarray(trajectory.action)


def every_draw_has_its_key(eager: Rollout, jitted: Rollout) -> Fault | None:
    """Each of the T·B actions and each of the B resets has a key of its own, from the key given."""
    runs = [_collect(jitted, seed) for seed in SEEDS]
    start, action = runs[0]
    if action.shape != (NUM_STEPS, NUM_ENVS):
        return _fault(
            "sizes", "The record has another size than was asked for.", "trajectory.action",
            f"shape {action.shape}", f"shape {(NUM_STEPS, NUM_ENVS)}",
            "num_steps rows and num_envs columns, whatever they are.",
        )  # fmt: skip
    if action.max() < NUM_STARTS:
        return _fault(
            "not what sample returned", "The actions are not those of the policy.",
            "trajectory.action[t=0, b=0]", str(action[0, 0]),
            "the number that policy.sample returned, unchanged",
            "action is what policy.sample drew, as it is: nothing clips or chooses again.",
        )  # fmt: skip
    repeated = _collect(jitted, SEEDS[0])
    if (repeated[0] != start).any() or (repeated[1] != action).any():
        return _fault(
            "not a function of its key", "Two calls with the same key differ.",
            "the whole rollout", "another rollout", "the same rollout",
            "A rollout depends on its arguments only.",
        )  # fmt: skip
    few_cells = _collect(jitted, SEEDS[0], distinct=2)[1]
    found = (
        _action_keys(action), _action_keys(few_cells), _another_key(runs), _resets(runs),
        _resets_against_actions(runs),
    )  # fmt: skip
    return next((fault for fault in found if fault is not None), None) or _parents(runs)


def _action_keys(action: np.ndarray) -> Fault | None:
    rule = "Every action has a key of its own."
    if (action == action[:, :1]).all():
        return _fault(
            "environments share a key", "All environments of a step draw with one key.",
            "trajectory.action[t=0, b=1]", "drawn with the key of environment 0",
            "drawn with a key of its own", rule,
        )  # fmt: skip
    if (action == action[:1]).all():
        return _fault(
            "steps share a key", "Every step draws with the same keys.",
            "trajectory.action[t=1, b=0]", "drawn with the key of step 0",
            "drawn with a key of its own", rule,
        )  # fmt: skip
    seen: dict[int, tuple[int, ...]] = {}
    for place, value in np.ndenumerate(action):
        if int(value) in seen:
            (t, b), (t0, b0), distinct = place, seen[int(value)], len(np.unique(action))
            return _fault(
                "some draws share a key", "Some actions draw with the same key.",
                f"trajectory.action[t={t}, b={b}]",
                f"drawn with the key of [t={t0}, b={b0}]; {distinct} keys in all",
                f"drawn with a key of its own; {action.size} keys in all", rule,
            )  # fmt: skip
        seen[int(value)] = place
    return None


def _resets(runs: list[tuple[np.ndarray, np.ndarray]]) -> Fault | None:
    """Two equal starts of 2048 in one run are chance once in 200; in all four runs, never."""
    if len({int(start[0]) for start, _ in runs}) == 1:
        return _fault(
            "starts are not drawn", "Every rollout begins on the same cell.",
            "trajectory.observation[t=0, b=0]", f"{runs[0][0][0]}, for four keys",
            "another cell for another key", "Each start is drawn from world.starts.",
        )  # fmt: skip
    if any(len(np.unique(start)) == NUM_ENVS for start, _ in runs):
        return None
    return _fault(
        "resets share a key", "Environments are reset with the same key.",
        "trajectory.observation[t=0]", f"starts {runs[0][0].tolist()}", f"{NUM_ENVS} other starts",
        "Every reset has a key of its own.",
    )  # fmt: skip


def _resets_against_actions(runs: list[tuple[np.ndarray, np.ndarray]]) -> Fault | None:
    """A reset's draw shows in the action that used its key: in all four runs, never by chance."""
    equal = np.all([(action % NUM_STARTS)[..., None] == start for start, action in runs], axis=0)
    if not equal.any():
        return None
    t, b, reset = np.argwhere(equal)[0]
    return _fault(
        "reset and action share a key", "A reset and an action draw with the same key.",
        f"trajectory.action[t={t}, b={b}]", f"drawn with the key that reset environment {reset}",
        "drawn with a key of its own", "Resets and actions have keys of their own.",
    )  # fmt: skip


@jax.jit
def _descendants(key: jax.Array) -> jax.Array:
    """The fingerprints of all keys that splitting leads to, generation by generation."""
    generations = [jax.random.split(key, BRANCHES)]
    for _ in range(GENERATIONS - 1):
        split = jax.vmap(partial(jax.random.split, num=BRANCHES))
        generations.append(split(generations[-1]).ravel())
    return jax.vmap(partial(fingerprint, None, None))(jnp.concatenate(generations))


@cache
def _family(seed: int) -> tuple[dict[int, Path], dict[Path, int]]:
    """The keys that splitting key(seed) leads to: action -> path, and path -> start drawn.

    A path names the branches taken: split(split(key, n)[2], m)[0] is (2, 0), whatever n and m are.
    """
    paths = [
        path
        for generation in range(1, GENERATIONS + 1)
        for path in itertools.product(range(BRANCHES), repeat=generation)
    ]
    numbers = np.asarray(_descendants(jax.random.key(seed))).tolist()
    actions = dict(zip(numbers, paths, strict=True))
    starts = {path: number % NUM_STARTS for path, number in zip(paths, numbers, strict=True)}
    return actions, starts


def _parents(runs: list[tuple[np.ndarray, np.ndarray]]) -> Fault | None:
    """No key that drew something is also a parent of another key that did."""
    actions, _ = _family(SEEDS[0])
    drawn = {place: actions.get(int(value)) for place, value in np.ndenumerate(runs[0][1])}
    for (t, b), path in drawn.items():
        for length in range(1, len(path or ())):
            parent = path[:length] if path else ()
            owner = next((o for o, p in drawn.items() if p == parent), None)
            used = f"drew the action of [t={owner[0]}, b={owner[1]}]" if owner else ""
            for environment in range(NUM_ENVS):
                # One start of 2048 tells little; the same in every run tells the key.
                if all(
                    int(start[environment]) == _family(seed)[1][parent]
                    for seed, (start, _) in zip(SEEDS, runs, strict=True)
                ):
                    used = f"reset environment {environment}"
            if used:
                return _fault(
                    "a key is drawn from and split", "A key is used twice.",
                    f"trajectory.action[t={t}, b={b}]", f"its key was split from one that {used}",
                    "its key was split from one that drew nothing",
                    "A key is drawn from or split, once.",
                )  # fmt: skip
    return None


def _another_key(runs: list[tuple[np.ndarray, np.ndarray]]) -> Fault | None:
    (_, action), *others = runs
    same = np.all([action == other for _, other in others], axis=0)
    if not same.any():
        return None
    t, b = np.argwhere(same)[0]
    return _fault(
        "another key changes nothing" if same.all() else "a draw ignores the key",
        "Other keys give the same draws.", f"trajectory.action[t={t}, b={b}]",
        f"the same draw for key({SEEDS[0]}) and key({SEEDS[1]})", "another draw",
        "Every draw comes from the key that is passed in.",
    )  # fmt: skip


def _fault(name: str, summary: str, where: str, got: str, expected: str, rule: str) -> Fault:
    return Fault(
        summary,
        call=f"rollout(world, policy, theta, key({SEEDS[0]}), num_envs={NUM_ENVS}, "
        f"num_steps={NUM_STEPS}) in a world of {NUM_STARTS} start cells, under a policy whose "
        "action is a fingerprint of its key",
        where=where,
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )
