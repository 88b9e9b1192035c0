"""A tile across which a shadow's edge runs, or on which a lamp shines, as it would be seen all in one light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import rectify
from vision.ranks import median
from vision.shade import edge
from vision.tint import between

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

GRID_PX = 96  # a tile's side, as it is seen from above
PAD_PX = 20  # so much is seen round it: there the shadow goes on
SOFT_PX = 1.0  # σ: so blurred a print is seen
BURNT, ALMOST = 250.0, 240.0  # grey levels: a burnt channel tells no more; where so much was expected it is no wonder
TOLD = 0.1  # of a tile: of less of it a channel tells nothing
LEAST_GAIN, FEWEST_TELLING = 0.1, 2  # of a print's contrast: with less a channel tells nothing; so many must tell
HAZE_ROUNDS, LEAST_NOISE = 6, 3.0  # of reweighting; grey levels
_WITHIN = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * float(GRID_PX) + PAD_PX - 0.5


@dataclass(frozen=True)
class Relit:
    """A tile and what lies round it, seen from above. `corners_px`: (4, 2) of the tile, from its printed top-left."""

    image: Image
    corners_px: Floats


def relit(image: Image, corners_px: Floats, face: Image) -> Relit | None:
    """Take a shadow's edge off a tile (4, 2) px that may bear that face; None where none crosses it."""
    middle = corners_px.mean(axis=0)
    wide = middle + (corners_px - middle) * (1 + 2 * PAD_PX / GRID_PX)
    whole = rectify(image, wide, GRID_PX + 2 * PAD_PX, GRID_PX + 2 * PAD_PX)
    printed = np.asarray(cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA), np.uint8)
    _, expected = between(whole[PAD_PX:-PAD_PX, PAD_PX:-PAD_PX], printed)
    found = edge(whole, expected, np.zeros(whole.shape[:2], bool))
    if found is None:
        return None
    cleared = np.asarray((whole / found.left(whole.shape)).clip(0, 255), np.uint8)
    return Relit(cleared, _WITHIN.copy())


def unhazed(image: Image, corners_px: Floats, face: Image) -> Relit | None:
    """Take a lamp's light, which lies over a tile (4, 2) px as a haze, off it, as if it bore that face.

    A place that is burnt white tells nothing where the face would be burnt there too. None where too little is told.
    """
    seen = rectify(image, corners_px, GRID_PX, GRID_PX).astype(float)
    printed = cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(printed, (0, 0), SOFT_PX).astype(float)
    told = (seen < BURNT).mean(axis=(0, 1))
    cleared, telling = soft.copy(), 0
    for c in np.flatnonzero(told >= TOLD):
        gain, haze = _hazed(seen[..., c], soft[..., c])
        telling += gain >= LEAST_GAIN
        gain = max(gain, LEAST_GAIN)
        alike = (seen[..., c] >= BURNT) & (gain * soft[..., c] + haze >= ALMOST)
        cleared[..., c] = np.where(alike, soft[..., c], (seen[..., c] - haze) / gain)
    if telling < FEWEST_TELLING:
        return None
    whole = np.pad(cleared, ((PAD_PX, PAD_PX), (PAD_PX, PAD_PX), (0, 0)), "edge")
    return Relit(np.asarray(whole.clip(0, 255), np.uint8), _WITHIN.copy())


def _hazed(seen: Floats, printed: Floats) -> tuple[float, Floats]:
    """Fit seen = gain · printed + haze, of one channel (side, side); the haze bends in both ways."""
    y, x = np.mgrid[-1 : 1 : GRID_PX * 1j, -1 : 1 : GRID_PX * 1j].reshape(2, -1)
    bends = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    terms, wanted = np.column_stack([printed.ravel(), bends]), seen.ravel()
    clear = wanted < BURNT
    weight, fitted = clear.astype(float), np.zeros(7)
    for _ in range(HAZE_ROUNDS):
        heavy = terms * weight[:, None]
        fitted = np.linalg.solve(heavy.T @ terms + 1e-3 * np.eye(7), heavy.T @ wanted)
        off = np.abs(wanted - terms @ fitted)
        sigma = max(LEAST_NOISE, 1.5 * float(median(off[clear])))
        weight = clear / (1 + (off / (2 * sigma)) ** 2) ** 2
    return float(fitted[0]), (bends @ fitted[1:]).reshape(seen.shape)
