"""A key for each reset: the first split of the lesson."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.keys import handing

SCAFFOLD = '''
def reset_keys(key, num_envs):
    """Give the reset of each of B environments a key of its own.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.

    Returns:
        (B,) typed keys.
    """
    # Make B keys out of the one that is given. Nobody may get the key itself.
    return ...
'''


def one_key_for_all(arrays: handing.Arrays) -> Fault | None:
    """All environments got the same key."""
    ((name, got),) = arrays.items()
    if keys.num_distinct(got) > 1:
        return None
    return Fault(
        "Every environment gets the same key.",
        where=f"{name}[b=1]",
        got=f"the key of {name}[b=0]; 1 key in all",
        expected=f"a key of its own; {got.size} keys in all",
        rule="Every environment has a key of its own.",
        property="environments share a key",
    )


def _broadcast(key: Any, num_envs: int) -> Any:
    return jnp.broadcast_to(key, (num_envs,))


def _broadcast_child(key: Any, num_envs: int) -> Any:
    return jnp.broadcast_to(jax.random.split(key)[0], (num_envs,))


def _folds_one_number(key: Any, num_envs: int) -> Any:
    return jnp.stack([jax.random.fold_in(key, num_envs) for _ in range(num_envs)])


def _numbered_seeds(key: Any, num_envs: int) -> Any:
    return jax.vmap(jax.random.key)(jnp.arange(num_envs))


def _own_seed(key: Any, num_envs: int) -> Any:
    return jax.random.split(jax.random.key(0), num_envs)


def _seeds_from_the_key(key: Any, num_envs: int) -> Any:
    first = jax.random.key_data(key)[1].astype(jnp.int32)
    return jax.vmap(jax.random.key)(first + jnp.arange(num_envs))


def _later_seeds(key: Any, num_envs: int) -> Any:
    first = jax.random.key_data(key)[1].astype(jnp.int32)
    return jax.vmap(jax.random.key)(first + 1 + jnp.arange(num_envs))


def _parent_first(key: Any, num_envs: int) -> Any:
    return jnp.concatenate([key[None], jax.random.split(key, num_envs)[1:]])


def _before_the_split(key: Any, num_envs: int) -> Any:
    handed = []
    for _ in range(num_envs):
        handed.append(key)
        key, _ = jax.random.split(key)
    return jnp.stack(handed)


def _carried(key: Any, num_envs: int) -> Any:
    handed = []
    for _ in range(num_envs):
        key, _ = jax.random.split(key)
        handed.append(key)
    return jnp.stack(handed)


def _counts_to_seven(key: Any, num_envs: int) -> Any:
    return jax.vmap(jax.random.fold_in, (None, 0))(key, jnp.arange(num_envs) % 7)


def _legacy(key: Any, num_envs: int) -> Any:
    return jax.random.key_data(jax.random.split(key, num_envs))


def _list(key: Any, num_envs: int) -> Any:
    return list(jax.random.split(key, num_envs))


def _default_count(key: Any, num_envs: int) -> Any:
    return jax.random.split(key)


def _visible() -> tuple[Case, ...]:
    return (
        Case((jax.random.key(0), 64)),
        Case((jax.random.key(1), 5)),
    )


def _generate(rng: np.random.Generator) -> Case:
    return Case((_fresh.keys(rng, 1)[0], *_fresh.sizes(rng, 5)))


def _handed(rng: np.random.Generator) -> tuple[handing.Sizes, handing.Sizes]:
    """As many keys as in the fresh cases, and many."""
    return {"num_envs": _fresh.sizes(rng, 5)[0]}, {"num_envs": int(rng.integers(150, 251))}


RESET_KEYS = Exercise(
    name="keys.reset_keys",
    title="a key for each reset",
    task=(
        "Write `reset_keys(key, num_envs)`: B keys, one for each environment, made in any way that "
        "keeps the rule above."
    ),
    points=1,
    difficulty=1,
    reference=keys.reset_keys,
    parts=(keys.key_table, keys.rollout_keys),
    answer=source(keys.reset_keys),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("b",),
    eager=1,
    jit_from=1,
    replay=lambda case, got: got,  # the draws are the student's; the property looks at them
    properties=(
        handing.each_has_its_own("reset_keys", {"keys": ("b",)}, _handed, one_key_for_all),
    ),
    rules={"": "The result is one array of typed keys, of shape (B,)."},
    misconceptions=(
        Misconception(
            "one key for all",
            "All environments get the same key, so they all draw the same start. Split the key "
            "into num_envs parts: each environment gets another one.",
            _broadcast,
            also=(_broadcast_child, _folds_one_number),
            property="environments share a key",
        ),
        Misconception(
            "consecutive seeds",
            "The seeds are counted up from the one that was given, so the experiment of the next "
            "seed uses nearly the same keys. Derive keys with split or fold_in, never by counting "
            "seeds.",
            _seeds_from_the_key,
            also=(_later_seeds,),
            property="neighbouring seeds share keys",
        ),
        Misconception(
            "constant",
            "The keys are the same whatever key is given, so every experiment has the same "
            "starts. Make them out of `key`.",
            _own_seed,
            also=(_numbered_seeds,),
            property="another key changes nothing",
        ),
        Misconception(
            "the parent as one of the keys",
            "The key that was given is among the keys that draw, and others are split from it. "
            "The split uses it up: hand out the children only.",
            _parent_first,
            also=(_before_the_split,),
            property="the parent is handed out",
        ),
        Misconception(
            "hands out the key that it splits",
            "The key that is carried on is handed out too, and then split again. Each split gives "
            "two keys here: hand out the one that you don't go on splitting.",
            _carried,
            property="a parent draws",
        ),
        Misconception(
            "some keys twice",
            "Some environments get a key that another one has too. Every environment needs a "
            "number, or a part of the split, of its own; seeds that are drawn may be drawn twice.",
            _counts_to_seven,
            property="a key twice",
        ),
        Misconception(
            "raw numbers",
            "These are the numbers inside the keys. A typed key keeps them wrapped up: return "
            "what split gives.",
            _legacy,
        ),
        Misconception(
            "a list",
            "The keys are right, in a list. split already returns one array of keys; keys that "
            "were collected in a list become an array with jnp.stack.",
            _list,
        ),
        Misconception(
            "always two",
            "split(key) gives two keys, whatever num_envs is. It takes the number as its second "
            "argument.",
            _default_count,
        ),
    ),
    hints=(
        "One call of jax.random.split makes as many keys as you want.",
        "split takes the number of keys as its second argument.",
        "return jax.random.split(key, num_envs)",
    ),
    why="With one key for all, 64 environments would start on one and the same cell.",
    gain="give every environment a key of its own",
    explanation=(
        "split makes num_envs keys out of one. The key that was given is used up by it, so none of "
        "the environments gets that one."
    ),
)
