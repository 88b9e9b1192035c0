"""Which sides of a find differ from what lies beside them: a piece's do all along, the table's own pattern does not."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision import quads

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SAMPLES, INSET = 25, 0.12
"""Places along a side, and the share of it left out at each end."""
APART = np.array([0.02, 0.03, 0.04])
"""How far off the side both sides of it are looked at, as shares of the piece's breadth across it."""
LEAST_APART_PX = 1.5
"""And at least so far in the middle: an edge is blurred."""
LEAST_IN_VIEW = 8
"""Of the samples: a side with fewer in view tells nothing."""
STEP = 8.0
"""8-bit LAB: a smaller step between inside and outside is uneven light."""
COHERENT = 0.6
"""The mean step is at least this share of the single steps' size: so along a card, seldom along a wood's grain."""


def told(image: Image, corners_px: Floats) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Tell which sides of quads differ from what lies beside them, and which are in view.

    `corners_px`: (n, 4, 2), clockwise as seen. Both answers: (n, 4), side k from corner k to k + 1.
    """
    if not len(corners_px):
        return np.zeros((0, 4), bool), np.zeros((0, 4), bool)
    inside, outside = _beside(image, corners_px, -1), _beside(image, corners_px, 1)
    steps = outside - inside  # (n, 4, SAMPLES, 3)
    seen = np.asarray(np.isfinite(steps).all(-1))
    count = seen.sum(-1)
    steps = np.where(seen[..., None], steps, 0.0)
    mean = np.linalg.norm(steps.sum(2), axis=-1) / np.maximum(count, 1)
    size = np.linalg.norm(steps, axis=-1).sum(2) / np.maximum(count, 1)
    in_view = count >= LEAST_IN_VIEW
    return in_view & (mean >= STEP) & (mean >= COHERENT * (size + 1)), in_view


def _beside(image: Image, corners_px: Floats, way: int) -> Floats:
    """Return the LAB colours (n, 4, SAMPLES, 3) just outside (way 1) or inside (-1) the sides; NaN out of view."""
    edge = np.roll(corners_px, -1, axis=1) - corners_px
    outward = quads.outward(corners_px)
    apart = APART * np.maximum(quads.across(corners_px)[..., None], LEAST_APART_PX / APART[1])  # (n, 4, looks)
    along = np.linspace(INSET, 1 - INSET, SAMPLES)
    base = corners_px[:, :, None] + edge[:, :, None] * along[:, None]
    points = base[:, :, None] + way * outward[:, :, None, None] * apart[..., None, None]  # (n, 4, looks, SAMPLES, 2)
    flat = points.reshape(len(corners_px), -1, 2).astype(np.float32)
    colours = np.stack([_lab(cv2.remap(image, f[:, None, 0], f[:, None, 1], cv2.INTER_LINEAR)) for f in flat])
    far = np.array(image.shape[1::-1]) - 1
    out = ((flat < 0) | (flat > far)).any(-1)
    return np.asarray(np.where(out[..., None], np.nan, colours).reshape(*points.shape[:-1], 3).mean(2), float)


def _lab(pixels: npt.NDArray[np.generic]) -> Floats:
    return cv2.cvtColor(np.asarray(pixels, np.uint8), cv2.COLOR_BGR2LAB)[:, 0].astype(float)
