"""Discs' own outlines: what a rim is bent to in a view from above tells how the view is wrong, and by how much.

A wrongly told camera shows discs as ovals. Each is measured in the picture itself along rays from its middle, finer
than the view, and comes back as the square round it: askew as the view has it, so that a camera fitted to it mends it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import rims
from vision.ranks import median
from vision.rims import View

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

STEP, OVAL_STEPS, CIRCLE_STEPS = 0.01, 14, 7
"""Of the radius: how finely a ray is looked at, and how many steps off its usual place an oval's, a circle's rim is."""
SOFT = 1.5
"""σ of the smoothing along a ray, in its steps: less than the least rounding of a coin's edge."""
INNERMOST = 0.4
"""Of a ray's strongest step: the innermost one that is so strong is the face's edge; the wall's foot lies beyond."""
LEAST_STEP = 1.0
"""Grey levels a step of a ray: less is no edge."""
OFF = 0.015
"""One σ, in radii, of an edge along a ray, beyond which it counts less and less."""
FEWEST = 0.5
"""Of a disc's rays: where fewer show an edge it stays as it was."""
ROUNDS = 8
SHIFTS = 0.02 * np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), axis=-1).reshape(-1, 2)
"""In radii: from where a circle's middle is looked for."""


@dataclass(frozen=True)
class Rays:
    """A disc looked at from its middle (2,) mm: one radius to the right and up as columns (2, 2) mm; where rays (n, 2)
    meet its edge, (n,) radii out, those that do."""

    middle_mm: Floats
    axes_mm: Floats
    ways: Floats
    reach: Floats

    @property
    def told(self) -> bool:
        """Tell whether enough rays meet an edge."""
        return len(self.reach) >= FEWEST * rims.SAMPLES

    def square_px(self, view: View, shift: Floats, shape: Floats) -> Floats:
        """Return the square (4, 2) px round the oval that is shifted (2,) and shaped (2, 2) so, in radii."""
        square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], float)
        corners = self.middle_mm + (shift + square @ shape.T) @ self.axes_mm.T
        return np.asarray(view.plane.to_px(corners, view.height_mm), float)


def ovals(image: Image, view: View, quads_px: Floats) -> Floats:
    """Return the squares (n, 4, 2) px round discs as ovals of the view, as their own rims show them."""
    found = []
    for quad in quads_px:
        rays = _looked(image, view, quad, OVAL_STEPS)
        if rays.told:
            (radius, *shift, long, slant), _ = _fitted(rays, 5)
            shape = radius * np.eye(2) + np.array([[long, slant], [slant, -long]])
            quad = rays.square_px(view, np.array(shift), shape)
        found.append(quad)
    return np.array(found).reshape(-1, 4, 2)


def circles(image: Image, view: View, quads_px: Floats) -> tuple[Floats, Floats]:
    """Return the squares (n, 4, 2) px round discs as circles of the view, all of one size, and how even they are (n,).

    Evenness: the share of the rays that meet an edge where the circle is.
    """
    looked = [_looked(image, view, quad, CIRCLE_STEPS) for quad in quads_px]
    usual = float(median([_fitted(rays, 3)[0][0] for rays in looked if rays.told] or [1.0]))
    squares, evenness = [], []
    for rays, quad in zip(looked, quads_px, strict=True):
        shift, even = _round(rays, usual) if rays.told else (np.zeros(2), 0.0)
        squares.append(rays.square_px(view, shift, usual * np.eye(2)) if rays.told else quad)
        evenness.append(even)
    return np.array(squares).reshape(-1, 4, 2), np.array(evenness)


def _looked(image: Image, view: View, quad: Floats, steps: int) -> Rays:
    """Look at a disc in its square (4, 2) px, so many steps to either side of its rim."""
    corners = view.plane.to_mm(quad, view.height_mm)
    middle = corners.mean(axis=0)
    axes = np.stack([corners[1] - corners[0], corners[1] - corners[2]], axis=1) / 2
    ways, reaches = np.asarray(rims.around(), float), 1 + STEP * np.arange(-steps, steps + 1)
    points = middle + (ways @ axes.T)[:, None] * reaches[:, None]
    edge = _edge(image, np.asarray(view.plane.to_px(points, view.height_mm), float))
    met = edge >= 0
    return Rays(middle, axes, ways[met], np.asarray(reaches[edge[met]], float))


def _edge(image: Image, rays_px: Floats) -> npt.NDArray[np.intp]:
    """Return at which of its m places each ray (n, m, 2) px meets the face's edge, (n,); -1: nowhere."""
    at = rays_px.astype(np.float32)
    seen = cv2.remap(image, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), sigmaX=SOFT, sigmaY=0.1)
    step = np.abs(np.gradient(soft, axis=1)).max(axis=2)
    crest = np.zeros(step.shape, bool)
    crest[:, 1:-1] = (step[:, 1:-1] >= step[:, :-2]) & (step[:, 1:-1] > step[:, 2:])
    told = crest & (step >= np.maximum(INNERMOST * step.max(axis=1, keepdims=True), LEAST_STEP))
    return np.where(told.any(axis=1), told.argmax(axis=1), -1)


def _fitted(rays: Rays, terms: int) -> tuple[Floats, Floats]:
    """Fit radius, shift and bend, the first 3 or all 5 terms, to a disc's edge: the terms, and the edges' offs (n,)."""
    x, y = rays.ways.T
    design = np.stack([np.ones(len(x)), x, y, x**2 - y**2, 2 * x * y], axis=1)[:, :terms]
    told: Floats = np.zeros(terms)
    weight: Floats = np.ones(len(x))
    for _ in range(ROUNDS):
        told = np.asarray(np.linalg.lstsq(design * weight[:, None], rays.reach * weight, rcond=None)[0], float)
        weight = 1 / np.sqrt(1 + ((rays.reach - design @ told) / OFF) ** 2)
    return told, rays.reach - design @ told


def _round(rays: Rays, radius: float) -> tuple[Floats, float]:
    """Return by how much a circle of that radius is shifted where most rays meet an edge on it, and its evenness."""
    out = rays.reach - radius
    off = out - SHIFTS @ rays.ways.T
    shift: Floats = SHIFTS[np.log1p((off / OFF) ** 2).sum(axis=1).argmin()]
    for _ in range(ROUNDS):
        weight = 1 / np.sqrt(1 + ((out - rays.ways @ shift) / OFF) ** 2)
        shift = np.asarray(np.linalg.lstsq(rays.ways * weight[:, None], out * weight, rcond=None)[0], float)
    near = 1 / (1 + ((out - rays.ways @ shift) / OFF) ** 2)
    return shift, float(near.sum()) / rims.SAMPLES
