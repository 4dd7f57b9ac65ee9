"""Three averages of one recording."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from gridroll import returns
from gridroll.classroom.exercise import Case, Exercise, Misconception
from gridroll.exercises import _fresh
from gridroll.exercises._shared import array, floats, source
from gridroll.exercises.returns.recordings import active_mask, primes
from gridroll.returns import Averages

SCAFFOLD = '''
def averages(reward, active):
    """Average the rewards of a recording over its episodes, its transitions and its cells.

    Args:
        reward: (T, B) float32, a column for each episode, 0 in the padding.
        active: (T, B) bool, True on the transitions of the episode.

    Returns:
        Averages, each () float32.
    """
    return Averages(
        episode=...,  # what an episode earns: one return each, then their mean
        transition=...,  # what a live transition earns: how many are there?
        cell=...,  # what a cell of the array holds, padding included
    )
'''


def _right(reward: Any, active: Any, **changed: Any) -> Averages:
    earned = reward.sum(axis=0)
    right = Averages(earned.mean(), earned.sum() / active.sum(), reward.mean())
    return right._replace(**changed)


def _live(reward: Any, active: Any) -> jax.Array:
    return reward.sum() / active.sum()


def _live_for_episodes(reward: Any, active: Any) -> Averages:
    return _right(reward, active, episode=_live(reward, active))


def _cells_for_episodes(reward: Any, active: Any) -> Averages:
    return _right(reward, active, episode=reward.mean())


def _sum_of_returns(reward: Any, active: Any) -> Averages:
    return _right(reward, active, episode=reward.sum())


def _over_rows(reward: Any, active: Any) -> Averages:
    return _right(reward, active, episode=reward.sum(axis=1).mean())


def _rate_for_episodes(reward: Any, active: Any) -> Averages:
    return _right(reward, active, episode=(reward.sum(axis=0) / active.sum(axis=0)).mean())


def _padding_among_transitions(reward: Any, active: Any) -> Averages:
    return _right(reward, active, transition=reward.mean())


def _mean_of_rates(reward: Any, active: Any) -> Averages:
    return _right(reward, active, transition=(reward.sum(axis=0) / active.sum(axis=0)).mean())


def _paid_rows(reward: Any, active: Any) -> Averages:
    return _right(reward, active, transition=reward.sum() / (reward != 0).sum())


def _no_padding_in_cells(reward: Any, active: Any) -> Averages:
    return _right(reward, active, cell=_live(reward, active))


def _live_cells_over_episodes(reward: Any, active: Any) -> Averages:
    rate = (reward.sum(axis=0) / active.sum(axis=0)).mean()
    return _right(reward, active, cell=rate)


def _exchanged(reward: Any, active: Any) -> Averages:
    right = _right(reward, active)
    return Averages(right.transition, right.episode, right.cell)


def _one_for_all(reward: Any, active: Any) -> Averages:
    return Averages(*[reward.mean()] * 3)


def _zeros(reward: Any, active: Any) -> Averages:
    return Averages(*[jnp.float32(0)] * 3)


def _case(lengths: list[int], rewards: np.ndarray) -> Case:
    active = active_mask(lengths, len(rewards))
    return Case((floats(np.where(active, rewards, 0)), array(active, jnp.bool_)))


def _visible() -> tuple[Case, ...]:
    free = primes(5, 4)
    free[1] = 0  # a transition may earn nothing
    return (_case([1, 3, 8], primes(8, 3)), _case([5, 2, 1, 2], -free / 4))


def _generate(rng: np.random.Generator) -> Case:
    num_steps, num_envs = (8, 3) if rng.random() < 0.5 else _fresh.sizes(rng, 5, 4)
    lengths = [1, *(int(n) for n in rng.integers(2, num_steps + 1, num_envs - 1))]
    return _case(lengths, rng.integers(-40, 80, (num_steps, num_envs)) / 4)


AVERAGES = Exercise(
    name="returns.averages",
    title="three averages",
    task="Write `averages(reward, active)`: the same rewards, divided by three different counts.",
    points=3,
    difficulty=2,
    reference=returns.averages,
    parts=(returns.episode_statistics,),
    answer=source(returns.averages),
    scaffold=SCAFFOLD.lstrip(),
    visible=_visible,
    generate=_generate,
    outputs=("episode", "transition", "cell"),
    rules={
        "episode": "Over episodes: one return for each column, a sum over axis 0; then their mean.",
        "transition": "Over live transitions: the sum of all rewards, divided by the number of "
        "True entries of active.",
        "cell": "Over cells: the sum of all rewards, divided by T * B.",
    },
    misconceptions=(
        Misconception(
            "live transitions taken for episodes",
            "The field `episode` holds what a transition earns. Each episode first needs one "
            "return of its own, the sum of its column; then average the returns.",
            _live_for_episodes,
        ),
        Misconception(
            "all cells taken for episodes",
            "The field `episode` is the mean over all entries. A return is a sum over time: sum "
            "each column first, then take the mean of the sums.",
            _cells_for_episodes,
        ),
        Misconception(
            "a sum over episodes",
            "The field `episode` adds up all returns. Divide by their number.",
            _sum_of_returns,
        ),
        Misconception(
            "averaged over rows",
            "The field `episode` sums over the environments and averages over time. It is the "
            "other way round: a column is an episode.",
            _over_rows,
        ),
        Misconception(
            "each episode divided by its length",
            "The field `episode` divides each return by its length. What an episode earns is its "
            "sum, however long it took.",
            _rate_for_episodes,
        ),
        Misconception(
            "padding among the transitions",
            "The field `transition` divides by all cells. Padding is no transition: divide by the "
            "number of True entries of active.",
            _padding_among_transitions,
        ),
        Misconception(
            "a mean of means",
            "The field `transition` averages within each episode first, so a transition of a "
            "short episode counts more. Sum all rewards, then divide by the number of all live "
            "transitions.",
            _mean_of_rates,
        ),
        Misconception(
            "counts rows with a reward",
            "The field `transition` divides by the number of rewards that aren't 0. A transition "
            "may earn 0 and still be one; active says which they are.",
            _paid_rows,
        ),
        Misconception(
            "no padding in the cells",
            "The field `cell` leaves the padding out. A cell is any entry of the (T, B) array, "
            "padding included.",
            _no_padding_in_cells,
            also=(_live_cells_over_episodes,),
        ),
        Misconception(
            "two fields exchanged",
            "The fields `episode` and `transition` are exchanged.",
            _exchanged,
        ),
        Misconception(
            "one average three times",
            "All three fields hold the mean over all cells. Each has a divisor of its own: "
            "episodes, live transitions, cells.",
            _one_for_all,
        ),
        Misconception("constant", "Every average is 0 whatever was earned.", _zeros),
    ),
    hints=(
        "All three have the same sum above the line: all the rewards. What stands below it?",
        "The number of episodes, B; the number of True entries of active; the number of cells.",
        "reward.sum(axis=0).mean(); reward.sum() / active.sum(); reward.mean().",
    ),
    why="reward[active].mean() is the one over transitions, and is often reported as the first.",
    gain="tell three averages of one recording apart",
    explanation=(
        "The sum of all rewards is the same each time, because padding earns 0. It is divided by "
        "the number of episodes, of live transitions or of cells, and the three numbers answer "
        "three questions."
    ),
)
