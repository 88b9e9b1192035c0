"""Which points lie near which: plain arrays, for a tree's import would cost a command more than all its searches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.strings.ground import Floats

Ints = NDArray[np.int64]

AHEAD = ((0, 0), (0, 1), (1, -1), (1, 0), (1, 1))
"""A cell and the half of its neighbours that come after it."""


def nearest_distance(points: Floats, others: Floats) -> Floats:
    """How far each point (n, 2) is from the nearest of the others (m, 2); infinite where there are none."""
    if len(others) == 0:
        return np.full(len(points), np.inf)
    middle = others.mean(0)  # so that squares stay small against what they differ by
    a, b = (points - middle).astype(np.float32), (others - middle).astype(np.float32)  # to a hundredth of a px
    squares = (b * b).sum(1)[None] - 2 * (a @ b.T)
    return np.asarray(np.sqrt(np.maximum(squares.min(1) + (a * a).sum(1), 0)), np.float64)


def pairs_within(points: Floats, reach: float) -> Ints:
    """All pairs (k, 2), i < j, of points (n, 2) no farther apart than `reach`, sorted."""
    if len(points) < 2:
        return np.zeros((0, 2), np.int64)
    cell = np.floor((points - points.min(0)) / max(reach, 1e-9)).astype(np.int64) + 1
    width = int(cell[:, 1].max()) + 2
    key = cell[:, 0] * width + cell[:, 1]
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    found = []
    for dx, dy in AHEAD:
        wanted = key + dx * width + dy
        start, stop = np.searchsorted(sorted_key, wanted, "left"), np.searchsorted(sorted_key, wanted, "right")
        count = stop - start
        one = np.repeat(np.arange(len(points)), count)
        other = order[np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)]
        away = points[one] - points[other]
        near = (away[:, 0] ** 2 + away[:, 1] ** 2 <= reach * reach) & ((one < other) if dx == dy == 0 else True)
        found.append(np.stack([one[near], other[near]], 1))
    pairs = np.sort(np.concatenate(found), axis=1)
    return np.asarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
