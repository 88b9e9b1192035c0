"""The reading loop: newest frame → hand, settling or still → a reading when the table has changed → news."""

from __future__ import annotations

import threading
import time
from dataclasses import asdict
from typing import Any

from service import pictures
from service.desk import Desk
from service.eyes import Eyes
from service.hub import Hub
from service.outlook import Reading
from vision.camera import Camera, Frame, focus
from vision.motion import Motion, Stillness

FRAME_S = 1 / 15  # the loop looks at most so often
MOVING_S = 1 / 30  # and so often while something moves: then the first frame without the hand is not missed
RESTING_S, RESTS_AFTER = 2 / 15, 30  # and so often once so many looks in turn found the table at rest
GATE_S = 0.005  # between looks at whether a settling table has become still
QUIET_S = 0.15  # a source that stays on its last picture is looked at so often
VIEW_SIDE_PX, VIEW_QUALITY = 1280, 72
EVIDENCE_SIDE_PX = 1280


class Live:
    """Follows one camera, and lays frames worth reading on its desk."""

    def __init__(self, eyes: Eyes, hub: Hub) -> None:
        self.eyes, self.hub, self.desk = eyes, hub, Desk(eyes, hub)
        self.camera: Camera | None = None
        self.frames = 0
        self._stillness = Stillness()
        self._motion = Motion("settling", False)
        self._at_rest = 0  # looks in turn that found the table still and as it was read
        self._in_vain = False  # a frame was read while something moved, and the table did not stay so
        self._running = False
        self._thread: threading.Thread | None = None
        self._changing = threading.Lock()  # one camera after the other: none is left running unseen
        self._picture_viewers = 0

    @property
    def reading(self) -> Reading | None:
        """The newest reading."""
        return self.desk.newest

    @property
    def counts(self) -> dict[str, int]:
        """How many frames were looked at, and what was made of them."""
        return {"frames": self.frames, **self.desk.counts}

    def look_through(self, camera: Camera | None) -> None:
        """Change the camera; what was read stays until the new one shows a table."""
        with self._changing:
            old, self.camera = self.camera, camera
            if old is not None:
                old.stop()
            self._stillness = Stillness()
            if camera is not None:
                camera.start()
            if not self._running:
                self._running = True
                self._thread = threading.Thread(target=self._run, name="live", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End the loop and the camera."""
        self._running = False
        if self.camera is not None:
            self.camera.stop()
        if self._thread is not None:
            self._thread.join(2)
        self.desk.stop()

    def count_viewer(self, change: int) -> None:
        """Say that a viewer of the picture came (+1) or went (-1)."""
        self._picture_viewers += change
        frame = self.camera.latest() if self.camera is not None and change > 0 else None
        if frame is not None:
            self._show(frame)  # a camera that stays on its last picture sends no other

    def read_again(self) -> None:
        """Read the table as it lies, even where it has not changed: another game, deck or players."""
        self.desk.forget()
        self._stillness.forget()

    def read_as_it_lies(self, timeout_s: float) -> Reading | None:
        """Return a reading of all of the table as it lies now: the newest, where nothing has moved since. Else read."""
        reading, motion, wish = self.reading, self._motion, self.desk.wish()
        untouched = motion.state == "still" and not motion.changed and not motion.covered
        if untouched and wish is not None and reading is not None and reading.is_whole(wish.game):
            return reading
        return self.read_now(timeout_s)

    def read_now(self, timeout_s: float) -> Reading | None:
        """Read the newest frame at once, whoever's hand is over it; None where nothing came in time."""
        frame = self.newest()
        if frame is None:
            return None
        self._stillness.mark_read(frame.image)
        return self.desk.looked(frame, timeout_s)

    def _run(self) -> None:
        last, shown = 0, ""
        while self._running:
            camera, started = self.camera, time.monotonic()
            if camera is None:
                time.sleep(QUIET_S)
                continue
            frame = camera.wait(last, QUIET_S)
            shown = self._tell_status(camera, shown)
            if camera is not self.camera:
                last = 0
                continue
            last = frame.number if frame is not None else last
            try:
                self._look(camera, frame)
            except Exception:  # one frame that cannot be shown or compared must not end the evening
                self.desk.counts["failed"] += 1
            still_s = RESTING_S if self._at_rest > RESTS_AFTER else FRAME_S
            pause_s = still_s if self._motion.state == "still" else MOVING_S
            time.sleep(max(0.0, pause_s - (time.monotonic() - started)))

    def _look(self, camera: Camera, frame: Frame | None) -> None:
        """Show a frame that is new, and watch the table; None: none came."""
        if frame is not None:
            self.frames += 1
            self._show(frame)
        state = camera.status().state
        frame = frame or (camera.latest() if camera.source.steady else None)
        if frame is not None and state in ("live", "ended"):
            self._watch(frame)

    def _tell_status(self, camera: Camera, shown: str) -> str:
        status = camera.status()
        key = f"{id(camera)} {status.state} {status.message.rstrip('0123456789 s')} {status.size_px}"
        if key != shown:
            told = {**asdict(status), "name": camera.name}
            self.hub.publish("camera", {k: told[k] for k in ("name", "state", "message", "size_px", "reopened")})
        return key

    def _show(self, frame: Frame) -> None:
        if self._picture_viewers > 0:
            self.hub.publish("frame", (frame.number, pictures.jpeg(frame.image, VIEW_QUALITY, VIEW_SIDE_PX)))

    def _watch(self, frame: Frame) -> None:
        motion = self._motion = self._stillness.look(frame.image, time.monotonic())
        self._tell_motion(motion)
        self._at_rest = self._at_rest + 1 if motion.state == "still" and not motion.changed else 0
        self._in_vain = self._in_vain and motion.state != "still"
        if self.desk.glancing or self.desk.wish() is None:
            return
        if motion.likely and not (self._in_vain and motion.state == "moving"):
            self.desk.glance(frame, lambda: self._stays(frame))
        elif motion.changed and not self.desk.looking:
            self._stillness.mark_read(frame.image)
            self.desk.glance(frame)
        elif motion.state == "still" and self.desk.unsure and not self.desk.looking:
            self.desk.look(frame)

    def _stays(self, frame: Frame) -> bool:
        """Wait until the table is still, and say whether it then shows what this frame shows; if so, it is read."""
        while self._running and self._stillness.shows(frame.image):
            if self._motion.state == "still":
                self._stillness.mark_read(frame.image)
                return True
            time.sleep(GATE_S)
        self._in_vain = True
        return False

    def _tell_motion(self, motion: Motion) -> None:
        told = {"state": motion.state, "covered": motion.covered, "reading": self.desk.busy}
        if told != self.hub.newest("motion"):
            self.hub.publish("motion", told)

    def labels(self, game: str, deck: str | None) -> dict[str, list[str]]:
        """Return the labels that a piece of each kind can bear in a deck."""
        return dict(self.deck(game, deck).get("kinds", {}))

    def deck(self, game: str, name: str | None) -> dict[str, Any]:
        """Return what is told of a deck; of the game's first where none has the name."""
        decks = [d for d in self.eyes.decks() if d["game"] == game]
        return next((d for d in decks if d["name"] == name), decks[0] if decks else {})

    def newest(self) -> Frame | None:
        """Return the newest frame."""
        return self.camera.latest() if self.camera is not None else None

    def snapshot(self) -> bytes | None:
        """Return the newest frame as JPEG."""
        frame = self.newest()
        return pictures.jpeg(frame.image, 88) if frame is not None else None

    def evidence(self) -> bytes | None:
        """Return the picture that the newest reading was made from, as JPEG."""
        return pictures.jpeg(self.reading.frame.image, 82, EVIDENCE_SIDE_PX) if self.reading is not None else None

    def focus(self) -> float | None:
        """Return how sharp the newest frame is."""
        frame = self.newest()
        return focus(frame.image) if frame is not None else None
