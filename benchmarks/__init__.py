"""Measurements of the course, side by side with the programs people would use instead.

Each module in this folder is one benchmark, and its name is what `python -m benchmarks` takes. It
has `TITLE`, `NEEDS` (packages beyond the lock) and `run(session)`, which returns tables. What they
measure is in `programs/`, what they measure with in `tools/`.
"""
