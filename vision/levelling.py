"""The table's plane by the pieces on it: first by their boxes, then by their faces and edges together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision import quads
from vision.matching import Floats, Laid, Matcher, corners_of, sure
from vision.plane import Plane
from vision.ranks import median
from vision.recogniser import Naming

Flags = npt.NDArray[np.bool_]

ROUGH_SHARE, LAID_SHARE, AGAIN_SHARE = 0.05, 0.02, 0.01
"""One σ of a corner, as a share of the side: of a rough box; laid onto its reference; laid on with the plane known."""
FEWEST_FACES = 3
"""Fewer faces laid on do not tell the plane better than all boxes do."""
ASKEW_SHARE = 0.02
"""Of a side: so far a face may be laid off the rigid piece it should be."""
OWN_SHARE, TABLE_SHARE, LEAST_SIGMA_PX = 0.3, 0.15, 0.12
"""One σ of a side, against how far face and edges stray from where a piece came to lie: this piece's, and the table's
usual one. So 29 in 30 sides of path-traced tables lie within 2σ. No side is surer than the least."""
RIGID_SHARE = 0.42
"""Likewise, of the plane's residual a corner: where a piece has no edges of its own."""
EDGE_SIGMA_PX = 0.7
"""One σ of a corner at clean edges."""
ALONE = 1.0
"""So many faces say how far off all edges are as surely as that they are seldom far off: both by a quarter of a px."""


def first_plane(matcher: Matcher, boxes: Floats, laid: Laid, namings: list[Naming]) -> Plane | None:
    """Fit the plane to the faces that were laid on; where too few were, to what bears a face at all; else to all boxes.

    A floor's slabs are found as cards too, and may be many: none of them bears a face.
    """
    side = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=-1)
    bearing = np.array([naming.label is not None for naming in namings])
    certain = bearing & [sure(r) for r in laid]
    corners = corners_of(laid, boxes)
    noise = np.maximum(1.0, np.where(certain, LAID_SHARE, ROUGH_SHARE) * side)
    for trusted in (certain, bearing):
        plane = _fit(matcher, corners[trusted], noise[trusted]) if trusted.sum() >= FEWEST_FACES else None
        if plane is not None:
            return plane
    return _fit(matcher, corners, noise)


def refitted(matcher: Matcher, plane: Plane, laid_px: Floats, laid: Laid) -> tuple[Plane, Floats, Floats]:
    """Fit the plane anew to faces laid on and to edges together: what misleads the one seldom misleads the other.

    Returns it, the pieces' corners (n, 4, 2) px and their σ (n,) px.
    """
    side = np.linalg.norm(laid_px[:, 1] - laid_px[:, 0], axis=-1)
    noise = np.maximum(EDGE_SIGMA_PX, np.where([sure(r) for r in laid], AGAIN_SHARE, ROUGH_SHARE) * side)
    askew = _askew_px(matcher.rigid(plane, laid_px), laid_px, side)
    noise = np.hypot(noise, askew)
    by_faces = _fit(matcher, laid_px, noise, plane) or plane
    rects = matcher.rigid(by_faces, laid_px)
    edges = quads.settle(matcher.image, rects)
    near = np.linalg.norm(edges.corners_px - rects, axis=-1).max(1) < np.maximum(2.0, AGAIN_SHARE * 2 * side)
    good = near & edges.seen.all(1)
    if not good.any():
        return by_faces, rects, np.full(len(rects), max(RIGID_SHARE * by_faces.residual_px, LEAST_SIGMA_PX))
    outlines = resized(edges.corners_px, laid_px, good & [sure(r) for r in laid])
    seen = np.concatenate([laid_px, outlines[good]])
    anew = _fit(matcher, seen, np.concatenate([noise, np.full(good.sum(), EDGE_SIGMA_PX)]), by_faces) or by_faces
    share = np.where(good, noise**2 / (noise**2 + EDGE_SIGMA_PX**2), 0.0)[:, None, None]  # of the edges
    final = matcher.rigid(anew, (1 - share) * laid_px + share * outlines)
    unseen = RIGID_SHARE * max(anew.residual_px, 2 * EDGE_SIGMA_PX)
    sigma = np.where(good, _sigma_px(final, laid_px, outlines, good, share[:, 0, 0]), unseen)
    alone = np.minimum(askew, EDGE_SIGMA_PX)  # where the face tells little, nothing says that the edges are right
    return anew, final, np.maximum(sigma, np.maximum(alone, LEAST_SIGMA_PX))


def resized(by_edges: Floats, by_face: Floats, telling: Flags) -> Floats:
    """Return quads (n, 4, 2) px found by their edges, as large as the faces in them say.

    Blur, contact shadows and pale rims shift all edges of a picture alike, outwards or inwards, by up to half a px;
    faces lie between what is printed on them, and keep their size.
    """
    count = int(telling.sum())
    if count == 0:
        return by_edges
    beyond = _outward(by_edges, by_edges - by_face).mean(1)
    common = float(median(beyond[telling])) * count / (count + ALONE)
    return quads.intersected(by_edges, np.broadcast_to([-common, 0.0], by_edges.shape))


def _outward(quads_px: Floats, moved: Floats) -> Floats:
    """Return how far each side (n, 4) of clockwise quads (n, 4, 2) px is moved outwards, its corners being moved so."""
    out: Floats = ((moved + np.roll(moved, -1, axis=1)) / 2 * quads.outward(quads_px)).sum(-1)
    return out


def _askew_px(rigid: Floats, laid_px: Floats, side: Floats) -> Floats:
    """Return how far (n,) px faces laid on (n, 4, 2) are from the rigid pieces they should be, past what is usual: one
    that a cube half covers may have been laid on askew.
    """
    away = np.sqrt(((laid_px - rigid) ** 2).sum(-1).mean(-1))
    past: Floats = np.maximum(away - ASKEW_SHARE * side, 0.0)
    return past


def _sigma_px(final: Floats, by_face: Floats, by_edges: Floats, good: Flags, share: Floats) -> Floats:
    """Return one σ (n,) px of pieces' sides, by how far face and edges (n, 4, 2) px stray from where each lies, each
    as far as it tells: `share` (n,) of it the edges.
    """
    face, edges = (((by - final) ** 2).sum(-1).mean(-1) for by in (by_face, by_edges))
    away = 2 * ((1 - share) * face + share * edges)
    sigma: Floats = np.sqrt(OWN_SHARE**2 * away + TABLE_SHARE**2 * float(median(away[good])))
    return sigma


def _fit(matcher: Matcher, corners: Floats, noise_px: Floats, near: Plane | None = None) -> Plane | None:
    """Fit the plane to quads (n, 4, 2) px of the deck's size."""
    sizes, height_mm = matcher.sizes(len(corners)), matcher.height_mm
    return planes.fit(corners, sizes, matcher.frame_px, height_mm=height_mm, noise_px=noise_px, near=near)
