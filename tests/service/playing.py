"""The service on a port of its own, its camera fed by a test; and what every browser test does with it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from service.app import create_app
from service.guard import Access
from service.hub import Hub
from service.live import Live
from service.serving import Server, configured
from service.store import Store
from vision.camera import Camera
from vision.recordings import Image, Uploads, VideoFile


class Reel:
    """Recorded videos, one after the other when the test says so; the last picture of each stays."""

    name, steady = "reel", True

    def __init__(self, clips: Sequence[Path]) -> None:
        self._clips, self._go_on = list(clips), threading.Semaphore(1)

    def on(self) -> None:
        """Let the next clip play."""
        self._go_on.release()

    def frames(self) -> Generator[Image]:
        """Yield the clips' frames when they are due."""
        for clip in self._clips:
            self._go_on.acquire()
            yield from VideoFile(clip).frames()

    def wake(self) -> None:
        """Let go."""
        self._go_on.release(len(self._clips))


class Site:
    """The service on a port of its own, its camera fed by the test."""

    def __init__(self, eyes: Any, folder: Path, access: Access | None = None) -> None:
        self.eyes, self.uploads = eyes, Uploads()
        self.hub, self.store = Hub(), Store(folder / "games.sqlite")
        self.live = Live(eyes, self.hub)
        app = create_app(eyes, store=self.store, live=self.live, hub=self.hub, access=access)
        self.live.look_through(Camera(self.uploads))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/?setup=no"
        self._server = Server(configured(app), self.hub)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()

    def play(self, *clips: Path) -> Reel:
        """Look at recorded videos instead, the first at once."""
        reel = Reel(clips)
        self.live.look_through(Camera(reel))
        return reel

    def lay(self, game: str, table: Any) -> None:
        """Lay a table before the camera."""
        self.uploads.push(self.eyes.picture(game, table))

    def stop(self) -> None:
        """End everything."""
        self.hub.close()
        self._server.should_exit = True
        self._thread.join(10)
        self.live.stop()
        self.store.close()
        self._socket.close()

    @staticmethod
    def set_up(page: Any, game: str, players: int) -> None:
        """Go through the wizard: any camera, the game, the players; the test read is skipped by beginning."""
        page.click('[aria-label="Set up"]')
        for _ in range(2):
            page.click("dialog.wizard .end .main")
        page.click(f'dialog.wizard [data-game="{game}"]')
        page.click("dialog.wizard .end .main")
        if game == "string-safari":
            page.click("dialog.wizard .end .main")
        page.until(f"document.querySelectorAll('dialog.wizard .people li').length >= {players}")
        page.click("dialog.wizard .end .main")
        page.until("document.querySelector('dialog.wizard .end .main').textContent === 'Begin'")
        page.click("dialog.wizard .end .main")
        page.until("!document.querySelector('dialog.wizard')")
