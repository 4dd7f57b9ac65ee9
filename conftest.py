"""How pytest compares the notebooks in solutions/: every text, and no floats to the last bit."""

from typing import Any

# Full-precision records are compared with a tolerance by `gridroll build --check`.
NOT_COMPARED = ("application/vnd.gridroll.record+json",)


def pytest_collectstart(collector: Any) -> None:
    """Tell nbval what it leaves out."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += NOT_COMPARED
