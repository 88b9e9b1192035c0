"""One picture on disk, read with care: nothing is decoded before its format and size are known."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageOps

from decks.error import DeckError

Image = npt.NDArray[np.uint8]
"""BGR, uint8, (height, width, 3)."""

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
FORMATS = ("PNG", "JPEG", "WEBP")
MAX_FILE_BYTES = 40_000_000  # a 50 megapixel JPEG stays below it
MAX_PIXELS = 60_000_000  # 180 MB once decoded: the largest phone cameras, and no bomb
MAX_CLEAR_PIXELS = 16_000_000  # likewise of one that is clear in places, or in odd colours: it takes four times that
MIN_SIDE_PX = 12  # less holds no face


def read(path: Path) -> Image:
    """Read a png, jpg or webp, turned as its EXIF says, laid on white where clear; DeckError where it cannot be."""
    try:
        size_bytes = path.stat().st_size
        if size_bytes > MAX_FILE_BYTES:
            raise DeckError(f"{path}: {size_bytes:,} bytes, at most {MAX_FILE_BYTES:,}: save it smaller")
        data = path.read_bytes()
    except OSError as error:
        raise DeckError(f"{path}: cannot be read ({error.strerror}): check the file") from error
    try:
        return decode(data)
    except DeckError as error:
        raise DeckError(f"{path}: {error}") from error


def decode(data: bytes) -> Image:
    """Decode a png, jpg or webp as `read` does; DeckError says what is wrong and what to do."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PillowImage.DecompressionBombWarning)
        try:
            with PillowImage.open(io.BytesIO(data), formats=FORMATS) as header:
                _check_size(*header.size)
                plain = header.mode in ("RGB", "L", "P") and "transparency" not in header.info
                image = _decoded(data) if plain else None
                return _flattened(header) if image is None else image
        except DeckError:
            raise
        except (PillowImage.DecompressionBombError, PillowImage.DecompressionBombWarning) as error:
            raise DeckError(f"too many pixels: at most {MAX_PIXELS:,}: save it smaller") from error
        except (OSError, ValueError, SyntaxError, cv2.error) as error:
            raise DeckError("not a whole png, jpg or webp picture: save it again") from error


def write(path: Path, image: Image) -> None:
    """Write a BGR picture as the suffix of `path` says; its name may hold any letters."""
    done, data = cv2.imencode(path.suffix, image)
    if not done:
        raise DeckError(f"{path}: cannot be written as {path.suffix}")
    path.write_bytes(data.tobytes())


def size_px(path: Path) -> tuple[int, int]:
    """Return a picture's (width, height) as its head claims them, nothing decoded; (0, 0) where it claims none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PillowImage.DecompressionBombWarning)
            with PillowImage.open(path, formats=FORMATS) as header:
                return header.size
    except (OSError, ValueError, SyntaxError, PillowImage.DecompressionBombError):
        return 0, 0


def _check_size(width_px: int, height_px: int, most: int = MAX_PIXELS) -> None:
    if width_px * height_px > most:
        raise DeckError(f"{width_px}×{height_px} is too many pixels, at most {most:,}: save it smaller")
    if min(width_px, height_px) < MIN_SIDE_PX:
        raise DeckError(
            f"{width_px}×{height_px} px is too small, at least {MIN_SIDE_PX} a side: take it again from nearer"
        )


def _decoded(data: bytes) -> Image | None:
    """Decode with OpenCV, the faster of the two; None where it will not."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)


def _flattened(header: PillowImage.Image) -> Image:
    """Decode with Pillow: palettes, gray, transparency (laid on white)."""
    header.load()
    _check_size(*header.size, MAX_CLEAR_PIXELS)
    upright = ImageOps.exif_transpose(header)
    clear = upright.convert("RGBA")
    white = PillowImage.new("RGB", clear.size, "white")
    white.paste(clear, mask=clear.getchannel("A"))
    return np.ascontiguousarray(np.asarray(white)[..., ::-1])
