"""A second look at a doubtful face: align it with references to a fraction of a px, and let what covers it be.

A cube on a tile, a finger, a glare spot are outliers. They cost a candidate a little, whichever it is, and what fits
into one small square, as a player's cube does, costs it next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.correlation import SIDE_PX, warps
from vision.crop import Floats

ROUNDS = 4
LEAST_SIGMA = 5.0  # grey levels: no photograph fits its reference better
OUTLIER = 2.0  # sigmas at which a px counts half
STRETCH = (0.55, 1.8)  # of the middle gain: colours' gains differ no more than that
DAMPING = 0.02  # of the mean curvature: keeps flat faces from sliding
FARTHEST_PX = 4.0  # of SIDE_PX: no face is aligned farther from where it was cut
AT_ONCE = 24  # references: more do not stay in a processor's cache
COVER_PX = 14  # of SIDE_PX: a 9 mm cube on a 40 mm tile, its side that shows, and its shadow

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Coordinates over a face in -1..1, as its px (px,) go.

    terms: (px, 3) even, along x, along y: what light and moves do; products: (px, 9) the same, each with each.
    """

    terms: Floats
    products: Floats


def _frame() -> _Frame:
    y, x = (axis.reshape(-1).astype(np.float32) for axis in np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j])
    terms = np.stack([np.ones_like(x), x, y], axis=1)
    return _Frame(terms, (terms[:, :, None] * terms[:, None, :]).reshape(-1, 9))


@dataclass(frozen=True, slots=True)
class Verified:
    """How well references explain their crops, and what may lie on these.

    scores: the mean log-likelihood of a px over that of even light; covers: (…, 2) x, y of the square of COVER_PX that
    is off most; outlying: how much more than elsewhere a px is off there.
    """

    scores: Floats
    covers: Ints
    outlying: Floats


def verify(soft: Floats, references: Floats, starts: Floats, of: Ints) -> Verified:
    """Tell how well each reference explains its crop, arrays (k, …).

    soft: (n, SIDE_PX, SIDE_PX, 3); references: (k, SIDE_PX, SIDE_PX, 3), turned as seen; starts: (k, 2, 3), warps
    to start from; of: (k,) each one's crop. Comparable between the references of one crop, and above 0 where a
    reference explains anything.
    """
    frame = _frame()
    fits = np.concatenate(
        [
            _residual(soft[of[i : i + AT_ONCE]], references[i : i + AT_ONCE], starts[i : i + AT_ONCE], frame)
            for i in range(0, len(of), AT_ONCE)
        ]
        or [np.zeros((0, SIDE_PX * SIDE_PX), np.float32)]
    )
    middle = np.median(fits, axis=1)
    sigma = np.array([max(LEAST_SIGMA, float(middle[of == i].min(initial=np.inf))) for i in range(len(soft))])
    flat = soft.reshape(len(soft), -1, 3)
    even, _ = _lit(flat, np.zeros_like(flat), np.ones(flat.shape[:2], dtype=np.float32), frame)
    null, _, _ = _likelihood(_length(flat - even), sigma)
    likelihood, covers, outlying = _likelihood(fits, sigma[of])
    return Verified(np.asarray(likelihood - null[of], dtype=np.float32), covers, outlying)


def shortlisted(soft: Floats, references: Floats, listed: Ints, which: Ints) -> Verified:
    """Verify each crop's shortlist (n, k) among references (m, …), arrays (n, k, …); which: (n, m) first warps."""
    rows = listed.ravel()
    of = np.repeat(np.arange(len(listed)), listed.shape[1])
    told = verify(soft, references[rows], np.stack(warps())[which[of, rows]], of)
    shape = listed.shape
    return Verified(told.scores.reshape(shape), told.covers.reshape(*shape, 2), told.outlying.reshape(shape))


def _likelihood(off: Floats, sigma: npt.NDArray[np.float64]) -> tuple[Floats, Ints, Floats]:
    """Return the mean log-likelihood of px that are off (k, px), but for the one square that is off most; and that one.

    The square as (k, 2) x, y and how much more a px costs in it than outside.
    """
    cost = np.log1p((off / sigma[:, None].astype(np.float32)) ** 2).reshape(-1, SIDE_PX, SIDE_PX)
    c, edge = COVER_PX, SIDE_PX + 1
    whole = np.array([cv2.integral(of_one) for of_one in cost]).reshape(-1, edge, edge)
    squares = whole[:, c:, c:] - whole[:, :-c, c:] - whole[:, c:, :-c] + whole[:, :-c, :-c]
    at = squares.reshape(len(cost), -1).argmax(axis=1)
    most = squares.reshape(len(cost), -1)[np.arange(len(cost)), at]
    rest = (whole[:, -1, -1] - most) / (SIDE_PX**2 - c * c)
    covers = np.stack([at % squares.shape[2], at // squares.shape[2]], axis=1).astype(np.int64)
    outlying = most / (c * c) - rest
    return np.asarray(-rest, np.float32), covers, np.asarray(outlying, np.float32)


def _length(residual: Floats) -> Floats:
    return np.asarray(np.sqrt((residual * residual).mean(axis=-1)), dtype=np.float32)


def _residual(soft: Floats, references: Floats, starts: Floats, frame: _Frame) -> Floats:
    """Align and light each reference on its crop; return (k, px) grey levels that stay."""
    target = references.reshape(len(references), -1, 3)
    image_from_face = np.stack([cv2.invertAffineTransform(start) for start in starts]).astype(np.float32)
    first = image_from_face
    weight = np.ones(target.shape[:2], dtype=np.float32)
    best, least = np.full(target.shape[:2], 255.0, dtype=np.float32), np.full(len(target), np.inf)
    going = np.ones(len(target), dtype=bool)
    for _ in range(ROUNDS):
        moved = np.stack([_warped(crop, warp) for crop, warp in zip(soft, image_from_face, strict=True)])
        seen = moved.reshape(target.shape)
        predicted, _ = _lit(seen, target, weight, frame)
        residual = seen - predicted
        off = _length(residual)
        sigma = np.maximum(LEAST_SIGMA, np.median(off, axis=1))
        cost = np.log1p((off / LEAST_SIGMA) ** 2).mean(axis=1)
        better = going & (cost < least)
        best[better], least[better] = off[better], cost[better]
        weight = np.asarray(1 / (1 + (off / (OUTLIER * sigma[:, None])) ** 2) ** 2, dtype=np.float32)
        image_from_face = _moved(image_from_face, moved, residual, weight, frame)
        going &= np.abs(image_from_face - first).max(axis=(1, 2)) <= FARTHEST_PX
    return best


def _warped(soft: Floats, image_from_face: Floats) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIDE_PX, SIDE_PX)
    return cv2.warpAffine(soft, image_from_face, size, flags=flags, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _lit(seen: Floats, target: Floats, weight: Floats, frame: _Frame) -> tuple[Floats, Floats]:
    """Light references (k, px, 3) as seen: a gain a channel, even and sloping light; (k, px, 3) and gains (k, 3)."""
    normal = (weight @ frame.products).reshape(-1, 3, 3) + 1e-3 * np.eye(3, dtype=np.float32)
    weighted = frame.terms.T * weight[:, None]  # (k, 3, px)
    slopes = frame.terms @ np.linalg.solve(normal, weighted @ np.concatenate([seen, target], axis=2))  # (k, px, 6)
    seen_rest, target_rest = seen - slopes[..., :3], target - slopes[..., 3:]
    heavy = weight[..., None] * target_rest
    power = (heavy * target_rest).sum(axis=1)
    gains = (heavy * seen_rest).sum(axis=1) / (power + seen.shape[1] * 4.0)
    middle = np.median(gains.clip(0.05), axis=1, keepdims=True)
    gains = gains.clip(STRETCH[0] * middle, STRETCH[1] * middle) * (power > 0)
    return np.asarray(slopes[..., :3] + target_rest * gains[:, None], dtype=np.float32), gains


def _moved(image_from_face: Floats, moved: Floats, residual: Floats, weight: Floats, frame: _Frame) -> Floats:
    """Take one Gauss-Newton step of each alignment (k, 2, 3)."""
    along_x, along_y = (
        np.stack([cv2.Sobel(m, cv2.CV_32F, dx, 1 - dx, ksize=3, scale=1 / 8) for m in moved]).reshape(residual.shape)
        for dx in (1, 0)
    )
    count = len(moved)
    curved = [(weight * (a * b).sum(axis=2)) @ frame.products for a, b in _pairs(along_x, along_y)]
    xx, xy, yy = (c.reshape(count, 3, 3).astype(np.float64) for c in curved)
    normal = np.block([[xx, xy], [xy, yy]])
    pulls = [(weight * (a * residual).sum(axis=2)) @ frame.terms for a in (along_x, along_y)]
    target = np.concatenate(pulls, axis=1).astype(np.float64)
    mean = np.trace(normal, axis1=1, axis2=2)[:, None, None] / 6
    step = -np.linalg.solve(normal + (DAMPING * mean + 1e-3) * np.eye(6), target[..., None])[..., 0]
    half = (SIDE_PX - 1) / 2
    delta = np.zeros((count, 3, 3))
    delta[:, :2, :2] = step.reshape(count, 2, 3)[:, :, 1:] / half
    delta[:, :2, 2] = step[:, [0, 3]] - step[:, [1, 4]] - step[:, [2, 5]]
    # the step is in the face's frame, the gradient of the moved crop: compose
    whole = np.concatenate([image_from_face, np.tile([[[0, 0, 1]]], (count, 1, 1))], axis=1) @ (np.eye(3) + delta)
    return np.asarray(whole[:, :2], dtype=np.float32)


def _pairs(x: Floats, y: Floats) -> Sequence[tuple[Floats, Floats]]:
    return (x, x), (x, y), (y, y)
