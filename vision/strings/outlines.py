"""Where a traced line runs along a piece's outline: it may be that outline, taken for the string."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ranks import quantile
from vision.strings.centreline import SPACING_PX, Line
from vision.strings.ground import Floats, Ground, Mask
from vision.strings.mending import stretches
from vision.strings.strips import normals, smoothed
from vision.strings.tone import own_tone, tones

RIM_TURN = 0.94  # cosine: so nearly parallel a way runs along an outline
RIM_PX = 1.5  # how far beside an outline, past half the string's width, its blurred edge may be taken for string
WANDER, WANDER_QUANTILES = 0.3, (0.1, 0.9)
"""A line whose distance from an outline varies by more than this share of the string's width is not that outline."""
UNFOUNDED = 2.0
"""One σ of a line's place on a piece where nothing shows it, against how far it reaches over the piece."""
OWN_TONE, APART_TONE, LEAST_APART = 0.3, 0.12, 0.05
"""Of a string's tone over the table's: what differs by less has its colour; so much more must differ what lies beside
it, and at least so much (log units), or noise would do."""
BESIDE_WIDTHS, SHOWN_SAMPLES, SHOWN_SHARE = 1.25, 1.5, 0.6
"""So far beside a string its colour must end; averaged over so many samples, in so large a share of them."""


def along_outlines(line: Line, outlines_px: Sequence[Floats]) -> Mask:
    """Which samples (n,) of a line run along a piece's outline, so near that they may be that outline itself."""
    return _sides(line, outlines_px)[0] >= 0


def unproven(line: Line, outlines_px: Sequence[Floats]) -> Line:
    """Take for unseen what may be a piece's own outline."""
    return replace(line, seen=line.seen & ~along_outlines(line, outlines_px))


def unfounded_px(image: NDArray[np.uint8], ground: Ground, line: Line, outlines_px: Sequence[Floats]) -> Floats:
    """Return one standard deviation (n,) px of a line's place where it lies on a piece but no string is seen there.

    It was led there by what is seen elsewhere, and may pass beside the piece as well.
    """
    within = np.zeros(len(line.path_px))
    shapes = [np.asarray(outline, np.float32) for outline in outlines_px]
    for k in np.flatnonzero(~line.seen):
        at = (float(line.path_px[k, 0]), float(line.path_px[k, 1]))
        within[k] = max((cv2.pointPolygonTest(shape, at, True) for shape in shapes), default=-np.inf)
    reach = np.where(line.seen, 0.0, np.maximum(within + line.width_px / 2, 0.0))
    if not reach.any():
        return reach
    return np.where(_shown(image, ground, line), 0.0, UNFOUNDED * reach)


def _shown(image: NDArray[np.uint8], ground: Ground, line: Line) -> Mask:
    """Tell where (n,) along a line the string's own colour is seen on it, and not beside it."""
    own = own_tone(image, ground, line.path_px, line.seen)
    across = normals(line.path_px, max(line.width_px / SPACING_PX * 0.5, 1.5), line.closed)
    on, left, right = (
        np.linalg.norm(tones(image, ground, line.path_px + away * line.width_px * across) - own, axis=1)
        for away in (0.0, -BESIDE_WIDTHS, BESIDE_WIDTHS)
    )
    size = float(np.linalg.norm(own))
    shown = (on < OWN_TONE * size) & (np.minimum(left, right) - on > max(APART_TONE * size, LEAST_APART))
    share = smoothed(shown.astype(np.float64)[:, None], SHOWN_SAMPLES, line.closed)[:, 0]
    return np.asarray(share > SHOWN_SHARE)


def kept_to_outlines(line: Line, outlines_px: Sequence[Floats]) -> Mask:
    """Which of them (n,) keep as far from it all along as the outline itself would: a string on top of it wanders, and
    one that crosses it runs along it for less than its own width.
    """
    side, beside = _sides(line, outlines_px)
    kept = np.zeros(len(side), bool)
    for start, stop in stretches(side >= 0, False):
        cuts = [start, *(np.flatnonzero(np.diff(side[start:stop])) + 1 + start).tolist(), stop]
        for first, last in pairwise(cuts):
            low, high = (quantile(beside[first:last], share) for share in WANDER_QUANTILES)
            kept[first:last] = high - low < WANDER * line.width_px and (last - first) * SPACING_PX >= line.width_px
    return kept


def _sides(line: Line, outlines_px: Sequence[Floats]) -> tuple[NDArray[np.int64], Floats]:
    """Which side of which outline each sample (n,) runs along, else -1; and how far beside it, px."""
    count = len(line.path_px)
    if not outlines_px:
        return np.full(count, -1), np.zeros(count)
    a = np.concatenate([np.asarray(polygon, np.float64) for polygon in outlines_px])
    b = np.concatenate([np.roll(np.asarray(polygon, np.float64), -1, 0) for polygon in outlines_px])
    edge = b - a
    long = np.maximum(np.hypot(edge[:, 0], edge[:, 1]), 1e-9)
    edge = edge / long[:, None]
    at = line.path_px @ edge.T - (a * edge).sum(1)
    beside = line.path_px @ np.stack([edge[:, 1], -edge[:, 0]]) - (a[:, 0] * edge[:, 1] - a[:, 1] * edge[:, 0])
    across = normals(line.path_px, max(line.width_px / SPACING_PX * 0.5, 1.5), line.closed)
    parallel = np.abs(across @ edge.T) < np.sqrt(1 - RIM_TURN**2)
    half = line.width_px / 2
    near = (np.abs(beside) < half + RIM_PX) & (at > -half) & (at < long + half) & parallel
    nearest = np.where(near, np.abs(beside), np.inf).argmin(1)
    return np.where(near.any(1), nearest, -1), beside[np.arange(count), nearest]
