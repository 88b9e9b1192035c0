"""Uploads that would cost far more than their bytes, sent to every route of the real service in a process of its own.

Run as a script it prints a line of JSON for each: route, what was sent, status, CPU seconds, MB that memory rose by.
"""

from __future__ import annotations

import io
import json
import struct
import sys
import time
import warnings
import zipfile
import zlib
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow

from service.app import create_app
from service.deck_eyes import DeckEyes
from service.hub import Hub
from service.live import Live
from service.store import Store

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

HEADER = {"x-safari-table": "1", "content-type": "image/jpeg"}
PICTURES = (
    "/api/read?game=string-safari",
    "/api/photograph",
    "/api/game/aim/read",
    "/api/game/stash/picture?player=red",
)
ZIP = "/api/decks/import?deck=x"
TOML = b'game = "any"\n[faces."fox"]\n'
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'/>"
PLAYERS = [{"name": n, "colour": c} for n, c in (("Anna", "red"), ("Ben", "blue"), ("Cem", "yellow"))]
GAME = {"game": "string-safari", "players": PLAYERS}


def flat(width: int, height: int, kind: str, mode: str = "RGB") -> bytes:
    """Return a whole picture of one colour: few bytes, many pixels."""
    out = io.BytesIO()
    Pillow.new(mode, (width, height), 120 if mode == "L" else (120,) * len(mode)).save(out, kind)
    return out.getvalue()


def png(width: int, height: int, rows: int = 1, row: int = 16) -> bytes:
    """Return a PNG that claims a size and holds a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(rows * row))) + chunk(b"IEND", b"")


def claiming(jpeg: bytes, width: int, height: int) -> bytes:
    """Return a JPEG that claims another size."""
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + struct.pack(">HH", height, width) + jpeg[at + 4 :]


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


def pictures() -> dict[str, bytes]:
    """Return pictures that cannot be, and ones that can but are huge (their names end in "whole")."""
    small = cv2.imencode(".jpg", np.full((64, 96, 3), 120, np.uint8))[1].tobytes()
    return {
        "empty": b"",
        "truncated": flat(2000, 1500, "JPEG")[:9_000],
        "truncated PNG": flat(2000, 1500, "PNG")[:9_000],
        "a PNG that claims 30,000 px a side": png(30_000, 30_000),
        "a PNG that claims 2**31 px a side": png(2**31 - 1, 2**31 - 1),
        "a JPEG that claims 65,500 px a side": claiming(small, 65_500, 65_500),
        "a JPEG that claims less than it holds, taken for whole": claiming(flat(7000, 7000, "JPEG"), 96, 64),
        "a PNG that holds fewer rows than it claims": png(7000, 7000),
        "a whole PNG of 9,000 px a side": flat(9_000, 9_000, "PNG", "L"),
        "a WebP of 8,100 px a side": flat(8_100, 8_100, "WEBP"),
        "a GIF": flat(3000, 3000, "GIF", "L"),
        "a TIFF": flat(300, 300, "TIFF"),
        "svg": SVG,
        "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n",
        "GIF and SVG": b"GIF89a" + SVG,
        "zip and JPEG": zipped({"a": b"b"}) + small,
        "JPEG and zip whole": small + zipped({"a": b"b"}),
        "a JPEG whole": flat(8000, 7900, "JPEG"),
        "a PNG whole": flat(8000, 7900, "PNG"),
    }


def zips() -> dict[str, bytes]:
    """Return zips that are no deck, and ones that hold more than a deck needs."""
    large, many = flat(7700, 7700, "PNG"), flat(1200, 1200, "PNG")
    deck = {"deck.toml": TOML}
    return {
        "empty": b"",
        "a cut zip": zipped({**deck, "faces/fox.png": many})[:-40],
        "a name that leads out": zipped({**deck, "../fox.png": many}),
        "a face of 200 MB": zipped({**deck, "faces/fox.png": bytes(200_000_000)}),
        "twenty faces of 59 megapixels": zipped({**deck, **{f"faces/fox-{k}.png": large for k in range(2, 22)}}),
        "a hundred and twenty of 1,200 px": zipped({**deck, **{f"faces/fox-{k}.png": many for k in range(2, 122)}}),
        "one that is clear in places": zipped({**deck, "faces/fox.png": flat(7700, 7700, "PNG", "RGBA")}),
        "a face that claims 30,000 px a side": zipped({**deck, "faces/fox.png": png(30_000, 30_000)}),
        "a face that is an SVG": zipped({**deck, "faces/fox.png": SVG}),
        "one of 59 megapixels whole": zipped({**deck, "faces/fox.png": large}),
    }


def memory_mb(which: str) -> float:
    """Return what this process holds ("VmRSS") or held at most since it was last asked to forget ("VmHWM")."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(which))


def main(folder: Path) -> None:
    """Send everything to every route."""
    hub, store = Hub(), Store(folder / "games.sqlite")
    live = Live(DeckEyes(folder / "own"), hub)
    client = TestClient(
        create_app(live.eyes, store=store, live=live, hub=hub),
        base_url="http://localhost",
        raise_server_exceptions=True,
    )
    client.post("/api/game/new", headers={"x-safari-table": "1"}, json=GAME)
    plain = cv2.imencode(".jpg", np.full((720, 1280, 3), 120, np.uint8))[1].tobytes()
    told = [(path, "a plain table whole", plain) for path in PICTURES]  # the first loads networks and decks
    told += [(path, name, data) for name, data in pictures().items() for path in PICTURES]
    told += [(ZIP + str(k), name, data) for k, (name, data) in enumerate(zips().items())]
    for path, name, data in told:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before, started = memory_mb("VmRSS"), time.process_time()
        said = client.post(path, content=data, headers=HEADER)
        if said.status_code == 200 and path == "/api/photograph":
            time.sleep(0.5)
        spent, rose = time.process_time() - started, memory_mb("VmHWM") - before
        row = {"path": path, "sent": name, "bytes": len(data), "status": said.status_code, "cpu_s": spent, "mb": rose}
        print(json.dumps({**row, "said": said.text[:200]}), flush=True)
    live.stop()
    hub.close()
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
