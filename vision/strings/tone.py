"""What colour a string has over the table's, and where the picture shows that colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.ranks import median
from vision.strings.ground import LOG_OFFSET, Floats, Ground, Image32, Mask
from vision.strings.strips import light_along, strip

LIKE_STRING = 0.6  # so many times as far from the string's colour as from the table's, at most
LEAST_RATIO = 1e-3
TABLE_TONE = 0.6  # so near to the table's colour, in shares of how far the string's own is, is plain table
DISTINCT = 1.5  # so many times as far from the table's colour as that itself varies is another colour
ROUND = 5  # places along a path, of which most decide


def tones(image: NDArray[np.uint8], ground: Ground, at_px: Floats) -> Floats:
    """Return how far from the bare table's the picture's log colour is (n, 3) at points (n, 2) px."""
    ratio = strip(image, light_along(ground, at_px), at_px, np.zeros_like(at_px), np.zeros(1)).ratio
    return np.asarray(np.log(np.maximum(ratio[:, 0], LEAST_RATIO)))


def tones_within(image: NDArray[np.uint8], ground: Ground, low: Sequence[int], high: Sequence[int]) -> Image32:
    """Return how far from the bare table's the picture's log colour is (h, w, 3) from `low` to `high` (x, y) px."""
    light = ground.at_picture(ground.light, low, (high[0] - low[0], high[1] - low[1]))
    part = image[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    return np.asarray(np.log(part + np.float32(LOG_OFFSET)) - light, np.float32)


def own_tone(image: NDArray[np.uint8], ground: Ground, path_px: Floats, seen: Mask) -> Floats:
    """Return a string's own tone (3,), by where its path (n, 2) px was seen (n,)."""
    return _own(tones(image, ground, path_px), seen)


def alike(looks: Floats | Image32, own: Floats) -> Mask:
    """Tell which tones (…, 3) are the string's own (3,) rather than the table's."""
    return squared(looks - own.astype(looks.dtype)) < LIKE_STRING**2 * squared(looks)


def about_table(looks: Floats | Image32, own: Floats) -> Mask:
    """Tell which tones (…, 3) are about the table's, for a string whose own is that (3,)."""
    return squared(looks) < TABLE_TONE**2 * squared(own)


def plainly_table(image: NDArray[np.uint8], ground: Ground, path_px: Floats, seen: Mask) -> Mask:
    """Tell where (n,) along a path (n, 2) px, over most of ROUND places, the table's colour shows and not the string's
    own; nowhere, if that is hardly another one.
    """
    looks = tones(image, ground, path_px)
    own = _own(looks, seen)
    if squared(own) < (DISTINCT * np.linalg.norm(ground.unit)) ** 2:
        return np.zeros(len(path_px), bool)
    table = about_table(looks, own)
    around = np.stack([np.roll(table, by) for by in range(-(ROUND // 2), ROUND // 2 + 1)])
    return np.asarray(around.mean(0) > 0.5)


def _own(looks: Floats, seen: Mask) -> Floats:
    """Return a string's own tone (3,), of what its path shows (n, 3), by where it was seen (n,)."""
    return np.asarray(median(looks[seen] if seen.any() else looks, 0))


def squared(tones: Floats | Image32) -> Floats | Image32:
    """Return how far tones (…, 3) are from the table's, squared."""
    return np.asarray(np.einsum("...c,...c->...", tones, tones))
