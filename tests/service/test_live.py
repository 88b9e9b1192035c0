"""The reading loop under trouble: a camera that fails makes no events, stuck viewers cost nothing, idle is cheap."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
import tracemalloc
from collections.abc import Generator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from service import serving
from service.desk import Desk
from service.hub import Hub, rung
from service.live import Live
from service.outlook import Wish
from service.routes_live import Pictures
from vision import camera as camera_module
from vision.camera import Camera, Frame
from vision.recordings import Image, SourceLostError

PAPER = "paper-safari"
LOW = ["fox", "meerkat", "flamingo", "zebra", "fox", "fox"]


class Played:
    """A camera that plays what the test says: a picture, None for a lost signal."""

    name, steady = "played", False

    def __init__(self, picture: Image) -> None:
        self.picture: Image | None = picture
        self.number = 0

    def frames(self) -> Generator[Image]:
        """Yield the picture with a sensor's noise, 50 a second."""
        while self.picture is not None:
            self.number += 1
            noisy = self.picture.copy()
            noisy[-1, :, :] = np.uint8(self.number % 251)
            yield noisy
            time.sleep(0.02)
        raise SourceLostError("played is gone")

    def wake(self) -> None:
        """Nothing waits long."""


def until(true: Any, timeout_s: float = 20.0) -> bool:
    """Wait until something is true."""
    end = time.monotonic() + timeout_s
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(true())


@pytest.fixture
def watched(eyes: Any, tables: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Start a loop on a played camera."""
    monkeypatch.setattr(camera_module, "BACK_OFF_S", (0.05,))
    hub = Hub()
    live = Live(eyes, hub)
    live.desk.wish = lambda: Wish(PAPER, None, {}, {})
    source = Played(eyes.picture(PAPER, tables.paper_table(LOW)))
    live.look_through(Camera(source))
    yield hub, live, source
    hub.close()
    live.stop()


def test_a_still_table_is_read_once(watched: Any) -> None:
    hub, live, _ = watched
    assert until(lambda: live.counts["readings"] == 1)
    time.sleep(0.6)
    assert live.counts["readings"] == 1
    assert hub.newest("reading")["answer"]["game"] == PAPER
    assert hub.newest("motion") == {"state": "still", "covered": False, "reading": False}


def test_a_lost_and_dark_camera_reads_nothing_and_comes_back(watched: Any, eyes: Any, tables: Any) -> None:
    hub, live, source = watched
    assert until(lambda: live.counts["readings"] == 1)
    before, source.picture = source.picture, None
    assert until(lambda: hub.newest("camera")["state"] == "offline", 5.0)
    source.picture = np.zeros_like(before)
    assert until(lambda: hub.newest("camera")["state"] == "dark", 10.0)
    time.sleep(0.6)
    assert live.counts["readings"] == 1
    source.picture = eyes.picture(PAPER, tables.paper_table(LOW[::-1]))
    assert until(lambda: live.counts["readings"] == 2, 10.0)
    assert live.reading.answer["sheet"]["players"][0]["grid"][0][0] == "fox"


def test_a_picture_that_cannot_be_read_does_not_end_the_evening(
    watched: Any, eyes: Any, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, live, source = watched
    assert until(lambda: live.counts["readings"] == 1)
    real = eyes.look

    def broken(*args: Any, **more: Any) -> Any:
        raise MemoryError("no room")

    monkeypatch.setattr(eyes, "look", broken)
    source.picture = eyes.picture(PAPER, tables.paper_table(LOW[::-1]))
    assert until(lambda: live.counts["failed"] == 1)
    assert (live.reading.answer, "could not be read" in live.reading.message) == (None, True)
    monkeypatch.setattr(eyes, "look", real)
    source.picture = eyes.picture(PAPER, tables.paper_table(LOW))
    assert until(lambda: live.reading.answer is not None)


def test_a_frame_that_cannot_be_compared_does_not_end_the_evening(
    watched: Any, eyes: Any, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, live, source = watched
    assert until(lambda: live.counts["readings"] == 1)
    look = live._stillness.look

    def broken(*args: Any) -> Any:
        raise ValueError("no picture at all")

    monkeypatch.setattr(live._stillness, "look", broken)
    assert until(lambda: live.counts["failed"] > 1)
    monkeypatch.setattr(live._stillness, "look", look)
    source.picture = eyes.picture(PAPER, tables.paper_table(LOW[::-1]))
    assert until(lambda: live.counts["readings"] == 2)


def test_of_cameras_that_are_changed_at_once_one_is_left_running(eyes: Any) -> None:
    live, black = Live(eyes, Hub()), np.zeros((48, 64, 3), np.uint8)
    cameras = [Camera(Played(black)) for _ in range(8)]
    changes = [threading.Thread(target=live.look_through, args=(camera,)) for camera in cameras]
    for change in changes:
        change.start()
    for change in changes:
        change.join(10)
    assert [camera for camera in cameras if camera._running] == [live.camera]
    live.stop()


class Patient:
    """Eyes that take as long over a whole look as the test wants, and glance at once."""

    def __init__(self, eyes: Any) -> None:
        self.eyes, self.go_on, self.looking = eyes, threading.Event(), threading.Event()

    def look(self, image: Image, *more: Any) -> Any:
        """Look, when the test lets it."""
        self.looking.set()
        self.go_on.wait(20)
        return self.eyes.look(image, *more)

    def glance(self, image: Image, *more: Any) -> Any:
        """Look at once."""
        return self.eyes.look(image, *more)


@pytest.fixture
def desk(eyes: Any) -> Any:
    """Return a desk with patient eyes, and a way to make frames for it."""
    one = Desk(Patient(eyes), Hub())  # type: ignore[arg-type]  # the two calls it makes
    one.wish = lambda: Wish(PAPER, None, {}, {})
    yield one
    one.eyes.go_on.set()  # type: ignore[attr-defined]  # these eyes are patient
    one.stop()


def frame(eyes: Any, table: Any, number: int) -> Frame:
    """Photograph a table, a second after the last one."""
    return Frame(eyes.picture(PAPER, table), float(number), number)


def test_looking_at_all_holds_up_no_glance_and_its_old_frame_is_not_told(desk: Any, eyes: Any, tables: Any) -> None:
    desk.look(frame(eyes, tables.paper_table(LOW), 1))
    assert desk.eyes.looking.wait(10)
    desk.glance(frame(eyes, tables.paper_table(LOW[::-1]), 2))
    assert until(lambda: desk.newest is not None)
    assert (desk.newest.frame.number, desk.newest.quick, desk.looking) == (2, True, True)
    desk.eyes.go_on.set()
    assert until(lambda: not desk.looking)
    assert (desk.newest.frame.number, desk.counts["readings"]) == (2, 1)


def test_what_was_only_glanced_at_is_looked_at_before_it_counts(desk: Any, eyes: Any, tables: Any) -> None:
    first, second = (frame(eyes, tables.paper_table(labels), k) for k, labels in enumerate((LOW, LOW[::-1])))
    desk.glance(first)
    assert until(lambda: desk.newest is not None)
    surely: list[Any] = []
    asking = threading.Thread(target=lambda: surely.append(desk.surely(20.0)))
    asking.start()
    assert desk.eyes.looking.wait(10)
    desk.glance(second)  # the table changes while it is looked at
    assert until(lambda: desk.newest.frame.number == 1)
    desk.eyes.go_on.set()
    asking.join(20)
    assert (surely[0].frame.number, surely[0].quick) == (1, False)


def test_what_takes_too_long_is_not_sure(desk: Any, eyes: Any, tables: Any) -> None:
    desk.glance(frame(eyes, tables.paper_table(LOW), 1))
    assert until(lambda: desk.newest is not None)
    assert desk.surely(0.05) is None


@pytest.mark.parametrize("stays", [True, False], ids=["stays", "moves on"])
def test_a_frame_read_early_is_told_only_if_the_table_stays_so(stays: bool, desk: Any, eyes: Any, tables: Any) -> None:
    desk.glance(frame(eyes, tables.paper_table(LOW), 1), lambda: stays)
    assert until(lambda: not desk.glancing)
    assert (desk.newest is not None) == stays


def test_a_hand_that_lays_a_card_is_followed_by_a_reading_of_it(watched: Any, eyes: Any, tables: Any) -> None:
    _, live, source = watched
    assert until(lambda: live.counts["readings"] == 1)
    before, after = source.picture, eyes.picture(PAPER, tables.paper_table(LOW[::-1]))
    for k in range(12):
        at = (600 + 10 * (k % 5), 300)
        source.picture = np.asarray(cv2.line(before.copy(), (640, 800), at, (120, 150, 205), 120), np.uint8)
        time.sleep(0.05)
    source.picture = after
    assert until(lambda: live.counts["readings"] >= 2)
    assert live.reading.answer["sheet"]["players"][0]["grid"][0] == LOW[:2:-1]


def test_without_a_game_nothing_is_read(eyes: Any, tables: Any) -> None:
    live = Live(eyes, Hub())
    live.look_through(Camera(Played(eyes.picture(PAPER, tables.paper_table(LOW)))))
    time.sleep(1.0)
    live.stop()
    assert (live.counts["readings"], eyes.looked, live.reading) == (0, [], None)


def test_only_the_newest_news_is_kept() -> None:
    hub = Hub()
    for n in range(1000):
        hub.publish("frame", n)
        hub.publish("camera", n)
    assert [(news.topic, news.data) for news in hub.since(0, frozenset({"frame", "camera"}))] == [
        ("frame", 999),
        ("camera", 999),
    ]
    assert hub.since(hub.since(0, frozenset({"camera"}))[0].version, frozenset({"camera"})) == ()


class Socket:
    """A viewer's socket that takes frames, or is stuck after the first."""

    def __init__(self, stuck: bool) -> None:
        self.stuck, self.taken = stuck, 0

    async def send_bytes(self, data: bytes) -> None:
        """Take a frame."""
        self.taken += 1

    async def receive_text(self) -> str:
        """Say that it was shown, or never."""
        if self.stuck:
            await asyncio.sleep(3600)
        await asyncio.sleep(0.002)
        return "1"

    async def close(self, code: int) -> None:
        """Leave."""


def test_stuck_viewers_hold_nobody_up_and_are_counted() -> None:
    async def evening() -> tuple[list[int], int]:
        """Publish 50 frames of 200 kB to 20 stuck viewers and one that takes them."""
        hub = Hub()
        sockets = [Socket(stuck=True) for _ in range(20)] + [Socket(stuck=False)]
        tasks = [asyncio.create_task(Pictures(hub, socket, hub.join()).stream()) for socket in sockets]  # type: ignore[arg-type]  # the three calls it makes
        for n in range(1, 51):
            hub.publish("frame", (n, bytes(200_000)))
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return [socket.taken for socket in sockets], hub.viewers

    dropped = Pictures.dropped
    tracemalloc.start()
    taken, viewers = asyncio.run(evening())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken[:-1] == [1] * 20
    assert 20 * 45 <= Pictures.dropped - dropped < 20 * 49 + 20
    assert most < 2_000_000  # a frame or two, however many wait
    assert taken[-1] > 30
    assert viewers == 21


class Leaving(Socket):
    """A viewer that takes one frame and goes."""

    async def receive_text(self) -> str:
        """Leave."""
        raise WebSocketDisconnect(1001)


def test_a_viewer_that_leaves_is_noticed_though_no_frame_comes() -> None:
    async def evening() -> int:
        hub = Hub()
        hub.publish("frame", (1, b"jpeg"))
        socket = Leaving(stuck=False)
        await asyncio.wait_for(Pictures(hub, socket, hub.join()).stream(), 5.0)  # type: ignore[arg-type]  # the three calls it makes
        return socket.taken

    assert asyncio.run(evening()) <= 1


def test_a_viewer_is_woken_from_another_thread() -> None:
    async def wait() -> tuple[bool, bool]:
        hub = Hub()
        viewer = hub.join()
        nothing = await rung(viewer, 0.05)
        asyncio.get_running_loop().run_in_executor(None, hub.publish, "camera", 1)
        return nothing, await rung(viewer, 10.0)

    assert asyncio.run(wait()) == (False, True)


class Webcam:
    """A camera at 15 frames a second of 1280×720 px, over a table at rest, its sensor's noise in every frame."""

    name, steady = "webcam", False

    def frames(self) -> Generator[Image]:
        """Yield what was drawn before: only the service's own work is to count."""
        chance = np.random.default_rng(0)
        table = np.full((720, 1280, 3), (110, 150, 185), np.int16)
        shown = [(table + chance.normal(0, 2, table.shape)).clip(0, 255).astype(np.uint8) for _ in range(3)]
        while True:
            for image in shown:
                yield image
                time.sleep(1 / 15)

    def wake(self) -> None:
        """Nothing waits long."""


def test_an_idle_table_costs_less_than_a_seventh_of_a_core(watched: Any) -> None:
    _, live, _ = watched
    live.look_through(Camera(Webcam()))
    assert until(lambda: live._at_rest > 40, 30.0)
    shares = []
    for _ in range(3):
        cpu, wall, frames = time.process_time(), time.monotonic(), live.camera.status().frames
        time.sleep(2.0)
        shares.append((time.process_time() - cpu) / (time.monotonic() - wall))
        assert live.camera.status().frames - frames > 20
    assert min(shares) < 0.15, shares


@pytest.mark.parametrize(
    ("level", "said"), [(None, "played is gone; it is tried again"), (0, "only darkness"), (120, "")],
    ids=["unplugged", "covered", "well"],
)  # fmt: skip
def test_a_camera_that_shows_nothing_is_spoken_of(
    level: int | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "FIRST_PICTURE_S", 0.5)
    source = Played(np.full((64, 96, 3), level or 0, np.uint8))
    source.picture = source.picture if level is not None else None
    camera = Camera(source)
    camera.start()
    serving.say_camera(camera)
    camera.stop()
    told = capsys.readouterr().err
    assert said in told
    assert bool(told) == bool(said)


@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("127.0.0.1", 1, "are taken, or not yours"),
        ("192.0.2.1", 0, "no address of this machine"),
        ("no such host", 0, "no address of this machine"),
        ("::1", 0, "no address of this machine"),
    ],
    ids=["taken", "another machine's", "nobody's", "another family"],
)
def test_where_nothing_can_be_served_is_one_line(
    host: str, port: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "PORTS_TRIED", 1)
    with contextlib.ExitStack() as held:
        if port:
            taken = held.enter_context(socket.create_server((host, 0)))
            port = taken.getsockname()[1]
        with pytest.raises(serving.ServingError, match=said):
            serving.listen(host, port)


@pytest.mark.parametrize(
    ("data", "there", "file"),
    [("games", False, "games/games.sqlite"), ("my.games", True, "my.games/games.sqlite"), ("g.db", False, "g.db")],
    ids=["folder", "folder with a dot", "file"],
)
def test_games_are_kept_in_a_folder_or_a_file(data: str, there: bool, file: str, tmp_path: Path) -> None:
    if there:
        (tmp_path / data).mkdir()
    assert serving.store_file(tmp_path / data) == tmp_path / file


def test_pictures_are_not_deflated(site: Any) -> None:
    where = site.url.replace("http", "ws").partition("?")[0] + "ws/frames"
    with connect(where, compression="deflate") as socket:
        assert socket.response is not None
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
