"""Who may ask: the Host header, the Origin of WebSockets, a header against CSRF, the token and its role."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

from fastapi.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSRF_HEADER = "x-safari-table"  # a page of another origin cannot set it without a preflight, which is never granted
COOKIE = "safari_table"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ROLES = ("viewer", "player", "host")
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
    "style-src 'self'; script-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
HOST_ONLY = ("/api/camera", "/api/diagnostics", "/api/decks", "/api/join")  # unsafe methods, and secrets
MOST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Access:
    """Names that the service answers to, and tokens by role; no tokens: whoever reaches it is the host."""

    hosts: frozenset[str] = LOOPBACK
    tokens: tuple[tuple[str, str], ...] = ()  # (role, token)

    def role(self, presented: str | None) -> str | None:
        """Return the role of a token, or None where it is unknown."""
        if not self.tokens:
            return "host"
        given = (presented or "").encode()
        return next((role for role, token in self.tokens if hmac.compare_digest(token.encode(), given)), None)


class Guard:
    """ASGI middleware that lets through what `Access` allows."""

    def __init__(self, app: ASGIApp, access: Access, most_bytes: int) -> None:
        """`most_bytes`: the longest body that is let in."""
        self.app = app
        self.access = access
        self.most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request, or refuse it in one line."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        token, asked = _token(scope, headers)
        role = self.access.role(token)
        refusal = self._refusal(scope, headers, role)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        scope.setdefault("state", {})["role"] = role
        cookie = token if asked and self.access.tokens and role is not None else None
        await self.app(scope, _bounded(receive, self.most_bytes), _with_headers(send, cookie))

    def _refusal(self, scope: Scope, headers: dict[str, str], role: str | None) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if hostname(host) not in self.access.hosts:
            return 421, f"this service does not answer to the name {host[:80]!r}"
        socket, method = scope["type"] == "websocket", scope.get("method", "GET")
        origin = headers.get("origin")
        if origin is not None and (socket or method not in SAFE_METHODS) and _place(origin) != host:
            return 403, "this request comes from another page"
        if not socket and method not in SAFE_METHODS and CSRF_HEADER not in headers:
            return 403, f"this request needs the header {CSRF_HEADER}"
        if role is None and _private(scope["path"]):
            return 401, "join by the code that the host's screen shows"
        return _role_refusal(scope["path"], method, role or "viewer")


def hostname(host: str) -> str:
    """Return a Host header's name without its port, in lower case; all of it where what follows is no port."""
    name, _, port = host.rpartition(":")
    is_port = port.isascii() and port.isdigit() and len(port) <= len(str(MOST_PORT)) and int(port) <= MOST_PORT
    return (name if name and is_port else host).lower()


def _place(origin: str) -> str | None:
    """Return an Origin header's name and port; None where it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _private(path: str) -> bool:
    return path.startswith(("/api/", "/ws/", "/samples/", "/openapi", "/docs", "/metrics"))


def _role_refusal(path: str, method: str, role: str) -> tuple[int, str] | None:
    rank = ROLES.index(role)
    if method not in SAFE_METHODS and rank < ROLES.index("player"):
        return 403, "viewers can only look on"
    host_only = path.startswith(HOST_ONLY) and (method not in SAFE_METHODS or path != "/api/decks")
    if host_only and rank < ROLES.index("host"):
        return 403, "only the host can do this"
    return None


def _token(scope: Scope, headers: dict[str, str]) -> tuple[str | None, bool]:
    """Return the presented token, and whether it came in the address (and so should become a cookie)."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    if "token" in query:
        return query["token"][0], True
    if headers.get("authorization", "").lower().startswith("bearer "):
        return headers["authorization"][7:], False
    cookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except Exception:  # http.cookies raises its own kind for a malformed header; no cookie then
        return None, False
    return (cookie[COOKIE].value, False) if COOKIE in cookie else (None, False)


def _bounded(receive: Receive, most_bytes: int) -> Receive:
    """Refuse a body as soon as it grows beyond `most_bytes`, with 413."""
    taken = 0

    async def wrapped() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if message["type"] == "http.request" and taken > most_bytes:
            raise HTTPException(413, f"at most {most_bytes // 2**20} MB can be sent")
        return message

    return wrapped


def _with_headers(send: Send, cookie: str | None) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra: Iterable[tuple[str, str]] = HEADERS.items()
            if cookie is not None:
                extra = [*extra, ("set-cookie", f"{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/")]
            message["headers"] = [*message.get("headers", ()), *((n.encode(), v.encode()) for n, v in extra)]
        await send(message)

    return wrapped


async def _refuse(scope: Scope, send: Send, status: int, line: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": line[:120]})
        return
    body = json.dumps({"error": line}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
