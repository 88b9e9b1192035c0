"""Aligned correlation: how alike two faces are once light, a small shift and a small change of scale are taken out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from decks.deck import Image
from vision.crop import Floats, squeezed
from vision.threads import each

SIDE_PX = 40  # both faces are compared squeezed to this size
BLUR_PX = 0.7  # evens out a sharp reference and a soft photograph
SHIFTS_PX = (-1, 0, 1)  # of SIDE_PX: 2.5% of the piece's side each
SCALES = (0.93, 1.0, 1.08)
FLAT = 60.0  # grey levels (summed root of squares) below which a face is too flat to be compared
# brightness, red against green, blue against yellow, of blue, green and red
CONTRASTS = np.array([[1 / 3, 1 / 3, 1 / 3], [0, -1, 1], [1, -0.5, -0.5]], dtype=np.float32)
AT_ONCE = 4  # crops that are moved and multiplied with the references together: more leave a processor's cache
LEAST_REST = 0.01  # of a face's unevenness: no photograph explains more


def softened(crops: Sequence[Image]) -> Floats:
    """Return crops as they are compared, (n, SIDE_PX, SIDE_PX, 3)."""
    soft = [cv2.GaussianBlur(squeezed(crop, SIDE_PX).astype(np.float32), (0, 0), BLUR_PX) for crop in crops]
    return np.stack(soft).astype(np.float32, copy=False) if soft else np.zeros((0, SIDE_PX, SIDE_PX, 3), np.float32)


def features(soft: Floats, kept: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Return faces (n, SIDE_PX, SIDE_PX, 3) as unit vectors; kept: (SIDE_PX, SIDE_PX), the px that are compared.

    They hold brightness and two colour contrasts, their means taken out. One gain for all three and an offset each are
    divided out; how strong colours stand to each other stays.
    """
    mask, ones = _compared(kept)
    flat = _contrasts(soft).reshape(len(soft), -1) * mask
    flat = np.asarray(flat - flat @ ones @ ones.T, np.float32)
    lengths = np.sqrt(np.einsum("nk,nk->n", flat, flat) + FLAT * FLAT)
    return np.asarray(flat / lengths[:, None], dtype=np.float32)


def scores(
    soft: Floats, references: Floats, kept: npt.NDArray[np.bool_] | None = None
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return (n, m) correlations in [-1, 1], each the best over small moves of the crop, and which of `warps` it was.

    soft: (n, SIDE_PX, SIDE_PX, 3) crops; references: (m, …) from `features`, with the same `kept`. A moved crop's means
    need not be taken out before it is multiplied, the references being without one.
    """
    contrasts = _contrasts(soft)
    contrasts -= contrasts.mean(axis=(1, 2), keepdims=True)
    mask, ones = _compared(kept)
    several = np.concatenate([references, ones.T]).T

    def alike(few: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
        flat = _moved(few)
        flat = flat if kept is None else flat * mask
        products = flat @ several
        power = np.einsum("nk,nk->n", flat, flat) - (products[:, -3:] ** 2).sum(axis=1)
        every = products[:, :-3] / np.sqrt(power + np.float32(FLAT * FLAT))[:, None]
        every = every.reshape(len(few), -1, len(references))
        return every.max(axis=1), every.argmax(axis=1)

    if not len(soft) or not len(references):
        return np.full((len(soft), len(references)), -1.0, np.float32), np.zeros((len(soft), len(references)), np.int64)
    found = each(alike, [contrasts[i : i + AT_ONCE] for i in range(0, len(soft), AT_ONCE)])
    best, which = (np.concatenate(part) for part in zip(*found, strict=True))
    return best.clip(-1), which


def _moved(contrasts: Floats) -> Floats:
    """Return crops (n, SIDE_PX, SIDE_PX, 3) moved by each of `warps`, in their order: (n · m, SIDE_PX² · 3)."""
    grown = np.stack([_scaled(crop, scale) for crop in contrasts for scale in SCALES])
    far = max(SHIFTS_PX)
    moved = np.empty((len(grown), len(SHIFTS_PX), len(SHIFTS_PX), SIDE_PX, SIDE_PX, 3), np.float32)
    for i, dx in enumerate(SHIFTS_PX):
        for k, dy in enumerate(SHIFTS_PX):
            moved[:, i, k] = grown[:, far - dy : far - dy + SIDE_PX, far - dx : far - dx + SIDE_PX]
    return moved.reshape(-1, SIDE_PX * SIDE_PX * 3)


def _scaled(contrasts: Floats, scale: float) -> Floats:
    """Scale a crop (SIDE_PX, SIDE_PX, 3) about its middle, as far beyond its sides as it is shifted."""
    far, centre = max(SHIFTS_PX), (SIDE_PX - 1) / 2
    start = (1 - scale) * centre + far
    size = (SIDE_PX + 2 * far, SIDE_PX + 2 * far)
    warp = np.array([[scale, 0, start], [0, scale, start]])
    return np.asarray(cv2.warpAffine(contrasts, warp, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)


def _contrasts(soft: Floats) -> Floats:
    """Return brightness and two colour contrasts of faces, (n, SIDE_PX, SIDE_PX, 3) likewise."""
    sheet = cv2.transform(soft.reshape(-1, SIDE_PX, 3), CONTRASTS)
    return np.asarray(sheet.reshape(soft.shape), dtype=np.float32)


def _compared(kept: npt.NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
    """Return a mask of a face's row (px · 3,), and each contrast's px in it as a unit vector, (px · 3, 3)."""
    px = np.ones(SIDE_PX * SIDE_PX, np.float32) if kept is None else kept.reshape(-1).astype(np.float32)
    ones = (px[:, None, None] * np.eye(3, dtype=np.float32) / np.sqrt(px.sum())).reshape(-1, 3)
    return np.repeat(px, 3), ones


def evidence(correlations: Floats) -> Floats:
    """Return log-odds in units yet to be fitted: the less of a face stays unexplained, the more a little less tells."""
    explained = correlations.clip(0) ** 2
    return np.asarray(-np.log(1 - explained + LEAST_REST), dtype=np.float32)


@cache
def warps() -> tuple[Floats, ...]:
    """Return the small moves that are tried, (2, 3) each, from the crop."""
    centre = (SIDE_PX - 1) / 2
    return tuple(
        np.array([[scale, 0, (1 - scale) * centre + dx], [0, scale, (1 - scale) * centre + dy]], dtype=np.float32)
        for scale in SCALES
        for dx in SHIFTS_PX
        for dy in SHIFTS_PX
    )
