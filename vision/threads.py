"""Work shared between the cores: what runs in OpenCV, ONNX Runtime or NumPy's loops does not wait for Python."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any, TypeVar

One = TypeVar("One")
Done = TypeVar("Done")

MOST = 4  # more wait for Python's own lock more than they work
_inside = threading.local()  # whether this thread is doing a share of something already


def each(work: Callable[[One], Done], items: Iterable[One]) -> list[Done]:
    """Do the same work on each item, several at a time; return what came of them in order, or raise what one raised.

    Within such work all is done in turn: a share is not shared again.
    """
    every = list(items)
    pool = None if len(every) < 2 or getattr(_inside, "share", False) else _pool()
    return [work(item) for item in every] if pool is None else list(pool.map(_share, [work] * len(every), every))


def both(here: Callable[[], One], aside: Callable[[], Done]) -> tuple[One, Done]:
    """Do two works at once, and return what came of them once both are done; raise what either raised.

    The one `here` may share its own work again.
    """
    pool = None if getattr(_inside, "share", False) else _pool()
    if pool is None:
        return here(), aside()
    begun = pool.submit(_share, lambda work: work(), aside)
    try:
        done = here()
    finally:
        wait([begun])
    return done, begun.result()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Do all in turn while the context lasts: then what parts of the work take can be told apart."""
    before = getattr(_inside, "share", False)
    _inside.share = True
    try:
        yield
    finally:
        _inside.share = before


def _share(work: Callable[[Any], Any], item: Any) -> Any:
    _inside.share = True
    return work(item)


@cache
def _pool() -> ThreadPoolExecutor | None:
    """Return the one pool of this process; None where it has a single core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return ThreadPoolExecutor(min(cores, MOST), "share") if cores > 1 else None
