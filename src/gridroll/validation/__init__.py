"""What each public function takes, checked outside `jax.jit`: one decorator for each function.

`@validation.step` above `step` checks the arguments of every call and brings them to one canonical
form (strongly typed arrays, Python ints for sizes), so that each configuration is traced once. A
module here checks for the subject's module of the same name.
"""

from gridroll.validation.collector import rollout, unroll
from gridroll.validation.gridworld import map_rows, reset, reward, step
from gridroll.validation.keys import (
    any_keys,
    chain_keys,
    fold_in_clashes,
    reset_keys,
    rollout_keys,
    two_key_arrays,
)
from gridroll.validation.planning import back_up, count_band, optimal, policy_planning
from gridroll.validation.policy import policy_function
from gridroll.validation.reinforce import (
    baseline,
    bernoulli_score,
    credit,
    train,
    weighted_actions,
    z_scores,
)
from gridroll.validation.returns import (
    discount_matrix,
    masked,
    recording,
    returns_to_go,
    trajectory,
)

__all__ = [
    "any_keys",
    "back_up",
    "baseline",
    "bernoulli_score",
    "chain_keys",
    "count_band",
    "credit",
    "discount_matrix",
    "fold_in_clashes",
    "map_rows",
    "masked",
    "optimal",
    "policy_function",
    "policy_planning",
    "recording",
    "reset",
    "reset_keys",
    "returns_to_go",
    "reward",
    "rollout",
    "rollout_keys",
    "step",
    "train",
    "trajectory",
    "two_key_arrays",
    "unroll",
    "weighted_actions",
    "z_scores",
]
