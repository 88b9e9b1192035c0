"""Masks for drawing: polygons with exact edges, blends and soft shadows on small patches."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from synth.textures import Image
from synth.things import Outline
from synth.view import Array, View

SHIFT = 4  # OpenCV draws polygons at 1/16 px
_GROWTH = 0.66  # px by which OpenCV's antialiased fill reaches beyond each edge (measured: 0.60 to 0.73 by direction)
_OVERLAP, _OVERLAP_POWER = 0.34, 0.7  # and so much farther where quads overlap every px; less, the longer they are
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in px, the last two outside."""
Mask = npt.NDArray[np.uint8]
"""How much of each pixel is covered, 0…255."""


def rounded(outline: Outline, radius: float) -> Outline:
    """Round a quadrilateral's corners; `radius` as a share of its shorter side, 0.5 on a square is a circle."""
    if radius <= 0:
        return outline
    steps = 8 if radius > 0.3 else 4
    right, down = outline[1] - outline[0], outline[3] - outline[0]
    shorter = min(np.hypot(*right), np.hypot(*down))
    turns = np.linspace(0, np.pi / 2, steps)
    points: list[Array] = []
    for corner in range(4):
        along, into = outline[(corner + 1) % 4] - outline[corner], outline[corner - 1] - outline[corner]
        a, b = (v * radius * shorter / max(float(np.hypot(*v)), 1e-9) for v in (along, into))
        points.extend(outline[corner] + b * (1 - np.sin(t)) + a * (1 - np.cos(t)) for t in turns)
    return np.array(points)


def frame(points: Array, margin: float, view: View) -> Box | None:
    """Return the clipped pixel box (x0, y0, x1, y1) around points, None where it is out of view."""
    low, high = points.min(0) - margin, points.max(0) + margin
    if not np.isfinite(low).all() or not np.isfinite(high).all():
        return None
    x0, y0 = int(max(0, np.floor(low[0]))), int(max(0, np.floor(low[1])))
    x1, y1 = int(min(view.width, np.ceil(high[0]) + 1)), int(min(view.height, np.ceil(high[1]) + 1))
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def coverage(box: Box, polygon: Array) -> Mask:
    """Cover each pixel by how far it lies within a convex polygon: exact to some hundredths of a pixel at the edges."""
    x0, y0, x1, y1 = box
    x, y = np.arange(x0, x1, dtype=np.float32), np.arange(y0, y1, dtype=np.float32)
    along = np.roll(polygon, -1, 0) - polygon
    length = np.hypot(along[:, 0], along[:, 1])
    clockwise = 1.0 if float(np.sum(polygon[:, 0] * along[:, 1] - polygon[:, 1] * along[:, 0])) > 0 else -1.0
    inside = np.full((y1 - y0, x1 - x0), 1.0, np.float32)
    for (px, py), (ax, ay), long in zip(polygon, along, length, strict=True):
        if long > 1e-6:
            nx, ny = -ay / long * clockwise, ax / long * clockwise
            by_row = (y - np.float32(py)) * np.float32(ny) + np.float32(0.5)
            np.minimum(inside, (x - np.float32(px)) * np.float32(nx) + by_row[:, None], out=inside)
    return np.asarray(np.clip(inside, 0, 1) * np.float32(255), np.uint8)


def stroke(place: Box, centre: Array, width: float, every: int = 1) -> Mask:
    """Fill a polyline's band of this width: each `every`th of its quads, which overlap, so that no seam shows."""
    step = np.diff(centre, axis=0)
    long = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-6)
    along = step / long[:, None]
    growth = _GROWTH + (_OVERLAP / max(float(long.mean()) * every, 1.0) ** _OVERLAP_POWER if len(long) > 1 else 0.0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1) * max(width / 2 - growth, 0.05)
    reach = along * (0.4 + width * 0.15)
    a, b = centre[:-1] - reach, centre[1:] + reach
    quads = np.stack([a + normal, b + normal, b - normal, a - normal], 1)[::every] - place[:2]
    points = np.clip(quads * (1 << SHIFT), -(2**24), 2**24).round().astype(np.int32)
    mask = np.zeros((place[3] - place[1], place[2] - place[0]), np.uint8)
    for quad in points:
        cv2.fillConvexPoly(mask, quad, 255, cv2.LINE_AA, SHIFT)
    return mask


def fill(box: Box, polygons: Sequence[Array]) -> Mask:
    """Fill convex polygons, fast and to about a tenth of a pixel."""
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for polygon in map(_inset, polygons):
        points = np.clip((polygon - (x0, y0)) * (1 << SHIFT), -(2**24), 2**24).round().astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, SHIFT)
    return mask


def _inset(polygon: Array) -> Array:
    """Move a convex polygon's edges inwards by what OpenCV adds, no farther than its middle."""
    middle = polygon.mean(0)
    along = np.roll(polygon, -1, 0) - polygon
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal *= np.sign(((middle - polygon) * normal).sum(1))[:, None]
    before = np.roll(normal, 1, 0)
    share = np.maximum(1 + (normal * before).sum(1), 0.3)[:, None]
    shift = (normal + before) / share * _GROWTH
    reach = np.hypot(*(middle - polygon).T)[:, None]
    longest = np.maximum(np.hypot(shift[:, 0], shift[:, 1])[:, None], 1e-6)
    return np.asarray(polygon + shift * np.minimum(1, 0.9 * reach / longest), float)


def blend(image: Image, box: Box, mask: Mask, colour: npt.ArrayLike, share: float = 1.0) -> None:
    """Mix a colour or patch into the picture (in place) where the mask says."""
    x0, y0, x1, y1 = box
    under = image[y0:y1, x0:x1]
    alpha = mask.astype(np.float32)[..., None] * np.float32(share / 255)
    over = np.asarray(colour, np.float32)
    image[y0:y1, x0:x1] = (under + (over - under) * alpha + 0.5).astype(np.uint8)


def darken(image: Image, box: Box, mask: Mask, share: float) -> None:
    x0, y0, x1, y1 = box
    keep = 1 - mask.astype(np.float32)[..., None] * np.float32(share / 255)
    image[y0:y1, x0:x1] = (image[y0:y1, x0:x1] * keep).astype(np.uint8)


def soften(mask: Mask, sigma: float) -> Mask:
    """Blur a mask; a wide blur is made on a shrunk copy, where it costs little."""
    if sigma < 3:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)
    height, width = mask.shape
    step = sigma / 1.5
    small = cv2.resize(mask, (max(1, round(width / step)), max(1, round(height / step))), interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.5), (width, height), interpolation=cv2.INTER_LINEAR), np.uint8
    )
