"""Candidates of one size fitted exactly: as rectangles on one plane, by their silhouettes and the border they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import framing, quads, silhouettes
from vision import plane as planes
from vision.levelling import resized
from vision.outermost import Pieces, outermost
from vision.plane import Plane
from vision.ranks import median
from vision.silhouettes import Silhouette

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Size = tuple[float, float]

SURE_SCORE = 0.45  # of the detector: what is a piece
SURE, FIRM = 1.0, 2.0  # evidence of what the detector is sure of, and of what has the right silhouette besides
BOX_SHARE, OUTLINE_SHARE = 0.12, 0.02  # one σ of a corner, as a share of the shorter side: a box's, a silhouette's
TIGHT, LOOSE = 0.12, 0.45  # how far a side may be from the pieces' size: a silhouette's, a box's
CLEAN_FILL, FEWEST_CLEAN = 0.95, 2  # so many silhouettes that are nothing but four sides tell the plane alone
ROUNDS_OF_SIDES = 2  # of fitting the plane to pieces' own sides: the first tells how much of their walls is seen
ROUNDS = 3  # of fitting the plane, and the walls that it shows, by turns
FINE = ((0.06, 3.0), (0.05, 2.5))  # reach and softness of the last steps where silhouettes were seen
WIDE = ((0.16, 5.0), (0.1, 4.0), (0.06, 3.0))  # and of those where only a box was
MORE_TRIES = 3
WORTH_MORE = 1.02  # another try goes on while the common border gets at least so much sharper
FEWEST_LEVEL = 4  # pieces whose four sides are seen: fewer do not tell the plane better than the shared border does
EDGE_PX, LOST_PX = 0.7, 3.0  # one σ of a corner: where sides were fitted for themselves, where they were not seen
SEEN_WALL_PX = 0.6  # a thick piece's wall, from which on the edge that is seen may be its foot
FEW_SIDES = 4  # so many sides say how far off all edges are as surely as that they are seldom far off
BORDER_SHARE = 0.35  # of the others' border: a piece that only a weak box tells of has at least so much on all sides


@dataclass(frozen=True)
class Candidate:
    """One place where a piece may lie: its outlines, best first, the detector's box (4, 2) px and its score of it."""

    outlines: tuple[Silhouette, ...]
    box_px: Floats
    score: float


@dataclass(frozen=True)
class Found:
    """What may be pieces: corners (n, 4, 2) px, each clockwise, and the evidence (n,) for each: see SURE and FIRM."""

    corners_px: Floats
    evidence: Floats


def placed(image: Image, candidates: list[Candidate], size_mm: Size, height_mm: float) -> Found:
    """Fit candidates as pieces of one size on one plane; those of another size are left out."""
    nothing = Found(np.zeros((0, 4, 2)), np.zeros(0))
    strong = [c for c in candidates if c.score >= SURE_SCORE]
    if sum(bool(c.outlines) for c in strong) * 2 < len(strong):  # the table has no look of its own
        corners = by_border(image, np.array([c.box_px for c in strong]).reshape(-1, 4, 2), size_mm, height_mm)
        return Found(corners, np.full(len(corners), SURE))
    told = [c for c in strong if c.outlines and c.outlines[0].fill >= CLEAN_FILL]
    if len(told) < FEWEST_CLEAN:
        told = [c for c in candidates if c.outlines or c.score >= SURE_SCORE]
    plane = _settled(image, told, size_mm, height_mm) if told else None
    if plane is None:
        return nothing
    outlines = [_best(plane, c, size_mm, height_mm) for c in candidates]
    off = np.array([_off_size(plane, quad, size_mm, height_mm) for quad, _ in outlines])
    for k in np.flatnonzero((off >= TIGHT) & (np.array([c.score for c in candidates]) >= SURE_SCORE)):
        outlines[k] = candidates[k].box_px, False  # an inner frame's outline, or two pieces': the box tells more
        off[k] = _off_size(plane, candidates[k].box_px, size_mm, height_mm)
    seen = np.array([by_outline for _, by_outline in outlines], bool) & (off < TIGHT)
    boxed = np.array([not by_outline for _, by_outline in outlines], bool)
    ours = seen | (boxed & (off < LOOSE))
    if not ours.any():
        return nothing
    corners = np.stack([quad for quad, _ in outlines])
    exact = _exact(image, plane, corners[ours], seen[ours], size_mm, height_mm)
    exact = framing.relaid(image, exact, size_mm, height_mm)
    exact = levelled(image, outermost(image, Pieces(exact, size_mm, height_mm)), size_mm, height_mm)
    scores = np.array([c.score for c in candidates])[ours]
    fills = np.array([c.outlines[0].fill if c.outlines else 0.0 for c in candidates])[ours]
    bordered = _bordered(image, plane, exact, seen[ours], size_mm, height_mm)
    return Found(exact, weighed(scores, fills, seen[ours], bordered))


def weighed(scores: Floats, fills: Floats, seen: npt.NDArray[np.bool_], bordered: npt.NDArray[np.bool_]) -> Floats:
    """Weigh the detector's scores (n,), and how well silhouettes of the right size hold (n,)."""
    sure = scores >= SURE_SCORE
    doubtful = np.where(seen, 0.5 * fills + 0.4 * scores, np.where(bordered, scores, 0.0))
    return np.where(sure, np.where(seen, FIRM, SURE) + 0.5 * scores, doubtful)


def _settled(image: Image, candidates: list[Candidate], size_mm: Size, height_mm: float) -> Plane | None:
    """Fit the plane to silhouettes, less the walls that it shows, and to boxes where there are none."""
    corners = np.array([c.outlines[0].corners_px if c.outlines else c.box_px for c in candidates])
    share = np.array([OUTLINE_SHARE if c.outlines else BOX_SHARE for c in candidates])
    plane: Plane | None = None
    for _ in range(ROUNDS):
        fitted = _fitted(image, corners, size_mm, height_mm, share)
        if fitted is None:
            break
        plane = fitted
        corners = np.array([_best(plane, c, size_mm, height_mm)[0] for c in candidates])
    return plane


def _fitted(image: Image, corners_px: Floats, size_mm: Size, height_mm: float, share: Floats | float) -> Plane | None:
    """Fit the plane to quads (n, 4, 2) px whose corners are sure to `share` of their shorter side."""
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners_px), 2))
    corners = planes.lengthwise(corners_px, sizes)
    side = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1).min(axis=1)
    noise_px = np.maximum(share * side, 0.5)
    return planes.fit(corners, sizes, (image.shape[1], image.shape[0]), height_mm=height_mm, noise_px=noise_px)


def _best(plane: Plane, candidate: Candidate, size_mm: Size, height_mm: float) -> tuple[Floats, bool]:
    """Return the outline (4, 2) px that is most nearly a piece of the size, and whether it is a silhouette."""
    tried = [_without_wall(plane, one.corners_px, size_mm, height_mm) for one in candidate.outlines]
    if not tried:
        return candidate.box_px, False
    return min(tried, key=lambda quad: _error(plane, quad, size_mm, height_mm)), True


def _without_wall(plane: Plane, quad: Floats, size_mm: Size, height_mm: float) -> Floats:
    """Return the face's outline (4, 2) px within a thick piece's silhouette: less the walls that are seen beside it."""
    if height_mm <= 0:
        return quad
    rect, _ = _rigid(plane, quad, size_mm, height_mm)
    top, foot = plane.to_px(rect, height_mm), plane.to_px(rect, 0.0)
    side = np.roll(top, -1, axis=0) - top
    outward = np.stack([side[:, 1], -side[:, 0]], axis=1) / np.linalg.norm(side, axis=1, keepdims=True)
    drop = ((foot + np.roll(foot, -1, axis=0) - top - np.roll(top, -1, axis=0)) / 2 * outward).sum(axis=1)
    return silhouettes.shifted(quad, -np.maximum(drop, 0.0))


def _rigid(plane: Plane, quad: Floats, size_mm: Size, height_mm: float) -> tuple[Floats, Floats]:
    """Return the rectangle of the size nearest to a quad (4, 2) px, and the quad from the same corner on: mm."""
    sizes = np.asarray([size_mm], float)
    mm = planes.lengthwise(plane.to_mm(quad[None], height_mm), sizes)
    return planes.rectangles(mm, sizes)[0], mm[0]


def _error(plane: Plane, quad: Floats, size_mm: Size, height_mm: float) -> float:
    rect, mm = _rigid(plane, quad, size_mm, height_mm)
    return float(np.linalg.norm(rect - mm, axis=1).max())


def _off_size(plane: Plane, quad: Floats, size_mm: Size, height_mm: float) -> float:
    """Return how far the sides are from the size, the worse of the two, as a share."""
    _, mm = _rigid(plane, quad, size_mm, height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=0) - mm, axis=1)
    seen = np.array([side[0] + side[2], side[1] + side[3]]) / 2
    return float(np.abs(seen / np.asarray(size_mm) - 1).max())


def _exact(
    image: Image, plane: Plane, corners_px: Floats, seen: npt.NDArray[np.bool_], size_mm: Size, height_mm: float
) -> Floats:
    """Lay all rectangles onto the border that they share: nearby where silhouettes were seen, else from farther off."""
    rects = np.stack([plane.to_px(_rigid(plane, quad, size_mm, height_mm)[0], height_mm) for quad in corners_px])
    if seen.any():
        rects[seen] = framing.frame(image, plane, rects[seen], size_mm, height_mm, FINE).corners_px
    if not seen.all():
        rects[~seen] = framing.frame(image, plane, rects, size_mm, height_mm, WIDE).corners_px[~seen]
    return rects


def levelled(image: Image, rects_px: Floats, size_mm: Size, height_mm: float) -> Floats:
    """Fit the plane anew to the rectangles' (n, 4, 2) px own edges, each side for itself; return them as it has them.

    A border that is shared only slides them: how much smaller the farther ones look is told by their sides.
    """
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(rects_px), 2))
    edges = quads.settle(image, rects_px)
    good = np.asarray(edges.seen.all(axis=1), bool)
    if good.sum() < FEWEST_LEVEL:
        return rects_px
    outlines = resized(edges.corners_px, rects_px, good)  # their common border says how large they are
    noise_px = np.where(good, EDGE_PX, LOST_PX)
    found = rects_px
    for _ in range(ROUNDS_OF_SIDES):
        seen = np.where(good[:, None, None], outlines, rects_px)
        frame_px = (image.shape[1], image.shape[0])
        plane = planes.fit(seen, sizes, frame_px, height_mm=height_mm, noise_px=noise_px)
        if plane is None:
            break
        found = plane.to_px(planes.rectangles(plane.to_mm(seen, height_mm), sizes), height_mm)
        walls = plane.to_px(planes.rectangles(plane.to_mm(found, height_mm), sizes), 0.0) - found
        outlines = _faces(edges.corners_px, rects_px, walls, good)
    return found


def _faces(edges_px: Floats, rects_px: Floats, walls_px: Floats, good: npt.NDArray[np.bool_]) -> Floats:
    """Return the faces' outlines (n, 4, 2) px by their own edges, as large on the whole as the border that they share.

    Blur and shadows shift all edges alike; and where a thick piece's wall is seen, from its edge to its foot so far
    (n, 4, 2) px, the foot may be the stronger edge.
    """
    away = quads.outward(rects_px)
    drop, off = _outwards(away, walls_px), _outwards(away, edges_px - rects_px)
    bare = off[(drop < SEEN_WALL_PX) & good[:, None]]
    common = float(median(bare)) * len(bare) / (len(bare) + FEW_SIDES) if len(bare) else 0.0
    at_foot = (drop >= SEEN_WALL_PX) & (off - common > drop / 2)
    inwards = np.where(at_foot, -drop, 0.0) - common
    return quads.intersected(edges_px, np.stack([inwards, np.zeros_like(inwards)], axis=-1))


def _outwards(away: Floats, moved: Floats) -> Floats:
    """Return how far sides (n, 4) lie outwards, along normals (n, 4, 2), whose corners are moved (n, 4, 2) px."""
    return np.asarray(((moved + np.roll(moved, -1, axis=1)) / 2 * away).sum(axis=-1), float)


def _bordered(
    image: Image, plane: Plane, corners_px: Floats, seen: npt.NDArray[np.bool_], size_mm: Size, height_mm: float
) -> npt.NDArray[np.bool_]:
    """Tell which rectangles (n, 4, 2) px have an edge on all four sides, compared with those that are pieces."""
    rects = np.stack([_rigid(plane, quad, size_mm, height_mm)[0] for quad in corners_px])
    votes = framing.look(image, plane, rects, height_mm, FINE[-1][0] * min(size_mm)).votes
    weakest = votes.max(axis=(2, 3)).min(axis=1)
    usual = float(median(weakest[seen])) if seen.any() else float(median(weakest))
    return np.asarray(weakest >= BORDER_SHARE * usual, bool)


def by_border(image: Image, boxes_px: Floats, size_mm: Size, height_mm: float) -> Floats:
    """Fit rough boxes (n, 4, 2) px to the pieces' outer edges; boxes of another size are left out.

    The pieces share one size and one plane: first each on its own, then all as rectangles on that plane, moved together
    to the outermost line that they have in common, so that a printed frame is never taken for the edge.
    """
    if len(boxes_px) == 0:
        return np.zeros((0, 4, 2))
    alone = quads.refine(image, boxes_px).corners_px
    tried = []
    for start in (alone, boxes_px):
        plane, corners = _roughly(image, start, size_mm, height_mm)
        if plane is not None:
            tried.append(framing.frame(image, plane, corners, size_mm, height_mm))
    most = max((len(one.corners_px) for one in tried), default=0)
    whole = [one for one in tried if len(one.corners_px) == most]
    if most == 0:
        return alone
    best = max(whole, key=lambda one: one.sharpness)
    for _ in range(MORE_TRIES):
        plane, corners = _roughly(image, best.corners_px, size_mm, height_mm)
        again = None if plane is None else framing.frame(image, plane, corners, size_mm, height_mm)
        if again is None or len(again.corners_px) < most or again.sharpness < best.sharpness * WORTH_MORE:
            break
        best = again
    return best.corners_px


def _roughly(image: Image, corners_px: Floats, size_mm: Size, height_mm: float) -> tuple[Plane | None, Floats]:
    """Find the plane on which most quads are of the stated size; return it and those quads."""
    sizes = np.broadcast_to(np.asarray(size_mm, float), (len(corners_px), 2))
    corners = planes.lengthwise(corners_px, sizes)
    side = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1).min(axis=1)
    plane = planes.fit(
        corners,
        sizes,
        (image.shape[1], image.shape[0]),
        height_mm=height_mm,
        noise_px=np.maximum(BOX_SHARE * side, 1.0),
    )
    if plane is None:
        return None, corners
    mm = np.asarray(plane.to_mm(corners, height_mm), float)
    sides = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    seen = np.stack([sides[:, [0, 2]].mean(axis=1), sides[:, [1, 3]].mean(axis=1)], axis=1)
    ours = (np.abs(seen / sizes - 1) < LOOSE).all(axis=1)
    return plane, corners[ours]
