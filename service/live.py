"""The reading loop: newest frame → hand, settling or still → a reading when the table has changed → news."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

from service import pictures
from service.eyes import Answer, Eyes, EyesError, NoSuchGameError, Seen
from service.hub import Hub
from service.outlook import Reading, Wish
from vision.camera import Camera, Frame, focus
from vision.motion import Motion, Stillness
from vision.tracking import Tracker

FRAME_S = 1 / 15  # the loop looks at most so often
RESTING_S, RESTS_AFTER = 2 / 15, 30  # and so often once so many looks in turn found the table at rest
GATE_S = 0.005  # between looks at whether a settling table has become still
UNHURRIED_S = 1.0  # a quick reading has stood so long: nobody plays on just now, so all is read
QUIET_S = 0.15  # a source that stays on its last picture is looked at so often
VIEW_SIDE_PX, VIEW_QUALITY = 1280, 72
EVIDENCE_SIDE_PX = 1280


class Live:
    """Follows one camera.

    `wish` says what is played now, None: nothing is read; `tell` what everyone may know of a reading; `met` is told of
    each new picture, judged without options, before it is judged for the game.
    """

    def __init__(self, eyes: Eyes, hub: Hub) -> None:
        self.eyes, self.hub = eyes, hub
        self.wish: Callable[[], Wish | None] = lambda: None
        self.tell: Callable[[Reading], dict[str, Any]] = Reading.to_json
        self.met: Callable[[Answer], None] = lambda answer: None
        self.camera: Camera | None = None
        self.reading: Reading | None = None
        self._stillness, self._tracker = Stillness(), Tracker()
        self._pool = ThreadPoolExecutor(1, "reading")
        self._pending: Future[None] | None = None
        self._number = 0
        self._motion = Motion("settling", False, 0.0)
        self._at_rest = 0  # looks in turn that found the table still and as it was read
        self._told_at = 0.0  # when the newest reading was told
        self._running = False
        self._thread: threading.Thread | None = None
        self._picture_viewers = 0
        self.counts = {"frames": 0, "readings": 0, "glances": 0, "failed": 0}

    def look_through(self, camera: Camera | None) -> None:
        """Change the camera; what was read stays until the new one shows a table."""
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
        self._pool.shutdown(wait=False, cancel_futures=True)

    def count_viewer(self, change: int) -> None:
        """Say that a viewer of the picture came (+1) or went (-1)."""
        self._picture_viewers += change
        frame = self.camera.latest() if self.camera is not None and change > 0 else None
        if frame is not None:
            self._show(frame)  # a camera that stays on its last picture sends no other

    def read_again(self) -> None:
        """Read the table as it lies, even where it has not changed: another game, deck or players."""
        self._tracker = Tracker()
        self._stillness.forget()

    def judge_again(self) -> Reading | None:
        """Judge what was read last under the options of now; nothing is read."""
        reading, wish = self.reading, self.wish()
        if reading is None or reading.seen is None or wish is None:
            return reading
        self._number += 1
        try:
            answer, message = reading.seen.answer(wish.options), ""
        except EyesError as error:
            answer, message = None, str(error)
        self._tell(Reading(self._number, reading.frame, reading.seen, answer, message, 0.0, reading.quick))
        return self.reading

    def read_surely(self, timeout_s: float) -> Reading | None:
        """Return the newest reading; where only what had changed was read, all is read first. None: too slow."""
        reading = self.reading
        if reading is not None and reading.quick:
            return self._read_within(reading.frame, timeout_s)
        return reading

    def read_as_it_lies(self, timeout_s: float) -> Reading | None:
        """Return a reading of all of the table as it lies now: the newest, where nothing has moved since. Else read."""
        reading, motion, wish = self.reading, self._motion, self.wish()
        untouched = motion.state == "still" and not motion.changed and not motion.covered
        if untouched and wish is not None and reading is not None and reading.is_whole(wish.game):
            return reading
        return self.read_now(timeout_s)

    def _read_within(self, frame: Frame, timeout_s: float) -> Reading | None:
        """Read a frame, whatever else waits; None where that takes too long (it is told when it is done)."""
        try:
            self._pool.submit(self._read, frame).result(timeout_s)
        except TimeoutError:
            return None
        return self.reading

    def read_now(self, timeout_s: float) -> Reading | None:
        """Read the newest frame at once, whoever's hand is over it; None where nothing came in time."""
        camera = self.camera
        frame = camera.latest() if camera is not None else None
        if frame is None:
            return None
        self._stillness.mark_read(frame.image)
        return self._read_within(frame, timeout_s)

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
            if frame is not None:
                last = frame.number
                self.counts["frames"] += 1
                self._show(frame)
            state = camera.status().state
            frame = frame or (camera.latest() if camera.source.steady else None)
            if frame is not None and state in ("live", "ended"):
                self._watch(frame)
            pause_s = RESTING_S if self._at_rest > RESTS_AFTER else FRAME_S
            time.sleep(max(0.0, pause_s - (time.monotonic() - started)))

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
        busy = self._pending is not None and not self._pending.done()
        self._tell_motion(motion, busy)
        self._at_rest = self._at_rest + 1 if motion.state == "still" and not motion.changed else 0
        if busy or self.wish() is None:
            return
        if motion.likely:
            self._pending = self._pool.submit(self._glance, frame, True)
        elif motion.changed:
            self._stillness.mark_read(frame.image)
            self._pending = self._pool.submit(self._glance, frame, False)
        elif motion.state == "still" and self._unsure():
            self._pending = self._pool.submit(self._read, frame)

    def _unsure(self) -> bool:
        """Whether a quick reading has stood for so long that there is time to read all."""
        return self.reading is not None and self.reading.quick and time.monotonic() - self._told_at > UNHURRIED_S

    def _glance(self, frame: Frame, early: bool) -> None:
        """Read what has changed; `early`: nobody is told before the table is still. Where that cannot be, read all."""
        wish, started, seen = self.wish(), time.perf_counter(), None
        if wish is None:
            return
        with contextlib.suppress(Exception):  # whatever it is: reading all will find it again, and tell
            seen = self.eyes.glance(frame.image, wish.game, wish.deck, wish.strings)
        if early:
            while self._running and self._motion.state == "settling":
                time.sleep(GATE_S)
            if self._motion.state != "still" or seen is None:
                return  # it moves again; or it is read once more, as any still table
            self._stillness.mark_read(frame.image)
        if seen is None:
            self._read(frame)
            return
        self.counts["glances"] += 1
        self._judge(frame, seen, time.perf_counter() - started, quick=True)

    def _tell_motion(self, motion: Motion, busy: bool) -> None:
        told = {"state": motion.state, "covered": motion.covered, "reading": busy}
        if told != self.hub.newest("motion"):
            self.hub.publish("motion", told)

    def _read(self, frame: Frame) -> None:
        wish, started = self.wish(), time.perf_counter()
        if wish is None:
            return
        try:
            seen = self.eyes.look(frame.image, wish.game, wish.deck, wish.strings)
        except NoSuchGameError as error:
            self._fail(frame, str(error), started)
        except Exception as error:  # one unreadable frame must not end the evening: the next one is read again
            self.counts["failed"] += 1
            plain = str(error) if isinstance(error, EyesError) else f"this picture could not be read ({error!r})"
            self._fail(frame, plain, started)
        else:
            self._judge(frame, seen, time.perf_counter() - started)

    def _judge(self, frame: Frame, seen: Seen, seconds: float, quick: bool = False) -> None:
        """Judge what was seen under the options of now, and tell it."""
        answer, message, followed = None, "", None
        try:
            followed = self._followed(seen)
            wish = self.wish()  # asked after that: answers to pieces that moved are gone
            answer = followed.answer(wish.options if wish is not None else {})
        except Exception as error:  # as in reading: the evening goes on
            self.counts["failed"] += 1
            message = str(error) if isinstance(error, EyesError) else f"this picture could not be read ({error!r})"
        self.counts["readings"] += 1
        self._number += 1
        self._tell(Reading(self._number, frame, followed, answer, message, seconds, quick))

    def _fail(self, frame: Frame, message: str, started: float) -> None:
        self.counts["readings"] += 1
        self._number += 1
        self._tell(Reading(self._number, frame, None, None, message, time.perf_counter() - started))

    def _followed(self, seen: Seen) -> Seen:
        """Give the pieces their lasting ids, and what all readings together say of them."""
        answer = seen.answer({})
        ids = self._tracker.update(answer["pieces"])
        self.met({**answer, "pieces": [{**piece, "id": ids[piece["id"]]} for piece in answer["pieces"]]})
        return seen.known_as(ids, {lasting: self._tracker.labelled(lasting) for lasting in ids.values()})

    def _tell(self, reading: Reading) -> None:
        self.reading, self._told_at = reading, time.monotonic()
        self.hub.publish("reading", self.tell(reading))

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
