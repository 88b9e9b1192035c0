"""The light on one piece: what turns its reference's colours into those of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.ranks import median

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

ROUNDS = 5
LEAN = 0.02
"""How strongly a face of nearly one colour, which cannot tell gain from haze, leans towards no haze."""
FITTED = 2
"""The light is fitted at this part of the crop's size: it has six numbers."""
MIX_ROUNDS, MIX_SCALE, MIX_LEAN = 4, 12.0, 0.02
"""A coloured lamp mixes channels: grey levels up to which a difference is light, and how strongly it leans to none."""
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
    size = crop.shape[1] // FITTED, crop.shape[0] // FITTED
    cleaned = [cv2.GaussianBlur(reference, (0, 0), blur) for blur in BLURS_PX]
    small = [cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (crop, *cleaned)]
    seen, *tried = (np.asarray(cv2.split(picture), np.float64).reshape(3, -1) for picture in small)
    gains, hazes, errors = _fitted(seen, np.stack(tried))
    best = int(errors.argmin())
    light = Light(gains[best], hazes[best])
    return light, light.done(cleaned[best])


def _fitted(seen: Floats, clean: Floats) -> tuple[Floats, Floats, Floats]:
    """Fit gains and hazes (b, 3) robustly, a channel at a time; and the middling error (b,) that is left.

    seen: (3, px); clean: (b, 3, px), the references tried.
    """
    weight = np.ones_like(clean[:, 0])
    gain, haze, error = np.ones(clean.shape[:2]), np.zeros(clean.shape[:2]), weight
    for _ in range(ROUNDS):
        total = weight.sum(axis=1)[:, None]
        mean_c, mean_s = np.einsum("bp,bcp->bc", weight, clean) / total, weight @ seen.T / total
        off_c, off_s = clean - mean_c[..., None], seen - mean_s[..., None]
        heavy = off_c * weight[:, None]
        across, var = np.einsum("bcp,bcp->bc", heavy, off_s), np.einsum("bcp,bcp->bc", heavy, off_c)
        lean = LEAN * total
        gain = np.maximum((across + lean * mean_s * mean_c) / (var + lean * mean_c**2 + 1e-9), 0.03)
        haze = mean_s - gain * mean_c
        error = np.abs(seen - gain[..., None] * clean - haze[..., None]).max(axis=1)
        weight = 1 / (1 + ((error / np.maximum(2.5 * median(error, axis=1, keepdims=True), 2.0)) ** 2) ** 2)
    return gain, haze, np.minimum(error, 4 * median(error, axis=1, keepdims=True) + 1e-9).mean(axis=1)


def remixed(crop: Image, lit: Floats) -> Floats:
    """Return the lit reference (h, w, 3) with its channels mixed, and brightened, as in the crop of equal size.

    What differs by more than a lamp's mixing would is left out: something lies there.
    """
    size = crop.shape[1] // FITTED, crop.shape[0] // FITTED
    seen = cv2.resize(crop, size, interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(float)
    clean = cv2.resize(lit.astype(np.float32), size, interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(float)
    middle, rest = clean.mean(axis=0), seen - clean
    terms, mixing = _terms(clean, middle), np.zeros((4, 3))
    lean = MIX_LEAN * len(clean) * np.diag([1.0, 1.0, 1.0, 0.01])
    for _ in range(MIX_ROUNDS):
        weight = 1 / (1 + ((np.abs(rest - terms @ mixing).max(axis=1) / MIX_SCALE) ** 2) ** 2)
        mixing = np.linalg.solve((terms * weight[:, None]).T @ terms + lean, (terms * weight[:, None]).T @ rest)
    flat = lit.reshape(-1, 3)
    return np.clip(flat + _terms(flat, middle) @ mixing, 0, 255).reshape(lit.shape)


def _terms(pixels: Floats, middle: Floats) -> Floats:
    """Return BGR pixels (n, 3) about a middle, a quarter of the range each, and 1: (n, 4)."""
    return np.concatenate([(pixels - middle) / 64, np.ones((len(pixels), 1))], axis=1)


def lab(pixels: npt.ArrayLike) -> Floats:
    """Turn BGR pixels (…, 3), 0 to 255, into CIE L*a*b*."""
    array = np.asarray(pixels, np.float32) / 255
    return cv2.cvtColor(array.reshape(1, -1, 3), cv2.COLOR_BGR2LAB).reshape(array.shape).astype(float)
