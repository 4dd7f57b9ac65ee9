"""The library's own estimates, put together as a lesson would."""

from functools import partial
from typing import Any

import jax

from gridroll import reinforce
from gridroll.collector import Trajectory
from gridroll.policy import Policy, bernoulli, softmax


def policy_of(theta: Any) -> Policy:
    """Return the policy that has parameters of this shape."""
    return bernoulli if theta.ndim == 1 else softmax


def weights_of(world: Any, policy: Any, theta: Any, trajectory: Trajectory, variant: str) -> Any:
    """Return the library's weights for a variant of the estimate."""
    to_go = variant.startswith("to-go")
    credited = reinforce.to_go_weights if to_go else reinforce.total_weights
    weights = credited(trajectory)
    if variant.endswith("baseline"):
        weights = weights - reinforce.baseline(world, policy, theta, trajectory)
    return weights


@partial(jax.jit, static_argnames="policy")
def each_estimate(policy: Any, theta: Any, trajectory: Trajectory, weights: Any) -> Any:
    """Return the estimate that each episode gives by itself, (B, ...)."""
    return jax.jacfwd(lambda theta: reinforce.surrogate(policy, theta, trajectory, weights))(theta)
