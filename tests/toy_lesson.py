"""A small lesson and its exercises, for the tests of the build."""

from dataclasses import dataclass
from pathlib import Path

LIBRARY = '''"""A library of one function."""

from functools import cache

RATE = 0.5


@cache
def double(x: int) -> int:
    """Return twice x."""
    return 2 * x
'''

HEAD = """---
gridroll:
  number: "07"
  module: toy
  title: A toy
  minutes: 5
  builds: a function that doubles
  needs: nothing
---
"""

SOURCE = (
    HEAD
    + """
# 07 A toy

The run counts {{ counts }}, of which the first is {{ counts[0] }}; the mean is {{ mean:.3f }}.

```{code-cell}
from functools import cache

from matplotlib.figure import Figure

from gridroll.classroom.record import record
from gridroll.classroom.show import show

standing = print  # what `gridroll.classroom` gives knows the real lessons alone
```

```{code-cell}
# listing: toy.double
```

```{code-cell}
# exercise: toy.guess
```

```{code-cell}
# exercise: toy.double
```

+++ {"tags": ["solution-only"]}

For the instructor.

```{code-cell}
print("three ``` ticks")
print("and more")
record(counts=[37, 41], mean=0.58484375)
```

```{code-cell}
figure = Figure(figsize=(3, 2))
figure.subplots().plot([1.0, 2.5])
show(figure, alt="A line that rises from 1 to 2.5.", name="07_line", data={"y": [1.0, 2.5]})
```

```{code-cell}
:tags: [no-recorded-output]
"not shown"
```
"""
)


@dataclass(frozen=True)
class Task:
    """As much of an exercise as a build looks at."""

    name: str
    kind: str
    scaffold: str
    answer: str
    check_call: str = ""
    points: int = 1
    stretch: bool = False
    leaks: tuple[str, ...] = ()

    def header(self, number: int | None, total: int) -> str:
        return f"### {self.name}: {number} of {total}"


GUESS = Task("toy.guess", "prediction", "print(...)", "print(29)", leaks=("29",))
DOUBLE = Task(
    "toy.double",
    "code",
    "def double(x):\n    raise NotImplementedError",
    "def double(x):\n    return 2 * x\n",
    check_call="print(double(2) == 4)",
    points=3,
)
TASKS = (GUESS, DOUBLE)


def write_project(folder: Path, source: str = SOURCE) -> tuple[Path, Path]:
    """Write a project with one lesson; return its root and the folder of its library."""
    root, package = folder / "project", folder / "library"
    for path in (root / "solutions", package):
        path.mkdir(parents=True)
    (root / "solutions" / "07_toy.md").write_text(source, encoding="utf-8")
    (package / "toy.py").write_text(LIBRARY, encoding="utf-8")
    return root, package
