"""From rough boxes to the plane and every piece's exact place, by the deck's own pictures and sizes.

Three passes: each box is named and laid onto its reference; the boxes that agree give the plane; with the plane known,
every piece is a rectangle of its known size, which is laid on again and at last fitted to the edges where they agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision import quads
from vision.crop import rectify
from vision.plane import Plane, lengthwise
from vision.recogniser import Naming, Recogniser
from vision.registration import Registration, register

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

CROP_PX = 96
"""The shorter side of the crops that are named."""
ROUGH_SHARE = 0.05
"""One σ of a rough box's corner, as a share of its side."""
LAID_SHARE = 0.02
"""One σ of a corner laid onto its reference before the plane is known."""
SIZE_TOLERANCE = 0.18
"""A piece whose sides differ by more than this share from the deck's is another thing."""
STRETCH = 1.45
"""A box this much longer, against its width, than the deck's cards is another kind of card."""
FRAME_LOG = 0.55
"""A box this far (log) from the deck's size may still be one of its pieces' inner frames."""
SNAP_SHARE = 0.09
"""How far a rectangle of known size slides to its edges, as a share of its side, where its face was not laid on."""
TURNS_TRIED_DEG = (0.0, 15.0, -15.0, 30.0, -30.0)
"""A box that took a picture inside a frame for the piece may be turned against it as well."""
SAME_PLACE = 0.35
"""Two finds nearer than this share of a side are one piece."""
WEAK_SCORE = 0.35
"""A box that the detector is less sure of than this counts only where it bears a face of the deck."""
RELIABLE = 0.75
"""A correlation with its reference from which a piece tells where the plane is."""
NAMED = 0.8
"""A box of another size must also be named this surely to be a piece after all."""
EDGE_SIGMA_PX = 0.7


@dataclass(frozen=True)
class Placed:
    """One piece of the deck's size. `corners_px`: (4, 2) from its printed top-left; `corners_mm` likewise, on the table."""

    corners_px: Floats
    corners_mm: Floats
    naming: Naming
    registration: Registration | None
    score: float
    sigma_px: float


@dataclass(frozen=True)
class Placing:
    """The plane, the pieces of the deck's size on it, and the boxes that are something else (m, 4, 2) px."""

    plane: Plane | None
    pieces: tuple[Placed, ...]
    others_px: Floats
    others_score: Floats


def place(
    image: Image,
    boxes_px: Floats,
    scores: Floats,
    size_mm: tuple[float, float],
    height_mm: float,
    recogniser: Recogniser,
    references: Mapping[str, Sequence[Image]],
) -> Placing:
    """Find the plane and the exact places of the boxes (n, 4, 2) px that are pieces of size `size_mm`."""
    boxes = quads.clockwise(np.asarray(boxes_px, float).reshape(-1, 4, 2))
    frame = (image.shape[1], image.shape[0])
    if len(boxes) == 0:
        return Placing(None, (), boxes, np.asarray(scores))
    namings, boxes = _named(image, _lengthwise_px(boxes, size_mm), recogniser, size_mm)
    laid = _laid(image, boxes, namings, references)
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(boxes), 2))
    plane = _plane(boxes, laid, sizes, frame, height_mm)
    if plane is None:
        return Placing(None, (), boxes, np.asarray(scores))
    corners = np.stack([r.corners_px if r else b for r, b in zip(laid, boxes, strict=True)])
    scores = np.asarray(scores)
    ours = _of_size(plane, corners, laid, sizes, height_mm)
    ours &= (scores >= WEAK_SCORE) | np.array([r is not None and r.correlation > RELIABLE for r in laid])
    ours, corners, laid = _resized(image, plane, boxes, ours, corners, laid, size_mm, height_mm, recogniser, references)
    keep = _distinct(corners, scores + ours, ours)
    others = ~ours & ~_covered(boxes, corners[keep])
    if not keep.any():
        return Placing(plane, (), boxes[others], scores[others])
    settled = _settled(
        image,
        plane,
        corners[keep],
        [laid[i] for i in np.flatnonzero(keep)],
        scores[keep],
        size_mm,
        height_mm,
        recogniser,
        references,
    )
    return replace(settled, others_px=boxes[others], others_score=scores[others])


def _resized(
    image: Image, plane: Plane, boxes: Floats, ours: npt.NDArray[np.bool_], corners: Floats, laid: list[Registration | None],
    size_mm: tuple[float, float], height_mm: float, recogniser: Recogniser, references: Mapping[str, Sequence[Image]],
) -> tuple[npt.NDArray[np.bool_], Floats, list[Registration | None]]:  # fmt: skip
    """Try boxes of another size anew as rectangles of the deck's: a box may have taken a frame's inside for the piece.

    Those that then bear a face of the deck beyond doubt are ours after all.
    """
    mm = plane.to_mm(boxes, height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    long, short = np.maximum(side[:, 0], side[:, 1]), np.minimum(side[:, 0], side[:, 1])
    like = (long / short < STRETCH * max(size_mm) / min(size_mm)) & (np.abs(np.log(short / min(size_mm))) < FRAME_LOG)
    again = np.flatnonzero(~ours & like)
    if len(again) == 0:
        return ours, corners, laid
    ours, corners, laid = ours.copy(), corners.copy(), list(laid)
    for turn_deg in TURNS_TRIED_DEG:
        open_ones = np.array([k for k in again if not ours[k]], int)
        if len(open_ones) == 0:
            break
        starts = lengthwise(_turned(mm[open_ones], turn_deg), np.tile(size_mm, (len(open_ones), 1)))
        for k, found in zip(
            open_ones, _tried(image, plane, starts, size_mm, height_mm, recogniser, references), strict=True
        ):
            if found is not None:
                ours[k], corners[k], laid[k] = True, found.corners_px, found
    return ours, corners, laid


def _tried(
    image: Image, plane: Plane, starts_mm: Floats, size_mm: tuple[float, float], height_mm: float, recogniser: Recogniser,
    references: Mapping[str, Sequence[Image]],
) -> list[Registration | None]:  # fmt: skip
    """Lay the deck's faces onto rectangles of its size near quads (n, 4, 2) mm; None where none fits beyond doubt."""
    n = len(starts_mm)
    sizes, heights = np.tile(np.asarray(size_mm, float), (n, 1)), np.full(n, height_mm)
    rects = quads.project(plane, planes.rectangles(starts_mm, sizes), heights)
    rects = quads.snap(image, plane, rects, sizes, heights, SNAP_SHARE)
    namings, rects = _named(image, rects, recogniser, size_mm)
    laid = _laid(image, rects, namings, references, rigid=True)
    return [
        found
        if found is not None and found.correlation > RELIABLE and name.label is not None and name.probability > NAMED
        else None
        for found, name in zip(laid, namings, strict=True)
    ]


def _turned(corners_mm: Floats, by_deg: float) -> Floats:
    """Turn each quad (n, 4, 2) mm about its own middle."""
    c, s = np.cos(np.radians(by_deg)), np.sin(np.radians(by_deg))
    middle = corners_mm.mean(axis=1, keepdims=True)
    turned: Floats = middle + (corners_mm - middle) @ np.array([[c, s], [-s, c]])
    return turned


def _covered(boxes: Floats, pieces: Floats) -> npt.NDArray[np.bool_]:
    """Tell which boxes (n, 4, 2) have their middle inside a piece (m, 4, 2): its own print."""
    inside = [
        any(cv2.pointPolygonTest(p.astype(np.float32), tuple(map(float, b.mean(0))), False) > 0 for p in pieces)
        for b in boxes
    ]
    covered: npt.NDArray[np.bool_] = np.array(inside, bool)
    return covered


def _settled(
    image: Image, plane: Plane, corners: Floats, laid: Sequence[Registration | None], scores: Floats, size_mm: tuple[float, float], height_mm: float,
    recogniser: Recogniser, references: Mapping[str, Sequence[Image]],
) -> Placing:  # fmt: skip
    """Lay all pieces on again with the plane known, refit it, and name them where they lie."""
    n = len(corners)
    sizes = np.broadcast_to(np.asarray(size_mm, float), (n, 2))
    heights = np.full(n, height_mm)
    frame = (image.shape[1], image.shape[0])
    rects = _rigid(plane, corners, sizes, heights)
    lost = np.array([r is None or r.correlation < RELIABLE for r in laid])
    if lost.any():
        rects[lost] = quads.snap(image, plane, rects[lost], sizes[lost], heights[lost], SNAP_SHARE)
    namings, rects = _named(image, rects, recogniser, size_mm)
    rigid = _laid(image, rects, namings, references, rigid=True)
    start = np.stack([r.corners_px if r else q for r, q in zip(rigid, rects, strict=True)])
    free = _laid(image, start, namings, references)
    best = [f or r for f, r in zip(free, rigid, strict=True)]
    laid_px = np.stack([r.corners_px if r else q for r, q in zip(best, start, strict=True)])
    plane, final, sigma = _refit(image, plane, laid_px, best, sizes, heights, frame)
    pieces = tuple(
        Placed(final[i], plane.to_mm(final[i], height_mm), namings[i], best[i], float(scores[i]), float(sigma[i]))
        for i in range(n)
    )
    return Placing(plane, pieces, np.zeros((0, 4, 2)), np.zeros(0))


def _refit(
    image: Image,
    plane: Plane,
    laid_px: Floats,
    laid: Sequence[Registration | None],
    sizes: Floats,
    heights: Floats,
    frame: tuple[int, int],
) -> tuple[Plane, Floats, Floats]:
    """Fit the plane anew to faces laid on and to edges, and take the one under which the pieces are truer rectangles."""
    side = np.linalg.norm(laid_px[:, 1] - laid_px[:, 0], axis=-1)
    noise = np.maximum(EDGE_SIGMA_PX, np.array([0.01 if r and r.correlation > RELIABLE else 0.06 for r in laid]) * side)
    by_faces = planes.fit(laid_px, sizes, frame, height_mm=float(heights[0]), noise_px=noise, near=plane) or plane
    rects = _rigid(by_faces, laid_px, sizes, heights)
    edges = quads.settle(image, rects)
    near = np.linalg.norm(edges.corners_px - rects, axis=-1).max(1) < np.maximum(2.0, 0.02 * side)
    good = near & edges.seen.all(1)
    mixed = np.where(good[:, None, None], edges.corners_px, rects)
    by_edges = planes.fit(mixed, sizes, frame, height_mm=float(heights[0]), noise_px=EDGE_SIGMA_PX, near=by_faces)
    if by_edges is None or good.mean() < 0.5 or by_edges.residual_px > max(by_faces.residual_px, 0.25):
        return by_faces, rects, np.full(len(rects), max(by_faces.residual_px, 0.3))
    final = _rigid(by_edges, mixed, sizes, heights)
    return by_edges, final, np.where(good, max(by_edges.residual_px, 0.15), max(by_faces.residual_px, 0.6))


def _rigid(plane: Plane, corners_px: Floats, sizes: Floats, heights: Floats) -> Floats:
    """Return the rectangles (n, 4, 2) px of known sizes nearest to the quads, on the plane."""
    mm = np.stack([plane.to_mm(c, float(h)) for c, h in zip(corners_px, heights, strict=True)])
    return quads.project(plane, planes.rectangles(mm, sizes), heights)


def _lengthwise_px(boxes: Floats, size_mm: tuple[float, float]) -> Floats:
    return planes.lengthwise(boxes, np.broadcast_to(np.asarray(size_mm, float), (len(boxes), 2)))


def _named(
    image: Image, boxes: Floats, recogniser: Recogniser, size_mm: tuple[float, float]
) -> tuple[list[Naming], Floats]:
    """Name each box and roll its corners so that the printed top-left comes first."""
    scale = CROP_PX / min(size_mm)
    width, height = round(size_mm[0] * scale), round(size_mm[1] * scale)
    crops = [rectify(image, b, width, height) for b in boxes]
    square = abs(size_mm[0] - size_mm[1]) < 0.02 * max(size_mm)
    namings = recogniser.name(crops, group="faces", turns=4 if square else 2)
    return namings, np.stack([np.roll(b, n.quarter_turns, axis=0) for b, n in zip(boxes, namings, strict=True)])


def _laid(
    image: Image,
    boxes: Floats,
    namings: Sequence[Naming],
    references: Mapping[str, Sequence[Image]],
    *,
    rigid: bool = False,
) -> list[Registration | None]:
    """Lay each box onto the reference of its likeliest label."""
    found: list[Registration | None] = []
    for box, naming in zip(boxes, namings, strict=True):
        label = next((name for name, _ in naming.candidates if name is not None), None)
        pictures = references.get(label, ()) if label else ()
        tries = [register(image, box, picture, rigid=rigid) for picture in pictures[:2]]
        found.append(max((t for t in tries if t), key=lambda t: t.correlation, default=None))
    return found


def _plane(
    boxes: Floats, laid: Sequence[Registration | None], sizes: Floats, frame: tuple[int, int], height_mm: float
) -> Plane | None:
    """Fit the plane to the faces that were laid on; where too few were, to the boxes."""
    side = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=-1)
    sure = np.array([r is not None and r.correlation > RELIABLE for r in laid])
    corners = np.stack([r.corners_px if r else b for r, b in zip(laid, boxes, strict=True)])
    noise = np.maximum(1.0, np.where(sure, LAID_SHARE, ROUGH_SHARE) * side)
    if sure.sum() >= 3:
        return planes.fit(corners[sure], sizes[sure], frame, height_mm=height_mm, noise_px=noise[sure])
    return planes.fit(corners, sizes, frame, height_mm=height_mm, noise_px=noise)


def _of_size(
    plane: Plane, corners: Floats, laid: Sequence[Registration | None], sizes: Floats, height_mm: float
) -> npt.NDArray[np.bool_]:
    """Tell which quads (n, 4, 2) px have the deck's size on the plane, or are one of its faces beyond doubt."""
    mm = plane.to_mm(corners, height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    seen = np.sort(np.stack([side[:, 0] + side[:, 2], side[:, 1] + side[:, 3]], -1) / 2, axis=-1)
    ratio = np.abs(np.log(np.maximum(seen, 1e-6) / np.sort(sizes, axis=-1))).max(-1)
    sure = np.array([r is not None and r.correlation > RELIABLE for r in laid])
    fits: npt.NDArray[np.bool_] = np.where(sure, ratio < 1.5 * SIZE_TOLERANCE, ratio < SIZE_TOLERANCE)
    return fits


def _distinct(corners: Floats, scores: Floats, ours: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Keep the best-scored of finds at one place."""
    centre = corners.mean(1)
    side = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=-1)
    keep = ours.copy()
    for i in np.argsort(-scores):
        if keep[i]:
            near = np.linalg.norm(centre - centre[i], axis=-1) < SAME_PLACE * side[i]
            near[i] = False
            keep &= ~near
    return keep


def with_label(piece: Placed, naming: Naming) -> Placed:
    """Return the piece with another naming."""
    return replace(piece, naming=naming)
