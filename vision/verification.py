"""A second look at a doubtful face: align it with references to a fraction of a px, and let what covers it be.

A cube on a tile, a finger, a glare spot are outliers. They cost a candidate a little, whichever it is, and what fits
into one small square, as a player's cube does, costs it next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.correlation import SIDE_PX, warps
from vision.crop import Floats
from vision.ranks import median
from vision.threads import each

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
    """Coordinates over a face in -1..1, as its px go.

    terms: (3, px) even, along x, along y: what light and moves do; products: (9, px) the same, each with each.
    """

    terms: Floats
    products: Floats


@cache
def _frame() -> _Frame:
    y, x = (axis.reshape(-1).astype(np.float32) for axis in np.mgrid[-1 : 1 : SIDE_PX * 1j, -1 : 1 : SIDE_PX * 1j])
    terms = np.stack([np.ones_like(x), x, y])
    return _Frame(terms, (terms[:, None] * terms[None]).reshape(9, -1))


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
    size = min(AT_ONCE, max(-(-len(of) // 2), AT_ONCE // 2))
    parts = [slice(i, i + size) for i in range(0, len(of), size)]
    fits = np.concatenate(
        each(lambda part: _residual(soft[of[part]], references[part], starts[part], frame), parts)
        or [np.zeros((0, SIDE_PX * SIDE_PX), np.float32)]
    )
    middle = median(fits, axis=1)
    sigma = np.array([max(LEAST_SIGMA, float(middle[of == i].min(initial=np.inf))) for i in range(len(soft))])
    flat = _planes(soft)
    even = _unlit(np.concatenate([flat, np.zeros_like(flat)], axis=1), np.ones_like(flat[:, 0]), frame)
    null, _, _ = _likelihood(_length(even), sigma)
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


def _planes(faces: Floats) -> Floats:
    """Return faces (k, side, side, 3) channel by channel, (k, 3, px): sums over px then run through memory in order."""
    return np.ascontiguousarray(faces.transpose(0, 3, 1, 2)).reshape(len(faces), 3, -1)


def _across(one: Floats, other: Floats) -> Floats:
    """Sum the products of two faces' channels (k, 3, px) at each px, (k, px)."""
    total = one[:, 0] * other[:, 0]
    total += one[:, 1] * other[:, 1]
    total += one[:, 2] * other[:, 2]
    return total


def _length(residual: Floats) -> Floats:
    return np.asarray(np.sqrt(_across(residual, residual) / np.float32(3)), dtype=np.float32)


def _residual(soft: Floats, references: Floats, starts: Floats, frame: _Frame) -> Floats:
    """Align and light each reference on its crop; return (k, px) grey levels that stay."""
    target = _planes(references)
    both = np.concatenate([np.empty_like(target), target], axis=1)  # seen and target
    image_from_face = np.stack([cv2.invertAffineTransform(start) for start in starts]).astype(np.float32)
    first = image_from_face
    weight = np.ones_like(target[:, 0])
    best, least = np.full_like(weight, 255.0), np.full(len(target), np.inf)
    going = np.ones(len(target), dtype=bool)
    for turn in range(ROUNDS):
        moved = np.stack([_warped(crop, warp) for crop, warp in zip(soft, image_from_face, strict=True)])
        both[:, :3] = _planes(moved)
        residual = _unlit(both, weight, frame)
        off = _length(residual)
        cost = np.log1p((off / LEAST_SIGMA) ** 2).mean(axis=1)
        better = going & (cost < least)
        best[better], least[better] = off[better], cost[better]
        if turn < ROUNDS - 1:
            sigma = np.maximum(LEAST_SIGMA, median(off, axis=1))
            weight = np.asarray(1 / (1 + (off / (OUTLIER * sigma[:, None])) ** 2) ** 2, dtype=np.float32)
            image_from_face = _moved(image_from_face, moved, residual, weight, frame)
            going &= np.abs(image_from_face - first).max(axis=(1, 2)) <= FARTHEST_PX
    return best


def _warped(soft: Floats, image_from_face: Floats) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (SIDE_PX, SIDE_PX)
    return cv2.warpAffine(soft, image_from_face, size, flags=flags, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _unlit(both: Floats, weight: Floats, frame: _Frame) -> Floats:
    """Return what stays (k, 3, px) of faces seen once references are lit as they are.

    both: (k, 6, px), seen and references; weight: (k, px). Light: a gain a channel, even and sloping light.
    """
    count = len(both)
    normal = (weight @ frame.products.T).reshape(-1, 3, 3) + 1e-3 * np.eye(3, dtype=np.float32)
    moments = ((both * weight[:, None]).reshape(count * 6, -1) @ frame.terms.T).reshape(count, 6, 3)
    slopes = np.linalg.solve(normal, moments.transpose(0, 2, 1)).transpose(0, 2, 1).reshape(count * 6, 3)
    rest = both - (slopes @ frame.terms).reshape(both.shape)
    seen, target = rest[:, :3], rest[:, 3:]
    heavy = target * weight[:, None]
    power = np.einsum("kcp,kcp->kc", heavy, target)
    gains = np.einsum("kcp,kcp->kc", heavy, seen) / (power + np.float32(4.0 * weight.shape[1]))
    middle = median(gains.clip(0.05), axis=1, keepdims=True)
    gains = gains.clip(STRETCH[0] * middle, STRETCH[1] * middle) * (power > 0)
    return np.asarray(seen - target * gains[..., None], dtype=np.float32)


def _moved(image_from_face: Floats, moved: Floats, residual: Floats, weight: Floats, frame: _Frame) -> Floats:
    """Take one Gauss-Newton step of each alignment (k, 2, 3)."""
    along_x, along_y = _slopes(moved)
    count = len(moved)
    curved = [
        (weight * _across(a, b)) @ frame.products.T
        for a, b in ((along_x, along_x), (along_x, along_y), (along_y, along_y))
    ]
    xx, xy, yy = (c.reshape(count, 3, 3).astype(np.float64) for c in curved)
    normal = np.block([[xx, xy], [xy, yy]])
    pulls = [(weight * _across(a, residual)) @ frame.terms.T for a in (along_x, along_y)]
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


def _slopes(faces: Floats) -> tuple[Floats, Floats]:
    """Return the slopes of faces (k, side, side, 3) along x and y, (k, 3, px): one filtering of all, one below another.

    Each face brings its own mirrored rows above and below, so that none sees its neighbour.
    """
    tall = np.concatenate([faces[:, 1:2], faces, faces[:, -2:-1]], axis=1)
    sheet = tall.reshape(-1, SIDE_PX, 3)
    slopes = (cv2.Sobel(sheet, cv2.CV_32F, dx, 1 - dx, ksize=3, scale=1 / 8).reshape(tall.shape) for dx in (1, 0))
    along_x, along_y = (_planes(np.asarray(slope[:, 1:-1], np.float32)) for slope in slopes)
    return along_x, along_y
