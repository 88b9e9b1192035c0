"""Routes of the live table: news as server-sent events, pictures over a WebSocket, the camera."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from service import pictures
from service.hub import Hub, Viewer, rung
from service.live import Live
from service.pictures import PictureError
from service.store import MOST_SEQ, Store
from vision.camera import Camera
from vision.recordings import SourceError, Uploads
from vision.sources import Device, source_from

TOPICS = frozenset({"camera", "motion", "reading", "game", "claim", "trouble"})
PATIENCE_S = 10.0  # between looks at whether the service ends
STUCK_S = 30.0  # a viewer that has not taken a picture for so long is let go


class CameraWish(BaseModel):
    """What to look through: a device number, a video, a folder, an address; "photographs": what a phone sends."""

    source: str = Field(max_length=2000)


class LockWish(BaseModel):
    """Whether exposure and focus are to be held."""

    locked: bool


def router(hub: Hub, live: Live, store: Store, current: Callable[[], str | None]) -> APIRouter:
    """Build the routes; `current` names the game that is played."""
    routes = APIRouter(tags=["live"])
    _news(routes, hub, store, current)
    _pictures(routes, hub, live)
    _camera(routes, live)
    return routes


def _news(routes: APIRouter, hub: Hub, store: Store, current: Callable[[], str | None]) -> None:
    @routes.get("/api/events", response_class=EventSourceResponse)
    async def events(last_event_id: Annotated[str | None, Header()] = None) -> AsyncIterator[ServerSentEvent]:
        """Stream what happens: `event` for each of the game's events (its id: resume with Last-Event-ID), then news."""
        viewer = hub.join()
        version, seq = 0, _known_seq(last_event_id)
        try:
            yield ServerSentEvent(comment="welcome", retry=1000)
            while not hub.closed:
                if seq is not None:
                    for event in await run_in_threadpool(store.events, current(), seq):
                        seq = event.seq
                        yield ServerSentEvent(data=event.to_json(), event="event", id=str(seq))
                for news in hub.since(version, TOPICS):
                    version = news.version
                    seq = _seq(news.data, seq) if news.topic == "game" else seq
                    text = json.dumps(news.data, ensure_ascii=False)  # also null, which `data` would leave out
                    yield ServerSentEvent(raw_data=text, event=news.topic, id=None if seq is None else str(seq))
                await rung(viewer, PATIENCE_S)
        finally:
            hub.leave(viewer)


def _known_seq(last_event_id: str | None) -> int | None:
    """Return the event that a viewer saw last; None where it says nothing that can be one."""
    text = last_event_id or ""
    known = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_SEQ)) else None
    return known if known is None or known <= MOST_SEQ else None


def _seq(game: Any, seq: int | None) -> int | None:
    """Return how far a viewer is that has been told this state of the game."""
    told = game.get("seq") if isinstance(game, dict) else None
    return told if isinstance(told, int) and (seq is None or told > seq) else seq


class Pictures:
    """One viewer's picture: the newest frame when it has taken the last one, so a stuck viewer holds one at most."""

    dropped = 0  # frames that some viewer did not get, over all viewers
    sent = 0

    def __init__(self, hub: Hub, socket: WebSocket, viewer: Viewer) -> None:
        self._hub, self._socket, self._viewer = hub, socket, viewer
        self._number = 0
        self._missed = 0  # frames since the last one that was sent, the newest not counted
        self._due = True  # the viewer has shown what it was sent
        self._gone = False

    async def stream(self) -> None:
        """Send frames until the viewer or the service leaves."""
        listening = asyncio.create_task(self._listen())
        sent_at = time.monotonic()
        try:
            while not self._hub.closed and not self._gone:
                newest = self._hub.newest("frame")
                if newest is not None:
                    self._count(newest[0])
                if self._due and newest is not None and newest[0] != self._number:
                    self._due, sent_at = False, time.monotonic()
                    await self._send(*newest)
                elif not self._due and time.monotonic() - sent_at > STUCK_S:
                    await self._socket.close(1001)
                    return
                else:
                    await rung(self._viewer, 1.0)
        finally:
            listening.cancel()

    def _count(self, number: int) -> None:
        """Count the frames that this viewer will not get, as soon as a newer one is there."""
        missed = max(0, number - self._number - 1) if self._number else 0
        type(self).dropped += max(0, missed - self._missed)
        self._missed = max(missed, self._missed)

    async def _send(self, number: int, jpeg: bytes) -> None:
        self._number, self._missed = number, 0
        await self._socket.send_bytes(jpeg)
        type(self).sent += 1

    async def _listen(self) -> None:
        """Take the viewer's word that it has shown a frame, and notice when it leaves."""
        try:
            while True:
                await self._socket.receive_text()
                self._due = True
                self._viewer.bell.set()
        except (WebSocketDisconnect, RuntimeError):  # RuntimeError: it was closed from this side
            self._gone = True
            self._viewer.bell.set()


def _pictures(routes: APIRouter, hub: Hub, live: Live) -> None:
    @routes.websocket("/ws/frames")
    async def frames(socket: WebSocket) -> None:
        await socket.accept()
        viewer = hub.join()
        live.count_viewer(1)
        try:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # RuntimeError: it left while we were sending
                await Pictures(hub, socket, viewer).stream()
        finally:
            live.count_viewer(-1)
            hub.leave(viewer)

    @routes.get("/api/snapshot.jpg", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
    def snapshot() -> Response:
        """Send what the camera sees now."""
        jpeg = live.snapshot()
        if jpeg is None:
            raise HTTPException(409, "the camera has sent nothing yet")
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})


def _takes_photographs(live: Live) -> bool:
    """Whether the table is seen by photographs that are sent."""
    return live.camera is not None and isinstance(live.camera.source, Uploads)


def _camera(routes: APIRouter, live: Live) -> None:
    @routes.get("/api/camera")
    def camera() -> dict[str, Any]:
        """Say what is looked through, how it does, and how sharp it is."""
        if live.camera is None:
            return {"name": None, "state": "none", "message": "", "focus": None, "locks": {}}
        status, source = live.camera.status(), live.camera.source
        told = {"name": live.camera.name, "state": status.state, "message": status.message, "size_px": status.size_px}
        return {**told, "focus": live.focus(), "locks": source.locks if isinstance(source, Device) else {}}

    @routes.post("/api/camera")
    def look_through(wish: CameraWish) -> dict[str, Any]:
        """Look through another camera."""
        try:
            source = Uploads() if wish.source == "photographs" else source_from(wish.source)
        except SourceError as error:
            raise HTTPException(422, str(error)) from None
        live.look_through(Camera(source))
        return camera()

    @routes.post("/api/camera/lock")
    def lock(wish: LockWish) -> dict[str, Any]:
        """Hold exposure and focus, or let them go, where the driver can; `locks` says what it did."""
        if live.camera is None or not isinstance(live.camera.source, Device):
            return {**camera(), "locks": {"exposure": "not supported", "focus": "not supported"}}
        live.camera.source.lock(wish.locked)
        live.camera.wait(live.camera.status().frames + 1, 2.0)
        return camera()

    @routes.post("/api/photograph")
    async def photograph(request: Request) -> dict[str, Any]:
        """Lay a photograph, taken with a phone, on the table; only the host's takes the place of a camera."""
        if request.state.role != "host" and not _takes_photographs(live):
            raise HTTPException(403, "the table has a camera: only the host can choose photographs instead")
        data = await request.body()
        try:
            image = await run_in_threadpool(pictures.decode, data, pictures.TABLE_SIDE_PX)
        except PictureError as error:
            raise HTTPException(422, str(error)) from None
        if not _takes_photographs(live):
            live.look_through(Camera(Uploads()))
        source = live.camera.source if live.camera is not None else None
        assert isinstance(source, Uploads)
        source.push(image)
        return {"width": image.shape[1], "height": image.shape[0]}

    @routes.post("/api/camera/read")
    def read() -> dict[str, Any]:
        """Read the table as it lies, even where it has not changed."""
        live.read_again()
        reading = live.read_now(20.0)
        if reading is None:
            raise HTTPException(409, "the camera has sent nothing yet")
        return live.desk.tell(reading)
