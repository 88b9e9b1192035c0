"""RTSP cameras, real ones on this machine: what they send is seen, and where they lead is not followed."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.vision.rtspcamera import RtspCamera
from vision.recordings import SourceLostError
from vision.relay import Relay, StrayError, messages
from vision.sources import Network, source_from


@pytest.fixture
def start() -> Iterator[Callable[..., RtspCamera]]:
    """Start cameras, and stop them in the end."""
    started: list[RtspCamera] = []

    def one(**more: Any) -> RtspCamera:
        started.append(RtspCamera(**more))
        threading.Thread(target=started[-1].serve_forever, args=(0.02,), daemon=True).start()
        return started[-1]

    yield one
    for camera in started:
        camera.shutdown()
        camera.server_close()


@pytest.mark.parametrize("guarded", ["", "Basic", "Digest"], ids=["open", "basic", "digest"])
def test_an_rtsp_camera_streams(
    guarded: str, start: Callable[..., RtspCamera], capfd: pytest.CaptureFixture[str]
) -> None:
    camera = start(guarded=guarded)
    source = source_from(f"rtsp://anna:hu%2Fsh@{camera.place}/live?channel=1")
    with closing(source.frames()) as frames:
        shapes = [next(frames).shape for _ in range(3)]
    assert shapes == [(120, 160, 3)] * 3
    here = f"rtsp://{camera.place}/live"
    assert {one for one in camera.asked if here not in one} == set()
    assert "hu" not in source.name + "".join(camera.asked) + "".join(capfd.readouterr())


@pytest.mark.parametrize("guarded", ["Basic", "Digest"])
@pytest.mark.parametrize(
    ("who", "said", "times"), [("anna:wrong@", "does not take", 2), ("", "asks for a name", 1)], ids=["wrong", "none"]
)
def test_who_is_not_let_in_is_told_why_and_never_the_password(
    who: str, said: str, times: int, guarded: str, start: Callable[..., RtspCamera]
) -> None:
    camera = start(guarded=guarded)
    with pytest.raises(SourceLostError, match=said) as caught:
        next(source_from(f"rtsp://{who}{camera.place}/live").frames())
    assert "wrong" not in str(caught.value)
    assert len([one for one in camera.asked if one.startswith("DESCRIBE")]) == times


@pytest.mark.parametrize("status", ["301", "302", "303", "307"])
@pytest.mark.parametrize("kind", ["rtsp://{}/x", "rtsp://localhost:{port}/x", "http://{}/x", "file:///etc/passwd"])
def test_an_rtsp_camera_leads_to_no_other_address(
    status: str, kind: str, start: Callable[..., RtspCamera], capfd: pytest.CaptureFixture[str]
) -> None:
    other = start()
    camera = start(away=f"{status} {kind.format(other.place, port=other.place.split(':')[1])}")
    with pytest.raises(SourceLostError, match=r"^rtsp://[\d.:]+ leads to another address$"):
        next(Network(f"rtsp://anna:hush@{camera.place}/live", 2.0, 2.0).frames())
    assert other.asked == []
    assert "hush" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "prefix", [b"HTTP/1.0 302 Away\r\n", b"\r$", b"RTSP/1.0 302 X\n", b" RTSP/1.0 302 X\r\n"], ids=repr
)
def test_what_is_no_rtsp_is_not_passed_on(prefix: bytes, start: Callable[..., RtspCamera]) -> None:
    camera = start(prefix=prefix)
    with pytest.raises(SourceLostError, match=r"leads to another|speaks no RTSP|does not answer"):
        next(Network(f"rtsp://{camera.place}/live", 2.0, 2.0).frames())
    assert [one.split()[0] for one in camera.asked] == ["OPTIONS"]


@pytest.mark.parametrize(
    "said",
    [
        b"RTSP/1.0 200 OK\r\nContent-Length: 4\r\nContent-Length: 400\r\n\r\nabcd",
        b"RTSP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        b"RTSP/1.0 200 OK\r\nContent-Length: -4\r\n\r\n",
        b"RTSP/1.0 200 OK\r\nA: b\rc\r\n\r\n",
        b"RTSP/1.0 200 OK\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
    ids=["two lengths", "long", "negative", "a break in a line", "no end", "http"],
)
def test_a_message_that_readers_may_take_differently_is_none(said: bytes) -> None:
    with pytest.raises(StrayError):
        list(messages(io.BufferedReader(io.BytesIO(said))))


def test_messages_and_packets_come_one_by_one() -> None:
    said = b"\r\n$\x00\x00\x03abcRTSP/1.0 200 OK\nCSeq : 7\r\ncontent-length: 2\r\n\r\nhi$\x01\x00\x00"
    told = list(messages(io.BufferedReader(io.BytesIO(said))))
    assert [one.to_bytes() for one in told] == [
        b"$\x00\x00\x03abc",
        b"RTSP/1.0 200 OK\r\nCSeq: 7\r\ncontent-length: 2\r\n\r\nhi",
        b"$\x01\x00\x00",
    ]


def test_only_one_reader_is_let_in(start: Callable[..., RtspCamera]) -> None:
    import socket

    relay = Relay(f"rtsp://{start().place}/live", 2.0, 2.0)
    place = ("127.0.0.1", int(relay.url.split(":")[2].split("/")[0]))
    with socket.create_connection(place, 2.0) as first:
        first.sendall(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
        assert first.recv(17) == b"RTSP/1.0 200 OK\r\n"
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(place, 2.0)
    relay.close()
