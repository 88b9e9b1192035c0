"""Cut paper: shapes as outlines with a colour, laid one upon another with a soft shadow between them.

Frame of a drawing: x right, y down; a head fills the square from -1 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from decks.picture import Image

Outline = npt.NDArray[np.float64]
"""A closed outline, (n, 2), in the drawing's own units."""

COLOURS = {
    "ink": "#2a2522",
    "coal": "#45413f",
    "slate": "#6c7680",
    "fog": "#aab4bb",
    "snow": "#fbf9f2",
    "cream": "#fdeecb",
    "sand": "#f0c878",
    "honey": "#f2ab3a",
    "rust": "#c8612a",
    "brick": "#a8402c",
    "bark": "#7c4c2c",
    "cocoa": "#55341f",
    "tan": "#c99b66",
    "rose": "#f0a3a0",
    "coral": "#ee6a50",
    "leaf": "#5c9e54",
    "moss": "#7f8c3a",
    "pine": "#2f6b4f",
    "sky": "#86c5e0",
    "sea": "#2f7fa8",
    "night": "#2b3a67",
    "plum": "#6d4a80",
    "lilac": "#c3a5d6",
    "sun": "#ffd84d",
    "mint": "#b9dfc0",
    "dusk": "#f2b48c",
}
"""The papers of every deck: few, so that all sheets are one family."""


@dataclass(frozen=True)
class Shape:
    """One piece of paper. `lift`: how far it stands off what lies below, which sets its shadow; 0 is printed on."""

    outline: Outline
    colour: str
    lift: float = 1.0


Alpha = npt.NDArray[np.floating]
"""How much of a colour there is, (height, width), 0 to 1."""

Drawing = tuple[Shape, ...]
"""Shapes in the order in which they are laid."""


def bgr(colour: str) -> tuple[int, int, int]:
    """Return a paper's name or "#rrggbb" as BGR."""
    text = COLOURS.get(colour, colour)
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red


def mixed(colour: str, other: str, share: float) -> str:
    """Return `colour` with this share of `other`, as "#rrggbb"."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(bgr(colour), bgr(other), strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def oval(x: float, y: float, width: float, height: float, *, power: float = 2.0, taper: float = 0.0) -> Outline:
    """Return an oval about (x, y) with these half sides. `power` above 2 squares it; `taper` > 0 narrows its foot."""
    t = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    c, s = np.cos(t), np.sin(t)
    px = np.sign(c) * np.abs(c) ** (2 / power)
    py = np.sign(s) * np.abs(s) ** (2 / power)
    return np.stack([x + px * width * (1 - taper * py), y + py * height], axis=1)


def smooth(points: Sequence[tuple[float, float]]) -> Outline:
    """Return the closed curve through `points` (Catmull-Rom, twelve steps a span)."""
    p = np.asarray(points, float)
    a, b, c, d = (np.roll(p, k, axis=0)[:, None] for k in (1, 0, -1, -2))
    t = np.linspace(0, 1, 12, endpoint=False)[None, :, None]
    curve = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    return np.asarray(curve.reshape(-1, 2), float)


def sharp(points: Sequence[tuple[float, float]]) -> Outline:
    """Return the polygon with these corners."""
    return np.asarray(points, float)


def ribbon(points: Sequence[tuple[float, float]], widths: Sequence[float]) -> Outline:
    """Return the band along the smooth open curve through `points`, with these half widths (spread evenly along it)."""
    p = np.asarray(points, float)
    p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.linspace(0, 1, 12, endpoint=False)[None, :, None]
    a, b, c, d = (p[k : len(p) - 3 + k][:, None] for k in range(4))
    line = (b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))).reshape(-1, 2)
    line = np.concatenate([line, p[-2:-1]])
    along = np.gradient(line, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(
        np.linalg.norm(along, axis=1, keepdims=True), 1e-9
    )
    half = np.interp(np.linspace(0, 1, len(line)), np.linspace(0, 1, len(widths)), widths)[:, None]
    return np.concatenate([line + normal * half, (line - normal * half)[::-1]])


def hole(outer: Outline, inner: Outline) -> Outline:
    """Return `outer` with `inner` cut out of it."""
    return np.concatenate([outer, outer[:1], inner[::-1], inner[-1:], outer[:1]])


def fringe(y: float, radius: float, depth: float, count: int, *, soft: bool = False) -> Outline:
    """Return a round shape about (0, y) with `count` points (or soft lobes) of this depth."""
    if soft:
        t = np.linspace(0, 2 * math.pi, count * 12, endpoint=False)
        r = radius - depth * (1 - np.abs(np.sin(t * count / 2)))
    else:
        t = np.linspace(0, 2 * math.pi, count * 2, endpoint=False)
        r = np.asarray(radius - depth * (np.arange(count * 2) % 2), float)
    return np.stack([r * np.sin(t), y - r * np.cos(t)], axis=1)


def mirrored(shapes: Iterable[Shape]) -> Drawing:
    """Return the shapes and their mirror images across x = 0."""
    own = tuple(shapes)
    return own + tuple(Shape(s.outline * (-1, 1), s.colour, s.lift) for s in own)


def moved(shapes: Iterable[Shape], x: float, y: float, scale: float = 1.0, turn_deg: float = 0.0) -> Drawing:
    """Return the shapes scaled, turned clockwise and moved, in this order."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    turn = np.array([[c, s], [-s, c]]) * scale
    return tuple(Shape(shape.outline @ turn + (x, y), shape.colour, shape.lift * scale) for shape in shapes)


class Sheet:
    """A picture under work: paper of one colour on which shapes are laid. Units of shapes: `unit_px` px each."""

    FINE = 3  # drawn this much larger than it is kept, so that edges are smooth
    SHADOW = 0.34  # how dark a shadow is

    def __init__(self, width_px: int, height_px: int, ground: str) -> None:
        """Start with an empty sheet."""
        self.width_px, self.height_px = width_px, height_px
        self._pixels = np.empty((height_px, width_px, 3), np.float32)
        self._pixels[:] = bgr(ground)

    def lay(self, shapes: Iterable[Shape], x_px: float, y_px: float, unit_px: float) -> None:
        """Lay the shapes with their origin at (x_px, y_px)."""
        for shape in shapes:
            self._lay_one(shape.outline * unit_px + (x_px, y_px), bgr(shape.colour), shape.lift * unit_px * 0.03)

    def picture(self) -> Image:
        """Return what the sheet shows, BGR."""
        return np.asarray(np.clip(self._pixels + 0.5, 0, 255), np.uint8)

    def blend(self, alpha: Alpha, colour: tuple[int, int, int], x_px: int = 0, y_px: int = 0) -> None:
        """Blend a colour in where `alpha` (h, w), 0 to 1, laid at (x_px, y_px), says; what is off the sheet is lost."""
        top, left = max(y_px, 0), max(x_px, 0)
        part = alpha[top - y_px : max(self.height_px - y_px, 0), left - x_px : max(self.width_px - x_px, 0), None]
        view = self._pixels[top : top + part.shape[0], left : left + part.shape[1]]
        view += (np.asarray(colour, np.float32) - view) * part

    def _lay_one(self, outline_px: Outline, colour: tuple[int, int, int], lift_px: float) -> None:
        """Lay one outline, its shadow first."""
        edge = math.ceil(4 * lift_px) + 2
        low = np.floor(outline_px.min(axis=0)).astype(int) - edge
        high = np.ceil(outline_px.max(axis=0)).astype(int) + edge
        low, high = np.maximum(low, -edge), np.minimum(high, (self.width_px + edge, self.height_px + edge))
        width, height = (high - low).tolist()
        if width <= 0 or height <= 0:
            return
        fine = np.zeros((height * self.FINE, width * self.FINE), np.uint8)
        points = np.round((outline_px - low) * self.FINE * 16 - 8).astype(np.int32)
        cv2.fillPoly(fine, [points], 255, cv2.LINE_AA, 4)
        alpha = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        if lift_px > 0.05:
            shadow = cv2.GaussianBlur(alpha, (0, 0), max(lift_px, 0.3))
            self.blend(
                shadow * self.SHADOW,
                (38, 30, 34),
                int(low[0] + round(lift_px * 0.5)),
                int(low[1] + round(lift_px * 1.2)),
            )
        self.blend(alpha, colour, int(low[0]), int(low[1]))
