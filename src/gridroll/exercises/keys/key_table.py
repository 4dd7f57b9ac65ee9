"""A key for each place of a (T, B) table."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import keys
from gridroll.classroom.exercise import Case, Exercise, Fault, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import source
from gridroll.exercises.keys import family, handing

SCAFFOLD = '''
def key_table(key, num_envs, num_steps):
    """Give every draw of a table of T rows and B columns a key of its own.

    Args:
        key: () typed key; it is used up here.
        num_envs: B, at least 1.
        num_steps: T, at least 1.

    Returns:
        (T, B) typed keys.
    """
    # 1. A key for each step: (T,).
    step_keys = ...
    # 2. Split each of them into a key for each environment. jax.vmap maps a function over them.
    return ...
'''


def repeated_lines(arrays: handing.Arrays) -> Fault | None:
    """Rows or columns that are copies of one another."""
    ((name, table),) = arrays.items()
    words = np.asarray(jax.random.key_data(table))
    across = bool((words == words[:, :1]).all())
    down = bool((words == words[:1]).all())
    rule = "Every step and every environment has a key of its own."
    expected = f"a key of its own; {table.size} keys in all"
    count = f"{keys.num_distinct(table)} in all"
    if across:
        return family.fault(
            "columns repeat", "All environments of a step get one key.", "", f"{name}[t=0, b=1]",
            f"the key of {name}[t=0, b=0]; {count}", expected, rule,
        )  # fmt: skip
    if down:
        return family.fault(
            "rows repeat", "Every step gets the same keys.", "", f"{name}[t=1, b=0]",
            f"the key of {name}[t=0, b=0]; {count}", expected, rule,
        )  # fmt: skip
    return None


def _columns_repeat(key: Any, num_envs: int, num_steps: int) -> Any:
    step_keys = jax.random.split(key, num_steps)
    return jnp.broadcast_to(step_keys[:, None], (num_steps, num_envs))


def _rows_repeat(key: Any, num_envs: int, num_steps: int) -> Any:
    return jnp.broadcast_to(jax.random.split(key, num_envs), (num_steps, num_envs))


def _carry_not_split(key: Any, num_envs: int, num_steps: int) -> Any:
    return jnp.stack([jax.random.split(key, num_envs) for _ in range(num_steps)])


def _one_key(key: Any, num_envs: int, num_steps: int) -> Any:
    return jnp.broadcast_to(key, (num_steps, num_envs))


def _numbers(num_envs: int, num_steps: int) -> tuple[Any, Any]:
    return jnp.arange(num_steps)[:, None], jnp.arange(num_envs)


def _folded(key: Any, numbers: Any) -> Any:
    fold = jax.vmap(jax.vmap(jax.random.fold_in, (None, 0)), (None, 0))
    return fold(key, numbers)


def _sum_of_numbers(key: Any, num_envs: int, num_steps: int) -> Any:
    t, b = _numbers(num_envs, num_steps)
    return _folded(key, t + b)


def _product_of_numbers(key: Any, num_envs: int, num_steps: int) -> Any:
    t, b = _numbers(num_envs, num_steps)
    return _folded(key, t * b)


def _wrong_width(key: Any, num_envs: int, num_steps: int) -> Any:
    t, b = _numbers(num_envs, num_steps)
    return _folded(key, t * min(num_envs, num_steps) + b)


def _batch_major(key: Any, num_envs: int, num_steps: int) -> Any:
    return jax.random.split(key, (num_envs, num_steps))


def _own_seed(key: Any, num_envs: int, num_steps: int) -> Any:
    return jax.random.split(jax.random.key(0), (num_steps, num_envs))


def _flat(key: Any, num_envs: int, num_steps: int) -> Any:
    return jax.random.split(key, num_steps * num_envs)


def _step_key_first(key: Any, num_envs: int, num_steps: int) -> Any:
    step_keys = jax.random.split(key, num_steps)
    rest = jax.vmap(lambda k: jax.random.split(k, num_envs))(step_keys)[:, 1:]
    return jnp.concatenate([step_keys[:, None], rest], axis=1)


def _carried(key: Any, num_envs: int, num_steps: int) -> Any:
    rows = []
    for _ in range(num_steps):
        row = jax.random.split(key, num_envs)
        rows.append(row)
        key = row[0]
    return jnp.stack(rows)


def _visible() -> tuple[Case, ...]:
    return (Case((jax.random.key(0), 3, 5)),)


def _generate(rng: np.random.Generator) -> Case:
    return Case((_fresh.keys(rng, 1)[0], *handing.tall(rng).values()))


KEY_TABLE = Exercise(
    name="keys.key_table",
    title="a table of keys",
    task=(
        "Write `key_table(key, num_envs, num_steps)`: a key for each step (a row) of each "
        "environment (a column), made in any way that keeps the rule."
    ),
    points=2,
    difficulty=2,
    reference=keys.key_table,
    parts=(keys.rollout_keys,),
    answer=source(keys.key_table),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    axes=("t", "b"),
    eager=1,
    replay=lambda case, got: got,  # the draws are the student's; the property looks at them
    properties=(
        handing.each_has_its_own(
            "key_table",
            {"table": ("t", "b")},
            lambda rng: (handing.tall(rng), handing.wide(rng)),
            repeated_lines,
        ),
    ),
    rules={"": "The result is one array of typed keys, of shape (T, B)."},
    misconceptions=(
        Misconception(
            "columns repeat",
            "In each step all environments get one key: the step's key was copied. Split it into "
            "num_envs keys.",
            _columns_repeat,
            also=(_one_key,),
            property="columns repeat",
        ),
        Misconception(
            "rows repeat",
            "Every step gets the keys of the first one, so each environment draws the same number "
            "again and again. Split the key into T step keys first.",
            _rows_repeat,
            also=(_carry_not_split,),
            property="rows repeat",
        ),
        Misconception(
            "two places with one number",
            "Some places of the table get one key. If you number the places, as in fold_in(key, t "
            "+ b), two places may have one number: t = 0, b = 1 and t = 1, b = 0 have. "
            "t * num_envs + b is different everywhere.",
            _sum_of_numbers,
            also=(_product_of_numbers, _wrong_width),
            property="a key twice",
        ),
        Misconception(
            "a step's key draws and is split",
            "The key that a row was split from is handed out as well. Hand out the children only.",
            _step_key_first,
            also=(_carried,),
            property="a parent draws",
        ),
        Misconception(
            "batch-major",
            "The axes are exchanged: (B, T). Rows are steps here, so the first axis is time.",
            _batch_major,
        ),
        Misconception(
            "one long row",
            "There are enough keys, in one row. The table has T rows of B keys: split the step "
            "keys one by one, or reshape.",
            _flat,
        ),
        Misconception(
            "constant",
            "The table is the same whatever key is given. Make it out of `key`.",
            _own_seed,
            property="another key changes nothing",
        ),
    ),
    hints=(
        "Two levels: the key into T step keys, then each step key into B.",
        "A function that splits one step key into B: lambda step_key: jax.random.split(step_key, "
        "num_envs). Map it over the step keys.",
        "jax.vmap(lambda step_key: jax.random.split(step_key, num_envs))(step_keys)",
    ),
    why="A step key copied to all environments gives every row one key: bands in the picture.",
    gain="give every place of a (T, B) table a key of its own",
    explanation=(
        "The key is split into T step keys, and each of these into B. Every split is where a key "
        "changes hands: from the table to a step, from a step to an environment."
    ),
)
