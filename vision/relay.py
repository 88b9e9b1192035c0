"""The way to an RTSP camera: one connection, to the address that was given; where the camera leads elsewhere, it ends.

FFmpeg follows an RTSP redirect to whatever address it names, and has no option against that. So it is given a socket of
this machine, behind which every answer of the camera is looked at before it is passed on. The camera's name and
password stay here: FFmpeg never has them.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from io import BufferedReader
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

PORTS = {"rtsp": 554, "rtsps": 322}
HERE = "127.0.0.1"
MOST_HEAD, MOST_BODY = 64 * 1024, 1024 * 1024  # bytes; a description of a stream has a few thousand
FIRST = re.compile(rb"(?:RTSP/\d\.\d [1-9]\d\d[ -~]*|[A-Z_]+ [!-~]+ RTSP/\d\.\d)\r?\n")
HEADER = re.compile(rb"([\w-]+)[ \t]*:[ \t]*([\t -~\x80-\xff]*)\r?\n")
MOVED = b"3"  # the first digit of every status that leads to another address
UNKNOWN = b"401"  # the status of a camera that wants to know who asks


class StrayError(Exception):
    """The camera says what cannot be passed on; one line without credentials."""


@dataclass(frozen=True)
class Message:
    """A request, an answer, or a packet of the stream (`first` is empty then, `body` all of it)."""

    first: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""

    def header(self, name: bytes) -> bytes:
        """Return a header's value, empty where there is none."""
        return next((value for known, value in self.headers if known.lower() == name), b"")

    @property
    def status(self) -> bytes:
        """The three digits of an answer; empty for all else."""
        return self.first.split()[1] if self.first.startswith(b"RTSP/") else b""

    def to_bytes(self) -> bytes:
        """Write it down again, in the one form that every reader takes alike."""
        if not self.first:
            return self.body
        lines = [self.first, *(name + b": " + value for name, value in self.headers), b"", b""]
        return b"\r\n".join(lines) + self.body


def messages(stream: BufferedReader) -> Generator[Message]:
    """Read RTSP, packets of the stream in between, until it ends. StrayError where it is neither."""
    while first := stream.peek(1)[:1]:
        if first == b"$":
            head = stream.read(4)
            yield Message(b"", (), head + stream.read(int.from_bytes(head[2:], "big")))
        elif first in b"\r\n":
            stream.read(1)
        else:
            yield _spoken(stream)


def _spoken(stream: BufferedReader) -> Message:
    first, headers, length = stream.readline(MOST_HEAD), [], 0
    if not FIRST.fullmatch(first):
        raise StrayError("speaks no RTSP")
    while (line := stream.readline(MOST_HEAD)) not in (b"\r\n", b"\n"):
        found = HEADER.fullmatch(line)
        length += len(line)
        if found is None or length > MOST_HEAD:
            raise StrayError("speaks no RTSP")
        headers.append((found[1], found[2]))
    sizes = {value for name, value in headers if name.lower() == b"content-length"} or {b"0"}
    size = sizes.pop()
    if sizes or not size.isdigit() or len(size) > len(str(MOST_BODY)) or int(size) > MOST_BODY:
        raise StrayError("says that it sends more than a camera has to say")
    return Message(first.rstrip(b"\r\n"), tuple(headers), stream.read(int(size)))


@dataclass
class Credentials:
    """A name and a password, and how the camera wants to be told them."""

    name: str
    password: str
    challenge: bytes = b""
    tried: set[bytes] = field(default_factory=set)  # the numbers of the requests that were sent again with them

    def signed(self, request: Message) -> Message:
        """Return a request with what the camera wants; as it was where it wants nothing."""
        if not self.challenge or not request.first or request.status:
            return request
        method, uri = request.first.decode("latin-1").split()[:2]
        said = self._digest(method, uri) if self.challenge.lower().startswith(b"digest") else self._basic()
        return Message(request.first, (*request.headers, (b"Authorization", said.encode())), request.body)

    def _basic(self) -> str:
        return "Basic " + b64encode(f"{self.name}:{self.password}".encode()).decode()

    def _digest(self, method: str, uri: str) -> str:
        """Answer a challenge as RFC 2069 has it, which every camera takes."""
        asked = dict(re.findall(r'(\w+)="([^"]*)"', self.challenge.decode("latin-1")))
        realm, nonce = asked.get("realm", ""), asked.get("nonce", "")
        whole = f"{_md5(f'{self.name}:{realm}:{self.password}')}:{nonce}:{_md5(f'{method}:{uri}')}"
        told = {"username": self.name, "realm": realm, "nonce": nonce, "uri": uri, "response": _md5(whole)}
        return "Digest " + ", ".join(f'{key}="{value}"' for key, value in told.items())


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()  # what RTSP cameras ask for


class Relay:
    """Connects to one camera, and lets one reader of this machine speak with it at `url`."""

    def __init__(self, url: str, open_s: float, read_s: float) -> None:
        """Connect. OSError where nothing answers in `open_s` seconds; `read_s`: a silent camera is given up then."""
        parts = urlsplit(url)
        self.stray = ""  # why the camera was left, where it said what cannot be passed on
        self._theirs = f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2]}".encode()
        self._secret = Credentials(unquote(parts.username or ""), unquote(parts.password or ""))
        self._camera = _connected(parts, open_s)
        self._camera.settimeout(read_s)
        self._door = socket.create_server((HERE, 0))
        self._door.settimeout(open_s)
        place = f"{HERE}:{self._door.getsockname()[1]}"
        self._ours = f"rtsp://{place}".encode()
        self.url = urlunsplit(("rtsp", place, parts.path, parts.query, ""))
        self._asked: dict[bytes, Message] = {}
        self._writing = threading.Lock()
        self._reader: socket.socket | None = None
        threading.Thread(target=self._run, name="relay", daemon=True).start()

    def close(self) -> None:
        """End it all."""
        for one in (self._door, self._camera, self._reader):
            if one is not None:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()

    def _run(self) -> None:
        """Let the reader in, nobody after it, and pass on what is said until one of the two leaves."""
        try:
            self._reader, _ = self._door.accept()
            self._door.close()
            threading.Thread(target=self._pass, args=(self._ask, self._reader), daemon=True).start()
            self._pass(self._answer, self._camera)
        except OSError:
            self.close()

    def _pass(self, on: Callable[[Message], None], source: socket.socket) -> None:
        try:
            with source.makefile("rb") as stream:
                for message in messages(stream):
                    on(message)
        except StrayError as error:
            self.stray = str(error)
        except (OSError, ValueError):  # ValueError: closed from this side
            pass
        finally:
            self.close()

    def _ask(self, message: Message) -> None:
        """Pass a request on, under the camera's own address."""
        first = message.first.replace(self._ours, self._theirs)
        request = Message(first, message.headers, message.body)
        with self._writing:
            self._asked = {request.header(b"cseq"): request} if first else self._asked
            self._camera.sendall(self._secret.signed(request).to_bytes())

    def _answer(self, message: Message) -> None:
        """Pass an answer on, unless it leads away or asks for the password."""
        if message.status.startswith(MOVED):
            raise StrayError("leads to another address")
        if message.status == UNKNOWN:
            self._ask_again(message)
        elif self._reader is not None:
            self._reader.sendall(message.to_bytes())

    def _ask_again(self, refusal: Message) -> None:
        """Send a request again with name and password, as the camera wants to be told them."""
        number = refusal.header(b"cseq")
        if not self._secret.name:
            raise StrayError("asks for a name and a password: rtsp://NAME:PASSWORD@…")
        if number in self._secret.tried or number not in self._asked:
            raise StrayError("does not take this name and password")
        self._secret.tried.add(number)
        self._secret.challenge = _challenge(refusal)
        with self._writing:
            self._camera.sendall(self._secret.signed(self._asked[number]).to_bytes())


def _challenge(message: Message) -> bytes:
    """Return how the camera wants to be told who asks: rather as a digest, where it names two ways."""
    ways = [value for name, value in message.headers if name.lower() == b"www-authenticate"]
    return next((way for way in ways if way.lower().startswith(b"digest")), ways[0] if ways else b"")


def _connected(parts: SplitResult, open_s: float) -> socket.socket:
    """Connect; a camera at home signs its own certificate, so that it cannot be checked."""
    plain = socket.create_connection((parts.hostname, parts.port or PORTS[parts.scheme.lower()]), open_s)
    if parts.scheme.lower() != "rtsps":
        return plain
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain, server_hostname=parts.hostname)
