"""How cost grows with pieces, pixels and events. Each series is (how many, ms of CPU), with its slope."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from measuring.stopwatch import once
from measuring.subjects import cards, resized
from scoring.events import PhotoTaken, to_json
from service import boards
from service.reading import seen_in
from service.session import ACT, Player, Session, Setup
from service.store import Store
from vision.recogniser import Recogniser

PIECES = (5, 10, 20, 30, 50, 70, 100)
HEIGHTS_PX = (480, 720, 1080, 1440, 2160)
EVENTS = (10, 100, 1_000, 10_000, 100_000)
TABLE_CARDS = 30
TURN = PhotoTaken("a", ("lion", "zebra", "lion"), right=False)
"""An event that any number of may follow each other: a claim that was wrong."""


@dataclass(frozen=True)
class Growth:
    """A series. `what` there is more and more of; `unit`: of the cost; `points`: (how many, cost)."""

    what: str
    unit: str
    points: tuple[tuple[float, float], ...]

    @property
    def each(self) -> float:
        """The slope of a straight line through the points."""
        x, y = np.array(self.points, float).T
        return float(np.polyfit(x, y, 1)[0])

    @property
    def power(self) -> float:
        """The slope where both axes are logarithmic: 0 constant, 1 proportional, 2 with the square."""
        x, y = np.log(np.maximum(np.array(self.points, float), 1e-9)).T
        return float(np.polyfit(x, y, 1)[0])

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        points = [[x, round(y, 4)] for x, y in self.points]
        return {
            "what": self.what,
            "unit": self.unit,
            "each": float(f"{self.each:.3g}"),
            "power": round(self.power, 2),
            "points": points,
        }


def over_pieces(counts: Sequence[int] = PIECES) -> Growth:
    """Read tables with more and more cards in pictures of one size."""
    image, deck = cards(counts[0])
    recogniser = Recogniser(deck)
    seen_in(image, deck, recogniser)
    points = []
    for count in counts:
        image, _ = cards(count)
        points.append((float(count), _read_ms(image, deck, recogniser)))
    return Growth("pieces", "ms of CPU a picture of 1280×720", tuple(points))


def over_pixels() -> Growth:
    """Read one table in pictures of more and more pixels."""
    image, deck = cards(TABLE_CARDS, 3840, 2160)
    recogniser = Recogniser(deck)
    seen_in(resized(image, HEIGHTS_PX[0]), deck, recogniser)
    points = []
    for height in HEIGHTS_PX:
        small = resized(image, height)
        points.append((small.shape[0] * small.shape[1] / 1e6, _read_ms(small, deck, recogniser)))
    return Growth("megapixels", f"ms of CPU a picture of {TABLE_CARDS} cards", tuple(points))


def _read_ms(image: Any, deck: Any, recogniser: Recogniser) -> float:
    return min(once(lambda: seen_in(image, deck, recogniser)).cpu_ms for _ in range(2))


def over_events(counts: Sequence[int] = EVENTS) -> dict[str, Growth]:
    """Keep games of more and more events; what it costs to open one again, and to add and show one event more."""
    rows: dict[str, list[tuple[float, float]]] = {"open": [], "add one": [], "tell": []}
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            for name, cost in _kept(Path(folder) / "games.sqlite", count).items():
                rows[name].append((float(count), cost))
    units = {"open": "ms of CPU to open", "add one": "ms of CPU an event", "tell": "ms of CPU to tell the page all"}
    return {name: Growth("events", units[name], tuple(points)) for name, points in rows.items()}


def _kept(path: Path, count: int) -> dict[str, float]:
    """Return the costs in ms with so many events in the store."""
    store = Store(path)
    session = Session(store)
    session.start(Setup("kleine-fotosafari", None, (Player("a", "A"), Player("b", "B", 1))))
    assert session.play is not None
    _fill(path, session.play.game, count)
    opened = once(session.resume).cpu_ms
    added = min(once(lambda: session.act(TURN)).cpu_ms for _ in range(3))
    play = session.play
    told = once(lambda: json.dumps(boards.game_json(play, store.last_seq(), True, frozenset()))).cpu_ms
    store.close()
    return {"open": opened, "add one": added, "tell": told}


def _fill(path: Path, game: str, count: int) -> None:
    """Write many events at once: one by one, each waits for the disk."""
    data = json.dumps({"event": to_json(TURN), "told": {}})
    with sqlite3.connect(path) as db:
        rows = ((game, 0.0, ACT, data) for _ in range(count))
        db.executemany("INSERT INTO events (game, at, kind, data) VALUES (?, ?, ?, ?)", rows)
    db.close()
