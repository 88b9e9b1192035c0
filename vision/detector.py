"""Find printed pieces, discs and markers in a picture. The only file that knows the detector's network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.ranks import median
from vision.threads import each
from vision.weights import verified

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Kind = Literal["card", "disc", "marker"]
KINDS: tuple[Kind, ...] = ("card", "disc", "marker")

STRIDES = (8, 16, 32)
BASE = 3.0  # as in training: a piece whose half extent is BASE strides has log size 0
MULTIPLE = 32  # the network's coarsest stride
PASSES_PX = (320, 640)  # the picture's longer side in each pass: close-ups are found in the first, tables in the second
FINE_PX = 1280  # a third pass, where pieces are small or nothing was found
SMALL_PX = 36.0  # a card this narrow in the second pass is near what is missed there (453 of 517 found; 444 from 26 on)
INSIDE = 0.85  # of a find that lies this much on a larger card, from a coarser pass, it is that card's own print
FRAMES, FRAMED = 3, 0.25  # a find around at least so many cards, each at most this share of its area, is no card
SMALLER = 0.75  # and has at most this much of its area
LIKE, ALIKE = 5, 1.6  # so many cards, each this many times larger or smaller at most, tell how large a card is there
CENTRED = 0.15  # a disc this near a card's middle, in card sides, is printed on it
SURER, LEAST_PRINT = 0.2, 0.3  # or from any pass, if it is so much surer, and not so large that a piece may lie on it
WEAKER = 0.7  # and the larger one is at least this sure beside it
LEAST_SCORE = 0.45  # of finds at this score, nearly nine in ten were pieces in photographs never trained on
OVERLAP = 0.45  # of two boxes of one kind that overlap this much (IoU), the better is kept
FINER = 0.1  # what each finer pass adds to a score when boxes are compared: its corners are better
ACROSS = 0.3  # likewise of two passes, whose boxes of one piece differ more
ONWARD = [1, 2, 3, 0]  # of four corners, each one's next
CANDIDATES = 600  # the most boxes that are compared with each other


@dataclass(frozen=True)
class Detections:
    """What was found, best first.

    `corners_px`: (n, 4, 2) float32, rough outlines: parallelograms in the picture's px, clockwise as seen, from any
    corner on; a disc's circumscribed square. They may reach beyond the picture. `scores`: (n,) float32, 0…1.
    """

    corners_px: Floats
    kinds: tuple[Kind, ...]
    scores: Floats

    def __len__(self) -> int:
        """Return how many were found."""
        return len(self.kinds)


def decode(raw: Floats, height: int, width: int, least_score: float) -> tuple[Floats, npt.NDArray[np.int64], Floats]:
    """Turn the network's raw output (10, anchors) into corners (n, 4, 2) in its input's px, kinds and scores (n,)."""
    kinds = raw[:3].argmax(0)
    scores = raw[:3].max(0)
    keep = np.nonzero(scores >= least_score)[0]
    keep = keep[np.argsort(-scores[keep], kind="stable")][:CANDIDATES]
    points, strides = _anchors(height, width)
    points, strides, shape = points[keep], strides[keep], raw[3:, keep].T
    centre = points + shape[:, :2] * strides[:, None]
    size = (BASE * strides * np.exp(np.clip(shape[:, 2], -4, 4))) ** 2
    p, q = (shape[:, 3:5] / np.sqrt(1 + (shape[:, 3:5] ** 2).sum(1, keepdims=True))).T
    xx, yy, xy = size * (1 + p), size * (1 - p), size * q
    root = np.sqrt(np.maximum(xx * yy - xy * xy, 1e-6))
    norm = np.sqrt(xx + yy + 2 * root)
    turn = np.where(kinds[keep] == 1, 0.0, np.arctan2(shape[:, 6], shape[:, 5]) / 4)
    c, s = np.cos(turn), np.sin(turn)
    u = np.stack([(xx + root) * c + xy * s, xy * c + (yy + root) * s], 1) / norm[:, None]
    v = np.stack([-(xx + root) * s + xy * c, -xy * s + (yy + root) * c], 1) / norm[:, None]
    corners = np.stack([centre - u - v, centre + u - v, centre + u + v, centre - u + v], 1)
    return corners.astype(np.float32), kinds[keep], scores[keep].astype(np.float32)


@lru_cache(maxsize=16)
def _anchors(height: int, width: int) -> tuple[Floats, Floats]:
    """Return the places' middles (a, 2) in px and their strides (a,), by stride, row by row."""
    points, strides = [], []
    for stride in STRIDES:
        x, y = np.meshgrid(np.arange(width // stride) + 0.5, np.arange(height // stride) + 0.5)
        points.append(np.stack([x.ravel(), y.ravel()], 1) * stride)
        strides.append(np.full(x.size, stride))
    return np.concatenate(points).astype(np.float32), np.concatenate(strides).astype(np.float32)


def iou(a: Floats, b: Floats) -> float:
    """Return the overlap of two convex quadrilaterals (4, 2)."""
    shared, _ = cv2.intersectConvexConvex(a, b)
    areas = abs(cv2.contourArea(a)) + abs(cv2.contourArea(b)) - shared
    return float(shared / areas) if areas > 0 else 0.0


def suppress(
    corners: Floats,
    kinds: npt.NDArray[np.int64],
    level: npt.NDArray[np.int64] | None = None,
    apart: Mapping[int, int] | None = None,
) -> list[int]:
    """Keep the best of boxes of one kind that overlap; boxes come best first, indices go out likewise.

    `level`: of which pass each box is; boxes of two passes that overlap by ACROSS are one piece found twice. `apart`:
    a box to one that it does not rule out.
    """
    apart = apart or {}
    level = np.zeros(len(kinds), np.int64) if level is None else level
    finds = _Finds(corners, kinds, level, np.zeros(len(kinds), np.float32))
    most = np.where(level[:, None] == level, OVERLAP, ACROSS)
    possible = (finds.at_most >= most) & (kinds[:, None] == kinds)
    rivals: list[list[int]] = [[] for _ in kinds]
    for i, k in np.argwhere(np.tril(possible, -1)).tolist():
        if apart.get(k) != i and apart.get(i) != k:
            rivals[i].append(k)
    kept: set[int] = set()
    for i, before in enumerate(rivals):
        if all(finds.iou(i, k) < most[i, k] for k in before if k in kept):
            kept.add(i)
    return sorted(kept)


@dataclass(frozen=True)
class _Finds:
    """Boxes of all passes: `corners` (n, 4, 2), `kinds`, `level` (of which pass) and `scores` (n,)."""

    corners: Floats
    kinds: npt.NDArray[np.int64]
    level: npt.NDArray[np.int64]
    scores: Floats

    @cached_property
    def areas(self) -> npt.NDArray[np.float64]:
        """Return their areas (n,), by the shoelace formula."""
        x, y = (self.corners[..., k].astype(np.float64) for k in (0, 1))
        return np.asarray(0.5 * np.abs((x * y[:, ONWARD] - x[:, ONWARD] * y).sum(1)))

    @cached_property
    def spans(self) -> tuple[Floats, Floats]:
        """Return their least and greatest x and y, (n, 2) each."""
        return self.corners.min(1), self.corners.max(1)

    def meets(self, i: int, others: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Tell which others may overlap one, by their upright boxes."""
        low, high = self.spans
        return np.asarray(((low[others] <= high[i]) & (high[others] >= low[i])).all(1))

    @cached_property
    def at_most(self) -> npt.NDArray[np.float64]:
        """Return what no overlap of two is more than (n, n), by their upright boxes and their areas."""
        low, high = (span.astype(np.float64).T for span in self.spans)
        wide, tall = (np.minimum(b[:, None], b) - np.maximum(a[:, None], a) for a, b in zip(low, high, strict=True))
        shared = np.minimum(wide.clip(0) * tall.clip(0), np.minimum(self.areas[:, None], self.areas))
        return np.asarray(shared / np.maximum(self.areas[:, None] + self.areas - shared, 1e-9)) * (1 + 1e-6)

    def shared(self, i: int, k: int) -> float:
        """Return the area that two have in common."""
        return float(cv2.intersectConvexConvex(self.corners[i], self.corners[k])[0])

    def iou(self, i: int, k: int) -> float:
        """Return the overlap of two."""
        shared = self.shared(i, k)
        whole = float(self.areas[i] + self.areas[k]) - shared
        return shared / whole if whole > 0 else 0.0


def _bearer(i: int, others: npt.NDArray[np.int64], finds: _Finds) -> int | None:
    """Return the larger card that a card is only a print of: one of a coarser pass, or a much surer one."""
    if finds.kinds[i] != 0:
        return None
    area, whole, scores = finds.areas[i], finds.areas[others], finds.scores[others]
    coarser = (finds.level[others] < finds.level[i]) & (scores >= WEAKER * finds.scores[i])
    surer = (scores >= finds.scores[i] + SURER) & (area > LEAST_PRINT * whole)
    larger = (finds.kinds[others] == 0) & (coarser | surer) & (area < SMALLER * whole) & finds.meets(i, others)
    return next((k for k in others[larger].tolist() if finds.shared(i, k) > INSIDE * area), None)


def _outermost(
    kept: npt.NDArray[np.int64], finds: _Finds, both: bool
) -> tuple[npt.NDArray[np.int64], Mapping[int, int]]:
    """Leave out cards that are another's own print; a surer one that is as large as the others is the card itself.

    A loop of string round a tile or two is found as a card as well. `both`: one that is surer, or as large as the
    others, is kept with its bearer, and the second answer says which bearer that is.
    """
    bearers = {int(i): k for i in kept if (k := _bearer(i, kept, finds)) is not None}
    cards = kept[(finds.kinds[kept] == 0) & (finds.scores[kept] >= LEAST_SCORE)]
    whole = [finds.areas[i] for i in cards.tolist() if i not in bearers]
    usual = float(median(whole)) if len(whole) >= LIKE else 0.0
    alike = {i for i, k in bearers.items() if _as_large(finds.areas[i], usual) and not _as_large(finds.areas[k], usual)}
    surer = {i for i, k in bearers.items() if finds.scores[i] > finds.scores[k]}
    inner = {i: bearers[i] for i in (alike | surer if both else alike & surer)}
    outer = set() if both else set(inner.values())
    return np.array([i for i in kept if i not in outer and (i in inner or i not in bearers)], np.int64), inner


def _as_large(area: float, usual: float) -> bool:
    """Tell whether a card has about this area, nearer or farther though it may lie."""
    return bool(usual / ALIKE < area < ALIKE * usual)


def _frame(i: int, others: npt.NDArray[np.int64], finds: _Finds) -> bool:
    """Tell whether a card is no card but what surrounds several of them: a loop of string, a tray, a whole grid.

    What is found in it counts where it may well be a card: the pictures on a photo card are found as well, faintly.
    """
    small = (finds.kinds[others] == 0) & (finds.areas[others] < FRAMED * finds.areas[i]) & finds.meets(i, others)
    small &= finds.scores[others] >= LEAST_SCORE
    if finds.kinds[i] != 0 or small.sum() < FRAMES:
        return False
    inside = [finds.shared(i, k) > INSIDE * finds.areas[k] for k in others[small].tolist()]
    return int(sum(inside)) >= FRAMES


def _medallion(i: int, others: npt.NDArray[np.int64], finds: _Finds) -> bool:
    """Tell whether a disc is only a round picture printed in the middle of a card."""
    if finds.kinds[i] != 1:
        return False
    off = finds.corners[others].mean(1) - finds.corners[i].mean(0)
    near = (finds.kinds[others] == 0) & (np.hypot(off[:, 0], off[:, 1]) < CENTRED * np.sqrt(finds.areas[others]))
    return any(finds.shared(i, k) > INSIDE * finds.areas[i] for k in others[near].tolist())


def _small(corners_px: Floats) -> bool:
    """Tell whether a finer pass may find more than one that found these: they are small, or there are none."""
    if not len(corners_px):
        return True
    sides = np.linalg.norm(np.roll(corners_px, -1, 1) - corners_px, axis=2).min(1)
    return float(median(sides)) < SMALL_PX


def settle(looks: Sequence[Detections], *, both: bool = False) -> Detections:
    """Settle passes, coarsest first, against each other: one find a piece.

    `both`: of a surer find inside another, which of them is the piece is left open, and both are told.
    """
    corners, scores = np.concatenate([x.corners_px for x in looks]), np.concatenate([x.scores for x in looks])
    kinds = np.array([KINDS.index(k) for x in looks for k in x.kinds], np.int64)
    level = np.repeat(np.arange(len(looks)), [len(x) for x in looks])
    finds = _Finds(corners, kinds, level, scores)
    kept = np.argsort(-(scores + FINER * level), kind="stable")
    kept = kept[np.array([not _frame(i, kept, finds) for i in kept], bool)]
    kept, inner = _outermost(kept, finds, both)
    kept = kept[np.array([not _medallion(i, kept, finds) for i in kept], bool)]
    at = {int(i): place for place, i in enumerate(kept)}
    apart = {at[i]: at[k] for i, k in inner.items() if i in at and k in at}
    kept = kept[suppress(corners[kept], kinds[kept], level[kept], apart)]
    return Detections(corners[kept], tuple(KINDS[k] for k in kinds[kept]), scores[kept])


class Detector:
    """The network, ready to run."""

    def __init__(self, weights: bytes | None = None, threads: int = 2) -> None:
        """Load the given ONNX bytes, or the project's verified weights."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        data = verified("detector") if weights is None else weights
        self._session: Any = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])

    def detect(
        self, image: Image, *, least_score: float = LEAST_SCORE, both: bool = False, of_px: int = 0
    ) -> Detections:
        """Find the pieces of a picture (BGR, any size), in two passes from coarse to fine, three for small pieces.

        `both`: of a surer find inside another both are told: who knows the deck's faces knows which of them is a piece.
        `of_px`: the longer side of the picture that this is a part of, and as finely looked at.
        """
        part, longer = max(image.shape[:2]), max(*image.shape[:2], of_px)
        sides = PASSES_PX[:1] if longer <= PASSES_PX[0] else PASSES_PX
        looks = each(lambda side: self.look(image, round(side * part / longer), least_score), sides)
        if longer > PASSES_PX[-1] and _small(looks[-1].corners_px * (PASSES_PX[-1] / longer)):
            looks.append(self.look(image, round(FINE_PX * part / longer), least_score))
        return settle(looks, both=both)

    def look(self, image: Image, side_px: int, least_score: float = LEAST_SCORE) -> Detections:
        """Run one pass, the picture's longer side shrunk to `side_px`, and settle its finds against each other."""
        height, width = image.shape[:2]
        scale = min(1.0, side_px / max(height, width))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = image if scale == 1 else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        right, below = -size[0] % MULTIPLE, -size[1] % MULTIPLE
        padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        blob = cv2.dnn.blobFromImage(padded, 1 / 255)
        raw = self._session.run(None, {"images": blob})[0][0]
        corners, kinds, scores = decode(raw, padded.shape[0], padded.shape[1], least_score)
        kept = suppress(corners, kinds)
        whole = (corners[kept] + 0.5) / np.float32(scale) - 0.5 if scale != 1 else corners[kept]
        return Detections(whole, tuple(KINDS[k] for k in kinds[kept]), scores[kept])
