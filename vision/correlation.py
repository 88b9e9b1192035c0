"""Aligned correlation: how alike two faces are once light, a small shift and a small change of scale are taken out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from decks.deck import Image
from vision.crop import Floats, squeezed

SIDE_PX = 40  # both faces are compared squeezed to this size
BLUR_PX = 0.7  # evens out a sharp reference and a soft photograph
SHIFTS_PX = (-1, 0, 1)  # of SIDE_PX: 2.5% of the piece's side each
SCALES = (0.93, 1.0, 1.08)
FLAT = 60.0  # grey levels (summed root of squares) below which a face is too flat to be compared


def features(crops: Sequence[Image]) -> Floats:
    """Return each crop as a unit vector (n, SIDE_PX² · 3): brightness and two colour contrasts, their means taken out.

    One gain for all three and an offset each are divided out; how strong colours stand to each other stays.
    """
    if not crops:
        return np.zeros((0, SIDE_PX * SIDE_PX * 3), dtype=np.float32)
    return _unit(np.stack([_soft(crop) for crop in crops]))


def scores(crops: Sequence[Image], references: Floats) -> Floats:
    """Return (n, m) correlations in [-1, 1], each the best over small shifts and scales of the crop.

    references: (m, …) from `features`.
    """
    best = np.full((len(crops), len(references)), -1.0, dtype=np.float32)
    if not crops or not len(references):
        return best
    soft = [_soft(crop) for crop in crops]
    for warp in _warps():
        moved = [cv2.warpAffine(crop, warp, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE) for crop in soft]
        np.maximum(best, _unit(np.stack(moved).astype(np.float32, copy=False)) @ references.T, out=best)
    return best


def _soft(crop: Image) -> Floats:
    small = squeezed(crop, SIDE_PX).astype(np.float32)
    return cv2.GaussianBlur(small, (0, 0), BLUR_PX).astype(np.float32, copy=False)


def _warps() -> list[Floats]:
    centre = (SIDE_PX - 1) / 2
    return [
        np.array([[scale, 0, (1 - scale) * centre + dx], [0, scale, (1 - scale) * centre + dy]], dtype=np.float32)
        for scale in SCALES
        for dx in SHIFTS_PX
        for dy in SHIFTS_PX
    ]


def _unit(soft: Floats) -> Floats:
    """(n, SIDE_PX, SIDE_PX, 3) BGR → (n, SIDE_PX² · 3) unit vectors."""
    blue, green, red = soft[..., 0], soft[..., 1], soft[..., 2]
    contrasts = np.stack([(blue + green + red) / 3, red - green, blue - (red + green) / 2], axis=-1)
    contrasts -= contrasts.mean(axis=(1, 2), keepdims=True)
    flat = contrasts.reshape(len(soft), -1)
    lengths = np.sqrt((flat * flat).sum(axis=1, keepdims=True) + FLAT * FLAT)
    return np.asarray(flat / lengths, dtype=np.float32)
