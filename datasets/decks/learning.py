"""Colours learnt from examples: a marker's from its own face, a string's from a picture of it alone."""

from __future__ import annotations

import cv2
import numpy as np

from decks.error import DeckError
from decks.picture import Image

INSIDE = 0.25  # of a marker's face, left out on every side
SMALL_PX = 480  # a string picture's longer side when it is looked at
WIDE_SHARE = 0.03  # of that side: what is wider is no string
APART = 8.0  # CIELAB: how far a string's colour is from the table's
LEAST_PX = 150  # a string covers at least so much of the small picture


def marker_colour(face: Image) -> str:
    """Return the colour of a marker's face as "#rrggbb": the median of its inside."""
    height, width = face.shape[:2]
    y, x = int(height * INSIDE), int(width * INSIDE)
    return _written(np.median(face[y : height - y, x : width - x].reshape(-1, 3), axis=0))


def string_colour(image: Image) -> str:
    """Return the colour of the one string in a picture as "#rrggbb"; DeckError where there is none to be seen.

    The table is what is left when thin things are smoothed away; the string is the longest thin thing that differs.
    """
    scale = SMALL_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=min(scale, 1.0), fy=min(scale, 1.0), interpolation=cv2.INTER_AREA)
    reach = round(max(small.shape[:2]) * WIDE_SHARE) * 2 + 1
    table = cv2.medianBlur(small, reach)
    lab, lab_table = (cv2.cvtColor(i.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) for i in (small, table))
    apart = np.linalg.norm(cv2.GaussianBlur(lab - lab_table, (0, 0), 0.8), axis=2)
    noise = float(np.median(apart))
    thin = (apart > max(APART, 4 * noise)).astype(np.uint8)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(thin, connectivity=8)
    if count < 2 or stats[1:, cv2.CC_STAT_AREA].max() < LEAST_PX:
        raise DeckError("no string is to be seen: lay it alone on a table of another colour, in even light")
    longest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_WIDTH] + stats[1:, cv2.CC_STAT_HEIGHT]))
    own = (marks == longest) & (apart > np.percentile(apart[marks == longest], 50))
    return _written(np.median(small[own].reshape(-1, 3), axis=0))


def _written(bgr: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> str:
    blue, green, red = (round(float(value)) for value in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
