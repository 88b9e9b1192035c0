"""Where the pieces of one size lie in a photograph, exactly: without any reference.

Two eyes look for them: the detector, and what stands out from the bare table with four straight sides. What the first
is sure of is a piece; of the rest as many are taken as the labels say are missing, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision import bare, discs, quads, silhouettes
from vision.detector import Detections, Detector, Kind
from vision.fitting import CLEAN_FILL, FIRM, SURE, SURE_SCORE, Candidate, Found, placed, weighed
from vision.ranks import median
from vision.silhouettes import Silhouette

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

WEAK_SCORE = 0.05  # of the detector: what is looked at
COVERING_SCORE = 0.3  # what hides the table, when its colours are learnt
BARE, DOUBTED = 0.5, 0.5  # what shows the table's own colours on more than the first share has this share of its score
MARKER_SIZES = (0.6, 1.6)  # of the usual marker's side: how long another's may be, nearer or farther off
SAME_PLACE = 0.4  # of a side: two finds nearer than this are one
SIDES = (0.45, 2.0)  # of the detector's usual side: how long a silhouette's sides may be
# where the detector found nothing: at least, and of the picture's shorter side
FEWEST_SIDES_PX, MOST_SIDES_SHARE = 24.0, 0.7
OTHER_SHAPE = 0.4  # log: what is longer or less long than the pieces by more is another thing, or a part
LEAST_EVIDENCE = 0.25  # what is less likely is not taken, however many are missing
LIKELY = 0.5  # of what has the right silhouette: it counts where more are missing than may be there


def found(
    images: Sequence[Image],
    size_mm: tuple[float, float],
    height_mm: float,
    kind: Kind = "card",
    wanted: int | None = None,
) -> list[Floats]:
    """Return for each picture the corners (n, 4, 2) px of its pieces of `size_mm`, each clockwise.

    `wanted`: how many there are in all pictures together: then doubtful ones count as far as they are needed.
    """
    seen = [look(image, size_mm, height_mm, kind) for image in images]
    least = threshold(np.concatenate([one.evidence for one in seen]), wanted)
    return [one.corners_px[one.evidence >= least] for one in seen]


def threshold(evidence: Floats, wanted: int | None) -> float:
    """Return the evidence from which on finds (n,) count, so that they are as many as wanted if that can be."""
    sure = int((evidence >= SURE).sum())
    if wanted is None or sure == wanted:
        return SURE
    if sure > wanted:
        return FIRM if (evidence >= FIRM).sum() == wanted else SURE
    possible = np.sort(evidence[evidence >= LEAST_EVIDENCE])[::-1]
    return float(possible[wanted - 1]) if len(possible) >= wanted else LIKELY


def look(image: Image, size_mm: tuple[float, float], height_mm: float, kind: Kind = "card") -> Found:
    """Find all that may be a piece of `size_mm`."""
    detections, unlike = at_first(image)
    if kind == "disc":
        return Found(*discs.apart(image, detections, unlike, height_mm))
    if kind == "marker":
        return cubes(detections, unlike)
    return pieces(image, detections, unlike, size_mm, height_mm, kind)


def cubes(detections: Detections, unlike: Floats) -> Found:
    """Tell where players' markers stand, roughly: a plain cube may be taken for a card, and shows its sides."""
    flat = np.array([kind != "disc" for kind in detections.kinds], bool)
    boxes = quads.clockwise(np.asarray(detections.corners_px, float))[flat]
    scores, named = np.asarray(detections.scores, float)[flat], np.array(detections.kinds)[flat] == "marker"
    telling = next((t for t in (named & (scores >= SURE_SCORE), scores >= SURE_SCORE) if t.any()), named)
    if not telling.any():
        return Found(np.zeros((0, 4, 2)), np.zeros(0))
    sides = np.sqrt([abs(_area(box)) for box in boxes])
    low, high = np.multiply(MARKER_SIZES, median(sides[telling]))
    alike = (sides > low) & (sides < high)
    candidates = gathered(silhouettes.anywhere(unlike, low, high), boxes[alike], scores[alike])
    shown = [c.box_px if c.score >= SURE_SCORE or not c.outlines else c.outlines[0].corners_px for c in candidates]
    seen = np.array([bool(c.outlines) for c in candidates], bool)
    fills = np.array([c.outlines[0].fill if c.outlines else 0.0 for c in candidates])
    score = np.array([c.score for c in candidates])
    return Found(np.array(shown).reshape(-1, 4, 2), np.minimum(weighed(score, fills, seen, ~seen), SURE))


def at_first(image: Image) -> tuple[Detections, Floats]:
    """Return what the detector finds, faint things too, and how unlike the bare table each pixel is (h, w).

    What shows the table's own colours, as a floor's slab, is doubted: its score is made smaller.
    """
    found = Detector().detect(image, least_score=WEAK_SCORE)
    boxes, scores = np.asarray(found.corners_px, float), np.asarray(found.scores)
    table = bare.like(image, boxes, scores >= COVERING_SCORE) > BARE
    order = np.argsort(-np.where(table, DOUBTED * scores, scores), kind="stable")
    scores = np.where(table, DOUBTED * scores, scores)[order]
    detections = Detections(found.corners_px[order], tuple(found.kinds[k] for k in order), scores)
    return detections, np.asarray(bare.unlike(image, boxes[~table]))


def pieces(
    image: Image,
    detections: Detections,
    unlike: Floats,
    size_mm: tuple[float, float],
    height_mm: float,
    kind: Kind = "card",
) -> Found:
    """Find all that may be a piece of `size_mm`, given what `at_first` tells."""
    chosen = np.array([k == kind for k in detections.kinds], bool)
    boxes = quads.clockwise(np.asarray(detections.corners_px, float))[chosen]
    scores = np.asarray(detections.scores, float)[chosen]
    low, high = _sides_px(image, boxes[scores >= SURE_SCORE] if (scores >= SURE_SCORE).any() else boxes, size_mm)
    outlines = silhouettes.anywhere(unlike, low, high)
    own = np.array([not _printed_on(box, outlines, size_mm) for box in boxes], bool)
    return placed(image, gathered(outlines, boxes[own], scores[own]), size_mm, height_mm)


def _sides_px(image: Image, boxes_px: Floats, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Return how long a piece's sides may be, by the boxes; these may be but squares on a long piece."""
    if len(boxes_px) == 0:
        return FEWEST_SIDES_PX, MOST_SIDES_SHARE * min(image.shape[:2])
    sides = np.linalg.norm(np.roll(boxes_px, -1, axis=1) - boxes_px, axis=-1)
    longer = np.exp(max(_longer(size_mm) - float(median([_longer(side[:2]) for side in sides])), 0.0))
    low, high = float(median(sides.min(axis=1))), float(median(sides.max(axis=1)))
    return SIDES[0] * low, SIDES[1] * high * longer


def _longer(sides: Sequence[float] | Floats) -> float:
    """Return how much longer (log) two sides are one than the other."""
    return float(abs(np.log(sides[0] / sides[1])))


def _printed_on(box: Floats, outlines: Sequence[Silhouette], size_mm: tuple[float, float]) -> bool:
    """Tell whether a box (4, 2) px is a picture on a piece: inside a clean silhouette of its shape, as it is not."""
    off = abs(_longer(_across(box)) - _longer(size_mm))
    middle = (float(box[:, 0].mean()), float(box[:, 1].mean()))
    return any(
        one.fill > CLEAN_FILL
        and off > OTHER_SHAPE > 2 * abs(_longer(_across(one.corners_px)) - _longer(size_mm))
        and cv2.pointPolygonTest(one.corners_px.astype(np.float32), middle, False) > 0
        for one in outlines
    )


def _across(quad: Floats) -> Floats:
    """Return how long a quad (4, 2) is along either pair of its sides (2,)."""
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.asarray((side[:2] + side[2:]) / 2, float)


def gathered(outlines: list[Silhouette], boxes_px: Floats, scores: Floats) -> list[Candidate]:
    """Put together what was seen in one place, by the detector (n, 4, 2) px or as a silhouette."""
    groups: list[list[Silhouette]] = []
    for one in sorted(outlines, key=lambda s: -s.fill):
        group = next((g for g in groups if same_place(g[0].corners_px, one.corners_px)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    candidates, free = [], set(range(len(boxes_px)))
    for group in groups:
        near = [k for k in range(len(boxes_px)) if same_place(group[0].corners_px, boxes_px[k])]
        free -= set(near)
        best = max(near, key=lambda k: float(scores[k]), default=None)
        box = group[0].corners_px if best is None else boxes_px[best]
        candidates.append(Candidate(tuple(group), box, 0.0 if best is None else float(scores[best])))
    alone = [Candidate((), boxes_px[k], float(scores[k])) for k in sorted(free)]
    return candidates + alone


def same_place(quad: Floats, other: Floats) -> bool:
    """Tell whether two quads (4, 2) lie in one place and are about as large."""
    size = np.sqrt([abs(_area(quad)), abs(_area(other))])
    apart = float(np.linalg.norm(quad.mean(axis=0) - other.mean(axis=0)))
    return apart < SAME_PLACE * float(size.min()) and float(size.max() / max(size.min(), 1.0)) < SIDES[1]


def _area(quad: Floats) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return float(x @ np.roll(y, -1) - np.roll(x, -1) @ y) / 2
