"""``record``: print a lesson's results and keep them, exactly, in the notebook."""

from collections.abc import Mapping
from typing import Any

from gridroll.classroom import values

RECORD_MIME = "application/vnd.gridroll.record+json"


def record(*, digits: int = values.SIGNIFICANT_DIGITS, **results: Any) -> None:
    """Display results as an aligned table and keep their full values in the cell's output.

    Each keyword names one result: a Python, NumPy or JAX scalar or array, a string, or a list of
    them. The table rounds floats to ``digits`` significant digits. The prose of a lesson quotes a
    result by its name: ``{{ counts[2] }}``, ``{{ mean_return:.3f }}``.

    Raises TypeError for a value that is none of these, and ValueError when there is none at all.
    """
    if not results:
        raise ValueError("record() needs at least one result, such as record(counts=counts)")
    kept = {name: values.plain(name, value) for name, value in results.items()}
    table = _table(kept, digits)

    from IPython import get_ipython

    if get_ipython() is None:
        print(table)
        return
    from IPython.display import display

    payload = {name: values.to_json(value) for name, value in kept.items()}
    display({"text/plain": table, RECORD_MIME: payload}, raw=True)


def _table(kept: Mapping[str, Any], digits: int) -> str:
    width = max(map(len, kept)) + 2
    return "\n".join(
        name.ljust(width) + values.text(value, digits, indent=width) for name, value in kept.items()
    )
