"""A mean over the entries that count."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._probes import Stepwise
from gridroll.exercises._shared import array, floats, source

SCAFFOLD = '''
def masked_mean(value, mask):
    """The mean over axis 0 of the entries that count.

    Whatever stands in the other entries, NaN included, doesn't change the mean.

    Args:
        value: (N, ...) float32.
        mask: (N, ...) bool, of the same shape; True where an entry counts.

    Returns:
        (...) float32; NaN where no entry counts, because there is no mean of nothing.
    """
    return ...
'''


def _multiplies(value: Any, mask: Any) -> jax.Array:
    return (value * mask).sum(axis=0) / mask.sum(axis=0)


def _padded_divisor(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, value, 0.0).mean(axis=0)


def _multiplies_padded(value: Any, mask: Any) -> jax.Array:
    return (value * mask).mean(axis=0)


def _plain(value: Any, mask: Any) -> jax.Array:
    return value.mean(axis=0)


def _zero_for_nothing(value: Any, mask: Any) -> jax.Array:
    total = jnp.where(mask, value, 0.0).sum(axis=0)
    return total / jnp.maximum(mask.sum(axis=0), 1)


def _cleans_the_result(value: Any, mask: Any) -> jax.Array:
    return jnp.nan_to_num(_multiplies(value, mask))


def _skips_nan_only(value: Any, mask: Any) -> jax.Array:
    return jnp.nanmean(value, axis=0)


def _cleans_the_values(value: Any, mask: Any) -> jax.Array:
    return jnp.nan_to_num(value).sum(axis=0) / mask.sum(axis=0)


def _over_everything(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, value, 0.0).sum() / mask.sum()


def _other_axis(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, value, 0.0).sum(axis=-1) / mask.sum(axis=-1)


def _one_divisor(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, value, 0.0).sum(axis=0) / mask.sum()


def _sum(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, value, 0.0).sum(axis=0)


def _inverted(value: Any, mask: Any) -> jax.Array:
    return jnp.where(mask, 0.0, value).sum(axis=0) / (~mask).sum(axis=0)


def _zeros(value: Any, mask: Any) -> jax.Array:
    return jnp.zeros(value.shape[1:], jnp.float32)


def _case(values: Any, mask: Any) -> Case:
    return Case((floats(values), array(mask, jnp.bool_)))


def _visible() -> tuple[Case, ...]:
    nan = np.nan
    value = [[2, 3, 5, nan], [nan, 11, 13, nan], [nan, nan, 23, nan]]
    mask = [[1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    counted = [[nan, 1, 2, nan], [3, 4, 6, 9], [nan, 8, 5, nan]]  # the first column's NaN counts
    gaps = [[nan, 40, -7, 9], [6, np.inf, -3, 9], [nan, -8, nan, 9]]
    return (
        _case(value, mask),
        _case(gaps, [[0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 0]]),
        _case([2, nan, 7, 1000, 9], [1, 0, 1, 0, 0]),
        _case(counted, [[1, 0, 1, 0], [1, 1, 1, 1], [0, 1, 0, 0]]),
    )


def _generate(rng: np.random.Generator) -> Case:
    shape = (3, 4) if rng.random() < 0.5 else _fresh.sizes(rng, 5, 2)
    mask = rng.random(shape) < 0.6
    mask[:, 0] = rng.random() < 0.7  # at times a column in which nothing counts
    garbage = rng.choice([np.nan, 1000.0, -500.0, np.inf], shape, p=[0.5, 0.2, 0.2, 0.1])
    return _case(np.where(mask, rng.integers(-80, 80, shape) / 8, garbage), mask)


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    value, mask = (np.asarray(argument) for argument in case.args)
    some = mask.any(axis=0)
    return {
        "columns in which no entry counts": ~some,
        "columns with NaN outside the mask": (np.isnan(value) & ~mask).any(axis=0) & some,
        "columns in which every entry counts": mask.all(axis=0),
        "columns in which not every entry counts": some & ~mask.all(axis=0),
        "columns in which an entry counts": some,
    }


MASKED_MEAN = Exercise(
    name="returns.masked_mean",
    title="a mean over what counts",
    task="Write `masked_mean(value, mask)` so that nothing outside the mask can get in.",
    points=3,
    difficulty=2,
    reference=returns.masked_mean,
    parts=(returns.averages,),
    answer=source(returns.masked_mean),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    # One operation at a time: in one program, XLA turns a product with a bool into a choice.
    probe=Stepwise,
    regions=_regions,
    rules={
        "": "Each column is the sum of its entries where mask is True, divided by their number; "
        "NaN where there is none. What stands elsewhere doesn't matter."
    },
    misconceptions=(
        Misconception(
            "multiplies by the mask",
            "0 * nan is nan, and 0 * inf too: a product doesn't remove what is outside the mask. "
            "Called directly it may seem to, where the compiler turns a product with a bool into "
            "a choice; step by step, as here, or in NumPy, it is NaN. Say what you mean: "
            "jnp.where(mask, value, 0).",
            _multiplies,
        ),
        Misconception(
            "divided by all rows",
            "The sum is right, and it is divided by the number of all rows. Divide by the number "
            "of entries that count, in each column.",
            _padded_divisor,
        ),
        Misconception(
            "multiplied, and divided by all rows",
            "Two things: 0 * nan is nan, so pick with jnp.where; and the divisor is the number of "
            "entries that count, not of all rows.",
            _multiplies_padded,
        ),
        Misconception("mask not used", "The mask isn't used: every entry counts here.", _plain),
        Misconception(
            "0 for an empty column",
            "Where nothing counts, this says 0, as if nothing had been earned. There is no mean "
            "of nothing: the docstring asks for NaN.",
            _zero_for_nothing,
        ),
        Misconception(
            "NaN removed from the result",
            "NaN is replaced by 0 at the end, so a good column with NaN in its padding gives 0. "
            "Keep NaN out of the sum instead.",
            _cleans_the_result,
        ),
        Misconception(
            "skips only NaN",
            "NaN is skipped, and other values outside the mask still count. The mask decides, not "
            "what stands there.",
            _skips_nan_only,
        ),
        Misconception(
            "cleans NaN only",
            "NaN becomes 0, and other values outside the mask are still added. The mask decides, "
            "not what stands there.",
            _cleans_the_values,
        ),
        Misconception(
            "one number for everything",
            "This is one mean over the whole array. Only axis 0 is averaged, so that each column "
            "keeps a mean of its own.",
            _over_everything,
        ),
        Misconception(
            "the other axis",
            "The mean runs along the last axis. It should run over axis 0.",
            _other_axis,
        ),
        Misconception(
            "one divisor for all columns",
            "Each column is divided by the count of the whole mask. Count along axis 0 too.",
            _one_divisor,
        ),
        Misconception("a sum", "This is the sum. Divide it by the number that count.", _sum),
        Misconception("inverted", "This is the mean of what doesn't count.", _inverted),
        Misconception("constant", "Every mean is 0 whatever the values are.", _zeros),
    ),
    hints=(
        "Two numbers for each column: what has to be added, and how many were added.",
        "jnp.where(mask, value, 0.0) has a 0 wherever nothing counts, whatever stood there.",
        "jnp.where(mask, value, 0.0).sum(axis=0) / mask.sum(axis=0); 0 / 0 is NaN, as asked.",
    ),
    why="value * mask looks the same, until the padding holds a NaN: 0 * nan is nan.",
    gain="average what counts, whatever stands beside it",
    explanation=(
        "where picks 0 outside the mask, so what stands there never enters the sum. The divisor "
        "counts along the same axis. An empty column is 0 / 0, which is NaN: no answer, and it "
        "can't be mistaken for a return of 0."
    ),
)
