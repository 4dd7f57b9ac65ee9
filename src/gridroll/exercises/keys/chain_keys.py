"""The chain: a key that is handed on from step to step."""

from typing import Any

import jax
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Fault
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.keys import family, wrong_chains

SCAFFOLD = '''
def chain_keys(key, num_steps):
    """Hand a key on from step to step, and give each step two keys of its own.

    Each step makes one split: `key, action_key, step_key = jax.random.split(key, 3)`.

    Args:
        key: () typed key; it is used up here.
        num_steps: T, at least 1.

    Returns:
        The keys of the T actions and of the T steps, both (T,).
    """
    action_keys, step_keys = [], []
    for _ in range(num_steps):
        ...
    return jnp.stack(action_keys), jnp.stack(step_keys)
'''


RULES = {
    "action_keys": "The second key of step t's split is the key of action t.",
    "step_keys": "The third key of step t's split is the key of step t.",
}


def replay(case: Case, got: Any) -> Any:
    """The chain itself, or the first key that is another one, with what is known of it."""
    key, num_steps = case.args
    known = _origins(key, num_steps)
    expected = keys.chain_keys(key, num_steps)
    for t in range(num_steps):
        for name, have, want in zip(RULES, got, expected, strict=True):
            if (have[t] == want[t]).all():
                continue
            words = tuple(family.words(have)[t].tolist())
            return Fault(
                "A key is another one than the protocol gives.",
                where=f"{name}[t={t}]",
                got=known.get(words, "a key that no step of this chain makes"),
                expected=known[tuple(family.words(want)[t].tolist())],
                rule=RULES[name],
            )
    return got


def _origins(key: Any, num_steps: int) -> dict[tuple[int, ...], str]:
    """What each key of the chain is: its words -> where it comes from."""
    carried = family.words(key)
    known = {tuple(carried[0].tolist()): "the key that was given"}
    parts = ("the first key of step {}'s split, which is handed on",
             "the second key of step {}'s split", "the third key of step {}'s split")  # fmt: skip
    for t in range(num_steps):
        split = family.children(carried, np.arange(3, dtype=np.uint32))[0]
        for words, part in zip(split, parts, strict=True):
            known[tuple(words.tolist())] = part.format(t)
        carried = split[:1]
    return known


def _visible() -> tuple[Case, ...]:
    return (Case((jax.random.key(0), 4)), Case((jax.random.key(3), 6)))


def _generate(rng: np.random.Generator) -> Case:
    return Case((_fresh.keys(rng, 1)[0], *_fresh.sizes(rng, 3, least=7)))


CHAIN_KEYS = Exercise(
    name="keys.chain_keys",
    title="write the chain",
    task=(
        "Write `chain_keys(key, num_steps)`: each step makes the one split that the docstring "
        "names, and keeps its action's key and its step's key."
    ),
    points=2,
    difficulty=1,
    reference=keys.chain_keys,
    answer=source(keys.chain_keys),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("action_keys", "step_keys"),
    axes=("t",),
    eager=2,
    jit_from=2,  # a long chain takes long to compile
    replay=replay,
    rules=RULES,
    misconceptions=wrong_chains.MISCONCEPTIONS,
    hints=(
        "What has to be different when the second step makes its split?",
        "The split gives three keys. Their names are in the docstring; the first takes the place "
        "of the old key.",
        "key, action_key, step_key = jax.random.split(key, 3), then append the second and the "
        "third to their lists.",
    ),
    why="A chain that never advances gives every step the keys of the first.",
    gain="hand a key on from step to step without using it twice",
    explanation=(
        "Each split gives three keys: one to go on with, one for the action, one for the step. The "
        "old key is used up, and its name now holds the first of the three."
    ),
)
