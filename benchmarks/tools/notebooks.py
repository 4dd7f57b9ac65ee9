"""Lessons as a student leaves them who answered everything right."""

from typing import Any

from benchmarks.tools import fresh


def filled(stem: str) -> Any:
    """The student's notebook of a lesson with the reference answer in every answer cell."""
    import nbformat

    from gridroll.classroom import registry

    notebook = nbformat.read(fresh.ROOT / "lessons" / f"{stem}.ipynb", as_version=4)
    for cell in notebook.cells:
        about = cell.metadata.get("gridroll", {})
        if about.get("role") == "answer":
            cell.source = registry.find(about["exercise"]).answer
    return notebook
