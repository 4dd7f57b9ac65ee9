"""``show``: put a figure into a notebook with a text for those who can't see it.

The same figure gives the same bytes: no date, no version and no random id is written.
"""

import html
import io
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridroll.classroom import values

FIGURES_VARIABLE = "GRIDROLL_FIGURES"  # a build names here the folder that figures go to
HASH_SALT = "gridroll"
PAGE_PIXELS_PER_INCH = 96  # a figure 7 inches wide takes 672 pixels of the page at any dpi
# Matplotlib writes each of these on its own; a date or a version would change the bytes.
NO_SVG_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def show(
    figure: Any, *, alt: str, name: str | None = None, data: Mapping[str, Any] | None = None
) -> None:
    """Display a Matplotlib Figure; ``alt`` says in words what the picture shows.

    ``name`` ("03_active_counts") gives the picture a file of its own in ``figures/``, and
    ``data`` holds the numbers that it draws: names to scalars, arrays or lists. A build writes
    ``figures/<name>.svg`` and ``figures/<name>.json``; elsewhere nothing is written.

    Raises TypeError for anything but a Figure, and ValueError for an empty ``alt``, a bad name, or
    a name that comes without data.
    """
    if not hasattr(figure, "savefig"):
        raise TypeError(
            f"show() takes a matplotlib.figure.Figure; got {type(figure).__name__}"
            + ("; pass its .figure" if hasattr(figure, "figure") else "")
        )
    alt = " ".join(alt.split()) if isinstance(alt, str) else ""
    if not alt:
        raise ValueError("show() needs alt=..., a sentence that says what the picture shows")
    if name is not None and not re.fullmatch(r"[0-9]{2}_[a-z0-9_]+", name):
        raise ValueError(f"a figure's name looks like '03_active_counts'; got {name!r}")
    if name is not None and not data:
        raise ValueError(f"show(name={name!r}) needs data=..., the numbers that the picture draws")
    numbers = {key: values.plain(key, value) for key, value in (data or {}).items()}

    folder = os.environ.get(FIGURES_VARIABLE)
    if name is not None and folder:
        Path(folder, f"{name}.svg").write_bytes(svg(figure, alt))
        Path(folder, f"{name}.json").write_bytes(numbers_text(numbers).encode())

    from IPython import get_ipython

    if get_ipython() is None:
        print(alt)
        return
    from IPython.display import display

    width = round(figure.get_figwidth() * PAGE_PIXELS_PER_INCH)
    metadata: dict[str, Any] = {"image/png": {"alt": alt, "width": width}}
    if name is not None:
        metadata["gridroll"] = {"figure": name}
    display({"image/png": png(figure), "text/plain": alt}, metadata=metadata, raw=True)
    # Front ends read the alt text of an output to nobody, so it stands below, folded, as text.
    words = f"<details><summary>The picture in words</summary>{html.escape(alt)}</details>"
    display({"text/html": words}, raw=True)


def png(figure: Any) -> bytes:
    """Return the figure as PNG, without the line that names Matplotlib's version."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=figure.dpi, metadata={"Software": None})
    return buffer.getvalue()


def svg(figure: Any, alt: str) -> bytes:
    """Return the figure as SVG, an image with ``alt`` as its title."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": HASH_SALT}):
        figure.savefig(buffer, format="svg", metadata=NO_SVG_METADATA | {"Title": alt})
    return buffer.getvalue().replace(b"<svg ", b'<svg role="img" ', 1)


def numbers_text(numbers: Mapping[str, Any]) -> str:
    """Return a figure's numbers as JSON, a line for each name and for each row of a table."""
    lines = [f" {json.dumps(name)}: {_json_lines(value)}" for name, value in numbers.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json_lines(value: Any) -> str:
    ready = values.to_json(value)
    if isinstance(ready, list) and any(isinstance(item, list) for item in ready):
        return "[\n  " + ",\n  ".join(json.dumps(item) for item in ready) + "\n ]"
    return json.dumps(ready, ensure_ascii=False)
