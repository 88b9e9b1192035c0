"""Random decks of printed faces, drawn squeezed to a square: what the recogniser learns to tell apart.

No deck of any game is copied. Pictures come from a folder of clip art that the training command names; signs,
numbers, counts, colours, shadings and frames are drawn here. Faces of one deck share their layout, and many differ
from a neighbour by one thing alone: these are the hard ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

SIDE_PX = 96  # faces are drawn at this size
ART_PX = 80  # longest side of a kept clip art picture
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)
FILLS = ("none", "full", "stripes", "tint", "dots", "hatch")
SHAPES = ("ellipse", "pill", "diamond", "star", "wave", "triangle", "cross", "drop")


def load_art(folder: Path, keep: slice | None = None) -> list[Image]:
    """Read all PNG pictures with transparency under a folder, trimmed, (h, w, 4), longest side at most ART_PX."""
    art = []
    for path in sorted(folder.rglob("*.png"))[keep or slice(None)]:
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
            art.append(np.ascontiguousarray(trimmed))
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


def colour(rng: Rng, vivid: float = 0.5) -> tuple[int, int, int]:
    """Draw a colour: any, or with probability `vivid` a saturated one."""
    if rng.random() < vivid:
        hsv = np.uint8([[[rng.integers(180), rng.integers(140, 256), rng.integers(110, 256)]]])
        b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
        return int(b), int(g), int(r)
    b, g, r = rng.integers(0, 256, 3)
    return int(b), int(g), int(r)


def deck(rng: Rng, art: Sequence[Image], faces: int) -> list[Image]:
    """Draw a random deck's faces, (SIDE_PX, SIDE_PX, 3) each; many are near twins."""
    kind = rng.choice(["pictures", "counted", "lettered", "patterned"], p=[0.52, 0.28, 0.12, 0.08])
    style = {"pictures": _pictures, "counted": _counted, "lettered": _lettered, "patterned": _patterned}[str(kind)]
    described = style(rng, len(art), faces)
    return [draw(face, art, rng) for face in described]


def _plain(rng: Rng) -> Face:
    """The part of a style that all faces of a deck share."""
    light = int(rng.integers(150, 256))
    paper = (light, light, light) if rng.random() < 0.5 else colour(rng, 0.2)
    return Face(
        frame=(255, 255, 255) if rng.random() < 0.5 else colour(rng),
        frame_width=float(rng.choice([0.0, rng.uniform(0.01, 0.04), rng.uniform(0.04, 0.11)])),
        ground=(paper, paper),
        main=None,
        colour=(0, 0, 0),
        fill="full",
        outline=0.0,
        count=1,
        spread=0.3,
        size=(0.6, 0.6),
        place=(0.5, 0.5),
        mirrored=False,
        signs=(),
        font=int(rng.choice(FONTS)),
        pattern=0,
    )


def _grounded(face: Face, rng: Rng) -> Face:
    top = colour(rng, 0.3)
    drift = rng.integers(-50, 51, 3)
    bottom = tuple(int(v) for v in np.clip(np.array(top) + drift, 0, 255))
    return replace(face, ground=(top, (bottom[0], bottom[1], bottom[2])))


def _sign_places(rng: Rng) -> list[tuple[float, float, float]]:
    size = float(rng.uniform(0.1, 0.2))
    near, far = size * 0.75, 1 - size * 0.75
    corners = [(near, near), (far, near), (near, far), (far, far), (0.5, far), (0.5, near)]
    rng.shuffle(corners)
    return [(x, y, size) for x, y in corners[: int(rng.integers(0, 5))]]


def _pictures(rng: Rng, art_count: int, faces: int) -> list[Face]:
    """A picture a face, on its own or a common ground, small signs and numbers in common places."""
    base, places = _plain(rng), _sign_places(rng)
    own_ground = rng.random() < 0.7
    ground = _grounded(base, rng)
    frames = [colour(rng) for _ in range(int(rng.integers(2, 7)))] if rng.random() < 0.5 else [base.frame]
    vocabularies = [
        [str(rng.integers(-2, 13)) for _ in range(4)]
        if rng.random() < 0.5
        else [int(i) for i in rng.integers(0, art_count, 4)]
        for _ in places
    ]
    ink = [(0, 0, 0), (255, 255, 255), (40, 220, 250), colour(rng)][int(rng.integers(4))]
    size = float(rng.uniform(0.35, 0.8))
    stretch = float(rng.choice([1.0, 1.0, 0.65, 1.5]))
    tall = (size, size * stretch) if stretch <= 1 else (size / stretch, size)
    place = (0.5, float(np.clip(rng.normal(0.5, 0.06), 0.4, 0.6)))
    if size > 0.6:
        place = (0.5, 0.5)
    described: list[Face] = []
    for _ in range(faces):
        if described and rng.random() < 0.25:
            described.append(_twin(described[int(rng.integers(len(described)))], rng, art_count))
            continue
        face = _grounded(base, rng) if own_ground else ground
        signs = tuple(
            Sign(x, y, s, words[int(rng.integers(len(words)))], ink)
            for (x, y, s), words in zip(places, vocabularies, strict=True)
            if rng.random() < 0.9
        )
        frame = frames[int(rng.integers(len(frames)))]
        described.append(
            replace(face, main=int(rng.integers(art_count)), size=tall, place=place, signs=signs, frame=frame)
        )
    return described


def _twin(face: Face, rng: Rng, art_count: int) -> Face:
    """Change one thing of a face."""
    change = int(rng.integers(6))
    if change == 0 and face.signs:
        k = int(rng.integers(len(face.signs)))
        old = face.signs[k].picture
        new: int | str = str(rng.integers(0, 10)) if isinstance(old, str) else int(rng.integers(art_count))
        return replace(face, signs=(*face.signs[:k], replace(face.signs[k], picture=new), *face.signs[k + 1 :]))
    if change == 1 and face.frame_width > 0.02:
        return replace(face, frame=colour(rng))
    if change == 2:
        return replace(face, mirrored=not face.mirrored)
    if change == 3:
        return _grounded(face, rng)
    if change == 4 and face.main is not None:
        return replace(face, count=1 + face.count % 3, spread=0.33, size=(face.size[0] * 0.6, face.size[1] * 0.6))
    return replace(face, main=int(rng.integers(art_count)))


def _counted(rng: Rng, art_count: int, faces: int) -> list[Face]:
    """Faces that differ only in number, colour, shape and shading."""
    base = _plain(rng)
    if rng.random() < 0.3:
        base = _grounded(base, rng)
    shapes: list[int | str] = [
        int(rng.integers(art_count)) if rng.random() < 0.12 else str(s) for s in rng.permutation(SHAPES)[:3]
    ]
    inks = [colour(rng, 0.85) for _ in range(3)]
    fills = [str(f) for f in rng.permutation(FILLS)[:3]] if rng.random() < 0.5 else ["none", "full", "stripes"]
    outline = float(rng.uniform(0.012, 0.04))
    height = float(rng.uniform(0.45, 0.85))
    slim = float(rng.uniform(0.12, 0.28))
    size, spread = (
        ((slim, height), float(rng.uniform(slim * 1.05, 0.31))) if rng.random() < 0.75 else ((0.27, 0.27), 0.31)
    )
    grid = [(n, k, s, f) for n in (1, 2, 3) for k in range(3) for s in range(3) for f in range(3)]
    chosen = [grid[i] for i in rng.permutation(len(grid))[:faces]]
    return [
        replace(base, main=shapes[s], colour=inks[k], fill=fills[f], count=n, outline=outline, size=size, spread=spread)
        for n, k, s, f in chosen
    ]


def _lettered(rng: Rng, art_count: int, faces: int) -> list[Face]:
    """Big letters or numbers in few colours, repeated small in the corners."""
    base = _plain(rng)
    inks = [colour(rng, 0.85) for _ in range(4)]
    coloured_ground = rng.random() < 0.5
    size = float(rng.uniform(0.3, 0.6))
    corner = float(rng.uniform(0.1, 0.16))
    described = []
    for i in rng.permutation(4 * 14)[:faces]:
        ink, text = inks[int(i) // 14], "0123456789JQKA"[int(i) % 14]
        signs = tuple(
            Sign(p, p, corner, text, (255, 255, 255) if coloured_ground else ink) for p in (corner, 1 - corner)
        )
        face = replace(base, ground=(ink, ink)) if coloured_ground else base
        described.append(
            replace(face, main=text, colour=(255, 255, 255) if coloured_ground else ink, size=(size, size), signs=signs)
        )
    return described


def _patterned(rng: Rng, art_count: int, faces: int) -> list[Face]:
    """Grounds full of one small picture, and pictures that fill the face."""
    described = []
    base = _plain(rng)
    for _ in range(faces):
        full = rng.random() < 0.5
        face = replace(_grounded(base, rng), main=int(rng.integers(art_count)))
        face = replace(face, size=(1.3, 1.3)) if full else replace(face, pattern=int(rng.integers(3, 7)))
        described.append(face)
    return described


def draw(face: Face, art: Sequence[Image], rng: Rng) -> Image:
    """Draw a face, (SIDE_PX, SIDE_PX, 3)."""
    ramp = np.linspace(0, 1, SIDE_PX, dtype=np.float32)[:, None, None]
    top, bottom = np.float32(face.ground[0]), np.float32(face.ground[1])
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
    canvas += alpha * np.float32(ink)


def _shape(canvas: Floats, face: Face, place: tuple[float, float]) -> None:
    """Draw a shape with its shading at four times the size, then shrink: thin lines stay thin."""
    fine = 4
    side = SIDE_PX * fine
    points = _outline(str(face.main)) * np.float32(face.size) * 0.5 + np.float32(place)
    contour = np.round(points * side).astype(np.int32)
    inside = np.zeros((side, side), dtype=np.uint8)
    cv2.fillPoly(inside, [contour], 255)
    shade = _shading(face.fill, side)
    mask = cv2.multiply(inside, shade, scale=1 / 255)
    cv2.polylines(mask, [contour], True, 255, max(1, round(face.outline * side)))
    alpha = cv2.resize(mask, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) / 255
    canvas *= 1 - alpha
    canvas += alpha * np.float32(face.colour)


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
