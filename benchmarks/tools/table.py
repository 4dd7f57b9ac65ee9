"""Tables as Markdown that is aligned, so that they read well in a terminal and in a README."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A titled table, the same number of cells in every row, with remarks below it."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.head):
                raise ValueError(f"the row {row} has {len(row)} cells, not {len(self.head)}")

    def text(self) -> str:
        """The table as Markdown: words to the left, and a column of numbers to the right."""
        columns = list(zip(self.head, *self.rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        right = [_numeric(column[1:]) for column in columns]
        rules = [
            "-" * (width - 1) + ":" if r else "-" * width
            for width, r in zip(widths, right, strict=True)
        ]
        lines = [self.head, tuple(rules), *self.rows]
        body = [
            "| "
            + " | ".join(
                cell.rjust(width) if r else cell.ljust(width)
                for cell, width, r in zip(line, widths, right, strict=True)
            )
            + " |"
            for line in lines
        ]
        remarks = [f"\n{remark}" for remark in self.remarks]
        return "\n".join([f"### {self.title}", "", *body, *remarks])


def _numeric(cells: Sequence[str]) -> bool:
    """Whether a column holds numbers: each cell begins with one, or says "-" for none."""
    begins = [cell.removeprefix("-")[:1].isdigit() for cell in cells]
    return any(begins) and all(b or cell == "-" for b, cell in zip(begins, cells, strict=True))


def rate(per_second: float) -> str:
    """Transitions per second, to three digits: 987, 12.3 k, 4.56 M, 7.89 G."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if per_second >= limit * 0.9995:
            return digits(per_second / limit) + unit
    return digits(per_second)


def digits(number: float) -> str:
    """A positive number to three significant digits, without an exponent: 0.953, 12.3, 4560."""
    if number <= 0:
        return "0"
    if number >= 999.5:
        return str(round(float(f"{number:.3g}")))
    text = f"{number:#.3g}"
    return f"{number:.6f}".rstrip("0") if "e" in text else text.rstrip(".")


def spread(numbers: Sequence[float]) -> str:
    """The smallest and the largest of some numbers: 0.91 to 1.04."""
    return f"{digits(min(numbers))} to {digits(max(numbers))}"


def size(num_envs: int, num_steps: int) -> str:
    """Environments x steps."""
    return f"{num_envs}x{num_steps}"
