"""How like two faces are patch by patch, each patch in a light of its own: shadows' edges then cost what they cross.

A shadow may lie on the picture, and as well on the reference, where that was cut from a photograph.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.crop import rectify
from vision.registration import register

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

GRID_PX = 96  # at which they are compared
PATCH_PX = 7.0  # σ of a patch
SOFT_PX = 0.8  # σ of the smoothing against noise
BLACK = 16.0  # grey levels added before the logarithm: the noise of dark px
NOISE, LEAST = 0.004, 1e-4  # of a patch's variance: what is no contrast, and what even a flat patch weighs


def likeness(image: Image, corners_px: Floats, face: Image) -> float:
    """Return how like a face is to a piece (4, 2) px, up to 1, where that is thought to lie or where the face is laid.

    A shadow on either may draw a face beside its place.
    """
    laid = register(image, corners_px, face)
    places = [corners_px, *([laid.corners_px] if laid is not None else ())]
    return max(_alike(image, place, face) for place in places)


def _alike(image: Image, corners_px: Floats, face: Image) -> float:
    printed = np.asarray(cv2.resize(face, (GRID_PX, GRID_PX), interpolation=cv2.INTER_AREA), np.uint8)
    one, other = (_logarithm(face) for face in (rectify(image, corners_px, GRID_PX, GRID_PX), printed))
    together = _varied(one, other)
    apart = [np.maximum(_varied(each, each), 0) for each in (one, other)]
    alike = together / np.sqrt((apart[0] + NOISE) * (apart[1] + NOISE))
    weight = np.sqrt(np.maximum(*apart) + LEAST)
    return float((alike * weight).sum() / weight.sum())


def _logarithm(face: Image) -> Floats:
    return np.asarray(cv2.GaussianBlur(np.log(face + BLACK), (0, 0), SOFT_PX), float)


def _varied(one: Floats, other: Floats) -> Floats:
    """Return how two faces (h, w, 3) vary together in each place's patch, (h, w)."""
    mean, of_other, both = (cv2.GaussianBlur(of, (0, 0), PATCH_PX) for of in (one, other, one * other))
    return np.asarray((both - mean * of_other).sum(axis=2), float)
