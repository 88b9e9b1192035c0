"""Start the service: address, tokens, store, camera, and the server itself."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from service.app import create_app
from service.eyes import Eyes
from service.gallery import SampleError, samples
from service.guard import LOOPBACK, MOST_PORT, Access
from service.hub import Hub
from service.live import Live
from service.routes_service import lan_address
from service.statuses import UNUSABLE
from service.store import Store, StoreError
from vision.camera import Camera
from vision.recordings import SourceError, Uploads
from vision.sources import source_from

HOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
PORTS_TRIED = 20
FIRST_PICTURE_S = 4.0  # a camera that has sent nothing for so long after its start is spoken of
SHUTDOWN_S = 2  # event streams and pictures never end by themselves


class ServingError(ValueError):
    """The service cannot be started so; one line."""


def data_folder() -> Path:
    """Return where games are kept: $XDG_DATA_HOME or ~/.local/share, safari-table."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "safari-table"


def user_decks() -> Path:
    """Return the folder of the decks that were enrolled on the page."""
    return data_folder() / "decks"


def lan_access(host: str) -> Access:
    """Return access from the home network by this address: fresh tokens for host, players and those who look on."""
    tokens = tuple((role, secrets.token_urlsafe(16)) for role in ("host", "player", "viewer"))
    names = {host, lan_address(), socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
    return Access(frozenset(LOOPBACK | names), tokens)


def demo(port: int) -> int:
    """Show the sample tables on loopback until interrupted; return the exit status."""
    from service.deck_eyes import DeckEyes

    return _told(lambda: run(HOST, listen(HOST, port), create_app(DeckEyes(user_decks()), samples=samples()), Access()))


def serve(camera: str, host: str, port: int, data: Path | None) -> int:
    """Serve the live table until interrupted; return the exit status.

    `camera`: as `vision.sources.source_from` reads it. `host`: anything but loopback lets phones join, by token.
    """
    from service.deck_eyes import DeckEyes

    return _told(lambda: _serve(DeckEyes(user_decks()), camera, host, port, data))


def _told(work: Callable[[], None]) -> int:
    try:
        work()
    except (ServingError, StoreError, SourceError, SampleError) as error:
        print(f"safari-table: {error}", file=sys.stderr)
        return UNUSABLE
    return 0


def _serve(eyes: Eyes, camera: str, host: str, port: int, data: Path | None) -> None:
    source = Uploads() if camera == "photographs" else source_from(camera)
    listening = listen(host, port)
    access = Access() if host in (HOST, "localhost") else lan_access(host)
    hub = Hub()
    live = Live(eyes, hub)
    store = Store(store_file(data or data_folder()))
    try:
        app = create_app(eyes, samples=samples(), store=store, live=live, hub=hub, access=access)
        eye = Camera(source)
        live.look_through(eye)
        threading.Thread(target=say_camera, args=(eye,), daemon=True).start()
        run(host, listening, app, access, hub)
    finally:
        hub.close()
        live.stop()
        store.close()


def store_file(data: Path) -> Path:
    """Return the file of games in a folder; `data` itself where it names a file."""
    return data if data.suffix and not data.is_dir() else data / "games.sqlite"


def say_camera(camera: Camera) -> None:
    """Say in one line on stderr if a camera that was just started gives no picture."""
    camera.wait(0, FIRST_PICTURE_S)
    status = camera.status()
    if status.state in ("offline", "dark") or (status.state == "starting" and not camera.source.steady):
        why = status.message or f"{camera.name} has sent no picture yet"
        print(f"safari-table: {why}; it is tried again and again, or choose another on the page", file=sys.stderr)


def run(host: str, listening: socket.socket, app: FastAPI, access: Access, hub: Hub | None = None) -> None:
    """Say the address, and serve until interrupted."""
    token = next((f"?token={value}" for role, value in access.tokens if role == "host"), "")
    here = HOST if host == EVERYWHERE else host
    print(f"Safari Table: http://{here}:{listening.getsockname()[1]}/{token}", flush=True)
    if access.tokens:
        print("Phones join by the QR code on that page. Whoever has the address above is the host.", flush=True)
    Server(configured(app), hub).run(sockets=[listening])


def configured(app: FastAPI) -> uvicorn.Config:
    """Return how the app is served. What sockets send is JPEG: deflating it saves nothing, and costs 4 ms a frame."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        ws_per_message_deflate=False,
    )


class Server(uvicorn.Server):
    """A server that tells its viewers when it ends, so that their streams end too."""

    def __init__(self, config: uvicorn.Config, hub: Hub | None) -> None:
        super().__init__(config)
        self.hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Close the news, then the server."""
        if self.hub is not None:
            self.hub.close()
        super().handle_exit(sig, frame)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket on `port`, or on the next free one after it; 0: any. ServingError where none can be had."""
    last = min(port + PORTS_TRIED - 1, MOST_PORT) if port else 0
    for tried in range(port, last + 1):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, tried))
            listening.listen()  # from now on the port is taken, and who opens the address early only waits
        except OSError as error:
            listening.close()
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise ServingError(
                    f"--host {host}: is no address of this machine; {EVERYWHERE} is all it has"
                ) from None
            continue
        return listening
    raise ServingError(f"ports {port} to {last} are taken, or not yours to take: choose another with --port")
