"""Which keys drew the starts and the first actions, told from the numbers that were drawn."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Fault
from gridroll.exercises import _fresh
from gridroll.exercises._shared import misshapen
from gridroll.exercises.keys import family
from gridroll.gridworld import Gridworld, from_map

NUM_RUNS = 256
CHOICES = 512  # starts, and actions
NUM_ENVS = 32  # as in the visible cases, so that little is compiled anew
NUM_SEEDS = 6  # in all of them, two numbers of 512 agree by chance never

FOUR, SMALL_BATCH = 4, 8  # starts and actions of the small world, and environments

Function = Callable[..., Any]
Pair = tuple[np.ndarray, np.ndarray]


def _world(order: np.ndarray) -> Gridworld:
    """A world whose starts, in this order, and actions tell which number was drawn."""
    cells = np.arange(CHOICES + 1, dtype=np.int32)
    return Gridworld(
        next_position=jax.device_put(np.repeat(cells[:, None], CHOICES, axis=1)),
        goal=jax.device_put(cells == CHOICES),
        wall=jnp.zeros(CHOICES + 1, bool),
        starts=jax.device_put(order.astype(np.int32)),
        step_reward=jnp.float32(-0.01),
        goal_reward=jnp.float32(1),
        horizon=jnp.int32(8),
        columns=CHOICES + 1,
    )


def small_world(rng: np.random.Generator) -> Gridworld:
    """A map with four starts, of one size for each seed; 3 by 4 in notebooks."""
    rows, columns = _fresh.sizes(rng, 3, 4, least=3, most=6)
    cells = np.array(list("SSSSG#" + "." * (rows * columns - 6)))
    rng.shuffle(cells)
    text = "\n".join("".join(row) for row in cells.reshape(rows, columns))
    return from_map(text, horizon=int(rng.integers(2, 12)))


def small_batch(rng: np.random.Generator) -> int:
    """How many environments the fresh cases have."""
    return _fresh.sizes(rng, SMALL_BATCH, least=5, most=7)[0]


def are_independent(eager: Function, jitted: Function, rng: np.random.Generator) -> Fault | None:
    """Starts and actions are drawn with keys of their own, and follow the key that is given."""
    order, seeds = rng.permutation(CHOICES), tuple(_fresh.seeds(rng, NUM_SEEDS))
    world = _world(order)
    draws = []
    for seed in (*seeds, seeds[0]):
        pair = _draw(eager, world, seed)
        if isinstance(pair, Fault):
            return _called(pair, seed)
        draws.append(pair)
    *first, again = draws
    index, action = (np.stack(x) for x in zip(*first, strict=True))
    if (again[0] != index[0]).any() or (again[1] != action[0]).any():
        unlike = _fault(
            "not a function of its key", "Two calls with the same key differ.", "start",
            "other draws the second time", "the same draws",
            "The draws depend on the arguments only.",
        )  # fmt: skip
        return _called(unlike, seeds[0])
    drawn = {"start": index, "action": action}
    found = (
        _ignored_key(drawn)
        or _shared_among_environments(drawn)
        or _start_in_action(drawn)
        or _used_twice(drawn, seeds)
    )
    return None if found is None else _called(found, seeds[0])


def _called(fault: Fault, seed: int) -> Fault:
    """The fault with the call that showed it."""
    made = f"first_draws(world, key({seed}), {NUM_ENVS})"
    call = f"{made} in a world of {CHOICES} starts and {CHOICES} actions"
    return replace(fault, call=call)


def _draw(function: Function, world: Gridworld, seed: int) -> Pair | Fault:
    """The numbers behind the starts, and the actions, both (B,)."""
    pair = _pair(function(world, jax.random.key(seed), NUM_ENVS), NUM_ENVS)
    if isinstance(pair, Fault):
        return pair
    places = np.argsort(np.asarray(world.starts))
    return places[np.clip(pair[0], 0, CHOICES - 1)], pair[1]


def _pair(result: Any, num_envs: int) -> Pair | Fault:
    """The starts and the actions of a call, both (B,), or what is wrong with their form."""
    start, action = (np.asarray(part) for part in result)
    size = (num_envs,)
    wrong = misshapen("start", start, size, "iu") or misshapen("action", action, size, "iu")
    return wrong or (start, action)


def _ignored_key(drawn: dict[str, np.ndarray]) -> Fault | None:
    for name, values in drawn.items():
        same = (values == values[:1]).all(axis=0)
        if same.any():
            kind = f"{name} ignores the key"
            if all((v == v[:1]).all() for v in drawn.values()):
                kind = "another key changes nothing"
            return _fault(
                kind, "Other keys give the same draws.", f"{name}[b={int(np.argmax(same))}]",
                f"the same draw for {NUM_SEEDS} keys", "another draw for another key",
                "Every draw comes from the key that is passed in.",
            )  # fmt: skip
    return None


def _shared_among_environments(drawn: dict[str, np.ndarray]) -> Fault | None:
    for name, values in drawn.items():
        for b, other in _pairs():
            if (values[:, b] == values[:, other]).all():
                return _fault(
                    "environments share a key", "Environments draw with the same key.",
                    f"{name}[b={b}]", f"the draw of {name}[b={other}], for {NUM_SEEDS} keys",
                    "a draw of its own", "Every environment has keys of its own.",
                )  # fmt: skip
    return None


def _pairs() -> Iterator[tuple[int, int]]:
    return ((b, other) for b in range(NUM_ENVS) for other in range(b))


def _start_in_action(drawn: dict[str, np.ndarray]) -> Fault | None:
    for b in range(NUM_ENVS):
        for other in range(NUM_ENVS):
            if (drawn["action"][:, b] == drawn["start"][:, other]).all():
                return _shared(b, other)
    return None


def _shared(b: int, other: int, how: str = "") -> Fault:
    return _fault(
        "one key, two functions" if how else "start and action share a key",
        "A start and an action are drawn with the same key.",
        f"action[b={b}]", f"drawn with the key of start[b={other}]{how}",
        "drawn with a key of its own", "Starts and actions have keys of their own.",
    )  # fmt: skip


@jax.jit
def _numbers(keys: jax.Array) -> jax.Array:
    """What usual functions draw with each key, (n, 5, B): one number, or one for everybody."""

    def one(key: jax.Array) -> jax.Array:
        singles = (
            jax.random.randint(key, (), 0, CHOICES),
            jnp.floor(jax.random.uniform(key) * CHOICES).astype(jnp.int32),
            jax.random.categorical(key, jnp.zeros(CHOICES)),
        )
        rows = (
            jax.random.randint(key, (NUM_ENVS,), 0, CHOICES),
            jnp.floor(jax.random.uniform(key, (NUM_ENVS,)) * CHOICES).astype(jnp.int32),
        )
        return jnp.stack([*(jnp.broadcast_to(s, (NUM_ENVS,)) for s in singles), *rows])

    return jax.vmap(one)(keys)


@lru_cache(maxsize=4)  # all students of a class are judged with the same seeds
def _relatives(seeds: tuple[int, ...]) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """The keys that a root leads to, as paths, and what each draws: (seeds, paths, 5, B)."""
    branches = family.FEWEST_BRANCHES
    paths: list[tuple[int, ...]] = [(), *((i,) for i in range(branches))]
    paths += [(i, j) for i in range(branches) for j in range(branches)]
    drawn = []
    for seed in seeds:
        root = family.words(jax.random.key(seed))
        known = [root, *(g.reshape(-1, 2) for g in family.descendants(root, branches))]
        drawn.append(
            np.asarray(_numbers(jax.random.wrap_key_data(jax.device_put(np.concatenate(known)))))
        )
    return paths, np.stack(drawn)


def _used_twice(drawn: dict[str, np.ndarray], seeds: tuple[int, ...]) -> Fault | None:
    """A key that drew both a start and an action, or drew one and is the parent of the other."""
    paths, numbers = _relatives(seeds)
    owners: dict[str, dict[tuple[int, ...], int]] = {"start": {}, "action": {}}
    for name, values in drawn.items():
        # values (seeds, B) against numbers (seeds, paths, functions, B)
        fits = (numbers == values[:, None, None]).all(axis=0).any(axis=1)
        for path, b in np.argwhere(fits):
            owners[name].setdefault(paths[path], int(b))
    for path, b in owners["action"].items():
        for parent, other in owners["start"].items():
            if path == parent:
                return _shared(b, other, ", by another function")
            if path[: len(parent)] == parent or parent[: len(path)] == path:
                return _fault(
                    "a parent draws", "A key is used twice: it draws, and it is split for another.",
                    f"action[b={b}]", f"its key and the key of start[b={other}] are parent and "
                    "child", "keys whose parents draw nothing",
                    "A key is drawn from or split, once.",
                )  # fmt: skip
    return None


def _fault(name: str, summary: str, where: str, got: str, expected: str, rule: str) -> Fault:
    return Fault(
        summary,
        where=where,
        got=got,
        expected=expected,
        rule=rule,
        property=name,
    )


Runs = tuple[np.ndarray, np.ndarray, str]


@lru_cache(maxsize=1)  # two properties look at the same runs
def _many(jitted: Function, seed: tuple[int, ...]) -> Runs | Fault:
    """The numbers of the starts and the actions of many runs, (runs, B), and the call."""
    rng = np.random.default_rng(seed)
    world, num_envs = small_world(rng), small_batch(rng)
    call = f"first_draws({describe(world)}, key(seed), {num_envs}) for {NUM_RUNS} seeds"
    runs = []
    for key in _fresh.keys(rng, NUM_RUNS):
        run = _pair(jitted(world, key, num_envs), num_envs)
        if isinstance(run, Fault):
            return replace(run, call=call)
        runs.append(run)
    start = np.searchsorted(np.asarray(world.starts), np.stack([run[0] for run in runs]))
    return start, np.stack([run[1] for run in runs]), call


def are_equally_likely(eager: Function, jitted: Function, rng: np.random.Generator) -> Fault | None:
    """Each start comes equally often, and so does each action."""
    many = _many(jitted, _fresh.origin(rng))
    if isinstance(many, Fault):
        return many
    start, action, call = many
    found = _unequal("start", start) or _unequal("action", action)
    return None if found is None else replace(found, call=call)


def follow_no_pattern(eager: Function, jitted: Function, rng: np.random.Generator) -> Fault | None:
    """Each pair of a start and an action comes equally often, and so do other pairs."""
    many = _many(jitted, _fresh.origin(rng))
    if isinstance(many, Fault):
        return many
    start, action, call = many
    found = _tied(start, action) or _alike("start", start) or _alike("action", action)
    return None if found is None else replace(found, call=call)


def _unequal(name: str, values: np.ndarray) -> Fault | None:
    if (values == values[:1]).all():  # the same for every key, which has a name of its own
        return None
    never = [number for number in range(FOUR) if not (values == number).any()]
    names = {0: "unequal chances", 1: "a number is never drawn"}
    for number in [*never, *range(FOUR)]:
        fault = _unlikely(
            names.get(len(never), "some numbers are never drawn"), values == number, 1 / FOUR,
            f"{name} number {number} was drawn",
            "The K starts are equally likely, and so are the A actions.",
        )  # fmt: skip
        if fault is not None:
            return fault
    return None


def _tied(start: np.ndarray, action: np.ndarray) -> Fault | None:
    """A start and an action that tell of one another, of one environment or of two."""
    for lag in range(start.shape[1]):
        later = np.roll(action, -lag, axis=1)
        for s, a in np.ndindex(FOUR, FOUR):
            fault = _unlikely(
                "start and action are tied", (start == s) & (later == a), 1 / FOUR**2,
                f"start number {s} of environment b came with action {a} of environment "
                + (f"b + {lag}" if lag else "b"),
                "Start and action are independent: every pair is equally likely.",
            )  # fmt: skip
            if fault is not None:
                return fault
    return None


def _alike(name: str, values: np.ndarray) -> Fault | None:
    """Draws of two environments that tell of one another."""
    for b, other in itertools.combinations(range(values.shape[1]), 2):
        fault = _unlikely(
            "environments share a key", values[:, b] == values[:, other], 1 / FOUR,
            f"{name}[b={other}] equals {name}[b={b}]", "Environments are independent.",
        )  # fmt: skip
        if fault is not None:
            return fault
    return None


def _unlikely(name: str, hits: np.ndarray, chance: float, what: str, rule: str) -> Fault | None:
    expected = hits.size * chance
    if not _fresh.is_rare(int(hits.sum()), hits.size, chance):
        return None
    return Fault(
        "The draws can't be chance.",
        where=f"how often {what}",
        got=f"{int(hits.sum())} of {hits.size} times",
        expected=f"about {expected:.0f} ± {2 * float(np.sqrt(expected * (1 - chance))):.0f} times",
        rule=rule,
        property=name,
    )
