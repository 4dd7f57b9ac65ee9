"""Gridroll: from one gridworld step to a batched policy-gradient learner in JAX."""

__version__ = "0.1.0"
