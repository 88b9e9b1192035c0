"""Discs of one size: rough ones by the detector and by what stands out, the camera by them, and those apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import ovals, quads, rims, silhouettes
from vision import plane as planes
from vision.detector import Detections
from vision.fitting import FIRM, SURE, SURE_SCORE
from vision.plane import Plane
from vision.ranks import median
from vision.rims import Rim, View

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

SIDES = (0.3, 1.1)  # of a research tile's side: how broad a coin may be
BROAD_PX = (16.0, 200.0)  # likewise where no tile tells
PILE = 0.45  # of the larger one's breadth: two discs nearer than this lie in one place, and the top one counts
MOST_SEEDS = 30
FULL = 0.85  # a rim's share from which on it is looked at first: what lies where a coin was read is not looked at again
WHOLE = 0.93  # a rim's share from which on it is a disc's that lies apart, whatever is on it
BENT = 0.1  # of a radius: how far a lens may move a disc
HALF = 0.6  # a rim's share from which on it may be a disc's where something was seen
LESS_TALL = (1.0, 0.96, 0.92, 0.88)  # how tall a disc's face may be, of what stands out of it
ROUNDS = 2  # of telling the discs by their rims as seen from above, and the camera by the discs
EVEN = 0.6  # mean evenness of discs' outlines below which another camera is tried: 0.66 and more where it was right
OUTLINES = 0.5  # median evenness below which nobody can say where the discs lie: on a table as varied as they are
FEWEST, FEW = 4, 6  # discs of which one may mislead: fewer tell nothing without it, more outvote it
OUTLINED = 0.25  # what stands out as a disc counts as a find of this score; fainter finds without a rim are prints
UNIT_MM = 22.0  # stands for a coin's breadth where no tile tells the scale
ROUGH_SHARE, OVAL_SHARE = 0.04, 0.012  # one σ of a disc's corners, as a share of its breadth: roughly known, by its rim


@dataclass(frozen=True)
class Look:
    """Discs' squares (n, 4, 2) px, how even they are (n,), and their rims' shares (n,)."""

    quads_px: Floats
    even: Floats
    shares: Floats


def apart(image: Image, detections: Detections, unlike: Floats, height_mm: float) -> tuple[Floats, Floats]:
    """Find discs that lie apart, whatever is on them: (n, 4, 2) px, the squares round them, and the evidence (n,).

    Each square begins at its top left as one looks at it; evidence: SURE of what is a disc like the others, FIRM of
    what the detector sees as one, too; less of what has no whole rim. None where outlines are not plain to see.
    """
    seeds, scores = rough(detections, unlike, ())
    firm, telling = scores >= SURE_SCORE, scores >= OUTLINED
    view = _best_view(image, seeds[telling] if telling.any() else seeds, height_mm)
    best = None if view is None else _look(image, view, seeds, height_mm)
    if best is None or float(median(best.even)) < OUTLINES:
        return seeds[:0], np.zeros(0)
    quads_px, shares = best.quads_px, best.shares
    told = np.array([any(same(quad, seed) for seed in seeds[firm]) for quad in quads_px], bool)
    return quads_px, np.where(shares >= WHOLE, np.where(told, FIRM, SURE), shares * np.where(shares >= FULL, 1, 0.5))


def _look(image: Image, view: View, seeds: Floats, height_mm: float) -> Look | None:
    """Return the discs as they are seen once they tell the camera: all of them, or all but one that misleads."""
    rough, _ = _whole(image, view, seeds)
    outlines = ovals.ovals(image, view, rough)
    first = _settled(image, outlines, rough, seeds, height_mm)
    if (first is not None and first.even.mean() >= EVEN) or not FEWEST <= len(rough) <= FEW:
        return first
    rest = [np.delete(np.arange(len(rough)), k) for k in range(len(rough))]
    others = [_settled(image, outlines[one], rough[one], seeds, height_mm) for one in rest]
    looks = [one for one in [first, *others] if one is not None]
    return max(looks, key=lambda look: float(look.even.sum()), default=None)


def _settled(image: Image, outlines: Floats, rough: Floats, seeds: Floats, height_mm: float) -> Look | None:
    """Return the discs as they are seen once they tell the camera, from outlines and rough squares (n, 4, 2) px on."""
    for _ in range(ROUNDS):
        planes_of = (plane_of(image, outlines, height_mm, share) for share in (OVAL_SHARE, ROUGH_SHARE))
        plane = next((one for one in planes_of if one is not None), None) if len(outlines) else None
        if plane is None:
            return None
        view = view_at(image, plane, rough, height_mm)
        rough, shares = _whole(image, view, seeds)
        outlines = ovals.ovals(image, view, rough)
    return Look(*ovals.circles(image, view, rough), shares) if len(rough) else None


def _best_view(image: Image, seeds: Floats, height_mm: float) -> View | None:
    """Return the view in which rough discs (n, 4, 2) px have the fullest rims.

    What stands out of a thick disc is its wall and its shadow too: that makes it look as if it were seen from above.
    """
    views = []
    for share in LESS_TALL if len(seeds) else ():
        flat = seeds.copy()
        flat[:, 2:] = flat[:, [1, 0]] + share * (seeds[:, 2:] - seeds[:, [1, 0]])
        plane = plane_of(image, flat, height_mm)
        if plane is not None:
            views.append(view_at(image, plane, flat, height_mm))
    return max(views, key=lambda view: _fullness(image, view, seeds), default=None)


def _fullness(image: Image, view: View, seeds: Floats) -> float:
    """Return how full rims are, on the whole, where rough discs (n, 4, 2) px are seen."""
    seen = rims.edges(np.asarray(view.of(image), np.uint8))
    middles = view.to_view(view.plane.to_mm(seeds.mean(axis=1), view.height_mm))
    return float(np.mean([rims.near(seen, middle, rims.RADIUS_PX).share for middle in middles]))


def _whole(image: Image, view: View, seeds: Floats) -> tuple[Floats, Floats]:
    """Return the squares (n, 4, 2) px round discs with full rims, all as large as most are, and the rims' shares.

    Where something was seen, (n, 4, 2) px, half a rim will do.
    """
    seen = rims.edges(np.asarray(view.of(image), np.uint8))
    all_rims = rims.found(seen)
    usual = float(median([rim.radius_px for rim in all_rims if rim.share >= WHOLE] or [rims.RADIUS_PX]))
    found: list[tuple[Floats, float]] = []
    for rim in all_rims:  # its print may have the fuller rim
        share = float(seen.at(rim.middle_px + rims.around() * usual, rims.around()).mean())
        quad = _upright(view, Rim(rim.middle_px, usual, share))
        enough = share >= (HALF if any(same(quad, seed) for seed in seeds) else FULL)
        if enough and _straight(view, quad, rim) and not any(same(quad, other) for other, _ in found):
            found.append((quad, share))
    return np.array([quad for quad, _ in found]).reshape(-1, 4, 2), np.array([share for _, share in found])


def _straight(view: View, quad: Floats, rim: Rim) -> bool:
    """Tell whether a disc's square (4, 2) px is where it was seen: a wrongly told camera may bend the whole view."""
    shown = cv2.perspectiveTransform(quad[None].astype(np.float64), view.from_picture)[0]
    return bool(np.linalg.norm(shown.mean(axis=0) - rim.middle_px) < BENT * rim.radius_px)


def _upright(view: View, rim: Rim) -> Floats:
    """Return the square (4, 2) px round a disc, from its top left on, its top being the picture's."""
    middle = view.to_mm(rim.middle_px)
    above = view.plane.to_px(middle[None], view.height_mm) - [[0.0, 1.0]]
    up = view.plane.to_mm(above, view.height_mm)[0] - middle
    up *= rim.radius_px * view.mm_per_px / np.linalg.norm(up)
    right = np.array([up[1], -up[0]])
    corners = middle + np.array([up - right, up + right, right - up, -right - up])
    return np.asarray(view.plane.to_px(corners, view.height_mm), float)


def rough(
    detections: Detections, unlike: Floats, tiles_px: Sequence[Floats]
) -> tuple[Floats, npt.NDArray[np.floating]]:
    """Return discs (n, 4, 2) px, one a place, and their scores (n,): the detector's; OUTLINED where one stands out."""
    side = [float(np.linalg.norm(quad[1] - quad[0])) for quad in tiles_px]
    low, high = np.multiply(SIDES, median(side)) if side else BROAD_PX
    boxes = quads.clockwise(np.asarray(detections.corners_px, float))
    broad = np.linalg.norm(np.roll(boxes, -1, axis=1) - boxes, axis=-1)
    discs = np.array([kind == "disc" for kind in detections.kinds], bool)
    fitting = discs & (broad.min(axis=1) > low) & (broad.max(axis=1) < high)
    round_ones = sorted(silhouettes.discs(unlike, float(low), float(high)), key=lambda s: -s.fill)
    taken: list[Floats] = []
    scores: list[float] = []
    of_box = sorted(
        zip(boxes[fitting], np.asarray(detections.scores, float)[fitting], strict=True), key=lambda b: -b[1]
    )
    for quad, score in [*((s.corners_px, OUTLINED) for s in round_ones), *of_box]:
        there = next((k for k, other in enumerate(taken) if same(other, quad)), None)
        if there is None:
            taken.append(quad)
            scores.append(float(score))
        else:
            scores[there] = max(scores[there], float(score))
    order = np.argsort(-np.array(scores), kind="stable")[:MOST_SEEDS]
    return np.array(taken).reshape(-1, 4, 2)[order], np.array(scores)[order]


def plane_of(image: Image, seeds: Floats, height_mm: float, share: float = ROUGH_SHARE) -> Plane | None:
    """Return the camera by discs (n, 4, 2) px, all equally broad."""
    size_px = (image.shape[1], image.shape[0])
    side = np.linalg.norm(np.roll(seeds, -1, axis=1) - seeds, axis=-1).mean(axis=1)
    sizes = np.full((len(seeds), 2), UNIT_MM)
    return planes.fit(seeds, sizes, size_px, height_mm=height_mm, noise_px=np.maximum(share * side, 1.0))


def view_at(image: Image, plane: Plane, seeds: Floats, height_mm: float) -> View:
    """Return the coins' level seen from above, at the scale at which their rims are fullest."""
    rough = broad_mm(plane, seeds, height_mm) / 2
    view = rims.view_of(plane, height_mm, rough)
    middles = view.to_view(plane.to_mm(seeds.mean(axis=1), height_mm))
    better = rims.radius_px(rims.edges(np.asarray(view.of(image), np.uint8)), middles)
    return rims.view_of(plane, height_mm, rough * better / rims.RADIUS_PX)


def broad_mm(plane: Plane, seeds: Floats, height_mm: float) -> float:
    mm = plane.to_mm(seeds, height_mm)
    return float(median(np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)))


def square(view: View, rim: Rim) -> Floats:
    """Return the corners (4, 2) px of the square round a rim."""
    corners = rim.middle_px + rim.radius_px * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    return view.plane.to_px(view.to_mm(corners), view.height_mm)


def same(quad: Floats, other: Floats) -> bool:
    """Tell whether two discs (4, 2) px lie in one place: one coin, or its print; of a pile the top one counts."""
    apart = float(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0)))
    return apart < PILE * max(float(np.linalg.norm(q[1] - q[0])) for q in (quad, other))
