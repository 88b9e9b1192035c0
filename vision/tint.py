"""The light on one piece: what turns its reference's colours into those of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

ROUNDS = 5
LEAN = 0.02
"""How strongly a face of nearly one colour, which cannot tell gain from haze, leans towards no haze."""
FITTED = 2
"""The light is fitted at this part of the crop's size: it has six numbers."""
BLURS_PX = (0.6, 1.2, 2.0, 3.0)
"""How blurred (σ, in px of the crop) a picture may be against its reference."""


@dataclass(frozen=True)
class Light:
    """`gain`, `haze`: (3,) BGR; a surface that its reference shows as c is seen as gain · c + haze."""

    gain: Floats
    haze: Floats

    def done(self, pixels: npt.ArrayLike) -> Floats:
        """Return the reference's BGR pixels (…, 3) as the picture shows them."""
        return np.clip(np.asarray(pixels, float) * self.gain + self.haze, 0, 255)

    def undone(self, pixels: npt.ArrayLike) -> Floats:
        """Return the picture's BGR pixels (…, 3) as they would look under the reference's light."""
        return np.clip((np.asarray(pixels, float) - self.haze) / np.maximum(self.gain, 0.05), 0, 255)


def between(crop: Image, reference: Image) -> tuple[Light, Floats]:
    """Estimate the light from a crop and its reference of equal size, parts of it being hidden perhaps.

    Returns it and the reference (h, w, 3) as it would be seen, as blurred as the picture is.
    """
    tried = []
    size = crop.shape[1] // FITTED, crop.shape[0] // FITTED
    seen = cv2.resize(crop, size, interpolation=cv2.INTER_AREA).astype(float)
    for blur in BLURS_PX:
        clean = cv2.GaussianBlur(reference, (0, 0), blur)
        light, error = _fitted(seen, cv2.resize(clean, size, interpolation=cv2.INTER_AREA).astype(float))
        tried.append((error, light, clean))
    _, light, clean = min(tried, key=lambda t: t[0])
    return light, light.done(clean)


def _fitted(seen: Floats, clean: Floats) -> tuple[Light, float]:
    """Fit gain and haze robustly, a channel at a time; and the median error that is left."""
    flat_c, flat_s = clean.reshape(-1, 3), seen.reshape(-1, 3)
    weight = np.ones(len(flat_s))
    gain, haze, error = np.ones(3), np.zeros(3), np.zeros(len(flat_s))
    for _ in range(ROUNDS):
        total = weight.sum()
        mean_c, mean_s = (weight[:, None] * flat_c).sum(0) / total, (weight[:, None] * flat_s).sum(0) / total
        across = (weight[:, None] * (flat_c - mean_c) * (flat_s - mean_s)).sum(0)
        var = (weight[:, None] * (flat_c - mean_c) ** 2).sum(0)
        lean = LEAN * total
        gain = np.maximum((across + lean * mean_s * mean_c) / (var + lean * mean_c**2 + 1e-9), 0.03)
        haze = mean_s - gain * mean_c
        error = np.abs(flat_s - gain * flat_c - haze).max(1)
        weight = 1 / (1 + (error / max(2.5 * float(np.median(error)), 2.0)) ** 4)
    return Light(gain, haze), float(np.mean(np.minimum(error, 4 * np.median(error) + 1e-9)))


def lab(pixels: npt.ArrayLike) -> Floats:
    """Turn BGR pixels (…, 3), 0 to 255, into CIE L*a*b*."""
    array = np.asarray(pixels, np.float32) / 255
    return cv2.cvtColor(array.reshape(-1, 1, 3), cv2.COLOR_BGR2LAB).reshape(array.shape).astype(float)
