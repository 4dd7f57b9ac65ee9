"""Moved."""

from gridroll.exercises._probes import sparing

__all__ = ["sparing"]
