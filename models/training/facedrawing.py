"""How a random face is drawn: pictures, shapes with their shadings, letters, small signs, frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIDE_PX = 96  # faces are drawn at this size
ART_PX = 80  # longest side of a kept clip art picture
FILLS = ("none", "full", "stripes", "tint", "dots", "hatch")
SHAPES = ("ellipse", "pill", "diamond", "star", "wave", "triangle", "cross", "drop")


def load_art(folder: Path) -> list[Image]:
    """Read all PNG pictures with transparency under a folder, trimmed, (h, w, 4), longest side at most ART_PX."""
    art = []
    for path in sorted(folder.rglob("*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4 or picture.dtype != np.uint8:
            continue
        scale = 4 * ART_PX / max(picture.shape[:2])
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        x, y, width, height = cv2.boundingRect((picture[..., 3] > 20).astype(np.uint8))
        trimmed = picture[y : y + height, x : x + width]
        scale = ART_PX / max(width, height, 1)
        if scale < 1 and min(width, height) * scale >= 8:
            trimmed = cv2.resize(trimmed, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
        if min(trimmed.shape[:2]) >= 8:
            art.append(np.array(trimmed, dtype=np.uint8))
    return art


@dataclass(frozen=True)
class Sign:
    """A small mark at a place of the face: clip art, or text."""

    x: float  # of the side, the mark's centre
    y: float
    size: float
    picture: int | str  # index into the art, or the text
    colour: tuple[int, int, int]


@dataclass(frozen=True)
class Face:
    """One face as a description, so that a neighbour can be made by changing one thing."""

    frame: tuple[int, int, int]
    frame_width: float
    ground: tuple[tuple[int, int, int], tuple[int, int, int]]  # top and bottom
    main: int | str | None  # art index, shape name or text
    colour: tuple[int, int, int]  # of a shape or text
    fill: str
    outline: float
    count: int
    spread: float  # distance of several, of the side
    size: tuple[float, float]
    place: tuple[float, float]
    mirrored: bool
    signs: tuple[Sign, ...]
    font: int
    pattern: int  # 0 none, else that many a side: the back of a card


def draw(face: Face, art: Sequence[Image]) -> Image:
    """Draw a face, (SIDE_PX, SIDE_PX, 3)."""
    ramp = np.linspace(0, 1, SIDE_PX, dtype=np.float32)[:, None, None]
    top, bottom = np.array(face.ground[0], np.float32), np.array(face.ground[1], np.float32)
    canvas = np.ascontiguousarray(np.broadcast_to(top * (1 - ramp) + bottom * ramp, (SIDE_PX, SIDE_PX, 3)))
    if face.pattern and isinstance(face.main, int):
        step = 1 / face.pattern
        for row in range(face.pattern):
            for column in range(face.pattern):
                _paste(
                    canvas, art[face.main], ((column + 0.5) * step, (row + 0.5) * step), (step * 0.5, step * 0.5), False
                )
    elif face.main is not None:
        for k in range(face.count):
            x = face.place[0] + (k - (face.count - 1) / 2) * face.spread
            _main(canvas, face, art, (x, face.place[1]))
    for sign in face.signs:
        if isinstance(sign.picture, str):
            _text(canvas, sign.picture, (sign.x, sign.y), sign.size, sign.colour, face.font)
        else:
            _paste(canvas, art[sign.picture], (sign.x, sign.y), (sign.size, sign.size), False)
    border = round(face.frame_width * SIDE_PX)
    if border:
        cv2.rectangle(canvas, (0, 0), (SIDE_PX - 1, SIDE_PX - 1), face.frame, 2 * border - 1)
    return canvas.clip(0, 255).astype(np.uint8)


def _main(canvas: Floats, face: Face, art: Sequence[Image], place: tuple[float, float]) -> None:
    if isinstance(face.main, int):
        _paste(canvas, art[face.main], place, face.size, face.mirrored)
    elif face.main in SHAPES:
        _shape(canvas, face, place)
    elif face.main is not None:
        _text(canvas, face.main, place, face.size[1], face.colour, face.font)


def _paste(
    canvas: Floats, picture: Image, place: tuple[float, float], size: tuple[float, float], mirrored: bool
) -> None:
    """Lay a picture with transparency on the canvas, its own aspect kept within the box `size` before squeezing."""
    scale = SIDE_PX / max(picture.shape[:2])
    width = max(2, round(picture.shape[1] * scale * size[0]))
    height = max(2, round(picture.shape[0] * scale * size[1]))
    resized = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    if mirrored:
        resized = resized[:, ::-1]
    x0, y0 = round(place[0] * SIDE_PX - width / 2), round(place[1] * SIDE_PX - height / 2)
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = min(width, SIDE_PX - x0), min(height, SIDE_PX - y0)
    if right <= left or bottom <= top:
        return
    part = resized[top:bottom, left:right].astype(np.float32)
    alpha = part[..., 3:] / 255
    target = canvas[y0 + top : y0 + bottom, x0 + left : x0 + right]
    target *= 1 - alpha
    target += part[..., :3] * alpha


def _text(
    canvas: Floats, text: str, place: tuple[float, float], size: float, ink: tuple[int, int, int], font: int
) -> None:
    scale = size * SIDE_PX / 21  # a Hershey capital is 21 px tall at scale 1
    thick = max(1, round(size * SIDE_PX / 9))
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    glyph = np.zeros((SIDE_PX, SIDE_PX), dtype=np.uint8)
    at = (round(place[0] * SIDE_PX - width / 2), round(place[1] * SIDE_PX + height / 2))
    cv2.putText(glyph, text, at, font, scale, 255, thick, cv2.LINE_AA)
    alpha = glyph[..., None].astype(np.float32) / 255
    canvas *= 1 - alpha
    canvas += alpha * np.array(ink, np.float32)


def _shape(canvas: Floats, face: Face, place: tuple[float, float]) -> None:
    """Draw a shape with its shading at four times the size, then shrink: thin lines stay thin."""
    fine = 4
    side = SIDE_PX * fine
    points = _outline(str(face.main)) * np.array(face.size, np.float32) * 0.5 + np.array(place, np.float32)
    contour = np.round(points * side).astype(np.int32)
    inside = np.zeros((side, side), dtype=np.uint8)
    cv2.fillPoly(inside, [contour], 255)
    shade = _shading(face.fill, side)
    mask = cv2.multiply(inside, shade, scale=1 / 255)
    cv2.polylines(mask, [contour], True, 255, max(1, round(face.outline * side)))
    alpha = cv2.resize(mask, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
    canvas *= 1 - alpha
    canvas += alpha * np.array(face.colour, np.float32)


def _shading(fill: str, side: int) -> Image:
    rows, columns = np.arange(side, dtype=np.int32)[:, None], np.arange(side, dtype=np.int32)[None, :]
    period = side // 32
    patterns = {
        "none": np.zeros((side, side), dtype=bool),
        "full": np.ones((side, side), dtype=bool),
        "stripes": np.broadcast_to(rows % period < period * 0.4, (side, side)),
        "hatch": (rows + columns) % (period * 2) < period * 0.7,
        "dots": (rows % (2 * period) < period) & (columns % (2 * period) < period),
    }
    if fill == "tint":
        return np.full((side, side), 90, dtype=np.uint8)
    return patterns[fill].astype(np.uint8) * 255


def _outline(shape: str) -> Floats:
    """Return a shape's outline in [-1, 1]², (n, 2)."""
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    sin, cos = np.sin(t), np.cos(t)
    outlines = {
        "ellipse": np.stack([cos, sin], 1),
        "pill": np.stack([np.sign(cos) * np.abs(cos) ** 0.7, np.sign(sin) * np.abs(sin) ** 0.35], 1),
        "diamond": np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]),
        "star": np.stack([np.cos(t), np.sin(t)], 1) * (0.65 + 0.35 * np.cos(5 * t))[:, None],
        "wave": np.stack(
            [0.55 * np.sign(cos) * np.abs(cos) ** 0.7 + 0.45 * np.sin(3 * sin), np.sign(sin) * np.abs(sin) ** 0.5], 1
        ),
        "triangle": np.array([[0, -1], [1, 1], [-1, 1]]),
        "cross": np.array(
            [
                [-0.4, -1],
                [0.4, -1],
                [0.4, -0.4],
                [1, -0.4],
                [1, 0.4],
                [0.4, 0.4],
                [0.4, 1],
                [-0.4, 1],
                [-0.4, 0.4],
                [-1, 0.4],
                [-1, -0.4],
                [-0.4, -0.4],
            ]
        ),
        "drop": np.stack([cos * (0.5 + 0.5 * sin), sin], 1),
    }
    return outlines[shape].astype(np.float32)
