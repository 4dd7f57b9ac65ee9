"""Which benchmarks there are, found by the names of the modules in this folder's parent."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

import benchmarks
from benchmarks.tools.fresh import Failure
from benchmarks.tools.session import Session
from benchmarks.tools.table import Table


@dataclass(frozen=True)
class Benchmark:
    """One module of `benchmarks/`."""

    name: str
    title: str  # one line: what it measures
    needs: tuple[str, ...]  # packages beyond the lock
    run: Callable[[Session], list[Table]]


def names() -> list[str]:
    """The names of all benchmarks, in the order of the alphabet."""
    found = pkgutil.iter_modules(benchmarks.__path__)
    return sorted(m.name for m in found if not m.ispkg and not m.name.startswith("_"))


def find(name: str) -> Benchmark:
    """The benchmark of this name.

    Raises:
        Failure: there is none of this name, or a package that it needs is missing.
    """
    if name not in names():
        raise Failure(f"there is no benchmark {name!r}; there are: {', '.join(names())}")
    module = importlib.import_module(f"benchmarks.{name}")
    missing = [need for need in module.NEEDS if importlib.util.find_spec(need) is None]
    if missing:
        raise Failure(
            f"the benchmark {name!r} needs {' and '.join(missing)}, and this Python has no such "
            "package; `make bench` sets up an environment that has what it takes"
        )
    return Benchmark(name, module.TITLE, module.NEEDS, module.run)
