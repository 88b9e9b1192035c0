"""The demo's routes, and what the service refuses: hosts, origins, missing headers, tokens, roles, pictures."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from service import pictures
from service.app import create_app
from service.gallery import Sample, SampleError, samples
from service.guard import Access, hostname
from vision.weights import WeightsError

PAPER = "paper-safari"
Client = Any  # its class is imported in conftest.py, past a warning
HEADER = {"x-safari-table": "1"}


@pytest.fixture
def gallery(tmp_path: Path, eyes: Any, tables: Any) -> tuple[Sample, ...]:
    """Write two samples and read them back."""
    table = tables.paper_table(["fox", "meerkat", "zebra", "fox", "lion", "zebra"], ["back"] * 6)
    for name, made in (("plain", table), ("doubt", tables.doubtful(table, 4, ("lion", 0.6), ("leopard", 0.4)))):
        cv2.imwrite(str(tmp_path / f"{name}.png"), eyes.picture(PAPER, made))
        (tmp_path / f"{name}.toml").write_text(f'game = "{PAPER}"\ntitle = "A {name} table"\n')
    return samples(tmp_path)


@pytest.fixture
def client(eyes: Any, gallery: tuple[Sample, ...], make_client: Any) -> Client:
    """Return a client of the demo."""
    return make_client(create_app(eyes, samples=gallery))


class TestDemo:
    """The sample tables."""

    def test_samples_are_listed_and_read_once(self, client: Client, eyes: Any) -> None:
        listed = client.get("/api/samples").json()
        assert [(s["name"], s["title"]) for s in listed] == [("doubt", "A doubt table"), ("plain", "A plain table")]
        for _ in range(2):
            answer = client.get("/api/samples/plain/answer").json()
        assert (answer["game"], answer["certain"], len(answer["pieces"])) == (PAPER, True, 12)
        assert len(eyes.looked) == 1
        assert client.get("/samples/plain").headers["content-type"] == "image/png"

    def test_networks_that_are_not_there_are_told(
        self, client: Client, eyes: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def without(*given: Any) -> None:
            raise WeightsError("no weights detector.onnx: install the package again")

        monkeypatch.setattr(eyes, "look", without)
        told = client.get("/api/samples/plain/answer")
        assert (told.status_code, told.json()) == (
            503,
            {"error": "no weights detector.onnx: install the package again"},
        )

    def test_a_question_is_settled(self, client: Client) -> None:
        answer = client.get("/api/samples/doubt/answer").json()
        assert [q["piece"] for q in answer["questions"]] == [4]
        settled = client.get("/api/samples/doubt/answer?answer=4=leopard").json()
        assert (settled["certain"], settled["sheet"]["players"][0]["grid"][1][1]) == (True, "leopard")

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("/api/samples/none/answer", 404),
            ("/samples/..%2f..%2fsecret", 404),
            ("/api/samples/plain/answer?answer=4", 422),
            ("/api/samples/plain/answer?answer=4=unicorn", 422),
            ("/nowhere", 404),
            ("/web/../app.py", 404),
        ],
    )
    def test_what_is_not_there(self, path: str, status: int, client: Client) -> None:
        told = client.get(path)
        assert told.status_code == status
        assert "\n" not in told.json()["error"]

    def test_the_page_is_there(self, client: Client) -> None:
        page = client.get("/")
        assert "text/html" in page.headers["content-type"]
        assert "script-src 'self'" in page.headers["content-security-policy"]
        for path in ("/overlay", "/web/js/main.js", "/web/css/tokens.css", "/web/mark.svg", "/api/about"):
            assert client.get(path).status_code == 200

    def test_an_own_picture_is_read(self, client: Client, eyes: Any, tables: Any) -> None:
        image = eyes.picture(PAPER, tables.paper_table(["fox"] * 6))
        told = client.post(f"/api/read?game={PAPER}", content=pictures.jpeg(image, 95), headers=HEADER)
        assert (told.status_code, len(told.json()["pieces"])) == (200, 6)
        other = client.post("/api/read?game=string-safari", content=pictures.jpeg(image, 95), headers=HEADER)
        assert (other.status_code, other.json()["error"]) == (422, "looked for string-safari, found nothing")


def test_a_sample_without_its_picture_is_an_error(tmp_path: Path) -> None:
    assert samples(tmp_path) == ()
    (tmp_path / "a.toml").write_text('game = "paper-safari"')
    with pytest.raises(SampleError, match=r"a\.toml: no picture a\.jpg beside it"):
        samples(tmp_path)


def png(width: int, height: int, rows: int = 1) -> bytes:
    """Return a PNG whose header claims a size, with zeros for `rows` rows."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * rows * min(1 + 3 * width, 100_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def jpeg_of(width: int = 96, height: int = 64, exif_turn: int | None = None) -> bytes:
    """Return a JPEG, its left half red; `exif_turn`: the EXIF orientation."""
    image = Pillow.new("RGB", (width, height), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, width // 2, height))
    out = io.BytesIO()
    exif = Pillow.Exif()
    if exif_turn is not None:
        exif[0x0112] = exif_turn
    image.save(out, "JPEG", quality=95, exif=exif)
    return out.getvalue()


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'/>"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (SVG, "no JPEG, PNG or WebP"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n", "no JPEG, PNG or WebP"),
        (b"GIF89a" + SVG, "no JPEG, PNG or WebP"),
        (jpeg_of()[:300], "damaged"),
        (jpeg_of()[: len(jpeg_of()) // 2], "damaged"),
        (png(30_000, 30_000), "megapixels"),
        (png(2**31 - 1, 2**31 - 1), "megapixels"),
        (png(200, 200, rows=1), "damaged"),
        (png(8, 8, rows=8), "at least 32 px"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 200, "damaged"),
    ],
    ids=["empty", "svg", "eps", "polyglot", "head", "truncated", "bomb", "huge", "short rows", "tiny", "zeros"],
)
def test_a_picture_that_cannot_be_is_refused_in_one_line(data: bytes, said: str, client: Client) -> None:
    told = client.post(f"/api/read?game={PAPER}", content=data, headers=HEADER)
    assert told.status_code == 422
    assert said in told.json()["error"]
    assert "\n" not in told.json()["error"]


def test_an_upload_that_does_not_end_is_cut(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 2**20

    told = client.post(f"/api/read?game={PAPER}", content=endless(), headers=HEADER)
    assert (told.status_code, told.json()["error"]) == (413, "at most 24 MB can be sent")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:80", 200),
        ("127.0.0.1:8700", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("localhost:99999", 421),
        ("localhost:99999999999999999999", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_are_answered_to(host: str, status: int, client: Client) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == status


def test_a_name_is_taken_without_its_port() -> None:
    assert [hostname(h) for h in ("A.b:80", "a.b", "[::1]:8", "[::1]", "")] == ["a.b", "a.b", "[::1]", "[::1]", ""]
    assert [hostname(h) for h in ("a.b:²", "a.b:65536")] == ["a.b:²", "a.b:65536"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (HEADER, 422),
        ({}, 403),
        ({**HEADER, "origin": "http://evil.example"}, 403),
        ({**HEADER, "origin": "http://localhost"}, 422),
        ({**HEADER, "origin": "null"}, 403),
        ({**HEADER, "origin": "http://["}, 403),
    ],
    ids=["own header", "no header", "another page", "this page", "a sandbox", "no address"],
)
def test_other_pages_cannot_post(headers: dict[str, str], status: int, client: Client) -> None:
    assert client.post(f"/api/read?game={PAPER}", content=b"x", headers=headers).status_code == status


TOKENS = Access(frozenset({"localhost"}), (("host", "h-token"), ("player", "p-token"), ("viewer", "v-token")))


@pytest.mark.parametrize(
    ("token", "method", "path", "status"),
    [
        (None, "GET", "/", 200),
        (None, "GET", "/api/about", 401),
        ("wrong", "GET", "/api/about", 401),
        ("v-token", "GET", "/api/about", 200),
        ("v-token", "POST", "/api/read?game=paper-safari", 403),
        ("p-token", "POST", "/api/read?game=paper-safari", 422),
        ("p-token", "POST", "/api/camera", 403),
        ("p-token", "GET", "/api/join", 403),
        ("p-token", "GET", "/api/decks", 200),
        ("h-token", "POST", "/api/read?game=paper-safari", 422),
    ],
)
def test_a_token_says_what_one_may(
    token: str | None, method: str, path: str, status: int, eyes: Any, make_client: Any
) -> None:
    client = make_client(create_app(eyes, access=TOKENS))
    headers = {**HEADER, **({"authorization": f"Bearer {token}"} if token else {})}
    assert (
        client.request(method, path, headers=headers, content=b"x" if method == "POST" else None).status_code == status
    )


def test_a_token_in_the_address_becomes_a_cookie(eyes: Any, make_client: Any) -> None:
    client = make_client(create_app(eyes, access=TOKENS))
    joined = client.get("/?token=v-token")
    assert "HttpOnly; SameSite=Strict" in joined.headers["set-cookie"]
    assert client.get("/api/about").json()["role"] == "viewer"
    assert "set-cookie" not in client.get("/?token=wrong").headers


def test_a_picture_is_made_smaller_for_viewers() -> None:
    wide = np.zeros((500, 2000, 3), np.uint8)
    assert pictures.decode(pictures.jpeg(wide, 80, 1000)).shape == (250, 1000, 3)
    assert pictures.decode(pictures.jpeg(wide)).shape == (500, 2000, 3)
