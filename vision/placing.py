"""From rough boxes to the plane and every piece's exact place, by the deck's own pictures and sizes.

Three passes: each box is named and laid onto its reference; the boxes that agree give the plane; with the plane known,
every piece is a rectangle of its known size, which is laid on again and at last fitted to the edges where they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import plane as planes
from vision import quads
from vision.levelling import LEAST_SIGMA_PX, RIGID_SHARE, first_plane, refitted
from vision.matching import Floats, Laid, Matcher, corners_of, known, sure, told, unproven
from vision.plane import Plane
from vision.recogniser import Naming
from vision.registration import Registration

Flags = npt.NDArray[np.bool_]
Closer = Callable[[Floats], tuple[Floats, Floats]]
"""Places (n, 4, 2) px, surest first, to boxes (m, 4, 2) px in them and their scores (m,)."""

SIZE_TOLERANCE = 0.18
"""A piece whose sides differ by more than this share from the deck's is another thing."""
WEAK_SCORE = 0.35
"""A box that the detector is less sure of than this counts only where it bears a face of the deck."""
STRETCH = 1.45
"""A box this much longer, against its width, than the deck's cards is another kind of card."""
FRAME_LOG = 0.55
"""A box this far (log) from the deck's size may still be one of its pieces' inner frames."""
SEVERAL = 1.3
"""A box this many times as large as a piece may be several that touch."""
UNREAD_SCORE, UNREAD_LOG = 0.5, 0.3
"""A box this sure and this near (log) to the deck's size is a piece, even if nothing tells which."""
TURNS_TRIED_DEG = (0.0, 15.0, -15.0, 30.0, -30.0)
"""A box that took a picture inside a frame for the piece may be turned against it as well."""
CERTAIN, AGREED = 0.9, 0.01
"""A face that correlates so well, and so near (share of a side) to its place on the plane, is not laid on again."""
SAME_PLACE = 0.35
"""Two finds nearer than this share of a side are one piece."""


@dataclass(frozen=True)
class Placed:
    """One piece of the deck's size.

    `corners_px`: (4, 2) from its printed top-left; `corners_mm` likewise, on the table. `sigma_px`: of a corner.
    """

    corners_px: Floats
    corners_mm: Floats
    naming: Naming
    sigma_px: float


@dataclass(frozen=True)
class Placing:
    """The plane, the pieces of the deck's size on it, and the boxes that are something else (m, 4, 2) px."""

    plane: Plane | None
    pieces: tuple[Placed, ...]
    others_px: Floats
    others_score: Floats


def place(matcher: Matcher, boxes_px: Floats, scores: Floats, closer: Closer | None = None) -> Placing:
    """Find the plane and the exact places of those boxes (n, 4, 2) px that are pieces of the deck's size.

    `closer`: looks again for boxes where one is larger than a piece.
    """
    boxes = quads.clockwise(np.asarray(boxes_px, float).reshape(-1, 4, 2))
    scores = np.asarray(scores, float)
    if len(boxes) == 0:
        return Placing(None, (), boxes, scores)
    namings, boxes = matcher.named(planes.lengthwise(boxes, matcher.sizes(len(boxes))), thorough=False)
    laid = matcher.laid(boxes, namings)
    plane = first_plane(matcher, boxes, laid, namings)
    if plane is None:
        return Placing(None, (), boxes, scores)
    corners = corners_of(laid, boxes)
    ours = _of_size(matcher, plane, corners, laid)
    ours &= (scores >= WEAK_SCORE) | np.array([sure(r) for r in laid])
    for k, (found, naming) in _searched(matcher, plane, boxes, ~ours, scores >= WEAK_SCORE).items():
        ours[k], corners[k], laid[k], namings[k] = True, found.corners_px, found, naming
    kept = np.flatnonzero(distinct(corners, scores + ours, ours))
    if len(kept) == 0:
        return Placing(plane, (), boxes, scores)
    plane, pieces, sures = _settled(matcher, plane, corners[kept], [laid[k] for k in kept], [namings[k] for k in kept])
    pieces = _doubted(matcher, plane, pieces, boxes[kept], sures)
    left = ~ours & ~_covered(boxes, np.stack([p.corners_px for p in pieces]))
    return _completed(matcher, plane, Placing(plane, pieces, boxes[left], scores[left]), closer)


def _completed(matcher: Matcher, plane: Plane, placing: Placing, closer: Closer | None) -> Placing:
    """Add the pieces among the boxes that are left, and among those that a closer look at them gives."""
    pieces, boxes, scores = placing.pieces, placing.others_px, placing.others_score
    if closer is not None:
        more, surer = closer(_oversized(matcher, plane, boxes, scores))
        new = ~_covered(more, np.stack([p.corners_px for p in pieces]))
        boxes, scores = np.concatenate([boxes, more[new]]), np.concatenate([scores, surer[new]])
    left = np.ones(len(boxes), bool)
    late = _searched(matcher, plane, boxes, left, scores >= WEAK_SCORE)  # the plane is better now
    if late:
        pieces = (*pieces, *_apart(_found(matcher, plane, late.values()), pieces))
        left[list(late)] = False
    unread = left & (scores >= UNREAD_SCORE) & _like(matcher, plane, boxes, UNREAD_LOG)
    if unread.any():  # a piece that cannot be told is a question; one that is left out is a silent mistake
        rects = matcher.rigid(plane, planes.lengthwise(boxes[unread], matcher.sizes(unread.sum())))
        untold = tuple(replace(piece, naming=unproven(piece.naming)) for piece in filled(matcher, plane, rects))
        pieces = (*pieces, *_apart(untold, pieces))
    return Placing(plane, pieces, boxes[left & ~unread], scores[left & ~unread])


def _doubted(
    matcher: Matcher, plane: Plane, pieces: tuple[Placed, ...], boxes: Floats, sures: Flags
) -> tuple[Placed, ...]:
    """Look again, from their boxes (n, 4, 2) px, for pieces that nothing names or places for sure.

    Where one is named or laid on as it lies, it is not turned against its box.
    """
    named = np.array([known(piece.naming) for piece in pieces], bool)
    doubtful = ~sures | ~named
    better = _searched(matcher, plane, boxes, doubtful, ~sures & ~named, there=True) if doubtful.any() else {}
    if not better:
        return pieces
    anew = dict(zip(better, _found(matcher, plane, better.values()), strict=True))
    return tuple(anew.get(k, piece) for k, piece in enumerate(pieces))


def _oversized(matcher: Matcher, plane: Plane, boxes: Floats, scores: Floats) -> Floats:
    """Return those of boxes (n, 4, 2) px that are sure, and larger than a piece, surest first: there may be several."""
    mm = plane.to_mm(boxes, matcher.height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    area = (side[:, 0] + side[:, 2]) * (side[:, 1] + side[:, 3]) / 4
    chosen = (area > SEVERAL * matcher.size_mm[0] * matcher.size_mm[1]) & (scores >= WEAK_SCORE)
    order: Floats = boxes[chosen][np.argsort(-scores[chosen], kind="stable")]
    return order


def _like(matcher: Matcher, plane: Plane, boxes: Floats, most_log: float) -> Flags:
    """Tell which boxes (n, 4, 2) px might be a piece of the deck's size, within a factor."""
    mm = plane.to_mm(boxes, matcher.height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    long, short = side[:, :2].max(1), side[:, :2].min(1)
    usual = max(matcher.size_mm) / min(matcher.size_mm)
    alike: Flags = (long / short < STRETCH * usual) & (np.abs(np.log(short / min(matcher.size_mm))) < most_log)
    return alike


def _searched(
    matcher: Matcher, plane: Plane, boxes: Floats, which: Flags, firm: Flags, *, there: bool = False
) -> dict[int, tuple[Registration, Naming]]:
    """Try boxes (n, 4, 2) px, those of `which`, as rectangles of the deck's size; `firm` ones turned as well.

    A box may have taken a frame's inside for the piece. `there`, and what then is told: as `Matcher.searched` does.
    """
    mm, like = plane.to_mm(boxes, matcher.height_mm), _like(matcher, plane, boxes, FRAME_LOG)
    sizes = matcher.sizes(len(boxes))
    told: dict[int, tuple[Registration, Naming]] = {}
    for turn_deg in TURNS_TRIED_DEG:
        again = [int(k) for k in np.flatnonzero(which & like & (firm | (turn_deg == 0))) if k not in told]
        if not again:
            break
        starts = planes.lengthwise(_turned(mm[again], turn_deg), sizes[again])
        start_px = quads.project(plane, planes.rectangles(starts, sizes[again]), matcher.heights(len(again)))
        for k, found, naming in zip(again, *matcher.searched(plane, start_px, there=there), strict=True):
            if found is not None:
                told[k] = found, naming
    return told


def _apart(new: tuple[Placed, ...], known: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """Return those of the new pieces that lie where no known one does, nor an earlier new one."""
    kept: list[Placed] = []
    for piece in new:
        reach = SAME_PLACE * float(np.linalg.norm(piece.corners_px[1] - piece.corners_px[0]))
        middle = piece.corners_px.mean(0)
        if all(float(np.linalg.norm(other.corners_px.mean(0) - middle)) > reach for other in (*known, *kept)):
            kept.append(piece)
    return tuple(kept)


def _turned(corners_mm: Floats, by_deg: float) -> Floats:
    """Turn each quad (n, 4, 2) mm about its own middle."""
    c, s = np.cos(np.radians(by_deg)), np.sin(np.radians(by_deg))
    middle = corners_mm.mean(axis=1, keepdims=True)
    turned: Floats = middle + (corners_mm - middle) @ np.array([[c, s], [-s, c]])
    return turned


def _covered(boxes: Floats, pieces: Floats) -> Flags:
    """Tell which boxes (n, 4, 2) have their middle inside a piece (m, 4, 2): its own print."""
    shapes = [p.astype(np.float32) for p in pieces]
    middles = [(float(x), float(y)) for x, y in boxes.mean(1)]
    return np.array([any(cv2.pointPolygonTest(s, m, False) > 0 for s in shapes) for m in middles], bool)


def _settled(
    matcher: Matcher, plane: Plane, corners: Floats, laid: Laid, namings: list[Naming]
) -> tuple[Plane, tuple[Placed, ...], Flags]:
    """Lay all pieces on again with the plane known, refit it, and name them where they lie; tell which are laid on."""
    rects = matcher.rigid(plane, corners)
    lost = np.flatnonzero([not sure(r) for r in laid])
    if len(lost):
        again, rects[lost] = matcher.named(matcher.snapped(plane, rects[lost]), thorough=False)
        anew = dict(zip(lost.tolist(), again, strict=True))
        namings = [anew.get(k, naming) for k, naming in enumerate(namings)]
    best, corners = _laid_on(matcher, rects, namings, laid)
    level, final, sigma = refitted(matcher, plane, corners, best)
    certain = {k: _upright(naming) for k, naming in enumerate(namings) if told(naming, best[k])}
    again, final = matcher.named(final, known=certain)
    changed = [a.label != n.label or a.quarter_turns != 0 for a, n in zip(again, namings, strict=True)]
    other = [k for k, naming in enumerate(again) if changed[k] and naming.label is not None]
    if other:  # laid onto another face, or turned: where that came to lie says little
        better, corners[other] = _laid_on(matcher, final[other], [again[k] for k in other])
        best = [better[other.index(k)] if k in other else r for k, r in enumerate(best)]
        level, final, sigma = refitted(matcher, plane, corners, best)
        again, final = matcher.named(final, known=certain)
    plane = level
    final_mm = plane.to_mm(final, matcher.height_mm)
    pieces = [Placed(c, mm, n, float(s)) for c, mm, n, s in zip(final, final_mm, again, sigma, strict=True)]
    return plane, tuple(pieces), np.array([sure(r) for r in best], bool)


def _laid_on(
    matcher: Matcher, rects: Floats, namings: Sequence[Naming], before: Laid | None = None
) -> tuple[Laid, Floats]:
    """Lay rectangles (n, 4, 2) px onto their faces, rigidly, then freely; return that and their corners.

    `before`: how each was laid on already. Where the plane agrees with it, it would only be found again.
    """
    best: Laid = [None] * len(rects) if before is None else list(before)
    again = [k for k, (r, rect) in enumerate(zip(best, rects, strict=True)) if not _agreed(r, rect)]
    for k, one in zip(again, matcher.laid(rects[again], [namings[k] for k in again], "settled"), strict=True):
        best[k] = one
    return best, corners_of(best, rects)


def _agreed(laid: Registration | None, rect: Floats) -> bool:
    """Tell whether a face was laid on as it lies on the plane, (4, 2) px."""
    if laid is None or laid.correlation < CERTAIN:
        return False
    return float(np.abs(laid.corners_px - rect).max()) < AGREED * float(np.linalg.norm(rect[1] - rect[0]))


def _found(matcher: Matcher, plane: Plane, searched: Collection[tuple[Registration, Naming]]) -> tuple[Placed, ...]:
    """Place what was searched for and found, and so named already."""
    corners = matcher.rigid(plane, np.stack([found.corners_px for found, _ in searched]))
    return filled(matcher, plane, corners, {k: _upright(naming) for k, (_, naming) in enumerate(searched)})


def _upright(naming: Naming) -> Naming:
    """Return a naming as that of corners which begin at the printed top left."""
    return replace(naming, quarter_turns=0, turned_deg=0.0)


def filled(
    matcher: Matcher, plane: Plane, corners_px: Floats, known: Mapping[int, Naming] | None = None
) -> tuple[Placed, ...]:
    """Name pieces that were found where the layout had room for them, corners (n, 4, 2) px, but those `known`."""
    if len(corners_px) == 0:
        return ()
    namings, corners = matcher.named(corners_px, known=known)
    mm = plane.to_mm(corners, matcher.height_mm)
    sigma_px = max(RIGID_SHARE * plane.residual_px, 2 * LEAST_SIGMA_PX)
    return tuple(Placed(c, m, n, sigma_px) for c, m, n in zip(corners, mm, namings, strict=True))


def _of_size(matcher: Matcher, plane: Plane, corners: Floats, laid: Laid) -> Flags:
    """Tell which quads (n, 4, 2) px have the deck's size on the plane; a face laid on may be a little farther off."""
    off = size_off(matcher, plane, corners)
    return np.array([o < SIZE_TOLERANCE * (1.5 if sure(r) else 1.0) for o, r in zip(off, laid, strict=True)], bool)


def size_off(matcher: Matcher, plane: Plane, corners: Floats) -> Floats:
    """Return how far (log) the size of quads (n, 4, 2) px is from the deck's, on the plane."""
    mm = plane.to_mm(corners, matcher.height_mm)
    side = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=-1)
    seen = np.sort(np.stack([side[:, 0] + side[:, 2], side[:, 1] + side[:, 3]], -1) / 2, axis=-1)
    off: Floats = np.abs(np.log(np.maximum(seen, 1e-6) / np.sort(matcher.size_mm))).max(-1)
    return off


def distinct(corners: Floats, scores: Floats, ours: Flags) -> Flags:
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
