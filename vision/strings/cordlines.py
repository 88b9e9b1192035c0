"""Line points of cords as the network sees them: the crest of how likely a cord is, whatever its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.strings.cordmap import MOST_PX, seer
from vision.strings.ground import Floats, Ground, Image32, Mask, survey, working
from vision.strings.naming import FIRM_STRENGTH, core_colours
from vision.strings.ridges import MAX_OFFSET_PX, Ridges
from vision.strings.standing import Window
from vision.threads import both

LEAST_LIKELY = 0.25  # smoothed, on a crest
SMOOTH_PX = 1.2  # work px: about half a cord
RIM_PX = 32.0  # round a window, that the network sees as well
EMPTY = np.zeros(0, np.int64)


def surveyed(image: NDArray[np.uint8], hidden_px: Sequence[Floats], window_px: Window | None = None) -> Ground:
    """Survey a picture as `survey` does, and meanwhile look where cords are seen, as `cords` does."""
    ground, likely = both(lambda: survey(image, hidden_px), lambda: cords(image, window_px))
    return replace(ground, cords=likely)


def cords(image: NDArray[np.uint8], window_px: Window | None = None) -> Image32:
    """Return how likely a cord is seen at each place (h, w) of the working image; outside of `window_px` it is 0."""
    (width, height), scale = working(image)
    left, top, right, bottom = 0, 0, width, height
    rim = RIM_PX / scale
    if window_px is not None:
        low, high = (np.array(corner) / scale for corner in (window_px[:2], window_px[2:]))
        left, top = np.maximum(np.floor(low - rim), 0).astype(int)
        right, bottom = np.minimum(np.ceil(high + rim), (width, height)).astype(int)
    found = np.zeros((height, width), np.float32)
    size = (right - left, bottom - top)
    if min(size) <= 0:
        return found
    x0, y0, x1, y1 = (round(side * scale) for side in (left, top, right, bottom))
    likely = seer().likely(image[y0:y1, x0:x1], max(max(image.shape) / MOST_PX, 1.0))
    how = cv2.INTER_AREA if size[0] < likely.shape[1] else cv2.INTER_LINEAR
    found[top:bottom, left:right] = cv2.resize(likely, size, interpolation=how)
    return found


def crests(ground: Ground, free: Mask | None = None, least: float = LEAST_LIKELY) -> Ridges:
    """Find the line points where cords are seen, at least so likely, in work px; `free` (h, w): only there.

    Their strength is how likely they are; their contrast how far they stand out from the table.
    """
    if ground.cords is None:
        return _ridges(ground, np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, np.float32), (EMPTY, EMPTY))
    soft = cv2.GaussianBlur(ground.cords, (0, 0), SMOOTH_PX)
    x, y = (cv2.Sobel(soft, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
    xx, xy, yy = (cv2.Sobel(soft, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 4) for dx, dy in ((2, 0), (1, 1), (0, 2)))
    likely = soft > least
    rows, columns = np.nonzero(likely if free is None else likely & free)
    gx, gy, a, b, c = (np.asarray(part[rows, columns], np.float64) for part in (x, y, xx, xy, yy))
    angle = 0.5 * np.arctan2(2 * b, a - c) + np.pi / 2  # of the smaller eigenvalue: across the crest
    ux, uy = np.cos(angle), np.sin(angle)
    bend = a * ux * ux + 2 * b * ux * uy + c * uy * uy
    offset = -(gx * ux + gy * uy) / np.minimum(bend, -1e-6)
    keep = (bend < 0) & (a + c < 0) & (np.abs(offset) <= MAX_OFFSET_PX)  # it bends more across than along
    across = np.stack([ux, uy], 1)[keep]
    points = np.stack([columns, rows], 1)[keep] + offset[keep][:, None] * across
    return _ridges(
        ground, points, across, np.asarray(soft[rows[keep], columns[keep]], np.float32), (rows[keep], columns[keep])
    )


def _ridges(
    ground: Ground, points: Floats, across: Floats, likely: Image32, at: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> Ridges:
    """Put line points together; all count as of one kind: colours tell strings apart later."""
    index = np.full(ground.bare.shape, -1, np.int64)
    index[at] = np.arange(len(points))
    strength = FIRM_STRENGTH * likely.astype(np.float64)
    response = np.column_stack([strength, np.zeros((len(points), 2))])
    contrast = np.linalg.norm(core_colours(ground, points), axis=1) if len(points) else np.zeros(0)
    return Ridges(points, across, strength, response, contrast, index)
