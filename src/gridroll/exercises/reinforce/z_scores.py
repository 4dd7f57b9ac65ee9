"""How many standard errors the mean of many estimates is from the exact value."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import reinforce
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, source

SHAPES: tuple[tuple[int, ...], ...] = (
    (4, 4),
    (8, 2, 4),
)  # powers of two: the mean of equal quarters has no rounding

SCAFFOLD = '''
def z_scores(estimates, exact):
    """How many standard errors the mean of N estimates lies from the exact value.

    Args:
        estimates: (N, ...) float32, N >= 2, independent of one another.
        exact: (...) float32.

    Returns:
        (...) float32; 0 where the mean is exact, infinite where nothing varies and it isn't.
    """
    # 1. How far the mean of the estimates is from the exact value, with its sign.
    # 2. The standard error of that mean.
    # 3. Their ratio; and what if both are 0?
    return ...
'''


def _over(error: Callable[[jax.Array], jax.Array], sign: float = 1.0) -> Callable[..., jax.Array]:
    """The difference over something else."""

    def z(estimates: Any, exact: Any) -> jax.Array:
        difference = sign * (estimates.mean(axis=0) - exact)
        return jnp.where(difference == 0, 0.0, difference / error(estimates))

    return z


def _deviation(estimates: jax.Array) -> jax.Array:
    return estimates.std(axis=0, ddof=1)


def _error(estimates: jax.Array) -> jax.Array:
    return _deviation(estimates) / jnp.sqrt(estimates.shape[0])


def _ratio(error: Callable[[jax.Array], jax.Array]) -> Callable[..., jax.Array]:
    """The difference over something else, 0 / 0 left as it is."""

    def z(estimates: Any, exact: Any) -> jax.Array:
        return (estimates.mean(axis=0) - exact) / error(estimates)

    return z


def _stuck_is_exact(estimates: Any, exact: Any) -> jax.Array:
    difference, error = estimates.mean(axis=0) - exact, _error(estimates)
    return jnp.where(error == 0, 0.0, difference / error)


def _stuck_by_one(estimates: Any, exact: Any) -> jax.Array:
    error = _error(estimates)
    return (estimates.mean(axis=0) - exact) / jnp.where(error == 0, 1.0, error)


def _stuck_is_large(estimates: Any, exact: Any) -> jax.Array:
    return jnp.nan_to_num(_ratio(_error)(estimates, exact))


def _one_batch(estimates: Any, exact: Any) -> jax.Array:
    difference = estimates[0] - exact
    return jnp.where(difference == 0, 0.0, difference / _deviation(estimates))


def _each(estimates: Any, exact: Any) -> jax.Array:
    difference = estimates - exact
    return jnp.where(difference == 0, 0.0, difference / _deviation(estimates))


def _absolute(estimates: Any, exact: Any) -> jax.Array:
    return jnp.abs(_over(_error)(estimates, exact))


def _difference(estimates: Any, exact: Any) -> jax.Array:
    return estimates.mean(axis=0) - exact


def _relative(estimates: Any, exact: Any) -> jax.Array:
    difference = estimates.mean(axis=0) - exact
    return jnp.where(difference == 0, 0.0, difference / jnp.abs(exact))


def _one_for_all(estimates: Any, exact: Any) -> jax.Array:
    differences = (estimates - exact).reshape(-1)
    return differences.mean() / (differences.std(ddof=1) / jnp.sqrt(differences.size))


def _zeros(estimates: Any, exact: Any) -> jax.Array:
    return jnp.zeros_like(exact)


def _case(rng: np.random.Generator, shape: tuple[int, ...]) -> Case:
    """Estimates in quarters. The last two columns have no spread; only the last is exact."""
    estimates = rng.integers(-12, 13, shape) / 4
    exact = rng.integers(-8, 9, shape[1:]) / 4 + 0.125
    exact[..., -1] = 0.0
    estimates[..., -1] = 0.0
    estimates[..., -2] = estimates[0, ..., -2]
    return Case((floats(estimates), floats(exact)))


def _visible() -> tuple[Case, ...]:
    drawn = np.random.default_rng(6)
    return tuple(_case(drawn, shape) for shape in SHAPES)


def _generate(rng: np.random.Generator) -> Case:
    shapes = _fresh.once(rng, SHAPES, _shapes)
    return _case(rng, shapes[int(rng.integers(2))])


def _shapes(own: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    columns, rows, wide = (int(n) for n in own.choice(np.arange(3, 9), 3, replace=False))
    return (int(own.choice([2, 16])), columns), (4, rows, wide)


Z_SCORES = Exercise(
    name="reinforce.z_scores",
    title="is it off by luck?",
    task=(
        "Write `z_scores(estimates, exact)`, the distance of the mean estimate from the exact "
        "value, counted in standard errors of that mean."
    ),
    points=2,
    difficulty=2,
    reference=reinforce.z_scores,
    answer=source(reinforce.z_scores),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    eager=0,
    rules={
        "": "z = (mean − exact) / (sample deviation over axis 0 / √N), and 0 where the mean is "
        "exact."
    },
    misconceptions=(
        Misconception(
            "deviation for error",
            "The distance is counted in deviations of one estimate. The mean of N estimates is "
            "known better than one of them, by a factor of √N: any bias would look harmless.",
            _over(_deviation),
        ),
        Misconception(
            "one batch",
            "Only the first estimate is held against the exact value. One estimate can't tell bias "
            "from luck; the mean of all of them can.",
            _one_batch,
            also=(_each,),
        ),
        Misconception(
            "root forgotten",
            "The deviation is divided by N and not by its root, so luck looks like bias.",
            _over(lambda estimates: _deviation(estimates) / estimates.shape[0]),
        ),
        Misconception(
            "variance for deviation",
            "The variance stands where the deviation belongs: take its root.",
            _over(lambda e: e.var(axis=0, ddof=1) / jnp.sqrt(e.shape[0])),
            also=(_over(lambda e: e.var(axis=0, ddof=1) / e.shape[0]),),
        ),
        Misconception(
            "N below the sum of squares",
            "The sum of squares is divided by N. The deviations are taken from the mean of the "
            "same estimates: divide by N − 1, std(ddof=1).",
            _over(lambda e: e.std(axis=0) / jnp.sqrt(e.shape[0])),
        ),
        Misconception(
            "zero over zero",
            "Where nothing varies and the mean is exact, 0 / 0 gives nan. There z is 0.",
            _ratio(_error),
        ),
        Misconception(
            "stuck and wrong, taken for exact",
            "Where nothing varies, z says that all is well, whatever the mean is. An estimator "
            "that always gives the same wrong number is the surest bias there is: z is infinite "
            "there. Only a mean that is exact has z = 0.",
            _stuck_is_exact,
            also=(_stuck_by_one, _stuck_is_large),
        ),
        Misconception(
            "another unit, and zero over zero",
            "Two things. What stands below the line isn't the standard error of the mean, the "
            "sample deviation (ddof=1) over √N. And where the mean is exact, 0 / 0 gives nan; "
            "there z is 0.",
            _ratio(_deviation),
            also=(
                _ratio(lambda e: _deviation(e) / e.shape[0]),
                _ratio(lambda e: e.std(axis=0)),
                _ratio(lambda e: e.std(axis=0) / jnp.sqrt(e.shape[0])),
                _ratio(lambda e: e.std(axis=0) / e.shape[0]),
            ),
        ),
        Misconception(
            "exact minus mean",
            "The sign is turned: an estimate that is too high has a positive z.",
            _over(_error, sign=-1.0),
        ),
        Misconception(
            "without sign",
            "The sign is lost. It says whether the estimate is too high or too low.",
            _absolute,
        ),
        Misconception(
            "the distance itself",
            "This is the distance in units of the gradient. Whether that is much depends on the "
            "standard error.",
            _difference,
        ),
        Misconception(
            "relative error",
            "The distance is divided by the exact value. Whether it is luck depends on the spread "
            "of the estimates, not on the size of what they estimate.",
            _relative,
        ),
        Misconception(
            "one number for everything",
            "This is one z. Each component has its own: only axis 0 is averaged.",
            _one_for_all,
        ),
        Misconception("constant", "Every z is 0 whatever was estimated.", _zeros),
    ),
    hints=(
        "Lesson 04's standard error, with estimates in place of returns: what is the sample?",
        "estimates.std(axis=0, ddof=1) / jnp.sqrt(N) is the standard error of the mean.",
        "jnp.where(difference == 0, 0.0, difference / error), where difference = "
        "estimates.mean(axis=0) - exact.",
    ),
    why="Counted in deviations instead of errors, a biased estimate looks innocent.",
    gain="tell bias from luck, and say how often you would be wrong",
    explanation=(
        "The N estimates are independent, so their mean spreads by their deviation over √N. The "
        "distance from the exact value, counted in that unit, is beyond 4 by luck about six times "
        "in a hundred thousand. A component that never varies has an error of 0; z is 0 if its "
        "mean is exact, and infinite if it is stuck anywhere else."
    ),
)
