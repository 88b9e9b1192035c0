"""How a face's inks stand off its ground in hue, whatever the lamp: thin red lines on white against thin green ones."""

from __future__ import annotations

import cv2
import numpy as np

from vision.crop import Floats

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
    logs = np.log(small.clip(0) + BLACK)
    blue, green, red = logs[..., 0], logs[..., 1], logs[..., 2]
    tint = _off_ground(np.stack([red - green, blue - (red + green) / 2], axis=-1))
    cells = np.stack([cv2.resize(face, (GRID, GRID), interpolation=cv2.INTER_AREA) for face in tint])
    flat = cells.reshape(len(soft), -1)
    lengths = np.sqrt((flat * flat).sum(axis=1, keepdims=True) + (FAINT * GRID) ** 2)
    return np.asarray(flat / lengths, dtype=np.float32)


def _off_ground(tint: Floats) -> Floats:
    """Take an even and sloping ground out, fitted to what most of a face shows; (n, side, side, 2)."""
    n, side = tint.shape[:2]
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y], axis=-1).reshape(-1, 3)
    flat = tint.reshape(n, -1, 2).astype(np.float32)
    weight = np.ones(flat.shape[:2], dtype=np.float32)
    rest = flat
    for _ in range(ROUNDS):
        weighted = weight[:, :, None] * terms  # (n, px, 3)
        normal = weighted.transpose(0, 2, 1) @ terms
        rest = flat - terms @ np.linalg.solve(normal, weighted.transpose(0, 2, 1) @ flat)
        off = np.sqrt((rest * rest).sum(axis=2))
        sigma = np.maximum(1.48 * np.median(off, axis=1, keepdims=True), LEAST_SIGMA)
        weight = (1 / (1 + (off / sigma) ** 2) ** 2).astype(np.float32)
    return np.asarray(rest.reshape(tint.shape), dtype=np.float32)
