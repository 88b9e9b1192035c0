"""How round the tiles of a table are at their corners: cut alike, they show it together.

Across a straight side the picture changes from tile to table in its own way: frame, edge, shadow, all blurred. Round a
corner it changes in the same way, along the corner's own outline; the radius with which it does so best is the tiles'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import cv2
import numpy as np
import numpy.typing as npt

from scoring.table import Piece
from vision.ranks import median

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

FEWEST_TILES, MOST_TILES = 4, 10
"""Fewer tiles say too little, more say no more."""
STEP_MM = 0.25
REACH_MM = (-5.0, 3.0)
"""What is looked at round a corner: so far into the tile, so far onto the table."""
ALONG_MM = (-13.0, -5.0)
"""Where a side is plain: so far from its corner, and as long."""
ACROSS_MM = (-3.0, 4.0)
NEAR_MM, EDGE_MM = (-2.0, 2.2), 2.3
"""How far from the outline a corner's picture is compared, and how far from a side its blur is measured."""
RADII_MM = np.arange(0.0, 4.01, 0.25)
BLURS_MM = np.arange(0.2, 2.01, 0.1)
SHIFTS_MM = np.arange(-0.8, 0.81, 0.2)
CORNER_SHARE = math.sqrt(2) - 1
"""How much farther off a round corner is than a sharp one, of its radius."""
WORST = 3.0
"""Times its best fit: a tile that fits a radius worse than that counts no more, something lies at it."""
LEAST_MISFIT = 0.1
"""Grey levels: no photograph fits better."""
LEAST_CONTRAST = 15.0
"""Grey levels, summed over the colours, between tile and table; less shows no edge."""
TOO_ROUND_MM, SIGMA_MM, SIGMA_BLURS = 0.35, 0.1, 0.3
"""Corners look rounder than they are, by that much on path-traced tables; one σ of it, and its part that blur makes."""


@dataclass(frozen=True)
class Rounding:
    """The tiles' corner radius, mm, and its one σ."""

    radius_mm: float
    sigma_mm: float

    def of(self, tile: Piece) -> Piece:
        """Return a tile cut so, its own doubt and that of its corners together."""
        sigma_mm = math.hypot(tile.sigma_mm, CORNER_SHARE * self.sigma_mm)
        return replace(tile, corner_radius_mm=self.radius_mm, sigma_mm=sigma_mm)


def rounding(image: Image, tiles_px: Sequence[Floats], side_mm: float) -> Rounding | None:
    """Measure the corner radius of square tiles (4, 2) px of this side; None where too little shows it."""
    if len(tiles_px) < FEWEST_TILES or side_mm < 2 * -ALONG_MM[0]:
        return None
    patches, sides = _views(image, tiles_px[:MOST_TILES], side_mm)
    blur_mm = _blur_mm(sides)
    if blur_mm is None:
        return None
    misfit = _misfit(patches, sides, _distances(blur_mm)).reshape(-1, 4, len(RADII_MM)).sum(1)
    total = np.minimum(misfit / np.maximum(misfit.min(1, keepdims=True), LEAST_MISFIT), WORST).sum(0)
    best = int(np.clip(total.argmin(), 1, len(total) - 2))
    below, here, above = total[best - 1 : best + 2]
    bend = below - 2 * here + above
    radius = RADII_MM[best] + (STEP_MM * (below - above) / (2 * bend) if bend > 0 else 0.0)
    return Rounding(max(float(radius) - TOO_ROUND_MM, 0.0), SIGMA_MM + SIGMA_BLURS * blur_mm)


def _views(image: Image, tiles_px: Sequence[Floats], side_mm: float) -> tuple[Floats, Floats]:
    """Return what lies round each corner (n, h, w, 3), x and y outwards, and across its two sides (n, 2, m, 3)."""
    square = np.array([[0, 0], [side_mm, 0], [side_mm, side_mm], [0, side_mm]], np.float32)
    x, y = _grid()
    across, along = np.meshgrid(_across(), np.arange(*ALONG_MM, 2 * STEP_MM))
    patches, sides = [], []
    for tile in tiles_px:
        to_px = cv2.getPerspectiveTransform(square, np.asarray(tile, np.float32)).astype(np.float64)
        for corner in square.astype(np.float64):
            out = np.sign(corner - side_mm / 2)
            patches.append(_look(image, to_px, corner + out * np.stack([x, y], -1)))
            strips = [np.stack([across, along], -1), np.stack([along, across], -1)]
            sides.append([median(_look(image, to_px, corner + out * strip), axis=0) for strip in strips])
    return np.stack(patches), np.array(sides)


def _look(image: Image, to_px: Floats, at_mm: Floats) -> Floats:
    """Return the picture's colours (h, w, 3) at places (h, w, 2) mm on a tile."""
    px = cv2.perspectiveTransform(at_mm.reshape(1, -1, 2), to_px).reshape(at_mm.shape).astype(np.float32)
    seen = cv2.remap(image, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float64)


def _grid() -> tuple[Floats, Floats]:
    steps = np.arange(REACH_MM[0], REACH_MM[1] + STEP_MM / 2, STEP_MM)
    x, y = np.meshgrid(steps, steps)
    return x, y


def _across() -> Floats:
    return np.arange(*ACROSS_MM, STEP_MM, dtype=np.float64)


def _blur_mm(sides: Floats) -> float | None:
    """Return one σ of the blur across plain sides (n, 2, m, 3): the usual one; None where no side shows an edge."""
    lines = sides.reshape(-1, *sides.shape[2:])
    step = lines[:, -5:].mean(1) - lines[:, :4].mean(1)
    shown = np.abs(step).sum(1) > LEAST_CONTRAST
    if not shown.any():
        return None
    heights = np.einsum("nmc,nc->nm", lines[shown][:, np.abs(_across()) < EDGE_MM], step[shown])
    heights -= heights.mean(1, keepdims=True)
    shapes, blurs = _edges()
    return float(median(blurs[(heights @ shapes.T).argmax(1)]))


@lru_cache(maxsize=1)
def _edges() -> tuple[Floats, Floats]:
    """Return edges of every blur and shift (k, m), of mean 0 and length 1, and their blurs (k,)."""
    across = _across()[np.abs(_across()) < EDGE_MM]
    blurs, shifts = (grid.ravel() for grid in np.meshgrid(BLURS_MM, SHIFTS_MM))
    shapes = np.interp((across - shifts[:, None]) / blurs[:, None], *_normal())
    shapes -= shapes.mean(1, keepdims=True)
    shapes = np.asarray(shapes / np.linalg.norm(shapes, axis=1, keepdims=True), np.float64)
    return shapes, blurs


@lru_cache(maxsize=1)
def _normal() -> tuple[Floats, Floats]:
    """Return the normal distribution as a table: deviations (n,) and the shares (n,) below them."""
    deviations = np.linspace(-4.5, 4.5, 721)
    return deviations, np.array([NormalDist().cdf(z) for z in deviations])


@lru_cache(maxsize=8)
def _distances(blur_mm: float) -> Floats:
    """Return, for every radius, how far across a plain side looks like each place round a corner: (k, h, w) mm."""
    fine = STEP_MM / 2
    reach = np.arange(REACH_MM[0] - 4.0, REACH_MM[1] + 4.0 + fine / 2, fine)
    x, y = np.meshgrid(reach, reach)
    kept = slice(round(4.0 / fine), round((4.0 + REACH_MM[1] - REACH_MM[0]) / fine) + 1, 2)
    deviations, shares = _normal()
    looks = []
    for radius in RADII_MM:
        over_x, over_y = x + radius, y + radius
        beyond = np.hypot(np.maximum(over_x, 0), np.maximum(over_y, 0)) + np.minimum(np.maximum(over_x, over_y), 0)
        covered = np.clip(0.5 - (beyond - radius) / fine, 0, 1)
        share = cv2.GaussianBlur(covered, (0, 0), blur_mm / fine)[kept, kept]
        looks.append(-blur_mm * np.interp(share, shares, deviations))
    return np.asarray(np.clip(np.stack(looks), ACROSS_MM[0], ACROSS_MM[1] - 2 * STEP_MM), np.float64)


def _misfit(patches: Floats, sides: Floats, distances: Floats) -> Floats:
    """Return how badly each corner (n) fits each radius (k): mean grey levels off."""
    patches, sides = patches.astype(np.float32), sides.astype(np.float32)
    x, y = _grid()
    sharp = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0)
    inner = -RADII_MM[-1]
    sparse = np.indices(x.shape).sum(0) % 3 == 0
    looked = sparse & (x > inner) & (y > inner) & (sharp > NEAR_MM[0]) & (sharp < NEAR_MM[1])
    turn = np.arctan2(y[looked] - inner, x[looked] - inner) / (np.pi / 2)  # 0: all of the one side's; 1: the other's
    at = (distances[:, looked] - ACROSS_MM[0]) / STEP_MM
    low = np.floor(at).astype(int)
    part, turn = (at - low)[..., None].astype(np.float32), turn[:, None].astype(np.float32)
    first, second = (sides[:, k, low] + (sides[:, k, low + 1] - sides[:, k, low]) * part for k in (0, 1))
    off = np.abs(patches[:, None, looked] - first - turn * (second - first))
    return np.asarray(off.sum(-1).mean(-1), np.float64)
