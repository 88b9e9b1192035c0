"""The bare table under strings and pieces: what its light and noise are, and where something wide covers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ranks import median

Floats = NDArray[np.float64]
Image32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

WORK_SIDE_PX = 640  # longest side of the working image: a 3 mm string on a whole table is 1.3-4 px wide there
LOG_OFFSET = 6.0  # grey levels; keeps the logarithm of dark, noisy pixels calm
LIGHT_SIGMA = 1 / 14  # of the picture's width: light changes slower than this, strings and pieces faster
BARE_DEVIATIONS = 4.5  # robust standard deviations within which a pixel still is table
# work px; two strings side by side are not that wide: what holds a disc of this diameter is a piece, a hand, glare
WIDE_PX = 11.0
COVERED_STEP = 0.12  # log units from the table's colour at which a place counts as covered, softer shadow left out


@dataclass(frozen=True, slots=True)
class Ground:
    """A picture at working size with the table's own light divided out.

    `flat` (h, w, 3): log colour less the table's log colour there. `log` (h, w, 3): log colour.
    `bare` (h, w): plainly table. `wide` (h, w): covered by something wider than a string; `pieces`: inside `hidden_px`.
    `scale`: picture px a work px; `unit` (3,): one robust standard deviation of the table in each channel.
    `cords` (h, w): how likely a cord is seen there, where that was looked at.
    """

    log: Image32
    flat: Image32
    light: Image32
    bare: Mask
    wide: Mask
    pieces: Mask
    scale: float
    unit: Floats
    cords: Image32 | None = None

    def to_work(self, points_px: Floats) -> Floats:
        """Carry picture points (n, 2) to the working image."""
        return (points_px + 0.5) / self.scale - 0.5

    def to_picture(self, points: Floats) -> Floats:
        """Carry working points (n, 2) to the picture."""
        return (points + 0.5) * self.scale - 0.5

    def at_picture(self, field: Image32, low_px: Sequence[int] | NDArray[np.int64], size: Sequence[int]) -> Image32:
        """Carry a working map (h, w, …) to `size` (w, h) px of the picture from `low_px` (x, y) on."""
        start, step = self.to_work(np.asarray(low_px, np.float64)), 1 / self.scale
        carry = np.array([[step, 0, start[0]], [0, step, start[1]]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(field, carry, tuple(size), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def likely_at(ground: Ground, at_px: Floats) -> Floats:
    """Return how likely a cord is seen at picture points (…, 2); 0 where that was not looked at."""
    if ground.cords is None:
        return np.zeros(at_px.shape[:-1])
    at = ground.to_work(at_px).astype(np.float32).reshape(-1, *at_px.shape[-2:])
    share = cv2.remap(ground.cords, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(share.reshape(at_px.shape[:-1]), np.float64)


def working(image: NDArray[np.uint8], side_px: int = WORK_SIDE_PX) -> tuple[tuple[int, int], float]:
    """Return the size (w, h) at which a BGR picture is worked, and how many of its px make one there."""
    height, width = image.shape[:2]
    scale = max(max(height, width) / side_px, 1.0)
    return (max(round(width / scale), 1), max(round(height / scale), 1)), scale


def survey(image: NDArray[np.uint8], hidden_px: Sequence[Floats] = (), side_px: int = WORK_SIDE_PX) -> Ground:
    """Find the table's light, noise, bare and covered places in a BGR picture, worked at this longer side."""
    size, scale = working(image, side_px)
    work = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale > 1 else image, np.uint8)
    log = _logarithm(work)
    pieces = np.zeros(log.shape[:2], np.uint8)
    for polygon in hidden_px:
        corners = (np.asarray(polygon, np.float64) + 0.5) / scale - 0.5
        cv2.fillPoly(pieces, [np.round(corners * 16).astype(np.int32)], 1, shift=4)
    light, bare, unit = _light(work, log, pieces > 0)
    flat = log - light
    return Ground(
        log,
        flat,
        light,
        bare,
        _wide(_within(flat, np.maximum(BARE_DEVIATIONS * unit, COVERED_STEP)), pieces > 0),
        pieces > 0,
        scale,
        unit,
    )


def _logarithm(picture: cv2.typing.MatLike) -> Image32:
    """Return a picture's (h, w, 3) uint8 log colours."""
    levels = np.log(np.arange(256, dtype=np.float32) + np.float32(LOG_OFFSET))
    return np.asarray(cv2.LUT(picture, levels), np.float32)


def _light(work: NDArray[np.uint8], log: Image32, pieces: Mask) -> tuple[Image32, Mask, Floats]:
    """Estimate the table's log colour everywhere, robustly: a coarse median, then the mean of what agrees with it."""
    height, width = log.shape[:2]
    small = cv2.resize(work, (max(width // 4, 1), max(height // 4, 1)), interpolation=cv2.INTER_AREA)
    middle = cv2.medianBlur(small, min(41, (min(small.shape[:2]) - 1) // 2 * 2 + 1) | 1)
    light = _logarithm(cv2.resize(middle, (width, height), interpolation=cv2.INTER_LINEAR))
    bare = np.zeros((height, width), bool)
    unit = np.ones(3)
    free = np.flatnonzero(~pieces) if not pieces.all() else np.arange(pieces.size)
    for _ in range(2):
        flat = log - light
        unit = np.maximum(1.4826 * median(np.abs(flat.reshape(-1, 3)[free[::7]]), 0), 0.012)
        bare = _within(flat, BARE_DEVIATIONS * unit) & ~pieces
        light = _fill(log, light, bare)
    return light, bare, unit.astype(np.float64)


def _within(flat: Image32, reach: Floats) -> Mask:
    """Where all channels of (h, w, 3) are no farther from 0 than `reach` (3,)."""
    return np.asarray(cv2.inRange(flat, -reach, reach) > 0)


def _fill(log: Image32, light: Image32, bare: Mask) -> Image32:
    """Average the bare table's log colour around each place, at an eighth of the size; far from any, keep the guess."""
    height, width = bare.shape
    size = (max(width // 8, 1), max(height // 8, 1))
    weight = cv2.resize(bare.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    total = cv2.resize(log * bare[..., None].astype(np.float32), size, interpolation=cv2.INTER_AREA)
    sigma = size[0] * LIGHT_SIGMA
    weight, total = cv2.GaussianBlur(weight, (0, 0), sigma), cv2.GaussianBlur(total, (0, 0), sigma)
    prior = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    filled = (total + 0.02 * prior) / (weight + 0.02)[..., None]
    return np.asarray(cv2.resize(filled, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _wide(bare: Mask, pieces: Mask) -> Mask:
    """Keep of what is not table only what is wider than any string."""
    covered = ((~bare) | pieces).astype(np.uint8)
    covered = np.asarray(cv2.medianBlur(covered, 3), np.uint8)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(WIDE_PX) | 1, int(WIDE_PX) | 1))
    return np.asarray(cv2.morphologyEx(covered, cv2.MORPH_OPEN, disc) > 0) | pieces
