"""Updates with a part mended and others not: what is wrong with `update` answers."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from gridroll.returns import returns_to_go

Update = Callable[..., jax.Array]


def active(trajectory: Any) -> jax.Array:
    """Right: before the step."""
    mask: jax.Array = trajectory.active
    return mask


def after_the_step(trajectory: Any) -> jax.Array:
    """The ending transition left out."""
    return trajectory.active & ~(trajectory.terminated | trajectory.truncated)


def without_cut_offs(trajectory: Any) -> jax.Array:
    """Left out where the limit ends the episode."""
    return trajectory.active & ~trajectory.truncated


def without_goals(trajectory: Any) -> jax.Array:
    """Left out where a goal ends the episode."""
    return trajectory.active & ~trajectory.terminated


def stable(logit: jax.Array, action: Any) -> jax.Array:
    """Right: never forms the probability."""
    return jax.nn.log_sigmoid(jnp.where(action == 1, logit, -logit))


def rounded(logit: jax.Array, action: Any) -> jax.Array:
    """As in the broken program."""
    right = jax.nn.sigmoid(logit)
    return jnp.log(jnp.where(action == 1, right, 1 - right))


def rounded_outside(logit: jax.Array, action: Any) -> jax.Array:
    """The logarithm of both, then the choice."""
    right = jax.nn.sigmoid(logit)
    return jnp.where(action == 1, jnp.log(right), jnp.log(1 - right))


def rounded_signed(logit: jax.Array, action: Any) -> jax.Array:
    """Holds until exp overflows."""
    return jnp.log(jax.nn.sigmoid(jnp.where(action == 1, logit, -logit)))


def padded(logit: jax.Array, action: Any) -> jax.Array:
    """A small number below the logarithm."""
    right = jax.nn.sigmoid(logit)
    return jnp.log(jnp.where(action == 1, right, 1 - right) + 1e-8)


def away_from_zero(logit: jax.Array, action: Any) -> jax.Array:
    """A clip, whose gradient is 0."""
    right = jnp.clip(jax.nn.sigmoid(logit), 1e-6, 1 - 1e-6)
    return jnp.log(jnp.where(action == 1, right, 1 - right))


def over_episodes(total: jax.Array, trajectory: Any) -> jax.Array:
    """Right."""
    return total.sum() / total.size


def over_transitions(total: jax.Array, trajectory: Any) -> jax.Array:
    """Live transitions."""
    return total.sum() / trajectory.active.sum()


def gradient(
    theta: Any,
    trajectory: Any,
    mask: Any = active,
    log_prob: Any = stable,
    average: Any = over_episodes,
) -> jax.Array:
    """The estimate, some of its parts wrong."""
    weights = returns_to_go(trajectory.reward)

    def objective(theta: jax.Array) -> jax.Array:
        of_action = log_prob(theta[trajectory.observation], trajectory.action)
        picked = jnp.where(mask(trajectory), weights * of_action, 0.0)
        return average(picked.sum(axis=0), trajectory)

    return jax.grad(objective)(theta)


def made(**parts: Any) -> Update:
    """An update with some of the parts of its gradient wrong."""

    def update(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
        return theta + learning_rate * gradient(theta, trajectory, **parts)

    return update


def slower(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """The broken update, a tenth as fast."""
    broken = made(mask=after_the_step, log_prob=rounded)
    return broken(theta, trajectory, 0.1 * learning_rate)


def rewards_after_the_step(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """The rewards masked in place of the log-probabilities."""
    reward = jnp.where(after_the_step(trajectory), trajectory.reward, 0.0)
    return made()(theta, trajectory._replace(reward=reward), learning_rate)


def clipped(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """Logits cut to where nothing rounds."""
    return made(log_prob=rounded)(jnp.clip(theta, -10.0, 10.0), trajectory, learning_rate)


def cleaned(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """Replaces nan by 0."""
    slope = gradient(theta, trajectory, log_prob=rounded)
    return theta + learning_rate * jnp.nan_to_num(slope, posinf=0.0, neginf=0.0)


def live_mean(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """A mean over live transitions."""
    return made(average=over_transitions)(theta, trajectory, learning_rate)


def downhill(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """The other sign."""
    return made()(theta, trajectory, -learning_rate)


def unmoved(theta: Any, trajectory: Any, learning_rate: Any) -> jax.Array:
    """theta, as it was."""
    return jnp.asarray(theta)


ROUNDED = (
    made(log_prob=rounded),
    made(log_prob=rounded_outside),
    made(log_prob=rounded_signed),
)
KEPT_AWAY = (made(log_prob=padded), made(log_prob=away_from_zero))
