"""A tile that a lamp's light washes out or burns in part: how well each face fits it once that light is taken off."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from vision.registration import Registration, register
from vision.relit import unhazed

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

ROUNDS = 3
"""The light is told the better the more exactly the face is laid on, and the other way round."""
TRIED = 4
"""Faces, and ways to turn them, that fit best where the tile was thought to lie: these are laid on."""
SIDE_PX = 24
"""At which they are compared there: so small, a face that lies a little beside its place is like it still."""


def fits(image: Image, corners_px: Floats, faces: Mapping[str, Image]) -> dict[str, Registration]:
    """Lay faces onto a tile (4, 2) px, any of them, whichever way it is turned; return the likeliest ones' fits."""
    ways = [(label, np.roll(corners_px, -turn, axis=0)) for label in faces for turn in range(4)]
    near = sorted(ways, key=lambda way: -_alike(image, way[1], faces[way[0]]))[:TRIED]
    found: dict[str, Registration] = {}
    for label, corners in near:
        laid = _laid(image, corners, faces[label])
        if laid is not None and (label not in found or laid.correlation > found[label].correlation):
            found[label] = laid
    return found


def _alike(image: Image, corners_px: Floats, face: Image) -> float:
    """Return how a face correlates with a tile where it lies, the light taken off."""
    clear = unhazed(image, corners_px, face)
    if clear is None:
        return 0.0
    (left, top), (right, foot) = clear.corners_px[0] + 0.5, clear.corners_px[2] + 0.5
    within = clear.image[round(top) : round(foot), round(left) : round(right)]
    small = (cv2.resize(one, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).ravel() for one in (within, face))
    return float(np.asarray(np.corrcoef(np.stack(list(small))))[0, 1])


def _laid(image: Image, corners_px: Floats, face: Image) -> Registration | None:
    """Lay a face onto a tile, and take the light off it, by turns."""
    best: Registration | None = None
    for _ in range(ROUNDS):
        clear = unhazed(image, corners_px, face)
        laid = register(clear.image, clear.corners_px, face) if clear is not None else None
        if clear is None or laid is None or (best is not None and laid.correlation <= best.correlation):
            break
        to_image = cv2.getPerspectiveTransform(clear.corners_px.astype(np.float32), corners_px.astype(np.float32))
        corners_px = np.asarray(cv2.perspectiveTransform(laid.corners_px[None], to_image)[0], float)
        best = Registration(corners_px, laid.correlation)
    return best
