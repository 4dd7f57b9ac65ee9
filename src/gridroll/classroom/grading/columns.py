"""Tables in plain text, of which nothing is ever cut: as wide as they need to be, or a list."""

import textwrap
from collections.abc import Sequence

_BETWEEN = "  "
_KEPT = "\xa0"  # a space at which no line breaks


def lines(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int | None = None,
    left: Sequence[str] = (),
) -> list[str]:
    """Return the lines of a table, or those of a list where the table is wider than `width`.

    Args:
        headings: the first is that of the names.
        rows: texts, as many in each as there are headings.
        width: of the terminal; None for a pipe, which has any.
        left: headings of further columns that begin at the left, as names do.
    """
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    at_left = [number == 0 or name in left for number, name in enumerate(headings)]
    needed = sum(widths) + len(_BETWEEN) * (len(widths) - 1)
    if width is not None and needed > width:
        return _list(headings, rows, width)
    made = [
        _BETWEEN.join(
            cell.ljust(size) if start else cell.rjust(size)
            for cell, size, start in zip(row, widths, at_left, strict=True)
        ).rstrip()
        for row in [headings, *rows]
    ]
    return [made[0], "-" * needed, *made[1:]]


def _list(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row's name on a line, and below it what the table has beside it."""
    made = [headings[0], "-" * min(width, len(headings[0]))]
    for row in rows:
        cells = zip(headings[1:], row[1:], strict=True)
        pairs = [f"{heading}: {cell}".replace(" ", _KEPT) for heading, cell in cells if cell]
        wrapped = textwrap.wrap(
            ", ".join(pairs),
            width,
            initial_indent=_BETWEEN,
            subsequent_indent=_BETWEEN,
            break_long_words=False,
            break_on_hyphens=False,
        )
        made += [row[0], *(line.replace(_KEPT, " ") for line in wrapped)]
    return made
