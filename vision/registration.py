"""Faces in the picture laid exactly onto their own references: the corners follow, whatever the frame and the table.

Edges alone cannot tell a frame's inner border from a piece's edge, and some edges are not to be seen at all (a green
frame on a green cloth). The deck's own picture of the face can: aligned with it, from coarse to fine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.alignment import Floats, Greys, Move, aligned, smoothed
from vision.ranks import median
from vision.threads import each

Image = npt.NDArray[np.uint8]
Way = Literal["rough", "rigid", "settled"]

REFERENCE_PX = 96
"""The shorter side at which faces are compared: enough to place a corner to a fifth of a px of a 1280 px frame."""
COARSEST = 4
"""So many px of the picture make one of the coarsest that is compared."""
MARGIN_SHARE = 0.16
"""How much of the surroundings is looked at, as a share of the shorter side."""
SOFTNESS_PX = 1.1
"""One σ of a photograph's own blur: a reference sharper than the picture it is laid onto comes out too small."""
INSET_SHARE = 0.03
"""How much of the reference's rim is left out: there a blurred picture shows the table as well."""
MIN_CORRELATION = 0.5
"""Below this the two do not show the same thing, or are too much hidden to be laid onto one another."""
SHARED = 8
"""So many faces are worth a thread of their own."""
STEPS: Mapping[Way, tuple[tuple[int, Move], ...]] = {
    "rough": ((4, "similar"), (2, "similar"), (1, "free")),
    "rigid": ((2, "rigid"), (1, "rigid")),
    "settled": ((2, "rigid"), (1, "rigid"), (1, "free")),
}
"""Of each way, at which share of the px and with which moves the faces are aligned, one after the other."""


@dataclass(frozen=True)
class Face:
    """A reference as it is laid on: grey (h, w) along the colours in which it varies most, `axis` (3,)."""

    grey: Greys
    axis: Greys


@dataclass(frozen=True)
class Registration:
    """Where a face lies. `corners_px`: (4, 2) in the reference's own order; `correlation`: 1 is a perfect match."""

    corners_px: Floats
    correlation: float


def grid(size_mm: tuple[float, float]) -> tuple[int, int]:
    """Return the width and height (px) at which pieces of a size are laid onto pictures."""
    scale = REFERENCE_PX / min(size_mm) / COARSEST
    return COARSEST * round(size_mm[0] * scale), COARSEST * round(size_mm[1] * scale)


def face(picture: Image) -> Face:
    """Prepare a reference (h, w, 3) of the grid's size."""
    flat = picture.reshape(-1, 3).astype(np.float32)
    flat -= flat.mean(axis=0)
    axis = np.linalg.eigh(flat.T @ flat)[1][:, -1]
    axis = (axis * (1.0 if axis.sum() >= 0 else -1.0)).astype(np.float32)
    return Face(_along(picture, axis), axis)


def lay(image: Image, quads_px: Floats, faces: Sequence[Face], way: Way = "rough") -> list[Registration | None]:
    """Lay faces of one size onto a picture, each starting from its corners (n, 4, 2) px, its top-left first.

    None where the two do not agree. `way`: "rigid" only shifts and turns: the quads already have the right shape, the
    plane being known; "settled" then lets them go; "rough" finds those that are off in size as well.
    """
    parts = max(1, min(2, len(faces) // SHARED))
    shares = [slice(len(faces) * k // parts, len(faces) * (k + 1) // parts) for k in range(parts)]
    laid = each(lambda share: _laid(image, quads_px[share], faces[share], way), shares if len(faces) else [])
    return [one for share in laid for one in share]


def register(image: Image, corners_px: Floats, reference: Image) -> Registration | None:
    """Lay one reference of any size onto a picture, as `lay` does."""
    quads_px = np.asarray(corners_px, float)[None]
    size = grid((float(reference.shape[1]), float(reference.shape[0])))
    small = cv2.resize(reference, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return lay(image, quads_px, [face(small)])[0]


def _laid(image: Image, quads_px: Floats, faces: Sequence[Face], way: Way) -> list[Registration | None]:
    height, width = faces[0].grey.shape
    margin = COARSEST * max(1, round(MARGIN_SHARE * min(width, height) / COARSEST))
    sides = _sides_px(quads_px)
    box = _box(width, height, margin)
    to_crop = [np.asarray(cv2.getPerspectiveTransform(quad, box), np.float64) for quad in quads_px.astype(np.float32)]
    size = width + 2 * margin, height + 2 * margin
    rows = zip(quads_px, to_crop, sides, faces, strict=True)
    seen = [_along(_crop(image, quad, to, side, size, min(width, height)), f.axis) for quad, to, side, f in rows]
    blurs = np.maximum(0.3, SOFTNESS_PX * min(width, height) / np.maximum(sides, 1.0))
    both = zip(faces, seen, blurs, strict=True)
    soft = [_softened(f.grey, crop, margin, float(blur)) for f, crop, blur in both]
    maps = np.tile(np.eye(3), (len(faces), 1, 1))
    maps[:, :2, 2] = margin
    found: list[Registration | None] = [None] * len(faces)
    starts = _box(width, height, 0).astype(float)
    for shrunk, move in STEPS[way]:
        maps, alike = _at(shrunk, seen, soft, maps, move)
        for k in np.flatnonzero(alike >= MIN_CORRELATION) if shrunk == 1 else ():
            corners = _moved(starts, np.linalg.inv(to_crop[k]) @ maps[k])
            found[k] = Registration(corners, float(alike[k])) if _sane(corners, quads_px[k]) else found[k]
    return found


def _at(shrunk: int, seen: Sequence[Greys], faces: Sequence[Greys], maps: Floats, move: Move) -> tuple[Floats, Floats]:
    """Align faces with crops, both shrunk; maps: (n, 3, 3) from face px to crop px, as they are before and after."""
    small = [np.stack([smoothed(_shrunk(grey, shrunk)) for grey in greys]) for greys in (seen, faces)]
    to_small = np.array([[1 / shrunk, 0, 0.5 / shrunk - 0.5], [0, 1 / shrunk, 0.5 / shrunk - 0.5], [0, 0, 1]])
    back = np.linalg.inv(to_small)
    inset = max(1, round(INSET_SHARE * min(small[1].shape[1:])))
    after, alike = aligned(small[0], small[1], to_small @ maps @ back, move, inset)
    return back @ after @ to_small, alike


def _softened(grey: Greys, crop: Greys, margin: int, blur_px: float) -> Greys:
    """Blur a face (h, w) as it lies in its crop, `margin` px from its sides: at its rim the table shines in."""
    half = margin // 2
    around = (crop[:half], crop[-half:], crop[half:-half, :half], crop[half:-half, -half:])
    table = float(median(np.concatenate([part.reshape(-1) for part in around])))
    reach = min(margin, int(np.ceil(3 * blur_px)))
    laid = cv2.copyMakeBorder(grey, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=table)
    return np.asarray(cv2.GaussianBlur(laid, (0, 0), blur_px)[reach:-reach, reach:-reach], np.float32)


def _shrunk(grey: Greys, by: int) -> Greys:
    size = grey.shape[1] // by, grey.shape[0] // by
    return grey if by == 1 else np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _along(picture: Image, axis: Greys) -> Greys:
    """Return a picture (h, w, 3) as grey (h, w), along a direction of colour."""
    return np.asarray(cv2.transform(picture.astype(np.float32), axis[None]), np.float32)


def _moved(corners: Floats, by: Floats) -> Floats:
    """Project corners (4, 2) by (3, 3)."""
    ends = corners @ by[:, :2].T + by[:, 2]
    return np.asarray(ends[:, :2] / ends[:, 2:], float)


def _sides_px(quads_px: Floats) -> Floats:
    """Return the shortest side of each quad (n, 4, 2)."""
    shortest: Floats = np.linalg.norm(np.roll(quads_px, -1, 1) - quads_px, axis=2).min(axis=1)
    return shortest


def _box(width: int, height: int, margin: int) -> npt.NDArray[np.float32]:
    """Return a grid's outer corners (4, 2), its pixels' centres being whole numbers."""
    x0, y0, x1, y1 = margin - 0.5, margin - 0.5, margin + width - 0.5, margin + height - 0.5
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _crop(
    image: Image, corners_px: Floats, to_crop: Floats, side_px: float, size: tuple[int, int], face_px: int
) -> Image:
    """Warp the surroundings of a quad, smoothed first where that shrinks them, its side `face_px` long then."""
    shrink = min(side_px, max(image.shape)) / face_px  # a quad may be far larger than the picture: it shows nothing
    source, offset = image, np.eye(3)
    if shrink > 1.3:
        low = np.maximum(np.floor(corners_px.min(0) - 0.4 * side_px), 0).astype(int)
        high = np.ceil(corners_px.max(0) + 0.4 * side_px).astype(int) + 1
        part = image[low[1] : high[1], low[0] : high[0]]
        if part.size:
            source = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * shrink), np.uint8)
            offset[:2, 2] = low
    crop = cv2.warpPerspective(source, to_crop @ offset, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def _sane(corners: Floats, before: Floats) -> bool:
    """Tell whether the quad kept its shape: convex, and no corner moved by over a quarter of a side."""
    edge, was = corners[[1, 2, 3, 0]] - corners, before[[1, 2, 3, 0]] - before
    after, far = edge[[1, 2, 3, 0]], corners - before
    turn = edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0]
    near = float((far**2).sum(axis=1).max()) < 0.25**2 * float((was**2).sum(axis=1).min())
    return bool(np.isfinite(corners).all() and (turn > 0).all() and near)
