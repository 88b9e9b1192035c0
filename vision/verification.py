"""A second look at a doubtful face: align it with a reference to a fraction of a px, and let what covers it be.

A cube on a tile, a finger, a glare spot are outliers: they cost a candidate a little, whichever it is, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.correlation import SIDE_PX
from vision.crop import Floats

ROUNDS = 4
LEAST_SIGMA = 5.0  # grey levels: no photograph fits its reference better
OUTLIER = 2.0  # sigmas at which a px counts half
STRETCH = (0.55, 1.8)  # of the middle gain: colours' gains differ no more than that
DAMPING = 0.02  # of the mean curvature: keeps flat faces from sliding
FARTHEST_PX = 4.0  # of SIDE_PX: no face is aligned farther from where it was cut


@dataclass(frozen=True, slots=True)
class _Frame:
    """Coordinates over a face in -1..1 and what even and sloping light look like."""

    x: Floats  # (px,)
    y: Floats
    slopes: Floats  # (px, 3): even, along x, along y


def _frame() -> _Frame:
    y, x = (axis.reshape(-1).astype(np.float32) for axis in np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j])
    return _Frame(x, y, np.stack([np.ones_like(x), x, y], axis=1))


def scores(soft: Floats, references: Floats, warps: Sequence[Floats]) -> Floats:
    """Return how well each reference explains a crop, (k,): the mean log-likelihood of a px over that of even light.

    soft: (SIDE_PX, SIDE_PX, 3); references: (k, SIDE_PX, SIDE_PX, 3), turned as seen; warps: (2, 3) each, where to
    start from. Comparable between the references of one crop, and above 0 where a reference explains anything.
    """
    frame = _frame()
    fits = [_residual(soft, reference, warp, frame) for reference, warp in zip(references, warps, strict=True)]
    sigma = max(LEAST_SIGMA, min(float(np.median(fit)) for fit in fits))
    flat = soft.reshape(-1, 3)
    even, _ = _lit(flat, np.zeros_like(flat), np.ones(len(flat), dtype=np.float32), frame)
    null = _length(flat - even)
    return np.array([_likelihood(fit, sigma) - _likelihood(null, sigma) for fit in fits], dtype=np.float32)


def _likelihood(off: Floats, sigma: float) -> float:
    return -float(np.log1p((off / sigma) ** 2).mean())


def _length(residual: Floats) -> Floats:
    return np.asarray(np.sqrt((residual * residual).mean(axis=1)), dtype=np.float32)


def _residual(soft: Floats, reference: Floats, start: Floats, frame: _Frame) -> Floats:
    """Align and light the reference; return (px,) grey levels that stay."""
    target = reference.reshape(-1, 3)
    image_from_face = cv2.invertAffineTransform(start).astype(np.float32)
    first = image_from_face.copy()
    weight = np.ones(len(target), dtype=np.float32)
    best, least = np.full(len(target), 255.0, dtype=np.float32), np.inf
    for _ in range(ROUNDS):
        moved = _warped(soft, image_from_face)
        predicted, _ = _lit(moved.reshape(-1, 3), target, weight, frame)
        residual = moved.reshape(-1, 3) - predicted
        off = _length(residual)
        sigma = max(LEAST_SIGMA, float(np.median(off)))
        cost = -_likelihood(off, LEAST_SIGMA)
        if cost < least:
            best, least = off, cost
        weight = np.asarray(1 / (1 + (off / (OUTLIER * sigma)) ** 2) ** 2, dtype=np.float32)
        image_from_face = _moved(image_from_face, moved, residual, weight, frame)
        if np.abs(image_from_face - first).max() > FARTHEST_PX:
            break
    return best


def _warped(soft: Floats, image_from_face: Floats) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIDE_PX, SIDE_PX)
    return cv2.warpAffine(soft, image_from_face, size, flags=flags, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _lit(seen: Floats, target: Floats, weight: Floats, frame: _Frame) -> tuple[Floats, Floats]:
    """Light the reference as seen: a gain a channel, even and sloping light; (px, 3) and the gains (3,)."""
    gains = np.zeros(3, dtype=np.float32)
    weighted = frame.slopes * weight[:, None]
    normal = weighted.T @ frame.slopes + 1e-3 * np.eye(3, dtype=np.float32)
    solve = np.linalg.solve(normal, weighted.T)  # (3, px)
    seen_rest = seen - frame.slopes @ (solve @ seen)
    target_rest = target - frame.slopes @ (solve @ target)
    power = (weight[:, None] * target_rest * target_rest).sum(axis=0)
    gains = (weight[:, None] * target_rest * seen_rest).sum(axis=0) / (power + len(seen) * 4.0)
    middle = float(np.median(gains.clip(0.05)))
    gains = gains.clip(STRETCH[0] * middle, STRETCH[1] * middle) * (power > 0)
    return np.asarray(seen - seen_rest + target_rest * gains, dtype=np.float32), gains


def _moved(image_from_face: Floats, moved: Floats, residual: Floats, weight: Floats, frame: _Frame) -> Floats:
    """Take one Gauss-Newton step of the alignment."""
    along_x = cv2.Sobel(moved, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8).reshape(-1, 3)
    along_y = cv2.Sobel(moved, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8).reshape(-1, 3)
    terms = np.stack([np.ones_like(frame.x), frame.x, frame.y], axis=1)  # (px, 3)
    normal, target = np.zeros((6, 6)), np.zeros(6)
    for c in range(3):
        columns = np.concatenate([terms * along_x[:, c : c + 1], terms * along_y[:, c : c + 1]], axis=1)  # (px, 6)
        weighted = columns * weight[:, None]
        normal += weighted.T @ columns
        target += weighted.T @ residual[:, c]
    normal += DAMPING * float(np.trace(normal)) / 6 * np.eye(6) + 1e-3 * np.eye(6)
    step = -np.linalg.solve(normal, target)
    half = (SIDE_PX - 1) / 2
    delta = np.array(
        [
            [step[1] / half, step[2] / half, step[0] - step[1] - step[2]],
            [step[4] / half, step[5] / half, step[3] - step[4] - step[5]],
        ]
    )
    # the step is in the face's frame, the gradient of the moved crop: compose
    whole = np.vstack([image_from_face, [0, 0, 1]]) @ (np.eye(3) + np.vstack([delta, [0, 0, 0]]))
    return np.asarray(whole[:2], dtype=np.float32)
