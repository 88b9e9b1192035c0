"""Every route, one by one: which names it answers to, and what each role may ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from service.app import create_app
from service.guard import Access
from service.hub import Hub
from service.live import Live
from service.routes_live import _known_seq
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


def asked(client: Any, method: str) -> list[str]:
    """Return every path that the service describes for a method, its parameters filled in."""
    paths = client.get("/openapi.json", headers={"authorization": "Bearer h-token"}).json()["paths"]
    filled = [path for path, ways in paths.items() if method in ways]
    return [p.replace("{name}", "x").replace("{seq}", "1").replace("{role}", "viewer") for p in filled]


def test_no_route_answers_to_another_name(client: Any) -> None:
    evil = {**HEADER, "host": "evil.example", "authorization": "Bearer h-token"}
    told = {(m, p): client.request(m, p, headers=evil).status_code for m in ("get", "post") for p in asked(client, m)}
    assert len(told) > 30
    assert set(told.values()) == {421}
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/ws/frames", headers={**headers, "authorization": "Bearer h-token"}),
        ):
            pass  # pragma: no cover  # it is closed before


@pytest.mark.parametrize("token", [None, "wrong", "v-token"])
def test_who_may_not_play_changes_nothing(token: str | None, client: Any) -> None:
    headers = {**HEADER, **({"authorization": f"Bearer {token}"} if token else {})}
    told = {path: client.post(path, headers=headers, json={}).status_code for path in asked(client, "post")}
    assert set(told.values()) == {403 if token == "v-token" else 401}


def test_a_player_plays_and_leaves_the_camera_alone(client: Any) -> None:
    headers = {**HEADER, "authorization": "Bearer p-token"}
    told = {path: client.post(path, headers=headers, json={}).status_code for path in asked(client, "post")}
    assert {path for path, status in told.items() if status == 403} == HOSTS_ONLY
    for path in ("/api/join", "/api/diagnostics", "/api/camera"):
        assert client.get(path, headers=headers).status_code == 403


def test_without_the_header_no_page_changes_anything(client: Any) -> None:
    headers = {"authorization": "Bearer h-token"}
    assert {client.post(path, headers=headers, json={}).status_code for path in asked(client, "post")} == {403}


def test_no_secret_is_told(client: Any) -> None:
    headers = {**HEADER, "authorization": "Bearer h-token"}
    client.post("/api/camera", headers=headers, json={"source": "rtsp://anna:hush@10.9.8.7/stream?key=hush"})
    for path in ("/api/diagnostics", "/metrics", "/api/camera", "/api/state"):
        said = client.get(path, headers=headers).text
        assert "hush" not in said
        assert "h-token" not in said
    assert "10.9.8.7" not in client.get("/api/diagnostics", headers=headers).text


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
