"""How unlike the bare table each place of a picture is: what lies on it stands out, whatever the table's grain.

And how much of a thing shows the table's own colours: a floor's slab has four sides as a tile has, but is the floor.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.ranks import quantile

Floats = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

SMALL = 4  # the table's colour is followed in a picture this much smaller
REACHES = (1 / 24, 1 / 8, 1 / 2)  # of the longer side: how far from it bare table tells a place's colour
LESS = 0.01  # what each wider reach counts against the one before: only where that one saw no table
KEEN_PX = 0.8  # σ of the smoothing against the sensor's noise
LEAST_VARIANCE = 0.4  # CIE units squared: no camera sees a table more evenly
COMMON = 0.95  # of the bare places, the others being stains, crumbs and reflections
ROUNDS = 3
GROWN = 1.4  # a box is covered this much larger than it is
BIN = (6.0, 5.0, 5.0)  # CIELAB: colours in one such box are one
BIN_SOFT = (0.25, 0.5, 0.25)  # and count for their neighbours too
RARE = 0.05  # the share of the table whose colours are too rare to be called its own
INNER = 0.85  # of a box: what is looked at, its edge being a joint as often as not
COVERED = 1.15  # a box hides the table this much farther than it reaches
PLAIN, LEAST_BARE = 6.0, 0.05  # what stands out further is no table in a second look, if so much of the picture is left


def unlike(image: Image, boxes_px: npt.ArrayLike) -> Floats:
    """Return (h, w): how many σ of the table's own unevenness each pixel's colour is off the table round about.

    `boxes_px`: (n, 4, 2), roughly what lies there. Where nothing is bare, all is 0.
    """
    soft = cv2.GaussianBlur(image, (0, 0), KEEN_PX).astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)
    bare = _outside(image.shape[:2], np.asarray(boxes_px, float).reshape(-1, 4, 2))
    first = _distance(lab, bare)
    again = bare & (cv2.GaussianBlur(first, (0, 0), 2 * KEEN_PX) < PLAIN)
    return _distance(lab, again) if again.mean() > LEAST_BARE else first


def like(image: Image, boxes_px: npt.ArrayLike, covering: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return what share (n,) of each box (n, 4, 2) px shows colours of the table, as seen outside of all `covering`.

    `covering`: (n,) bool, the boxes that hide the table. Where they leave too little of it, all shares are 0.
    """
    boxes = np.asarray(boxes_px, float).reshape(-1, 4, 2) / 2
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(half, (0, 0), KEEN_PX).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    bare = _outside(lab.shape[:2], boxes[np.asarray(covering, bool)], COVERED)
    if bare.mean() < LEAST_BARE:
        return np.zeros(len(boxes))
    cells = np.moveaxis((lab + np.array([0, 128, 128])) / BIN, -1, 0).astype(int)
    often = _soft_counts(cells[:, bare])[tuple(cells + 1)]
    own = (often > quantile(often[bare], RARE)).astype(np.uint8)
    return np.array([_share(own, box.mean(axis=0) + (box - box.mean(axis=0)) * INNER) for box in boxes])


def _share(own: npt.NDArray[np.uint8], box: npt.NDArray[np.float64]) -> float:
    """Return the mean of a picture (h, w) within a quad (4, 2) px; 0 where it lies outside."""
    low = np.maximum(np.floor(box.min(axis=0)), 0).astype(int)
    part = own[low[1] : int(box[:, 1].max()) + 2, low[0] : int(box[:, 0].max()) + 2]
    if part.size == 0:
        return 0.0
    mask = cv2.fillConvexPoly(np.zeros(part.shape, np.uint8), np.round(box - low).astype(np.int32), 1)
    return float(part[mask > 0].mean()) if mask.any() else 0.0


def _soft_counts(cells: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return how often each cell is hit by cells (3, n), softened; one empty cell is added on every side."""
    counts = np.zeros([int(np.ceil(span / size)) + 3 for span, size in zip((101, 256, 256), BIN, strict=True)])
    np.add.at(counts, tuple(cells + 1), 1.0)
    side, middle, _ = BIN_SOFT
    for axis in range(3):
        counts = middle * counts + side * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
    return counts


def _outside(shape: tuple[int, ...], boxes_px: npt.NDArray[np.float64], grown: float = GROWN) -> Mask:
    """Return the places (h, w) outside of all boxes, which are grown."""
    free = np.full(shape, 255, np.uint8)
    for box in boxes_px:
        middle = box.mean(axis=0)
        cv2.fillConvexPoly(free, np.round(middle + (box - middle) * grown).astype(np.int32), 0)
    return free > 0


def _distance(lab: Floats, bare: Mask) -> Floats:
    """Return each pixel's distance (Mahalanobis) from the smooth colour of the bare table."""
    if bare.mean() < LEAST_BARE:
        return np.zeros(bare.shape, np.float32)
    off = lab - _smooth(lab, bare)
    seen = off[bare]
    spread = np.cov(seen.T)
    for _ in range(ROUNDS):
        apart = np.einsum("ni,ij,nj->n", seen, np.linalg.inv(spread + LEAST_VARIANCE * np.eye(3)), seen)
        spread = np.cov(seen[apart <= quantile(apart, COMMON)].T)
    whitened = off @ np.linalg.cholesky(np.linalg.inv(spread + LEAST_VARIANCE * np.eye(3))).astype(np.float32)
    return np.asarray(np.sqrt((whitened**2).sum(axis=2)), np.float32)


def _smooth(lab: Floats, bare: Mask) -> Floats:
    """Return the bare table's colour (h, w, 3), carried over what lies on it."""
    height, width = bare.shape
    size = max(width // SMALL, 1), max(height // SMALL, 1)
    share = cv2.resize(bare.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    share = np.where(share > 0.99, 1, 0).astype(np.float32)
    small = cv2.resize(lab, size, interpolation=cv2.INTER_AREA) * share[..., None]
    total, weight = np.zeros_like(small), np.full(small.shape[:2], 1e-12, np.float32)
    for k, reach in enumerate(REACHES):
        sigma = reach * max(size)
        total += LESS**k * cv2.GaussianBlur(small, (0, 0), sigma)
        weight += LESS**k * cv2.GaussianBlur(share, (0, 0), sigma)
    field = cv2.resize(total / weight[..., None], (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(field, np.float32)
