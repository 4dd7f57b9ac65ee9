"""What the functions of `reinforce` take: parameters, trajectories, weights, settings."""

from typing import Any

from gridroll.validation.checked import checked


@checked
def bernoulli_score(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.bernoulli_score`."""
    return {}


@checked
def policy_gradient(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.policy_gradient`."""
    return {}


@checked
def train(**given: Any) -> dict[str, Any]:
    """The arguments of `reinforce.train`."""
    return {}
