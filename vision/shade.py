"""A shadow's edge across a tile: one part of it lies in the light, the other does not, and so does the table round it.

A cube hides a tile's print, and a shadow only dims it; beyond the tile the shadow goes on, as a cube does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.ranks import median

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

OUTLINE_PX = 7  # so broad a seam along the tile's outline tells nothing
KEEN_PX = 1.5  # σ of the smoothing against noise, of the crop's px
HALF = 2  # of so many of the crop's px one is looked at, each way
BLACK = 8.0  # grey levels added before the logarithm: the noise of dark px
MOST = 1.5  # log: what differs more from what is expected counts no more
DIRECTIONS = 36  # in which edges are tried, half a turn's worth
LEAST_STEP = 0.15  # log: what dims less passes for no cube
EXPLAINED = 0.15  # of the tile's differences' squares, and of those round it: then it is a shadow's edge
LEAST_SIDE = 0.02  # of the places looked at, on either side of an edge
SOFT_PX = (1.0, 3.0, 6.0, 10.0, 18.0)  # how broad an edge may be, half its breadth


@dataclass(frozen=True)
class Edge:
    """A straight edge: the shade lies where `normal` · (x, y) px > `offset_px`; `step`: log of what light is left."""

    normal: Floats
    offset_px: float
    step: Floats  # (3,) BGR
    soft_px: float

    def left(self, shape: tuple[int, ...]) -> Floats:
        """Return what share of the light is left in a crop (h, w), (h, w, 3)."""
        return np.exp(_ramp(self.normal, self.offset_px, self.soft_px, shape)[..., None] * self.step)


def edge(whole: Image, expected: Floats, beside: Mask) -> Edge | None:
    """Find a shadow's edge in a crop (h, w, 3) of a tile and what lies round it; None where there is none.

    `expected`: (th, tw, 3), the tile in its middle as it would be seen without a shadow. `beside`: (h, w), places that
    tell nothing.
    """
    off, group = _differences(whole, expected)
    weight = (~beside & _plain(group)).astype(float)
    found = _best(off.mean(axis=2)[::HALF, ::HALF], group[::HALF, ::HALF], weight[::HALF, ::HALF])
    if found is None:
        return None
    normal, offset = found
    offset_px = offset * HALF
    soft = min(SOFT_PX, key=lambda px: _stepped(off, group, weight, _ramp(normal, offset_px, px, off.shape))[1])
    step, _ = _stepped(off, group, weight, _ramp(normal, offset_px, soft, off.shape))
    return Edge(normal, offset_px, step, soft) if step.mean() < 0 else Edge(-normal, -offset_px, -step, soft)


def _differences(whole: Image, expected: Floats) -> tuple[Floats, Mask]:
    """Return how the logarithm of each place differs from what is expected, (h, w, 3), and which are the tile's.

    Round the tile it is its differences from their middle one.
    """
    seen = np.log(whole.astype(float) + BLACK)
    pad = (whole.shape[0] - expected.shape[0]) // 2
    tile = np.zeros(whole.shape[:2], bool)
    tile[pad:-pad, pad:-pad] = True
    usual = np.empty_like(seen)
    usual[:] = median(seen[~tile], axis=0)
    usual[pad:-pad, pad:-pad] = np.log(expected + BLACK)
    soft = cv2.GaussianBlur(np.clip(seen - usual, -MOST, MOST), (0, 0), KEEN_PX)
    return np.asarray(soft, float), tile


def _plain(tile: Mask) -> Mask:
    """Tell where the tile's outline, which may lie a px beside its place, is not."""
    rim = cv2.morphologyEx(tile.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((OUTLINE_PX, OUTLINE_PX), np.uint8))
    return np.asarray(rim == 0)


def _best(off: Floats, tile: Mask, weight: Floats) -> tuple[Floats, float] | None:
    """Return the normal (2,) and offset px of the edge that explains most of differences (h, w); None for none.

    The tile's and those round it are to be explained by one step: a table's pattern goes on below a tile, not on it.
    """
    groups = np.stack([weight * tile, weight * ~tile])
    means = (groups * off).sum(axis=(1, 2)) / np.maximum(groups.sum(axis=(1, 2)), 1e-9)
    rest = np.where(tile, off - means[0], off - means[1])
    totals = (groups * rest**2).sum(axis=(1, 2))
    y, x = np.indices(off.shape)
    best, chosen = 0.0, None
    for turn in np.arange(DIRECTIONS) * np.pi / DIRECTIONS:
        along = x * np.cos(turn) + y * np.sin(turn)
        first = int(np.floor(along.min()))
        bins = (along - first).astype(int).ravel()
        count, beyond = (np.stack([_beyond(bins, w * of) for w in groups]) for of in (np.ones_like(rest), rest))
        share = count.sum(axis=0) / max(float(count[:, 0].sum()), 1e-9)
        spread = count * (1 - count / np.maximum(count[:, :1], 1e-9))
        step = beyond.sum(axis=0) / np.maximum(spread.sum(axis=0), 1.0)
        told = step * (2 * beyond - step * spread)  # (2, n): by how much the squares are less
        usable = (share > LEAST_SIDE) & (share < 1 - LEAST_SIDE) & (np.abs(step) > LEAST_STEP)
        usable &= (told > EXPLAINED * totals[:, None]).all(axis=0)
        gain = np.where(usable, told.sum(axis=0), 0.0)
        k = int(gain.argmax())
        if gain[k] > best:
            best, chosen = float(gain[k]), (np.array([np.cos(turn), np.sin(turn)]), float(k + first))
    return chosen


def _beyond(bins: npt.NDArray[np.int64], values: Floats) -> Floats:
    """Return the sums of values (h, w) in each bin, of (h · w,), and all later ones."""
    return np.asarray(np.bincount(bins, values.ravel())[::-1].cumsum()[::-1], float)


def _stepped(off: Floats, tile: Mask, weight: Floats, ramp: Floats) -> tuple[Floats, float]:
    """Fit a step (3,) along a ramp (h, w), and a level of the tile and one of what is round it; the error's square."""
    columns = np.stack([ramp, tile, ~tile], axis=-1).reshape(-1, 3).astype(float)
    heavy = columns * weight.reshape(-1, 1)
    fitted = np.linalg.solve(heavy.T @ columns + 1e-6 * np.eye(3), heavy.T @ off.reshape(-1, 3))
    error = (weight.reshape(-1, 1) * (off.reshape(-1, 3) - columns @ fitted) ** 2).sum()
    return fitted[0], float(error)


def _ramp(normal: Floats, offset_px: float, soft_px: float, shape: tuple[int, ...]) -> Floats:
    """Return 0 on the lit side of an edge and 1 in the shade, (h, w)."""
    y, x = np.indices(shape[:2])
    return np.asarray(np.clip(0.5 + (x * normal[0] + y * normal[1] - offset_px) / (2 * soft_px), 0, 1))
