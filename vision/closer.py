"""A closer look where something was found that is larger than a piece: neighbours that touch are found as one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision import quads
from vision.detector import Detector

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

LOOKS = 6
"""At most so many places are looked at, the surest finds first: each costs as much as a small picture."""
ROUND = 0.15
"""How much of its breadth is looked at beside a find, on each side."""
LONGER_PX = 640
"""The longer side of a place, as it is looked at: as large as it is in the picture, where that is less."""
LEAST_SCORE = 0.12
"""Finds this weak are told: the deck's faces tell which of them are pieces."""


def look(detector: Detector, image: Image, places_px: Floats) -> tuple[Floats, Floats]:
    """Find cards in places (n, 4, 2) px of a picture, surest place first: boxes (m, 4, 2) px and scores (m,)."""
    boxes, scores, seen = [np.zeros((0, 4, 2))], [np.zeros(0)], list[tuple[int, int, int, int]]()
    for place in places_px:
        x, y = place.mean(axis=0)
        if any(left < x < right and top < y < bottom for left, top, right, bottom in seen):
            continue
        if len(seen) == LOOKS:
            break
        seen.append(_window(place, image))
        left, top, right, bottom = seen[-1]
        found = detector.look(image[top:bottom, left:right], LONGER_PX, LEAST_SCORE)
        cards = np.array([kind == "card" for kind in found.kinds], bool)
        boxes.append(found.corners_px[cards].astype(float) + np.array([left, top]))
        scores.append(found.scores[cards].astype(float))
    return quads.clockwise(np.concatenate(boxes)), np.concatenate(scores)


def _window(place: Floats, image: Image) -> tuple[int, int, int, int]:
    """Return the upright part of the picture round a quad (4, 2) px: left, top, right, bottom."""
    low, high = place.min(axis=0), place.max(axis=0)
    beside = ROUND * (high - low)
    left, top = np.maximum(np.floor(low - beside), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + beside) + 1, image.shape[1::-1]).astype(int).tolist()
    return left, top, right, bottom
