"""Live sources of pictures, a device or a network stream, and how a command line names one.

The only file that knows PyAV and OpenCV's devices.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.recordings import PICTURES, VIDEOS, Folder, Image, Source, SourceError, SourceLostError, VideoFile
from vision.relay import Relay

SCHEMES = ("rtsp", "rtsps", "http", "https")
KNOWN = "a device number, a video, a folder of pictures or an address"
OPEN_S, READ_S = 5.0, 3.0  # a silent network source is given up after so long
SNAPSHOT_S = 0.4  # between two pictures of a camera that sends one a request
PROTOCOLS = {"http": "http,https,tcp,tls,httpproxy", "rtsp": "rtsp,tcp"}  # never file:, concat:, data:
STREAMS = "mpjpeg,mjpeg,jpeg_pipe,png_pipe,webp_pipe,image2,mpegts,mov,matroska,flv,asf,avi,h264,hevc,ogg"
"""What an HTTP camera may send: pictures themselves, never a playlist (hls, dash, …) that names further addresses."""


def source_from(text: str) -> Source:
    """Return the source that a command line describes: "0", "game.mp4", "pictures/", "rtsp://…". SourceError."""
    try:
        return _source(text.strip())
    except SourceError:
        raise
    except (ValueError, OSError):  # a host or a port that cannot be, a name longer than a file's
        raise SourceError(f"camera: this names no camera; give {KNOWN}") from None


def _source(text: str) -> Source:
    if text.isascii() and text.isdigit():
        return Device(int(text))
    scheme = urlsplit(text).scheme.lower()
    if "://" in text or (len(scheme) > 1 and not Path(text).exists()):
        if scheme not in SCHEMES:
            raise SourceError(
                f"camera: {scheme}: addresses are not read; give {', '.join(SCHEMES)}, a file or a number"
            )
        if not urlsplit(text).hostname:
            raise SourceError("camera: the address names no host")
        return Network(text)
    path = Path(text)
    if text and path.is_dir():
        return Folder(path)
    if path.suffix.lower() in VIDEOS + PICTURES and path.is_file():
        return Folder(path) if path.suffix.lower() in PICTURES else VideoFile(path)
    known = "is no video or picture that can be read" if path.is_file() else "does not exist"
    raise SourceError(f"camera: {text} {known}; give {KNOWN}")


class Device:
    """A webcam, by number."""

    steady = False

    def __init__(self, index: int, width: int = 1280, height: int = 720) -> None:
        self.index, self.name = index, f"camera {index}"
        self._wish = (width, height)
        self._wanted_lock: bool | None = None
        self.locks: dict[str, str] = {}  # what the driver said of the last wish to lock: exposure, focus

    def frames(self) -> Generator[Image]:
        """Open the device at the wished size and yield its frames."""
        capture = cv2.VideoCapture(self.index)
        try:
            if not capture.isOpened():
                raise SourceLostError(f"{self.name} is not there or another program uses it")
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._wish[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._wish[1])
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            while (got := capture.read())[0] and got[1] is not None:
                yield np.asarray(got[1], np.uint8)
                if self._wanted_lock is not None:
                    self.locks, self._wanted_lock = _locked(capture, self._wanted_lock), None
            raise SourceLostError(f"{self.name} sends no pictures any more")
        finally:
            capture.release()

    def lock(self, locked: bool) -> None:
        """Wish exposure and focus held, or let go; `locks` then says what the driver did."""
        self._wanted_lock = locked

    def wake(self) -> None:
        """The driver cannot be woken; what it holds is left behind."""


def _locked(capture: cv2.VideoCapture, locked: bool) -> dict[str, str]:
    """Hold exposure and focus, or let them go; return for each what the driver reports when asked again."""
    wanted = {
        "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0 if locked else 3.0),  # V4L2: 1 manual, 3 by aperture
        "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0 if locked else 1.0),
    }
    found = {}
    for what, (key, value) in wanted.items():
        done = capture.set(key, value) and capture.get(key) == value
        found[what] = ("locked" if locked else "automatic") if done else "not supported"
    return found


class Network:
    """A network camera: RTSP, an MJPEG stream, or single JPEGs over HTTP."""

    steady = False

    def __init__(self, url: str, open_s: float = OPEN_S, read_s: float = READ_S) -> None:
        self._url, self._timeout = url, (open_s, read_s)
        parts = urlsplit(url)
        self.name = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    def frames(self) -> Generator[Image]:
        """Connect and yield the frames; a camera that sends single pictures is asked again and again."""
        while True:
            count = 0
            with contextlib.ExitStack() as held:
                container = self._connect(held)
                single = container.format.name.endswith("_pipe") or "image2" in container.format.name
                for image in self._decoded(container):
                    yield image
                    count += 1
            if not (single and count):
                raise SourceLostError(f"{self.name} has ended the stream")
            time.sleep(SNAPSHOT_S)

    def _relay(self) -> Relay | None:
        """Return the way to a camera that FFmpeg cannot be trusted to find alone."""
        if not self._url.lower().startswith("rtsp"):
            return None
        try:
            return Relay(self._url, *self._timeout)
        except (OSError, ValueError) as error:
            raise SourceLostError(f"{self.name} does not answer ({_reason(error)})") from None

    def _connect(self, held: contextlib.ExitStack) -> Any:
        import av

        relay = self._relay()
        options = {"fflags": "nobuffer", "flags": "low_delay"}
        if relay is not None:
            held.callback(relay.close)
            options |= {"protocol_whitelist": PROTOCOLS["rtsp"], "rtsp_transport": "tcp"}
        else:  # redirects and playlists could lead into the own network
            options |= {"protocol_whitelist": PROTOCOLS["http"], "max_redirects": "0", "format_whitelist": STREAMS}
        try:
            container = av.open(relay.url if relay else self._url, options=options, timeout=self._timeout)
            held.callback(_closed, container)
            container.streams.video[0].thread_type = "SLICE"  # threads by frame would keep some frames back
        except (av.FFmpegError, OSError, IndexError, ValueError) as error:
            why = (relay and relay.stray) or f"does not answer with a picture ({_reason(error)})"
            raise SourceLostError(f"{self.name} {why}") from None
        return container

    def _decoded(self, container: Any) -> Generator[Image]:
        import av

        try:
            for frame in container.decode(video=0):
                yield np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
        except (av.FFmpegError, OSError, ValueError) as error:
            raise SourceLostError(f"{self.name} sends no pictures any more ({_reason(error)})") from None

    def wake(self) -> None:
        """A silent connection is given up after its own time."""


def _closed(container: Any) -> None:
    """Close a connection; whatever a broken one says then, it is given up."""
    with contextlib.suppress(Exception):
        container.close()


def _reason(error: Exception) -> str:
    """Return what a library says, without any address that it repeats."""
    text = str(getattr(error, "strerror", None) or type(error).__name__)
    return text if "://" not in text else type(error).__name__
