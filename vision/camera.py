"""A camera that keeps only its newest frame, notices when it is lost, frozen or dark, and comes back by itself."""

from __future__ import annotations

import contextlib
import threading
import time
import zlib
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from vision.recordings import Image, Source, SourceLostError

State = Literal["starting", "live", "stale", "dark", "offline", "ended"]

STALL_S = 2.5  # no frame for so long: offline (a webcam in poor light still sends 5 a second)
HANG_S = 8.0  # a driver call that has not come back after so long is left behind, and the source opened anew
STALE_S = 3.0  # a sensor's noise changes every frame; the very same one for so long is a frozen stream
DARK_LEVEL = 14.0  # mean of 0…255: a covered lens gives under 8, a candle-lit table over 20
BACK_OFF_S = (0.25, 0.5, 1.0, 2.0, 4.0)  # between attempts to open, so that recovery takes at most 10 s
SUBSAMPLE = 8  # every so manieth pixel is enough to tell frozen and dark


@dataclass(frozen=True)
class Frame:
    """One picture. `captured_at`: seconds of the monotonic clock; `number` counts up."""

    image: Image
    captured_at: float
    number: int


@dataclass(frozen=True, slots=True)
class Status:
    """How the camera does. `message`: one line where it does not; `size_px`: width, height."""

    state: State
    message: str = ""
    size_px: tuple[int, int] | None = None
    frames: int = 0
    reopened: int = 0


class Camera:
    """Reads a source in a thread of its own."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._news = threading.Condition()
        self._generation = 0  # a thread of an earlier generation has no say any more
        self._frame: Frame | None = None
        self._status = Status("starting")
        self._last_sign = time.monotonic()  # when the driver last came back from a call
        self._changed_at = 0.0
        self._print = 0
        self._running = False

    @property
    def name(self) -> str:
        """What is looked through, without credentials."""
        return self.source.name

    def start(self) -> None:
        """Begin to read."""
        with self._news:
            self._running = True
            self._last_sign = time.monotonic()
            self._generation += 1
            generation = self._generation
        threading.Thread(target=self._run, args=(generation,), name=f"camera-{generation}", daemon=True).start()

    def stop(self) -> None:
        """End; a driver call that does not come back is left behind."""
        with self._news:
            self._running = False
            self._generation += 1
            self._news.notify_all()
        self.source.wake()

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """Return the newest frame whose number is above `after`, or None after `timeout_s`."""
        with self._news:
            self._news.wait_for(lambda: self._newer(after) or not self._running, timeout_s)
            return self._frame if self._newer(after) else None

    def _newer(self, after: int) -> bool:
        return self._frame is not None and self._frame.number > after

    def latest(self) -> Frame | None:
        """Return the newest frame, or None where there was none yet."""
        return self._frame

    def status(self) -> Status:
        """Say how the camera does now; a hung driver is left behind and the source opened anew."""
        now = time.monotonic()
        with self._news:
            status, frame, silent_s = self._status, self._frame, now - self._last_sign
            hung = self._running and silent_s > HANG_S and not self._waits()
        if hung:
            self._set("offline", f"{self.name} does not answer; it is opened again")
            self.start()
            return self._status
        if status.state in ("live", "dark", "stale") and not self._waits() and silent_s > STALL_S:
            return replace(status, state="offline", message=f"{self.name} has sent nothing for {silent_s:.0f} s")
        if status.state == "live" and frame is not None and not self.source.steady and now - self._changed_at > STALE_S:
            return replace(status, state="stale", message=f"{self.name} shows the same picture again and again")
        return status

    def _waits(self) -> bool:
        """Whether the source is one that may rightly be silent: pictures shown until the next."""
        return self.source.steady

    def _run(self, generation: int) -> None:
        attempt = 0
        while self._mine(generation):
            try:
                with contextlib.closing(self.source.frames()) as frames:
                    for image in frames:
                        if not self._mine(generation):
                            return
                        attempt = 0
                        self._take(image)
                if self._mine(generation):
                    self._set("ended", f"{self.name} has ended")
                return
            except SourceLostError as error:
                self._lose(generation, str(error))
            except Exception as error:  # a driver may raise anything; the table must go on
                self._lose(generation, f"{self.name} failed ({type(error).__name__})")
            self._pause(generation, BACK_OFF_S[min(attempt, len(BACK_OFF_S) - 1)])
            attempt += 1

    def _mine(self, generation: int) -> bool:
        return self._running and generation == self._generation

    def _lose(self, generation: int, message: str) -> None:
        if self._mine(generation):
            self._set("offline", message)

    def _pause(self, generation: int, seconds: float) -> None:
        with self._news:
            self._last_sign = time.monotonic()
            self._news.wait_for(lambda: not self._mine(generation), seconds)
            self._last_sign = time.monotonic()

    def _set(self, state: State, message: str) -> None:
        with self._news:
            lost = state == "offline" and self._status.state != "offline"
            self._status = replace(
                self._status, state=state, message=message, reopened=self._status.reopened + int(lost)
            )
            self._news.notify_all()

    def _take(self, image: Image) -> None:
        now = time.monotonic()
        sample = np.ascontiguousarray(image[::SUBSAMPLE, ::SUBSAMPLE])
        fingerprint, level = zlib.crc32(sample.tobytes()), float(sample.mean())
        dark = level < DARK_LEVEL
        with self._news:
            if fingerprint != self._print:
                self._print, self._changed_at = fingerprint, now
            self._last_sign = now
            number = self._frame.number + 1 if self._frame else 1
            self._frame = Frame(image, now, number)
            self._status = replace(
                self._status,
                state="dark" if dark else "live",
                message=f"{self.name} sees only darkness: is the lens covered?" if dark else "",
                size_px=(image.shape[1], image.shape[0]),
                frames=number,
            )
            self._news.notify_all()


def focus(image: Image) -> float:
    """Return how sharp a picture is: the variance of its Laplacian over the middle half, per unit of contrast."""
    height, width = image.shape[:2]
    middle = image[height // 4 : height - height // 4, width // 4 : width - width // 4]
    gray = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    contrast = float(gray.std()) + 1.0
    return float(cv2.Laplacian(gray, cv2.CV_32F).std()) / contrast
