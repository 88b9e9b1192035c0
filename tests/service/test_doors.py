"""Every route, one by one: which names it answers to, and what each role may ask of it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from service.app import create_app
from service.guard import Access
from service.hub import Hub
from service.live import Live
from service.pictures import jpeg
from service.routes_live import TOPICS, _known_seq
from service.store import Store

HEADER = {"x-safari-table": "1"}
TOKENS = Access(frozenset({"localhost"}), (("host", "h-token"), ("player", "p-token"), ("viewer", "v-token")))
HOSTS_ONLY = {
    "/api/camera",
    "/api/camera/lock",
    "/api/camera/read",
    "/api/camera/test",
    "/api/decks/face",
    "/api/decks/import",
    "/api/photograph",  # until the host has chosen photographs
}


@pytest.fixture
def client(eyes: Any, tmp_path: Path, make_client: Any) -> Iterator[Any]:
    """Serve a live table that is joined by token."""
    hub, store = Hub(), Store(tmp_path / "games.sqlite")
    live = Live(eyes, hub)
    yield make_client(create_app(eyes, store=store, live=live, hub=hub, access=TOKENS))
    hub.close()
    live.stop()
    store.close()


def asked_of(client: Any, method: str) -> list[str]:
    """Return every path that the service describes for a method, its parameters filled in."""
    paths = client.get("/openapi.json", headers={"authorization": "Bearer h-token"}).json()["paths"]
    filled = [path for path, ways in paths.items() if method in ways]
    return [p.replace("{name}", "x").replace("{seq}", "1").replace("{role}", "viewer") for p in filled]


def doors(client: Any) -> tuple[list[tuple[str, str]], list[str]]:
    """Return each method and path of every route that the app has, described or not, and the paths of its sockets."""
    asked: list[tuple[str, str]] = []
    sockets: list[str] = []
    for route in every_route(client.app.routes):
        path = re.sub(r"\{\w+(:\w+)?\}", "1", route.path)
        if isinstance(route, WebSocketRoute):
            sockets.append(path)
        elif isinstance(route, Mount):
            asked += [("GET", path), ("GET", f"{path}/js/main.js"), ("GET", f"{path}/nothing")]
        else:
            assert isinstance(route, Route)
            asked += [(method, path) for method in sorted(route.methods or ())]
    return asked, sockets


def every_route(routes: Any) -> Iterator[Any]:
    """Yield the routes, those of an included router among them."""
    for route in routes:
        inner = getattr(getattr(route, "original_router", None), "routes", None)
        yield from every_route(inner) if inner is not None else [route]


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost.evil.example", "null", "http://["])
def test_no_socket_opens_for_another_page(origin: str, client: Any) -> None:
    for path in doors(client)[1]:
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(path, headers={"origin": origin, "authorization": "Bearer h-token"}),
        ):
            pass  # pragma: no cover  # it is closed before
        assert closed.value.code == 1008


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "[::1", ""])
def test_no_route_answers_to_another_name(host: str, client: Any) -> None:
    asked, sockets = doors(client)
    described = client.get("/openapi.json", headers={"authorization": "Bearer h-token"}).json()["paths"]
    assert {path for _, path in asked} >= {re.sub(r"\{\w+\}", "1", path) for path in described}
    assert {path for _, path in asked} >= {"/", "/overlay", "/web/js/main.js", "/api/events", "/openapi.json"}
    evil = {**HEADER, "host": host, "authorization": "Bearer h-token"}
    told = {one: client.request(*one, headers=evil).status_code for one in [*asked, ("GET", "/nowhere")]}
    assert len(told) > 40
    assert {one: status for one, status in told.items() if status != 421} == {}
    assert sockets == ["/ws/frames"]
    for path in sockets:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=evil):
            pass  # pragma: no cover  # it is closed before


@pytest.mark.parametrize("token", [None, "wrong"])
def test_without_a_token_there_is_the_page_itself_and_nothing_of_the_table(token: str | None, client: Any) -> None:
    asked, sockets = doors(client)
    headers = {**HEADER, **({"authorization": f"Bearer {token}"} if token else {})}
    told = {one: client.request(*one, headers=headers).status_code for one in asked}
    open_to_all = {path for (_, path), status in told.items() if status != 401}
    assert open_to_all == {"/", "/overlay", "/web", "/web/js/main.js", "/web/nothing"}
    for path in sockets:
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
            pass  # pragma: no cover  # it is closed before


@pytest.mark.parametrize("token", [None, "wrong", "v-token"])
def test_who_may_not_play_changes_nothing(token: str | None, client: Any) -> None:
    headers = {**HEADER, **({"authorization": f"Bearer {token}"} if token else {})}
    told = {path: client.post(path, headers=headers, json={}).status_code for path in asked_of(client, "post")}
    assert set(told.values()) == {403 if token == "v-token" else 401}


def test_a_player_plays_and_leaves_the_camera_alone(client: Any) -> None:
    headers = {**HEADER, "authorization": "Bearer p-token"}
    told = {path: client.post(path, headers=headers, json={}).status_code for path in asked_of(client, "post")}
    assert {path for path, status in told.items() if status == 403} == HOSTS_ONLY
    for path in ("/api/join", "/api/diagnostics", "/api/camera"):
        assert client.get(path, headers=headers).status_code == 403


def test_only_the_host_puts_photographs_in_the_cameras_place(client: Any, tmp_path: Path) -> None:
    sent = jpeg(np.full((64, 96, 3), 120, np.uint8))
    (tmp_path / "table.jpg").write_bytes(sent)

    def photograph(role: str) -> tuple[int, Any]:
        headers = {**HEADER, "authorization": f"Bearer {role[0]}-token"}
        status = client.post("/api/photograph", headers=headers, content=sent).status_code
        return status, client.get("/api/camera", headers={"authorization": "Bearer h-token"}).json()["name"]

    host = {**HEADER, "authorization": "Bearer h-token"}
    assert photograph("player") == (403, None)
    client.post("/api/camera", headers=host, json={"source": str(tmp_path / "table.jpg")})
    assert photograph("player") == (403, "table.jpg")
    assert photograph("viewer") == (403, "table.jpg")
    assert photograph("host") == (200, "photographs")
    assert photograph("player") == (200, "photographs")
    assert photograph("viewer") == (403, "photographs")


def test_a_players_own_photographs_leave_the_camera_alone(client: Any, tmp_path: Path) -> None:
    sent = jpeg(np.full((64, 96, 3), 120, np.uint8))
    (tmp_path / "table.jpg").write_bytes(sent)
    client.post(
        "/api/camera",
        headers={**HEADER, "authorization": "Bearer h-token"},
        json={"source": str(tmp_path / "table.jpg")},
    )
    headers = {**HEADER, "authorization": "Bearer p-token", "content-type": "image/jpeg"}
    for path in ("/api/game/aim/read", "/api/game/stash/picture?player=red", "/api/read?game=paper-safari"):
        assert client.post(path, headers=headers, content=sent).status_code in (409, 422)  # no game is played
    told = client.get("/api/camera", headers={"authorization": "Bearer h-token"}).json()
    assert told["name"] == "table.jpg"


def test_without_the_header_no_page_changes_anything(client: Any) -> None:
    headers = {"authorization": "Bearer h-token"}
    assert {client.post(path, headers=headers, json={}).status_code for path in asked_of(client, "post")} == {403}


PLAYERS = [{"name": "Anna", "seat": 0}, {"name": "Ben", "seat": 2}]


@pytest.mark.parametrize("address", ["rtsp://anna:hush@127.0.0.1:9/live?key=hush", "http://anna:hush@127.0.0.1:9/hush"])
def test_no_secret_is_told(address: str, client: Any, capfd: pytest.CaptureFixture[str]) -> None:
    headers = {**HEADER, "authorization": "Bearer h-token"}
    client.post("/api/camera", headers=headers, json={"source": address})
    client.post("/api/game/new", headers=headers, json={"game": "paper-safari", "players": PLAYERS})
    end = time.monotonic() + 10
    while client.get("/api/camera", headers=headers).json()["state"] != "offline" and time.monotonic() < end:
        time.sleep(0.02)
    asked = [path for path in asked_of(client, "get") if path != "/api/events"]
    told = {path: client.get(path, headers=headers).text for path in asked}
    assert told["/api/camera"].count("127.0.0.1:9") == 2  # its name, and why it is offline
    news = [str(news.data) for news in client.app.state.table.hub.since(0, TOPICS)]
    spoken = "".join(capfd.readouterr())
    assert not [path for path, said in [*told.items(), *(("news", one) for one in news)] if "hush" in said]
    assert "hush" not in spoken
    hosts_own = {path: said for path, said in told.items() if path != "/api/join"}
    assert not [path for path, said in hosts_own.items() if "-token" in said]
    assert "127.0.0.1:9" not in told["/api/diagnostics"] + told["/api/game/export.json"] + told["/metrics"]


@pytest.mark.parametrize("seq", ["322689724542585096320883750871236608", "-1", "x"])
def test_a_number_that_no_event_has_is_refused(seq: str, client: Any) -> None:
    told = client.get(f"/api/game/evidence/{seq}.jpg", headers={"authorization": "Bearer h-token"})
    assert told.status_code == 422


@pytest.mark.parametrize(
    ("said", "known"),
    [(None, None), ("", None), ("7", 7), ("x", None), ("²", None), ("9" * 40, None), (str(2**53 + 1), None)],
)
def test_what_a_viewer_says_it_saw_last(said: str | None, known: int | None) -> None:
    assert _known_seq(said) == known
