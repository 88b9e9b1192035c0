"""A rough box → four sub-pixel corners, and how sure they are.

Each side is a line fitted to the picture's own edge; a corner is where two neighbouring sides meet, so rounded corners
do not matter. Where a piece's size is known, the sides move together as a rectangle first: an inner frame is smaller
than the piece, so it can never be taken for its edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.plane import Plane, rectangles
from vision.ranks import median, quantile

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SAMPLES = 28
"""Places along a side where the picture is looked at."""
INSET = 0.14
"""Share of a side left out at each end: rounded corners, neighbours."""
STEP_PX = 0.5
MOST_LOOKS = 61
"""Distance between looks across a side, and how many there are at most."""
REACH_SHARE, MOST_REACH_PX = 0.12, 60.0
"""How far from its rough place a side is looked for: as a share of the distance between opposite sides, and at most."""
WORKED_PX = 300.0
"""Larger pieces are first fitted in a picture in which they are this wide."""
SLOPES = np.tan(np.radians(np.linspace(-6, 6, 13)))
"""How crooked a side may lie to the rough box."""
NEAR_SLOPES = SLOPES[3:-3]
"""And to a quad that is nearly right."""
OUTER_SHARE = 0.6
"""Among lines this strong compared with the strongest, the outermost is the piece's edge."""
PRIOR_SHARE = 0.45
"""One σ of where the edge lies about the rough side, as a share of the reach: farther out a neighbour begins."""
MIN_CONTRAST = 2.5
"""Grey levels a px (mean over the side) below which there is no edge to fit."""
TEXTURE = 0.4
"""How much the unevenness along a side counts beside its mean step."""
EDGE_HALF = 3.0
"""An edge this many times the usual unevenness counts half of a perfect one."""
FALLBACK_SIGMA_PX = 2.0
"""σ of a side that was not seen and keeps its rough place."""


@dataclass(frozen=True)
class Quads:
    """Corners, sub-pixel.

    `corners_px`: (n, 4, 2), clockwise as seen in the picture. `sigma_px`: (n,), one σ of a corner. `seen`: (n, 4) bool,
    the sides (corner k to k+1) that had an edge of their own.
    """

    corners_px: Floats
    sigma_px: Floats
    seen: npt.NDArray[np.bool_]


def clockwise(corners_px: Floats) -> Floats:
    """Return quads (n, 4, 2) px with their corners clockwise as seen (y down), from the same first corner."""
    x, y = corners_px[..., 0], corners_px[..., 1]
    area = (x * np.roll(y, -1, 1) - np.roll(x, -1, 1) * y).sum(1)
    return np.where((area < 0)[:, None, None], corners_px[:, [0, 3, 2, 1]], corners_px)


def refine(image: Image, corners_px: npt.ArrayLike, share: float = REACH_SHARE) -> Quads:
    """Fit the sides of rough boxes (n, 4, 2) px to the picture's edges, with nothing known of their size.

    `share`: how far a side may be off, as a share of its distance from the opposite one.
    """
    rough = clockwise(np.asarray(corners_px, float).reshape(-1, 4, 2))
    if len(rough) == 0:
        return Quads(rough, np.zeros(0), np.zeros((0, 4), bool))
    wide = _wide(image, rough, share)
    narrow = np.clip(0.06 * across(wide.corners_px), 2.5, 8)
    return _fit(image, wide.corners_px, narrow, prefer_outer=False, before=wide)


def _wide(image: Image, rough: Floats, share: float) -> Quads:
    """Fit sides that may be far off, where the pieces are large in a smaller picture: its edges are no wider there."""
    scale = min(1.0, WORKED_PX / max(float(median(across(rough))), 1.0))
    small = image
    if scale < 1:
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    start = (rough + 0.5) * scale - 0.5
    found = _fit(small, start, np.clip(share * across(start), 4, MOST_REACH_PX), prefer_outer=True)
    return Quads((found.corners_px + 0.5) / scale - 0.5, found.sigma_px / scale, found.seen)


def snap(
    image: Image, plane: Plane, corners_px: npt.ArrayLike, sizes_mm: Floats, heights_mm: Floats, share: float
) -> Floats:
    """Slide rectangles of known size (n, 2) mm at their heights (n,) onto the picture's edges: (n, 4, 2) px.

    They start near rough corners (n, 4, 2) px and move by at most `share` of their shorter side, all sides together.
    """
    rough = np.asarray(corners_px, float).reshape(-1, 4, 2)
    rects = project(plane, _rects(plane, rough, sizes_mm, heights_mm), heights_mm)
    moved = _slide(image, rects, np.maximum(share * across(rects), 2.0))
    return project(plane, _rects(plane, moved, sizes_mm, heights_mm), heights_mm)


def settle(image: Image, corners_px: Floats) -> Quads:
    """Fit each side on its own within a few px of a quad (n, 4, 2) that is nearly right."""
    if len(corners_px) == 0:
        return Quads(corners_px, np.zeros(0), np.zeros((0, 4), bool))
    reach = np.clip(0.03 * across(corners_px), 1.5, 4)
    return _fit(image, corners_px, reach, prefer_outer=False, slopes=NEAR_SLOPES)


def project(plane: Plane, corners_mm: Floats, heights_mm: Floats) -> Floats:
    """Project rectangles (n, 4, 2) mm, each at its own height (n,), to px."""
    return np.stack([plane.to_px(c, float(h)) for c, h in zip(corners_mm, heights_mm, strict=True)])


def _rects(plane: Plane, corners_px: Floats, sizes_mm: Floats, heights_mm: Floats) -> Floats:
    """Return the rigid rectangles (n, 4, 2) mm nearest to px corners."""
    mm = np.stack([plane.to_mm(c, float(h)) for c, h in zip(corners_px, heights_mm, strict=True)])
    return rectangles(mm, sizes_mm)


def outward(corners: Floats) -> Floats:
    """Return the unit normal (n, 4, 2) of each side of clockwise quads (n, 4, 2), away from the quad."""
    edge = np.roll(corners, -1, axis=1) - corners
    length = np.maximum(np.linalg.norm(edge, axis=-1, keepdims=True), 1e-6)
    return np.asarray(np.stack([edge[..., 1], -edge[..., 0]], -1) / length)


def across(corners: Floats) -> Floats:
    """Return how far each side (n, 4) of quads is from the opposite one: the mean of its neighbours' lengths."""
    side = np.linalg.norm(np.roll(corners, -1, 1) - corners, axis=-1)
    return np.asarray((np.roll(side, 1, axis=1) + np.roll(side, -1, axis=1)) / 2)


def _profiles(image: Image, corners: Floats, reach: Floats) -> tuple[Floats, Floats, Floats]:
    """Look across every side.

    Returns the colour steps (n, 4, SAMPLES, L, 3) along the outward normal, their offsets in units of `reach` (L,) and
    the samples' places along the side (SAMPLES,) from -0.5 to 0.5.
    """
    count = int(np.clip(2 * np.ceil(median(reach) / STEP_PX) + 1, 9, MOST_LOOKS))
    offsets = np.linspace(-1, 1, count)
    along = np.linspace(INSET, 1 - INSET, SAMPLES)
    start, end = corners, np.roll(corners, -1, axis=1)
    edge = end - start
    base = start[:, :, None] + edge[:, :, None] * along[None, None, :, None]
    span = offsets * reach[..., None]  # (n, 4, L)
    points = base[:, :, :, None] + outward(corners)[:, :, None, None] * span[:, :, None, :, None]
    flat = points.astype(np.float32).reshape(len(corners), -1, 2)
    pixels = np.stack(
        [cv2.remap(image, f[:, 0:1], f[:, 1:2], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0] for f in flat]
    )
    values = pixels.astype(np.float32).reshape(*points.shape[:-1], 3)
    per_px = np.maximum(2 * reach / (count - 1), 1e-6).astype(np.float32)[:, :, None, None, None]
    return np.asarray(np.gradient(values, axis=3) / per_px), offsets, along - 0.5


def _strength(steps: Floats) -> Floats:
    """Turn colour steps (…, SAMPLES, L, 3) into (…, SAMPLES, L): how much of an edge, in grey levels a px."""
    return np.asarray(np.sqrt((steps**2).sum(-1) / 3))


def _lines(steps: Floats, reach: Floats, length: Floats, texture: float, slopes: Floats = SLOPES) -> Floats:
    """Sum the evidence along straight lines: (n, 4, slopes, L), for a line at each offset in the middle and each slope.

    The mean over the side of the colour step itself (texture cancels, an edge does not) plus the share
    `texture` of its mean size, for sides along which the colours change.
    """
    n, _, s, count, _ = steps.shape
    along = np.linspace(INSET, 1 - INSET, s) - 0.5
    per_look = length[:, :, None] / np.maximum(2 * reach / (count - 1), 1e-6)[:, :, None]
    # a crooked line is straight again once each sample's look is shifted by its own amount
    shifts = [np.rint(slope * along * per_look).astype(int).ravel() for slope in slopes]
    most = min(count, max(int(np.abs(shift).max()) for shift in shifts))
    kinds = np.concatenate([np.moveaxis(steps, -1, 3), _strength(steps)[..., None, :]], axis=3)  # (n, 4, s, 4, L)
    padded = np.pad(kinds.reshape(-1, 4, count), ((0, 0), (0, 0), (most, most)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, count, axis=2)
    rows = np.arange(len(padded))
    out = np.zeros((n, 4, len(slopes), count))
    for k, shift in enumerate(shifts):
        shifted = windows[rows, :, most + np.clip(shift, -most, most)].reshape(n, 4, s, 4, count).mean(2)
        out[:, :, k] = np.sqrt((shifted[:, :, :3] ** 2).sum(2)) / np.sqrt(3) + texture * shifted[:, :, 3]
    return out


def _fit(
    image: Image,
    corners: Floats,
    reach: Floats,
    *,
    prefer_outer: bool,
    before: Quads | None = None,
    slopes: Floats = SLOPES,
) -> Quads:
    """Fit the four sides near the given quads, and intersect them."""
    length = np.linalg.norm(np.roll(corners, -1, 1) - corners, axis=-1)
    steps, offsets, along = _profiles(image, corners, reach)
    votes = _lines(steps, reach, length, TEXTURE, slopes)
    middle, slope, strength = _pick(votes, offsets, slopes, prefer_outer)
    line, scatter = _polish(_strength(steps), middle * reach, slope, offsets, along, reach, length)
    seen = strength > MIN_CONTRAST
    line = np.where(seen[..., None], line, 0.0)
    sigma_side = np.where(seen, scatter / np.sqrt(SAMPLES / 3), FALLBACK_SIGMA_PX)
    fitted = intersected(corners, line)
    ok = np.isfinite(fitted).all((1, 2)) & (np.linalg.norm(fitted - corners, axis=-1).max(1) < 3 * reach.max(1) + 2)
    out = np.where(ok[:, None, None], fitted, corners)
    sigma = np.where(ok, sigma_side.max(1), FALLBACK_SIGMA_PX)
    if before is not None:
        seen = seen & before.seen
    return Quads(out, sigma, seen)


def _pick(votes: Floats, offsets: Floats, slopes: Floats, prefer_outer: bool) -> tuple[Floats, Floats, Floats]:
    """Choose one line a side from (n, 4, slopes, L): its offset (units of reach), slope and strength, each (n, 4)."""
    best_slope = votes.max(2)  # (n, 4, L)
    weight = best_slope * np.exp(-0.5 * (offsets / PRIOR_SHARE) ** 2)
    index = weight.argmax(-1)
    if prefer_outer:
        peak = best_slope >= np.maximum(np.roll(best_slope, 1, -1), np.roll(best_slope, -1, -1))
        strong = peak & (weight >= OUTER_SHARE * weight.max(-1, keepdims=True)) & (weight > MIN_CONTRAST)
        outer = votes.shape[-1] - 1 - np.argmax(strong[..., ::-1], axis=-1)
        index = np.where(strong.any(-1), outer, index)
    at = np.take_along_axis(votes, index[:, :, None, None], axis=3)[..., 0]  # (n, 4, slopes)
    k = at.argmax(-1)
    strength = np.take_along_axis(best_slope, index[..., None], -1)[..., 0]
    return offsets[index], slopes[k], strength


def _polish(
    size: Floats, middle_px: Floats, slope: Floats, offsets: Floats, along: Floats, reach: Floats, length: Floats
) -> tuple[Floats, Floats]:
    """Fit each side's line through the edge's centre of gravity at every sample.

    Returns (n, 4, 2): offset px in the middle and slope; and the scatter (n, 4) px of the samples about it.
    """
    span = offsets * reach[..., None, None]  # (n, 4, 1, L)
    place = along[None, None, :] * length[:, :, None]  # (n,4,S)
    line = np.stack([middle_px, slope], -1)
    scatter = np.zeros(middle_px.shape)
    for width in (1.6, 1.1):
        expected = line[..., :1] + line[..., 1:] * place
        near = np.exp(-0.5 * ((span - expected[..., None]) / width) ** 2)
        weight = size**2 * near
        mass = weight.sum(-1) + 1e-9
        found = (weight * span).sum(-1) / mass
        trust = np.minimum(mass, 3 * median(mass, axis=-1, keepdims=True))
        for _ in range(2):
            line = _weighted_line(place, found, trust)
            error = found - (line[..., :1] + line[..., 1:] * place)
            spread = np.maximum(1.5 * median(np.abs(error), -1, keepdims=True), 0.05)
            trust = trust / (1 + (error / (2 * spread)) ** 2)
        scatter = np.sqrt((trust * error**2).sum(-1) / np.maximum(trust.sum(-1), 1e-9))
    return line, scatter


def _weighted_line(x: Floats, y: Floats, w: Floats) -> Floats:
    """Fit y = a + b x by weighted least squares over the last axis: (…, 2)."""
    total = np.maximum(w.sum(-1), 1e-9)
    mx, my = (w * x).sum(-1) / total, (w * y).sum(-1) / total
    dx = x - mx[..., None]
    b = (w * dx * (y - my[..., None])).sum(-1) / np.maximum((w * dx**2).sum(-1), 1e-9)
    return np.stack([my - b * mx, b], -1)


def intersected(corners: Floats, line: Floats) -> Floats:
    """Move each side of quads (n, 4, 2) by its line (n, 4, 2): px outwards, slope; return where they meet then."""
    away = outward(corners)
    through = (corners + np.roll(corners, -1, axis=1)) / 2 + away * line[..., :1]
    direction = np.stack([-away[..., 1], away[..., 0]], -1) + away * line[..., 1:]
    before_p, before_d = np.roll(through, 1, axis=1), np.roll(direction, 1, axis=1)
    cross = before_d[..., 0] * direction[..., 1] - before_d[..., 1] * direction[..., 0]
    gap = through - before_p
    t = (gap[..., 0] * direction[..., 1] - gap[..., 1] * direction[..., 0]) / np.where(
        np.abs(cross) < 1e-9, np.nan, cross
    )
    found: Floats = before_p + before_d * t[..., None]
    return found


def _slide(image: Image, rects: Floats, reach: Floats) -> Floats:
    """Slide and turn whole quads to where their four sides together have the most edge."""
    length = np.linalg.norm(np.roll(rects, -1, 1) - rects, axis=-1)  # (n, 4)
    steps, offsets, _ = _profiles(image, rects, reach)
    votes = _lines(steps, reach, length, 0.0)  # (n, 4, SLOPES, L)
    half = max(1.0, EDGE_HALF * float(quantile(votes, 0.25)))
    votes = votes**2 / (votes**2 + half**2)  # an inner frame's strong sides must not outvote four weak ones
    pairs = [votes[:, axis] + votes[:, axis + 2, :, ::-1] for axis in (0, 1)]  # outward on one is inward on the other
    k = (pairs[0].max(-1) + pairs[1].max(-1)).argmax(-1)  # (n,) the slope
    rows = np.arange(len(rects))
    line = np.zeros((len(rects), 4, 2))
    for axis, both in enumerate(pairs):
        at = offsets[both[rows, k].argmax(-1)] * reach[:, axis]
        line[:, axis, 0], line[:, axis + 2, 0] = at, -at
    line[..., 1] = SLOPES[k][:, None]
    return intersected(rects, line)
