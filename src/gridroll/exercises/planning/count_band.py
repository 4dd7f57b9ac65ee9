"""How far a count of active environments may be from what is expected."""

from typing import Any

import numpy as np

from gridroll import planning
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import floats, source

SCAFFOLD = '''
def count_band(chance, num_envs):
    """The band around an expected count: two standard errors of it to either side.

    Args:
        chance: (T,) float32, of one environment to be active before each transition.
        num_envs: B, how many environments are counted.

    Returns:
        The lower and the upper end, each (T,) float32; not cut off at 0 or B.
    """
    return ...
'''

Band = tuple[Any, Any]


def _band(middle: Any, half: Any) -> Band:
    return middle - half, middle + half


def _spread(chance: Any) -> np.ndarray:
    p = np.asarray(chance, float)
    return np.asarray(p * (1 - p))


def _deviation_for_error(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), num_envs * 2 * np.sqrt(_spread(chance)))


def _deviation_of_one(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), 2 * np.sqrt(_spread(chance)))


def _all_cells(chance: Any, num_envs: int) -> Band:
    error = num_envs * np.sqrt(_spread(chance) / (num_envs * len(chance)))
    return _band(num_envs * np.asarray(chance), 2 * error)


def _all_cells_counted(chance: Any, num_envs: int) -> Band:
    error = np.sqrt(num_envs * len(chance) * _spread(chance))
    return _band(num_envs * np.asarray(chance), 2 * error)


def _one_error(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), np.sqrt(num_envs * _spread(chance)))


def _no_root(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), 2 * num_envs * _spread(chance))


def _fractions(chance: Any, num_envs: int) -> Band:
    return _band(np.asarray(chance), 2 * np.sqrt(_spread(chance) / num_envs))


def _fraction_around_count(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), 2 * np.sqrt(_spread(chance) / num_envs))


def _of_the_count_alone(chance: Any, num_envs: int) -> Band:
    middle = num_envs * np.asarray(chance)
    return _band(middle, 2 * np.sqrt(middle))


def _widest(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), np.sqrt(num_envs))


def _halved(chance: Any, num_envs: int) -> Band:
    return _band(num_envs * np.asarray(chance), np.sqrt(2 * num_envs * _spread(chance)))


def _less_one(chance: Any, num_envs: int) -> Band:
    error = num_envs * np.sqrt(_spread(chance) / max(num_envs - 1, 1))
    return _band(num_envs * np.asarray(chance), 2 * error)


def _cut_off(chance: Any, num_envs: int) -> Band:
    low, high = _band(num_envs * np.asarray(chance), 2 * np.sqrt(num_envs * _spread(chance)))
    return np.clip(low, 0, num_envs), np.clip(high, 0, num_envs)


def _middle_and_half(chance: Any, num_envs: int) -> Band:
    return num_envs * np.asarray(chance), 2 * np.sqrt(num_envs * _spread(chance))


def _zeros(chance: Any, num_envs: int) -> Band:
    return np.zeros(len(chance)), np.zeros(len(chance))


def _generate(rng: np.random.Generator) -> Case:
    num_steps = int(rng.choice([5, *_fresh.sizes(rng, 8, least=6, most=20)]))
    chance = np.sort(rng.integers(0, 65, num_steps))[::-1] / 64
    return Case((floats(chance), int(rng.choice([rng.integers(2, 100), rng.integers(100, 5000)]))))


def _regions(case: Case, expected: Any) -> dict[str, np.ndarray]:
    chance = np.asarray(case.args[0])
    return {"rows whose chance is 0 or 1": (chance == 0) | (chance == 1)}


COUNT_BAND = Exercise(
    name="planning.count_band",
    title="a band for the counts",
    task="Write `count_band(chance, num_envs)`, from its docstring alone.",
    points=2,
    difficulty=2,
    reference=planning.count_band,
    answer=source(planning.count_band),
    scaffold=SCAFFOLD.lstrip(),
    visible=lambda: (
        Case((floats([1, 0.75, 0.5, 0.25, 0]), 64)),
        Case((floats([1, 1, 0.875, 0.8125, 0.6, 0.4, 0.2, 0.1]), 7)),
    ),
    generate=_generate,
    jit=False,
    outputs=("lower end", "upper end"),
    axes=("t",),
    regions=_regions,
    rules={
        "lower end": "B p - 2 sqrt(B p (1 - p)), with B = num_envs and p = chance.",
        "upper end": "B p + 2 sqrt(B p (1 - p)), with B = num_envs and p = chance.",
    },
    misconceptions=(
        Misconception(
            "the deviation for the error",
            "This is B times the deviation of a single environment, as if all of them went "
            "together. They are independent: the count spreads by sqrt(B) times it.",
            _deviation_for_error,
        ),
        Misconception(
            "the deviation of one",
            "This is how far a single environment is from its mean. B of them spread by sqrt(B) "
            "times that.",
            _deviation_of_one,
        ),
        Misconception(
            "n is the number of cells",
            "The width is made from T times B numbers. Before one transition there are B "
            "environments, and the rows of one environment depend on one another.",
            _all_cells,
            also=(_all_cells_counted,),
        ),
        Misconception(
            "one standard error",
            "The band reaches one standard error to each side. Two are asked for.",
            _one_error,
        ),
        Misconception(
            "no root",
            "B p (1 - p) is the variance of the count. The standard error is its root.",
            _no_root,
        ),
        Misconception(
            "fractions",
            "This is a band for the share of environments. Asked for are counts: B times as much.",
            _fractions,
        ),
        Misconception(
            "the error of a fraction",
            "The middle is a count, and the width is that of a share between 0 and 1. Multiply "
            "the error by B too.",
            _fraction_around_count,
        ),
        Misconception(
            "1 - p is missing",
            "The width is 2 sqrt(B p). Where p is 1 every environment is active for certain, and "
            "the band has no width: the factor 1 - p sees to that.",
            _of_the_count_alone,
        ),
        Misconception(
            "the same width everywhere",
            "The width is that of p = 1/2 in every row. It depends on the chance: a certain count "
            "has none.",
            _widest,
        ),
        Misconception(
            "the 2 under the root",
            "The 2 stands under the root, so the band reaches 1.4 standard errors.",
            _halved,
        ),
        Misconception(
            "B - 1",
            "B - 1 corrects a deviation that was estimated from B numbers. Here the chance is "
            "known exactly, and nothing is estimated.",
            _less_one,
        ),
        Misconception(
            "cut off",
            "The ends are right and then held between 0 and B. The docstring asks for the formula "
            "as it stands.",
            _cut_off,
        ),
        Misconception(
            "middle and width",
            "These are the middle of the band and half its width. Return its two ends.",
            _middle_and_half,
        ),
        Misconception("constant", "Both ends are 0, whatever the chance is.", _zeros),
    ),
    hints=(
        "One environment gives 1 with chance p and 0 otherwise. Its mean is p, its variance "
        "p (1 - p). What are the mean and the variance of the sum of B independent ones?",
        "Variances of independent numbers add up: B p (1 - p). The standard error is the root.",
        "error = jnp.sqrt(num_envs * chance * (1 - chance)); return num_envs * chance - 2 * error, "
        "num_envs * chance + 2 * error.",
    ),
    why="With the deviation of one times B the band would hold nearly any curve, wrong ones too.",
    gain="say which curves a right collector can show",
    explanation=(
        "Each environment adds 1 with chance p, so the count has the mean B p. Independent "
        "variances add up to B p (1 - p), and the root of that is how far a count is typically "
        "from its mean. Two of them to each side hold about 95 of 100 counts."
    ),
)
