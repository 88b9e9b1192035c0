"""The live table: what an idle one costs, and how long after the hand a score is there."""

from __future__ import annotations

import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from decks.deck import Deck, find
from measuring.footprint import Service, fetched, serving
from measuring.viewers import cpu_ms
from scoring.edition import GAMES, Game
from scoring.table import Table
from service.deck_eyes import DeckEyes
from service.hub import Hub
from service.live import Live
from service.outlook import Reading, Wish
from synth import evening
from vision.camera import Camera

Image = npt.NDArray[np.uint8]

SEED = 1
ARM_S, LAST_S, QUIET_S = 1.0, 20.0, 6.0
GAME = {"game": "paper-safari", "players": [{"name": "A", "seat": 0}, {"name": "B", "seat": 2}]}
PATIENCE_S = 60.0
OPTIONS: dict[Game, dict[str, Any]] = {"string-safari": {"turn": "red", "target": "all:1"}}
"""What is asked of the table while time is taken."""


@dataclass(frozen=True)
class Lived:
    """`idle_share`: of one core, at 15 fps, a game on the table. `after_hand_s`: by game, from the last frame with
    the arm to the news of the reading, each time that something was laid."""

    idle_share: float
    after_hand_s: dict[str, tuple[float, ...]]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        told: dict[str, Any] = {"idle_share_of_a_core": round(self.idle_share, 4)}
        for game, times in self.after_hand_s.items():
            told[f"after_hand_s {game}"] = [round(t, 3) for t in times]
            told[f"after_hand_s_median {game}"] = round(median(times), 3) if times else None
        return told


def lived() -> Lived:
    """Measure an idle table from outside, and what a hand leaves behind in this process."""
    return Lived(idle_share(), {game: after_hand(game) for game in GAMES})


def steps(game: Game, deck: Deck) -> list[Table]:
    """Return what lies on the table one after the other: each a usual move from the one before."""
    if game == "paper-safari":
        low, high = (
            ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"],
            ["leopard", "lion", "elephant", "lion", "fox", "giraffe"],
        )
        up = [(3, 3), (4, 3), (4, 4), (5, 4), (5, 5)]
        return list(evening.paper(deck, [[_up(low, a), _up(high, b)] for a, b in up]))
    if game == "kleine-fotosafari":
        swapped = [*evening.RING[:3], *evening.RING[4:2:-1], *evening.RING[5:]]
        photos = ((), swapped[:3], (), swapped[4:7])
        return [evening.foto(deck), *(evening.foto(deck, swapped, photo) for photo in photos)]
    pairs = (["lion", "tiger"], ["leopard", "rocky-area"])
    first, second = [("lion", "red")], [("lion", "red"), ("leopard", "blue")]
    return [evening.string(deck), evening.string(deck, pairs[0]), evening.string(deck, pairs[0], first),
            evening.string(deck, pairs[1], first), evening.string(deck, pairs[1], second)]  # fmt: skip


def _up(labels: Sequence[str], count: int) -> list[str]:
    return [*labels[:count], *["back"] * (6 - count)]


@dataclass
class Filmed:
    """A camera at 15 fps on what the measuring lays there. `arm_at`: when its last frame with the arm was taken."""

    image: Image
    arm: bool = False
    arm_at: float = 0.0
    name: str = "film"
    steady: bool = False

    def frames(self) -> Generator[Image]:
        """Yield a frame when it is due."""
        grains, due, n = evening.grain(self.image), time.monotonic(), 0
        while True:
            n += 1
            seen, arm = (evening.with_arm(self.image, n), True) if self.arm else (self.image, False)
            seen = evening.noisy(seen, grains[n % len(grains)])
            due = max(due + 1 / evening.FPS, time.monotonic() - 1 / evening.FPS)
            time.sleep(max(0.0, due - time.monotonic()))
            self.arm_at = time.monotonic() if arm else self.arm_at
            yield seen

    def wake(self) -> None:
        """Nothing waits for longer than a frame."""


def after_hand(game: Game) -> tuple[float, ...]:
    """Lay one step after the other before a live table; return how long each took, from the arm's last frame."""
    deck = find(None, game)
    shown = evening.pictured(steps(game, deck), deck, SEED)
    film = Filmed(shown[0])
    with tempfile.TemporaryDirectory() as folder:
        live = Live(DeckEyes(Path(folder)), Hub())
    told: list[tuple[float, float]] = []
    live.desk.wish = lambda: Wish(game, None, {}, OPTIONS.get(game, {}))
    live.desk.tell = lambda reading: _noted(reading, told)
    live.look_through(Camera(film))
    try:
        _until(lambda: bool(told))
        return tuple(_laid(film, told, live, image) for image in shown[1:])
    finally:
        live.stop()


def _noted(reading: Reading, told: list[tuple[float, float]]) -> dict[str, Any]:
    """Note when the frame of a reading was taken, and when it is told."""
    json_of = reading.to_json()
    told.append((reading.frame.captured_at, time.monotonic()))
    return json_of


def _laid(film: Filmed, told: list[tuple[float, float]], live: Live, image: Image) -> float:
    """Exchange what lies there behind an arm; return how long after the arm a reading of it was told."""
    _until(lambda: not live.desk.busy)
    film.arm = True
    time.sleep(ARM_S)
    film.image = image
    time.sleep(ARM_S / 2)
    film.arm = False
    time.sleep(1 / evening.FPS)
    _until(lambda: told[-1][0] > film.arm_at)
    return next(at for taken, at in told if taken > film.arm_at) - film.arm_at


def _until(true: Any) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not true() and time.monotonic() < ends:
        time.sleep(0.005)


def idle_share() -> float:
    """Play a film in which nothing happens to a real service with a game begun; return its share of a core."""
    with tempfile.TemporaryDirectory() as folder:
        deck = find(None, "paper-safari")
        shown = evening.pictured(steps("paper-safari", deck)[:1], deck, SEED)
        video = evening.film(Path(folder) / "table.avi", shown, LAST_S)
        data = str(Path(folder) / "games.sqlite")
        with serving("serve", "--camera", str(video), "--port", "0", "--data", data) as service:
            fetched(service.address)
            _begun(service)
            started, before = time.monotonic(), cpu_ms(service.pid)
            time.sleep(QUIET_S)
            return (cpu_ms(service.pid) - before) / 1000 / (time.monotonic() - started)


def _begun(service: Service) -> None:
    """Begin a game, and wait until the table was read."""
    body = json.dumps(GAME).encode()
    headers = {"content-type": "application/json", "x-safari-table": "1"}
    ask = urllib.request.Request(f"{service.address}api/game/new", body, headers)
    urllib.request.urlopen(ask, timeout=PATIENCE_S).close()
    read = threading.Event()
    threading.Thread(target=_listen, args=(service.address, read), daemon=True).start()
    read.wait(PATIENCE_S)
    time.sleep(1.0)


def _listen(address: str, read: threading.Event) -> None:
    """Follow the event stream until a reading is told."""
    with urllib.request.urlopen(f"{address}api/events", timeout=PATIENCE_S) as stream:
        for raw in stream:
            if raw.decode().strip() == "event: reading":
                break
    read.set()
