"""What a collector does with its keys, made visible by policies whose action depends on the key."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom import compare
from gridroll.classroom.exercise import Fault
from gridroll.collector import Trajectory
from gridroll.exercises import _fresh
from gridroll.exercises._probes import FINGERPRINT, NUM_STARTS, fingerprint
from gridroll.exercises._shared import floats, misshapen
from gridroll.exercises.collector.replay import RULES
from gridroll.gridworld import Gridworld, State, make_world

NUM_ENVS, NUM_STEPS = 5, 6
NUM_SEEDS = 5  # two equal starts in each of them are chance once in 10^11
STEP_REWARD = -0.25

BRANCHES, GENERATIONS = 5, 3

Run = tuple[np.ndarray, np.ndarray]  # start cells (B,) and actions (T, B)
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
        rules=(50, STEP_REWARD, 1.0),
    )


class _Collector:
    """A rollout in a world of many starts, with sizes of its own."""

    def __init__(self, rollout: Rollout, num_envs: int, num_steps: int) -> None:
        self.rollout = rollout
        self.sizes = {"num_envs": num_envs, "num_steps": num_steps}
        self.shape = (num_steps, num_envs)

    def collect(self, seed: int, distinct: int = NUM_STARTS) -> Any:
        """The states and the record; starts and actions tell the keys that drew them."""
        theta, key = floats(np.zeros(NUM_STARTS + 1)), jax.random.key(seed)
        return self.rollout(_many_starts(distinct), FINGERPRINT, theta, key, **self.sizes)

    def run(self, seed: int, distinct: int = NUM_STARTS) -> Run | Fault:
        """The start cells and the actions, or why they aren't those of a record of its sizes."""
        _, record = self.collect(seed, distinct)
        observation, action = np.asarray(record.observation), np.asarray(record.action)
        return (
            misshapen("trajectory.observation", observation, self.shape, "iu")
            or misshapen("trajectory.action", action, self.shape, "iu")
            or (observation[0], action)
        )

    def runs(self, seeds: list[int], distinct: int = NUM_STARTS) -> list[Run] | Fault:
        """A run for each seed, or the fault of the first one that has one."""
        found: list[Run] = []
        for seed in seeds:
            run = self.run(seed, distinct)
            if isinstance(run, Fault):
                return run
            found.append(run)
        return found


def every_draw_has_its_key(
    eager: Rollout, jitted: Rollout, rng: np.random.Generator
) -> Fault | None:
    """Each of the T·B actions and each of the B resets has a key of its own, from the key given."""
    seeds = _fresh.seeds(rng, NUM_SEEDS)
    collector = _Collector(jitted, *_fresh.sizes(rng, NUM_ENVS, NUM_STEPS, least=4, most=6))
    fault = _first_fault(collector, seeds)
    if fault is None:
        return None
    call = (
        f"rollout(world, policy, theta, key({seeds[0]}), num_envs={collector.shape[1]}, "
        f"num_steps={collector.shape[0]}) in a world of {NUM_STARTS} start cells, under a policy "
        "whose action is a fingerprint of its key"
    )
    return replace(fault, call=call)


def _first_fault(collector: _Collector, seeds: list[int]) -> Fault | None:
    state, record = collector.collect(seeds[0])
    action = np.asarray(record.action)
    if action.shape != collector.shape:
        return _fault(
            "sizes", "The record has another size than was asked for.", "trajectory.action",
            f"shape {action.shape}", f"shape {collector.shape}",
            "num_steps rows and num_envs columns, whatever they are.",
        )  # fmt: skip
    if action.max() < NUM_STARTS:
        return _fault(
            "not what sample returned", "The actions are not those of the policy.",
            "trajectory.action[t=0, b=0]", str(action[0, 0]),
            "the number that policy.sample returned, unchanged",
            "action is what policy.sample drew, as it is: nothing clips or chooses again.",
        )  # fmt: skip
    fault = _bookkeeping(state, record)
    if fault is not None:
        return fault
    runs = collector.runs(seeds)
    if isinstance(runs, Fault):
        return runs
    if (runs[0][0] != np.asarray(record.observation)[0]).any() or (runs[0][1] != action).any():
        return _fault(
            "not a function of its key", "Two calls with the same key differ.",
            "the whole rollout", "another rollout", "the same rollout",
            "A rollout depends on its arguments only.",
        )  # fmt: skip
    few_cells = collector.runs(seeds[:2], distinct=2)
    if isinstance(few_cells, Fault):
        return few_cells
    found = (
        _action_keys(runs) or _action_keys(few_cells) or _another_key(runs, seeds) or _resets(runs)
    )
    return found or _resets_against_actions(runs) or _parents(runs, seeds)


def _bookkeeping(state: Any, record: Any) -> Fault | None:
    """In this world nobody moves and nothing ends, so all that is recorded is known."""
    action = np.asarray(record.action)
    start = np.broadcast_to(np.asarray(record.observation)[:1], action.shape)
    no, none = np.zeros(action.shape, bool), np.zeros(action.shape, np.float32)
    wanted = Trajectory(start, action, none + STEP_REWARD, ~no, no, no, none)  # type: ignore[arg-type]
    counted = np.full(start.shape[1], len(start), np.int32)
    final = State(start[0], counted, no[0])  # type: ignore[arg-type]
    difference = compare.first_difference(
        (state, record), (final, wanted), ("state", "trajectory"), ("t", "b")
    )
    if difference is None:
        return None
    return _fault(
        "sizes", "A value is wrong in a batch of another size.", difference.where, difference.got,
        difference.expected, RULES[difference.field.rpartition(".")[2]],
    )  # fmt: skip


def _action_keys(runs: list[Run]) -> Fault | None:
    """Fingerprints of 31 bits agree by chance now and then; in two runs at one place, never."""
    action, other = runs[0][1], runs[1][1]
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
    seen: dict[tuple[int, int], tuple[int, ...]] = {}
    for place, value in np.ndenumerate(action):
        both = int(value), int(other[place])
        if both in seen:
            (t, b), (t0, b0), distinct = place, seen[both], len(np.unique(action))
            return _fault(
                "some draws share a key", "Some actions draw with the same key.",
                f"trajectory.action[t={t}, b={b}]",
                f"drawn with the key of [t={t0}, b={b0}]; {distinct} keys in all",
                f"drawn with a key of its own; {action.size} keys in all", rule,
            )  # fmt: skip
        seen[both] = place
    return None


def _resets(runs: list[Run]) -> Fault | None:
    """Two equal starts of 2048 in one run are chance once in 140; in all five runs, never."""
    if len({int(start[0]) for start, _ in runs}) == 1:
        return _fault(
            "starts are not drawn", "Every rollout begins on the same cell.",
            "trajectory.observation[t=0, b=0]", f"{runs[0][0][0]}, for {len(runs)} keys",
            "another cell for another key", "Each start is drawn from world.starts.",
        )  # fmt: skip
    num_envs = len(runs[0][0])
    if any(len(np.unique(start)) == num_envs for start, _ in runs):
        return None
    return _fault(
        "resets share a key", "Environments are reset with the same key.",
        "trajectory.observation[t=0]", f"starts {runs[0][0].tolist()}", f"{num_envs} other starts",
        "Every reset has a key of its own.",
    )  # fmt: skip


def _resets_against_actions(runs: list[Run]) -> Fault | None:
    """A reset's draw shows in the action that used its key: in all runs, never by chance."""
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


@lru_cache(maxsize=8)  # all students of a class are judged with the same seeds
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


def _parents(runs: list[Run], seeds: list[int]) -> Fault | None:
    """No key that drew something is also a parent of another key that did."""
    actions, _ = _family(seeds[0])
    drawn = {place: actions.get(int(value)) for place, value in np.ndenumerate(runs[0][1])}
    for (t, b), path in drawn.items():
        for length in range(1, len(path or ())):
            parent = path[:length] if path else ()
            owner = next((o for o, p in drawn.items() if p == parent), None)
            used = f"drew the action of [t={owner[0]}, b={owner[1]}]" if owner else ""
            for environment in range(len(runs[0][0])):
                # One start of 2048 tells little; the same in every run tells the key.
                if all(
                    int(start[environment]) == _family(seed)[1][parent]
                    for seed, (start, _) in zip(seeds, runs, strict=True)
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


def _another_key(runs: list[Run], seeds: list[int]) -> Fault | None:
    (_, action), *others = runs
    same = np.all([action == other for _, other in others], axis=0)
    if not same.any():
        return None
    t, b = np.argwhere(same)[0]
    return _fault(
        "another key changes nothing" if same.all() else "a draw ignores the key",
        "Other keys give the same draws.", f"trajectory.action[t={t}, b={b}]",
        f"the same draw for key({seeds[0]}) and key({seeds[1]})", "another draw",
        "Every draw comes from the key that is passed in.",
    )  # fmt: skip


def _fault(name: str, summary: str, where: str, got: str, expected: str, rule: str) -> Fault:
    return Fault(
        summary,
        where=where,
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )
