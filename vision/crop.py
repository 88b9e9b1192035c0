"""A crop: one piece cut from a photograph, straightened edge to edge, and what is done to it before it is compared."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Image

Floats = npt.NDArray[np.float32]

MAX_SUPERSAMPLE = 4  # samples a side of a crop's pixel; beyond it the photograph is halved first


def rectify(image: Image, corners_px: npt.ArrayLike, width_px: int, height_px: int) -> Image:
    """Cut the quadrilateral out of a photograph and straighten it.

    image: (h, w, 3) BGR; corners_px: (4, 2) top-left, top-right, bottom-right, bottom-left of what shall be the crop's
    own top-left …; returns (height_px, width_px, 3). Where the crop is smaller than the piece in the photograph, each
    of its pixels is the mean of what it covers. Parts outside the photograph repeat its border.
    """
    corners: Floats = np.asarray(corners_px, dtype=np.float32).reshape(4, 2)
    shrink = _shrink(corners, width_px, height_px)
    while shrink > MAX_SUPERSAMPLE and min(image.shape[:2]) > 1:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        corners = np.asarray((corners + 0.5) / 2 - 0.5, dtype=np.float32)
        shrink /= 2
    samples = max(1, min(MAX_SUPERSAMPLE, math.ceil(shrink)))
    width, height = width_px * samples, height_px * samples
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    crop_from_image = cv2.getPerspectiveTransform(corners, target)
    crop = cv2.warpPerspective(
        image, crop_from_image, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if samples > 1:
        crop = cv2.resize(crop, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return crop.astype(np.uint8, copy=False)


def _shrink(corners: Floats, width_px: int, height_px: int) -> float:
    """Return how many px of the photograph one px of the crop covers, the longer way."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return float(max(sides[0] / width_px, sides[2] / width_px, sides[1] / height_px, sides[3] / height_px))


def turned(crop: Image, quarter_turns: int) -> Image:
    """Turn a crop clockwise by quarter turns."""
    return np.ascontiguousarray(np.rot90(crop, -quarter_turns))


def spun(crop: Image, clockwise_deg: float) -> Image:
    """Turn a square crop of a disc clockwise about its centre."""
    height, width = crop.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -clockwise_deg, 1.0)
    return cv2.warpAffine(crop, turn, (width, height), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)


def squeezed(crop: Image, side_px: int) -> Image:
    """Resize a crop to a square whatever its aspect: its faces' references are squeezed alike."""
    height, width = crop.shape[:2]
    shrinks = height > side_px or width > side_px
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return cv2.resize(crop, (side_px, side_px), interpolation=how).astype(np.uint8, copy=False)


def shrunk(picture: Image, side_px: int) -> Image:
    """Return a picture no larger than that on its longer side, its aspect kept."""
    scale = side_px / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


DISC_GREY = 128  # what stands outside a disc, in a crop of its circumscribed square


def disc_only(crop: Image) -> Image:
    """Grey what lies outside the inscribed circle: the table round a coin is not the coin."""
    height, width = crop.shape[:2]
    inside = np.zeros((height, width), dtype=np.uint8)
    cv2.ellipse(inside, (width // 2, height // 2), (int(width * 0.48), int(height * 0.48)), 0, 0, 360, 255, -1)
    return np.where(inside[..., None] > 0, crop, np.uint8(DISC_GREY)).astype(np.uint8, copy=False)
