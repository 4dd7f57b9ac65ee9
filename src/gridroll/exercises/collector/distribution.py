"""What a collector draws, over many keys, and what it builds for a batch of one."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np

from gridroll import policy
from gridroll.classroom.describe import describe
from gridroll.classroom.exercise import Fault
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, misshapen, random_world
from gridroll.gridworld import corridor

NUM_RUNS = 400
SIZES = {"num_envs": 3, "num_steps": 5}  # as in the cases

Rollout = Callable[..., Any]


def one_is_a_size(eager: Rollout, jitted: Any, rng: np.random.Generator) -> Fault | None:
    """One environment and one step keep their axes; traced only, so nothing is compiled."""
    arguments = (corridor(), policy.bernoulli, floats(np.zeros(4)), jax.random.key(0))
    state, trajectory = jitted.form(*arguments, num_envs=1, num_steps=1)
    for name, record, shape in (("state", state, (1,)), ("trajectory", trajectory, (1, 1))):
        for field, leaf in record._asdict().items():
            if leaf.shape != shape:
                return Fault(
                    "A batch of one environment has lost an axis.",
                    call="rollout(corridor(), policy.bernoulli, jnp.zeros(4), key(0), num_envs=1, "
                    "num_steps=1)",
                    where=f"{name}.{field}",
                    got=f"shape {leaf.shape}",
                    expected=f"shape {shape}",
                    rule="Every field is (num_steps, num_envs), also where these are 1.",
                )
    return None


@dataclass(frozen=True)
class Count:
    """How often something came, against how often it should."""

    what: str
    got: float
    expected: float
    variance: float
    tries: int | None
    rule: str


def draws_follow_the_policy(eager: Rollout, jitted: Any, rng: np.random.Generator) -> Fault | None:
    """Starts are uniform, actions follow theta at their own cell, and none tells of another."""
    world = random_world(rng)
    shape = world.next_position.shape
    theta = rng.random(shape) / 2
    theta[np.arange(shape[0]), rng.integers(shape[1], size=shape[0])] += 2  # one is likeliest
    arguments = (world, policy.softmax, floats(theta))
    keys = _fresh.many_keys(rng, _fresh.keys(rng, 1), NUM_RUNS)
    _, record = jitted.mapped((None, None, None, 0), *arguments, keys, **SIZES)
    kinds = {"observation": "iu", "action": "iu", "active": "b"}
    drawn = {name: np.asarray(getattr(record, name)) for name in kinds}
    sizes = (NUM_RUNS, SIZES["num_steps"], SIZES["num_envs"])
    call = (
        f"rollout({describe(world)}, policy.softmax, theta, key(seed), "
        f"num_envs={SIZES['num_envs']}, num_steps={SIZES['num_steps']}) for {NUM_RUNS} "
        "seeds, with a theta that prefers one action in each cell"
    )
    for name, array in drawn.items():
        fault = misshapen(f"trajectory.{name}", array, sizes, kinds[name])
        if fault is not None:
            return replace(fault, call=call)
    observation, action, active = drawn.values()  # each (runs, T, B)
    starts = np.asarray(world.starts)
    first = (observation[:, 0] == starts[0]) - 1 / len(starts)  # (runs, B), each with the mean 0
    chances = np.asarray(jax.jit(policy.softmax.probabilities)(floats(theta)))
    for count in (
        *_starts(first, len(starts)),
        *_actions(observation, action, active, chances),
        *_pairs(first, observation, action, active, chances),
    ):
        if abs(count.got - count.expected) > _fresh.most_off(count.variance):
            return Fault(
                "The draws can't be chance.",
                call=call,
                where=count.what,
                got=f"{count.got:.0f}" + (f" of {count.tries}" if count.tries else ""),
                expected=f"about {count.expected:.0f} ± {2 * count.variance**0.5:.0f}",
                rule=count.rule,
            )
    return None


def _starts(first: np.ndarray, num_starts: int) -> Iterator[Count]:
    share, tries = 1 / num_starts, len(first)
    for b in range(first.shape[1]):
        yield Count(
            f"the number of starts of environment {b} on the first start cell",
            first[:, b].sum() + tries * share, tries * share, tries * share * (1 - share), tries,
            "Starts are equally likely in every environment.",
        )  # fmt: skip


def _actions(
    observation: np.ndarray, action: np.ndarray, active: np.ndarray, chances: np.ndarray
) -> Iterator[Count]:
    rule = "Actions follow policy.sample at the environment's own cell, with the theta given."
    cells, taken = observation[active], action[active]
    likeliest = chances.argmax(axis=1)
    every = [("the number of times the likeliest action was drawn", taken == likeliest[cells],
              chances.max(axis=1)[cells])]  # fmt: skip
    for cell, a in np.ndindex(*chances.shape):
        here = cells == cell
        what = f"the number of times action {a} was drawn on cell {cell}"
        every.append((what, taken[here] == a, chances[cells[here], a]))
    for what, hits, chance in every:
        yield Count(what, hits.sum(), chance.sum(), (chance * (1 - chance)).sum(), len(hits), rule)


def _pairs(
    first: np.ndarray,
    observation: np.ndarray,
    action: np.ndarray,
    active: np.ndarray,
    chances: np.ndarray,
) -> Iterator[Count]:
    """Products of two draws, each less its mean: 0 where neither tells anything of the other.

    Given all that was drawn before it, the later one of a pair has the mean 0 whatever the earlier
    one was. So the products are steps as `_fresh.most_off` has them.
    """
    likeliest, most = chances.argmax(axis=1), chances.max(axis=1)
    chance = most[observation]
    off = np.where(active, (action == likeliest[observation]) - chance, 0)  # (runs, T, B)
    spread = np.where(active, chance * (1 - chance), 0)
    num_steps, num_envs = off.shape[1:]
    pairs = list(itertools.combinations(range(num_envs), 2))
    products = [(f"the starts of environments {b} and {c}", first[:, b] * first[:, c],
                 first[:, b] ** 2 / 4) for b, c in pairs]  # fmt: skip
    products += [(f"the actions of environments {b} and {c}", off[..., b] * off[..., c],
                  spread[..., b] * spread[..., c]) for b, c in pairs]  # fmt: skip
    for b, c in itertools.product(range(num_envs), repeat=2):
        products += [(f"the start of environment {b} and action {t} of environment {c}",
                      first[:, b] * off[:, t, c], first[:, b] ** 2 * spread[:, t, c])
                     for t in range(num_steps)]  # fmt: skip
        products += [(f"an action of environment {b} and that of environment {c}, {lag} later",
                      off[:, :-lag, b] * off[:, lag:, c],
                      off[:, :-lag, b] ** 2 * spread[:, lag:, c])
                     for lag in range(1, num_steps)]  # fmt: skip
    for what, product, variance in products:
        yield Count(
            f"how {what} go together", product.sum(), 0.0, variance.sum(), None,
            "No draw tells anything of another one: each has a key of its own.",
        )  # fmt: skip
