"""How much memory a process and all that it has started hold."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_SHARE = re.compile(r"^Pss:\s+(\d+) kB$", re.MULTILINE)


def exceeds(pid: int, limit: int) -> bool:
    """Whether a process and all below it hold more bytes than `limit`.

    In a namespace of processes nothing gets out of the family: what loses its parent goes to the
    first process of the namespace. What processes share is counted once; asking for that is slow,
    so it is asked for only where the sum of all that each holds is too much.
    """
    family = list(_family(pid))
    return sum(map(_resident, family)) > limit and sum(map(_share, family)) > limit


def _family(pid: int) -> Iterator[int]:
    waiting = [pid]
    while waiting:
        member = waiting.pop()
        yield member
        try:
            threads = os.listdir(f"/proc/{member}/task")
            lists = [Path(f"/proc/{member}/task/{t}/children").read_text() for t in threads]
        except OSError:  # it has ended
            continue
        waiting += [int(child) for text in lists for child in text.split()]


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):  # it has ended
        return 0


def _share(pid: int) -> int:
    """A process's share of the memory that it holds: of a page that three hold, a third."""
    try:
        found = _SHARE.search(Path(f"/proc/{pid}/smaps_rollup").read_text())
    except OSError:  # it has ended, or lets nobody look inside
        found = None
    return int(found[1]) * 1024 if found else _resident(pid)
