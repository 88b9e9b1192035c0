"""News for everyone who looks on: only the newest of each topic is kept, so a stuck viewer costs nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class News:
    """The newest of a topic. `version` counts up over all topics."""

    topic: str
    version: int
    data: Any


@dataclass(eq=False)
class Viewer:
    """One who looks on: a page's event stream, or its picture."""

    loop: asyncio.AbstractEventLoop
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    def ring(self) -> None:
        """Wake the viewer, from any thread; a loop that is closed has no viewers."""
        with contextlib.suppress(RuntimeError):  # it is closed
            self.loop.call_soon_threadsafe(self.bell.set)


class Hub:
    """Published to from any thread, looked at from the event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news: dict[str, News] = {}
        self._version = 0
        self._viewers: set[Viewer] = set()
        self.closed = False

    def publish(self, topic: str, data: Any) -> None:
        """Replace a topic's news and wake everyone."""
        with self._lock:
            self._version += 1
            self._news[topic] = News(topic, self._version, data)
            viewers = tuple(self._viewers)
        for viewer in viewers:
            viewer.ring()

    def newest(self, topic: str) -> Any:
        """Return a topic's newest data, or None."""
        news = self._news.get(topic)
        return news.data if news else None

    def since(self, version: int, topics: frozenset[str]) -> tuple[News, ...]:
        """Return the news of these topics after `version`, oldest first."""
        with self._lock:
            found = [news for news in self._news.values() if news.version > version and news.topic in topics]
        return tuple(sorted(found, key=lambda news: news.version))

    def join(self) -> Viewer:
        """Add a viewer; called in the event loop."""
        viewer = Viewer(asyncio.get_running_loop())
        with self._lock:
            self._viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        with self._lock:
            self._viewers.discard(viewer)

    @property
    def viewers(self) -> int:
        """How many look on."""
        return len(self._viewers)

    def close(self) -> None:
        """Tell everyone that the service ends."""
        self.closed = True
        for viewer in tuple(self._viewers):
            viewer.ring()


async def rung(viewer: Viewer, timeout_s: float) -> bool:
    """Wait until there may be news, at most `timeout_s`; False where the time is up."""
    try:
        async with asyncio.timeout(timeout_s):  # wait_for would swallow a cancellation that comes with the bell
            await viewer.bell.wait()
    except TimeoutError:
        return False
    viewer.bell.clear()
    return True
