"""A tile across which a shadow's edge runs, as it would be seen all in one light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import rectify
from vision.shade import edge
from vision.tint import between

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

GRID_PX = 96  # a tile's side, as it is seen from above
PAD_PX = 20  # so much is seen round it: there the shadow goes on


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
    low, high = PAD_PX - 0.5, PAD_PX + GRID_PX - 0.5
    cleared = np.asarray((whole / found.left(whole.shape)).clip(0, 255), np.uint8)
    return Relit(cleared, np.array([[low, low], [high, low], [high, high], [low, high]]))
