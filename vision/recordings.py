"""Recorded sources of pictures: a video, a folder, photographs that are sent; and what every source can do.

`Source.frames` opens the source, yields pictures when they are due, and lets go of it in the end, all in the thread
that iterates: drivers crash when one thread closes what another reads. Errors:

    SourceError(ValueError)   a description that can never work
    SourceLostError           opened or read without success; worth trying again
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Generator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""BGR, uint8, (height, width, 3)."""

PICTURES = (".jpg", ".jpeg", ".png", ".webp")
VIDEOS = (".mp4", ".mkv", ".avi", ".mov", ".webm", ".m4v", ".mjpeg", ".mjpg")
PICTURE_S = 4.0  # how long each picture of a folder lies on the table


class SourceError(ValueError):
    """A description of a source that cannot work; one line."""


class SourceLostError(Exception):
    """The source gave nothing; one line without credentials."""


class Source(Protocol):
    """Pictures, one after the other. `steady`: the same picture again is no sign of a frozen stream."""

    name: str
    steady: bool

    def frames(self) -> Generator[Image]:
        """Open, and yield each picture when it is due; ends where there will be no more. SourceLostError."""
        ...

    def wake(self) -> None:
        """Make a thread that waits for a picture look up; called from another thread."""
        ...


class VideoFile:
    """A recorded video, played once at its own speed; its last picture stays."""

    steady = True

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name

    def frames(self) -> Generator[Image]:
        """Yield the video's frames when they are due."""
        capture = cv2.VideoCapture(str(self.path))
        try:
            if not capture.isOpened():
                raise SourceLostError(f"{self.name} cannot be read as a video")
            rate = capture.get(cv2.CAP_PROP_FPS)
            wait_s = 1 / rate if 1 <= rate <= 120 else 1 / 25
            due = time.monotonic()
            while (got := capture.read())[0]:
                time.sleep(max(0.0, due - time.monotonic()))
                due += wait_s
                yield np.asarray(got[1], np.uint8)
        finally:
            capture.release()

    def wake(self) -> None:
        """Nothing waits for longer than a frame."""


class Folder:
    """A folder of pictures (or one picture), by name, each shown for a while; the last one stays."""

    steady = True

    def __init__(self, path: Path, picture_s: float = PICTURE_S) -> None:
        self.path, self.name, self._picture_s = path, path.name or str(path), picture_s

    def frames(self) -> Generator[Image]:
        """Yield the pictures; one that cannot be read is passed over."""
        if not self._pictures():
            raise SourceLostError(f"{self.name} holds no pictures ({', '.join(PICTURES)})")
        shown: set[Path] = set()
        while (path := next((p for p in self._pictures() if p not in shown), None)) is not None:
            shown.add(path)
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if image is not None:
                yield np.asarray(image, np.uint8)
                time.sleep(self._picture_s)

    def _pictures(self) -> list[Path]:
        if self.path.is_file():
            return [self.path]
        return sorted(p for p in self.path.glob("*") if p.suffix.lower() in PICTURES)

    def wake(self) -> None:
        """Nothing waits for longer than a picture."""


class Uploads:
    """Photographs that a phone sends; each lies on the table until the next."""

    steady = True
    name = "photographs"

    def __init__(self) -> None:
        self._queue: queue.Queue[Image | None] = queue.Queue(maxsize=4)

    def push(self, image: Image | None) -> None:
        """Lay a photograph on the table; the oldest waiting one is dropped where four wait."""
        while True:
            try:
                self._queue.put_nowait(image)
                return
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._queue.get_nowait()

    def frames(self) -> Generator[Image]:
        """Yield each photograph as it comes."""
        while (image := self._queue.get()) is not None:
            yield image

    def wake(self) -> None:
        """End the waiting."""
        self.push(None)
