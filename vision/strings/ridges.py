"""Line points: where the picture, across some direction, peaks or dips in colour like a thin band (Steger's
detector, in colour).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.ground import Floats, Ground, Image32

ANGLES = 12  # directions tried across half a turn: 15 degrees apart, well inside a ridge filter's tolerance
LOW_STRENGTH = 5.5  # standard deviations of the table's own texture
MAX_OFFSET_PX = 0.75  # work px: the line's centre must lie within its own pixel or just beyond
LOBE_SHARE = 0.6  # beside a line its second derivative swings back by up to this much of the line's own

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ridges:
    """Line points of a picture at one scale, struct of arrays over n points.

    `points` (n, 2): working px, sub-pixel. `across` (n, 2): unit normals. `strength` (n,): deviations of bare table.
    `response` (n, 3): its whitened colour contrast; `contrast` (n,): its size before whitening, the same in all
    directions.
    `index` (h, w): a pixel's point, or -1.
    """

    points: Floats
    across: Floats
    strength: Floats
    response: Floats
    contrast: Floats
    index: Ints

    def only(self, keep: NDArray[np.bool_]) -> Ridges:
        """Keep some of the points."""
        index = np.full_like(self.index, -1)
        rows, columns = np.nonzero(self.index >= 0)
        old = self.index[rows, columns]
        index[rows, columns] = np.where(keep, np.cumsum(keep) - 1, -1)[old]
        return Ridges(
            self.points[keep], self.across[keep], self.strength[keep], self.response[keep], self.contrast[keep], index
        )


def ridges(ground: Ground, sigma: float) -> Ridges:
    """Find line points of standard width `sigma` (work px)."""
    first, second = _derivatives(ground.flat, sigma)
    bare_at = np.flatnonzero(ground.bare.ravel())[::11]
    bare = [part.reshape(-1, 3)[bare_at] for part in second]
    whiten = np.stack([_whitener(_along(bare, angle)) for angle in _angles()])
    weights = np.sqrt(np.einsum("aij,aij->aj", whiten, whiten).max(0)).astype(
        np.float32
    )  # an upper bound of what whitening can do
    power = sum(
        cv2.transform(cv2.multiply(part, part), np.atleast_2d(weights**2) * share)
        for part, share in zip(second, (1, 2, 1), strict=True)
    )
    rows, columns = np.nonzero(np.asarray(power) > LOW_STRENGTH**2)
    picked = [part[rows, columns] for part in second]
    best, angle_at = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.int64)
    for k, angle in enumerate(_angles()):
        response = _along(picked, angle) @ whiten[k].T
        strength = (response * response).sum(1)
        angle_at, best = np.where(strength > best, k, angle_at), np.maximum(best, strength)
    keep = best > LOW_STRENGTH**2
    found = _points(
        rows[keep],
        columns[keep],
        angle_at[keep],
        [p[rows[keep], columns[keep]] for p in first],
        [p[keep] for p in picked],
        whiten,
        ground.bare.shape,
    )
    return found.only(~_side_lobes(found, sigma))


def _angles() -> Floats:
    return np.arange(ANGLES) * np.pi / ANGLES


def _derivatives(flat: Image32, sigma: float) -> tuple[list[Image32], list[Image32]]:
    """First (x, y) and second (xx, xy, yy) Gaussian derivatives, each (h, w, 3 channels)."""
    reach = int(np.ceil(3.0 * sigma))
    x = np.arange(-reach, reach + 1, dtype=np.float64)
    g = np.exp(-(x**2) / (2 * sigma**2))
    g /= g.sum()
    d = x / sigma**2 * g  # correlation kernels: mirrored
    dd = (x**2 / sigma**4 - 1 / sigma**2) * g
    dd -= dd.mean()

    def take(kx: Floats, ky: Floats) -> Image32:
        return np.asarray(cv2.sepFilter2D(flat, cv2.CV_32F, kx, ky, borderType=cv2.BORDER_REPLICATE), np.float32)

    return [take(d, g), take(g, d)], [take(dd, g), take(d, d), take(g, dd)]


def _along(second: list[Image32], angle: float) -> Image32:
    """Second derivative (n, 3 channels) in the direction `angle`."""
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return np.asarray(second[0] * (c * c) + second[1] * (2 * c * s) + second[2] * (s * s), np.float32)


def _whitener(samples: Image32) -> Image32:
    """The matrix that makes the table's own responses (n, 3) white, from the calm four fifths of them."""
    if len(samples) < 50:
        return np.eye(3, dtype=np.float32) * 50
    size = np.linalg.norm(samples, axis=1)
    calm = samples[size <= np.quantile(size, 0.8)]
    covariance = np.cov(calm.T.astype(np.float64)) * 1.9 + np.eye(3) * 1e-7  # 1.9: what trimming a fifth takes off
    values, vectors = np.linalg.eigh(covariance)
    floor = np.maximum(values, values[-1] / 16)  # a mix of channels with hardly any noise is not trusted that far
    return np.asarray((vectors / np.sqrt(floor)) @ vectors.T, np.float32)


def _points(
    rows: Ints,
    columns: Ints,
    angle_at: Ints,
    first: list[Image32],
    second: list[Image32],
    whiten: Image32,
    shape: tuple[int, ...],
) -> Ridges:
    """Refine directions between the tried ones and keep the points whose centre lies in their own pixel."""
    matrices = whiten[angle_at]
    half = np.pi / ANGLES

    def curves(angle: Floats) -> Image32:
        c, s = np.cos(angle).astype(np.float32)[:, None], np.sin(angle).astype(np.float32)[:, None]
        return np.asarray(second[0] * (c * c) + second[1] * (2 * c * s) + second[2] * (s * s))

    def power(angle: Floats) -> tuple[Image32, Image32]:
        curve = curves(angle)
        response = np.einsum("nij,nj->ni", matrices, curve)
        return response, (response * response).sum(1)

    middle = _angles()[angle_at]
    before, at, after = (power(middle + k * half)[1] for k in (-1, 0, 1))
    bend = np.maximum(2 * at - before - after, 1e-6)
    angle = middle + half * np.clip(0.5 * (after - before) / bend, -0.5, 0.5)
    response, strength = power(angle)
    c, s = np.cos(angle), np.sin(angle)
    gradient = np.einsum("nij,nj->ni", matrices, first[0] * c[:, None] + first[1] * s[:, None])
    offset = -(gradient * response).sum(1) / np.maximum(strength, 1e-6)
    keep = np.abs(offset) <= MAX_OFFSET_PX
    index = np.full(shape, -1, np.int64)
    index[rows[keep], columns[keep]] = np.arange(int(keep.sum()))
    points = np.stack([columns + offset * c, rows + offset * s], 1)[keep]
    return Ridges(
        points.astype(np.float64),
        np.stack([c, s], 1)[keep].astype(np.float64),
        np.sqrt(strength[keep]).astype(np.float64),
        response[keep].astype(np.float64),
        np.linalg.norm(curves(angle)[keep], axis=1).astype(np.float64),
        index,
    )


def _side_lobes(found: Ridges, sigma: float) -> NDArray[np.bool_]:
    """Mark points that are only the swing back beside a stronger line of the opposite sign."""
    height, width = found.index.shape
    lobe = np.zeros(len(found.points), bool)
    for reach in np.arange(1.5 * sigma, 3.6 * sigma + 0.5, 0.7):
        for side in (-1, 1):
            at = np.rint(found.points + side * reach * found.across).astype(np.int64)
            inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
            other = np.where(inside, found.index[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)], -1)
            hit = other >= 0
            opposite = (found.response * found.response[other]).sum(1) < 0
            parallel = np.abs((found.across * found.across[other]).sum(1)) > 0.85
            lobe |= hit & opposite & parallel & (found.strength < LOBE_SHARE * found.strength[other])
    return lobe
