"""Tables made for tests: pieces on a plain table, drawn with the built-in decks' faces, and eyes that know them."""

from __future__ import annotations

import importlib.util
import math
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from fastapi import FastAPI

from decks.deck import Deck, find
from scoring.table import Piece, Point, String, Table
from service.app import create_app
from service.eyes import NoSuchGameError
from service.hub import Hub
from service.live import Live
from service.seen import TableSeen
from service.store import Store
from vision.camera import Camera
from vision.recordings import Uploads

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the test client says that it would rather have another HTTP library
    from starlette.testclient import TestClient

Image = npt.NDArray[np.uint8]
WIDTH_MM, HEIGHT_MM, SCALE = 640.0, 400.0, 2.0
"""The table that every test picture shows: 1280 × 800 px seen from straight above."""
BIT_PX = 10
GAMES = ("paper-safari", "kleine-fotosafari", "string-safari")


@lru_cache(maxsize=4)
def deck_of(game: str) -> Deck:
    """Load a game's built-in deck once."""
    return find(None, game)


def card(
    id: int, label: str, x: float, y: float, size: tuple[float, float], turn_deg: float = 0.0, **more: Any
) -> Piece:
    """Return a piece whose middle lies at (x, y) mm, turned counter-clockwise from upright."""
    turn = math.radians(turn_deg)
    right, up = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    w, h = size[0] / 2, size[1] / 2
    corners = [(-w, h), (w, h), (w, -h), (-w, -h)]
    outline = tuple((x + a * right[0] + b * up[0], y + a * right[1] + b * up[1]) for a, b in corners)
    kind = more.pop("kind", "card")
    return Piece(id, kind, label, outline, 90.0 + turn_deg, **more)


def paper_table(*grids: Sequence[str]) -> Table:
    """Return grids of six labels each, row by row as their player sees them: the first near, the second across."""
    size = deck_of("paper-safari").edition.size_mm
    step_x, step_y = size[0] + 4, size[1] + 4
    pieces: list[Piece] = []
    for g, labels in enumerate(grids):
        side = 1 if g == 0 else -1
        for k, label in enumerate(labels):
            row, column = divmod(k, 3)
            x = WIDTH_MM / 2 + side * (column - 1) * step_x
            y = HEIGHT_MM / 2 - side * (HEIGHT_MM / 4 - (0.5 - row) * step_y)
            pieces.append(card(len(pieces), label, x, y, size, 0.0 if g == 0 else 180.0))
    return Table(tuple(pieces))


def ring_table(ring: Sequence[str], photo: Sequence[str] | None = None) -> Table:
    """Return a ring of animals, counter-clockwise, heads to the middle, and a photo card to its right."""
    size, radius = (46.0, 46.0), 150.0
    pieces = []
    for k, label in enumerate(ring):
        turn = 2 * math.pi * k / len(ring)
        x, y = 240 + radius * math.cos(turn), HEIGHT_MM / 2 + radius * math.sin(turn)
        pieces.append(card(k, label, x, y, size, math.degrees(turn) + 90))
    if photo is not None:
        shot = card(len(pieces), "", 500.0, HEIGHT_MM / 2, (46.0 * len(photo), 46.0), 0.0, kind="photo")
        pieces.append(replace(shot, label=None, sequence=tuple(photo)))
    return Table(tuple(pieces))


def circle(name: str, x: float, y: float, radius: float) -> String:
    """Return a closed string."""
    turns = [2 * math.pi * k / 72 for k in range(72)]
    return String(name, True, tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns), 3.0)


def string_table(
    tiles: Mapping[str, Point], inside: tuple[float, float, float] | None, markers: Mapping[str, str] | None = None
) -> Table:
    """Return tiles by label, the research string as (x, y, radius), and markers: a tile's label → whose."""
    edition = deck_of("string-safari").edition
    pieces = [card(k, label, *at, edition.size_mm, kind="tile") for k, (label, at) in enumerate(tiles.items())]
    for label, player in (markers or {}).items():
        tile = next(piece for piece in pieces if piece.label == label)
        x, y = tile.centre_mm
        pieces.append(card(len(pieces), player, x, y, (9.0, 9.0), kind="marker", on=tile.id))
    strings = [circle("field", WIDTH_MM / 2, HEIGHT_MM / 2, 195.0)]
    if inside is not None:
        strings.append(circle("research", *inside))
    return Table(tuple(pieces), tuple(strings))


def px(point: Point) -> Point:
    """Return where a place on the table lies in the picture."""
    return point[0] * SCALE, (HEIGHT_MM - point[1]) * SCALE


def draw(game: str, table: Table, number: int) -> Image:
    """Draw a table; its number stands in the corner in black and white squares."""
    size = (int(WIDTH_MM * SCALE), int(HEIGHT_MM * SCALE))
    picture = np.full((size[1], size[0], 3), (110, 150, 185), np.uint8)
    for string in table.strings:
        colour = (30, 45, 70) if string.name == "field" else (150, 150, 150)
        path = np.array([px(p) for p in string.path_mm]).round().astype(np.int32)
        cv2.polylines(picture, [path], True, colour, int(string.width_mm * SCALE), cv2.LINE_AA)
    for piece in table.pieces:
        _draw_piece(picture, game, piece)
    for bit in range(8):
        corner = (bit * BIT_PX, 0)
        white = 255 if number >> bit & 1 else 0
        cv2.rectangle(picture, corner, (corner[0] + BIT_PX - 1, BIT_PX - 1), (white,) * 3, -1)
    return picture


def _draw_piece(picture: Image, game: str, piece: Piece) -> None:
    faces = deck_of(game).faces
    quad = np.array([px(p) for p in piece.outline_mm], np.float32)
    if piece.label is None or piece.label not in faces:
        colour = {"red": (40, 30, 190), "blue": (180, 90, 30), "yellow": (40, 200, 230)}.get(
            piece.label or "", (90, 90, 90)
        )
        cv2.fillConvexPoly(picture, quad.round().astype(np.int32), colour)
        return
    face = faces[piece.label][0]
    height, width = face.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, quad)
    size = (picture.shape[1], picture.shape[0])
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), warp, size)
    laid = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_AREA)
    picture[mask > 127] = laid[mask > 127]


@dataclass
class KnownEyes:
    """Eyes that read the number in a test picture's corner and know which table it shows."""

    tables: dict[int, tuple[str, Table]] = field(default_factory=dict)
    looked: list[int] = field(default_factory=list)

    def picture(self, game: str, table: Table) -> Image:
        """Draw a table and remember it."""
        number = len(self.tables) + 1
        self.tables[number] = (game, table)
        return draw(game, table, number)

    def look(self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None) -> TableSeen:
        """Return the table with the number in the corner."""
        levels = [int(image[BIT_PX // 2, bit * BIT_PX + BIT_PX // 2].mean()) for bit in range(8)]
        number = sum((level > 127) << bit for bit, level in enumerate(levels))
        self.looked.append(number)
        if number not in self.tables or self.tables[number][0] != game:
            raise NoSuchGameError(f"looked for {game}, found nothing")
        table = self.tables[number][1]
        corners = {piece.id: tuple(px(p) for p in piece.outline_mm) for piece in table.pieces}
        paths = tuple(tuple(px(p) for p in string.path_mm) for string in table.strings)
        size = (image.shape[1], image.shape[0])
        return TableSeen(deck_of(game).edition, table, corners, paths, size, (0.0, -1.0))

    def glance(self, image: Image, game: str, deck: str | None, strings: Mapping[str, str] | None = None) -> None:
        """These eyes only look."""

    def stash(self, image: Image, game: str, deck: str | None) -> tuple[Piece, ...]:
        """Return the coins and research tiles of the table with the number in the corner."""
        return tuple(p for p in self.look(image, game, deck).table.pieces if p.kind in ("coin", "research"))

    def decks(self) -> list[dict[str, Any]]:
        """List the built-in decks."""
        return [_told(game) for game in GAMES]


@lru_cache(maxsize=4)
def _told(game: str) -> dict[str, Any]:
    edition = deck_of(game).edition
    labels = [*edition.faces, "back"]
    kinds = {"card": labels, "tile": labels, "marker": list(edition.markers)}
    return {
        "name": edition.name,
        "game": game,
        "title": edition.name,
        "labels": labels,
        "markers": list(edition.markers),
        "kinds": kinds,
        "research": {k: {"target": r.target, "condition": r.condition} for k, r in edition.research.items()},
    }


def doubtful(table: Table, id: int, *candidates: tuple[str, float]) -> Table:
    """Return the table with one piece that may be several things."""
    piece = replace(table.piece(id), label=candidates[0][0], probability=candidates[0][1], candidates=candidates)
    return replace(table, pieces=tuple(piece if p.id == id else p for p in table.pieces))


@dataclass
class Evening:
    """A live table on photographs that a test lays down."""

    eyes: KnownEyes
    hub: Hub
    live: Live
    store: Store
    client: TestClient
    app_table: Any = None
    uploads: Uploads = field(default_factory=Uploads)

    def lay(self, game: str, table: Table, timeout_s: float = 20.0) -> dict[str, Any]:
        """Lay a table before the camera, wait until it is read, and return the answer."""
        before = self.live.counts["readings"]
        self.uploads.push(self.eyes.picture(game, table))
        end = time.monotonic() + timeout_s
        while self.live.counts["readings"] == before and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)
        assert self.live.reading is not None
        assert self.live.counts["readings"] > before, "the table was not read"
        return self.live.reading.answer or {}

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        """Post to the service and return what it says."""
        told = self.client.post(path, json=body, headers={"x-safari-table": "1"})
        assert told.status_code == status, told.text
        return told.json()

    def get(self, path: str, status: int = 200) -> Any:
        """Ask the service."""
        told = self.client.get(path)
        assert told.status_code == status, told.text
        return told.json()

    @property
    def game(self) -> dict[str, Any]:
        """How the game stands."""
        found: dict[str, Any] = self.get("/api/state")["game"]
        return found


@pytest.fixture
def evening(eyes: KnownEyes, tmp_path: Path) -> Iterator[Evening]:
    """Start a live table without a game."""
    hub, store = Hub(), Store(tmp_path / "games.sqlite")
    live = Live(eyes, hub)
    app = create_app(eyes, store=store, live=live, hub=hub)
    one = Evening(eyes, hub, live, store, TestClient(app, base_url="http://localhost"), app.state.table)
    live.look_through(Camera(one.uploads))
    yield one
    hub.close()
    live.stop()
    one.client.close()
    store.close()


@pytest.fixture
def eyes() -> KnownEyes:
    """Return eyes that know no table yet."""
    return KnownEyes()


class Tables:
    """What tests make tables with."""

    paper_table = staticmethod(paper_table)
    ring_table = staticmethod(ring_table)
    string_table = staticmethod(string_table)
    doubtful = staticmethod(doubtful)

    @staticmethod
    def reopened(evening: Evening) -> dict[str, Any] | None:
        """Return the game as another process would find it on disk."""
        store = Store(evening.store.path)
        hub = Hub()
        live = Live(evening.eyes, hub)
        try:
            app = create_app(evening.eyes, store=store, live=live, hub=hub)
            found: dict[str, Any] | None = app.state.table.game_json()
            return found
        finally:
            live.stop()
            store.close()

    @staticmethod
    def read_by_another(evening: Evening) -> dict[str, Any]:
        """Return what another process, that finds the game on disk, says of the table that lies there."""
        store, hub = Store(evening.store.path), Hub()
        live = Live(evening.eyes, hub)
        try:
            create_app(evening.eyes, store=store, live=live, hub=hub)
            uploads = Uploads()
            live.look_through(Camera(uploads))
            frame = evening.live.camera.latest() if evening.live.camera is not None else None
            assert frame is not None
            uploads.push(frame.image)
            end = time.monotonic() + 20
            while live.reading is None and time.monotonic() < end:
                time.sleep(0.01)
            assert live.reading is not None
            return live.reading.answer or {}
        finally:
            hub.close()
            live.stop()
            store.close()


def module(name: str) -> ModuleType:
    """Load a module that lies beside this one; the tests are no package."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    """Start a browser."""
    chromium = module("chromium")
    if chromium.BINARY is None:
        pytest.skip("no Chromium on this machine")
    with chromium.Chromium(tmp_path / "profile") as browser:
        yield browser


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let nothing be reached but this machine; return the addresses that were tried all the same."""
    tried: list[str] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def only_here(one: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "192.0.2.1"):  # where it only asks
            tried.append(str(address[0]))  # for the route, and sends nothing
            raise OSError("the network is blocked")
        connect(one, address)

    def nobody(host: Any, *more: Any, **named: Any) -> Any:
        if host not in ("127.0.0.1", "localhost", "::1", None):
            tried.append(str(host))
            raise OSError("the network is blocked")
        return look_up(host, *more, **named)

    monkeypatch.setattr(socket.socket, "connect", only_here)
    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    return tried


@pytest.fixture
def site(eyes: Any, tmp_path: Path, no_network: list[str]) -> Iterator[Any]:
    """Start the service on a port of its own, without a network: the browser has none either."""
    one = module("playing").Site(eyes, tmp_path)
    yield one
    one.stop()
    assert no_network == []


@pytest.fixture
def tables() -> Tables:
    """Return what tests make tables with."""
    return Tables()


@pytest.fixture
def make_client() -> Iterator[Callable[[FastAPI], TestClient]]:
    """Make clients of an app, and close them in the end."""
    made: list[TestClient] = []

    def make(app: FastAPI) -> TestClient:
        made.append(TestClient(app, base_url="http://localhost", raise_server_exceptions=True))
        return made[-1]

    yield make
    for client in made:
        client.close()
