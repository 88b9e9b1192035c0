"""What those who look on get, over real sockets: news that resumes, and pictures that nobody holds up."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from websockets.sync.client import connect

from service.routes_service import qr_svg
from synth.evening import with_arm
from vision.camera import Camera
from vision.recordings import Image

THREE = [{"name": name, "colour": colour} for name, colour in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))]
STUCK, WATCHED_S = 10, 2.0
PAPER = "paper-safari"


def address(site: Any) -> str:
    """Return a site's host and port."""
    where: str = site.url.split("/")[2]
    return where


def asked(site: Any, method: str, path: str, **body: Any) -> Any:
    """Ask the service as the page does; return what it says as text."""
    connection = http.client.HTTPConnection(address(site), timeout=20)
    headers = {"x-safari-table": "1", "content-type": "application/json"}
    connection.request(method, path, json.dumps(body) if body or method == "POST" else None, headers)
    response = connection.getresponse()
    said = response.read().decode()
    connection.close()
    assert response.status == 200, said
    return said


@contextlib.contextmanager
def listening(site: Any, known: str | None = None) -> Iterator[Callable[[], tuple[str, str | None, Any]]]:
    """Listen to the news; yield a function that returns the next: what it is, its id, what it says."""
    connection = http.client.HTTPConnection(address(site), timeout=20)
    connection.request("GET", "/api/events", headers={} if known is None else {"last-event-id": known})
    stream = connection.getresponse()

    def following() -> tuple[str, str | None, Any]:
        told: dict[str, str] = {}
        while not (told.get("event") and told.get("data")):
            told = {}
            while line := stream.readline().decode().strip():
                field, _, value = line.partition(":")
                told[field] = value.strip()
            if stream.isclosed():
                raise EOFError("the news have ended")
        return told["event"], told.get("id"), json.loads(told["data"])

    try:
        yield following
    finally:
        stream.close()
        connection.close()


def of_a_kind(following: Callable[[], tuple[str, str | None, Any]], kind: str) -> tuple[str | None, Any]:
    """Return the next news of a kind: its id, what it says."""
    while (news := following())[0] != kind:
        pass
    return news[1], news[2]


def test_a_viewer_that_was_away_is_told_what_it_missed_once(site: Any) -> None:
    asked(site, "POST", "/api/game/new", game="string-safari", players=THREE)
    with listening(site) as following:
        known, game = of_a_kind(following, "game")
        assert known == str(game["seq"])
        asked(site, "POST", "/api/game/turn/typed", points=4)
        known, event = of_a_kind(following, "event")
    assert (known, event["kind"]) == (str(event["seq"]), "act")
    asked(site, "POST", "/api/game/undo")  # while it is away
    asked(site, "POST", "/api/game/turn/typed", points=4)
    with listening(site, known) as following:
        missed = [following() for _ in range(2)]
    assert [(what, int(id or 0), told["data"]["event"]["event"]) for what, id, told in missed] == [
        ("event", int(known or 0) + 1, "Undone"),
        ("event", int(known or 0) + 2, "TurnScored"),
    ]
    with listening(site) as following:  # who is new is told how the game stands, and nothing of its past
        assert following()[0] != "event"


class Busy:
    """A camera whose every frame differs, 30 a second."""

    name, steady = "busy", False

    def frames(self) -> Generator[Image, None, None]:
        """Yield noise on gray."""
        chance = np.random.default_rng(0)
        shown = [chance.integers(100, 140, (360, 640, 3)).astype(np.uint8) for _ in range(4)]
        while True:
            for image in shown:
                yield image
                time.sleep(1 / 30)

    def wake(self) -> None:
        """Nothing waits long."""


def seen_by_one(site: Any, seconds: float) -> int:
    """Return how many frames a viewer that takes them is shown meanwhile."""
    count, end = 0, time.monotonic() + seconds
    with connect(f"ws://{address(site)}/ws/frames") as socket:
        while time.monotonic() < end:
            socket.recv(timeout=10)
            socket.send("1")
            count += 1
    return count


def figure(site: Any, name: str) -> float:
    """Return one of the figures for Prometheus."""
    (line,) = [line for line in asked(site, "GET", "/metrics").splitlines() if line.startswith(f"safari_{name} ")]
    return float(line.rpartition(" ")[2])


def test_viewers_that_are_stuck_cost_the_others_nothing_and_are_counted(site: Any) -> None:
    site.live.look_through(Camera(Busy()))
    seen_by_one(site, 0.5)
    alone = seen_by_one(site, WATCHED_S)
    with contextlib.ExitStack() as stuck:
        for _ in range(STUCK):
            stuck.enter_context(connect(f"ws://{address(site)}/ws/frames", max_queue=1))
        dropped, memory = figure(site, "viewer_frames_dropped_total"), figure(site, "memory_bytes")
        beside = seen_by_one(site, WATCHED_S)
        assert figure(site, "viewers") == STUCK
        assert figure(site, "viewer_frames_dropped_total") - dropped > STUCK * beside / 2
        assert figure(site, "memory_bytes") - memory < 30e6
    assert beside > 0.5 * alone > 1


def test_figures_are_in_prometheus_form(site: Any) -> None:
    lines = asked(site, "GET", "/metrics").splitlines()
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) > 10
    assert [line.split()[0] for line in lines if not line.startswith("#")] == names
    assert all(float(line.split()[1]) >= 0 for line in lines if not line.startswith("#"))


@pytest.mark.parametrize("role", ["player", "viewer"])
def test_the_qr_code_is_the_address_that_is_written_beside_it(role: str, site: Any) -> None:
    join = json.loads(asked(site, "GET", f"/api/join?role={role}"))
    drawn = asked(site, "GET", join["picture"])
    assert drawn == qr_svg(join["address"])
    assert cv2.QRCodeDetector().detectAndDecode(rastered(drawn))[0] == join["address"]


def rastered(svg: str) -> Image:
    """Draw a QR code's path of squares, each "Mx,yH…V…H…z", in px."""
    size = float(re.findall(r'viewBox="0 0 ([\d.]+)', svg)[0])
    picture = np.full((int(size * 10), int(size * 10)), 255, np.uint8)
    for x, y, right, down in re.findall(r"M([\d.]+),([\d.]+)H([\d.]+)V([\d.]+)", svg):
        a, b, c, d = (round(float(v) * 10) for v in (x, y, right, down))
        picture[b:d, a:c] = 0
    return picture


def test_all_that_is_sent_ends_with_the_service(site: Any) -> None:
    ended: list[bool] = []

    def wait() -> None:
        with contextlib.suppress(EOFError, OSError, http.client.HTTPException), listening(site) as following:
            while True:
                following()
        ended.append(True)

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.3)
    site.stop()
    waiting.join(15)
    assert ended == [True]


class Filmed:
    """A camera at 15 frames a second on what a test holds before it, with a sensor's noise."""

    name, steady = "filmed", False

    def __init__(self, *images: Image) -> None:
        self.images = images

    def frames(self) -> Generator[Image]:
        """Yield the images in turn."""
        chance, n = np.random.default_rng(0), 0
        while True:
            n += 1
            image = self.images[n % len(self.images)]
            yield (image + chance.normal(0, 2, image.shape)).clip(0, 255).astype(np.uint8)
            time.sleep(1 / 15)

    def wake(self) -> None:
        """Nothing waits long."""


def test_neither_an_arm_nor_darkness_changes_a_score(site: Any, tables: Any) -> None:
    table = site.eyes.picture(PAPER, tables.paper_table(["fox"] * 6, ["lion"] * 6))
    film = Filmed(table)
    players = [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}]
    asked(site, "POST", "/api/game/new", game=PAPER, players=players)
    site.live.look_through(Camera(film))
    end = time.monotonic() + 20
    while site.live.counts["readings"] == 0 and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(0.5)
    before = (asked(site, "GET", "/api/state"), site.live.counts["readings"], site.live.reading.answer["sheet"])
    for images in ([with_arm(table, n) for n in range(12)], [table * 0], [table]):
        film.images = tuple(images)
        time.sleep(1.5)
        after = (asked(site, "GET", "/api/state"), site.live.counts["readings"], site.live.reading.answer["sheet"])
        assert after == before
    assert site.live.camera.status().state == "live"
