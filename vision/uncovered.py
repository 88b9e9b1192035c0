"""What of a strip stands off its ground where no figure was found: one more animal, most likely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.crop import Floats
from vision.ranks import median

RIM = 0.14  # of the height, above and below: there no animal stands, and the ground shows
NOISE, MOST = 15.0, 80.0  # grey levels: what is less off the ground is noise; more counts no more
LEAST_SIGMA = 4.0  # grey levels
ROUNDS = 4  # of reweighting while the ground is fitted
Box = tuple[int, int, int, int]
"""Top, left, bottom, right, px."""


def share(strip: Floats, covered: Sequence[Box]) -> float:
    """Return how much of what stands off the ground of a strip (h, w, 3) lies outside these boxes; 0 of a bare one."""
    off = np.clip((_off_ground(strip) ** 2).sum(axis=2) - NOISE**2, 0, None)
    total = float(off.sum())
    for top, left, bottom, right in covered:
        off[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = 0
    return float(off.sum()) / total if total > 0 else 0.0


def _off_ground(strip: Floats) -> npt.NDArray[np.float64]:
    """Return what each px is off a ground that is told by the rims, and may bend along and slope across (h, w, 3)."""
    height, width = strip.shape[:2]
    y, x = (axis.reshape(-1) for axis in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
    terms = np.stack([np.ones_like(x), x, y, x * x], axis=1)
    rim = np.abs(y) > 1 - 2 * RIM
    off = np.empty((height * width, 3))
    for channel in range(3):
        seen = strip[..., channel].reshape(-1).astype(float)
        weight = rim.astype(float)
        for _ in range(ROUNDS):
            heavy = terms * weight[:, None]
            off[:, channel] = seen - terms @ np.linalg.solve(heavy.T @ terms + 1e-6 * np.eye(4), heavy.T @ seen)
            sigma = max(LEAST_SIGMA, 1.48 * float(median(np.abs(off[rim, channel]))))
            weight = rim / (1 + (off[:, channel] / (2 * sigma)) ** 2)
    return off.clip(-MOST, MOST).reshape(height, width, 3)
