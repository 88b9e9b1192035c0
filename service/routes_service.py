"""Routes about the service itself: what it is, decks, joining, metrics, diagnostics."""

from __future__ import annotations

import io
import platform
import resource
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from service.eyes import Eyes
from service.guard import Access
from service.hub import Hub
from service.live import Live
from service.routes_live import Pictures
from service.store import Store

LANGUAGES = ("en", "de", "cs")


@dataclass(frozen=True)
class Parts:
    """What the live service is made of."""

    hub: Hub
    live: Live
    store: Store


def version() -> str:
    """Return the installed version, "0" in a bare checkout."""
    try:
        return metadata.version("safari-table")
    except metadata.PackageNotFoundError:
        return "0"


def router(eyes: Eyes, access: Access, parts: Parts | None) -> APIRouter:
    """Build the routes; `parts` is None where only samples are shown."""
    routes = APIRouter(tags=["service"])
    started = time.monotonic()

    @routes.get("/api/about")
    def about(request: Request) -> dict[str, Any]:
        """Say what this service is and what the asker may do."""
        mode = "demo" if parts is None else "serve"
        return {"name": "Safari Table", "version": version(), "languages": LANGUAGES, "mode": mode,
                "role": getattr(request.state, "role", "host")}  # fmt: skip

    @routes.get("/api/decks")
    def decks() -> list[dict[str, Any]]:
        """List the decks that can be played with."""
        return eyes.decks()

    if parts is not None:
        _joining(routes, access)
        _figures(routes, parts, started)
    return routes


def _joining(routes: APIRouter, access: Access) -> None:
    def address(request: Request, role: str) -> tuple[str, str]:
        port = request.url.port or 80
        token = next((token for name, token in access.tokens if name == role), None)
        if token is None:
            return f"http://127.0.0.1:{port}/", "join.only-here"
        return f"http://{lan_address()}:{port}/?token={token}", ""

    @routes.get("/api/join")
    def join(request: Request, role: Literal["player", "viewer"] = "player") -> dict[str, Any]:
        """Say by which address a phone joins, and where its QR code is."""
        where, note = address(request, role)
        return {"address": where, "picture": f"/api/join/{role}.svg", "note": note}

    @routes.get("/api/join/{role}.svg", response_class=Response)
    def code(request: Request, role: Literal["player", "viewer"]) -> Response:
        """Draw the address as a QR code."""
        return Response(qr_svg(address(request, role)[0]), media_type="image/svg+xml")


def qr_svg(text: str) -> str:
    """Return a QR code as SVG, a path on white."""
    import qrcode
    from qrcode.image.svg import SvgPathFillImage

    out = io.BytesIO()
    qrcode.make(text, image_factory=SvgPathFillImage, border=2).save(out)
    return out.getvalue().decode()


def lan_address() -> str:
    """Return this machine's address in the home network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the route is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _figures(routes: APIRouter, parts: Parts, started: float) -> None:
    @routes.get("/metrics", response_class=Response)
    def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(exposition(parts, time.monotonic() - started), media_type="text/plain; version=0.0.4")

    @routes.get("/api/diagnostics")
    def diagnostics() -> dict[str, Any]:
        """What helps to find a fault, without addresses, names, tokens or pictures."""
        camera = parts.live.camera
        status = camera.status() if camera is not None else None
        return {
            "version": version(),
            "python": sys.version.split()[0],
            "system": platform.platform(),
            "packages": {name: _installed(name) for name in ("numpy", "opencv-python", "onnxruntime", "av", "fastapi")},
            "camera": None if status is None else {"state": status.state, "size_px": status.size_px,
                                                   "frames": status.frames, "reopened": status.reopened},
            "loop": dict(parts.live.counts),
            "events": parts.store.last_seq(),
            "uptime_s": round(time.monotonic() - started),
        }  # fmt: skip


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def exposition(parts: Parts, uptime_s: float) -> str:
    """Return the figures in Prometheus' text form."""
    counts, camera = parts.live.counts, parts.live.camera
    reading = parts.live.reading
    rows: Sequence[tuple[str, str, str, float]] = (
        ("frames_total", "counter", "frames looked at", counts["frames"]),
        ("readings_total", "counter", "tables read", counts["readings"]),
        ("readings_failed_total", "counter", "tables that could not be read", counts["failed"]),
        ("reading_seconds", "gauge", "how long the newest reading took", reading.seconds if reading else 0.0),
        ("camera_live", "gauge", "whether the camera is live", float(bool(camera and camera.status().state == "live"))),
        ("camera_reopened_total", "counter", "times the camera was lost", camera.status().reopened if camera else 0),
        ("viewers", "gauge", "event streams and pictures that are open", parts.hub.viewers),
        ("viewer_frames_total", "counter", "frames sent to viewers", Pictures.sent),
        ("viewer_frames_dropped_total", "counter", "frames some viewer was too slow for", Pictures.dropped),
        ("events_total", "counter", "events in the store", parts.store.last_seq()),
        ("uptime_seconds", "gauge", "since the service started", uptime_s),
        ("memory_bytes", "gauge", "the most memory used", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024),
    )
    lines = []
    for name, kind, told, value in rows:
        lines += [f"# HELP safari_{name} {told}", f"# TYPE safari_{name} {kind}", f"safari_{name} {value:g}"]
    return "\n".join(lines) + "\n"
