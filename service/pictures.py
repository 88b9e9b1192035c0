"""Bytes from outside → a picture, checked before a decoder sees them; and a picture → JPEG."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

Image = npt.NDArray[np.uint8]
"""BGR, uint8, (height, width, 3)."""

FORMATS = ("JPEG", "PNG", "WEBP")  # what phones and cameras make; everything else (SVG, EPS, TIFF …) stays outside
MAX_BYTES = 24 * 2**20  # a 50-megapixel phone photograph is about 20 MB
MAX_PIXELS = 64_000_000  # decoded: 192 MB; a small file may claim far more
MIN_SIDE_PX = 32  # less shows no table
READ_SIDE_PX, TABLE_SIDE_PX, STASH_SIDE_PX = 4096, 2560, 1920
"""A picture is shrunk to so many px: an uploaded one that is read once, a table; any one of a player's coins and
research tiles. To read 64 megapixels takes minutes, and shows nothing more."""


class PictureError(ValueError):
    """A picture that cannot be used; the message is one line: what, why, and what to do."""


def load(path: Path) -> Image:
    """Decode a picture file, of which no more is read than a picture may have; PictureError, OSError."""
    _check_length(path.stat().st_size)
    with path.open("rb") as file:
        return decode(file.read(MAX_BYTES + 1))


def decode(data: bytes, most_side_px: int | None = None) -> Image:
    """Decode a JPEG, PNG or WebP, its EXIF turn applied; PictureError where it cannot be used.

    `most_side_px`: a picture whose longer side exceeds it is shrunk to that.
    """
    if not data:
        raise PictureError("the picture is empty: choose a JPEG, PNG or WebP file")
    _check_length(len(data))
    width, height = _claimed_size(data)
    if width * height > MAX_PIXELS:
        raise PictureError(f"the picture has {width}×{height} px, at most {MAX_PIXELS // 10**6} megapixels can be read")
    if min(width, height) < MIN_SIDE_PX:
        raise PictureError(f"the picture has {width}×{height} px, at least {MIN_SIDE_PX} px a side are needed")
    longest = max(width, height)
    image = _pixels(data, next((f for f in REDUCED if most_side_px is not None and longest >= f * most_side_px), 1))
    return image if most_side_px is None else shrunk(image, most_side_px)


def _check_length(length: int) -> None:
    if length > MAX_BYTES:
        raise PictureError(f"the picture has {length / 2**20:.0f} MB, at most {MAX_BYTES // 2**20} MB can be read")


def _claimed_size(data: bytes) -> tuple[int, int]:
    """Return the (width, height) in px that the header claims; nothing is decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)  # judged by MAX_PIXELS instead
            with Pillow.open(io.BytesIO(data), formats=FORMATS) as picture:
                return picture.size
    except Pillow.DecompressionBombError:
        raise PictureError(f"the picture claims more than {MAX_PIXELS // 10**6} megapixels") from None
    except Exception:
        # Pillow's parsers raise many kinds for a broken header; each means the same here
        raise PictureError("this is no JPEG, PNG or WebP picture, or it is damaged: choose another file") from None


REDUCED = {8: cv2.IMREAD_REDUCED_COLOR_8, 4: cv2.IMREAD_REDUCED_COLOR_4, 2: cv2.IMREAD_REDUCED_COLOR_2}
"""How many times smaller a decoder can make a picture: a JPEG is then never held whole."""


def _pixels(data: bytes, smaller: int = 1) -> Image:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), REDUCED.get(smaller, cv2.IMREAD_COLOR))
    except cv2.error:
        image = None
    if image is None:
        raise PictureError("the picture is damaged or cut short: take or copy it again")
    return np.asarray(image, np.uint8)


def shrunk(image: Image, most_side_px: int) -> Image:
    """Return a picture whose longer side is at most `most_side_px`."""
    scale = most_side_px / max(image.shape[:2])
    if scale >= 1.0:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def jpeg(image: Image, quality: int = 80, max_side_px: int | None = None) -> bytes:
    """Encode a picture as JPEG, made smaller first where its longer side exceeds `max_side_px`."""
    height, width = image.shape[:2]
    image = image if max_side_px is None else shrunk(image, max_side_px)
    done, buffer = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PictureError(f"a picture of {width}×{height} px cannot be written as JPEG")
    return buffer.tobytes()
