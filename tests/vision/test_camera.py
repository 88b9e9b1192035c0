"""Cameras that stall, vanish, freeze, go dark and come back; every kind of source."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from vision import camera as camera_module
from vision.camera import Camera, focus
from vision.recordings import Folder, Image, SourceError, SourceLostError, Uploads, VideoFile
from vision.sources import Device, Network, source_from


def picture(seed: int, size: tuple[int, int] = (64, 96), level: int = 120) -> Image:
    """Return a noisy picture."""
    return np.random.default_rng(seed).integers(level // 2, level + 80, (*size, 3)).astype(np.uint8)


class Scripted:
    """A source that plays a script: pictures, "stall", "lost", "freeze", "dark"."""

    name, steady = "script", False

    def __init__(self, *acts: str) -> None:
        self.acts, self.opened, self.released = list(acts), 0, threading.Event()
        self._count = 0

    def frames(self) -> Generator[Image]:
        """Play the script from where it stands."""
        self.opened += 1
        if self.acts and self.acts[0] == "unplugged":
            self.acts.pop(0)
            raise SourceLostError("script is not there")
        while True:
            yield self._next()

    def _next(self) -> Image:
        time.sleep(0.01)
        self._count += 1
        act = self.acts.pop(0) if self.acts else "frame"
        if act == "stall":
            self.released.wait(30)
            raise SourceLostError("script stalled")
        if act == "lost":
            raise SourceLostError("script is gone")
        if act in ("freeze", "dark"):
            self.acts.insert(0, act)
            return np.full((64, 96, 3), self._count % 3 if act == "dark" else 90, np.uint8)
        return picture(self._count, (48, 64) if act == "small" else (64, 96))

    def wake(self) -> None:
        """Let a stalled call come back."""
        self.released.set()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the waiting short."""
    for name, value in {"STALL_S": 0.3, "HANG_S": 0.8, "STALE_S": 0.3, "BACK_OFF_S": (0.02, 0.05)}.items():
        monkeypatch.setattr(camera_module, name, value)


@pytest.fixture
def run() -> Iterator[Callable[..., Camera]]:
    """Start cameras and stop them in the end."""
    cameras: list[Camera] = []

    def start(source: object) -> Camera:
        cameras.append(Camera(source))  # type: ignore[arg-type]  # every source here keeps the protocol
        cameras[-1].start()
        return cameras[-1]

    yield start
    for one in cameras:
        one.stop()


def until(camera: Camera, *states: str, timeout_s: float = 6.0) -> str:
    """Wait for one of the states, asking as the live loop does."""
    end = time.monotonic() + timeout_s
    while (state := camera.status().state) not in states and time.monotonic() < end:
        time.sleep(0.01)
    return state


@pytest.mark.usefixtures("quick")
class TestTrouble:
    """What a camera does when its source does not."""

    def test_frames_are_newest_only(self, run: Callable[..., Camera]) -> None:
        camera = run(Scripted())
        first = camera.wait(0, 5)
        assert first is not None
        time.sleep(0.2)
        later = camera.wait(first.number, 5)
        assert later is not None
        assert later.number > first.number + 3
        assert camera.status().size_px == (96, 64)

    def test_a_stall_is_offline_and_the_driver_left_behind(self, run: Callable[..., Camera]) -> None:
        source = Scripted("frame", "frame", "stall")
        camera = run(source)
        assert until(camera, "live") == "live"
        assert until(camera, "offline") == "offline"
        assert until(camera, "live") == "live"
        assert source.opened == 2

    def test_unplugged_and_back_at_another_size(self, run: Callable[..., Camera]) -> None:
        camera = run(Scripted("frame", "lost", *["unplugged"] * 4, *["small"] * 2000))
        assert until(camera, "offline") == "offline"
        assert until(camera, "live") == "live"
        assert (camera.status().size_px, camera.status().reopened) == ((64, 48), 1)

    def test_a_frozen_stream_is_stale(self, run: Callable[..., Camera]) -> None:
        assert until(run(Scripted("frame", "freeze")), "stale") == "stale"

    def test_a_covered_lens_is_dark(self, run: Callable[..., Camera]) -> None:
        camera = run(Scripted("frame", "dark"))
        assert until(camera, "dark") == "dark"
        assert "covered" in camera.status().message

    def test_nothing_there_says_so(self, run: Callable[..., Camera]) -> None:
        camera = run(Scripted(*["unplugged"] * 500))
        assert until(camera, "offline") == "offline"
        assert camera.status().message == "script is not there"
        assert camera.wait(0, 0.05) is None


def test_a_folder_shows_each_picture_and_stays(tmp_path: Path, run: Callable[..., Camera]) -> None:
    for k in range(2):
        cv2.imwrite(str(tmp_path / f"{k}.png"), picture(k))
    (tmp_path / "2.jpg").write_bytes(b"no picture")
    camera = run(Folder(tmp_path, picture_s=0.05))
    assert until(camera, "ended") == "ended"
    last = camera.latest()
    assert last is not None
    assert (last.number, last.image.tolist()) == (2, picture(1).tolist())


def test_a_video_plays_once_at_its_own_speed(tmp_path: Path, run: Callable[..., Camera]) -> None:
    path = tmp_path / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (96, 64))
    for k in range(20):
        writer.write(picture(k))
    writer.release()
    started = time.monotonic()
    camera = run(VideoFile(path))
    assert until(camera, "ended") == "ended"
    assert 0.3 < time.monotonic() - started < 3
    assert camera.status().frames == 20


def test_uploads_lie_until_the_next(run: Callable[..., Camera]) -> None:
    uploads = Uploads()
    camera = run(uploads)
    assert camera.wait(0, 0.05) is None
    for k in range(2):
        uploads.push(picture(k))
        frame = camera.wait(k, 5)
        assert frame is not None
        assert frame.image.tolist() == picture(k).tolist()
    assert camera.status().state == "live"


class _Mjpeg(BaseHTTPRequestHandler):
    """A network camera: /stream is MJPEG, /still one JPEG, /away a redirect, /list names others, /broken ends soon."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Answer as the path says."""
        jpeg = cv2.imencode(".jpg", picture(1, (120, 160)))[1].tobytes()
        self.asked.append(self.path)
        if self.path.startswith("/list"):
            here = f"http://{self.headers['Host']}"
            lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXTINF:1,", f"{here}/secret.ts", "#EXT-X-ENDLIST", ""]
            self.send_response(200)
            self.send_header("Content-Type", "application/vnd.apple.mpegurl")
            self.end_headers()
            self.wfile.write("\n".join(lines).encode())
            return
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/stream")
            self.end_headers()
            return
        if self.path == "/still":
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
            self.send_header("Content-Length", str(len(jpeg)))
            self.end_headers()
            self.wfile.write(jpeg)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for k in range(3 if self.path == "/broken" else 400):
            jpeg = cv2.imencode(".jpg", picture(k, (120, 160)))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
            try:
                self.wfile.write(head + jpeg + b"\r\n")
            except OSError:
                return
            time.sleep(0.03)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Serve a network camera on loopback."""
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Mjpeg)
    httpd.daemon_threads = True
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


@pytest.mark.parametrize("path", ["stream", "still"])
def test_an_http_camera_streams(path: str, server: str, run: Callable[..., Camera]) -> None:
    camera = run(source_from(f"http://user:secret@{server}/{path}?key=secret"))
    first = camera.wait(0, 8)
    assert first is not None
    assert first.image.shape == (120, 160, 3)
    assert camera.wait(first.number, 8) is not None
    assert "secret" not in camera.name + camera.status().message


def test_a_broken_stream_is_opened_again(server: str, run: Callable[..., Camera]) -> None:
    camera = run(Network(f"http://{server}/broken"))
    assert camera.wait(4, 10) is not None
    assert camera.status().reopened >= 1


@pytest.mark.parametrize("path", ["away", "list.m3u8", "list"])
def test_a_camera_leads_to_no_other_address(path: str, server: str, capfd: pytest.CaptureFixture[str]) -> None:
    _Mjpeg.asked.clear()
    with pytest.raises(SourceLostError, match="does not answer"):
        next(Network(f"http://anna:hush@{server}/{path}", 2.0, 2.0).frames())
    assert set(_Mjpeg.asked) == {f"/{path}"}
    assert "hush" not in "".join(capfd.readouterr())


def test_at_its_own_pace_a_camera_is_offline_within_5_s_and_back_within_10(run: Callable[..., Camera]) -> None:
    source = Scripted(*["frame"] * 20, "stall", *["unplugged"] * 2, *["small"] * 9999)
    camera = run(source)
    assert until(camera, "live") == "live"
    while "stall" in source.acts:
        time.sleep(0.01)
    stalled = time.monotonic()
    assert until(camera, "offline", timeout_s=5.0) == "offline"
    time.sleep(max(0.0, 3.5 - (time.monotonic() - stalled)))
    source.wake()  # the driver gives up; the cable is in again after two tries
    back = time.monotonic()
    assert until(camera, "live", timeout_s=10.0) == "live"
    assert time.monotonic() - back < 10.0
    assert camera.status().size_px == (64, 48)


def test_a_host_that_is_not_there_is_one_clear_line() -> None:
    with pytest.raises(SourceLostError, match=r"^http://127.0.0.1:9 does not answer with a picture \([^:]*\)$"):
        next(Network("http://me:word@127.0.0.1:9/stream", 2.0, 2.0).frames())


@pytest.mark.parametrize(
    ("text", "kind"),
    [("0", Device), ("rtsp://camera.local/1", Network), ("http://10.0.0.5:8080/video", Network)],
    ids=["device", "rtsp", "http"],
)
def test_a_source_is_known_by_its_text(text: str, kind: type) -> None:
    assert isinstance(source_from(text), kind)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file:///etc/passwd", "file: addresses are not read"),
        ("concat:a.mp4|b.mp4", "concat: addresses are not read"),
        ("ftp://host/a.mp4", "ftp: addresses are not read"),
        ("rtsp:///nowhere", "names no host"),
        ("no-such-file.mp4", "does not exist"),
        ("", "does not exist"),
        ("²", "does not exist"),
        ("http://[", "names no camera"),
        ("http://me:word@camera:99999/", "names no camera"),
        ("x" * 2000, "names no camera"),
        (__file__, "is no video or picture"),
    ],
    ids=["file", "concat", "ftp", "no host", "missing", "empty", *("sign", "bracket", "port", "long"), "a program"],
)
def test_what_cannot_be_a_camera_is_refused(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        source_from(text)


@pytest.mark.parametrize("locked", [True, False], ids=["held", "let go"])
@pytest.mark.parametrize(
    ("takes", "keeps", "done"),
    [(True, True, True), (True, False, False), (False, False, False)],
    ids=["a driver that has it", "one that only says so", "one without"],
)
def test_what_a_driver_holds_is_asked_of_it_again(
    takes: bool, keeps: bool, done: bool, locked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", lambda index: Driver(takes, keeps))
    device = Device(0)
    frames = device.frames()
    next(frames)
    device.lock(locked)
    next(frames)
    frames.close()
    said = ("locked" if locked else "automatic") if done else "not supported"
    assert device.locks == {"exposure": said, "focus": said}


class Driver:
    """A camera's driver that takes a wish or not, and keeps to it or not."""

    def __init__(self, takes: bool, keeps: bool) -> None:
        self.takes, self.keeps, self.values = takes, keeps, dict[int, float]()

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        """Tell that it is there."""
        return True

    def read(self) -> tuple[bool, Image]:
        """Return a frame."""
        return True, picture(0)

    def set(self, key: int, value: float) -> bool:
        """Take a wish, or not."""
        if self.keeps:
            self.values[key] = value
        return self.takes

    def get(self, key: int) -> float:
        """Return what is so."""
        return self.values.get(key, -1.0)

    def release(self) -> None:
        """Let go of it."""


def test_focus_falls_with_blur() -> None:
    sharp = np.kron(np.random.default_rng(3).integers(0, 255, (40, 60, 3)), np.ones((8, 8, 1))).astype(np.uint8)
    values = [focus(np.asarray(cv2.GaussianBlur(sharp, (0, 0), s), np.uint8)) for s in (0.6, 1.5, 3.0, 6.0)]
    assert values == sorted(values, reverse=True)
