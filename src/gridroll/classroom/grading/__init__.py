"""Grading a class: what was handed in is read, judged in a sandbox, and reported."""
