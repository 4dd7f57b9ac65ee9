"""Reports with a part mended and others not: what is wrong with `evaluation_report` answers."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

Report = tuple[jax.Array, jax.Array, jax.Array]


def first_environments(ended: Any, num_episodes: int) -> Any:
    """Right: the environments that were named before they ran."""
    return jnp.arange(num_episodes)


def quickest(ended: Any, num_episodes: int) -> Any:
    """The first to finish; who never finishes counts as the quickest."""
    return jnp.argsort(jnp.argmax(ended, axis=0))[:num_episodes]


def truly_quickest(ended: Any, num_episodes: int) -> Any:
    """The first to finish."""
    last_row = jnp.where(ended.any(axis=0), jnp.argmax(ended, axis=0), len(ended))
    return jnp.argsort(last_row)[:num_episodes]


def slowest(ended: Any, num_episodes: int) -> Any:
    """The last to finish."""
    return jnp.argsort(-jnp.argmax(ended, axis=0))[:num_episodes]


def everybody(ended: Any, num_episodes: int) -> Any:
    """All environments."""
    return jnp.arange(ended.shape[1])


def finished_first(ended: Any, num_episodes: int) -> Any:
    """The first environments among those whose episode ended."""
    return jnp.flatnonzero(ended.any(axis=0))[:num_episodes]


def active_rows(ended: Any) -> Any:
    """Right: rows on which no earlier one ended the episode."""
    return (jnp.cumsum(ended, axis=0) - ended == 0).sum(axis=0)


def rows_before_the_end(ended: Any) -> Any:
    """One short: the ending row is left out."""
    return (jnp.cumsum(ended, axis=0) == 0).sum(axis=0)


def argmax_plus_one(ended: Any) -> Any:
    """1 where nothing ends the episode."""
    return jnp.argmax(ended, axis=0) + 1


def all_rows(ended: Any) -> Any:
    """The number of rows, padding included."""
    return jnp.full(ended.shape[1], len(ended))


def by_length(reward: Any, earned: Any, length: Any, right_length: Any) -> Any:
    """Right, if the lengths are."""
    return earned.sum() / length.sum()


def by_active_rows(reward: Any, earned: Any, length: Any, right_length: Any) -> Any:
    """Right, whatever the lengths are."""
    return earned.sum() / right_length.sum()


def over_cells(reward: Any, earned: Any, length: Any, right_length: Any) -> Any:
    """Padding included."""
    return reward.mean()


def mean_of_rates(reward: Any, earned: Any, length: Any, right_length: Any) -> Any:
    """Each episode averaged first."""
    return (earned / length).mean()


Implementation = Callable[..., Report]


def mended(
    choose: Any = first_environments, measure: Any = active_rows, average: Any = by_length
) -> Implementation:
    """The report with some of its parts mended and others not."""

    def report(reward: Any, terminated: Any, truncated: Any, num_episodes: int) -> Report:
        ended = terminated | truncated
        chosen = choose(ended, num_episodes)
        kept, events = reward[:, chosen], ended[:, chosen]
        earned, length = kept.sum(axis=0), measure(events)
        mean = average(kept, earned, length, active_rows(events))
        return earned.mean(), length.mean(), mean

    return report


def only_goals(reward: Any, terminated: Any, truncated: Any, num_episodes: int) -> Report:
    """Episodes that were cut off never end."""
    return mended()(reward, terminated, jnp.zeros_like(truncated), num_episodes)


def nothing(reward: Any, terminated: Any, truncated: Any, num_episodes: int) -> Report:
    """The same for every input."""
    return jnp.float32(0), jnp.float32(0), jnp.float32(0)


QUICK_MENDED = (
    mended(quickest),
    mended(quickest, average=over_cells),
    mended(quickest, rows_before_the_end, by_length),
    mended(quickest, rows_before_the_end, by_active_rows),
    mended(truly_quickest),
    mended(truly_quickest, average=over_cells),
    mended(truly_quickest, rows_before_the_end, by_length),
    mended(truly_quickest, rows_before_the_end, over_cells),
)
SHORT_MENDED = (
    mended(first_environments, rows_before_the_end, by_length),
    mended(first_environments, rows_before_the_end, by_active_rows),
    mended(first_environments, rows_before_the_end, over_cells),
)
