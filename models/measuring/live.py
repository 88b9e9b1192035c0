"""The live table from outside: what an idle one costs, and how long after the hand a score is there."""

from __future__ import annotations

import json
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from measuring.footprint import Service, fetched, serving
from measuring.subjects import cards
from measuring.viewers import cpu_ms

Image = npt.NDArray[np.uint8]

FPS, VIDEO_PX = 15, (1280, 720)
CARDS = 12  # two players
HANDS, HAND_S, REST_S, LAST_S = 3, 1.2, 4.0, 14.0
"""The recording: an arm reaches in and exchanges a card so many times; then nothing happens any more."""
GAME = {"game": "paper-safari", "players": [{"name": "A", "seat": 0}, {"name": "B", "seat": 1}]}
NOISE = 1.5  # levels: a sensor's, else the same frame again and again is a camera that hangs
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Lived:
    """`idle_share`: of one core, at 15 fps, a game on the table. `after_hand_s`: from the first frame without the arm
    (its motion is still seen then) to the reading, each time."""

    idle_share: float
    after_hand_s: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        times = [round(t, 3) for t in self.after_hand_s]
        middle = round(median(self.after_hand_s), 3) if self.after_hand_s else None
        return {"idle_share_of_a_core": round(self.idle_share, 4), "after_hand_s": times, "after_hand_s_median": middle}


def lived() -> Lived:
    """Play the recording to a real service with a game begun, and watch its events."""
    with tempfile.TemporaryDirectory() as folder:
        video = _recording(Path(folder) / "table.avi")
        data = str(Path(folder) / "games.sqlite")
        with serving("serve", "--camera", str(video), "--port", "0", "--data", data) as service:
            fetched(service.address)
            times = _watched(service)
            started, before = time.monotonic(), cpu_ms(service.pid)
            time.sleep(REST_S)
            share = (cpu_ms(service.pid) - before) / 1000 / (time.monotonic() - started)
    return Lived(share, times)


def _recording(path: Path) -> Path:
    image, _ = cards(CARDS, *VIDEO_PX)
    rng, writer = np.random.default_rng(0), cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, VIDEO_PX)
    plan = [(REST_S, False), *[(HAND_S, True), (REST_S, False)] * HANDS, (LAST_S, False)]
    shown = image
    for turn, (seconds, arm) in enumerate(plan):
        if not arm and turn:
            shown = _exchanged(image, turn)
        for k in range(round(seconds * FPS)):
            frame = _with_arm(shown, k) if arm else shown
            noisy = frame + rng.normal(0, NOISE, frame.shape)
            writer.write(np.clip(noisy, 0, 255).astype(np.uint8))
    writer.release()
    return path


def _exchanged(image: Image, turn: int) -> Image:
    """Return the table with a spot in a corner changed, as if something had been laid there."""
    changed = image.copy()
    cv2.circle(changed, (60 + 40 * turn, 60), 16, (40, 40, 40 + 20 * turn), -1, cv2.LINE_AA)
    return changed


def _with_arm(image: Image, k: int) -> Image:
    """Return the table with an arm reaching in from the bottom edge, moving."""
    height, width = image.shape[:2]
    tip = (width // 2 + round(90 * float(np.sin(k / 2))), round(height * 0.45))
    arm = image.copy()
    cv2.line(arm, (width // 2, height), tip, (120, 150, 205), 110, cv2.LINE_AA)
    return arm


def _watched(service: Service) -> tuple[float, ...]:
    """Begin a game and return how long after each hand a reading came."""
    times: list[float] = []
    done = threading.Event()
    thread = threading.Thread(target=_listen, args=(service.address, times, done), daemon=True)
    thread.start()
    ask = urllib.request.Request(
        f"{service.address}api/game/new",
        json.dumps(GAME).encode(),
        {"content-type": "application/json", "x-safari-table": "1"},
    )
    urllib.request.urlopen(ask, timeout=PATIENCE_S).close()
    done.wait((HAND_S + REST_S) * HANDS + 2 * REST_S)
    return tuple(times)


@dataclass(frozen=True)
class Hand:
    """What the events told of the arm: whether it is there, since when it has gone, and whether the table was read
    since: a reading that began before says nothing of what it left behind."""

    there: bool = False
    left_s: float | None = None
    reading: bool = False

    def after(self, motion: Any, now_s: float) -> Hand:
        """Take in a motion event."""
        if motion["state"] == "moving":
            return Hand(there=True)
        if self.there:
            return Hand(left_s=now_s)
        return Hand(False, self.left_s, self.reading or (self.left_s is not None and bool(motion["reading"])))


def _listen(address: str, times: list[float], done: threading.Event) -> None:
    """Follow the event stream: note the time from when an arm has gone to the reading that began after it."""
    hand, topic = Hand(), ""
    with urllib.request.urlopen(f"{address}api/events", timeout=PATIENCE_S) as stream:
        for raw in stream:
            name, _, text = raw.decode().strip().partition(": ")
            topic = text if name == "event" else topic
            if name != "data":
                continue
            if topic == "motion":
                hand = hand.after(json.loads(text), time.monotonic())
            elif topic == "reading" and hand.reading and hand.left_s is not None:
                times.append(time.monotonic() - hand.left_s)
                hand = Hand()
                if len(times) == HANDS:
                    break
    done.set()
