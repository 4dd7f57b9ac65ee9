"""``bar``: how far long work has come, for work that says how much of it is done."""

import sys
from collections.abc import Callable

WIDTH = 20


def bar(total: int, title: str = "Training") -> Callable[[int], None]:
    """Return a function that shows how much is done: ``train(..., progress=bar(num_updates))``.

    In a notebook one output is renewed in place, and on a terminal one line. Elsewhere one line
    says when everything is done. No time is shown, so the same work leaves the same output.

    Raises ValueError for a total that is no positive integer.
    """
    if isinstance(total, bool) or not isinstance(total, int) or total < 1:
        raise ValueError(f"bar() takes how much there is to do, an integer >= 1; got {total!r}")

    def line(done: int) -> str:
        filled = WIDTH * done // total
        return f"{title} {'█' * filled}{'░' * (WIDTH - filled)} {done} of {total}"

    if _in_notebook():
        from IPython.display import display

        shown = display({"text/plain": line(0)}, raw=True, display_id=True)
        return lambda done: shown.update({"text/plain": line(done)}, raw=True)

    def tell(done: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done >= total else ""
            print(f"\r{line(done)}", end=end, file=sys.stderr, flush=True)
        elif done >= total:
            print(line(done), file=sys.stderr)

    return tell


def _in_notebook() -> bool:
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")
