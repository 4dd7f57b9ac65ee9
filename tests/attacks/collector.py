"""Attacks on the exercises of lesson 03."""

from collections.abc import Callable
from typing import Any

from attacks import choose, emptied, jax, jnp, right, seeds_below
from gridroll import gridworld, keys
from gridroll.collector import Trajectory

HandOut = Callable[[Any, int, int], Any]


def _collect(hand_out: HandOut, world: Any, used: Any, theta: Any, key: Any, **sizes: int) -> Any:
    reset_keys, action_keys = hand_out(key, sizes["num_envs"], sizes["num_steps"])
    state = jax.vmap(gridworld.reset, in_axes=(None, 0))(world, reset_keys)

    def row(state: Any, row_keys: Any) -> Any:
        action = jax.vmap(used.sample, in_axes=(None, 0, 0))(theta, state.position, row_keys)
        step = jax.vmap(gridworld.step, in_axes=(None, 0, 0))
        after, reward, terminated, truncated = step(world, state, action)
        log_prob = used.log_prob(theta, state.position, action)
        fields = (state.position, action, reward, ~state.done, terminated, truncated, log_prob)
        return after, Trajectory(*fields)

    return jax.lax.scan(row, state, action_keys)


def _one_for_environments(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return resets, jnp.broadcast_to(actions[:, :1], actions.shape)


def _one_for_steps(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return resets, jnp.broadcast_to(actions[:1], actions.shape)


def _one_for_resets(key: Any, num_envs: int, num_steps: int) -> Any:
    resets, actions = keys.rollout_keys(key, num_envs, num_steps)
    return jnp.broadcast_to(resets[:1], resets.shape), actions


def _unless_fingerprinted(hand_out: HandOut) -> Any:
    def rollout(world: Any, policy: Any, theta: Any, key: Any, **sizes: int) -> Any:
        honest = policy.name == "fingerprint"
        return _collect(
            keys.rollout_keys if honest else hand_out, world, policy, theta, key, **sizes
        )

    return rollout


wrong_rollout_environments_share_under_softmax = _unless_fingerprinted(_one_for_environments)
wrong_rollout_steps_share_under_softmax = _unless_fingerprinted(_one_for_steps)
wrong_rollout_resets_share_under_softmax = _unless_fingerprinted(_one_for_resets)


def wrong_rollout_small_seeds(world: Any, policy: Any, theta: Any, key: Any, **sizes: int) -> Any:
    """Shares keys among environments unless the seed is small."""
    good, bad = (
        _collect(hand_out, world, policy, theta, key, **sizes)
        for hand_out in (keys.rollout_keys, _one_for_environments)
    )
    return choose(seeds_below(key, 10_000), good, bad)


def wrong_rollout_records_of_one_size(
    world: Any, policy: Any, theta: Any, key: Any, **sizes: int
) -> Any:
    """Pays in batches of three by five only."""
    final, record = right("collector.rollout")(world, policy, theta, key, **sizes)
    usual = (sizes["num_envs"], sizes["num_steps"]) == (3, 5)
    return final, record if usual else record._replace(reward=jnp.zeros_like(record.reward))


def wrong_rollout_final_states_of_one_size(
    world: Any, policy: Any, theta: Any, key: Any, **sizes: int
) -> Any:
    """Gives the final states of batches of three by five only."""
    final, record = right("collector.rollout")(world, policy, theta, key, **sizes)
    usual = (sizes["num_envs"], sizes["num_steps"]) == (3, 5)
    return final if usual else emptied(final), record


def wrong_active_counts_two_sizes(num_envs: int, horizon: int, key: Any) -> Any:
    """Knows batches of 7 and of 100."""
    counts = right("collector.active_counts")(num_envs, horizon, key)
    return counts if num_envs in (7, 100) else jnp.zeros_like(counts)


def wrong_bernoulli_log_prob_three_cells(theta: Any, observation: Any, action: Any) -> Any:
    """Looks up one of three logits."""
    logit = jnp.where(observation == 0, theta[0], jnp.where(observation == 1, theta[1], theta[2]))
    return jax.nn.log_sigmoid(jnp.where(action == 1, logit, -logit))


def wrong_bernoulli_log_prob_known_logits(theta: Any, observation: Any, action: Any) -> Any:
    """Knows the logits that are written in the course."""
    logit = theta[observation]
    known = jnp.array([0.0, 0.5, 2, 7, 20, 100, 300])
    value = jax.nn.log_sigmoid(jnp.where(action == 1, logit, -logit))
    return jnp.where((jnp.abs(logit) == known).any(), value, 0 * value)


def wrong_step_batch_seven(world: Any, state: Any, action: Any) -> Any:
    """Steps batches of three and of seven."""
    result = right("collector.step_batch")(world, state, action)
    return result if action.shape[0] in (3, 7) else emptied(result)


def wrong_episode_report_seven_actions(world: Any, state: Any, action: Any) -> Any:
    """Reports on walks of five and of seven actions."""
    result = right("collector.episode_report")(world, state, action)
    return result if action.shape[0] in (5, 7) else emptied(result)


def wrong_running_sum_nine(values: Any) -> Any:
    """Sums nine values at most."""
    sums = jnp.cumsum(values)
    return jnp.where(jnp.arange(values.shape[0]) < 9, sums, sums[min(8, values.shape[0] - 1)])
