"""The reading desk: frames in, readings out. What changed is read at once; all of it beside that, in time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from service.eyes import Answer, Eyes, EyesError, NoSuchGameError, Seen
from service.hub import Hub
from service.outlook import Reading, Wish
from vision.camera import Frame
from vision.tracking import Tracker

UNHURRIED_S = 1.0  # a quick reading has stood so long: nobody plays on just now, so all is read


class Desk:
    """Reads frames, one hastily and one wholly at a time, and tells what the newest of them shows.

    `wish` says what is played now, None: nothing is read; `tell` what everyone may know of a reading; `met` is told of
    what lies in each new picture, before it is judged. While `telling` is held no reading is judged or told.
    """

    def __init__(self, eyes: Eyes, hub: Hub) -> None:
        self.eyes, self.hub = eyes, hub
        self.wish: Callable[[], Wish | None] = lambda: None
        self.tell: Callable[[Reading], dict[str, Any]] = Reading.to_json
        self.met: Callable[[Answer], None] = lambda answer: None
        self.newest: Reading | None = None
        self.counts = {"readings": 0, "glances": 0, "failed": 0}
        self._tracker = Tracker()
        self.telling = threading.RLock()  # readings are told one after the other, older frames never after newer
        self._glances, self._looks = ThreadPoolExecutor(1, "glance"), ThreadPoolExecutor(1, "look")
        self._glance: Future[None] | None = None
        self._look: Future[None] | None = None
        self._told_at = 0.0

    def stop(self) -> None:
        """Read nothing any more."""
        for pool in (self._glances, self._looks):
            pool.shutdown(wait=False, cancel_futures=True)

    @property
    def busy(self) -> bool:
        """Whether what lies there now is being read: looking at all of it again, unhurried, is not waited for."""
        return self.glancing or (self.looking and (self.newest is None or not self.newest.quick))

    @property
    def glancing(self) -> bool:
        """Whether what has changed is being read."""
        return self._glance is not None and not self._glance.done()

    @property
    def looking(self) -> bool:
        """Whether all of a frame is being read."""
        return self._look is not None and not self._look.done()

    @property
    def unsure(self) -> bool:
        """Whether a quick reading has stood for so long that there is time to read all."""
        return self.newest is not None and self.newest.quick and time.monotonic() - self._told_at > UNHURRIED_S

    def glance(self, frame: Frame, stays: Callable[[], bool] = lambda: True) -> None:
        """Read what has changed, soon; it is told if the table then `stays` so. Where that cannot be, all is read."""
        self._glance = self._glances.submit(self._read_changed, frame, stays)

    def look(self, frame: Frame) -> None:
        """Read all of a frame, soon."""
        self._look = self._looks.submit(self._read_all, frame)

    def forget(self) -> None:
        """Another game, deck or players: what was read says nothing of it."""
        with self.telling:
            self._tracker = Tracker()

    def looked(self, frame: Frame, timeout_s: float) -> Reading | None:
        """Read all of a frame, and of those that came after while it was read; None where that takes too long."""
        ends = time.monotonic() + timeout_s
        reading = self._looked(frame, timeout_s)
        while reading is not None and reading.quick and (left_s := ends - time.monotonic()) > 0:
            reading = self._looked(reading.frame, left_s)
        return None if reading is None or reading.quick else reading

    def _looked(self, frame: Frame, timeout_s: float) -> Reading | None:
        self.look(frame)
        assert self._look is not None
        try:
            self._look.result(timeout_s)
        except TimeoutError:
            return None
        return self.newest

    def surely(self, timeout_s: float) -> Reading | None:
        """Return the newest reading; where only what had changed was read, all is read first. None: too slow."""
        reading = self.newest
        return self.looked(reading.frame, timeout_s) if reading is not None and reading.quick else reading

    def judge_again(self) -> Reading | None:
        """Judge what was read last under the options of now; nothing is read."""
        with self.telling:
            reading, wish = self.newest, self.wish()
            if reading is None or reading.seen is None or wish is None:
                return reading
            try:
                answer, message = reading.seen.answer(wish.options), ""
            except EyesError as error:
                answer, message = None, str(error)
            self._tell(reading.frame, reading.seen, answer, message, 0.0, reading.quick)
            return self.newest

    def _read_changed(self, frame: Frame, stays: Callable[[], bool]) -> None:
        wish, started, seen = self.wish(), time.perf_counter(), None
        if wish is None:
            return
        with contextlib.suppress(Exception):  # whatever it is: reading all will find it again, and tell
            seen = self.eyes.glance(frame.image, wish.game, wish.deck, wish.strings)
        if not stays():
            return
        if seen is None:
            self.look(frame)
            return
        self.counts["glances"] += 1
        self._judge(frame, seen, time.perf_counter() - started, quick=True)

    def _read_all(self, frame: Frame) -> None:
        wish, started = self.wish(), time.perf_counter()
        if wish is None:
            return
        try:
            seen = self.eyes.look(frame.image, wish.game, wish.deck, wish.strings)
        except NoSuchGameError as error:
            self._fail(frame, str(error), started)
        except Exception as error:  # one unreadable frame must not end the evening: the next one is read again
            self.counts["failed"] += 1
            self._fail(frame, _plain(error), started)
        else:
            self._judge(frame, seen, time.perf_counter() - started)

    def _judge(self, frame: Frame, seen: Seen, seconds: float, quick: bool = False) -> None:
        """Judge what was seen under the options of now, and tell it."""
        with self.telling:
            if self._overtaken(frame):
                return
            answer, message, followed = None, "", None
            try:
                followed = self._followed(seen)
                wish = self.wish()  # asked after that: answers to pieces that moved are gone
                answer = followed.answer(wish.options if wish is not None else {})
            except Exception as error:  # as in reading: the evening goes on
                self.counts["failed"] += 1
                message = _plain(error)
            self.counts["readings"] += 1
            self._tell(frame, followed, answer, message, seconds, quick)

    def _overtaken(self, frame: Frame) -> bool:
        """Whether a later frame was told meanwhile: then this one says nothing of the table as it lies."""
        return self.newest is not None and frame.captured_at < self.newest.frame.captured_at

    def _fail(self, frame: Frame, message: str, started: float) -> None:
        with self.telling:
            if not self._overtaken(frame):
                self.counts["readings"] += 1
                self._tell(frame, None, None, message, time.perf_counter() - started)

    def _followed(self, seen: Seen) -> Seen:
        """Give the pieces their lasting ids, and what all readings together say of them."""
        lying = seen.lying()
        ids = self._tracker.update(lying["pieces"])
        self.met({**lying, "pieces": [{**piece, "id": ids[piece["id"]]} for piece in lying["pieces"]]})
        return seen.known_as(ids, {lasting: self._tracker.labelled(lasting) for lasting in ids.values()})

    def _tell(
        self, frame: Frame, seen: Seen | None, answer: Answer | None, message: str, seconds: float, quick: bool = False
    ) -> None:
        number = self.newest.number + 1 if self.newest is not None else 1
        self.newest = Reading(number, frame, seen, answer, message, seconds, quick)
        self._told_at = time.monotonic()
        self.hub.publish("reading", self.tell(self.newest))


def _plain(error: Exception) -> str:
    """Return what the players are told of an error: one line."""
    return str(error) if isinstance(error, EyesError) else f"this picture could not be read ({error!r})"
