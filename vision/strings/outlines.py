"""Where a traced line runs along a piece's outline: it may be that outline, taken for the string."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.ranks import quantile
from vision.strings.centreline import SPACING_PX, Line
from vision.strings.ground import Floats, Mask
from vision.strings.mending import stretches
from vision.strings.strips import normals

RIM_TURN = 0.94  # cosine: so nearly parallel a way runs along an outline
RIM_PX = 1.5  # how far beside an outline, past half the string's width, its blurred edge may be taken for string
WANDER, WANDER_QUANTILES = 0.3, (0.1, 0.9)
"""A line whose distance from an outline varies by more than this share of the string's width is not that outline."""


def along_outlines(line: Line, outlines_px: Sequence[Floats]) -> Mask:
    """Which samples (n,) of a line run along a piece's outline, so near that they may be that outline itself."""
    return _sides(line, outlines_px)[0] >= 0


def unproven(line: Line, outlines_px: Sequence[Floats]) -> Line:
    """Take for unseen what may be a piece's own outline."""
    return replace(line, seen=line.seen & ~along_outlines(line, outlines_px))


def kept_to_outlines(line: Line, outlines_px: Sequence[Floats]) -> Mask:
    """Which of them (n,) keep as far from it all along as the outline itself would: a string on top of it wanders."""
    side, beside = _sides(line, outlines_px)
    kept = np.zeros(len(side), bool)
    for start, stop in stretches(side >= 0, False):
        cuts = [start, *(np.flatnonzero(np.diff(side[start:stop])) + 1 + start).tolist(), stop]
        for first, last in pairwise(cuts):
            low, high = (quantile(beside[first:last], share) for share in WANDER_QUANTILES)
            kept[first:last] = high - low < WANDER * line.width_px
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
