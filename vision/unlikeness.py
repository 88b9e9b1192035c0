"""How unlike a tile and its print are, place by place, and how much of that is the picture's noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.ranks import median
from vision.tint import Floats, Image, lab, remixed

NOISE_BANDS, NOISE, LEAST_NOISE = 4, 1.5, 1.0
"""Dark and bright parts are told apart by so many bands; one σ is so often the median difference, at least (CIE)."""
LIGHTNESS_LESS = np.array([0.6, 1.0, 1.0])
"""Of a difference in Lab: shades alter lightness more than colour."""


@dataclass(frozen=True)
class Look:
    """A tile beside its print, Lab (h, w, 3) each: how unlike they are, (h, w), and one σ of that."""

    seen: Floats
    clean: Floats
    unlike: Floats
    noise: Floats


def looked(crop: Image, expected: Floats) -> Look:
    """Look at a tile's crop (h, w, 3) BGR and what its reference would show there."""
    seen, clean = lab(crop.astype(float)), lab(remixed(crop, expected))
    unlike = _apart(seen, clean)
    return Look(seen, clean, unlike, _noise(unlike, clean[..., 0]))


def _apart(seen: Floats, clean: Floats) -> Floats:
    """Return how unlike (h, w) the two are, allowing each place to be a px off."""
    one, other = (
        np.moveaxis(LIGHTNESS_LESS * lab, -1, 0) for lab in (seen, np.pad(clean, ((1, 1), (1, 1), (0, 0)), "wrap"))
    )
    height, width = seen.shape[:2]
    least = np.full((height, width), np.inf)
    for dy in (0, 1, 2):
        for dx in (0, 1, 2):
            gap = one - other[:, dy : dy + height, dx : dx + width]
            gap *= gap
            np.minimum(least, gap[0] + gap[1] + gap[2], out=least)
    return np.asarray(np.sqrt(least))


def _noise(unlike: Floats, lightness: Floats) -> Floats:
    """Return one σ of the difference at each place (h, w), by how light the face is there."""
    order = np.argsort(lightness, axis=None, kind="stable")
    bands = np.array_split(order, NOISE_BANDS)
    light = [float(lightness.flat[band].mean()) for band in bands]
    usual = [float(median(unlike.flat[band])) for band in bands]
    return np.maximum(LEAST_NOISE, NOISE * np.interp(lightness, light, usual))
