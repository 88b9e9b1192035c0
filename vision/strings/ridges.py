"""Line points: where the picture, across some direction, peaks or dips in colour like a thin band (Steger's
detector, in colour).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ranks import quantile
from vision.strings.ground import Floats, Ground, Image32, Mask
from vision.threads import each

ANGLES = 12  # directions tried across half a turn: 15 degrees apart, well inside a ridge filter's tolerance
SAMPLED = 11  # of so many px of bare table one tells its texture
LOW_STRENGTH = 5.5  # standard deviations of the table's own texture
MAX_OFFSET_PX = 0.75  # work px: the line's centre must lie within its own pixel or just beyond
BANDS = 4  # parts of a picture that are looked at one by one, on both cores: a whole one leaves their caches
LOBE_SHARE = 0.6  # beside a line its second derivative swings back by up to this much of the line's own

POWERS = np.array([[1.0] * 3, [2.0] * 3, [1.0] * 3], np.float32)[:, None]  # of xx, xy, yy in any direction, at most

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


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Pixels that may hold a line: where (n,), their derivatives (n, 3 channels), the table's whitening (n, 3, 3)."""

    rows: Ints
    columns: Ints
    first: tuple[Image32, ...]
    second: tuple[Image32, ...]
    angle_at: Ints
    matrices: Image32

    def curve(self, angle: Floats) -> Image32:
        """Second derivative (n, 3) in each pixel's own direction."""
        c, s = np.cos(angle).astype(np.float32)[:, None], np.sin(angle).astype(np.float32)[:, None]
        xx, xy, yy = self.second
        return np.asarray(xx * (c * c) + xy * (2 * c * s) + yy * (s * s))

    def slope(self, angle: Floats) -> Image32:
        """First derivative (n, 3) in each pixel's own direction."""
        x, y = self.first
        return np.asarray(x * np.cos(angle)[:, None] + y * np.sin(angle)[:, None])

    def white(self, values: Image32) -> Image32:
        """Values (n, 3) in deviations of bare table."""
        return np.asarray(np.einsum("nij,nj->ni", self.matrices, values))


def ridges(ground: Ground, sigma: float, free: Mask | None = None) -> Ridges:
    """Find line points of standard width `sigma` (work px); `free` (h, w): only there."""
    first, second = _derivatives(ground.flat, sigma)
    bare_at = np.flatnonzero(ground.bare.ravel())[::SAMPLED]
    whiten = _whiteners(np.concatenate([part.reshape(-1, 3)[bare_at] for part in second], 1))
    height, width = ground.bare.shape
    stops = [height * k // BANDS for k in range(BANDS + 1)]

    def found(band: tuple[int, int]) -> Ridges:
        inside = slice(*band)
        here = None if free is None else free[inside]
        of = _candidates([part[inside] for part in first], [part[inside] for part in second], whiten, here)
        return _points(of, _refined_angle(of), (band[1] - band[0], width), band[0])

    every = _joined(each(found, pairwise(stops)))
    return every.only(~_side_lobes(every, sigma))


def _candidates(first: Sequence[Image32], second: Sequence[Image32], whiten: Image32, free: Mask | None) -> _Candidates:
    """Pick the `free` pixels strong enough in some direction, of derivatives (h, w, 3 channels) each."""
    most = _outdoing(whiten)
    power = sum(cv2.transform(cv2.transform(p, most) ** 2, n) for p, n in zip(second, POWERS, strict=True))
    strong = np.ravel(power) > LOW_STRENGTH**2
    at = np.flatnonzero(strong if free is None else strong & free.ravel())
    picked = np.concatenate([part.reshape(-1, 3)[at] for part in second], 1)
    white = np.einsum("akj,aij->kai", _turns(), whiten).reshape(9, -1)  # to what is seen white in all directions
    response = picked @ white.astype(np.float32)
    response *= response
    strength = response.reshape(len(at), ANGLES, 3) @ np.ones(3, np.float32)
    angle_at = strength.argmax(1)
    keep = np.flatnonzero(strength[np.arange(len(at)), angle_at] > LOW_STRENGTH**2)
    at, angle_at = at[keep], angle_at[keep]
    rows, columns = np.divmod(at, second[0].shape[1])
    slopes = tuple(part.reshape(-1, 3)[at] for part in first)
    curves = tuple(np.ascontiguousarray(picked[keep, k : k + 3]) for k in (0, 3, 6))
    return _Candidates(rows, columns, slopes, curves, angle_at, whiten[angle_at])


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

    both = each(lambda kernels: take(*kernels), ((d, g), (g, d), (dd, g), (d, d), (g, dd)))
    return both[:2], both[2:]


def _turns() -> Image32:
    """What takes second derivatives (n, 9: xx, xy, yy, three channels each) to those in each direction (angles, 9, 3
    channels).
    """
    c, s = np.cos(_angles()), np.sin(_angles())
    shares = np.stack([c * c, 2 * c * s, s * s], 1)
    return np.asarray((shares[:, :, None, None] * np.eye(3)).reshape(ANGLES, 9, 3), np.float32)


def _whiteners(samples: Image32) -> Image32:
    """The matrices (angles, 3, 3) that make the table's own second derivatives (n, 9) white in each direction, from the
    calm four fifths of them.
    """
    if len(samples) < 50:
        return np.stack([np.eye(3, dtype=np.float32) * 50] * ANGLES)

    def covariance(turn: Image32) -> Floats:
        along = samples @ turn
        size = (along * along) @ np.ones(3, np.float32)
        part = along[size <= quantile(size, 0.8)].astype(np.float64)
        part -= part.mean(0)
        return np.asarray(part.T @ part * (1.9 / (len(part) - 1)))  # 1.9: what trimming a fifth takes off

    covariances = each(covariance, _turns())
    values, vectors = np.linalg.eigh(np.stack(covariances) + np.eye(3) * 1e-7)
    floor = np.maximum(values, values[:, -1:] / 16)  # a mix of channels with hardly any noise is not trusted that far
    return np.asarray((vectors / np.sqrt(floor)[:, None]) @ np.swapaxes(vectors, 1, 2), np.float32)


def _outdoing(whiten: Image32) -> Image32:
    """Return one matrix (3, 3) that makes no value smaller than any of these (angles, 3, 3) does."""
    back = np.linalg.inv(whiten.astype(np.float64)).mean(0)
    return np.asarray(np.linalg.inv(back) * np.linalg.norm(whiten @ back, 2, axis=(1, 2)).max(), np.float32)


def _refined_angle(of: _Candidates) -> Floats:
    """The direction (n,) in which each is strongest, between the tried ones."""
    step = np.pi / ANGLES
    middle = _angles()[of.angle_at]
    before, at, after = ((of.white(of.curve(middle + k * step)) ** 2).sum(1) for k in (-1, 0, 1))
    bend = np.maximum(2 * at - before - after, 1e-6)
    return np.asarray(middle + step * np.clip(0.5 * (after - before) / bend, -0.5, 0.5), np.float64)


def _points(of: _Candidates, angle: Floats, shape: tuple[int, int], top: int) -> Ridges:
    """Keep the candidates whose line's centre lies in their own pixel, of a part (h, w) of the picture from row `top`
    on.
    """
    curve = of.curve(angle)
    response = of.white(curve)
    strength = (response * response).sum(1)
    offset = -(of.white(of.slope(angle)) * response).sum(1) / np.maximum(strength, 1e-6)
    keep = np.abs(offset) <= MAX_OFFSET_PX
    index = np.full(shape, -1, np.int64)
    index[of.rows[keep], of.columns[keep]] = np.arange(int(keep.sum()))
    across = np.stack([np.cos(angle), np.sin(angle)], 1)
    points = np.stack([of.columns, of.rows + top], 1) + offset[:, None] * across
    size = np.linalg.norm(curve, axis=1)
    kept = [np.asarray(v[keep], np.float64) for v in (points, across, np.sqrt(strength), response, size)]
    return Ridges(kept[0], kept[1], kept[2], kept[3], kept[4], index)


def _joined(bands: Sequence[Ridges]) -> Ridges:
    """Put together what was found in parts of a picture, from top to bottom."""
    before = np.cumsum([0, *(len(band.points) for band in bands[:-1])])
    index = [np.where(band.index < 0, -1, band.index + n) for band, n in zip(bands, before, strict=True)]
    columns = zip(*((b.points, b.across, b.strength, b.response, b.contrast) for b in bands), strict=True)
    points, across, strength, response, contrast = (np.concatenate(column) for column in columns)
    return Ridges(points, across, strength, response, contrast, np.concatenate(index))


def _side_lobes(found: Ridges, sigma: float) -> NDArray[np.bool_]:
    """Mark points that are only the swing back beside a stronger line of the opposite sign."""
    reach = np.arange(1.5 * sigma, 3.6 * sigma + 0.5, 0.7)
    away = np.concatenate([reach, -reach])[:, None, None]
    rim = int(reach[-1]) + 2
    wide = np.pad(found.index, rim, constant_values=-1)
    at = np.rint(found.points + away * found.across).astype(np.int64) + rim
    other = wide.reshape(-1)[at[..., 1] * wide.shape[1] + at[..., 0]]  # (ways, n)
    here = np.nonzero((other >= 0) & (found.strength < LOBE_SHARE * found.strength[other]))
    one, other = here[1], other[here]
    opposite = (found.response[one] * found.response[other]).sum(1) < 0
    parallel = np.abs((found.across[one] * found.across[other]).sum(1)) > 0.85
    lobe = np.zeros(len(found.points), bool)
    lobe[one[opposite & parallel]] = True
    return lobe
