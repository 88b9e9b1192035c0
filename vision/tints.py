"""How a face's inks stand off its ground in hue, whatever the lamp: thin red lines on white against thin green ones."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.crop import Floats
from vision.ranks import median

GRID = 10  # cells a side: coarse, so that a small shift does no harm
FIT_PX = 20  # of the side: the ground is fitted at this size
BLACK = 8.0  # grey levels added before the logarithm: the noise of dark px
FAINT = 0.006  # log: tints of a cell weaker than this are noise
LEAST_SIGMA = 0.01  # log
ROUNDS = 4  # of reweighting while the ground's tint is fitted


def features(soft: Floats) -> Floats:
    """Return faces (n, side, side, 3) as unit vectors of their tints, (n, GRID² · 2); a grey face's is near zero.

    A lamp's colour is one tint over the whole face, a second lamp's a slope of it: both are the ground's and taken out.
    """
    if not len(soft):
        return np.zeros((0, GRID * GRID * 2), dtype=np.float32)
    small = np.stack([cv2.resize(face, (FIT_PX, FIT_PX), interpolation=cv2.INTER_AREA) for face in soft])
    blue, green, red = (np.log(small[..., k].clip(0) + np.float32(BLACK)) for k in range(3))
    tints = np.stack([red - green, blue - (red + green) / 2], axis=1).reshape(len(soft), 2, -1)
    tint = _off_ground(tints.astype(np.float32)).reshape(len(soft), 2, FIT_PX, FIT_PX).transpose(0, 2, 3, 1)
    cells = np.stack([cv2.resize(face, (GRID, GRID), interpolation=cv2.INTER_AREA) for face in tint.copy()])
    flat = cells.reshape(len(soft), -1)
    lengths = np.sqrt((flat * flat).sum(axis=1, keepdims=True) + (FAINT * GRID) ** 2)
    return np.asarray(flat / lengths, dtype=np.float32)


@cache
def _terms() -> tuple[Floats, Floats]:
    """Return an even ground and its slopes along x and y, (3, px); and each times each, (9, px)."""
    y, x = np.mgrid[-1 : 1 : FIT_PX * 1j, -1 : 1 : FIT_PX * 1j].astype(np.float32).reshape(2, -1)
    terms = np.stack([np.ones_like(x), x, y])
    return terms, (terms[:, None] * terms[None]).reshape(9, -1)


def _off_ground(tint: Floats) -> Floats:
    """Take an even and sloping ground out, fitted to what most of a face shows; (n, 2, px)."""
    count = len(tint)
    terms, products = _terms()
    weight = np.ones_like(tint[:, 0])
    rest = tint
    for _ in range(ROUNDS):
        normal = (weight @ products.T).reshape(-1, 3, 3)
        moments = ((tint * weight[:, None]).reshape(2 * count, -1) @ terms.T).reshape(count, 2, 3)
        ground = np.linalg.solve(normal, moments.transpose(0, 2, 1)).transpose(0, 2, 1).reshape(2 * count, 3)
        rest = tint - (ground @ terms).reshape(tint.shape)
        off = np.sqrt(rest[:, 0] ** 2 + rest[:, 1] ** 2)
        sigma = np.maximum(1.48 * median(off, axis=1, keepdims=True), LEAST_SIGMA)
        weight = (1 / (1 + (off / sigma) ** 2) ** 2).astype(np.float32)
    return np.asarray(rest, dtype=np.float32)
