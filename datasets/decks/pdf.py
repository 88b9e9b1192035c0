"""A PDF of pages with pictures, lines and words, true to the mm.

Frame: mm from the page's top-left, x right, y down.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from pathlib import Path

import cv2

from decks.picture import Image

POINTS_PER_MM = 72 / 25.4
JPEG_QUALITY = 93  # no ringing to be seen round flat paper at arm's length
ROUND = 4 * (math.sqrt(2) - 1) / 3  # a quarter circle as a Bézier curve


class Page:
    """One page under work."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        """Start with an empty page."""
        self.width_mm, self.height_mm = width_mm, height_mm
        self.pictures: set[int] = set()
        self._marks: list[str] = []

    def picture(self, number: int, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> None:
        """Lay a picture of the document, its top-left at (x, y)."""
        self.pictures.add(number)
        place = " ".join(_points(v) for v in (width_mm, 0, 0, height_mm, x_mm, self.height_mm - y_mm - height_mm))
        self._marks.append(f"q {place} cm /P{number} Do Q")

    def line(self, x_mm: float, y_mm: float, to_x_mm: float, to_y_mm: float, width_mm: float = 0.15) -> None:
        """Draw a black line."""
        self._marks.append(f"{_points(width_mm)} w {self._at(x_mm, y_mm)} m {self._at(to_x_mm, to_y_mm)} l S")

    def frame(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float, line_mm: float = 0.1) -> None:
        """Draw a thin gray rectangle."""
        size = f"{_points(width_mm)} {_points(height_mm)}"
        self._marks.append(f"q 0.6 G {_points(line_mm)} w {self._at(x_mm, y_mm + height_mm)} {size} re S Q")

    def shape(self, points_mm: Sequence[tuple[float, float]], fill: tuple[int, int, int]) -> None:
        """Fill an outline with a colour (BGR), a thin gray line round it."""
        first, *others = (self._at(x, y) for x, y in points_mm)
        path = f"{first} m " + "".join(f"{point} l " for point in others) + "h"
        self._marks.append(f"q 0.6 G {_points(0.1)} w {_paint(fill)} {path} B Q")

    def ring(self, x_mm: float, y_mm: float, radius_mm: float) -> None:
        """Draw a thin gray circle about (x, y)."""
        r, k = radius_mm, radius_mm * ROUND
        x, y = x_mm, y_mm
        turns = [((x + r, y - k), (x + k, y - r), (x, y - r)), ((x - k, y - r), (x - r, y - k), (x - r, y))]
        turns += [((x - r, y + k), (x - k, y + r), (x, y + r)), ((x + k, y + r), (x + r, y + k), (x + r, y))]
        path = f"{self._at(x + r, y)} m " + " ".join(" ".join(self._at(*p) for p in turn) + " c" for turn in turns)
        self._marks.append(f"q 0.6 G {_points(0.1)} w {path} S Q")

    def word(self, text: str, x_mm: float, y_mm: float, height_mm: float = 3.0, *, bold: bool = False) -> None:
        """Write a line of text, its foot at (x, y), `height_mm` the font's size. Letters outside Latin-1 become "?"."""
        safe = text.encode("latin-1", "replace").decode("latin-1")
        for sign in ("\\", "(", ")"):
            safe = safe.replace(sign, "\\" + sign)
        self._marks.append(
            f"BT /{'B' if bold else 'F'} {_points(height_mm)} Tf {self._at(x_mm, y_mm)} Td ({safe}) Tj ET"
        )

    def content(self) -> bytes:
        """Return the page's drawing."""
        return "\n".join(self._marks).encode("latin-1")

    def _at(self, x_mm: float, y_mm: float) -> str:
        return f"{_points(x_mm)} {_points(self.height_mm - y_mm)}"


class Document:
    """Pages and the pictures that lie on them; a picture is stored once, however often it is laid."""

    def __init__(self, title: str) -> None:
        """Start with no page."""
        self.title = title
        self.pages: list[Page] = []
        self._pictures: list[Image] = []

    def add_picture(self, image: Image) -> int:
        """Store a picture (BGR) and return its number."""
        self._pictures.append(image)
        return len(self._pictures) - 1

    def page(self, width_mm: float, height_mm: float) -> Page:
        """Add an empty page."""
        self.pages.append(Page(width_mm, height_mm))
        return self.pages[-1]

    def save(self, path: Path) -> None:
        """Write the file."""
        objects = self._objects()
        data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, body in enumerate(objects, 1):
            places.append(len(data))
            data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(data)
        table = "".join(f"{place:010d} 00000 n \n" for place in places)
        data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
        data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
        path.write_bytes(bytes(data))

    def _objects(self) -> list[bytes]:
        """Return the file's objects: catalogue, pages, two fonts, title; pictures; then two a page."""
        first_picture, first_page = 6, 6 + len(self._pictures)
        kids = " ".join(f"{first_page + 2 * k} 0 R" for k in range(len(self.pages)))
        title = self.title.encode("utf-16").hex()
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode(),
            _font("Helvetica"),
            _font("Helvetica-Bold"),
            f"<< /Title <{title}> >>".encode(),
            *(_picture(image) for image in self._pictures),
        ]
        for number, page in enumerate(self.pages):
            names = " ".join(f"/P{k} {first_picture + k} 0 R" for k in sorted(page.pictures))
            box = f"[0 0 {_points(page.width_mm)} {_points(page.height_mm)}]"
            fonts = "/Font << /F 3 0 R /B 4 0 R >>"
            resources = f"<< {fonts} /XObject << {names} >> >>"
            content = f"/Contents {first_page + 2 * number + 1} 0 R"
            objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources {resources} {content} >>".encode())
            objects.append(_stream(zlib.compress(page.content()), "/Filter /FlateDecode"))
        return objects


def _points(mm: float) -> str:
    return f"{mm * POINTS_PER_MM:.4f}"


def _paint(bgr: tuple[int, int, int]) -> str:
    return " ".join(f"{value / 255:.3f}" for value in reversed(bgr)) + " rg"


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _picture(image: Image) -> bytes:
    """Return a picture as the PDF stores it."""
    height, width = image.shape[:2]
    quality = [
        cv2.IMWRITE_JPEG_QUALITY,
        JPEG_QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    _, data = cv2.imencode(".jpg", image, quality)
    size = f"/Width {width} /Height {height} /ColorSpace /DeviceRGB /BitsPerComponent 8"
    return _stream(data.tobytes(), f"/Type /XObject /Subtype /Image {size} /Filter /DCTDecode")


def _stream(data: bytes, keys: str) -> bytes:
    return f"<< {keys} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"
