"""An RTSP camera on this machine: H.264 over one connection, behind a password or not; or one that leads elsewhere."""

from __future__ import annotations

import contextlib
import hashlib
import re
import socketserver
import struct
import time
from collections.abc import Generator
from fractions import Fraction
from functools import cache
from typing import Any, cast

import av
import numpy as np

NAME, PASSWORD, REALM, NONCE = "anna", "hu/sh", "camera", "n0nce"
MTU = 1200
SDP = "\r\n".join(
    [
        "v=0",
        "o=- 0 0 IN IP4 0.0.0.0",
        "s=-",
        "t=0 0",
        "m=video 0 RTP/AVP 96",
        "a=rtpmap:96 H264/90000",
        "a=control:t1",
        "",
    ]
)


@cache
def units() -> tuple[tuple[bytes, ...], ...]:
    """Return the units of each of twenty frames of 160×120 px, every one whole in itself."""
    codec = cast(Any, av.CodecContext.create("libx264", "w"))
    codec.width, codec.height, codec.pix_fmt, codec.time_base = 160, 120, "yuv420p", Fraction(1, 25)
    codec.options = {"tune": "zerolatency", "preset": "ultrafast", "x264-params": "keyint=1:annexb=1:repeat-headers=1"}
    noise = np.random.default_rng(1)
    pictures = [noise.integers(0, 255, (120, 160, 3)).astype(np.uint8) for _ in range(20)]
    packets = [p for picture in pictures for p in codec.encode(av.VideoFrame.from_ndarray(picture, format="bgr24"))]
    return tuple(tuple(u for u in re.split(rb"\x00\x00\x00?\x01", bytes(p)) if u) for p in packets)


def payloads(unit: bytes) -> Generator[bytes]:
    """Cut a unit into what fits a packet, as RFC 6184 has it."""
    if len(unit) <= MTU:
        yield unit
        return
    kind, rest = unit[0], unit[1:]
    for at in range(0, len(rest), MTU):
        ends = (0x80 if at == 0 else 0) | (0x40 if at + MTU >= len(rest) else 0)
        yield bytes([(kind & 0xE0) | 28, (kind & 0x1F) | ends]) + rest[at : at + MTU]


class RtspCamera(socketserver.ThreadingTCPServer):
    """`away`: where every DESCRIBE is sent instead; `guarded`: "", "Basic" or "Digest"."""

    daemon_threads = True

    def __init__(self, away: str = "", guarded: str = "", prefix: bytes = b"") -> None:
        super().__init__(("127.0.0.1", 0), _Speaking)
        self.away, self.guarded, self.prefix = away, guarded, prefix
        self.asked: list[str] = []
        self.place = f"127.0.0.1:{self.server_address[1]}"


class _Speaking(socketserver.StreamRequestHandler):
    server: RtspCamera

    def handle(self) -> None:
        """Answer one reader until it leaves."""
        while first := self.rfile.readline().decode():
            method, uri, _ = first.split()
            lines = iter(self.rfile.readline, b"\r\n")
            headers = {k.lower(): v.strip() for k, _, v in (line.decode().partition(":") for line in lines)}
            self.server.asked.append(f"{method} {uri}")
            self._answer(method, uri, headers)

    def _answer(self, method: str, uri: str, headers: dict[str, str]) -> None:
        said, body = "200 OK", ""
        more = {"CSeq": headers["cseq"], "Session": "7;timeout=60", "Public": "DESCRIBE, SETUP, PLAY"}
        if method == "DESCRIBE" and self.server.away:
            said, more["Location"] = self.server.away.split(" ")[0] + " Moved", self.server.away.split(" ")[1]
        elif self.server.guarded and method != "OPTIONS" and not self._knows(method, uri, headers):
            said, more["WWW-Authenticate"] = (
                "401 Unauthorized",
                f'{self.server.guarded} realm="{REALM}", nonce="{NONCE}"',
            )
        elif method == "DESCRIBE":
            body, more["Content-Type"], more["Content-Base"] = SDP, "application/sdp", f"{uri}/"
        elif method == "SETUP":
            more["Transport"] = headers["transport"]
        self._say(f"RTSP/1.0 {said}", more, body)
        if method == "PLAY":
            self._play()

    def _say(self, first: str, headers: dict[str, str], body: str) -> None:
        told = {**headers, "Content-Length": str(len(body))}
        lines = [first, *(f"{k}: {v}" for k, v in told.items()), "", body]
        with contextlib.suppress(OSError):  # it has left
            self.wfile.write(self.server.prefix + "\r\n".join(lines).encode())

    def _knows(self, method: str, uri: str, headers: dict[str, str]) -> bool:
        said = headers.get("authorization", "")
        if self.server.guarded == "Basic":
            return said == "Basic YW5uYTpodS9zaA=="
        response = _md5(f"{_md5(f'{NAME}:{REALM}:{PASSWORD}')}:{NONCE}:{_md5(f'{method}:{uri}')}")
        return f'uri="{uri}"' in said and f'response="{response}"' in said

    def _play(self) -> None:
        number = 0
        for k in range(400):
            frame = units()[k % 20]
            packets = [(p, unit is frame[-1]) for unit in frame for p in payloads(unit)]
            for n, (payload, last) in enumerate(packets):
                mark = 0x80 if last and n == len(packets) - 1 else 0
                head = struct.pack("!BBHII", 0x80, mark | 96, number, k * 3600, 7)
                number += 1
                try:
                    self.wfile.write(struct.pack("!cBH", b"$", 0, len(head) + len(payload)) + head + payload)
                except OSError:
                    return
            time.sleep(0.03)


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
