"""Strips: the picture straightened along a path, one cross-section a row."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.ground import LOG_OFFSET, Floats, Ground, Mask

REACH_SIGMAS = 4.0  # of a Gaussian, that are summed
EDGE = 0.15  # of a working pixel that a piece covers


@dataclass(frozen=True, slots=True)
class Strip:
    """Cross-sections of a path.

    `path_px` (n, 2); `across` (n, 2): unit normals; `offsets` (m,): px along them; `ratio` (n, m, 3): brightness
    over the table's, per BGR channel; `foreign` (n, m): on a piece, which tells nothing of what lies beside a string.
    """

    path_px: Floats
    across: Floats
    offsets: Floats
    ratio: Floats
    foreign: Mask

    @property
    def angle(self) -> Floats:
        """The normals' direction (n,), radians."""
        return np.asarray(np.arctan2(self.across[:, 1], self.across[:, 0]))


def resampled(path: Floats, step: float, closed: bool) -> tuple[Floats, Floats]:
    """Space a path's points evenly, about `step` apart: the points (n, 2) and, for each, its place among the old
    ones (n,).
    """
    ring = np.concatenate([path, path[:1]]) if closed else path
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    count = max(round(along[-1] / step), 4)
    at = np.linspace(0, along[-1], count, endpoint=not closed)
    points = np.stack([np.interp(at, along, ring[:, k]) for k in (0, 1)], 1)
    return points, np.interp(at, along, np.arange(len(ring))) % len(path)


def smoothed(values: Floats, sigma: float, closed: bool) -> Floats:
    """Average along a path with a Gaussian of `sigma` samples."""
    reach = int(REACH_SIGMAS * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    rows = np.arange(-reach, len(values) + reach)
    ring = np.take(values, rows, axis=0, mode="wrap" if closed else "clip").reshape(len(rows), -1).astype(np.float64)
    soft = cv2.sepFilter2D(ring, cv2.CV_64F, np.ones(1), kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft[reach : reach + len(values)], np.float64).reshape(values.shape)


def normals(path: Floats, sigma: float, closed: bool) -> Floats:
    """Unit normals (n, 2) of a path smoothed over `sigma` samples."""
    soft = smoothed(path, sigma, closed)
    tangent = np.roll(soft, -1, 0) - np.roll(soft, 1, 0) if closed else np.gradient(soft, axis=0)
    tangent /= np.maximum(np.hypot(tangent[:, 0], tangent[:, 1]), 1e-9)[:, None]
    return np.stack([-tangent[:, 1], tangent[:, 0]], 1)


def light_along(ground: Ground, path_px: Floats) -> Floats:
    """The table's log colour (n, 3) along a path."""
    work = ground.to_work(path_px).astype(np.float32)
    return np.asarray(
        cv2.remap(ground.light, work[:, :1], work[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0],
        np.float64,
    )


def every(step: float, reach: float) -> Floats:
    """Offsets (m,) px every `step` px, `reach` px to each side and a little more."""
    count = int(np.ceil(reach / step))
    return np.asarray(np.arange(-count, count + 1) * step, np.float64)


def strip(
    image: NDArray[np.uint8],
    light: Floats,
    path_px: Floats,
    across: Floats,
    offsets: Floats,
    ground: Ground | None = None,
) -> Strip:
    """Sample a picture across a path at `offsets` (m,) px, over the table's log colour `light` (n, 3) there; `ground`
    tells where pieces lie.
    """
    at = path_px[:, None] + across[:, None] * offsets[None, :, None]
    x, y = at[..., 0].astype(np.float32), at[..., 1].astype(np.float32)
    value: Floats = np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64)
    ratio = np.asarray((value + LOG_OFFSET) / np.exp(light)[:, None], np.float64)
    foreign = np.zeros(ratio.shape[:2], bool) if ground is None else on_pieces(ground, at)
    return Strip(path_px, across, offsets, ratio, foreign)


def on_bare(ground: Ground, at_px: Floats) -> Mask:
    """Which picture points (n, 2) lie on plain table."""
    at = np.rint(ground.to_work(at_px)).astype(int)
    height, width = ground.bare.shape
    return np.asarray(ground.bare[at[:, 1].clip(0, height - 1), at[:, 0].clip(0, width - 1)])


def on_pieces(ground: Ground, at_px: Floats) -> Mask:
    """Which picture points (n, m, 2) lie on a piece or at its very edge."""
    at = ((at_px + 0.5) / ground.scale - 0.5).astype(np.float32)
    share = cv2.remap(ground.pieces.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return np.asarray(share > EDGE)
