"""How long things take: wall and CPU, whole or stage by stage, without a change to what is measured."""

from __future__ import annotations

import contextlib
import pkgutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any
from unittest import mock


@dataclass(frozen=True)
class Spent:
    """Time in ms: by the clock on the wall, and of all this process's threads."""

    wall_ms: float
    cpu_ms: float

    def to_json(self) -> dict[str, float]:
        """Return it as plain values."""
        return {"wall_ms": round(self.wall_ms, 3), "cpu_ms": round(self.cpu_ms, 3)}


def once(work: Callable[[], object]) -> Spent:
    """Time one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)


def middle(times: Sequence[Spent]) -> Spent:
    """Return the median of each."""
    return Spent(median(t.wall_ms for t in times), median(t.cpu_ms for t in times))


def alternating(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Spent]:
    """Time several things turn by turn, so that what else the machine does weighs on all alike; each once before."""
    for work in works.values():
        work()
    times: dict[str, list[Spent]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(once(work))
    return {name: middle(found) for name, found in times.items()}


@dataclass
class Stopwatch:
    """Adds up what named stages take, without the stages inside them."""

    spent: dict[str, float] = field(default_factory=dict)  # ms of CPU
    calls: dict[str, int] = field(default_factory=dict)
    _inner: list[float] = field(default_factory=list)

    def around(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0.0)
            started = time.process_time()
            try:
                return work(*args, **kwargs)
            finally:
                whole = (time.process_time() - started) * 1000
                self.spent[name] = self.spent.get(name, 0.0) + whole - self._inner.pop()
                self.calls[name] = self.calls.get(name, 0) + 1
                if self._inner:
                    self._inner[-1] += whole

        return timed


@contextlib.contextmanager
def watching(stages: Mapping[str, Sequence[str]]) -> Iterator[Stopwatch]:
    """Time functions, named "module:attribute" by stage, while the context lasts. AttributeError where one is gone."""
    watch = Stopwatch()
    with contextlib.ExitStack() as stack:
        for name, places in stages.items():
            for place in places:
                module, _, path = place.partition(":")
                owner, _, attribute = path.rpartition(".")
                found = pkgutil.resolve_name(f"{module}:{owner}" if owner else module)
                stack.enter_context(mock.patch.object(found, attribute, watch.around(name, getattr(found, attribute))))
        yield watch
